#include "formats/marian_architecture.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <tuple>

#include "config/json_text.h"
#include "runtime/error.h"

namespace xformer {
namespace {

/// Options of which one value alone is understood, and what they are for.
struct OnlyOption {
  const char *key, *value, *meaning;
};

constexpr OnlyOption kOnlyOptions[] = {
    {"type", "transformer", "the Transformer with one encoder"},
    {"transformer-ffn-depth", "2", "two matrices in a feed-forward layer"},
    {"transformer-no-projection", "false", "a projection behind attention"},
    {"transformer-no-bias", "false", "biases in linear layers"},
    {"transformer-no-affine", "false", "gains and biases in layer norms"},
    {"transformer-train-position-embeddings", "false", "computed positions"},
    {"transformer-train-positions", "false", "computed positions"},
    {"transformer-disable-position-embeddings", "false", "positions added to embeddings"},
    {"transformer-attention-mask", "default", "plain attention"},
    {"transformer-pool", "false", "attention to the whole source"},
    {"transformer-tied-layers", "", "layers that have weights of their own"},
    {"ulr", "false", "embeddings of its own"},
    {"right-left", "false", "writing from left to right"},
    {"lemma-dim-emb", "0", "a vocabulary without factors"},
    {"factors-dim-emb", "0", "a vocabulary without factors"},
};

class ArchitectureReader {
 public:
  ArchitectureReader(const MarianOptions& options, const std::string& name)
      : options_(options), name_(name) {}

  ModelConfig read() const {
    check_decoder();
    for (const auto& only : kOnlyOptions) check(only);
    ModelConfig model;
    model.d_model = whole("dim-emb", 512);
    model.N = whole("enc-depth", 1);
    model.h = whole("transformer-heads", 8);
    model.d_ff = whole("transformer-dim-ffn", 2048);
    const int64_t depth = whole("dec-depth", 1),
                  width = whole_or_zero("transformer-decoder-dim-ffn");
    if (depth != model.N) model.N_decoder = depth;
    if (width != 0 && width != model.d_ff) model.d_ff_decoder = width;
    if (model.d_model % 2 != 0) refuse("dim-emb", "even: positions are sines and cosines");
    if (model.d_model % model.h != 0) {
      refuse("transformer-heads",
             "a divisor of dim-emb, which is " + std::to_string(model.d_model));
    }
    model.activation = activation();
    model.norm_epsilon = 1e-6;
    model.positions = Positions::kHalvesMarian;
    model.tie_embeddings = ties();
    model.generator_bias = !flag("output-omit-bias");
    set_norms(model);
    return model;
  }

 private:
  [[noreturn]] void refuse(const std::string& key, const std::string& rule) const {
    const auto found = options_.find(key);
    std::string seen = found == options_.end() ? "missing" : "\"";
    if (found != options_.end()) {
      for (const auto& value : found->second) seen += (seen == "\"" ? "" : ", ") + value;
      seen += '"';
    }
    throw UserError(name_ + ": " + key + " is " + seen + ", must be " + rule);
  }

  std::string text(const std::string& key, const std::string& otherwise) const {
    const auto found = options_.find(key);
    if (found != options_.end() && found->second.size() > 1) refuse(key, "one value");
    return marian_option(options_, key, otherwise);
  }

  int64_t whole_or_zero(const std::string& key) const {
    const auto value = text(key, "0");
    int64_t number = -1;
    const auto [rest, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc() || rest != value.data() + value.size() || number < 0 ||
        number > 1'000'000) {
      refuse(key, "a whole number from 1 to 1000000");
    }
    return number;
  }
  int64_t whole(const std::string& key, int64_t otherwise) const {
    if (!options_.contains(key)) return otherwise;
    const int64_t number = whole_or_zero(key);
    if (number == 0) refuse(key, "a whole number from 1 to 1000000");
    return number;
  }

  bool flag(const std::string& key) const {
    const auto value = text(key, "false");
    if (value != "true" && value != "false") refuse(key, "true or false");
    return value == "true";
  }

  /// The small models of Firefox and Bergamot, which their makers distilled.
  void check_decoder() const {
    const char* key = "transformer-decoder-autoreg";
    if (text(key, "self-attention") == "self-attention") return;
    refuse(key, "\"self-attention\": this is a student whose decoder (dec-cell " +
                    text("dec-cell", "unknown") +
                    ") is no Transformer's; import the model.npz of its teacher instead");
  }

  void check(const OnlyOption& only) const {
    const auto value = text(only.key, only.value);
    if (value != only.value) {
      refuse(only.key, '"' + std::string(only.value) + "\" (" + only.meaning + ")");
    }
    if (whole_or_zero("transformer-decoder-ffn-depth") % 2 != 0 ||
        whole_or_zero("transformer-decoder-ffn-depth") > 2) {
      refuse("transformer-decoder-ffn-depth",
             "\"0\" or \"2\" (two matrices in a feed-forward layer)");
    }
  }

  /// (1, 12, 2) of "v1.12.2 ...".
  std::tuple<int, int, int> version() const {
    int major = 0, minor = 0, patch = 0;
    std::sscanf(text("version", "").c_str(), "v%d.%d.%d", &major, &minor, &patch);
    return {major, minor, patch};
  }

  Activation activation() const {
    const auto name = text("transformer-ffn-activation", "swish");
    if (name == "relu") return Activation::kRelu;
    if (name == "swish") return Activation::kSwish;
    if (name != "gelu") refuse("transformer-ffn-activation", "\"relu\", \"swish\" or \"gelu\"");
    if (version() == std::tuple(0, 0, 0)) {
      refuse("version", "that of the Marian that trained the model: what gelu means depends on it");
    }
    return version() <= std::tuple(1, 12, 2) ? Activation::kGeluSigmoid : Activation::kGelu;
  }

  TieEmbeddings ties() const {
    const bool all = flag("tied-embeddings-all"), output = flag("tied-embeddings"),
               source = flag("tied-embeddings-src");
    if (all || (output && source)) return TieEmbeddings::kAll;
    if (output) return TieEmbeddings::kDecoder;
    return source ? TieEmbeddings::kSourceTarget : TieEmbeddings::kNone;
  }

  /// Letters of a chain of operations; those of dropout mean nothing after training.
  std::string operations(const std::string& key, const std::string& otherwise) const {
    auto letters = text(key, otherwise);
    std::erase(letters, 'd');
    return letters;
  }

  void set_norms(ModelConfig& model) const {
    const auto before = operations("transformer-preprocess", ""),
               behind = operations("transformer-postprocess", "dan"),
               top = operations("transformer-postprocess-top", "");
    if (!operations("transformer-postprocess-emb", "d").empty()) {
      refuse("transformer-postprocess-emb", "\"d\" (nothing but dropout behind the embeddings)");
    }
    if (before.empty() && behind == "an") {
      model.norm = NormPlacement::kPost;
      if (!top.empty())
        refuse("transformer-postprocess-top", "\"\" with transformer-postprocess \"dan\"");
      return;
    }
    if (before != "n" && !before.empty()) refuse("transformer-preprocess", "\"\" or \"n\"");
    if (before.empty() || behind != "a") {
      refuse("transformer-postprocess", "\"dan\", or \"da\" with transformer-preprocess \"n\"");
    }
    // The version that brought this option is also the first whose keys and values of
    // self-attention see the norm.
    if (!options_.contains("transformer-postprocess-top")) {
      refuse("transformer-postprocess-top",
             "there with transformer-preprocess \"n\": before Marian 1.10 keys and values were "
             "left without a norm");
    }
    if (top != "n" && !top.empty()) refuse("transformer-postprocess-top", "\"n\" or \"\"");
    model.norm = NormPlacement::kPre;
    if (top.empty()) model.final_norm = false;
  }

  const MarianOptions& options_;
  const std::string& name_;
};

}  // namespace

ModelConfig marian_architecture(const MarianOptions& options, const std::string& name) {
  return ArchitectureReader(options, name).read();
}

std::string marian_option(const MarianOptions& options, const std::string& key,
                          const std::string& otherwise) {
  const auto found = options.find(key);
  if (found == options.end()) return otherwise;
  return found->second.empty() ? "" : found->second.front();
}

}  // namespace xformer
