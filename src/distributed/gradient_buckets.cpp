#include "distributed/gradient_buckets.h"

#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/variable.h>

namespace xformer {
namespace {

/// Large enough that a sum is not all latency, small enough that sums begin early.
constexpr int64_t kBucketBytes = int64_t{4} << 20;

}  // namespace

/// Called by autograd when a parameter's gradient of one backward pass is whole.
class GradientBuckets::Hook : public torch::autograd::PostAccumulateGradHook {
 public:
  Hook(GradientBuckets& buckets, size_t bucket) : buckets_(buckets), bucket_(bucket) {}
  void operator()(const torch::autograd::Variable&) override { buckets_.note_gradient(bucket_); }

 private:
  GradientBuckets& buckets_;
  size_t bucket_;
};

GradientBuckets::GradientBuckets(const std::vector<torch::Tensor>& parameters,
                                 const ProcessGroup& group)
    : parameters_(parameters), group_(group) {
  if (group_.size() > 1) fill_buckets();
}

GradientBuckets::~GradientBuckets() {
  for (const Bucket& bucket : buckets_) {
    for (const auto& parameter : bucket.parameters) {
      torch::autograd::impl::set_post_acc_grad_hooks(parameter, nullptr);
    }
  }
}

void GradientBuckets::fill_buckets() {
  int64_t bytes = kBucketBytes;
  for (auto parameter = parameters_.rbegin(); parameter != parameters_.rend(); ++parameter) {
    if (bytes >= kBucketBytes) {
      buckets_.emplace_back();
      bytes = 0;
    }
    buckets_.back().parameters.push_back(*parameter);
    bytes += static_cast<int64_t>(parameter->nbytes());
  }
  for (size_t b = 0; b < buckets_.size(); ++b) {
    Bucket& bucket = buckets_[b];
    int64_t size = 0;
    for (const auto& parameter : bucket.parameters) size += parameter.numel();
    bucket.gradients = torch::zeros({size}, bucket.parameters[0].options().requires_grad(false));
    int64_t at = 0;
    for (auto& parameter : bucket.parameters) {
      parameter.mutable_grad() =
          bucket.gradients.narrow(0, at, parameter.numel()).view_as(parameter);
      at += parameter.numel();
      torch::autograd::impl::set_post_acc_grad_hooks(parameter, std::make_unique<Hook>(*this, b));
    }
  }
}

void GradientBuckets::zero() {
  is_last_ = false;
  next_ = 0;
  for (Bucket& bucket : buckets_) {
    bucket.gradients.zero_();
    bucket.wait = nullptr;
  }
  if (group_.size() > 1) return;
  for (auto& parameter : parameters_) parameter.mutable_grad().reset();
}

void GradientBuckets::begin_last() {
  is_last_ = true;
  for (Bucket& bucket : buckets_) bucket.missing = bucket.parameters.size();
}

void GradientBuckets::finish() {
  // A process without a share, or a parameter without a gradient, leaves buckets behind.
  for (Bucket& bucket : buckets_) bucket.missing = 0;
  start_ready_buckets();
  for (Bucket& bucket : buckets_) bucket.wait();
}

void GradientBuckets::note_gradient(size_t bucket) {
  if (!is_last_) return;
  --buckets_[bucket].missing;
  start_ready_buckets();
}

/// In the same order everywhere: the sums of all processes must meet.
void GradientBuckets::start_ready_buckets() {
  for (; next_ < buckets_.size() && buckets_[next_].missing == 0; ++next_) {
    buckets_[next_].wait = group_.start_sum(buckets_[next_].gradients);
  }
}

}  // namespace xformer
