// How translate, score and eval decode: their common options, and what they come to with a model's
// configuration.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace xformer {

struct Config;
struct SpecialTokens;
struct TranslatorOptions;
struct Vocabulary;

/// Lines read ahead at most, so that those of similar length can share a batch.
inline constexpr size_t kReadAhead = 4096;

/// What is absent is taken from the model's configuration.
struct DecodingOptions {
  std::optional<int64_t> beam_size{};
  std::optional<double> length_penalty{};
  int64_t n_best = 1;
  int64_t min_length = 0;       ///< pieces of a translation
  int64_t max_length = 0;       ///< pieces of a translation; 0: relative to the source
  int64_t no_repeat_ngram = 0;  ///< 0: n-grams may come again
  int64_t batch_tokens = 512;   ///< padded source pieces of one batch: fast, and little memory
  bool allow_unknown = false;
  std::string precision = "float32";  ///< or bfloat16, float16, int8
  std::string search{};               ///< xformer, ctranslate2 or huggingface; empty: the model's
  std::string target_language{};      ///< of a model that has several; empty: what each line says

  bool sample = false;
  int64_t top_k = 0;
  double top_p = 1;
  double temperature = 1;
  uint64_t seed = 1;

  std::string shortlist{};  ///< file; empty: all pieces may be chosen
  bool alignment = false;
  bool scores = true;  ///< greedy search is a little faster without
};

/// Throws UserError when options do not go together.
TranslatorOptions translator_options(const DecodingOptions& options, const Config& config);

/// The same, with the chosen target language put in front of source lines. Throws UserError when
/// the model does not know it.
Vocabulary with_language(Vocabulary vocabulary, const DecodingOptions& options);

/// The model's tokens as a decoder takes them: `never` is what has no probability at all. With
/// Hugging Face's rules that is left to the search.
SpecialTokens decoder_tokens(const DecodingOptions& options, const Config& config);

/// The model folder that was named, or $XFORMER_MODEL, or ./model.
std::string model_folder_or_default(const std::string& named);

}  // namespace xformer
