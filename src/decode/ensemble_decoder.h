// Several models as one: the mean of their probabilities.
#pragma once

#include <memory>
#include <vector>

#include "decode/step_decoder.h"

namespace xformer {

/// All members have the same vocabularies. What a row attends to is told by the first one.
class EnsembleDecoder : public StepDecoder {
 public:
  explicit EnsembleDecoder(std::vector<std::unique_ptr<StepDecoder>> members);

  void start(const std::vector<std::vector<int32_t>>& sources) override;
  void advance(const std::vector<int32_t>& tokens) override;
  Candidates best(const Wanted& wanted) override;
  std::vector<float> log_probs() override;
  std::vector<int32_t> attended() override { return members_.front()->attended(); }
  void select(const std::vector<int64_t>& rows) override;

 private:
  std::vector<std::unique_ptr<StepDecoder>> members_;
  size_t rows_ = 0;
};

}  // namespace xformer
