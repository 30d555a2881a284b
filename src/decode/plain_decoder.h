// Decoding with the plain model: the truth that faster engines are measured by.
#pragma once

#include "decode/step_decoder.h"
#include "libtorch.h"
#include "model/encoder_decoder.h"

namespace xformer {

/// Logits -> log-probabilities over the pieces that may be chosen: none of `never`. (..., V) ->
/// (..., V)
torch::Tensor choosable_log_probs(const torch::Tensor& logits, const std::vector<int32_t>& never);

class PlainDecoder : public StepDecoder {
 public:
  /// `model` is on `device` and in evaluation mode whenever this is used. What tokens.never holds
  /// has no probability.
  PlainDecoder(EncoderDecoder model, torch::Device device, SpecialTokens tokens);

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
  SpecialTokens tokens_;
  torch::Tensor hidden_;  ///< of the newest step, (rows, d_model)
  DecoderCache cache_;
};

}  // namespace xformer
