// The backward pass of a CPU: every thread works on its own sentences, packed without padding.
#pragma once

#include "data/packed_batch.h"
#include "runtime/thread_team.h"
#include "train/backward_pass.h"
#include "train/precision.h"

namespace xformer {

/// As many replicas of the model as LibTorch has threads. They share its weights and have gradients
/// of their own, which are summed in a fixed order: no operation is split over threads, so none
/// waits for another, and a result depends on the number of threads alone.
class PackedBackwardPass : public BackwardPass {
 public:
  explicit PackedBackwardPass(const BackwardParts& parts);

  double run(const UpdateWork& work) override;

 private:
  /// `shares` holds what each thread takes of each micro-batch.
  double run_share(const UpdateWork& work, const std::vector<std::vector<BatchShare>>& shares,
                   int64_t member);
  void add_gradients(int64_t member);

  BackwardParts parts_;
  Precision precision_;
  std::vector<EncoderDecoder> replicas_;  ///< the first is the model itself
  ThreadTeam team_;
};

}  // namespace xformer
