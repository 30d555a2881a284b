#include "formats/model_tensors.h"

namespace xformer {
namespace {

class TensorLister {
 public:
  TensorLister(const ModelConfig& model, VocabularySizes sizes) : model_(model), sizes_(sizes) {}

  std::vector<ModelTensor> list() && {
    stack("encoder", model_, {"self_attn"}, {"attn_sublayer", "ff_sublayer"});
    stack("decoder", model_.of_decoder(), {"self_attn", "src_attn"},
          {"self_sublayer", "src_sublayer", "ff_sublayer"});
    embeddings();
    return std::move(tensors_);
  }

 private:
  void add(const std::string& part, const std::string& kind, std::vector<int64_t> shape,
           std::optional<int64_t> residual) {
    tensors_.push_back({stack_, layer_, part, kind, std::move(shape), residual});
  }

  /// From the residual stream, or into it.
  void linear_from(const std::string& part, int64_t width) {
    add(part, "weight", {width, model_.d_model}, 1);
    add(part, "bias", {width}, std::nullopt);
  }
  void linear_into(const std::string& part, int64_t width) {
    add(part, "weight", {model_.d_model, width}, 0);
    add(part, "bias", {model_.d_model}, 0);
  }
  void norm(const std::string& part) {
    add(part, "weight", {model_.d_model}, 0);
    add(part, "bias", {model_.d_model}, 0);
  }

  void stack(const std::string& name, const ModelConfig& side,
             const std::vector<std::string>& attentions, const std::vector<std::string>& norms) {
    stack_ = name;
    for (layer_ = 0; layer_ < side.N; ++layer_) {
      for (const auto& attention : attentions) {
        for (const char* part : {".w_q", ".w_k", ".w_v"}) {
          linear_from(attention + part, model_.d_model);
        }
        linear_into(attention + ".w_o", model_.d_model);
      }
      linear_from("feed_forward.w_1", side.d_ff);
      linear_into("feed_forward.w_2", side.d_ff);
      for (const auto& sublayer : norms) norm(sublayer + ".norm");
    }
    layer_ = -1;
    if (model_.has_final_norm()) norm("norm");
  }

  void embeddings() {
    stack_.clear();
    add("tgt_embed.lut", "weight", {sizes_.target, model_.d_model}, 1);
    if (!model_.ties_source()) add("src_embed.lut", "weight", {sizes_.source, model_.d_model}, 1);
    if (!model_.ties_output()) add("generator", "weight", {sizes_.target, model_.d_model}, 1);
    if (model_.generator_bias) add("generator", "bias", {sizes_.target}, std::nullopt);
  }

  const ModelConfig& model_;
  const VocabularySizes sizes_;
  std::string stack_;
  int64_t layer_ = -1;
  std::vector<ModelTensor> tensors_;
};

}  // namespace

std::string ModelTensor::name() const {
  const auto where = stack.empty() ? "" : stack + ".";
  return where + (layer < 0 ? "" : "layer_" + std::to_string(layer) + ".") + part + "." + kind;
}

std::vector<ModelTensor> tensors_of(const ModelConfig& model, VocabularySizes sizes) {
  return TensorLister(model, sizes).list();
}

}  // namespace xformer
