// The example of sacreBLEU's README.
#pragma once

#include <string>
#include <vector>

namespace xformer {

using Lines = std::vector<std::string>;

inline const Lines kHypotheses = {"The dog bit the man.", "It wasn't surprising.",
                                  "The man had just bitten him."};
inline const Lines kReferences = {"The dog bit the man.", "It was not unexpected.",
                                  "The man bit him first."};
inline const Lines kMoreReferences = {"The dog had bit the man.", "No one was surprised.",
                                      "The man had bitten the dog."};

}  // namespace xformer
