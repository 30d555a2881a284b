#include "commands/export.h"

#include <filesystem>

#include "commands/decoding.h"
#include "commands/output_folder.h"
#include "formats/ctranslate2.h"
#include "runtime/atomic_file.h"
#include "runtime/error.h"
#include "runtime/log.h"

namespace xformer {
namespace {

namespace fs = std::filesystem;

/// The library knows nothing of SentencePiece: its callers need the models themselves.
void write_tokenizers(const fs::path& folder, const Vocabulary& vocabulary) {
  if (vocabulary.shared()) {
    write_file_atomically(folder / "sentencepiece.model", vocabulary.source.bytes());
  } else {
    write_file_atomically(folder / "source.model", vocabulary.source.bytes());
    write_file_atomically(folder / "target.model", vocabulary.target.bytes());
  }
}

}  // namespace

int run_export(const ExportOptions& options) {
  const fs::path output = options.output;
  const auto model = load_model(model_folder_or_default(options.model), torch::kCPU);
  prepare_output_folder(output, options.overwrite);
  const bool int8 = options.precision == "int8";
  write_ctranslate2(output, model, int8 ? Ctranslate2Weights::kInt8 : Ctranslate2Weights::kFloat32);
  write_tokenizers(output, model.vocabulary);
  spdlog::info("wrote {} for CTranslate2, {}", output.string(), options.precision);
  return 0;
}

}  // namespace xformer
