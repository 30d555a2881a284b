// The attention of a model over some sentences: a page to explore, or one picture.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace xformer {

/// The weights of one kind of attention: values[((layer * heads + head) * rows + row) * columns +
/// column], where each row adds up to 1.
struct AttentionMaps {
  int64_t layers = 0, heads = 0, rows = 0, columns = 0;
  std::vector<float> values;
};

/// A sentence, its translation, and what was attended to. The decoder reads <s> y1 ... yn and
/// predicts y1 ... yn </s>.
struct SentenceAttention {
  std::string source, translation;
  bool forced = false;  ///< the translation was given, not searched
  std::vector<std::string> source_pieces, read_pieces, predicted_pieces;
  AttentionMaps encoder_self, decoder_self, decoder_source;
};

enum class AttentionKind { kEncoderSelf, kDecoderSelf, kDecoderSource };

/// Which picture to draw, or to show first.
struct AttentionChoice {
  AttentionKind kind = AttentionKind::kDecoderSource;
  int64_t layer = 0;  ///< from 1; 0: the last
  int64_t head = 0;   ///< from 1; 0: the mean of all
};

/// An HTML file with layers and heads to choose from.
std::string attention_page(const std::string& model,
                           const std::vector<SentenceAttention>& sentences,
                           const AttentionChoice& first);

/// An SVG file.
std::string attention_picture(const SentenceAttention& sentence, const AttentionChoice& choice);

}  // namespace xformer
