#include "engine/model_weights.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runtime/error.h"

namespace xformer {
namespace {

std::string shape_text(const std::vector<int64_t>& shape) {
  return fmt::format("[{}]", fmt::join(shape, ", "));
}

}  // namespace

ModelWeights::ModelWeights(std::map<std::string, WeightPlace> places, std::string origin,
                           std::shared_ptr<const void> owner, std::function<void()> release)
    : places_(std::move(places)),
      origin_(std::move(origin)),
      owner_(std::move(owner)),
      release_(std::move(release)) {}

const float* ModelWeights::values(const std::string& name, const std::vector<int64_t>& shape) {
  const auto found = places_.find(name);
  if (found == places_.end()) throw UserError(origin_ + ": has no tensor " + name);
  if (found->second.shape != shape) {
    throw UserError(origin_ + ": " + name + " has the shape " + shape_text(found->second.shape) +
                    ", the configuration wants " + shape_text(shape));
  }
  used_.insert(name);
  return found->second.values;
}

void ModelWeights::check_all_used() const {
  for (const auto& [name, place] : places_) {
    if (used_.contains(name)) continue;
    throw UserError(origin_ + ": holds the tensor " + name + " of the shape " +
                    shape_text(place.shape) + ", which the configuration does not want");
  }
}

}  // namespace xformer
