#include "report/attention_page.h"

#include <fmt/format.h>

#include <bit>
#include <nlohmann/json.hpp>
#include <span>

#include "report/assets.h"
#include "report/base64.h"
#include "report/heat_map.h"
#include "report/page.h"

namespace xformer {
namespace {

using Json = nlohmann::ordered_json;

// A page holds the weights in the byte order of the machines that open it.
static_assert(std::endian::native == std::endian::little);

const AttentionMaps& maps_of(const SentenceAttention& sentence, AttentionKind kind) {
  switch (kind) {
    case AttentionKind::kEncoderSelf:
      return sentence.encoder_self;
    case AttentionKind::kDecoderSelf:
      return sentence.decoder_self;
    default:
      return sentence.decoder_source;
  }
}

/// What rows and columns are, in words and in pieces.
struct Sides {
  const char *title, *row_title, *column_title;
  const std::vector<std::string>&rows, &columns;
};

Sides sides_of(const SentenceAttention& sentence, AttentionKind kind) {
  switch (kind) {
    case AttentionKind::kEncoderSelf:
      return {"Encoder self-attention", "from source piece", "to source piece",
              sentence.source_pieces, sentence.source_pieces};
    case AttentionKind::kDecoderSelf:
      return {"Decoder self-attention", "from piece read", "to piece read", sentence.read_pieces,
              sentence.read_pieces};
    default:
      return {"Decoder-source attention", "piece predicted", "to source piece",
              sentence.predicted_pieces, sentence.source_pieces};
  }
}

/// All layers and heads of one kind, the bytes of its floats.
Json packed(const AttentionMaps& maps) {
  return {{"rows", maps.rows},
          {"columns", maps.columns},
          {"values", base64(std::as_bytes(std::span(maps.values)))}};
}

Json packed(const SentenceAttention& sentence) {
  return {{"source", sentence.source},
          {"translation", sentence.translation},
          {"forced", sentence.forced},
          {"source_pieces", sentence.source_pieces},
          {"read_pieces", sentence.read_pieces},
          {"predicted_pieces", sentence.predicted_pieces},
          {"maps",
           {packed(sentence.encoder_self), packed(sentence.decoder_self),
            packed(sentence.decoder_source)}}};
}

/// One head's weights, or the mean of all heads of a layer; layer and head count from 1.
std::vector<float> weights_of(const AttentionMaps& maps, int64_t layer, int64_t head) {
  const int64_t size = maps.rows * maps.columns;
  const float* first = maps.values.data() + (layer - 1) * maps.heads * size;
  if (head > 0) return {first + (head - 1) * size, first + head * size};
  std::vector<float> mean(size);
  for (int64_t i = 0; i < maps.heads * size; ++i) {
    mean[i % size] += first[i] / static_cast<float>(maps.heads);
  }
  return mean;
}

}  // namespace

std::string attention_page(const std::string& model,
                           const std::vector<SentenceAttention>& sentences,
                           const AttentionChoice& first) {
  const auto& maps = sentences.front().encoder_self;
  Json data{{"model", model},
            {"layers", maps.layers},
            {"heads", maps.heads},
            {"first",
             {{"kind", static_cast<int>(first.kind)},
              {"layer", first.layer == 0 ? maps.layers : first.layer},
              {"head", first.head}}},
            {"sentences", Json::array()}};
  for (const auto& sentence : sentences) data["sentences"].push_back(packed(sentence));
  const std::string body =
      "<main id=\"attention\"><noscript>This page draws with JavaScript, which is switched off "
      "here.</noscript></main>\n" +
      data_element("attention-data", data);
  return html_file(
      {.title = "Attention of " + model, .body = body, .scripts = {kNumbersJs, kAttentionJs}});
}

std::string attention_picture(const SentenceAttention& sentence, const AttentionChoice& choice) {
  const auto& maps = maps_of(sentence, choice.kind);
  const auto sides = sides_of(sentence, choice.kind);
  const int64_t layer = choice.layer == 0 ? maps.layers : choice.layer;
  const std::string head = choice.head == 0 ? fmt::format("mean of {} heads", maps.heads)
                                            : fmt::format("head {}", choice.head);
  // Long sentences get smaller cells, down to what still lets labels be read.
  const double cell = std::clamp(900.0 / static_cast<double>(maps.columns), 13.0, 26.0);
  const HeatMap map{.title = fmt::format("{}, layer {}, {}", sides.title, layer, head),
                    .x_title = sides.column_title,
                    .y_title = sides.row_title,
                    .columns = sides.columns,
                    .rows = sides.rows,
                    .values = weights_of(maps, layer, choice.head),
                    .cell_width = cell,
                    .cell_height = cell,
                    .slanted = true,
                    .scale_title = "attention weight",
                    .values_in_titles = true};
  return svg_file(draw(map), map.title);
}

}  // namespace xformer
