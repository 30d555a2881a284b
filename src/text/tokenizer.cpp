#include "text/tokenizer.h"

#include <fmt/core.h>
#include <sentencepiece_processor.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "runtime/atomic_file.h"
#include "runtime/error.h"
#include "text/clean_line.h"
#include "text/content_hash.h"

namespace xformer {
namespace {

/// SentencePiece's mark of a space, U+2581.
constexpr std::string_view kSpaceMark = "\xE2\x96\x81";

void check(const sentencepiece::util::Status& status, const std::string& what) {
  if (!status.ok()) throw UserError(what + ": " + std::string(status.message()));
}

/// The ids of pad, unk, bos and eos are part of the model's format. SentencePiece gives -1 for a
/// symbol that is missing or could be matched by text, so that this is also what keeps user text
/// from becoming one.
void check_special_ids(const sentencepiece::SentencePieceProcessor& processor,
                       const std::string& name) {
  if (processor.pad_id() == kPad && processor.unk_id() == kUnk && processor.bos_id() == kBos &&
      processor.eos_id() == kEos) {
    return;
  }
  throw UserError(
      fmt::format("{} has pad {}, unk {}, bos {}, eos {} (-1: none), must have pad {}, unk {}, bos "
                  "{}, eos {}: train it with "
                  "spm_train --pad_id={} --unk_id={} --bos_id={} --eos_id={}",
                  name, processor.pad_id(), processor.unk_id(), processor.bos_id(),
                  processor.eos_id(), kPad, kUnk, kBos, kEos, kPad, kUnk, kBos, kEos));
}

void replace_space_marks(std::string& text) {
  for (size_t at = text.find(kSpaceMark); at != text.npos; at = text.find(kSpaceMark, at)) {
    text.replace(at, kSpaceMark.size(), " ");
  }
}

}  // namespace

struct Tokenizer::Model {
  sentencepiece::SentencePieceProcessor processor;
  std::string name, bytes, hash;

  void check_id(int32_t id) const {
    if (id < 0 || id >= processor.GetPieceSize()) {
      throw std::out_of_range(
          fmt::format("piece {} is not in 0 .. {} of {}", id, processor.GetPieceSize() - 1, name));
    }
  }
};

Tokenizer::Tokenizer(std::shared_ptr<const Model> model) : model_(std::move(model)) {}

Tokenizer Tokenizer::load(const std::filesystem::path& path) {
  return from_bytes(read_file(path), path.string());
}

Tokenizer Tokenizer::from_bytes(std::string bytes, const std::string& name) {
  auto model = std::make_shared<Model>();
  const absl::string_view serialized(bytes.data(), bytes.size());
  if (bytes.empty() || !model->processor.LoadFromSerializedProto(serialized).ok()) {
    throw UserError(name + " is not a SentencePiece model");
  }
  check_special_ids(model->processor, name);
  ContentHash hash;
  hash.update(bytes);
  model->name = name;
  model->bytes = std::move(bytes);
  model->hash = hash.hex();
  return Tokenizer(std::move(model));
}

std::vector<int32_t> Tokenizer::encode(std::string_view text) const {
  std::vector<int> ids;
  check(model_->processor.Encode(absl::string_view(text.data(), text.size()), &ids),
        model_->name + " cannot encode a line");
  return ids;
}

std::string Tokenizer::decode(std::span<const int32_t> ids) const {
  for (const int32_t id : ids) model_->check_id(id);
  std::string text;
  check(model_->processor.Decode(std::vector<int>(ids.begin(), ids.end()), &text),
        model_->name + " cannot decode");
  // Byte pieces can spell anything: the mark of a space, a line feed, half a character.
  replace_space_marks(text);
  std::string line;
  clean_line(text, line);
  return line;
}

std::string Tokenizer::piece(int32_t id) const {
  model_->check_id(id);
  return model_->processor.IdToPiece(id);
}

int64_t Tokenizer::size() const {
  return model_->processor.GetPieceSize();
}

const std::string& Tokenizer::hash() const {
  return model_->hash;
}

const std::string& Tokenizer::bytes() const {
  return model_->bytes;
}

}  // namespace xformer
