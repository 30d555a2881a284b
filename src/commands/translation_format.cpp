#include "commands/translation_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "decode/word_links.h"

namespace xformer {
namespace {

std::vector<std::string> pieces_of(const std::vector<int32_t>& ids, const Tokenizer& tokenizer) {
  std::vector<std::string> pieces;
  for (const int32_t id : ids) pieces.push_back(tokenizer.piece(id));
  return pieces;
}

std::string alignment_text(const Translation& translation, const Hypothesis& hypothesis,
                           const Vocabulary& vocabulary) {
  const auto& ids = translation.source_ids;
  auto source = words_of(pieces_of(ids, vocabulary.source));
  // A language token is no word of the line: what attends to it is linked with the first one.
  if (!ids.empty() && vocabulary.source.is_language_token(ids.front())) {
    for (int32_t& word : source) word = std::max(0, word - 1);
  }
  const auto target = words_of(pieces_of(hypothesis.ids, vocabulary.target));
  std::string text;
  for (const auto& [from, to] : word_links(source, target, hypothesis.attended)) {
    text += fmt::format("{}{}-{}", text.empty() ? "" : " ", from, to);
  }
  return text;
}

std::string as_json(const Translation& translation, int64_t line, const Vocabulary& vocabulary,
                    const TranslationFormat& format) {
  using Json = nlohmann::ordered_json;
  Json hypotheses = Json::array();
  for (size_t i = 0; i < translation.texts.size(); ++i) {
    const auto& hypothesis = translation.hypotheses[i];
    Json entry{{"text", translation.texts[i]},
               {"tokens", pieces_of(hypothesis.ids, vocabulary.target)},
               {"log_prob", hypothesis.log_prob},
               {"score", hypothesis.score},
               {"hit_limit", hypothesis.hit_limit}};
    if (format.alignment) entry["attended"] = hypothesis.attended;
    hypotheses.push_back(std::move(entry));
  }
  const Json object{{"line", line},
                    {"source_tokens", pieces_of(translation.source_ids, vocabulary.source)},
                    {"source_pieces", translation.source_pieces},
                    {"cut", translation.source_cut},
                    {"blank", translation.blank},
                    {"hypotheses", std::move(hypotheses)}};
  return object.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace

std::string format_translation(const Translation& translation, int64_t line,
                               const Vocabulary& vocabulary, const TranslationFormat& format) {
  if (format.json) return as_json(translation, line, vocabulary, format);
  std::string lines;
  const size_t count = format.n_best ? translation.texts.size() : 1;
  for (size_t i = 0; i < count; ++i) {
    const auto& hypothesis = translation.hypotheses[i];
    std::string text = translation.texts[i];
    if (format.n_best) text = fmt::format("{} ||| {} ||| {:.6f}", line, text, hypothesis.score);
    if (format.alignment) text += " ||| " + alignment_text(translation, hypothesis, vocabulary);
    lines += text + '\n';
  }
  return lines;
}

}  // namespace xformer
