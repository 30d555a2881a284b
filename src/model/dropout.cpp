#include "model/dropout.h"

#include <ATen/Parallel.h>

#include "kernels/dropout_stream.h"
#include "model/tensor_numbers.h"

namespace xformer {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Variable;
using torch::autograd::variable_list;

/// Calls run(begin, end) on parts that begin at a multiple of kDropoutBlock.
template <class Run>
void in_parallel(int64_t elements, Run run) {
  constexpr int64_t kGrain = 64;  // blocks, enough to be worth a thread
  const int64_t blocks = (elements + kDropoutBlock - 1) / kDropoutBlock;
  at::parallel_for(0, blocks, kGrain, [&](int64_t first, int64_t last) {
    run(first * kDropoutBlock, std::min(last * kDropoutBlock, elements));
  });
}

void save(AutogradContext* context, const DropoutDraw& draw) {
  context->saved_data["key"] = static_cast<int64_t>(draw.key);
  context->saved_data["threshold"] = static_cast<int64_t>(draw.threshold);
  context->saved_data["first"] = draw.first;
}

DropoutDraw saved_draw(AutogradContext* context) {
  return {.key = static_cast<uint64_t>(context->saved_data["key"].toInt()),
          .threshold = static_cast<uint32_t>(context->saved_data["threshold"].toInt()),
          .first = context->saved_data["first"].toInt()};
}

torch::Tensor dropped_out(const DropoutDraw& draw, const torch::Tensor& x) {
  auto out = torch::empty_like(x);
  with_number_of(x, [&]<class Number>(Number) {
    in_parallel(x.numel(), [&](int64_t begin, int64_t end) {
      dropout(draw, numbers<Number>(x), mutable_numbers<Number>(out), begin, end);
    });
  });
  return out;
}

struct DropoutFunction : torch::autograd::Function<DropoutFunction> {
  static Variable forward(AutogradContext* context, const Variable& x, double p) {
    const auto draw = next_dropout_draw_of_rows(p, x.size(-1));
    save(context, draw);
    return dropped_out(draw, x.contiguous());
  }
  static variable_list backward(AutogradContext* context, variable_list gradients) {
    return {dropped_out(saved_draw(context), gradients[0].contiguous()), {}};
  }
};

struct DropoutAddFunction : torch::autograd::Function<DropoutAddFunction> {
  static Variable forward(AutogradContext* context, const Variable& x, const Variable& residual,
                          double p) {
    const auto draw = next_dropout_draw_of_rows(p, x.size(-1));
    save(context, draw);
    const auto xs = x.contiguous(), residuals = residual.contiguous();
    auto out = torch::empty_like(xs);
    in_parallel(xs.numel(), [&](int64_t begin, int64_t end) {
      dropout_add(draw, xs.const_data_ptr<float>(), residuals.const_data_ptr<float>(),
                  out.mutable_data_ptr<float>(), begin, end);
    });
    return out;
  }
  static variable_list backward(AutogradContext* context, variable_list gradients) {
    return {dropped_out(saved_draw(context), gradients[0].contiguous()), gradients[0], {}};
  }
};

struct DropoutReluFunction : torch::autograd::Function<DropoutReluFunction> {
  static Variable forward(AutogradContext* context, const Variable& x, double p) {
    const auto draw = next_dropout_draw_of_rows(p, x.size(-1));
    save(context, draw);
    const auto xs = x.contiguous();
    auto out = torch::empty_like(xs);
    with_number_of(xs, [&]<class Number>(Number) {
      in_parallel(xs.numel(), [&](int64_t begin, int64_t end) {
        dropout_relu(draw, numbers<Number>(xs), mutable_numbers<Number>(out), begin, end);
      });
    });
    context->save_for_backward({out});
    return out;
  }
  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto draw = saved_draw(context);
    const auto y = context->get_saved_variables()[0];
    const auto gradient = gradients[0].contiguous();
    auto out = torch::empty_like(y);
    with_number_of(y, [&]<class Number>(Number) {
      in_parallel(y.numel(), [&](int64_t begin, int64_t end) {
        dropout_relu_backward(draw, numbers<Number>(y), numbers<Number>(gradient),
                              mutable_numbers<Number>(out), begin, end);
      });
    });
    return {out, {}};
  }
};

bool has_kernel(const torch::Tensor& x) {
  return x.device().is_cpu() && x.scalar_type() != torch::kFloat64;
}

/// The residual stream stays in 32 bits, whatever autocast gave.
torch::Tensor single(const torch::Tensor& x) {
  return x.to(torch::kFloat32);
}

}  // namespace

DropoutImpl::DropoutImpl(double p) : p(p) {}

torch::Tensor DropoutImpl::forward(const torch::Tensor& x) {
  if (!active()) return x;
  return has_kernel(x) ? DropoutFunction::apply(for_kernel(x), p) : torch::dropout(x, p, true);
}

torch::Tensor DropoutImpl::add(const torch::Tensor& x, const torch::Tensor& residual) {
  if (!active()) return residual + x;
  const bool fused = has_kernel(x) && has_kernel(residual);
  return fused ? DropoutAddFunction::apply(single(x), single(residual), p)
               : residual + torch::dropout(x, p, true);
}

torch::Tensor DropoutImpl::relu(const torch::Tensor& x) {
  if (!active()) return torch::relu(x);
  return has_kernel(x) ? DropoutReluFunction::apply(for_kernel(x), p)
                       : torch::dropout(torch::relu(x), p, true);
}

}  // namespace xformer
