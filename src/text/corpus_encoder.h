// Text to piece ids on several threads, in the order of the lines and in bounded memory.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "text/corpus_file.h"
#include "text/text_survey.h"
#include "text/tokenizer.h"

namespace xformer {

/// Takes the ids of one pair.
using PairSink =
    std::function<void(std::span<const int32_t> source, std::span<const int32_t> target)>;

/// Hands every pair of two files to `sink`, in order, except those with an empty side or, unless
/// `max_length` is 0, with more pieces than that. Threads take blocks of lines in turn: one reads,
/// the others encode, one at a time writes. Throws what the files, the vocabularies or the sink
/// throw, UserError when a file is no longer what the survey saw, and Stopped.
CorpusNotes encode_pairs(const CorpusFiles& files, const CorpusSurvey& survey,
                         const Vocabulary& vocabulary, int64_t max_length, int64_t threads,
                         const PairSink& sink);

}  // namespace xformer
