#include "commands/translation_tally.h"

#include "runtime/log.h"

namespace xformer {

void TranslationTally::count(const Translation& translation, const std::string& source,
                             int64_t max_source_length) {
  ++lines_;
  blank_ += translation.blank;
  hit_limit_ += translation.hypotheses[0].hit_limit;
  empty_ += !translation.blank && translation.texts[0].empty();
  copied_ += !translation.blank && translation.texts[0] == source;
  if (!translation.source_cut) return;
  ++cut_;
  spdlog::warn("line {}: {} pieces long, cut to the first {}", lines_, translation.source_pieces,
               max_source_length);
}

void TranslationTally::report() const {
  if (blank_ > 0) spdlog::info("{} of {} lines were blank", blank_, lines_);
  if (copied_ > 0) spdlog::info("{} of {} lines came back as they were", copied_, lines_);
  if (empty_ > 0) spdlog::warn("{} of {} translations are empty", empty_, lines_);
  if (cut_ > 0) spdlog::warn("{} of {} lines were cut", cut_, lines_);
  if (hit_limit_ > 0) spdlog::warn("{} of {} lines hit the length limit", hit_limit_, lines_);
}

}  // namespace xformer
