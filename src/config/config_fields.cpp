#include "config/config_fields.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "config/field_kinds.h"

namespace xformer {
namespace {

constexpr Rule kFraction = {"a number of at least 0 and below 1",
                            [](double x) { return x >= 0 && x < 1; }};
constexpr Rule kPositive = {"a number above 0", [](double x) { return x > 0; }};
constexpr Rule kNotNegative = {"a number of at least 0", [](double x) { return x >= 0; }};
constexpr Rule kWeight = {"a number above 0 and at most 1000, or a list of such numbers",
                          [](double x) { return x > 0 && x <= 1000; }};
/// A higher penalty only overflows: ((5 + length) / 6) ^ 10 is 1e22 at 1,000 pieces.
constexpr Rule kPenalty = {"a number from 0 to 10", [](double x) { return x >= 0 && x <= 10; }};
constexpr Rule kFactor = {"a number from 0 to 1000", [](double x) { return x >= 0 && x <= 1000; }};

std::vector<Field> data_fields(DataConfig& data) {
  return {
      choice("data.task", data.task, {{"text", Task::kText}, {"copy", Task::kCopy}}),
      path_list("data.train.source", data.train.source),
      path_list("data.train.target", data.train.target),
      real_list("data.train.weight", data.train.weight, kWeight),
      path("data.valid.source", data.valid.source),
      path("data.valid.target", data.valid.target),
      whole("data.max_length", data.max_length, {1, 1'000'000}),
      path("data.cache", data.cache),
      whole("data.copy.symbols", data.copy.symbols, {2, 1'000'000}),
      whole("data.copy.length", data.copy.length, {1, 1'000'000}),
      whole("data.copy.pairs", data.copy.pairs, {1}),
  };
}

std::vector<Field> vocabulary_fields(VocabularyConfig& vocabulary) {
  return {
      flag("vocabulary.shared", vocabulary.shared),
      // Four special symbols and something to write with.
      whole("vocabulary.size", vocabulary.size, {5, 1'000'000}),
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
      internal(text("vocabulary.source_map", vocabulary.source_map)),
      internal(text("vocabulary.target_map", vocabulary.target_map)),
      internal(text_list("vocabulary.language_tokens", vocabulary.language_tokens)),
  };
}

std::vector<Field> model_fields(ModelConfig& model) {
  constexpr Range kLayers{1, 1000}, kHeads{1, 65'536}, kWidth{1, 1'000'000};
  return {
      whole("model.N", model.N, kLayers),
      whole("model.d_model", model.d_model, {1, 65'536}),
      whole("model.d_ff", model.d_ff, kWidth),
      whole("model.h", model.h, kHeads),
      optional_whole("model.N_decoder", model.N_decoder, kLayers),
      optional_whole("model.d_ff_decoder", model.d_ff_decoder, kWidth),
      optional_whole("model.h_decoder", model.h_decoder, kHeads),
      choice("model.activation", model.activation,
             {{"relu", Activation::kRelu},
              {"swish", Activation::kSwish},
              {"gelu", Activation::kGelu},
              {"gelu_tanh", Activation::kGeluTanh},
              {"gelu_sigmoid", Activation::kGeluSigmoid}}),
      real("model.dropout", model.dropout, kFraction),
      optional_real("model.attention_dropout", model.attention_dropout, model.dropout, kFraction),
      choice("model.norm", model.norm,
             {{"pre", NormPlacement::kPre}, {"post", NormPlacement::kPost}}),
      optional_flag("model.final_norm", model.final_norm),
      real("model.norm_epsilon", model.norm_epsilon, kFraction),
      choice("model.positions", model.positions,
             {{"interleaved", Positions::kInterleaved},
              {"halves", Positions::kHalves},
              {"halves_marian", Positions::kHalvesMarian}}),
      whole("model.max_positions", model.max_positions, {0, 1'000'000}),
      factor("model.embedding_scale", model.embedding_scale),
      choice("model.tie_embeddings", model.tie_embeddings,
             {{"all", TieEmbeddings::kAll},
              {"decoder", TieEmbeddings::kDecoder},
              {"source_target", TieEmbeddings::kSourceTarget},
              {"none", TieEmbeddings::kNone}}),
      flag("model.generator_bias", model.generator_bias),
  };
}

std::vector<Field> training_fields(TrainingConfig& training) {
  constexpr Range kCount{1, 1'000'000'000};  // products of two still fit
  return {
      whole("training.batch_tokens", training.batch_tokens, kCount),
      whole("training.accum_iter", training.accum_iter, kCount),
      whole("training.num_epochs", training.num_epochs, kCount),
      whole("training.max_updates", training.max_updates, {0}),
      real("training.base_lr", training.base_lr, kPositive),
      whole("training.warmup", training.warmup, {1}),
      real("training.label_smoothing", training.label_smoothing, kFraction),
      real("training.clip_norm", training.clip_norm, kNotNegative),
      choice("training.precision", training.precision,
             {{"auto", Precision::kAuto},
              {"float32", Precision::kFloat32},
              {"bfloat16", Precision::kBfloat16},
              {"float16", Precision::kFloat16}}),
      choice("training.kernels", training.kernels,
             {{"auto", Kernels::kAuto}, {"plain", Kernels::kPlain}}),
      whole("training.seed", training.seed, {0}),
      whole("training.validate_every", training.validate_every, {0}),
      whole("training.save_every", training.save_every, {0}),
      whole("training.keep", training.keep, {1}),
      whole("training.average", training.average, {0}),
      whole("training.patience", training.patience, {0}),
      whole("training.log_every", training.log_every, {1}),
  };
}

std::vector<Field> decoding_fields(DecodingConfig& decoding) {
  return {
      choice("decoding.search", decoding.search,
             {{"xformer", SearchRules::kXformer},
              {"ctranslate2", SearchRules::kCtranslate2},
              {"huggingface", SearchRules::kHuggingFace}}),
      whole("decoding.beam_size", decoding.beam_size, {1, 1000}),
      real("decoding.length_penalty", decoding.length_penalty, kPenalty),
      real("decoding.max_length_factor", decoding.max_length_factor, kFactor),
      whole("decoding.max_length_extra", decoding.max_length_extra, {0, 1'000'000}),
      whole("decoding.max_length", decoding.max_length, {0, 1'000'000}),
      flag("decoding.force_eos", decoding.force_eos),
  };
}

/// What a model folder records of its model; a user cannot set it.
std::vector<Field> recorded_fields(Config& config) {
  constexpr Range kId{0, std::numeric_limits<int32_t>::max()}, kIdOrNone{-1, kId.most};
  auto& tokens = config.tokens;
  auto& origin = config.origin;
  auto& hashes = config.vocabulary_hashes;
  std::vector<Field> fields = {whole("tokens.pad", tokens.pad, kId),
                               whole("tokens.unk", tokens.unk, kId),
                               whole("tokens.bos", tokens.bos, kIdOrNone),
                               whole("tokens.eos", tokens.eos, kId),
                               whole("tokens.decoder_start", tokens.decoder_start, kId),
                               whole_list("tokens.never", tokens.never, kId),
                               text("origin.format", origin.format),
                               text("origin.name", origin.name),
                               text("origin.version", origin.version),
                               text_list("origin.notes", origin.notes),
                               text("vocabulary_hashes.source", hashes.source),
                               text("vocabulary_hashes.target", hashes.target)};
  for (Field& field : fields) field.is_internal = true;
  return fields;
}

}  // namespace

std::vector<Field> fields_of(Config& config) {
  std::vector<Field> fields;
  for (auto section : {data_fields(config.data), vocabulary_fields(config.vocabulary),
                       model_fields(config.model), training_fields(config.training),
                       decoding_fields(config.decoding), recorded_fields(config)})
    fields.insert(fields.end(), section.begin(), section.end());
  return fields;
}

}  // namespace xformer
