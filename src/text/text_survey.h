// What one pass over training text tells, before any work starts.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace xformer {

/// Two files, line i of one being the translation of line i of the other.
struct CorpusFiles {
  std::filesystem::path source, target;
  /// "train.de and train.en"
  std::string names() const { return source.string() + " and " + target.string(); }
};

/// Of one file: the lines that LineReader finds, and a hash of its bytes as they lie on the disk.
struct TextSurvey {
  int64_t lines = 0;
  std::string hash;
};

/// Throws as LineReader does, UserError for a pipe, whose lines could not be read again, and
/// Stopped.
TextSurvey survey_text(const std::filesystem::path& path);

struct CorpusSurvey {
  int64_t lines = 0;                     ///< of each side
  std::string source_hash, target_hash;  ///< of the files' contents
};

/// Reads both files at the same time. Throws UserError unless they have as many lines as each other
/// (naming both counts), and at least one.
CorpusSurvey survey_corpus(const CorpusFiles& files);

/// One hash of several in their order.
std::string combined_hash(const std::vector<std::string>& hashes);

}  // namespace xformer
