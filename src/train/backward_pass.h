// Forward and backward pass of an update: from sentence pairs to the gradient.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "config/config.h"
#include "libtorch.h"
#include "model/encoder_decoder.h"
#include "text/length_batches.h"
#include "text/parallel_corpus.h"

namespace xformer {

/// One process' share of the work of one update.
struct UpdateWork {
  int64_t update = 0;  ///< counted from 1
  std::vector<IndexBatch> micro_batches;
  int64_t first_part = 0, part_step = 1;  ///< their numbers in the update; dropout depends on them
  int64_t target_tokens = 0;              ///< of the whole update: the loss is divided by it
  double loss_scale = 1;                  ///< factor of the gradients: see LossScale
  /// Called before the backward pass that makes the parameters' gradients whole, where there is one
  /// such pass: not when several threads' gradients are summed after it.
  std::function<void()> before_last_pass = [] {};

  int64_t part(int64_t micro_batch) const { return first_part + micro_batch * part_step; }
  bool is_last(int64_t micro_batch) const { return micro_batch + 1 == std::ssize(micro_batches); }
};

/// What a backward pass needs for all updates.
struct BackwardParts {
  const Config& config;
  EncoderDecoder model{nullptr};
  const ParallelCorpus& corpus;
  torch::Device device;
};

class BackwardPass {
 public:
  virtual ~BackwardPass() = default;

  /// Adds loss_scale times the gradient of the label-smoothed loss a target piece to that of the
  /// model's parameters, and returns the loss. The model is in training mode.
  virtual double run(const UpdateWork& work) = 0;
};

/// The pass that suits the device and training.kernels: packed rows on every thread of a CPU, else
/// the plain model on padded batches.
std::unique_ptr<BackwardPass> make_backward_pass(const BackwardParts& parts);

}  // namespace xformer
