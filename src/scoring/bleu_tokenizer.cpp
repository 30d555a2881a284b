#include "scoring/bleu_tokenizer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "runtime/error.h"
#include "scoring/code_points.h"
#include "scoring/python_strings.h"
#include "scoring/tokenizer_13a.h"
#include "scoring/tokenizer_intl.h"
#include "scoring/tokenizer_spm.h"
#include "scoring/tokenizer_zh.h"

namespace xformer {
namespace {

using SplitFunction = void (*)(std::string_view line, LineWords& result);

/// One that needs nothing but the line.
class PlainTokenizer : public BleuTokenizer {
 public:
  PlainTokenizer(std::string name, SplitFunction split) : name_(std::move(name)), split_(split) {}
  std::string signature() const override { return name_; }
  void split(std::string_view line, LineWords& result) const override { split_(line, result); }

 private:
  std::string name_;
  SplitFunction split_;
};

/// One that puts spaces between the words of a line first.
template <std::string (*tokenize)(std::string_view)>
void split_after(std::string_view line, LineWords& result) {
  result.text = tokenize(line);
  split_words(result.text, result.words);
}

void split_at_white_space(std::string_view line, LineWords& result) {
  split_words(line, result.words);
}

void split_characters(std::string_view line, LineWords& result) {
  result.words.clear();
  for_each_character_bytes(line, [&](std::string_view character) {
    if (whitespace_at(character, 0) == 0) result.words.push_back(character);
  });
}

constexpr std::pair<const char*, SplitFunction> kPlain[] = {{"13a", split_13a},
                                                            {"intl", split_after<tokenize_intl>},
                                                            {"zh", split_after<tokenize_zh>},
                                                            {"char", split_characters},
                                                            {"none", split_at_white_space}};
constexpr const char* kWithModel[] = {"flores101", "flores200", "spBLEU-1K", "spm"};

std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (const auto& [name, split] : kPlain) names.emplace_back(name);
  names.insert(names.end(), std::begin(kWithModel), std::end(kWithModel));
  return names;
}

[[noreturn]] void refuse(const std::string& name) {
  const std::string allowed = fmt::format("{}", fmt::join(bleu_tokenizer_names(), ", "));
  if (name == "ja-mecab" || name == "ko-mecab") {
    throw UserError(
        fmt::format("--tokenize is {}, which needs MeCab, must be one of {}: char and "
                    "flores200 suit languages without spaces",
                    name, allowed));
  }
  throw UserError(fmt::format("--tokenize is {}, must be one of {}", name, allowed));
}

}  // namespace

const std::vector<std::string>& bleu_tokenizer_names() {
  static const std::vector<std::string> names = all_names();
  return names;
}

std::shared_ptr<const BleuTokenizer> make_bleu_tokenizer(const std::string& name,
                                                         const std::string& model) {
  if (std::find(std::begin(kWithModel), std::end(kWithModel), name) != std::end(kWithModel)) {
    if (!model.empty()) return load_spm_tokenizer(name, model);
    throw UserError(fmt::format(
        "--tokenize is {}, which needs --spm-model: the file of that SentencePiece model", name));
  }
  for (const auto& [plain, split] : kPlain) {
    if (name != plain) continue;
    if (model.empty()) return std::make_shared<PlainTokenizer>(name, split);
    throw UserError(
        fmt::format("--spm-model is {}, but --tokenize is {}, which has no model", model, name));
  }
  refuse(name);
}

}  // namespace xformer
