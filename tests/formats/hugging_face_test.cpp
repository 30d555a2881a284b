#include "formats/hugging_face.h"

#include "formats/fixture.h"
#include "formats/hugging_face_export.h"
#include "formats/hugging_face_weights.h"
#include "formats/imported_model.h"
#include "formats/model_tensors.h"
#include "model/masks.h"

using namespace xformer;
namespace fs = std::filesystem;

namespace {

std::map<std::string, torch::Tensor> weights_of(const LoadedModel& loaded) {
  std::map<std::string, torch::Tensor> weights;
  for (const auto& item : loaded.model->named_parameters()) weights[item.key()] = item.value();
  return weights;
}

std::string import_fault(const FixtureCopy& copy) {
  return fault_of([&] { read_hugging_face(copy.path()); });
}

using JsonChange = std::function<void(nlohmann::json&)>;

struct BadValue {
  const char* key;
  nlohmann::json value;  ///< null: the key is taken away
};

void set(nlohmann::json& json, const BadValue& bad) {
  if (bad.value.is_null()) {
    json.erase(bad.key);
  } else {
    json[bad.key] = bad.value;
  }
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
    const auto logits = [&](const EncoderDecoder& model) {
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

TEST_CASE("every key of config.json that is missing or wrong is named") {
  const std::vector<BadValue> bad = {{"model_type", nullptr},
                                     {"model_type", "bart"},
                                     {"architectures", {"MarianModel"}},
                                     {"is_encoder_decoder", false},
                                     {"quantization_config", {{"bits", 8}}},
                                     {"vocab_size", nullptr},
                                     {"vocab_size", 0},
                                     {"vocab_size", "many"},
                                     {"vocab_size", 1.5},
                                     {"decoder_vocab_size", 17},
                                     {"d_model", nullptr},
                                     {"d_model", -4},
                                     {"d_model", 25},
                                     {"d_model", 1e30},
                                     {"encoder_layers", nullptr},
                                     {"encoder_layers", 0},
                                     {"encoder_layers", 18446744073709551615u},
                                     {"decoder_layers", nullptr},
                                     {"decoder_layers", true},
                                     {"encoder_attention_heads", nullptr},
                                     {"encoder_attention_heads", 5},
                                     {"decoder_attention_heads", nullptr},
                                     {"decoder_attention_heads", 0},
                                     {"encoder_ffn_dim", nullptr},
                                     {"encoder_ffn_dim", "64"},
                                     {"decoder_ffn_dim", nullptr},
                                     {"activation_function", nullptr},
                                     {"activation_function", "mish"},
                                     {"activation_function", 3},
                                     {"scale_embedding", nullptr},
                                     {"scale_embedding", "yes"},
                                     {"max_position_embeddings", nullptr},
                                     {"max_position_embeddings", 1},
                                     {"share_encoder_decoder_embeddings", 1},
                                     {"tie_word_embeddings", "no"},
                                     {"pad_token_id", nullptr},
                                     {"pad_token_id", -1},
                                     {"pad_token_id", 100000},
                                     {"eos_token_id", nullptr},
                                     {"eos_token_id", {1, 2}},
                                     {"dropout", 2},
                                     {"attention_dropout", "none"}};
  for (const auto& entry : bad) {
    FixtureCopy copy("swish");
    copy.edit_json("config.json", [&](auto& json) { set(json, entry); });
    const auto fault = import_fault(copy);
    CAPTURE(entry.key, entry.value, fault);
    CHECK(fault.find("config.json: " + std::string(entry.key) + " is ") != std::string::npos);
  }
}

TEST_CASE("every key of generation_config.json that is wrong is named") {
  const std::vector<BadValue> bad = {
      {"num_beams", 0},       {"num_beams", "four"},      {"max_length", 1},
      {"max_new_tokens", -1}, {"length_penalty", -1},     {"length_penalty", "long"},
      {"bad_words_ids", 3},   {"bad_words_ids", {3}},     {"bad_words_ids", {{100000}}},
      {"eos_token_id", 5},    {"forced_eos_token_id", 5}, {"decoder_start_token_id", 100000}};
  for (const auto& entry : bad) {
    FixtureCopy copy("swish");
    copy.edit_json("generation_config.json", [&](auto& json) { set(json, entry); });
    const auto fault = import_fault(copy);
    CAPTURE(entry.key, entry.value, fault);
    CHECK(fault.find("generation_config.json: " + std::string(entry.key) + " is ") !=
          std::string::npos);
  }
}

TEST_CASE("a configuration that contradicts the tensors or the vocabulary is refused") {
  const std::vector<BadValue> bad = {{"d_model", 48},
                                     {"encoder_layers", 3},
                                     {"encoder_layers", 1},
                                     {"decoder_layers", 1},
                                     {"encoder_ffn_dim", 64},
                                     {"decoder_ffn_dim", 64},
                                     {"model_type", "pegasus"},
                                     {"share_encoder_decoder_embeddings", false},
                                     {"tie_word_embeddings", false},
                                     {"pad_token_id", 3},
                                     {"eos_token_id", 3},
                                     {"encoder_layers", 1000}};
  for (const auto& entry : bad) {
    FixtureCopy copy("swish");
    copy.edit_json("config.json", [&](auto& json) { set(json, entry); });
    const auto fault = import_fault(copy);
    CAPTURE(entry.key, entry.value, fault);
    CHECK_FALSE(fault.empty());
    CHECK(fault.find(copy.path().string()) == 0);
  }
}

TEST_CASE("settings of a search that are not taken over are said") {
  FixtureCopy copy("swish");
  copy.edit_json("generation_config.json", [](auto& json) {
    json.erase("max_length");
    json["no_repeat_ngram_size"] = 3;
    json["early_stopping"] = true;
    json["bad_words_ids"] = {{1, 2}};
  });
  const auto notes = read_hugging_face(copy.path()).config.origin.notes;
  REQUIRE(notes.size() == 5);
  CHECK(notes[0].find("max_length is missing") != std::string::npos);
  CHECK(notes[1].find("bad_words_ids holds [1,2]") != std::string::npos);
  CHECK(notes[2].find("lacks the padding") != std::string::npos);
  CHECK(notes[3].find("early_stopping is true") != std::string::npos);
  CHECK(notes[4].find("no_repeat_ngram_size is 3") != std::string::npos);
}

TEST_CASE("every tensor that is missing, renamed, misshapen or of another type is named") {
  for (const std::string kind : {"swish", "untied", "separate", "pegasus"}) {
    const auto tensors = read_safetensors(fixture(kind) / "model.safetensors").tensors;
    for (const auto& [name, tensor] : tensors) {
      CAPTURE(kind, name);
      // Without a bias a model has none; positions are computed.
      const bool optional =
          name == "final_logits_bias" || name.find("embed_positions") != name.npos;
      const auto fault = [&](const auto& change) {
        FixtureCopy copy(kind);
        copy.edit_tensors(change);
        return import_fault(copy);
      };
      if (!optional) {
        const auto missing = fault([&, name = name](auto& all) { all.erase(name); });
        CHECK(missing.find("has no tensor " + name) != std::string::npos);
      }
      const auto renamed = fault([&, name = name](auto& all) {
        all[name + "_old"] = all[name];
        all.erase(name);
      });
      CHECK(renamed.find(name) != std::string::npos);
      const auto longer = fault(
          [&, name = name](auto& all) { all[name] = torch::cat({all[name], all[name]}, -1); });
      CHECK(longer.find(name + " has the shape ") != std::string::npos);
      const auto whole =
          fault([&, name = name](auto& all) { all[name] = all[name].to(torch::kInt32); });
      CHECK(whole.find(name + " is of type Int") != std::string::npos);
    }
  }
}

TEST_CASE("positions that are no sines and cosines are refused") {
  FixtureCopy copy("swish");
  const auto put = [&](const torch::Tensor& table) {
    copy.edit_tensors(
        [&](auto& all) { all["model.encoder.embed_positions.weight"] = table.clone(); });
    return import_fault(copy);
  };
  CHECK(put(positional_encoding(96, 24, Positions::kHalves)).empty());
  CHECK(put(positional_encoding(96, 24, Positions::kInterleaved)).find("other positions") !=
        std::string::npos);
  CHECK(put(positional_encoding(80, 24, Positions::kHalves)).find("has the shape") !=
        std::string::npos);
}

TEST_CASE("every file that is missing is named") {
  for (const char* file : {"config.json", "source.spm", "target.spm", "vocab.json",
                           "target_vocab.json", "model.safetensors"}) {
    FixtureCopy copy("separate");
    fs::remove(copy.path() / file);
    CAPTURE(file);
    CHECK(import_fault(copy).find(file) != std::string::npos);
  }
  for (const char* file : {"generation_config.json", "special_tokens_map.json"}) {
    FixtureCopy copy("swish");
    fs::remove(copy.path() / file);
    CHECK(import_fault(copy).empty());
  }
}

TEST_CASE("weights in a pickle are refused with the line that converts them") {
  FixtureCopy copy("swish");
  fs::rename(copy.path() / "model.safetensors", copy.path() / "pytorch_model.bin");
  const auto fault = import_fault(copy);
  CHECK(fault.find("python3 -c \"from transformers import MarianMTModel as M; ") !=
        std::string::npos);
  fs::rename(copy.path() / "pytorch_model.bin", copy.path() / "model.safetensors.index.json");
  CHECK(import_fault(copy).find("several files") != std::string::npos);
}

TEST_CASE("a vocabulary that is damaged or contradicts the configuration is refused") {
  const auto fault = [](const std::string& kind, const std::string& file,
                        const JsonChange& change) {
    FixtureCopy copy(kind);
    copy.edit_json(file, change);
    return import_fault(copy);
  };
  const auto contains = [](const std::string& text, const std::string& part) {
    CAPTURE(text, part);
    CHECK(text.find(part) != std::string::npos);
  };
  contains(fault("swish", "vocab.json", [](auto& json) { json["▁a"] = 5000; }), "vocab.json");
  contains(fault("swish", "vocab.json", [](auto& json) { json["</s>"] = 0; }), "have the same id");
  contains(fault("swish", "vocab.json", [](auto& json) { json = {1, 2}; }), "vocab.json");
  contains(fault("swish", "vocab.json",
                 [](auto& json) {
                   json["<stop>"] = json["</s>"];
                   json.erase("</s>");
                 }),
           "has no piece </s>, which is the eos_token");
  contains(fault("swish", "vocab.json", [](auto& json) { json["new"] = json.size(); }), "rows");
  contains(fault("swish", "tokenizer_config.json",
                 [](auto& json) { json["tokenizer_class"] = "T5Tokenizer"; }),
           "tokenizer_class is \"T5Tokenizer\"");
  contains(
      fault("swish", "tokenizer_config.json", [](auto& json) { json["separate_vocabs"] = true; }),
      "target_vocab.json");
  contains(fault("separate", "tokenizer_config.json",
                 [](auto& json) { json["separate_vocabs"] = false; }),
           "separate_vocabs");
  contains(fault("separate", "target_vocab.json",
                 [](auto& json) { std::swap(json["</s>"], json["<unk>"]); }),
           "target_vocab.json");
  contains(fault("swish", "tokenizer_config.json",
                 [](auto& json) { json["added_tokens_decoder"]["7"] = {{"content", "<mask>"}}; }),
           "adds the token <mask>");

  FixtureCopy copy("swish");
  write_file_atomically(copy.path() / "source.spm", "no model");
  contains(import_fault(copy), "source.spm is not a SentencePiece model");
}
