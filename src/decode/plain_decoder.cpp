#include "decode/plain_decoder.h"

#include <limits>
#include <numeric>

#include "data/batch.h"
#include "model/masks.h"
#include "runtime/error.h"

namespace xformer {
namespace {

template <class T>
std::vector<T> values_of(const torch::Tensor& tensor) {
  const auto values = tensor.contiguous().cpu();
  const T* first = values.const_data_ptr<T>();
  return {first, first + values.numel()};
}

}  // namespace

torch::Tensor choosable_log_probs(const torch::Tensor& logits, const std::vector<int32_t>& never) {
  auto masked = logits.to(torch::kFloat32).clone();
  constexpr double kNever = -std::numeric_limits<double>::infinity();
  for (const int32_t id : never) masked.select(-1, id).fill_(kNever);
  return masked.log_softmax(-1);
}

PlainDecoder::PlainDecoder(EncoderDecoder model, torch::Device device, SpecialTokens tokens)
    : model_(std::move(model)), device_(device), tokens_(std::move(tokens)) {}

void PlainDecoder::start(const std::vector<std::vector<int32_t>>& sources) {
  torch::InferenceMode inference;
  auto src = pad_sources(sources, tokens_, device_);
  auto src_mask = source_mask(src, tokens_.pad);
  cache_ = model_->start_decoding(model_->encode(src, src_mask), src_mask);
}

void PlainDecoder::advance(const std::vector<int32_t>& tokens) {
  torch::InferenceMode inference;
  hidden_ = model_->decode_step(torch::tensor(tokens, torch::kInt64).to(device_), cache_);
}

torch::Tensor PlainDecoder::all_log_probs() {
  return choosable_log_probs(model_->generator->logits(hidden_), tokens_.never);  // (rows, V)
}

Candidates PlainDecoder::best(const Wanted& wanted) {
  torch::InferenceMode inference;
  const auto log_probs = all_log_probs();
  const int64_t k = std::min(wanted.k, log_probs.size(-1));
  auto [best, best_ids] = log_probs.topk(k, -1);  // (rows, k)
  best_ids = best_ids.to(torch::kInt32);
  Candidates candidates{
      .k = k, .ids = values_of<int32_t>(best_ids), .log_probs = values_of<float>(best)};
  if (!wanted.forced.empty()) {
    const auto forced = torch::tensor(wanted.forced, torch::kInt64).clamp_min(0).to(device_);
    candidates.forced = values_of<float>(log_probs.gather(-1, forced.unsqueeze(-1)));
  }
  return candidates;
}

std::vector<float> PlainDecoder::log_probs() {
  torch::InferenceMode inference;
  return values_of<float>(all_log_probs());
}

std::vector<int32_t> PlainDecoder::attended() {
  throw UserError("--alignment needs --device cpu");
}

void PlainDecoder::select(const std::vector<int64_t>& rows) {
  torch::InferenceMode inference;
  std::vector<int64_t> same(cache_.src_mask.size(0));
  std::iota(same.begin(), same.end(), 0);
  if (rows == same) return;
  cache_.select(torch::tensor(rows, torch::kInt64).to(device_));
}

}  // namespace xformer
