#include "train/generator_loss.h"

#include <ATen/Parallel.h>
#include <ATen/autocast_mode.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "kernels/smoothed_loss.h"
#include "model/tensor_numbers.h"
#include "train/label_smoothing.h"

namespace xformer {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Variable;
using torch::autograd::variable_list;

/// Rows of logits in memory at a time: small enough for the cache, large enough for the products.
int64_t chunk_rows(torch::ScalarType type) {
  constexpr int64_t kColumnBytes = 1024;
  return kColumnBytes / static_cast<int64_t>(torch::elementSize(type));
}

/// What the products are computed in: what autocast says, else the type of the numbers themselves.
torch::ScalarType product_type(const torch::Tensor& x) {
  const auto device = x.device().type();
  return at::autocast::is_autocast_enabled(device) ? at::autocast::get_autocast_dtype(device)
                                                   : x.scalar_type();
}

/// What the gradient of logits is multiplied by for its products, since the loss scale comes only
/// after them: with float16 a smoothed target's share, 3e-6 for 32,000 words, would be coarse. A
/// chunk's sums stay in range for any hidden number below 32.
double scale_for(torch::ScalarType type) {
  return type == torch::kHalf ? 8 : 1;
}

/// Adds `bias` to logits (rows, V) and turns them into d loss / d logits: softmax minus the
/// smoothed distribution, 0 for padding. Adds that to bias_gradient, and returns the loss.
torch::Tensor turn_into_gradient(torch::Tensor& logits, const torch::Tensor& bias,
                                 const torch::Tensor& target, const SmoothedTarget& spread,
                                 torch::Tensor& bias_gradient) {
  const double share = spread.share();
  auto log_probs = logits.add_(bias).log_softmax(-1);
  const auto loss = label_smoothed_loss(log_probs, target, spread.smoothing, spread.pad);
  logits = log_probs.exp_().sub_(share);
  logits.select(-1, spread.pad).add_(share);
  const auto on_target = target.unsqueeze(-1);
  logits.scatter_add_(-1, on_target,
                      torch::full_like(on_target, share - spread.confidence(), logits.options()));
  logits.masked_fill_(on_target == spread.pad, 0);
  bias_gradient += logits.sum(0);
  return loss;
}

/// The same by the CPU's kernel, for logits of a Number. Rows are shared out in parts of a fixed
/// size, whose sums are added in order, so that the result does not depend on the number of
/// threads.
template <class Number>
torch::Tensor turn_into_gradient_on_cpu(torch::Tensor& logits, const torch::Tensor& bias,
                                        const torch::Tensor& target, const SmoothedTarget& spread,
                                        torch::Tensor& bias_gradient) {
  constexpr int64_t kPartRows = 32;
  const int64_t rows = logits.size(0), parts = (rows + kPartRows - 1) / kPartRows;
  auto part_gradients = torch::zeros({parts, spread.words}, bias.options().requires_grad(false));
  std::vector<double> losses(parts);
  const auto* ids = target.const_data_ptr<int64_t>();
  const auto* biases = bias.const_data_ptr<float>();
  auto* elements = mutable_numbers<Number>(logits);
  auto* sums = part_gradients.mutable_data_ptr<float>();
  at::parallel_for(0, parts, /*grain_size=*/1, [&](int64_t begin, int64_t end) {
    std::vector<float> scratch(spread.words);
    for (int64_t i = begin * kPartRows; i < std::min(end * kPartRows, rows); ++i) {
      Number* row = elements + i * spread.words;
      const int64_t part = i / kPartRows;
      if (ids[i] == spread.pad) {
        std::fill_n(row, spread.words, Number{});
      } else {
        losses[part] +=
            smoothed_loss(spread, ids[i], biases, row, scratch.data(), sums + part * spread.words);
      }
    }
  });
  bias_gradient += part_gradients.sum(0);
  return torch::tensor(std::accumulate(losses.begin(), losses.end(), 0.0), torch::kFloat32);
}

/// sum += product, in the precision of the sum.
void add_product(const torch::Tensor& product, double factor, torch::Tensor& sum) {
  const bool has_kernel = product.device().is_cpu() && product.scalar_type() == torch::kBFloat16 &&
                          sum.scalar_type() == torch::kFloat32;
  if (has_kernel && factor == 1) {
    add(numbers<BFloat16>(product), mutable_numbers<float>(sum), sum.numel());
  } else {
    sum.add_(product, factor);
  }
}

struct GeneratorLossFunction : torch::autograd::Function<GeneratorLossFunction> {
  static Variable forward(AutogradContext* context, const Variable& hidden, const Variable& weight,
                          const Variable& bias, const torch::Tensor& target, double smoothing,
                          int64_t pad) {
    const bool on_cpu = hidden.device().is_cpu() && weight.scalar_type() == torch::kFloat32;
    const auto type = product_type(hidden);
    const double scale = scale_for(type);
    const SmoothedTarget spread{.words = weight.size(0), .smoothing = smoothing, .pad = pad};
    const auto rows = hidden.to(type), matrix = weight.to(type);
    auto hidden_gradient = torch::empty_like(hidden);
    auto weight_gradient = torch::zeros_like(weight), bias_gradient = torch::zeros_like(bias);
    auto loss = torch::zeros({}, bias.options());
    for (int64_t start = 0; start < hidden.size(0); start += chunk_rows(type)) {
      const int64_t count = std::min(chunk_rows(type), hidden.size(0) - start);
      const auto x = rows.narrow(0, start, count), y = target.narrow(0, start, count);
      auto logits = torch::mm(x, matrix.t());  // (count, V)
      if (on_cpu) {
        logits = for_kernel(logits);
        loss += with_number_of(logits, [&]<class Number>(Number) {
          return turn_into_gradient_on_cpu<Number>(logits, bias, y, spread, bias_gradient);
        });
      } else {
        logits = logits.to(weight.scalar_type());
        loss += turn_into_gradient(logits, bias, y, spread, bias_gradient);
      }
      const auto gradient = scale == 1 ? logits.to(type) : logits.mul_(scale).to(type);
      hidden_gradient.narrow(0, start, count).copy_(torch::mm(gradient, matrix)).div_(scale);
      if (type == weight.scalar_type()) {
        weight_gradient.addmm_(gradient.t(), x);
      } else {
        add_product(torch::mm(gradient.t(), x), 1 / scale, weight_gradient);
      }
    }
    context->save_for_backward({hidden_gradient, weight_gradient, bias_gradient});
    return loss;
  }
  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto saved = context->get_saved_variables();
    const auto& factor = gradients[0];
    // The products were made for this one use, so they may be scaled in place.
    return {saved[0].mul_(factor), saved[1].mul_(factor), saved[2].mul_(factor), {}, {}, {}};
  }
};

}  // namespace

torch::Tensor generator_loss(const Generator& generator, const torch::Tensor& hidden,
                             const torch::Tensor& target, double smoothing, int64_t pad) {
  return GeneratorLossFunction::apply(hidden, generator->weight, generator->bias, target, smoothing,
                                      pad);
}

}  // namespace xformer
