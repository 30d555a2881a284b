#include "text/vocabulary_cache.h"

#include <optional>

#include "runtime/atomic_file.h"
#include "runtime/log.h"
#include "text/content_hash.h"

namespace xformer {
namespace {

namespace fs = std::filesystem;

/// A file is the hash of the model's bytes, then the bytes.
std::optional<std::string> whole_model(const fs::path& path) {
  if (!fs::exists(path)) return std::nullopt;
  const std::string content = read_file(path);
  const size_t hash_size = ContentHash().hex().size();
  if (content.size() >= hash_size) {
    const std::string bytes = content.substr(hash_size);
    if (content.starts_with(hash_of(bytes))) return bytes;
  }
  spdlog::warn("{}: damaged: the vocabulary is trained again", path.string());
  return std::nullopt;
}

}  // namespace

Tokenizer cached_tokenizer(const fs::path& cache, const std::string& key, const std::string& name,
                           const std::function<Tokenizer()>& train) {
  const fs::path path = cache / ("vocabulary-" + key);
  if (const auto bytes = whole_model(path)) {
    spdlog::info("{}: trained before, taken from {}", name, path.string());
    return Tokenizer::from_bytes(*bytes, name);
  }
  const Tokenizer tokenizer = train();
  write_file_atomically(path, tokenizer.hash() + tokenizer.bytes());
  return tokenizer;
}

}  // namespace xformer
