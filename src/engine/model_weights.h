// A model's weights by their names, with their shapes checked. No tensors: whoever has them says
// where the numbers lie.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace xformer {

/// Where one float32 tensor lies, row-major.
struct WeightPlace {
  std::vector<int64_t> shape;
  const float* values = nullptr;
};

class ModelWeights {
 public:
  /// `origin` is what errors call the place that they come from; `owner` keeps the numbers alive,
  /// `release` gives back what memory the numbers read so far take.
  ModelWeights(
      std::map<std::string, WeightPlace> places, std::string origin,
      std::shared_ptr<const void> owner, std::function<void()> release = [] {});

  /// The numbers of a tensor of this shape. Throws UserError when it is missing or misshapen.
  const float* values(const std::string& name, const std::vector<int64_t>& shape);
  /// Throws UserError when there are tensors that nobody asked for.
  void check_all_used() const;
  const std::shared_ptr<const void>& owner() const { return owner_; }
  void release() const { release_(); }

 private:
  std::map<std::string, WeightPlace> places_;
  std::set<std::string> used_;
  std::string origin_;
  std::shared_ptr<const void> owner_;
  std::function<void()> release_;
};

}  // namespace xformer
