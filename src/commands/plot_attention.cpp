#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <optional>

#include "commands/compute.h"
#include "commands/plot.h"
#include "commands/plot_output.h"
#include "data/batch.h"
#include "decode/plain_decoder.h"
#include "decode/translator.h"
#include "formats/stored_model.h"
#include "model/attention_weights.h"
#include "report/attention_page.h"
#include "runtime/error.h"
#include "runtime/log.h"
#include "runtime/stop_signal.h"
#include "storage/model_folder.h"
#include "text/line_reader.h"

namespace xformer {
namespace {

/// A page with more would be slow to open.
constexpr int64_t kMostSentences = 100, kMostWeights = 40'000'000;

struct Sentence {
  int64_t line = 0;  ///< from 1
  std::string source;
  std::optional<std::string> translation{};
};

std::vector<std::string> lines_of(LineReader reader) {
  auto lines = reader.rest();
  reader.warn_of_oddities();
  return lines;
}

std::vector<std::string> source_lines(const PlotAttentionOptions& options) {
  if (!options.sentences.empty()) return options.sentences;
  return lines_of(options.source.empty() ? LineReader(STDIN_FILENO, "standard input")
                                         : LineReader(std::filesystem::path(options.source)));
}

std::vector<std::string> target_lines(const PlotAttentionOptions& options) {
  if (options.target.empty()) return options.translations;
  return lines_of(LineReader(std::filesystem::path(options.target)));
}

/// What is to be drawn, blank lines apart.
std::vector<Sentence> sentences_of(const PlotAttentionOptions& options) {
  const auto sources = source_lines(options), targets = target_lines(options);
  if (!targets.empty() && targets.size() != sources.size()) {
    throw UserError(
        fmt::format("there are {} sentences and {} translations, the numbers must be the same",
                    sources.size(), targets.size()));
  }
  std::vector<Sentence> sentences;
  for (size_t i = 0; i < sources.size(); ++i) {
    if (sources[i].find_first_not_of(" \t") == std::string::npos) continue;
    sentences.push_back({.line = static_cast<int64_t>(i) + 1, .source = sources[i]});
    if (!targets.empty()) sentences.back().translation = targets[i];
  }
  if (sentences.empty()) throw UserError("there is no sentence to draw");
  if (std::ssize(sentences) > kMostSentences) {
    throw UserError(fmt::format("there are {} sentences, a page holds at most {}", sentences.size(),
                                kMostSentences));
  }
  if (const auto blank = sources.size() - sentences.size()) {
    spdlog::warn("{} of {} lines are blank and left out", blank, sources.size());
  }
  return sentences;
}

AttentionChoice choice_of(const PlotAttentionOptions& options, const ModelConfig& model) {
  const auto& side = options.kind == "encoder-self" ? model : model.of_decoder();
  if (options.layer > side.N) {
    throw UserError(fmt::format("--layer is {}, must be from 1 to {}", options.layer, side.N));
  }
  if (options.head > side.h) {
    throw UserError(fmt::format("--head is {}, must be from 1 to {}", options.head, side.h));
  }
  const auto kind = options.kind == "encoder-self"   ? AttentionKind::kEncoderSelf
                    : options.kind == "decoder-self" ? AttentionKind::kDecoderSelf
                                                     : AttentionKind::kDecoderSource;
  return {.kind = kind, .layer = options.layer, .head = options.head};
}

/// A page offers the same layers and heads of every kind of attention.
void require_equal_stacks(const std::string& output, const ModelConfig& encoder) {
  const ModelConfig decoder = encoder.of_decoder();
  if (decoder.N == encoder.N && decoder.h == encoder.h) return;
  throw UserError(fmt::format(
      "--output {}: a page shows encoders and decoders of one size, but this encoder "
      "has {} layers of {} heads and the decoder {} of {}; an .svg file shows any layer",
      output, encoder.N, encoder.h, decoder.N, decoder.h));
}

/// The pieces of one side as a picture's labels, with what the model adds around them.
std::vector<std::string> labels(const Tokenizer& tokenizer, const std::vector<int32_t>& ids,
                                std::optional<int32_t> first, std::optional<int32_t> last) {
  std::vector<std::string> pieces;
  if (first) pieces.push_back(tokenizer.piece(*first));
  for (int32_t id : ids) pieces.push_back(tokenizer.piece(id));
  if (last) pieces.push_back(tokenizer.piece(*last));
  return pieces;
}

/// One tensor (1, h, rows, columns) a layer, as plain numbers.
AttentionMaps maps_of(const std::vector<torch::Tensor>& layers) {
  const auto all = torch::cat(layers).to(torch::kFloat32).contiguous().cpu();
  const float* first = all.const_data_ptr<float>();
  return {.layers = all.size(0),
          .heads = all.size(1),
          .rows = all.size(2),
          .columns = all.size(3),
          .values = {first, first + all.numel()}};
}

class AttentionReader {
 public:
  AttentionReader(const PlotAttentionOptions& options, torch::Device device)
      : loaded_(load_model(options.model, device)),
        vocabulary_(with_language(loaded_.vocabulary, options.decoding)),
        device_(device),
        decoder_(loaded_.model, device, decoder_tokens(options.decoding, loaded_.config)),
        translator_({&decoder_}, vocabulary_,
                    translator_options(options.decoding, loaded_.config)) {}

  std::vector<SentenceAttention> read(const std::vector<Sentence>& sentences) {
    std::vector<SentenceAttention> all;
    for (const auto& sentence : sentences) {
      all.push_back(read(sentence));
      const auto& last = all.back();
      weights_ += std::ssize(last.encoder_self.values) + std::ssize(last.decoder_self.values) +
                  std::ssize(last.decoder_source.values);
      if (weights_ > kMostWeights) {
        throw UserError(fmt::format(
            "the sentences up to number {} have {} weights, a page holds at most {}: give fewer "
            "or shorter ones",
            sentence.line, weights_, kMostWeights));
      }
      if (stop_requested()) break;
    }
    return all;
  }

 private:
  SentenceAttention read(const Sentence& sentence) {
    const auto source = encode(vocabulary_.source, sentence.source, "sentence", sentence.line);
    const bool forced = sentence.translation.has_value();
    std::string translation = sentence.translation.value_or("");
    std::vector<int32_t> target;
    if (forced) {
      target = encode(vocabulary_.target, translation, "translation", sentence.line);
    } else {
      const auto found = translator_.translate({sentence.source})[0];
      if (found.texts.empty()) return {};  // a stop signal came
      target = found.hypotheses[0].ids;
      translation = found.texts[0];
    }
    PairTable pair;
    pair.add(source, target);
    constexpr std::array<PairIndex, 1> kOnlyOne = {0};
    const auto batch =
        make_batch(ParallelCorpus(std::move(pair)), kOnlyOne, vocabulary_.tokens, device_);
    const auto weights =
        attention_weights(loaded_.model, batch.src, batch.tgt, batch.src_mask, batch.tgt_mask);
    const auto& tokens = vocabulary_.tokens;
    return {.source = sentence.source,
            .translation = translation,
            .forced = forced,
            .source_pieces = labels(vocabulary_.source, source, std::nullopt, tokens.eos),
            .read_pieces = labels(vocabulary_.target, target, tokens.decoder_start, std::nullopt),
            .predicted_pieces = labels(vocabulary_.target, target, std::nullopt, tokens.eos),
            .encoder_self = maps_of(weights.encoder_self),
            .decoder_self = maps_of(weights.decoder_self),
            .decoder_source = maps_of(weights.decoder_source)};
  }

  std::vector<int32_t> encode(const Tokenizer& tokenizer, const std::string& text, const char* what,
                              int64_t number) const {
    auto ids = tokenizer.encode(text);
    const int64_t most = loaded_.config.data.max_length;
    if (std::ssize(ids) <= most) return ids;
    throw UserError(fmt::format("{} {} has {} pieces, must have at most {} (data.max_length)", what,
                                number, ids.size(), most));
  }

  LoadedModel loaded_;
  Vocabulary vocabulary_;
  torch::Device device_;
  PlainDecoder decoder_;
  Translator translator_;
  int64_t weights_ = 0;
};

}  // namespace

int run_plot_attention(const PlotAttentionOptions& given) {
  auto options = given;
  options.model = model_folder_or_default(options.model);
  const auto format = picture_format(options.output, {".html", ".svg"});
  const auto config = read_model_config(options.model);
  const auto choice = choice_of(options, config.model);
  translator_options(options.decoding, config);
  if (format == ".html") require_equal_stacks(options.output, config.model);
  const auto sentences = sentences_of(options);
  if (format == ".svg" && sentences.size() > 1) {
    throw UserError(fmt::format(
        "--output {} holds one picture, but there are {} sentences; an .html file holds all",
        options.output, sentences.size()));
  }
  AttentionReader reader(options, start_compute(options.common));
  const auto attention = reader.read(sentences);
  if (stop_requested()) return 128 + stop_signal();
  write_picture(options.output, format == ".html" ? attention_page(options.model, attention, choice)
                                                  : attention_picture(attention[0], choice));
  return 0;
}

}  // namespace xformer
