#include "commands/validation.h"

#include "commands/decoding.h"
#include "decode/plain_decoder.h"
#include "decode/translator.h"
#include "runtime/progress.h"
#include "runtime/stop_signal.h"
#include "scoring/bleu.h"
#include "train/validation_loss.h"

namespace xformer {
namespace {

using Lines = std::vector<std::string>;

/// Every size-th line, from that of the process' rank on.
Lines share_of(const Lines& lines, const ProcessGroup& group) {
  Lines share;
  for (auto i = static_cast<size_t>(group.rank()); i < lines.size();
       i += static_cast<size_t>(group.size())) {
    share.push_back(lines[i]);
  }
  return share;
}

/// Greedy translations of a share; fewer when a stop signal came.
Lines translate(const EncoderDecoder& model, const TrainingParts& parts, const Lines& sources) {
  const DecodingOptions greedy{.beam_size = 1};
  PlainDecoder decoder(model, parts.device, decoder_tokens(greedy, parts.config));
  Translator translator({&decoder}, parts.vocabulary, translator_options(greedy, parts.config));
  Lines hypotheses;
  // All processes work on shares of one size: that of the first stands for all.
  WorkProgress progress("validation: translated", "lines", std::ssize(sources));
  translator.on_progress([&](size_t count) {
    if (parts.group.is_first()) progress.add(static_cast<int64_t>(count));
  });
  for (auto& translation : translator.translate(sources)) {
    if (stop_requested()) break;
    hypotheses.push_back(std::move(translation.texts[0]));
  }
  return hypotheses;
}

/// As one text; a translation holds no line end.
std::string joined(const Lines& lines) {
  std::string text;
  for (const auto& line : lines) text += line + '\n';
  return text;
}

/// Puts the shares of all processes back into one order; nothing when one of them is short.
std::optional<Lines> merged(const std::vector<std::string>& shares, size_t count) {
  std::vector<size_t> at(shares.size(), 0);
  Lines lines;
  for (size_t i = 0; i < count; ++i) {
    const auto& share = shares[i % shares.size()];
    size_t& start = at[i % shares.size()];
    const size_t end = share.find('\n', start);
    if (end == share.npos) return std::nullopt;
    lines.push_back(share.substr(start, end - start));
    start = end + 1;
  }
  return lines;
}

/// A few sentences from all over the text.
std::vector<TranslationSample> some_of(const ValidationText& text, const Lines& hypotheses) {
  constexpr size_t kSamples = 5;
  std::vector<TranslationSample> samples;
  const size_t count = std::min(kSamples, hypotheses.size());
  for (size_t k = 0; k < count; ++k) {
    const size_t i = (2 * k + 1) * hypotheses.size() / (2 * count);
    samples.push_back({text.source[i], text.target[i], hypotheses[i]});
  }
  return samples;
}

}  // namespace

std::optional<Validation> validate(const EncoderDecoder& model, const TrainingParts& parts) {
  const auto& group = parts.group;
  const auto& valid = *parts.valid;
  const auto loss = validation_loss(model, valid.corpus, parts.config, parts.device, group);
  if (!loss) return std::nullopt;
  const auto own = translate(model, parts, share_of(valid.source, group));
  const auto hypotheses = merged(group.gather(joined(own)), valid.source.size());
  if (!hypotheses) return std::nullopt;
  return Validation{.loss = *loss,
                    .bleu = corpus_bleu(*hypotheses, {valid.target}).score,
                    .samples = some_of(valid, *hypotheses)};
}

}  // namespace xformer
