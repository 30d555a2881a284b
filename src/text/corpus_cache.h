// Encodes a text once, on all threads, and finds it again.
#pragma once

#include <filesystem>

#include "text/parallel_corpus.h"
#include "text/text_survey.h"
#include "text/tokenizer.h"

namespace xformer {

/// Makes the folder and removes what killed writers left in it. Throws UserError.
void make_cache_folder(const std::filesystem::path& folder);

/// How a text becomes pairs, and where they are kept.
struct EncodingOptions {
  std::filesystem::path cache;  ///< an existing folder
  int64_t max_length = 0;       ///< pieces a side; 0: any
  int64_t threads = 1;
};

/// The pairs of two files. They are read and encoded only when the cache has nothing for these
/// contents, vocabularies and options, or what it has is damaged; otherwise they are mapped from it
/// at once. The result does not depend on the number of threads. A pair is dropped, and counted,
/// when a side has no piece or more than max_length of them. The log says what was read, kept and
/// dropped, and what was odd about the bytes, with a warning when more than a tenth was dropped.
/// Throws UserError when no pair is left, RunError when the cache cannot be written, and Stopped.
ParallelCorpus load_corpus(const CorpusFiles& files, const CorpusSurvey& survey,
                           const Vocabulary& vocabulary, const EncodingOptions& options);

}  // namespace xformer
