// Small models as other tools make them.
#pragma once

#include <vector>

#include "model/tiny_model.h"

namespace xformer {

/// Special tokens that are not where xformer puts them; the decoder starts from padding.
inline SpecialTokens foreign_tokens() {
  return {.pad = 2, .unk = 1, .bos = -1, .eos = 0, .decoder_start = 2, .never = {2}};
}

struct ForeignModel {
  const char* name;
  ModelConfig config;
};

/// Each departs from the tiny configuration in one thing, the last ones in many.
inline std::vector<ForeignModel> foreign_models() {
  std::vector<ForeignModel> models;
  const auto add = [&](const char* name, auto change) {
    models.push_back({name, tiny_config()});
    change(models.back().config);
  };
  add("swish", [](auto& c) { c.activation = Activation::kSwish; });
  add("gelu", [](auto& c) { c.activation = Activation::kGelu; });
  add("gelu_tanh", [](auto& c) { c.activation = Activation::kGeluTanh; });
  add("gelu_sigmoid", [](auto& c) { c.activation = Activation::kGeluSigmoid; });
  add("no final norm", [](auto& c) { c.final_norm = false; });
  add("norm_epsilon", [](auto& c) { c.norm_epsilon = 1e-2; });
  add("halves", [](auto& c) { c.positions = Positions::kHalves; });
  add("halves_marian", [](auto& c) { c.positions = Positions::kHalvesMarian; });
  add("no scale", [](auto& c) { c.embedding_scale = 1; });
  add("decoder", [](auto& c) {
    c.N_decoder = 1;
    c.h_decoder = 2;
    c.d_ff_decoder = 24;
  });
  add("deeper decoder", [](auto& c) {
    c.N_decoder = 3;
    c.h_decoder = 8;
  });
  add("no generator bias", [](auto& c) { c.generator_bias = false; });
  add("source_target", [](auto& c) { c.tie_embeddings = TieEmbeddings::kSourceTarget; });
  add("marian", [](auto& c) {
    c.norm = NormPlacement::kPost;
    c.activation = Activation::kSwish;
    c.positions = Positions::kHalves;
    c.N_decoder = 1;
  });
  add("post with a final norm", [](auto& c) {
    c.norm = NormPlacement::kPost;
    c.final_norm = true;
    c.embedding_scale = 2.5;
  });
  return models;
}

}  // namespace xformer
