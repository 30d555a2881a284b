#include "formats/marian_npz.h"

#include <algorithm>
#include <set>

#include "config/json_text.h"
#include "formats/imported_model.h"
#include "formats/marian_architecture.h"
#include "formats/marian_vocabulary.h"
#include "formats/model_tensors.h"
#include "formats/npz.h"
#include "runtime/error.h"

namespace xformer {
namespace {

namespace fs = std::filesystem;

constexpr const char* kOptionsArray = "special:model.yml";

/// Parts of a layer there, of which weights and biases are named apart.
struct MarianPart {
  const char *ours, *weight, *bias;
};

constexpr MarianPart kMarianParts[] = {
    {"self_attn.w_q", "self_Wq", "self_bq"},
    {"self_attn.w_k", "self_Wk", "self_bk"},
    {"self_attn.w_v", "self_Wv", "self_bv"},
    {"self_attn.w_o", "self_Wo", "self_bo"},
    {"src_attn.w_q", "context_Wq", "context_bq"},
    {"src_attn.w_k", "context_Wk", "context_bk"},
    {"src_attn.w_v", "context_Wv", "context_bv"},
    {"src_attn.w_o", "context_Wo", "context_bo"},
    {"feed_forward.w_1", "ffn_W1", "ffn_b1"},
    {"feed_forward.w_2", "ffn_W2", "ffn_b2"},
    {"attn_sublayer.norm", "self_Wo_ln_scale", "self_Wo_ln_bias"},
    {"self_sublayer.norm", "self_Wo_ln_scale", "self_Wo_ln_bias"},
    {"src_sublayer.norm", "context_Wo_ln_scale", "context_Wo_ln_bias"},
    {"ff_sublayer.norm", "ffn_ffn_ln_scale", "ffn_ffn_ln_bias"},
};

/// What an array is called there, and how its numbers lie.
struct MarianArray {
  std::string name;
  bool transposed = false;  ///< [in, out]
  int64_t rows = 0;         ///< of a vocabulary, without those that are appended; else 0
};

class MarianReader {
 public:
  explicit MarianReader(const fs::path& file) : file_(file), arrays_(read_npz(file)) {
    options_ = read_options();
    model_ = marian_architecture(options_, file.string());
  }

  LoadedModel read() {
    const auto vocabulary = read_marian_vocabularies(file_);
    rows_ = vocabulary.rows;
    std::map<std::string, torch::Tensor> weights;
    for (const auto& tensor : tensors_of(model_, sizes_of(vocabulary.vocabulary))) {
      weights[tensor.name()] = take(tensor);
    }
    refuse_rest();
    return make_imported_model({.model = model_,
                                .decoding = vocabulary.decoding,
                                .origin = {.format = "marian npz",
                                           .name = file_.filename().string(),
                                           .version = marian_option(options_, "version", ""),
                                           .notes = vocabulary.notes},
                                .vocabulary = vocabulary.vocabulary,
                                .separate_maps = vocabulary.separate,
                                .languages = vocabulary.languages,
                                .weights = std::move(weights)});
  }

 private:
  /// Text in an array of bytes that ends with one NUL, or with several.
  MarianOptions read_options() const {
    const auto found = arrays_.find(kOptionsArray);
    if (found == arrays_.end() || found->second.scalar_type() != torch::kInt8) {
      throw UserError(file_.string() + ": has no " + kOptionsArray +
                      ", must be a model that Marian saved");
    }
    const auto* bytes = static_cast<const char*>(found->second.const_data_ptr());
    const std::string_view text(bytes, static_cast<size_t>(found->second.numel()));
    return read_marian_options(text.substr(0, text.find('\0')),
                               file_.string() + ": " + kOptionsArray);
  }

  MarianArray array_of(const ModelTensor& tensor) const {
    const bool weight = tensor.kind == "weight";
    if (tensor.part == "generator") {
      if (!weight) return {.name = "decoder_ff_logit_out_b", .rows = rows_.target};
      const bool old = arrays_.contains("decoder_ff_logit_out_W");
      return {.name = old ? "decoder_ff_logit_out_W" : "decoder_ff_logit_out_Wt",
              .transposed = old,
              .rows = rows_.target};
    }
    if (tensor.part == "src_embed.lut") return {.name = "encoder_Wemb", .rows = rows_.source};
    if (tensor.part == "tgt_embed.lut") {
      return {.name = model_.ties_source() ? "Wemb" : "decoder_Wemb", .rows = rows_.target};
    }
    if (tensor.part == "norm") {
      return {.name = tensor.stack + (weight ? "_top_ln_scale" : "_top_ln_bias")};
    }
    const auto* part = std::ranges::find_if(
        kMarianParts, [&](const MarianPart& known) { return tensor.part == known.ours; });
    const bool norm = tensor.part.ends_with(".norm");
    return {.name = tensor.stack + "_l" + std::to_string(tensor.layer + 1) + "_" +
                    (weight ? part->weight : part->bias) +
                    (norm && model_.norm == NormPlacement::kPre ? "_pre" : ""),
            .transposed = weight && !norm};
  }

  torch::Tensor take(const ModelTensor& wanted) {
    const auto array = array_of(wanted);
    const auto found = arrays_.find(array.name);
    if (found == arrays_.end()) throw UserError(file_.string() + ": has no array " + array.name);
    taken_.insert(array.name);
    auto shape = wanted.shape;
    if (array.rows > 0) shape.front() = array.rows;
    const auto numbers = oriented(found->second, array, shape);
    if (array.rows == 0) return numbers;
    auto padded = torch::zeros(wanted.shape);
    padded.narrow(0, 0, array.rows).copy_(numbers);
    return padded;
  }

  /// The array in float32 and of `shape`; there, vectors are rows.
  torch::Tensor oriented(const torch::Tensor& found, const MarianArray& array,
                         const std::vector<int64_t>& shape) const {
    auto there = shape;
    if (there.size() == 1) there.insert(there.begin(), 1);
    if (array.transposed) std::swap(there[0], there[1]);
    if (found.sizes() != there) {
      throw UserError(file_.string() + ": array " + array.name + " has the shape " +
                      c10::str(found.sizes()) + ", its options and vocabulary want " +
                      c10::str(c10::IntArrayRef(there)));
    }
    if (found.scalar_type() == torch::kInt8) {
      throw UserError(file_.string() + ": array " + array.name +
                      " holds whole numbers, must hold float32 or float16");
    }
    const auto numbers = found.to(torch::kFloat32);
    return (array.transposed ? numbers.t() : numbers).reshape(shape).contiguous();
  }

  void refuse_rest() const {
    for (const auto& [name, array] : arrays_) {
      if (taken_.contains(name) || name == kOptionsArray) continue;
      if (name.find("QuantMult") != name.npos) {
        throw UserError(file_.string() + ": is quantized (array " + shown_key(name) +
                        "), must hold the weights as they were trained");
      }
      throw UserError(file_.string() + ": array " + shown_key(name) +
                      " is none of the Transformer that its options describe");
    }
  }

  const fs::path& file_;
  const std::map<std::string, torch::Tensor> arrays_;
  MarianOptions options_;
  ModelConfig model_;
  VocabularySizes rows_;  ///< in the file
  std::set<std::string> taken_;
};

}  // namespace

LoadedModel read_marian_npz(const fs::path& file) {
  return MarianReader(file).read();
}

}  // namespace xformer
