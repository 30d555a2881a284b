// Decoding with the plain model: the truth that faster engines are measured by.
#pragma once

#include "decode/step_decoder.h"
#include "libtorch.h"
#include "model/encoder_decoder.h"

namespace xformer {

/// Logits -> log-probabilities over the pieces that may be chosen: never pad or bos. (..., V) ->
/// (..., V)
torch::Tensor choosable_log_probs(const torch::Tensor& logits, UnknownWords unknown_words);

class PlainDecoder : public StepDecoder {
 public:
  /// `model` is on `device` and in evaluation mode whenever this is used.
  PlainDecoder(EncoderDecoder model, torch::Device device, UnknownWords unknown_words);

  void start(const std::vector<std::vector<int32_t>>& sources) override;
  void advance(const std::vector<int32_t>& tokens) override;
  Candidates best(const Wanted& wanted) override;
  std::vector<float> log_probs() override;
  std::vector<int32_t> attended() override;
  void select(const std::vector<int64_t>& rows) override;

 private:
  torch::Tensor all_log_probs();

  EncoderDecoder model_;
  torch::Device device_;
  UnknownWords unknown_words_;
  torch::Tensor hidden_;  ///< of the newest step, (rows, d_model)
  DecoderCache cache_;
};

}  // namespace xformer
