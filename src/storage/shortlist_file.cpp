#include "storage/shortlist_file.h"

#include <algorithm>
#include <cstring>

#include "runtime/atomic_file.h"
#include "runtime/error.h"
#include "storage/mapped_safetensors.h"
#include "storage/model_folder.h"

namespace xformer {
namespace {

namespace fs = std::filesystem;

constexpr const char *kFrequent = "frequent", *kCounts = "counts", *kTranslations = "translations";

std::map<std::string, std::string> shortlist_metadata(const Vocabulary& vocabulary) {
  auto metadata = metadata_for(vocabulary);
  metadata["format"] = "xformer shortlist";
  return metadata;
}

/// The lists of a shortlist file, by their names.
class ListFile {
 public:
  explicit ListFile(const fs::path& path) : path_(path), file_(path) {}

  const std::map<std::string, std::string>& metadata() const { return file_.header().metadata; }

  /// A list of whole numbers from 0 to `most`.
  std::vector<int32_t> read(const char* name, int64_t most) const {
    const auto& tensors = file_.header().tensors;
    const auto found = std::ranges::find(tensors, name, &StoredTensor::name);
    if (found == tensors.end() || found->shape.size() != 1 || found->type != StoredType::kInt32) {
      throw UserError(path_.string() + ": is no shortlist: it has no list " + name);
    }
    std::vector<int32_t> ids(static_cast<size_t>(found->shape[0]));
    const auto bytes = file_.bytes(*found);
    if (!ids.empty()) std::memcpy(ids.data(), bytes.data(), bytes.size());
    for (const int32_t id : ids) {
      if (id >= 0 && id <= most) continue;
      throw UserError(path_.string() + ": " + name + " holds " + std::to_string(id) +
                      ", must be from 0 to " + std::to_string(most));
    }
    return ids;
  }

 private:
  const fs::path& path_;
  MappedSafetensors file_;
};

}  // namespace

void write_shortlist(const fs::path& path, const Shortlist& shortlist,
                     const Vocabulary& vocabulary) {
  std::vector<int32_t> counts, all;
  for (const auto& translations : shortlist.translations) {
    counts.push_back(static_cast<int32_t>(translations.size()));
    all.insert(all.end(), translations.begin(), translations.end());
  }
  const std::map<std::string, const std::vector<int32_t>*> lists = {
      {kFrequent, &shortlist.frequent}, {kCounts, &counts}, {kTranslations, &all}};
  SafetensorsHeader header{.tensors = {}, .metadata = shortlist_metadata(vocabulary)};
  for (const auto& [name, list] : lists) {
    header.tensors.push_back(
        {.name = name, .type = StoredType::kInt32, .shape = {std::ssize(*list)}});
  }
  AtomicFile file(path);
  file.write(lay_out_safetensors(header));
  for (const auto& tensor : header.tensors) {
    file.write(std::as_bytes(std::span(*lists.at(tensor.name))));
  }
  file.commit();
}

Shortlist read_shortlist(const fs::path& path, const Vocabulary& vocabulary) {
  const ListFile file(path);
  if (file.metadata() != shortlist_metadata(vocabulary)) {
    throw UserError(path.string() +
                    ": was not made for the model's vocabularies: make one with xformer shortlist");
  }
  const int64_t pieces = vocabulary.target.size();
  const auto counts = file.read(kCounts, pieces);
  const auto all = file.read(kTranslations, pieces - 1);
  Shortlist shortlist{.frequent = file.read(kFrequent, pieces - 1),
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
