// The best piece of each row without most of its float32 logits: int8 logits, which cost half as
// much, and a bound of their error tell where the best can be. There, and only there, float32
// decides, so that the answer is the one of all float32 logits.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/aligned_array.h"
#include "engine/packed_linear.h"

namespace xformer {

/// A generator rounded to int8. Read by all workers at once.
struct GeneratorScreen {
  PackedLinear rounded;
  /// Of each panel of outputs the longest row w, and the longest w - rounded w.
  std::vector<float> norms, errors;

  GeneratorScreen() = default;
  GeneratorScreen(const LinearPart& generator, int64_t inputs, InstructionSet instructions);
};

/// The best output of one row so far; of equal ones the first.
struct BestOutput {
  int32_t id = -1;
  float logit = 0;
};

/// Finds the best outputs of rows; owns the memory that it takes. For one thread.
class ScreenedSearch {
 public:
  explicit ScreenedSearch(InstructionSet instructions)
      : preparer_({.instructions = instructions, .weights = WeightType::kInt8}) {}

  /// The best output of each row of x; id -1 where every logit is -infinity. `generator` is the
  /// float32 layer that the screen was made of, but for its biases, which may be lower.
  std::vector<BestOutput> best(const GeneratorScreen& screen, const PackedLinear& generator,
                               const InputRows& x);

 private:
  void scan(const GeneratorScreen& screen, const PackedLinear& generator, const InputRows& x,
            int64_t first, std::vector<BestOutput>& found);
  void take_panel(const PackedLinear& generator, const InputRows& row, int64_t first,
                  BestOutput& best);

  InputPreparer preparer_;
  AlignedArray<float> logits_, largest_, panel_;
  InputRows rounded_;
  std::vector<float> lengths_, errors_;  ///< of each row: |rounded x|, |x - rounded x|
};

}  // namespace xformer
