#include "decode/plain_decoder.h"

#include <limits>
#include <numeric>

#include "data/batch.h"
#include "model/masks.h"
#include "text/tokenizer.h"

namespace xformer {

torch::Tensor choosable_log_probs(const torch::Tensor& logits, UnknownWords unknown_words) {
  auto masked = logits.to(torch::kFloat32).clone();
  constexpr double kNever = -std::numeric_limits<double>::infinity();
  masked.select(-1, kPad).fill_(kNever);
  masked.select(-1, kBos).fill_(kNever);
  if (unknown_words == UnknownWords::kForbidden) masked.select(-1, kUnk).fill_(kNever);
  return masked.log_softmax(-1);
}

PlainDecoder::PlainDecoder(EncoderDecoder model, torch::Device device, UnknownWords unknown_words)
    : model_(std::move(model)), device_(device), unknown_words_(unknown_words) {}

void PlainDecoder::start(const std::vector<std::vector<int32_t>>& sources) {
  torch::InferenceMode inference;
  auto src = pad_sources(sources, device_);
  auto src_mask = source_mask(src, kPad);
  cache_ = model_->start_decoding(model_->encode(src, src_mask), src_mask);
}

Candidates PlainDecoder::step(const std::vector<int32_t>& tokens, int64_t k) {
  torch::InferenceMode inference;
  auto ids = torch::tensor(tokens, torch::kInt64).to(device_);
  auto logits = model_->generator->logits(model_->decode_step(ids, cache_));  // (rows, V)
  auto log_probs = choosable_log_probs(logits, unknown_words_);
  k = std::min(k, log_probs.size(-1));
  auto [best, best_ids] = log_probs.topk(k, -1);  // (rows, k)
  best = best.contiguous().cpu();
  best_ids = best_ids.to(torch::kInt32).contiguous().cpu();

  const auto count = static_cast<int64_t>(tokens.size()) * k;
  const float* values = best.const_data_ptr<float>();
  const int32_t* places = best_ids.const_data_ptr<int32_t>();
  return {.k = k, .ids = {places, places + count}, .log_probs = {values, values + count}};
}

void PlainDecoder::select(const std::vector<int64_t>& rows) {
  torch::InferenceMode inference;
  std::vector<int64_t> same(cache_.src_mask.size(0));
  std::iota(same.begin(), same.end(), 0);
  if (rows == same) return;
  cache_.select(torch::tensor(rows, torch::kInt64).to(device_));
}

}  // namespace xformer
