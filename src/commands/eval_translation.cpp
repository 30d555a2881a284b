// The one part of eval that needs a model, and LibTorch with it.
#include <utility>

#include "commands/compute.h"
#include "commands/eval_texts.h"
#include "commands/model_translator.h"
#include "runtime/progress.h"
#include "runtime/stop_signal.h"
#include "text/line_reader.h"

namespace xformer {

TextLines translate_source(const EvalOptions& options) {
  const auto device = start_compute(options.common);
  ModelTranslator translator(model_folder_or_default(options.model), options.decoding, 1, device);
  LineReader reader(options.source);
  const auto lines = reader.rest();
  reader.warn_of_oddities();

  std::vector<std::string> translations;
  if (!stop_requested()) {
    WorkProgress progress("translated", "lines", std::ssize(lines));
    const auto on_lines = [&](int64_t count) { progress.add(count); };
    for (auto& translation : translator.translate(lines, on_lines)) {
      translations.push_back(std::move(translation.texts[0]));
    }
  }
  return {"the translation of " + options.source, std::move(translations)};
}

}  // namespace xformer
