#include "train/packed_attention.h"

#include <ATen/Parallel.h>

#include "kernels/dropout_stream.h"
#include "model/tensor_numbers.h"

namespace xformer {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Variable;
using torch::autograd::variable_list;

/// What backward needs besides tensors.
struct PackedCall : torch::CustomClassHolder {
  std::shared_ptr<const PackedAttentionMap> map;
  AttentionShape shape;
};

/// Calls run(span, head, scratch) for every head of every sentence.
template <class Run>
void for_each_head(const PackedCall& call, Run run) {
  const int64_t heads = call.shape.heads;
  const auto count = static_cast<int64_t>(call.map->spans.size()) * heads;
  at::parallel_for(0, count, /*grain_size=*/8, [&](int64_t begin, int64_t end) {
    AttentionScratch scratch;
    for (int64_t i = begin; i < end; ++i) run(call.map->spans[i / heads], i % heads, scratch);
  });
}

template <class Number>
AttentionInputs<Number> inputs(const torch::Tensor& query, const torch::Tensor& key,
                               const torch::Tensor& value) {
  return {numbers<Number>(query), numbers<Number>(key), numbers<Number>(value)};
}

struct PackedAttentionFunction : torch::autograd::Function<PackedAttentionFunction> {
  static Variable forward(AutogradContext* context, const Variable& query, const Variable& key,
                          const Variable& value, const c10::intrusive_ptr<PackedCall>& call) {
    const auto q = query.contiguous(), k = key.contiguous(), v = value.contiguous();
    auto weights = torch::empty({call->map->weights_size}, torch::kFloat32);
    auto out = torch::empty_like(q);
    with_number_of(q, [&]<class Number>(Number) {
      const auto in = inputs<Number>(q, k, v);
      auto* weights_data = mutable_numbers<float>(weights);
      auto* out_data = mutable_numbers<Number>(out);
      for_each_head(*call, [&](const AttentionSpan& span, int64_t head, AttentionScratch& scratch) {
        attention(call->shape, span, head, in, weights_data, out_data, scratch);
      });
    });
    context->save_for_backward({q, k, v, weights});
    context->saved_data["call"] = c10::IValue::make_capsule(call);
    return out;
  }
  static variable_list backward(AutogradContext* context, variable_list out_gradients) {
    const auto call =
        c10::static_intrusive_pointer_cast<PackedCall>(context->saved_data["call"].toCapsule());
    const auto saved = context->get_saved_variables();
    const auto gradient = out_gradients[0].contiguous();
    auto query = torch::empty_like(saved[0]), key = torch::empty_like(saved[1]),
         value = torch::empty_like(saved[2]);
    with_number_of(gradient, [&]<class Number>(Number) {
      const auto in = inputs<Number>(saved[0], saved[1], saved[2]);
      const auto* weights = numbers<float>(saved[3]);
      const auto* gradient_data = numbers<Number>(gradient);
      const AttentionGradients<Number> out{mutable_numbers<Number>(query),
                                           mutable_numbers<Number>(key),
                                           mutable_numbers<Number>(value)};
      for_each_head(*call, [&](const AttentionSpan& span, int64_t head, AttentionScratch& scratch) {
        attention_backward(call->shape, span, head, in, weights, gradient_data, out, scratch);
      });
    });
    return {query, key, value, {}};
  }
};

}  // namespace

torch::Tensor packed_attention(MultiHeadedAttention& attention, const torch::Tensor& x,
                               const torch::Tensor& memory,
                               const std::shared_ptr<const PackedAttentionMap>& map) {
  auto call = c10::make_intrusive<PackedCall>();
  call->map = map;
  call->shape = {
      .heads = attention->h, .d_k = attention->d_k, .causal = map->causal, .dropout = {}};
  if (attention->is_training() && attention->dropout > 0) {
    call->shape.dropout = next_dropout_draw(attention->dropout, map->weights_first);
  }
  auto context = PackedAttentionFunction::apply(for_kernel(attention->w_q(x)),
                                                for_kernel(attention->w_k(memory)),
                                                for_kernel(attention->w_v(memory)), call);
  return attention->w_o(context);
}

}  // namespace xformer
