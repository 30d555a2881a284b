// Corpus BLEU as sacreBLEU computes it (Papineni et al. 2002; Post 2018).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace xformer {

inline constexpr int kBleuOrder = 4;

struct BleuOptions {
  bool lowercase = false;
};

/// Sums over a corpus from which the score follows.
struct BleuCounts {
  std::array<int64_t, kBleuOrder> correct{}, total{};
  int64_t hypothesis_length = 0, reference_length = 0;
};

struct BleuScore {
  double score = 0;                             ///< 0 to 100
  std::array<double, kBleuOrder> precisions{};  ///< 0 to 100
  double brevity_penalty = 0;
  BleuCounts counts;
};

/// Counts of one line against its references (13a tokens), of which there is at least one. The text
/// is UTF-8.
BleuCounts count_line(std::string_view hypothesis, const std::vector<std::string_view>& references,
                      const BleuOptions& options);
BleuCounts& operator+=(BleuCounts& sum, const BleuCounts& line);

/// The score of summed counts, exponential smoothing, no effective order.
BleuScore bleu(const BleuCounts& counts);

/// hypotheses[i] against references[r][i]; every reference set has as many lines as there are
/// hypotheses.
BleuScore corpus_bleu(const std::vector<std::string>& hypotheses,
                      const std::vector<std::vector<std::string>>& references,
                      const BleuOptions& options = {});

/// What follows the score in sacreBLEU's line:
/// "71.2/48.0/34.1/24.6 (BP = 1.000 ratio = 1.003 hyp_len = 12 ref_len = 11)".
std::string bleu_details(const BleuScore& score);
/// One line as sacreBLEU prints it: "BLEU = 40.85 " and the details. With a signature it is the
/// line of sacreBLEU's command: "BLEU|nrefs:1|... = 40.85 ".
std::string to_string(const BleuScore& score, std::string_view signature = {}, int decimals = 2);

/// What makes the score comparable: keys and values in sacreBLEU's form. The version names this
/// program and the sacreBLEU whose figures it gives:
/// "nrefs:1|case:mixed|...|version:xformer-1.2.3-as-sacrebleu-2.6.0".
std::string bleu_signature(size_t references, const BleuOptions& options);

}  // namespace xformer
