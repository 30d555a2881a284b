#include "formats/hugging_face.h"

#include "formats/fixture.h"
#include "formats/hugging_face_export.h"
#include "formats/hugging_face_weights.h"
#include "formats/model_tensors.h"

using namespace xformer;
namespace fs = std::filesystem;

namespace {

std::map<std::string, torch::Tensor> weights_of(const LoadedModel& loaded) {
  std::map<std::string, torch::Tensor> weights;
  for (const auto& item : loaded.model->named_parameters()) weights[item.key()] = item.value();
  return weights;
}

}  // namespace

TEST_CASE("a list of tensors has the parameters of the model that it is for") {
  ModelConfig model;
  model.N = 2;
  model.d_model = 16;
  model.d_ff = 24;
  model.h = 2;
  const VocabularySizes sizes{.source = 30, .target = 30};
  const auto check = [&] {
    const auto parameters = EncoderDecoder(model, sizes)->named_parameters();
    const auto tensors = tensors_of(model, sizes);
    CHECK(tensors.size() == parameters.size());
    for (const auto& tensor : tensors) {
      CAPTURE(tensor.name());
      REQUIRE(parameters.contains(tensor.name()));
      CHECK(parameters[tensor.name()].sizes() == tensor.shape);
      if (tensor.residual) CHECK(tensor.shape[*tensor.residual] == model.d_model);
    }
  };
  for (const auto tie : {TieEmbeddings::kAll, TieEmbeddings::kDecoder, TieEmbeddings::kSourceTarget,
                         TieEmbeddings::kNone}) {
    model.tie_embeddings = tie;
    check();
  }
  model.N_decoder = 1;
  model.d_ff_decoder = 40;
  model.norm = NormPlacement::kPost;
  model.generator_bias = false;
  check();
}

TEST_CASE("every kind of Hugging Face model gives the logits of transformers") {
  for (const auto& name : kHuggingFaceFixtures) {
    CAPTURE(name);
    check_logits(read_hugging_face(fixture(name)), fixture(name) / "logits.safetensors");
  }
}

TEST_CASE("imported weights are those of the file, bit for bit") {
  for (const auto& name : kHuggingFaceFixtures) {
    CAPTURE(name);
    const auto loaded = read_hugging_face(fixture(name));
    auto file = read_safetensors(fixture(name) / "model.safetensors").tensors;
    auto weights = weights_of(loaded);
    for (const auto& tensor : tensors_of(loaded.config.model, sizes_of(loaded.vocabulary))) {
      const auto there = file.at(hugging_face_name(tensor, loaded.config.model));
      CHECK(torch::equal(weights[tensor.name()], there.to(torch::kFloat32).reshape(tensor.shape)));
    }
  }
}

TEST_CASE("what a folder says of its model is taken over") {
  const auto base = read_hugging_face(fixture("swish")).config;
  CHECK(base.model.activation == Activation::kSwish);
  CHECK(base.model.norm == NormPlacement::kPost);
  CHECK(base.model.positions == Positions::kHalves);
  CHECK(base.model.max_positions == 96);
  CHECK(base.data.max_length == 95);
  CHECK(base.decoding.search == SearchRules::kHuggingFace);
  CHECK(base.decoding.beam_size == 4);
  CHECK(base.decoding.max_length == 47);
  CHECK(base.decoding.force_eos);
  CHECK(base.tokens.decoder_start == base.tokens.pad);
  CHECK(base.tokens.never == std::vector<int32_t>{base.tokens.pad});
  CHECK(base.tokens.eos != 0);
  CHECK(base.vocabulary.language_tokens == std::vector<std::string>{">>deu<<", ">>fra<<"});
  CHECK(base.origin.format == "huggingface marian");
  CHECK(base.origin.name == "en-de");
  CHECK(base.origin.notes.empty());

  const auto deep = read_hugging_face(fixture("deep_encoder")).config.model;
  CHECK(deep.N == 3);
  CHECK(deep.N_decoder == 1);
  CHECK(deep.h_decoder == 4);
  CHECK(deep.d_ff_decoder == 56);
  CHECK(read_hugging_face(fixture("untied")).config.model.tie_embeddings ==
        TieEmbeddings::kSourceTarget);
  CHECK_FALSE(read_hugging_face(fixture("no_bias")).config.model.generator_bias);
  const auto separate = read_hugging_face(fixture("separate"));
  CHECK(separate.config.model.tie_embeddings == TieEmbeddings::kDecoder);
  CHECK(separate.vocabulary.source.piece(5) != separate.vocabulary.target.piece(5));
  const auto pegasus = read_hugging_face(fixture("pegasus")).config.model;
  CHECK(pegasus.norm == NormPlacement::kPre);
  CHECK(pegasus.has_final_norm());
}

TEST_CASE("stale copies of tied matrices are left aside and named") {
  const auto stale = read_hugging_face(fixture("stale_output"));
  REQUIRE(stale.config.origin.notes.size() == 1);
  CHECK(stale.config.origin.notes[0].find("lm_head.weight differs") != std::string::npos);

  FixtureCopy copy("swish");
  copy.edit_tensors([](auto& tensors) {
    tensors["model.encoder.embed_tokens.weight"] = tensors["model.shared.weight"].clone();
    tensors["model.decoder.embed_tokens.weight"] = tensors["model.shared.weight"] + 1;
  });
  const auto copies = read_hugging_face(copy.path());
  REQUIRE(copies.config.origin.notes.size() == 1);
  CHECK(copies.config.origin.notes[0].find("model.decoder.embed_tokens.weight differs") !=
        std::string::npos);
}

TEST_CASE("rows without a piece are kept and never chosen") {
  FixtureCopy copy("swish");
  const auto count = nlohmann::json::parse(read_file(copy.path() / "vocab.json")).size();
  copy.edit_json("config.json", [&](auto& json) {
    json["vocab_size"] = count + 2;
    json["decoder_vocab_size"] = count + 2;
  });
  copy.edit_tensors([](auto& tensors) {
    auto& table = tensors["model.shared.weight"];
    table = torch::cat({table, torch::ones({2, table.size(1)})});
    tensors["final_logits_bias"] =
        torch::cat({tensors["final_logits_bias"], torch::ones({1, 2})}, 1);
  });
  const auto loaded = read_hugging_face(copy.path());
  const auto first = static_cast<int32_t>(count);
  CHECK(loaded.vocabulary.target.size() == first + 2);
  CHECK(loaded.config.tokens.never == std::vector<int32_t>{first - 1, first, first + 1});
}

TEST_CASE("an export reads back with the same weights") {
  for (const auto& name : kHuggingFaceFixtures) {
    CAPTURE(name);
    const auto loaded = read_hugging_face(fixture(name));
    TemporaryFolder folder;
    CHECK(write_hugging_face(folder.path(), loaded).empty());
    const auto again = read_hugging_face(folder.path());
    auto weights = weights_of(loaded);
    for (const auto& [key, value] : weights_of(again)) CHECK(torch::equal(value, weights.at(key)));
    CHECK(again.config.tokens.never == loaded.config.tokens.never);
    CHECK(again.config.decoding.max_length == loaded.config.decoding.max_length);
    CHECK(again.config.vocabulary.language_tokens == loaded.config.vocabulary.language_tokens);
    const std::string text = ">>deu<< The  boy sleeps.";
    CHECK(again.vocabulary.source.encode(text) == loaded.vocabulary.source.encode(text));
  }
}

TEST_CASE("positions in turns become halves without changing what a model computes") {
  for (const std::string name : {"swish", "pegasus", "separate"}) {
    CAPTURE(name);
    auto loaded = read_hugging_face(fixture(name));
    const auto halves = loaded.model;
    loaded.config.model.positions = Positions::kInterleaved;
    loaded.model = EncoderDecoder(loaded.config.model, sizes_of(loaded.vocabulary));
    std::map<std::string, torch::Tensor> weights;
    for (const auto& item : halves->named_parameters()) weights[item.key()] = item.value();
    copy_weights(weights, "", loaded.model, name);
    loaded.model->eval();

    TemporaryFolder folder;
    write_hugging_face(folder.path(), loaded);
    const auto exported = read_hugging_face(folder.path());
    torch::NoGradGuard no_grad;
    const auto source = torch::tensor({{5, 9, 3, 14, 2}}), target = torch::tensor({{7, 4, 11}});
    const auto logits = [&](EncoderDecoder model) {
      return model->generator->logits(
          model->forward(source, target, source_mask(source, -1), subsequent_mask(3)));
    };
    CHECK((logits(exported.model) - logits(loaded.model)).abs().max().item<double>() < 1e-4);
    CHECK((logits(exported.model) - logits(halves)).abs().max().item<double>() > 1e-2);
  }
}

TEST_CASE("what transformers cannot express is refused by name") {
  const auto fault = [](const std::function<void(ModelConfig&)>& change) {
    auto loaded = read_hugging_face(fixture("swish"));
    change(loaded.config.model);
    TemporaryFolder folder;
    auto text = fault_of([&] { write_hugging_face(folder.path(), loaded); });
    CHECK(fs::is_empty(folder.path()));
    return text;
  };
  CHECK(fault([](auto& model) { model.norm_epsilon = 1e-6; }).find("model.norm_epsilon is 1e-06") !=
        std::string::npos);
  CHECK(fault([](auto& model) {
          model.positions = Positions::kHalvesMarian;
        }).find("model.positions") != std::string::npos);
  CHECK(fault([](auto& model) {
          model.embedding_scale = 3.0;
        }).find("model.embedding_scale is 3") != std::string::npos);
  CHECK(fault([](auto& model) { model.final_norm = true; }).find("model.final_norm is true") !=
        std::string::npos);
  CHECK(fault([](auto& model) {
          model.norm = NormPlacement::kPre;
          model.tie_embeddings = TieEmbeddings::kDecoder;
        }).find("model.tie_embeddings") != std::string::npos);
}

TEST_CASE("settings of a search that are not taken over are said") {
  FixtureCopy copy("swish");
  copy.edit_json("generation_config.json", [](auto& json) {
    json.erase("max_length");
    json["no_repeat_ngram_size"] = 3;
    json["early_stopping"] = true;
    json["bad_words_ids"] = nlohmann::json::parse("[[1, 2]]");
  });
  const auto notes = read_hugging_face(copy.path()).config.origin.notes;
  REQUIRE(notes.size() == 5);
  CHECK(notes[0].find("max_length is missing") != std::string::npos);
  CHECK(notes[1].find("bad_words_ids holds [1,2]") != std::string::npos);
  CHECK(notes[2].find("lacks the padding") != std::string::npos);
  CHECK(notes[3].find("early_stopping is true") != std::string::npos);
  CHECK(notes[4].find("no_repeat_ngram_size is 3") != std::string::npos);
}

TEST_CASE("what no file says is what its class has") {
  FixtureCopy copy("swish");
  fs::remove(copy.path() / "generation_config.json");
  const auto decoding = read_hugging_face(copy.path()).config.decoding;
  CHECK(decoding.beam_size == 1);
  CHECK(decoding.length_penalty == 1);
  CHECK(decoding.max_length == 19);
  CHECK_FALSE(decoding.force_eos);
}
