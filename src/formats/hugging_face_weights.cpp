#include "formats/hugging_face_weights.h"

#include <set>

#include "config/json_text.h"
#include "formats/safetensors.h"
#include "runtime/error.h"

namespace xformer {
namespace {

namespace fs = std::filesystem;

constexpr const char* kShared = "model.shared.weight";
constexpr const char* kOutput = "lm_head.weight";
constexpr const char* kBias = "final_logits_bias";
constexpr const char* kSourceTable = "model.encoder.embed_tokens.weight";
constexpr const char* kTargetTable = "model.decoder.embed_tokens.weight";

/// Parts of a layer there.
const std::map<std::string, std::string> kLayerParts = {
    {"self_attn.w_q", "self_attn.q_proj"},
    {"self_attn.w_k", "self_attn.k_proj"},
    {"self_attn.w_v", "self_attn.v_proj"},
    {"self_attn.w_o", "self_attn.out_proj"},
    {"src_attn.w_q", "encoder_attn.q_proj"},
    {"src_attn.w_k", "encoder_attn.k_proj"},
    {"src_attn.w_v", "encoder_attn.v_proj"},
    {"src_attn.w_o", "encoder_attn.out_proj"},
    {"feed_forward.w_1", "fc1"},
    {"feed_forward.w_2", "fc2"},
    {"attn_sublayer.norm", "self_attn_layer_norm"},
    {"self_sublayer.norm", "self_attn_layer_norm"},
    {"src_sublayer.norm", "encoder_attn_layer_norm"},
    {"ff_sublayer.norm", "final_layer_norm"},
};

fs::path tensors_file(const fs::path& folder) {
  const auto path = folder / "model.safetensors";
  if (fs::exists(path)) return path;
  const auto name = folder.string();
  if (fs::exists(folder / "model.safetensors.index.json")) {
    throw UserError(name +
                    ": its weights are in several files, must be in one model.safetensors: "
                    "save it again with save_pretrained(..., max_shard_size='100GB')");
  }
  if (fs::exists(folder / "pytorch_model.bin")) {
    throw UserError(name +
                    "/pytorch_model.bin is a pickle, which can run any code, and is not opened; "
                    "convert it once with: "
                    "python3 -c \"from transformers import MarianMTModel as M; "
                    "M.from_pretrained('" +
                    name + "').save_pretrained('" + name + "')\"");
  }
  throw UserError(name + ": has no model.safetensors");
}

class WeightsReader {
 public:
  WeightsReader(const fs::path& path, HuggingFaceConfig& config)
      : path_(path.string()), tensors_(map_safetensors(path).tensors), config_(config) {}

  std::map<std::string, torch::Tensor> read() {
    config_.model.generator_bias = tensors_.contains(kBias);
    std::map<std::string, torch::Tensor> weights;
    for (const auto& tensor : tensors_of(config_.model, config_.sizes)) {
      weights[tensor.name()] = take(tensor);
    }
    check_copies();
    check_positions();
    refuse_rest();
    return weights;
  }

 private:
  torch::Tensor take(const ModelTensor& wanted) {
    auto name = hugging_face_name(wanted, config_.model);
    // A matrix may be there under the name of one of its users alone.
    if (name == kShared && !tensors_.contains(name)) name = kTargetTable;
    const auto found = tensors_.find(name);
    if (found == tensors_.end()) {
      throw UserError(path_ + ": has no tensor " + hugging_face_name(wanted, config_.model));
    }
    taken_.insert(name);
    auto shape = wanted.shape;
    if (name == kBias) shape.insert(shape.begin(), 1);
    if (found->second.sizes() != shape) {
      throw UserError(path_ + ": " + name + " has the shape " + c10::str(found->second.sizes()) +
                      ", config.json wants " + c10::str(c10::IntArrayRef(shape)));
    }
    return widened(name, found->second).reshape(wanted.shape);
  }

  torch::Tensor widened(const std::string& name, const torch::Tensor& tensor) const {
    const auto type = tensor.scalar_type();
    if (type == torch::kFloat32 || type == torch::kFloat16 || type == torch::kBFloat16) {
      return tensor.to(torch::kFloat32);
    }
    throw UserError(path_ + ": " + name + " is of type " + c10::toString(type) +
                    ", must be Float, Half or BFloat16");
  }

  /// Files made by hand, and a few older ones, hold tied matrices more than once.
  void check_copies() {
    const bool shared = config_.model.ties_source();
    const auto& table = tensors_.at(shared && taken_.contains(kShared) ? kShared : kTargetTable);
    const auto look_at = [&](const char* name, bool is_copy) {
      const auto found = tensors_.find(name);
      if (!is_copy || found == tensors_.end() || !taken_.insert(name).second) return;
      if (found->second.sizes() == table.sizes() && torch::equal(found->second, table)) return;
      config_.notes.push_back(path_ + ": " + name +
                              " differs from the matrix that it is tied to, which counts");
    };
    look_at(kSourceTable, shared);
    look_at(kTargetTable, shared);
    look_at(kOutput, config_.model.ties_output());
  }

  /// transformers computes its table of positions, but takes one that a file holds.
  void check_positions() {
    for (const std::string stack : {"encoder", "decoder"}) {
      const auto name = "model." + stack + ".embed_positions.weight";
      const auto found = tensors_.find(name);
      if (found == tensors_.end()) continue;
      taken_.insert(name);
      const std::vector<int64_t> shape = {config_.model.max_positions, config_.model.d_model};
      if (found->second.sizes() != shape) {
        throw UserError(path_ + ": " + name + " has the shape " + c10::str(found->second.sizes()) +
                        ", config.json wants " + c10::str(c10::IntArrayRef(shape)));
      }
      const auto table = positional_encoding(shape[0], shape[1], config_.model.positions);
      // Computed in float32, or stored in float16.
      if (!torch::allclose(widened(name, found->second), table, 0, 2e-3)) {
        throw UserError(path_ + ": " + name +
                        " holds other positions than sines and then cosines, must be left out");
      }
    }
  }

  void refuse_rest() const {
    for (const auto& [name, tensor] : tensors_) {
      if (!taken_.contains(name)) {
        throw UserError(path_ + ": " + shown_key(name) + " is no tensor of a " + config_.type +
                        " model of this configuration");
      }
    }
  }

  const std::string path_;
  const std::map<std::string, torch::Tensor> tensors_;
  HuggingFaceConfig& config_;
  std::set<std::string> taken_;
};

}  // namespace

std::string hugging_face_name(const ModelTensor& tensor, const ModelConfig& model) {
  if (tensor.part == "generator") return tensor.kind == "bias" ? kBias : kOutput;
  if (tensor.part == "src_embed.lut") return kSourceTable;
  if (tensor.part == "tgt_embed.lut") return model.ties_source() ? kShared : kTargetTable;
  const auto stack = "model." + tensor.stack + ".";
  if (tensor.part == "norm") return stack + "layer_norm." + tensor.kind;
  return stack + "layers." + std::to_string(tensor.layer) + "." + kLayerParts.at(tensor.part) +
         "." + tensor.kind;
}

std::map<std::string, torch::Tensor> read_hugging_face_weights(const fs::path& folder,
                                                               HuggingFaceConfig& config) {
  return WeightsReader(tensors_file(folder), config).read();
}

}  // namespace xformer
