// The fast decoder: packed weights, no padding, keys and values written once. It answers as the
// plain model does, to within rounding.
#pragma once

#include <memory>

#include "decode/step_decoder.h"
#include "engine/packed_encoder.h"
#include "engine/packed_generator.h"
#include "engine/path_cache.h"

namespace xformer {

/// One worker's decoder; workers share the model. A row's answers depend on nothing but its source
/// and its own pieces.
class PackedDecoder : public StepDecoder {
 public:
  /// With a shortlist, pieces that it does not hold for a sentence have no probability there.
  explicit PackedDecoder(std::shared_ptr<const PackedModel> model,
                         std::shared_ptr<const Shortlist> shortlist = nullptr);
  PackedDecoder(const PackedDecoder&) = delete;
  PackedDecoder& operator=(const PackedDecoder&) = delete;

  void start(const std::vector<std::vector<int32_t>>& sources) override;
  void advance(const std::vector<int32_t>& tokens) override;
  Candidates best(const Wanted& wanted) override;
  std::vector<float> log_probs() override;
  std::vector<int32_t> attended() override;
  void select(const std::vector<int64_t>& rows) override;

 private:
  int64_t rows() const { return past_.rows(); }
  void self_attention(const PackedAttention& layer, int64_t number, float* x);
  void source_attention(const PackedAttention& layer, int64_t number, float* x);
  void list_source_keys(int64_t layer, int64_t row, std::vector<const void*>& keys) const;
  void attend_to_source(int64_t layer, int64_t row, const float* query, float* context);
  /// Calls attend(row) for every row, with its keys, as list_keys(row, keys) tells them, in keys_
  /// and those of the row after it in next_keys_.
  template <class ListKeys, class Attend>
  void for_each_row(ListKeys list_keys, Attend attend);

  std::shared_ptr<const PackedModel> model_;
  std::shared_ptr<const Shortlist> shortlist_;  ///< or null
  ShortlistedGenerator shortlisted_;            ///< of the sources, if there is a shortlist
  LayerRunner layers_;
  PackedEncoder encoder_;
  PackedGenerator generator_;
  PathCache past_;
  std::vector<KeyRows> source_keys_;  ///< of each layer
  std::vector<int32_t> sentences_;    ///< of each row
  std::vector<int32_t> attended_;
  AlignedArray<float> x_, query_, context_, weights_;
  std::vector<const void*> keys_, next_keys_;
};

}  // namespace xformer
