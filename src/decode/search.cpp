#include "decode/search.h"

#include <cmath>

#include "decode/beam_state.h"
#include "runtime/error.h"

namespace xformer {

double length_penalty(int64_t length, double alpha) {
  return std::pow((5.0 + static_cast<double>(length)) / 6.0, alpha);
}

std::vector<std::vector<Hypothesis>> beam_search(StepDecoder& decoder,
                                                 const std::vector<SearchSource>& sources,
                                                 const SearchOptions& options) {
  BeamState beam(sources, options);
  if (beam.done()) return {};
  beam.start(decoder);
  while (!beam.done()) {
    beam.select_top(beam.expand(decoder));
    beam.retire_finished();
    beam.drop_done_sentences(decoder);
  }
  auto results = std::move(beam).results();
  for (const auto& best : results) {
    if (best.empty()) throw RunError("the model gives no piece a probability: its weights are bad");
  }
  return results;
}

}  // namespace xformer
