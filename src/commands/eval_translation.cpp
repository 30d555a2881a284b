// The one part of eval that needs a model, and LibTorch with it.
#include <utility>

#include "commands/eval_texts.h"
#include "commands/model_translator.h"
#include "commands/translation_tally.h"
#include "runtime/progress.h"
#include "runtime/stop_signal.h"
#include "text/line_reader.h"

namespace xformer {

TextLines translate_source(const EvalOptions& options) {
  auto decoding = options.decoding;
  decoding.scores = false;
  const auto models = describe_models({model_folder_or_default(options.model)}, decoding);
  ModelTranslator model(models, decoding, options.common);
  LineReader reader(options.source);
  const auto lines = reader.rest();
  reader.warn_of_oddities();

  std::vector<std::string> translations;
  if (!stop_requested()) {
    WorkProgress progress("translated", "lines", std::ssize(lines));
    model.translator().on_progress(
        [&](size_t count) { progress.add(static_cast<int64_t>(count)); });
    TranslationTally tally;
    for (auto& translation : model.translator().translate(lines)) {
      if (stop_requested()) break;
      tally.count(translation, lines[translations.size()], model.options.max_source_length);
      translations.push_back(std::move(translation.texts[0]));
    }
    tally.report();
  }
  return {"the translation of " + options.source, std::move(translations)};
}

}  // namespace xformer
