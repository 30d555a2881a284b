#include "engine/packed_decoder.h"

#include <algorithm>
#include <numeric>

namespace xformer {
namespace {

/// The last layer but one aligns best (Garg et al. 2019, section 3).
int64_t alignment_layer(const PackedModel& model) {
  return std::max<int64_t>(0, std::ssize(model.decoder) - 2);
}

}  // namespace

PackedDecoder::PackedDecoder(std::shared_ptr<const PackedModel> model,
                             std::shared_ptr<const Shortlist> shortlist)
    : model_(std::move(model)),
      shortlist_(std::move(shortlist)),
      layers_(*model_),
      encoder_(*model_, layers_),
      generator_(model_->target),
      past_(std::ssize(model_->decoder), 2 * model_->config.d_model, model_->target) {
  while (source_keys_.size() < model_->decoder.size()) {
    source_keys_.emplace_back(model_->target, 2 * model_->config.d_model);
  }
}

void PackedDecoder::start(const std::vector<std::vector<int32_t>>& sources) {
  const float* memory = encoder_.encode(sources);
  const InputRows input = layers_.prepare(memory, encoder_.sentences().rows());
  for (size_t layer = 0; layer < source_keys_.size(); ++layer) {
    layers_.write_keys(model_->decoder[layer].source, input, source_keys_[layer]);
  }
  sentences_.resize(sources.size());
  std::iota(sentences_.begin(), sentences_.end(), 0);
  past_.start(std::ssize(sources));
  if (shortlist_) shortlisted_ = ShortlistedGenerator(*shortlist_, model_->generator, sources);
}

void PackedDecoder::advance(const std::vector<int32_t>& tokens) {
  const int64_t d = model_->config.d_model, position = past_.steps();
  float* x = x_.reserve(rows() * d);
  for (int64_t row = 0; row < rows(); ++row) {
    layers_.embed(model_->target_embeddings, tokens[row], position, x + row * d);
  }
  past_.begin_step();
  attended_.resize(static_cast<size_t>(rows()));
  for (size_t i = 0; i < model_->decoder.size(); ++i) {
    const auto& layer = model_->decoder[i];
    self_attention(layer.self, static_cast<int64_t>(i), x);
    source_attention(layer.source, static_cast<int64_t>(i), x);
    layers_.feed_forward(layer.feed_forward, x, rows());
  }
  if (model_->config.has_final_norm()) {
    layers_.normalize(model_->decoder_norm, x, rows(), x);
  }
}

template <class ListKeys, class Attend>
void PackedDecoder::for_each_row(ListKeys list_keys, Attend attend) {
  if (rows() > 0) list_keys(0, keys_);
  for (int64_t row = 0; row < rows(); ++row) {
    next_keys_.clear();
    if (row + 1 < rows()) list_keys(row + 1, next_keys_);
    attend(row);
    keys_.swap(next_keys_);
  }
}

void PackedDecoder::self_attention(const PackedAttention& layer, int64_t number, float* x) {
  const int64_t d = model_->config.d_model;
  layers_.sublayer(layer.norm, x, rows(), [&](const InputRows& input) {
    float* query = query_.reserve(rows() * d);
    float* context = context_.reserve(rows() * d);
    layer.query.apply(input, {.values = query, .stride = d});
    layers_.write_keys(layer, input, past_.newest(number));
    for_each_row([&](int64_t row, auto& keys) { past_.follow(number, row, keys); },
                 [&](int64_t row) {
                   layers_.attend(layer.heads, query + row * d, keys_, context + row * d,
                                  next_keys_);
                 });
    layers_.add_output(layer.output, context, rows(), x);
  });
}

void PackedDecoder::source_attention(const PackedAttention& layer, int64_t number, float* x) {
  const int64_t d = model_->config.d_model;
  layers_.sublayer(layer.norm, x, rows(), [&](const InputRows& input) {
    float* query = query_.reserve(rows() * d);
    float* context = context_.reserve(rows() * d);
    layer.query.apply(input, {.values = query, .stride = d});
    for_each_row(
        [&](int64_t row, auto& keys) { list_source_keys(number, row, keys); },
        [&](int64_t row) { attend_to_source(number, row, query + row * d, context + row * d); });
    layers_.add_output(layer.output, context, rows(), x);
  });
}

void PackedDecoder::list_source_keys(int64_t layer, int64_t row,
                                     std::vector<const void*>& keys) const {
  const int64_t sentence = sentences_[row], first = encoder_.sentences().begin[sentence];
  keys.clear();
  for (int64_t i = 0; i < encoder_.sentences().length(sentence); ++i) {
    keys.push_back(source_keys_[layer].row(first + i));
  }
}

void PackedDecoder::attend_to_source(int64_t layer, int64_t row, const float* query,
                                     float* context) {
  const int64_t heads = model_->decoder[layer].source.heads, length = std::ssize(keys_);
  if (layer != alignment_layer(*model_)) {
    layers_.attend(heads, query, keys_, context, next_keys_);
    return;
  }
  float* weights = weights_.reserve(length);
  std::fill_n(weights, length, 0.0F);
  layers_.attend(heads, query, keys_, context, next_keys_, weights);
  const int64_t pieces = std::max<int64_t>(1, length - 1);  // the last one is eos
  attended_[row] = static_cast<int32_t>(std::max_element(weights, weights + pieces) - weights);
}

Candidates PackedDecoder::best(const Wanted& wanted) {
  const InputRows x = layers_.prepare(x_.data(), rows());
  if (shortlist_) return generator_.best(shortlisted_, sentences_, x, wanted);
  const auto& generator = model_->generator;
  if (model_->target.weights == WeightType::kInt8) {
    return generator_.best(generator, model_->stored_generator, x, wanted);
  }
  const bool best_alone = wanted.k == 1 && !wanted.exact && wanted.forced.empty();
  return best_alone && model_->screen ? generator_.best(generator, *model_->screen, x)
                                      : generator_.best(generator, x, wanted);
}

std::vector<float> PackedDecoder::log_probs() {
  const InputRows x = layers_.prepare(x_.data(), rows());
  if (!shortlist_) return generator_.log_probs(model_->generator, x);
  const auto& generator = shortlisted_.generator;
  std::vector<float> logits(static_cast<size_t>(rows() * generator.outputs()));
  generator.apply(x, {.values = logits.data(), .stride = generator.outputs()});
  return shortlisted_.spread(logits, sentences_, model_->generator.outputs());
}

std::vector<int32_t> PackedDecoder::attended() {
  return attended_;
}

void PackedDecoder::select(const std::vector<int64_t>& rows) {
  past_.select(rows);
  std::vector<int32_t> sentences;
  for (const int64_t row : rows) sentences.push_back(sentences_[row]);
  sentences_ = std::move(sentences);
}

}  // namespace xformer
