// The paper's post-norm form against torch.nn.Transformer; scripts/export_post_norm.py wrote the
// numbers.
#include "catch.h"
#include "formats/safetensors.h"
#include "model/encoder_decoder.h"
#include "model/masks.h"
#include "reference/annotated.h"

namespace xformer {

TEST_CASE("post-norm stacks and their gradients equal torch.nn.Transformer's") {
  const auto file = read_safetensors(XFORMER_SOURCE_DIR "/tests/reference/post_norm.safetensors");
  const auto& tensors = file.tensors;
  ModelConfig config{.N = 2, .d_model = 32, .d_ff = 64, .h = 4, .dropout = 0};
  config.norm = NormPlacement::kPost;
  EncoderDecoder model(config, VocabularySizes{10, 10});
  int copied = 0;
  {
    torch::NoGradGuard no_grad;
    for (auto& item : model->named_parameters()) {
      if (auto found = tensors.find("weights/" + item.key()); found != tensors.end()) {
        item.value().copy_(found->second);
        ++copied;
      }
    }
  }
  REQUIRE(copied == 2 * (16 + 26));  // every weight of both stacks

  const auto src_mask = tensors.at("src_mask");
  const auto& tgt = tensors.at("tgt");
  auto memory = model->encoder(tensors.at("src"), src_mask);
  auto output = model->decoder(tgt, memory, src_mask, subsequent_mask(tgt.size(1)));
  CHECK(max_difference(memory, tensors.at("memory")) < 1e-5);
  CHECK(max_difference(output, tensors.at("output")) < 1e-5);

  output.square().sum().backward();
  const auto& query = model->encoder->layers[0]->self_attn->w_q->weight.grad();
  const auto& expected = tensors.at("grad/encoder.layer_0.self_attn.w_q.weight");
  CHECK(max_difference(query, expected) < 1e-4 * expected.abs().max().item<double>());
  const auto& gain = model->decoder->layers[0]->self_sublayer->norm->weight.grad();
  const auto& expected_gain = tensors.at("grad/decoder.layer_0.self_sublayer.norm.weight");
  CHECK(max_difference(gain, expected_gain) < 1e-4 * expected_gain.abs().max().item<double>());
}

}  // namespace xformer
