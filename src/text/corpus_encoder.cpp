#include "text/corpus_encoder.h"

#include <condition_variable>
#include <mutex>
#include <vector>

#include "runtime/error.h"
#include "runtime/stop_signal.h"
#include "runtime/thread_team.h"
#include "text/content_hash.h"
#include "text/line_reader.h"

namespace xformer {
namespace {

constexpr size_t kBlockLines = 2048;

struct Block {
  int64_t number = 0;
  std::vector<std::string> sources, targets;
};

/// The lines of a file, and a hash of the bytes that were read for them.
struct HashedLines {
  LineReader lines;
  ContentHash hash;

  explicit HashedLines(const std::filesystem::path& path) : lines(path) {
    lines.watch_bytes([hash = hash](std::string_view bytes) mutable { hash.update(bytes); });
  }
};

/// Cuts two files into blocks of lines; one caller at a time.
class BlockReader {
 public:
  explicit BlockReader(const CorpusFiles& files)
      : files_(files), source_(files.source), target_(files.target) {}

  /// False at the end.
  bool next(Block& block) {
    const std::lock_guard lock(mutex_);
    leave_if_stopped();
    block.number = blocks_++;
    block.sources.clear();
    block.targets.clear();
    std::string source, target;
    while (block.sources.size() < kBlockLines && source_.lines.next(source) &&
           target_.lines.next(target)) {
      block.sources.push_back(source);
      block.targets.push_back(target);
    }
    return !block.sources.empty();
  }
  const LineOddities& source_oddities() const { return source_.lines.oddities(); }
  const LineOddities& target_oddities() const { return target_.lines.oddities(); }

  /// Call it when all has been read.
  void require_unchanged(const CorpusSurvey& survey) {
    require_unchanged(source_, survey.source_hash, files_.source);
    require_unchanged(target_, survey.target_hash, files_.target);
  }

 private:
  static void require_unchanged(HashedLines& text, const std::string& hash,
                                const std::filesystem::path& path) {
    while (text.lines.skip()) {
    }
    if (text.hash.hex() == hash) return;
    throw UserError(path.string() + " changed while it was read, must stay as it is");
  }

  const CorpusFiles& files_;
  std::mutex mutex_;
  HashedLines source_, target_;
  int64_t blocks_ = 0;
};

/// Lets the threads write one after the other, in the order of their blocks.
class Turns {
 public:
  /// Calls `body` when all blocks before `number` are done; not at all after a failure.
  template <class Body>
  void take(int64_t number, Body body) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return failed_ || next_ == number; });
    if (failed_) return;
    body();
    ++next_;
    changed_.notify_all();
  }
  void fail() {
    const std::lock_guard lock(mutex_);
    failed_ = true;
    changed_.notify_all();
  }
  bool failed() {
    const std::lock_guard lock(mutex_);
    return failed_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int64_t next_ = 0;
  bool failed_ = false;
};

class PairEncoder {
 public:
  PairEncoder(const CorpusFiles& files, const Vocabulary& vocabulary, int64_t max_length,
              const PairSink& sink)
      : reader_(files),
        vocabulary_(vocabulary),
        max_length_(static_cast<size_t>(max_length)),
        sink_(sink) {}

  CorpusNotes run(const CorpusSurvey& survey, int64_t threads) {
    ThreadTeam(threads).run([&](int64_t) { work(); });
    leave_if_stopped();  // the last block may have been cut short
    reader_.require_unchanged(survey);
    return {.counts = counts_,
            .source_oddities = reader_.source_oddities(),
            .target_oddities = reader_.target_oddities()};
  }

 private:
  void work() {
    try {
      for (Block block; !turns_.failed() && reader_.next(block);) encode(block);
    } catch (...) {
      turns_.fail();
      throw;
    }
  }

  void encode(const Block& block) {
    PairTable kept;
    CorpusCounts counts;
    for (size_t i = 0; i < block.sources.size(); ++i) {
      const auto source = vocabulary_.source.encode(block.sources[i]);
      const auto target = vocabulary_.target.encode(block.targets[i]);
      ++counts.read;
      if (source.empty() || target.empty()) {
        ++counts.dropped_empty;
      } else if (max_length_ > 0 && std::max(source.size(), target.size()) > max_length_) {
        ++counts.dropped_too_long;
      } else {
        kept.add(source, target);
        ++counts.kept;
      }
    }
    turns_.take(block.number, [&] { write(kept.rows(), counts); });
  }

  void write(const PairRows& rows, const CorpusCounts& counts) {
    for (int64_t i = 0; i < rows.pairs(); ++i) sink_(rows.row(2 * i), rows.row(2 * i + 1));
    counts_.read += counts.read;
    counts_.kept += counts.kept;
    counts_.dropped_empty += counts.dropped_empty;
    counts_.dropped_too_long += counts.dropped_too_long;
  }

  BlockReader reader_;
  const Vocabulary& vocabulary_;
  size_t max_length_;
  const PairSink& sink_;
  Turns turns_;
  CorpusCounts counts_;
};

}  // namespace

CorpusNotes encode_pairs(const CorpusFiles& files, const CorpusSurvey& survey,
                         const Vocabulary& vocabulary, int64_t max_length, int64_t threads,
                         const PairSink& sink) {
  return PairEncoder(files, vocabulary, max_length, sink).run(survey, threads);
}

}  // namespace xformer
