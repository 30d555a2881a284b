// What is refused of a Hugging Face folder, and how it is said.
#include "formats/fixture.h"
#include "formats/hugging_face.h"

using namespace xformer;
namespace fs = std::filesystem;

namespace {

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
