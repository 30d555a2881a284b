// How well a model predicts text that it was not trained on.
#pragma once

#include <optional>

#include "config/config.h"
#include "distributed/process_group.h"
#include "libtorch.h"
#include "model/encoder_decoder.h"
#include "text/length_batches.h"
#include "text/parallel_corpus.h"

namespace xformer {

/// Negative log-likelihood without smoothing, in nats a target piece, eos included: perplexity is
/// its exponential. It does not depend on how the batches are cut. The processes share the batches,
/// and all get the result; nothing when a stop signal came to any of them meanwhile.
std::optional<double> validation_loss(const EncoderDecoder& model, const ParallelCorpus& corpus,
                                      const Config& config, torch::Device device,
                                      const ProcessGroup& group);

}  // namespace xformer
