#include "formats/json_settings.h"

#include "config/json_text.h"
#include "runtime/atomic_file.h"
#include "runtime/error.h"

namespace xformer {

JsonSettings::JsonSettings(const std::filesystem::path& file) : name_(file.string()) {
  std::vector<std::string> duplicates;
  root_ = parse_json(read_file(file), name_, duplicates);
  if (!root_.is_object())
    throw UserError(name_ + ": is " + shown(root_) + ", must be a JSON object");
  if (!duplicates.empty()) {
    throw UserError(name_ + ": " + shown_key(duplicates.front()) + " is given twice");
  }
}

bool JsonSettings::has(const std::string& key) const {
  return !(*this)[key].is_null();
}

const nlohmann::ordered_json& JsonSettings::operator[](const std::string& key) const {
  static const nlohmann::ordered_json kAbsent;
  const auto found = root_.find(key);
  return found == root_.end() ? kAbsent : *found;
}

int64_t JsonSettings::whole(const std::string& key, int64_t least, int64_t most) const {
  const auto& value = (*this)[key];
  const bool fits = value.is_number_integer() &&
                    !(value.is_number_unsigned() && value.get<uint64_t>() > INT64_MAX);
  if (!fits || value.get<int64_t>() < least || value.get<int64_t>() > most) {
    refuse(key, "a whole number from " + std::to_string(least) + " to " + std::to_string(most));
  }
  return value.get<int64_t>();
}

bool JsonSettings::flag(const std::string& key) const {
  if (!(*this)[key].is_boolean()) refuse(key, "true or false");
  return (*this)[key].get<bool>();
}

std::string JsonSettings::text(const std::string& key) const {
  if (!(*this)[key].is_string()) refuse(key, "text in quotes");
  return (*this)[key].get<std::string>();
}

std::optional<int64_t> JsonSettings::optional_whole(const std::string& key, int64_t least,
                                                    int64_t most) const {
  return has(key) ? std::optional(whole(key, least, most)) : std::nullopt;
}

bool JsonSettings::flag_or(const std::string& key, bool otherwise) const {
  return has(key) ? flag(key) : otherwise;
}

double JsonSettings::number_or(const std::string& key, double otherwise, double least,
                               double most) const {
  if (!has(key)) return otherwise;
  const auto& value = (*this)[key];
  if (!value.is_number() || !(value.get<double>() >= least && value.get<double>() <= most)) {
    refuse(key, "a number from " + shown(least) + " to " + shown(most));
  }
  return value.get<double>();
}

std::string JsonSettings::text_or(const std::string& key, const std::string& otherwise) const {
  return has(key) ? text(key) : otherwise;
}

void JsonSettings::refuse(const std::string& key, const std::string& rule) const {
  const auto& value = (*this)[key];
  const auto seen = value.is_null() ? std::string("missing") : shown(value);
  throw UserError(name_ + ": " + shown_key(key) + " is " + seen + ", must be " + rule);
}

}  // namespace xformer
