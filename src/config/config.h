// Everything a run can be told, typed, each default written here and nowhere else.
#pragma once

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "config/special_tokens.h"

namespace xformer {

enum class Task { kText, kCopy };
enum class VocabularyType { kBpe, kUnigram };
/// swish is x sigmoid(x); gelu is x P(normal < x), exactly or by its two approximations.
enum class Activation { kRelu, kSwish, kGelu, kGeluTanh, kGeluSigmoid };
enum class NormPlacement { kPre, kPost };
/// Of a position's sines and cosines: in turns (the paper), or all sines in front (Hugging Face),
/// also with Marian's own frequencies.
enum class Positions { kInterleaved, kHalves, kHalvesMarian };
/// Which of source embeddings, target embeddings and output matrix are one matrix.
enum class TieEmbeddings { kAll, kDecoder, kSourceTarget, kNone };
enum class Precision { kAuto, kFloat32, kBfloat16, kFloat16 };
enum class Kernels { kAuto, kPlain };

/// Whose rules a search follows.
enum class SearchRules {
  /// A hypothesis that ends leaves the beam, which narrows by one; a sentence is done when its beam
  /// is empty, or when no live hypothesis can still win. score = log_prob / ((5 + n) / 6)^alpha
  kXformer,
  /// CTranslate2's: the beam stays as wide as it was, a sentence is done when as many hypotheses
  /// have ended, with alpha 0 when the best one has. score = log_prob / n^alpha. An empty
  /// translation is never chosen.
  kCtranslate2,
  /// Those of generate() in Hugging Face's transformers: the beam stays as wide as it was, a
  /// sentence is done when as many hypotheses have ended and the best live one scores no better
  /// than the worst of them. score = log_prob / n^alpha. What may never be chosen keeps its share
  /// of the probability.
  kHuggingFace
};

/// Two files, line i of one being the translation of line i of the other.
struct FilePair {
  std::string source, target;
};

/// One or several pairs of files, of which one epoch sees `weight` times as many lines as they
/// have.
struct TrainingTexts {
  std::vector<std::string> source, target;
  std::vector<double> weight;  ///< one for each pair of files, or none: 1 each
};

/// The Annotated Transformer's first example: lines of random symbols to be copied.
struct CopyTaskConfig {
  int64_t symbols = 10;  ///< how many different ones
  int64_t length = 10;   ///< symbols in the longest line
  int64_t pairs = 1600;  ///< lines of training text
};

struct DataConfig {
  Task task = Task::kText;
  TrainingTexts train;
  FilePair valid;
  int64_t max_length = 256;  ///< pieces a side
  std::string cache;         ///< folder for encoded text; empty: the user's cache folder
  CopyTaskConfig copy;
};

struct VocabularyConfig {
  bool shared = true;
  int64_t size = 8000;
  VocabularyType type = VocabularyType::kBpe;
  std::string normalization = "nmt_nfkc";  ///< a rule of SentencePiece's
  bool byte_fallback = false;              ///< spell unseen characters in bytes
  std::string model, source_model, target_model;

  /// Of an imported model: files in its folder that give SentencePiece's pieces other ids (see
  /// PieceMap), empty where there are none.
  std::string source_map, target_map;
  std::vector<std::string> language_tokens;  ///< pieces like >>fra<< that name the target language

  /// Whether one id means the same piece on both sides.
  bool shares_ids() const { return shared || (!source_map.empty() && source_map == target_map); }
};

struct ModelConfig {
  int64_t N = 6;
  int64_t d_model = 512;
  int64_t d_ff = 2048;
  int64_t h = 8;
  std::optional<int64_t> N_decoder{}, d_ff_decoder{}, h_decoder{};  ///< absent: as N, d_ff and h
  Activation activation = Activation::kRelu;
  double dropout = 0.1;
  std::optional<double> attention_dropout{};  ///< on attention weights; absent: as dropout
  NormPlacement norm = NormPlacement::kPre;
  std::optional<bool> final_norm{};  ///< at the end of each stack; absent: with norm "pre"
  double norm_epsilon = 1e-5;        ///< added to the variance in layer norm
  Positions positions = Positions::kInterleaved;
  int64_t max_positions = 0;                ///< pieces of a sentence, eos counted; 0: no limit
  std::optional<double> embedding_scale{};  ///< factor on embeddings; absent: sqrt(d_model)
  TieEmbeddings tie_embeddings = TieEmbeddings::kAll;
  bool generator_bias = true;

  double attention_dropout_rate() const { return attention_dropout.value_or(dropout); }
  double embedding_factor() const {
    return embedding_scale.value_or(std::sqrt(static_cast<double>(d_model)));
  }
  bool has_final_norm() const { return final_norm.value_or(norm == NormPlacement::kPre); }
  bool ties_source() const {
    return tie_embeddings == TieEmbeddings::kAll || tie_embeddings == TieEmbeddings::kSourceTarget;
  }
  bool ties_output() const {
    return tie_embeddings == TieEmbeddings::kAll || tie_embeddings == TieEmbeddings::kDecoder;
  }
  /// The same with the decoder's sizes in the place of the encoder's.
  ModelConfig of_decoder() const {
    ModelConfig decoder = *this;
    decoder.N = N_decoder.value_or(N);
    decoder.d_ff = d_ff_decoder.value_or(d_ff);
    decoder.h = h_decoder.value_or(h);
    return decoder;
  }
};

struct TrainingConfig {
  int64_t batch_tokens = 4096;  ///< padded pieces of one micro-batch's longer side
  int64_t accum_iter = 1;       ///< micro-batches of one update
  int64_t num_epochs = 10;
  int64_t max_updates = 0;  ///< 0: no limit
  double base_lr = 1.0;
  int64_t warmup = 4000;  ///< updates
  double label_smoothing = 0.1;
  double clip_norm = 0;  ///< 0: none
  Precision precision = Precision::kAuto;
  Kernels kernels = Kernels::kAuto;
  int64_t seed = 1;
  int64_t validate_every = 0;  ///< updates; 0: each epoch's end
  int64_t save_every = 0;      ///< updates; 0: each epoch's end
  int64_t keep = 5;            ///< checkpoints kept
  int64_t average = 0;         ///< last checkpoints that make the final model; 0: the best one
  int64_t patience = 0;        ///< validations without a better BLEU before the end; 0: never
  int64_t log_every = 50;      ///< updates
};

struct DecodingConfig {
  SearchRules search = SearchRules::kXformer;
  int64_t beam_size = 4;
  double length_penalty = 0.6;
  double max_length_factor = 2.0;  ///< pieces of output for each piece of input
  int64_t max_length_extra = 10;
  int64_t max_length = 0;  ///< pieces of output, eos counted, for any input; 0: as above
  bool force_eos = false;  ///< the last piece that the limit allows is eos, at no cost
};

/// Which vocabularies the weights were trained with (Tokenizer::hash); empty while that is not
/// known. Only a model folder's config.json holds them: a user's configuration that sets one is
/// refused.
struct VocabularyHashes {
  std::string source, target;
  bool operator==(const VocabularyHashes&) const = default;
};

/// Where a model comes from that xformer did not train; all empty for one that it did.
struct ModelOrigin {
  std::string format;              ///< such as "huggingface marian"
  std::string name, version;       ///< as the files themselves say
  std::vector<std::string> notes;  ///< what was noticed and decided on the way
};

struct Config {
  DataConfig data;
  VocabularyConfig vocabulary;
  ModelConfig model;
  TrainingConfig training;
  DecodingConfig decoding;
  SpecialTokens tokens;
  ModelOrigin origin;
  VocabularyHashes vocabulary_hashes;
};

/// Raised when the layout of a model folder changes.
inline constexpr int kFormatVersion = 1;

/// One `--set key.path=value` of the command line.
using Override = std::pair<std::string, std::string>;

/// Splits "training.warmup=400". Throws UserError when there is no '='.
Override parse_override(const std::string& argument);

/// Reads a configuration file (JSON, comments allowed), then the overrides, of which the last one
/// for a key counts. All faults are reported in one UserError, a line each: unknown keys with the
/// nearest known one, duplicate keys, wrong types, values out of range, values that do not go
/// together. Relative paths become absolute: those of the file from its folder, those of overrides
/// from the working directory. Whether the files exist is left to their readers.
Config load_config(const std::filesystem::path& file, const std::vector<Override>& overrides);

/// The resolved configuration as JSON text, every key written, with the format version.
std::string to_json(const Config& config);

/// Reads what to_json wrote (a model folder's config.json); `name` is what errors call it. Paths
/// stay as they are written, and a model needs no training text. Throws UserError, also for another
/// format version.
Config parse_config(const std::string& json, const std::string& name);

/// Differences as "key: old -> new", in the order of the keys; the vocabulary hashes are left out.
std::vector<std::string> differences(const Config& before, const Config& after);
/// Whether weights mean something else with such a difference: the keys of "model." but dropout's.
bool concerns_weights(const std::string& difference);

}  // namespace xformer
