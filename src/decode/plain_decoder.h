// Decoding with the plain model: the truth that faster engines are measured by.
#pragma once

#include "decode/step_decoder.h"
#include "libtorch.h"
#include "model/encoder_decoder.h"

namespace xformer {

/// Which pieces a search may never choose; they get no share of the probability either.
enum class UnknownWords { kForbidden, kAllowed };

/// Logits -> log-probabilities over the pieces that may be chosen: never pad or bos. (..., V) ->
/// (..., V)
torch::Tensor choosable_log_probs(const torch::Tensor& logits, UnknownWords unknown_words);

class PlainDecoder : public StepDecoder {
 public:
  /// `model` is on `device` and in evaluation mode whenever this is used.
  PlainDecoder(EncoderDecoder model, torch::Device device, UnknownWords unknown_words);

  void start(const std::vector<std::vector<int32_t>>& sources) override;
  Candidates step(const std::vector<int32_t>& tokens, int64_t k) override;
  void select(const std::vector<int64_t>& rows) override;

 private:
  EncoderDecoder model_;
  torch::Device device_;
  UnknownWords unknown_words_;
  DecoderCache cache_;
};

}  // namespace xformer
