#include "config/config_fields.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

namespace xformer {
namespace {

constexpr int64_t kLargest = std::numeric_limits<int64_t>::max();

/// What a number with a fraction must fulfil.
struct Rule {
  const char* text;
  bool (*holds)(double);
};

constexpr Rule kFraction = {"a number of at least 0 and below 1",
                            [](double x) { return x >= 0 && x < 1; }};
constexpr Rule kPositive = {"a number above 0", [](double x) { return x > 0; }};
constexpr Rule kNotNegative = {"a number of at least 0", [](double x) { return x >= 0; }};
constexpr Rule kWeight = {"a number above 0 and at most 1000, or a list of such numbers",
                          [](double x) { return x > 0 && x <= 1000; }};
/// A higher penalty only overflows: ((5 + length) / 6) ^ 10 is 1e22 at 1,000 pieces.
constexpr Rule kPenalty = {"a number from 0 to 10", [](double x) { return x >= 0 && x <= 10; }};
constexpr Rule kFactor = {"a number from 0 to 1000", [](double x) { return x >= 0 && x <= 1000; }};

/// 4000, 4000.0 and 4e3 are whole numbers; 3.5 and 1e20 are not ones that fit.
std::optional<int64_t> whole_number(const Json& value) {
  if (value.is_number_unsigned()) {
    const auto number = value.get<uint64_t>();
    if (number > static_cast<uint64_t>(kLargest)) return std::nullopt;
    return static_cast<int64_t>(number);
  }
  if (value.is_number_integer()) return value.get<int64_t>();
  if (!value.is_number_float()) return std::nullopt;
  const double number = value.get<double>();
  constexpr double kExact = 9007199254740992.0;  // 2^53: above it a double skips whole numbers
  if (std::abs(number) > kExact || number != std::floor(number)) return std::nullopt;
  return static_cast<int64_t>(number);
}

Field whole(std::string key, int64_t& member, int64_t least, int64_t most = kLargest) {
  std::string rule = most == kLargest ? "a whole number of at least " + std::to_string(least)
                                      : "a whole number from " + std::to_string(least) + " to " +
                                            std::to_string(most);
  auto read = [&member, least, most, rule](const Json& value) -> std::string {
    const auto number = whole_number(value);
    // Told the lower limit only, the writer of 99999999999999999999 would learn nothing.
    if (!number && value.is_number() && std::abs(value.get<double>()) >= 0x1p63)
      return rule + " and below 2^63";
    if (!number || *number < least || *number > most) return rule;
    member = *number;
    return {};
  };
  return {std::move(key), std::move(read), [&member] { return Json(member); }};
}

/// For a member of type double or optional<double>.
template <typename Member>
auto read_real(Member& member, Rule rule) {
  return [&member, rule](const Json& value) -> std::string {
    if (!value.is_number() || !rule.holds(value.get<double>())) return rule.text;
    member = value.get<double>();
    return {};
  };
}

Field real(std::string key, double& member, Rule rule) {
  return {std::move(key), read_real(member, rule), [&member] { return Json(member); }};
}

/// As real; a value that was never set is written as `otherwise`.
Field optional_real(std::string key, std::optional<double>& member, const double& otherwise,
                    Rule rule) {
  auto write = [&member, &otherwise] { return Json(member.value_or(otherwise)); };
  return {std::move(key), read_real(member, rule), std::move(write)};
}

Field flag(std::string key, bool& member) {
  auto read = [&member](const Json& value) -> std::string {
    if (!value.is_boolean()) return "true or false";
    member = value.get<bool>();
    return {};
  };
  return {std::move(key), std::move(read), [&member] { return Json(member); }};
}

Field text(std::string key, std::string& member) {
  auto read = [&member](const Json& value) -> std::string {
    if (!value.is_string()) return "text in quotes";
    member = value.get<std::string>();
    return {};
  };
  Field field{std::move(key), std::move(read), [&member] { return Json(member); }};
  field.text = &member;
  return field;
}

/// The system would take a name only up to its first NUL, and open another file.
bool is_path(const Json& value) {
  return value.is_string() && value.get<std::string>().find('\0') == std::string::npos;
}

Field path(std::string key, std::string& member) {
  Field field = text(std::move(key), member);
  field.read = [&member](const Json& value) -> std::string {
    if (!is_path(value)) return "the name of a file, in quotes";
    member = value.get<std::string>();
    return {};
  };
  field.is_path = true;
  return field;
}

/// A single value is written without brackets.
template <typename Value>
Json one_or_list(const std::vector<Value>& values) {
  return values.size() == 1 ? Json(values[0]) : Json(values);
}

/// Reads `member` from one value or a list of them, each of which `holds`.
template <typename Value, typename Holds>
auto read_list(std::vector<Value>& member, Holds holds, const char* rule) {
  return [&member, holds, rule](const Json& value) -> std::string {
    const std::vector<Json> items =
        value.is_array() ? value.get<std::vector<Json>>() : std::vector<Json>{value};
    if (!std::all_of(items.begin(), items.end(), holds)) return rule;
    member.clear();
    for (const Json& item : items) member.push_back(item.get<Value>());
    return {};
  };
}

Field paths(std::string key, std::vector<std::string>& member) {
  Field field{std::move(key),
              read_list(member, is_path, "the name of a file, in quotes, or a list of such names"),
              [&member] { return member.empty() ? Json("") : one_or_list(member); }};
  field.texts = &member;
  field.is_path = true;
  return field;
}

Field reals(std::string key, std::vector<double>& member, Rule rule) {
  auto holds = [rule](const Json& value) {
    return value.is_number() && rule.holds(value.get<double>());
  };
  return {std::move(key), read_list(member, holds, rule.text),
          [&member] { return one_or_list(member); }};
}

template <typename Value>
using Names = std::vector<std::pair<const char*, Value>>;

/// "a", "b" or "c"
template <typename Value>
std::string listed(const Names<Value>& names) {
  std::string list;
  for (size_t i = 0; i < names.size(); ++i) {
    if (i > 0) list += i + 1 < names.size() ? ", " : " or ";
    list += '"' + std::string(names[i].first) + '"';
  }
  return list;
}

/// A value of its own type that JSON knows by name.
template <typename Value>
Field choice(std::string key, Value& member, Names<Value> names) {
  auto read = [&member, names](const Json& value) -> std::string {
    for (const auto& [name, meaning] : names) {
      if (value == name) {
        member = meaning;
        return {};
      }
    }
    return listed(names);
  };
  auto write = [&member, names] {
    for (const auto& [name, meaning] : names)
      if (member == meaning) return Json(name);
    return Json();
  };
  return {std::move(key), std::move(read), std::move(write)};
}

Field internal(Field field) {
  field.is_internal = true;
  return field;
}

std::vector<Field> data_fields(DataConfig& data) {
  return {
      choice("data.task", data.task, {{"text", Task::kText}, {"copy", Task::kCopy}}),
      paths("data.train.source", data.train.source),
      paths("data.train.target", data.train.target),
      reals("data.train.weight", data.train.weight, kWeight),
      path("data.valid.source", data.valid.source),
      path("data.valid.target", data.valid.target),
      whole("data.max_length", data.max_length, 1, 1'000'000),
      path("data.cache", data.cache),
      whole("data.copy.symbols", data.copy.symbols, 2, 1'000'000),
      whole("data.copy.length", data.copy.length, 1, 1'000'000),
      whole("data.copy.pairs", data.copy.pairs, 1),
  };
}

std::vector<Field> vocabulary_fields(VocabularyConfig& vocabulary) {
  return {
      flag("vocabulary.shared", vocabulary.shared),
      // Four special symbols and something to write with.
      whole("vocabulary.size", vocabulary.size, 5, 1'000'000),
      choice("vocabulary.type", vocabulary.type,
             {{"bpe", VocabularyType::kBpe}, {"unigram", VocabularyType::kUnigram}}),
      choice<std::string>("vocabulary.normalization", vocabulary.normalization,
                          {{"nmt_nfkc", "nmt_nfkc"},
                           {"nmt_nfkc_cf", "nmt_nfkc_cf"},
                           {"nfkc", "nfkc"},
                           {"nfkc_cf", "nfkc_cf"},
                           {"identity", "identity"}}),
      flag("vocabulary.byte_fallback", vocabulary.byte_fallback),
      path("vocabulary.model", vocabulary.model),
      path("vocabulary.source_model", vocabulary.source_model),
      path("vocabulary.target_model", vocabulary.target_model),
  };
}

std::vector<Field> model_fields(ModelConfig& model) {
  return {
      whole("model.N", model.N, 1, 1000),
      whole("model.d_model", model.d_model, 1, 65'536),
      whole("model.d_ff", model.d_ff, 1, 1'000'000),
      whole("model.h", model.h, 1, 65'536),
      real("model.dropout", model.dropout, kFraction),
      optional_real("model.attention_dropout", model.attention_dropout, model.dropout, kFraction),
      choice("model.norm", model.norm,
             {{"pre", NormPlacement::kPre}, {"post", NormPlacement::kPost}}),
      choice("model.tie_embeddings", model.tie_embeddings,
             {{"all", TieEmbeddings::kAll},
              {"decoder", TieEmbeddings::kDecoder},
              {"none", TieEmbeddings::kNone}}),
  };
}

std::vector<Field> training_fields(TrainingConfig& training) {
  return {
      whole("training.batch_tokens", training.batch_tokens, 1),
      whole("training.accum_iter", training.accum_iter, 1),
      whole("training.num_epochs", training.num_epochs, 1),
      whole("training.max_updates", training.max_updates, 0),
      real("training.base_lr", training.base_lr, kPositive),
      whole("training.warmup", training.warmup, 1),
      real("training.label_smoothing", training.label_smoothing, kFraction),
      real("training.clip_norm", training.clip_norm, kNotNegative),
      choice("training.precision", training.precision,
             {{"auto", Precision::kAuto},
              {"float32", Precision::kFloat32},
              {"bfloat16", Precision::kBfloat16},
              {"float16", Precision::kFloat16}}),
      choice("training.kernels", training.kernels,
             {{"auto", Kernels::kAuto}, {"plain", Kernels::kPlain}}),
      whole("training.seed", training.seed, 0),
      whole("training.validate_every", training.validate_every, 0),
      whole("training.save_every", training.save_every, 0),
      whole("training.keep", training.keep, 1),
      whole("training.average", training.average, 0),
      whole("training.patience", training.patience, 0),
      whole("training.log_every", training.log_every, 1),
  };
}

std::vector<Field> decoding_fields(DecodingConfig& decoding) {
  return {
      whole("decoding.beam_size", decoding.beam_size, 1, 1000),
      real("decoding.length_penalty", decoding.length_penalty, kPenalty),
      real("decoding.max_length_factor", decoding.max_length_factor, kFactor),
      whole("decoding.max_length_extra", decoding.max_length_extra, 0, 1'000'000),
  };
}

}  // namespace

std::vector<Field> fields_of(Config& config) {
  std::vector<Field> fields;
  for (auto section :
       {data_fields(config.data), vocabulary_fields(config.vocabulary), model_fields(config.model),
        training_fields(config.training), decoding_fields(config.decoding)})
    fields.insert(fields.end(), section.begin(), section.end());
  VocabularyHashes& hashes = config.vocabulary_hashes;
  fields.push_back(internal(text("vocabulary_hashes.source", hashes.source)));
  fields.push_back(internal(text("vocabulary_hashes.target", hashes.target)));
  return fields;
}

}  // namespace xformer
