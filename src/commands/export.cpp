#include "commands/export.h"

#include <filesystem>

#include "commands/compute.h"
#include "commands/decoding.h"
#include "commands/output_folder.h"
#include "formats/ctranslate2.h"
#include "formats/hugging_face_export.h"
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

void export_ctranslate2(const fs::path& output, const LoadedModel& model, bool int8) {
  write_ctranslate2(output, model, int8 ? Ctranslate2Weights::kInt8 : Ctranslate2Weights::kFloat32);
  write_tokenizers(output, model.vocabulary);
}

void export_hugging_face(const fs::path& output, const LoadedModel& model) {
  for (const auto& note : write_hugging_face(output, model)) spdlog::warn("{}", note);
}

}  // namespace

int run_export(const ExportOptions& options) {
  start_compute(options.common);
  const fs::path output = options.output;
  const bool int8 = options.precision == "int8", for_ctranslate2 = options.to == "ctranslate2";
  if (int8 && !for_ctranslate2) {
    throw UserError("--precision is \"int8\", must be float32 with --to " + options.to);
  }
  const auto model = load_model(model_folder_or_default(options.model), torch::kCPU);
  prepare_output_folder(output, options.overwrite);
  if (for_ctranslate2) {
    export_ctranslate2(output, model, int8);
  } else {
    export_hugging_face(output, model);
  }
  spdlog::info("wrote {} for {}, {}", output.string(),
               for_ctranslate2 ? "CTranslate2" : "Hugging Face's transformers", options.precision);
  return 0;
}

}  // namespace xformer
