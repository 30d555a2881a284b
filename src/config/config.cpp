#include "config/config.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "config/config_checks.h"
#include "config/config_fields.h"
#include "config/json_text.h"
#include "config/nearest_key.h"
#include "runtime/atomic_file.h"
#include "runtime/error.h"

namespace xformer {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFormatVersionKey = "format_version";

/// "training" of "training.warmup", nothing of "training".
std::string parent_of(const std::string& key) {
  const size_t dot = key.rfind('.');
  return dot == std::string::npos ? std::string() : key.substr(0, dot);
}

/// Who wrote a configuration.
enum class Origin { kUser, kModelFolder };

/// Fills a Config from JSON and gathers everything that is wrong on the way.
class ConfigReader {
 public:
  explicit ConfigReader(std::string name) : name_(std::move(name)) {
    for (const Field& field : fields_) {
      for (std::string key = field.key; !key.empty(); key = parent_of(key)) {
        if (key != field.key) sections_.insert(key);
        if (field.is_internal) {
          recorded_.insert(key);
        } else if (std::ranges::find(known_, key) == known_.end()) {
          known_.push_back(key);
        }
      }
    }
    // A section is recorded when all of it is.
    for (const std::string& key : known_) recorded_.erase(key);
  }
  ConfigReader(const ConfigReader&) = delete;  // fields_ holds references into config_

  void read_file(const Json& root, const std::vector<std::string>& duplicates,
                 const fs::path& folder, Origin origin) {
    place_ = name_ + ": ";
    folder_ = folder;
    origin_ = origin;
    note_duplicates(duplicates);
    if (!root.is_object())
      throw UserError(place_ + "is " + shown(root) + ", must be an object in { }");
    read_members("", root);
  }

  void read_override(const Override& override) {
    place_ = "--set ";
    folder_ = fs::current_path();
    origin_ = Origin::kUser;
    overridden_.insert(override.first);
    read(override.first, value_of(override));
  }

  void check(const std::vector<BrokenRule>& rules) {
    for (const BrokenRule& rule : rules) {
      // A key that could not be read still holds its default, which nobody asked for.
      const auto is_unread = [&](const std::string& key) { return is_faulty(key); };
      if (std::any_of(rule.keys.begin(), rule.keys.end(), is_unread)) continue;
      faults_.push_back(place_of(rule.keys) + ": " + rule.fault);
    }
  }

  const Config& config() const { return config_; }

  void throw_faults() const {
    if (!faults_.empty()) throw UserError(fmt::format("{}", fmt::join(faults_, "\n")));
  }

 private:
  Field* find(const std::string& key) {
    const auto has_key = [&](const Field& field) { return field.key == key; };
    const auto found = std::find_if(fields_.begin(), fields_.end(), has_key);
    return found == fields_.end() ? nullptr : &*found;
  }

  void read(const std::string& key, const Json& value) {
    Field* field = find(key);
    if (recorded_.contains(key) && origin_ == Origin::kUser) {
      note_fault(key, "is recorded with a trained model and cannot be set");
    } else if (field) {
      read_field(*field, value);
    } else if (!sections_.contains(key)) {
      note_unknown(key);
    } else if (!value.is_object()) {
      note_fault(key, "is " + shown(value) + ", must be an object with the keys " + keys_of(key));
    } else {
      read_members(key + ".", value);
    }
  }

  /// `prefix` is the section's key and a dot, or nothing on the top level.
  void read_members(const std::string& prefix, const Json& section) {
    for (const auto& [name, value] : section.items()) {
      // {"train.source": ...} is not {"train": {"source": ...}}.
      if (name.find('.') != std::string::npos)
        note_fault(prefix + name, "is written with a dot, must be nested");
      else
        read(prefix + name, value);
    }
  }

  void read_field(Field& field, const Json& value) {
    const std::string rule = field.read(value);
    if (!rule.empty()) {
      note_fault(field.key, "is " + shown(value) + ", must be " + rule);
    } else if (field.is_path && !folder_.empty()) {
      if (field.text) make_absolute(*field.text);
      if (field.texts)
        std::ranges::for_each(*field.texts, [&](auto& path) { make_absolute(path); });
    }
  }

  void make_absolute(std::string& path) const {
    if (!path.empty()) path = (folder_ / path).lexically_normal().string();
  }

  /// What stands behind the '=' is JSON where it can be, and text otherwise or where text is
  /// wanted.
  Json value_of(const Override& override) {
    const auto& [key, text] = override;
    const Field* field = find(key);
    try {
      std::vector<std::string> duplicates;
      Json value = parse_json(text, "--set " + key, duplicates);
      const bool is_list = field && field->texts && value.is_array();
      if (field && (field->text || field->texts) && !value.is_string() && !is_list) {
        return Json(text);
      }
      note_duplicates(duplicates, key + ".");
      return value;
    } catch (const UserError&) {
      return Json(text);
    }
  }

  bool is_faulty(const std::string& key) const {
    return faulty_.contains(key) || (!key.empty() && is_faulty(parent_of(key)));
  }

  void note_fault(const std::string& key, const std::string& fault) {
    faulty_.insert(key);
    faults_.push_back(place_ + shown_key(key) + " " + fault);
  }

  void note_duplicates(const std::vector<std::string>& duplicates, const std::string& prefix = "") {
    for (const std::string& key : duplicates) note_fault(prefix + key, "is given twice");
  }

  void note_unknown(const std::string& key) {
    const std::string nearest = nearest_key(key, known_);
    const std::string section = sections_.contains(parent_of(key)) ? parent_of(key) : "";
    note_fault(key, "is not a known key; " + (!nearest.empty()  ? "did you mean " + nearest + "?"
                                              : section.empty() ? "the sections are " + keys_of("")
                                                                : "the keys of " + section +
                                                                      " are " + keys_of(section)));
  }

  std::string keys_of(const std::string& section) const {
    std::vector<std::string> keys;
    for (const std::string& key : known_)
      if (parent_of(key) == section) keys.push_back(key.substr(key.rfind('.') + 1));
    return fmt::format("{}", fmt::join(keys, ", "));
  }

  /// Where values that do not go together come from.
  std::string place_of(const std::vector<std::string>& keys) const {
    std::string place = name_;
    for (const std::string& key : keys)
      if (overridden_.contains(key)) place += " with --set " + key;
    return place;
  }

  Config config_;
  std::vector<Field> fields_ = fields_of(config_);
  std::string name_;
  std::vector<std::string> known_;  ///< keys and sections that a user may write
  std::set<std::string> sections_;
  std::set<std::string> recorded_ = {kFormatVersionKey};  ///< not for a user to set

  std::string place_;  ///< of what is being read: "base.json: " or "--set "
  Origin origin_ = Origin::kUser;
  fs::path folder_;  ///< that its relative paths start from; empty: they stay
  std::vector<std::string> faults_;
  std::set<std::string> faulty_, overridden_;
};

/// Takes the format version out of a model folder's configuration.
void check_format_version(Json& root, const std::string& name) {
  const auto version = root.is_object() ? root.find(kFormatVersionKey) : root.end();
  const std::string allowed = "must be " + std::to_string(kFormatVersion);
  if (version == root.end())
    throw UserError(name + ": " + kFormatVersionKey + " is missing, " + allowed +
                    ": is this the config.json of a model?");
  if (*version != kFormatVersion)
    throw UserError(name + ": " + kFormatVersionKey + " is " + shown(*version) + ", " + allowed +
                    ": the model was written by another version of xformer");
  root.erase(version);
}

/// The JSON pointer of "training.warmup".
Json::json_pointer pointer_to(const std::string& key) {
  std::string pointer = "/" + key;
  std::replace(pointer.begin(), pointer.end(), '.', '/');
  return Json::json_pointer(pointer);
}

}  // namespace

Override parse_override(const std::string& argument) {
  const size_t equals = argument.find('=');
  if (equals == std::string::npos || equals == 0)
    throw UserError("--set " + shown(Json(argument)) + " must be key.path=value");
  return {argument.substr(0, equals), argument.substr(equals + 1)};
}

Config load_config(const std::filesystem::path& file, const std::vector<Override>& overrides) {
  const std::string name = file.string();
  std::vector<std::string> duplicates;
  Json root = parse_json(read_file(file), name, duplicates);
  const bool of_model = root.is_object() && root.contains(kFormatVersionKey);
  if (of_model) check_format_version(root, name);

  ConfigReader reader(name);
  reader.read_file(root, duplicates, fs::absolute(file).parent_path(),
                   of_model ? Origin::kModelFolder : Origin::kUser);
  for (const Override& override : overrides) reader.read_override(override);
  reader.check(missing_for_training(reader.config()));
  reader.check(broken_rules(reader.config()));
  reader.throw_faults();
  return reader.config();
}

std::string to_json(const Config& config) {
  Config copy = config;
  Json root = {{kFormatVersionKey, kFormatVersion}};
  for (const Field& field : fields_of(copy)) root[pointer_to(field.key)] = field.write();
  return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Config parse_config(const std::string& json, const std::string& name) {
  std::vector<std::string> duplicates;
  Json root = parse_json(json, name, duplicates);
  check_format_version(root, name);

  ConfigReader reader(name);
  reader.read_file(root, duplicates, {}, Origin::kModelFolder);
  reader.check(broken_rules(reader.config()));
  reader.throw_faults();
  return reader.config();
}

std::vector<std::string> differences(const Config& before, const Config& after) {
  Config old_config = before, new_config = after;
  const std::vector<Field> old_fields = fields_of(old_config), new_fields = fields_of(new_config);
  std::vector<std::string> lines;
  for (size_t i = 0; i < old_fields.size(); ++i) {
    if (old_fields[i].is_internal) continue;
    const Json old_value = old_fields[i].write(), new_value = new_fields[i].write();
    if (old_value != new_value)
      lines.push_back(old_fields[i].key + ": " + shown(old_value) + " -> " + shown(new_value));
  }
  return lines;
}

bool concerns_weights(const std::string& difference) {
  return difference.starts_with("model.") && !difference.starts_with("model.dropout") &&
         !difference.starts_with("model.attention_dropout");
}

}  // namespace xformer
