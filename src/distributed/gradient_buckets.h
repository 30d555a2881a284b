// Sums the gradients of all processes while the backward pass still computes the next ones.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "distributed/process_group.h"
#include "libtorch.h"

namespace xformer {

/// Gathers gradients in buckets, last parameter first, as the backward pass makes them, and begins
/// to sum a bucket as soon as its last gradient is there. (PyTorch's DistributedDataParallel works
/// alike; here sums are not divided, since the loss is one of the whole update.) A group of one
/// process leaves gradients to torch.
///
/// An update: zero(), backward passes, finish(). begin_last() comes before the last of these
/// passes; a process that has none still calls finish().
class GradientBuckets {
 public:
  /// The parameters of every process, in the same order. They and the group outlive the buckets.
  GradientBuckets(const std::vector<torch::Tensor>& parameters, const ProcessGroup& group);
  ~GradientBuckets();
  GradientBuckets(const GradientBuckets&) = delete;
  GradientBuckets& operator=(const GradientBuckets&) = delete;

  void zero();
  /// The next backward pass gives this process' last share of the update.
  void begin_last();
  /// Waits until every gradient is the sum over all processes.
  void finish();

 private:
  struct Bucket {
    std::vector<torch::Tensor> parameters;
    torch::Tensor gradients;  ///< one behind the other; each parameter's gradient is a view of it
    size_t missing = 0;       ///< gradients that the last pass has not made yet
    std::function<void()> wait;
  };
  class Hook;

  void fill_buckets();
  void note_gradient(size_t bucket);
  void start_ready_buckets();

  std::vector<torch::Tensor> parameters_;
  const ProcessGroup& group_;
  std::vector<Bucket> buckets_;
  size_t next_ = 0;  ///< the first bucket whose sum has not begun
  bool is_last_ = false;
};

}  // namespace xformer
