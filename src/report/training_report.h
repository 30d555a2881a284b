// The page that tells how a training goes, while it goes.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "config/config.h"
#include "text/length_batches.h"
#include "text/parallel_corpus.h"

namespace xformer {

/// What is known of a training before its first update.
struct TrainingFacts {
  std::string model;    ///< its folder, as the user named it
  Config config;        ///< resolved
  std::string compute;  ///< "bfloat16 on cpu, 2 threads"
  int64_t parameters = 0, expected_updates = 0, batches_an_epoch = 0;
  double padding_share = 0;           ///< of all target positions
  CorpusCounts pairs{};               ///< what was read, kept and dropped
  std::vector<PairLength> lengths{};  ///< of the pairs kept, bos or eos included
};

struct TrainingProgress {
  enum class State { kRunning, kStopped, kFinished };
  State state = State::kRunning;
  int64_t updates = 0, epoch = 0;  ///< epochs count from 0
  std::chrono::duration<double> left{0};
  std::string result{};  ///< what is in the model folder in the end, a sentence
};

/// Keeps training/report.html of a model folder up to date, from metrics.jsonl beside it.
class TrainingReport {
 public:
  TrainingReport(std::filesystem::path training_folder, TrainingFacts facts);

  /// Writes the page. Of a running training it passes over some versions, so that writing takes no
  /// more than a fiftieth of the time. The page is never seen half written. That it cannot be
  /// written is worth a warning, no more.
  void update(const TrainingProgress& progress);

  std::filesystem::path path() const { return folder_ / "report.html"; }

 private:
  std::filesystem::path folder_;
  TrainingFacts facts_;
  std::string facts_section_;  ///< the same for every version
  std::chrono::steady_clock::time_point not_before_{};
};

}  // namespace xformer
