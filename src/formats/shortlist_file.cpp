#include "formats/shortlist_file.h"

#include "formats/safetensors.h"
#include "runtime/error.h"

namespace xformer {
namespace {

namespace fs = std::filesystem;

torch::Tensor ids_tensor(const std::vector<int32_t>& ids) {
  return torch::tensor(ids, torch::kInt32);
}

/// A list of whole numbers from 0 to `most`.
std::vector<int32_t> read_list(const TensorFile& file, const std::string& name, int64_t most,
                               const fs::path& path) {
  const auto found = file.tensors.find(name);
  const bool fits = found != file.tensors.end() && found->second.dim() == 1 &&
                    found->second.scalar_type() == torch::kInt32;
  if (!fits) throw UserError(path.string() + ": is no shortlist: it has no list " + name);
  const auto* first = found->second.const_data_ptr<int32_t>();
  std::vector<int32_t> ids(first, first + found->second.numel());
  for (const int32_t id : ids) {
    if (id < 0 || id > most) {
      throw UserError(path.string() + ": " + name + " holds " + std::to_string(id) +
                      ", must be from 0 to " + std::to_string(most));
    }
  }
  return ids;
}

}  // namespace

void write_shortlist(const fs::path& path, const Shortlist& shortlist,
                     const Vocabulary& vocabulary) {
  std::vector<int32_t> counts, all;
  for (const auto& translations : shortlist.translations) {
    counts.push_back(static_cast<int32_t>(translations.size()));
    all.insert(all.end(), translations.begin(), translations.end());
  }
  TensorFile file;
  file.tensors = {{"frequent", ids_tensor(shortlist.frequent)},
                  {"counts", ids_tensor(counts)},
                  {"translations", ids_tensor(all)}};
  file.metadata = {{"format", "xformer shortlist"},
                   {"source_vocabulary", vocabulary.source.hash()},
                   {"target_vocabulary", vocabulary.target.hash()}};
  write_safetensors(path, file);
}

Shortlist read_shortlist(const fs::path& path, const Vocabulary& vocabulary) {
  auto file = read_safetensors(path);
  if (file.metadata["source_vocabulary"] != vocabulary.source.hash() ||
      file.metadata["target_vocabulary"] != vocabulary.target.hash()) {
    throw UserError(path.string() +
                    ": was not made for the model's vocabularies: make one with xformer shortlist");
  }
  const int64_t pieces = vocabulary.target.size();
  const auto counts = read_list(file, "counts", pieces, path);
  const auto all = read_list(file, "translations", pieces - 1, path);
  Shortlist shortlist{.frequent = read_list(file, "frequent", pieces - 1, path),
                      .translations = {},
                      .eos = vocabulary.tokens.eos};
  auto next = all.begin();
  for (const int32_t count : counts) {
    if (all.end() - next < count)
      throw UserError(path.string() + ": is damaged: its lists end soon");
    shortlist.translations.emplace_back(next, next + count);
    next += count;
  }
  if (std::ssize(counts) != vocabulary.source.size() || next != all.end()) {
    throw UserError(path.string() + ": is damaged: its lists do not fit each other");
  }
  return shortlist;
}

}  // namespace xformer
