// Trains a SentencePiece vocabulary on the training text alone.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "config/config.h"
#include "text/tokenizer.h"
#include "text/training_text.h"

namespace xformer {

/// Trains on the lines of `text`, read as LineReader reads them. The model is a function of text
/// and configuration, byte for byte; for unigram also of `threads`, whose sums are rounded in
/// another order (bpe trains with one thread).
///
/// Every character of the text gets a piece. Only when there are more characters than `config.size`
/// has room for, the rarest that make up 0.05 % of the text are left out, with a warning. Of more
/// than 5 million lines, about that many are drawn at random, the same ones each time. Lines longer
/// than 4,000 bytes are cut, at spaces where there are any, and counted in a warning: nothing is
/// skipped. SentencePiece's own log is silenced.
///
/// Throws UserError, in plain words, when the text cannot give a vocabulary of that size (naming
/// the size that it can give), has no line with a visible character, or `config.normalization` is
/// not a rule of SentencePiece's; Stopped while text is read. A stop signal that comes later ends
/// the process at once: SentencePiece's trainer cannot be interrupted, and nothing is lost.
Tokenizer train_tokenizer(const TrainingFiles& text, const VocabularyConfig& config,
                          int64_t threads);

/// The same from lines in memory, all of which are used: `next_line` fills its argument, or returns
/// false at the end. `origin` names the text in errors. Without room for all characters it throws
/// UserError.
Tokenizer train_tokenizer(const std::function<bool(std::string&)>& next_line,
                          const std::string& origin, const VocabularyConfig& config,
                          int64_t threads);

}  // namespace xformer
