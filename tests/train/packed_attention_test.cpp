#include "train/packed_attention.h"

#include <torch/csrc/autograd/autograd.h>

#include <ATen/Parallel.h>

#include "catch.h"
#include "kernels/dropout_stream.h"
#include "kernels/lanes.h"
#include "model/masks.h"
#include "train/precision.h"

namespace xformer {
namespace {

/// Rows of the queries and of the keys, a pair a sentence.
using Lengths = std::vector<std::pair<int64_t, int64_t>>;

std::shared_ptr<const PackedAttentionMap> map_of(const Lengths& lengths, bool causal,
                                                 int64_t heads) {
  auto map = std::make_shared<PackedAttentionMap>();
  map->causal = causal;
  int64_t query = 0, key = 0;
  for (const auto& [queries, keys] : lengths) {
    map->spans.push_back({query, queries, key, keys, map->weights_size});
    map->weights_size += heads * attention_weights_size(queries, keys);
    query += queries;
    key += keys;
  }
  return map;
}

/// The same sentence by sentence with the plain module.
torch::Tensor plain_attention(MultiHeadedAttention& attention, const torch::Tensor& x,
                              const torch::Tensor& memory, const PackedAttentionMap& map) {
  std::vector<torch::Tensor> out;
  for (const auto& span : map.spans) {
    const auto query = x.narrow(0, span.query_begin, span.queries).unsqueeze(0);
    const auto keys = memory.narrow(0, span.key_begin, span.keys).unsqueeze(0);
    const auto mask = map.causal ? subsequent_mask(span.keys, torch::kCPU)
                                 : torch::ones({1, 1, span.keys}, torch::kBool);
    out.push_back(attention(query, keys, keys, mask).squeeze(0));
  }
  return torch::cat(out);
}

struct Gradients {
  std::vector<torch::Tensor> tensors;

  Gradients(const torch::Tensor& out, const torch::Tensor& x, const torch::Tensor& memory,
            MultiHeadedAttention& attention) {
    torch::manual_seed(3);
    auto inputs = attention->parameters();
    inputs.push_back(x);
    if (!memory.is_same(x)) inputs.push_back(memory);
    tensors =
        torch::autograd::grad({out}, inputs, {torch::randn(out.sizes()).to(out.scalar_type())});
  }
};

void check_equal(const Gradients& a, const Gradients& b) {
  for (size_t i = 0; i < a.tensors.size(); ++i) {
    INFO("input " << i);
    const double scale = b.tensors[i].abs().max().item<double>();
    CHECK((a.tensors[i] - b.tensors[i]).abs().max().item<double>() < 1e-5 * (scale + 1));
  }
}

torch::Tensor leaf(int64_t rows, int64_t width) {
  return torch::randn({rows, width}).set_requires_grad(true);
}

}  // namespace

TEST_CASE("packed attention and its gradient are those of the plain module") {
  const int64_t heads = GENERATE(1, 3), d_k = GENERATE(5, 8, 64);
  torch::manual_seed(1);
  MultiHeadedAttention attention(heads, heads * d_k, 0.0);
  SECTION("to oneself, earlier positions only") {
    const auto map = map_of({{1, 1}, {13, 13}, {8, 8}, {30, 30}}, true, heads);
    const auto x = leaf(52, heads * d_k);
    const auto packed = packed_attention(attention, x, x, map);
    const auto plain = plain_attention(attention, x, x, *map);
    CHECK((packed - plain).abs().max().item<double>() < 1e-5);
    check_equal({packed, x, x, attention}, {plain, x, x, attention});
  }
  SECTION("to a memory of another length") {
    const auto map = map_of({{4, 9}, {1, 17}, {6, 1}}, false, heads);
    const auto x = leaf(11, heads * d_k), memory = leaf(27, heads * d_k);
    const auto packed = packed_attention(attention, x, memory, map);
    const auto plain = plain_attention(attention, x, memory, *map);
    CHECK((packed - plain).abs().max().item<double>() < 1e-5);
    check_equal({packed, x, memory, attention}, {plain, x, memory, attention});
  }
}

TEST_CASE("queries, keys and values of bfloat16 give nearly the attention of float32") {
  torch::manual_seed(1);
  MultiHeadedAttention attention(3, 3 * 20, 0.0);
  const auto map = map_of({{4, 9}, {1, 17}, {6, 1}}, false, 3);
  const auto x = leaf(11, 60), memory = leaf(27, 60);
  const auto plain = packed_attention(attention, x, memory, map);
  const auto rounded = [&] {
    const AutocastScope autocast(Precision::kBfloat16, torch::kCPU);
    return packed_attention(attention, x, memory, map);
  }();
  CHECK(rounded.scalar_type() == torch::kBFloat16);
  CHECK((rounded - plain).abs().max().item<double>() < 0.02);
  const Gradients exact(plain, x, memory, attention), near(rounded, x, memory, attention);
  for (size_t i = 0; i < exact.tensors.size(); ++i) {
    INFO("input " << i);
    const double scale = exact.tensors[i].abs().max().item<double>();
    CHECK((near.tensors[i] - exact.tensors[i]).abs().max().item<double>() < 0.02 * (scale + 1));
  }
}

TEST_CASE("dropped weights carry neither values nor gradients") {
  constexpr int64_t kQueries = 7, kKeys = 11, kWidth = 16;
  constexpr double kDropout = 0.4;
  torch::manual_seed(2);
  MultiHeadedAttention attention(1, kWidth, kDropout);
  attention->train();
  const auto map = map_of({{kQueries, kKeys}}, false, 1);
  const auto x = leaf(kQueries, kWidth), memory = leaf(kKeys, kWidth);

  start_dropout_stream({.seed = 5});
  const auto packed = packed_attention(attention, x, memory, map);

  start_dropout_stream({.seed = 5});
  const int64_t row = padded_to_lanes(kKeys);
  auto factors = torch::ones({kQueries, row});
  dropout_slice(next_dropout_draw(kDropout, 0), 0, factors.numel(), factors.data_ptr<float>(),
                factors.data_ptr<float>());
  auto weights = torch::matmul(attention->w_q(x), attention->w_k(memory).t()) / 4;  // sqrt(kWidth)
  weights = weights.softmax(-1) * factors.narrow(1, 0, kKeys);
  const auto plain = attention->w_o(torch::matmul(weights, attention->w_v(memory)));
  CHECK((packed - plain).abs().max().item<double>() < 1e-5);
  check_equal({packed, x, memory, attention}, {plain, x, memory, attention});
}

TEST_CASE("the number of threads changes nothing in packed attention") {
  torch::manual_seed(4);
  MultiHeadedAttention attention(2, 16, 0.0);
  const auto map = map_of(Lengths(40, {9, 9}), true, 2);
  const auto x = torch::randn({360, 16});
  const torch::NoGradGuard no_grad;
  const auto threads = at::get_num_threads();
  at::set_num_threads(1);
  const auto one = packed_attention(attention, x, x, map);
  at::set_num_threads(2);
  const auto two = packed_attention(attention, x, x, map);
  at::set_num_threads(threads);
  CHECK(one.equal(two));
}

}  // namespace xformer
