#include "decode/search.h"

#include <cmath>

#include "decode/beam_state.h"

namespace xformer {

double length_penalty(int64_t length, double alpha) {
  return std::pow((5.0 + static_cast<double>(length)) / 6.0, alpha);
}

std::vector<std::vector<Hypothesis>> beam_search(StepDecoder& decoder,
                                                 const std::vector<std::vector<int32_t>>& sources,
                                                 const std::vector<int64_t>& max_lengths,
                                                 const SearchOptions& options) {
  BeamState beam(sources.size(), max_lengths, options);
  if (beam.done()) return {};
  decoder.start(sources);
  while (!beam.done()) {
    beam.select_top(beam.expand(decoder));
    beam.retire_finished();
    beam.drop_done_sentences(decoder);
  }
  return std::move(beam).results();
}

}  // namespace xformer
