#include <nlohmann/json.hpp>

#include "catch.h"
#include "config/loading.h"

using namespace xformer;

TEST_CASE("what a model records cannot be set") {
  CHECK(faults("{" + kTraining + R"(, "vocabulary_hashes": {"source": "1"}})") ==
        Lines{"base.json: vocabulary_hashes is recorded with a trained model and cannot be set"});
  CHECK(faults_of_set("vocabulary_hashes.source=1") ==
        Lines{"--set vocabulary_hashes.source is recorded with a trained model and cannot be set"});
  CHECK(faults_of_set("format_version=1") ==
        Lines{"--set format_version is recorded with a trained model and cannot be set"});
}

TEST_CASE(
    "what a model records of its vocabulary and origin cannot be set, the rest of the section "
    "can") {
  CHECK(
      faults_in("vocabulary", R"("source_map": "a", "size": 100)") ==
      Lines{"base.json: vocabulary.source_map is recorded with a trained model and cannot be set"});
  CHECK(
      faults_of_set("vocabulary.language_tokens=[]") ==
      Lines{"--set vocabulary.language_tokens is recorded with a trained model and cannot be set"});
  CHECK(faults("{" + kTraining + R"(, "tokens": {"pad": 3}})") ==
        Lines{"base.json: tokens is recorded with a trained model and cannot be set"});
  CHECK(faults_of_set("origin.name=x") ==
        Lines{"--set origin.name is recorded with a trained model and cannot be set"});
}

TEST_CASE("what a model records is read back, and checked") {
  Config config;
  config.data.train = {{"a"}, {"b"}, {}};
  config.vocabulary.shared = false;
  config.vocabulary.source_map = config.vocabulary.target_map = "vocab.json";
  config.vocabulary.language_tokens = {">>deu<<"};
  config.tokens = {
      .pad = 58100, .unk = 1, .bos = -1, .eos = 0, .decoder_start = 58100, .never = {58100}};
  config.origin = {
      .format = "huggingface marian", .name = "opus", .version = "4", .notes = {"one", "two"}};
  const Config again = parse_config(to_json(config), "config.json");
  CHECK(to_json(again) == to_json(config));
  CHECK(again.tokens.bos == -1);
  CHECK(again.tokens.never == std::vector<int32_t>{58100});
  CHECK(again.origin.notes.size() == 2);
  CHECK(again.vocabulary.shares_ids());  // so that all embeddings may be tied

  auto broken = [&](auto change) {
    Config other = config;
    change(other);
    return error_of_parse(to_json(other));
  };
  CHECK(broken([](Config& c) {
          c.vocabulary.target_map = "other.json";
        }).starts_with("model/config.json: model.tie_embeddings is \"all\""));
  CHECK(broken([](Config& c) {
          c.vocabulary.source_map = c.vocabulary.target_map = "../x";
        }).find(R"(vocabulary.source_map is "../x", must be a file's name alone)") !=
        std::string::npos);
  CHECK(broken([](Config& c) { c.vocabulary.target_map = ""; })
            .find("vocabulary.target_map is missing, must be given together with "
                  "vocabulary.source_map") != std::string::npos);
  CHECK(broken([](Config& c) { c.tokens.pad = -1; }) ==
        "model/config.json: tokens.pad is -1, must be a whole number from 0 to 2147483647");
}

TEST_CASE("a training can start from the configuration of a model") {
  Config config = load("{" + kTraining + "}");
  config.vocabulary_hashes = {"0123", "4567"};
  const Config again = load(to_json(config), {parse_override("training.warmup=5")});
  CHECK(differences(config, again) == Lines{"training.warmup: 4000 -> 5"});
  CHECK(again.vocabulary_hashes.source == "0123");
  CHECK(faults(to_json(config), {parse_override("vocabulary_hashes.source=1")}) ==
        Lines{"--set vocabulary_hashes.source is recorded with a trained model and cannot be set"});
  CHECK(faults("{" + kTraining + R"(, "format_version": 7})")
            .front()
            .starts_with("base.json: format_version is 7, must be 1"));
}

TEST_CASE("a resolved configuration is read back as it was") {
  Config config = load("{" + kTraining + R"(, "model": {"dropout": 0.3},
    "training": {"base_lr": 0.1, "seed": 9223372036854775807}, "vocabulary": {"model": "m\"\u00e9"}})");
  config.vocabulary_hashes = {"0123", "4567"};
  const std::string json = to_json(config);
  const Config again = parse_config(json, "config.json");
  CHECK(to_json(again) == json);
  CHECK(differences(config, again).empty());
  CHECK(again.vocabulary_hashes.target == "4567");
  CHECK(again.model.attention_dropout == 0.3);
  CHECK(again.training.seed == config.training.seed);
  CHECK(again.vocabulary.model == config.vocabulary.model);
}

TEST_CASE("the resolved configuration has the names that the contract fixes") {
  const auto json = nlohmann::json::parse(to_json(Config()));
  const char* names[] = {"/format_version",
                         "/data/task",
                         "/data/train/source",
                         "/data/train/target",
                         "/data/valid/source",
                         "/data/max_length",
                         "/vocabulary/shared",
                         "/vocabulary/size",
                         "/vocabulary/type",
                         "/vocabulary/model",
                         "/vocabulary/source_model",
                         "/vocabulary/target_model",
                         "/model/N",
                         "/model/d_model",
                         "/model/d_ff",
                         "/model/h",
                         "/model/dropout",
                         "/model/attention_dropout",
                         "/model/norm",
                         "/model/tie_embeddings",
                         "/training/batch_tokens",
                         "/training/accum_iter",
                         "/training/num_epochs",
                         "/training/max_updates",
                         "/training/base_lr",
                         "/training/warmup",
                         "/training/label_smoothing",
                         "/training/clip_norm",
                         "/training/precision",
                         "/training/seed",
                         "/training/validate_every",
                         "/training/save_every",
                         "/training/keep",
                         "/training/average",
                         "/training/patience",
                         "/decoding/beam_size",
                         "/decoding/length_penalty",
                         "/decoding/max_length_factor",
                         "/decoding/max_length_extra",
                         "/vocabulary_hashes/source"};
  for (const char* name : names) {
    CAPTURE(name);
    CHECK(json.contains(nlohmann::json::json_pointer(name)));
  }
  CHECK(json["model"]["norm"] == "pre");
  CHECK(json["training"]["warmup"] == 4000);
}

TEST_CASE("a model folder's configuration keeps its paths and needs no training text") {
  const Config config = parse_config(
      R"({"format_version": 1, "data": {"train": {"source": "a", "target": "b"}}})", "config.json");
  CHECK(config.data.train.source == Lines{"a"});
  CHECK(error_of_parse(R"({"format_version": 1})").empty());
}

TEST_CASE("a model folder's configuration of another version, or with faults, is refused") {
  CHECK(error_of_parse("{}") ==
        "model/config.json: format_version is missing, must be 1: is this the config.json of a "
        "model?");
  CHECK(
      error_of_parse(R"({"format_version": 2, "new": 1})") ==
      "model/config.json: format_version is 2, must be 1: the model was written by another version "
      "of xformer");
  CHECK(error_of_parse("[]").find("format_version is missing") != std::string::npos);
  CHECK(error_of_parse(R"({"format_version": 1, "new": 1})")
            .starts_with("model/config.json: new is not a known key"));
  CHECK(error_of_parse(R"({"format_version": 1, "model": {"h": 3}})") ==
        "model/config.json: model.d_model is 512, must be a multiple of model.h, which is 3");
  CHECK(error_of_parse("{").starts_with("model/config.json, line 1, column 2: not valid JSON"));
}

TEST_CASE("differences are told in the order of the keys") {
  Config before, after;
  CHECK(differences(before, after).empty());
  after.training.base_lr = 0.5;
  after.training.seed = 2;
  after.model.norm = NormPlacement::kPost;
  after.data.train.source = {"/x"};
  after.vocabulary_hashes.source = "1";
  CHECK(differences(before, after) ==
        Lines{R"(data.train.source: "" -> "/x")", R"(model.norm: "pre" -> "post")",
              "training.base_lr: 1.0 -> 0.5", "training.seed: 1 -> 2"});
  // Absent means as dropout, so that writing it out changes nothing.
  Config written = before;
  written.model.attention_dropout = before.model.dropout;
  CHECK(differences(before, written).empty());
}
