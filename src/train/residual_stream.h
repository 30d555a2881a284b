// What runs through the layers of a stack (paper 3.1), on a CPU: rows to which every sublayer adds.
#pragma once

#include "libtorch.h"
#include "model/sublayer.h"

namespace xformer {

/// The same as model/sublayer.h, but the output of a sublayer with its norm first is added only
/// when the next norm reads the sum: by one kernel, whose rows leave in the sublayers' number
/// format.
class ResidualStream {
 public:
  /// x (T, d_model)
  explicit ResidualStream(torch::Tensor x) : x_(std::move(x)) {}

  /// The stream becomes connection->forward(stream, sublayer).
  template <class Sublayer>
  void connect(SublayerConnection& connection, Sublayer&& sublayer) {
    if (connection->placement == NormPlacement::kPost) {
      x_ = connection->forward(x_, sublayer);
    } else {
      add_later(sublayer(normed(connection->norm)), connection->dropout);
    }
  }
  /// norm(stream), or the stream itself without a norm. Nothing may follow.
  torch::Tensor finish(torch::nn::LayerNorm& norm);

 private:
  torch::Tensor normed(torch::nn::LayerNorm& norm);
  void add_later(torch::Tensor output, Dropout& dropout);

  torch::Tensor x_, output_;  ///< the stream is x_ + dropout(output_), if that is defined
  Dropout dropout_{nullptr};
};

}  // namespace xformer
