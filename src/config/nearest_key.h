// Guesses which key was meant by one that is not known.
#pragma once

#include <string>
#include <vector>

namespace xformer {

/// The key of `known` that `unknown` ("training.warmupp", or "warmup" on the wrong level) most
/// likely stands for; empty when none is near. Misspelling is judged by the last word of the key.
std::string nearest_key(const std::string& unknown, const std::vector<std::string>& known);

}  // namespace xformer
