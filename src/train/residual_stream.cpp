#include "train/residual_stream.h"

#include "kernels/add_norm.h"
#include "kernels/dropout_stream.h"
#include "model/tensor_numbers.h"

namespace xformer {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Variable;
using torch::autograd::variable_list;

/// What backward needs besides tensors.
struct AddNormCall : torch::CustomClassHolder {
  DropoutDraw dropout;
  float epsilon = 0;
  std::vector<RowMoments> moments;

  AddNorm operation(const torch::Tensor& x, const torch::Tensor& gain,
                    const torch::Tensor& bias) const {
    return {.rows = x.size(0),
            .width = x.size(1),
            .dropout = dropout,
            .gain = numbers<float>(gain),
            .bias = numbers<float>(bias),
            .epsilon = epsilon};
  }
};

/// x, residual -> residual + dropout(x), norm of it
struct AddNormFunction : torch::autograd::Function<AddNormFunction> {
  static variable_list forward(AutogradContext* context, const Variable& x,
                               const Variable& residual, const Variable& gain, const Variable& bias,
                               const c10::intrusive_ptr<AddNormCall>& call) {
    const auto xs = x.contiguous(), residuals = residual.contiguous();
    auto sum = torch::empty_like(residuals), out = torch::empty_like(xs);
    call->moments.resize(xs.size(0));
    with_number_of(xs, [&]<class Number>(Number) {
      add_norm<Number>(call->operation(xs, gain, bias), {.x = numbers<Number>(xs),
                                                         .residual = numbers<float>(residuals),
                                                         .sum = mutable_numbers<float>(sum),
                                                         .moments = call->moments.data(),
                                                         .out = mutable_numbers<Number>(out)});
    });
    context->save_for_backward({sum, gain, bias});
    context->saved_data["call"] = c10::IValue::make_capsule(call);
    return {sum, out};
  }
  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto call =
        c10::static_intrusive_pointer_cast<AddNormCall>(context->saved_data["call"].toCapsule());
    const auto saved = context->get_saved_variables();
    const auto sum = saved[0], gain = saved[1], bias = saved[2];
    const auto for_sum = gradients[0].contiguous(), for_out = gradients[1].contiguous();
    auto for_residual = torch::empty_like(sum), for_x = torch::empty_like(for_out);
    auto for_gain = torch::zeros_like(gain), for_bias = torch::zeros_like(bias);
    with_number_of(for_out, [&]<class Number>(Number) {
      add_norm_backward<Number>(call->operation(sum, gain, bias),
                                {.sum = numbers<float>(sum),
                                 .moments = call->moments.data(),
                                 .out_gradient = numbers<Number>(for_out),
                                 .sum_gradient = numbers<float>(for_sum),
                                 .residual_gradient = mutable_numbers<float>(for_residual),
                                 .x_gradient = mutable_numbers<Number>(for_x),
                                 .gain_gradient = mutable_numbers<float>(for_gain),
                                 .bias_gradient = mutable_numbers<float>(for_bias)});
    });
    return {for_x, for_residual, for_gain, for_bias, {}};
  }
};

}  // namespace

torch::Tensor ResidualStream::normed(torch::nn::LayerNorm& norm) {
  if (!output_.defined()) return norm(x_);
  auto call = c10::make_intrusive<AddNormCall>();
  call->epsilon = static_cast<float>(norm->options.eps());
  if (dropout_->is_training() && dropout_->p > 0) {
    call->dropout = next_dropout_draw_of_rows(dropout_->p, x_.size(1));
  }
  const auto out = AddNormFunction::apply(for_kernel(output_), x_, norm->weight, norm->bias, call);
  x_ = out[0];
  output_.reset();
  return out[1];
}

void ResidualStream::add_later(torch::Tensor output, Dropout& dropout) {
  output_ = std::move(output);
  dropout_ = dropout;
}

torch::Tensor ResidualStream::finish(torch::nn::LayerNorm& norm) {
  if (!norm.is_empty()) return normed(norm);
  return output_.defined() ? dropout_->add(output_, x_) : x_;
}

}  // namespace xformer
