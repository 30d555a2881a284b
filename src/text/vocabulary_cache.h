// Vocabularies that were trained before are found again.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "text/tokenizer.h"

namespace xformer {

/// The vocabulary kept in the folder `cache` under `key`, the hash of all that it depends on; or
/// what `train` gives, which is then kept. `name` is what errors and the log call it. A damaged
/// file is noticed and replaced. Throws what `train` throws, and RunError when it cannot be kept.
Tokenizer cached_tokenizer(const std::filesystem::path& cache, const std::string& key,
                           const std::string& name, const std::function<Tokenizer()>& train);

}  // namespace xformer
