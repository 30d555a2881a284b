#include <nlohmann/json.hpp>

#include "catch.h"
#include "config/loading.h"

using namespace xformer;
namespace fs = std::filesystem;

TEST_CASE("what a file does not say keeps its default") {
  const Config config = load("{" + kTraining + R"(, "training": {"warmup": 7}})");
  CHECK(config.training.warmup == 7);
  CHECK(config.training.batch_tokens == TrainingConfig().batch_tokens);
  CHECK(config.model.d_model == ModelConfig().d_model);
  CHECK_FALSE(config.model.attention_dropout.has_value());
}

TEST_CASE("every kind of value is read") {
  const Config config = load(R"({
    "data": {"task": "copy", "copy": {"symbols": 5}},
    "vocabulary": {"shared": false, "type": "unigram", "normalization": "identity", "byte_fallback": true},
    "model": {"N": 2, "attention_dropout": 0, "norm": "post", "tie_embeddings": "none"},
    "training": {"base_lr": 2, "precision": "bfloat16", "max_updates": 1e5, "seed": 9223372036854775807}
  })");
  CHECK(config.data.task == Task::kCopy);
  CHECK(config.data.copy.symbols == 5);
  CHECK_FALSE(config.vocabulary.shared);
  CHECK(config.vocabulary.type == VocabularyType::kUnigram);
  CHECK(config.vocabulary.normalization == "identity");
  CHECK(config.vocabulary.byte_fallback);
  CHECK(config.model.N == 2);
  CHECK(config.model.attention_dropout == 0.0);
  CHECK(config.model.norm == NormPlacement::kPost);
  CHECK(config.model.tie_embeddings == TieEmbeddings::kNone);
  CHECK(config.training.base_lr == 2.0);
  CHECK(config.training.precision == Precision::kBfloat16);
  CHECK(config.training.max_updates == 100'000);
  CHECK(config.training.seed == std::numeric_limits<int64_t>::max());
}

TEST_CASE("comments and a byte order mark are skipped") {
  const Config config = load("\xEF\xBB\xBF{ // as in the paper\n /* text */ " + kTraining +
                             ", \"training\": {\"warmup\": 5}\n}\n");
  CHECK(config.training.warmup == 5);
}

TEST_CASE("relative paths start at the file, those of overrides at the working directory") {
  TemporaryFolder folder;
  fs::create_directory(folder.path() / "configs");
  const fs::path file = folder.file("configs/base.json", R"({"data": {
    "train": {"source": "../data/./a.de", "target": "/data/a.en"},
    "valid": {"source": "v.de", "target": "v.en"}}})");
  const Config config = load_config(file, {{"data.valid.source", "x/../v.de"}});
  CHECK(config.data.train.source == Lines{(folder.path() / "data/a.de").string()});
  CHECK(config.data.train.target == Lines{"/data/a.en"});
  CHECK(config.data.valid.source == (fs::current_path() / "v.de").string());
  CHECK(config.data.valid.target == (folder.path() / "configs/v.en").string());
  CHECK(config.vocabulary.model.empty());
}

TEST_CASE("a file that is named by a relative path gives absolute paths") {
  TemporaryFolder folder;
  folder.file("base.json", "{" + kTraining + "}");
  const fs::path before = fs::current_path();
  fs::current_path(folder.path());
  const Config config = load_config("base.json", {});
  const std::string expected = (fs::current_path() / "a.de").string();
  fs::current_path(before);
  CHECK(config.data.train.source == Lines{expected});
}

TEST_CASE("training text may be several files with weights") {
  const Config config = load(R"({"data": {"train": {
    "source": ["/a.de", "/b.de.gz"], "target": ["/a.en", "/b.en.gz"], "weight": [1, 0.5]}}})");
  CHECK(config.data.train.source == Lines{"/a.de", "/b.de.gz"});
  CHECK(config.data.train.weight == std::vector<double>{1, 0.5});
  const Config again = parse_config(to_json(config), "again");
  CHECK(differences(config, again).empty());
  CHECK(again.data.train.target == config.data.train.target);

  const Config overridden = load("{" + kTraining + "}", {{"data.train.source", R"(["/x", "/y"])"},
                                                         {"data.train.target", R"(["/u", "/v"])"}});
  CHECK(overridden.data.train.source == Lines{"/x", "/y"});
  CHECK(differences(config, overridden)[0] ==
        R"(data.train.source: ["/a.de","/b.de.gz"] -> ["/x","/y"])");

  CHECK(faults(R"({"data": {"train": {"source": ["a", "b"], "target": "c"}}})") ==
        Lines{"base.json: data.train.source names 2 files, data.train.target 1, must be as many"});
  CHECK(
      faults(R"({"data": {"train": {"source": ["a", "b"], "target": ["c", "d"], "weight": 2}}})") ==
      Lines{"base.json: data.train.weight holds 1 numbers, must hold one for each of the 2 files "
            "of data.train.source"});
  CHECK(faults(R"({"data": {"train": {"source": "a", "target": "b", "weight": 0}}})") ==
        Lines{"base.json: data.train.weight is 0, must be a number above 0 and at most 1000, or a "
              "list of such numbers"});
  CHECK(
      faults(R"({"data": {"train": {"source": ["a", 7], "target": "b"}}})") ==
      Lines{
          R"(base.json: data.train.source is ["a",7], must be the name of a file, in quotes, or a list of such names)"});
}

TEST_CASE("overrides beat the file and the last one counts") {
  const Config config =
      load("{" + kTraining + R"(, "training": {"warmup": 7}, "model": {"dropout": 0.3}})",
           {parse_override("training.warmup=8"), parse_override("model.dropout=0.1"),
            parse_override("training.warmup=9"), parse_override("model.norm=post"),
            parse_override("vocabulary.shared=true")});
  CHECK(config.training.warmup == 9);
  CHECK(config.model.dropout == 0.1);
  CHECK(config.model.norm == NormPlacement::kPost);
}

TEST_CASE("text on the command line needs no quotes and may have them") {
  const Config config = load(
      "{" + kTraining + "}",
      {parse_override("data.train.source=/data/2024"), parse_override("data.train.target=7"),
       parse_override("data.valid.source=\"/v=1.de\""), parse_override("data.valid.target=/v.en")});
  CHECK(config.data.train.source == Lines{"/data/2024"});
  CHECK(config.data.train.target == Lines{(fs::current_path() / "7").string()});
  CHECK(config.data.valid.source == "/v=1.de");
}

TEST_CASE("an override may be a whole section") {
  const Config config = load("{" + kTraining + "}", {{"model", R"({"N": 3, "h": 4})"}});
  CHECK(config.model.N == 3);
  CHECK(config.model.h == 4);
  CHECK(faults_of_set(R"(model={"N": 3, "N": 4})") == Lines{"--set model.N is given twice"});
}

TEST_CASE(
    "what describes models from elsewhere is read, and absent it is the Annotated Transformer") {
  const ModelConfig plain = load("{" + kTraining + "}").model;
  CHECK(plain.activation == Activation::kRelu);
  CHECK(plain.positions == Positions::kInterleaved);
  CHECK(plain.embedding_factor() == std::sqrt(512.0));
  CHECK(plain.has_final_norm());
  CHECK(plain.of_decoder().N == plain.N);
  CHECK(plain.generator_bias);

  const Config config = load("{" + kTraining + R"(, "model": {
    "N": 3, "N_decoder": 1, "h": 4, "h_decoder": 2, "d_ff_decoder": 96, "activation": "gelu_sigmoid",
    "norm": "post", "final_norm": true, "norm_epsilon": 1e-6, "positions": "halves_marian",
    "max_positions": 512, "embedding_scale": 2.5, "tie_embeddings": "source_target",
    "generator_bias": false},
    "decoding": {"search": "huggingface", "max_length": 511, "force_eos": true}})");
  const ModelConfig& model = config.model;
  CHECK(model.of_decoder().N == 1);
  CHECK(model.of_decoder().h == 2);
  CHECK(model.of_decoder().d_ff == 96);
  CHECK(model.N == 3);
  CHECK(model.activation == Activation::kGeluSigmoid);
  CHECK(model.has_final_norm());
  CHECK(model.norm_epsilon == 1e-6);
  CHECK(model.positions == Positions::kHalvesMarian);
  CHECK(model.max_positions == 512);
  CHECK(model.embedding_factor() == 2.5);
  CHECK(model.ties_source());
  CHECK_FALSE(model.ties_output());
  CHECK_FALSE(model.generator_bias);
  CHECK(config.decoding.search == SearchRules::kHuggingFace);
  CHECK(config.decoding.max_length == 511);
  CHECK(config.decoding.force_eos);
  CHECK(differences(config, parse_config(to_json(config), "again")).empty());
}

TEST_CASE("a factor may be true, false or a number; null is what was never said") {
  const auto model = [](const std::string& content) {
    return load("{" + kTraining + ", \"model\": {" + content + "}}").model;
  };
  const auto written = [](const ModelConfig& model) {
    Config config;
    config.model = model;
    return nlohmann::json::parse(to_json(config))["model"];
  };
  CHECK_FALSE(model(R"("embedding_scale": true)").embedding_scale.has_value());
  CHECK(model(R"("embedding_scale": false)").embedding_factor() == 1.0);
  CHECK(written(model(R"("embedding_scale": 1)"))["embedding_scale"] == false);
  CHECK(written(model(""))["embedding_scale"] == true);
  CHECK(written(model(R"("embedding_scale": 8)"))["embedding_scale"] == 8.0);
  CHECK(written(model(""))["N_decoder"].is_null());
  CHECK_FALSE(model(R"("N_decoder": null, "final_norm": null)").N_decoder.has_value());
  CHECK(model(R"("norm": "post")").has_final_norm() == false);
  CHECK(model(R"("norm": "pre", "final_norm": false)").has_final_norm() == false);
  CHECK(faults_in("model", R"("embedding_scale": 0)") ==
        Lines{"base.json: model.embedding_scale is 0, must be true, false or a number above 0"});
  CHECK(faults_in("model", R"("N_decoder": 0)") ==
        Lines{"base.json: model.N_decoder is 0, must be a whole number from 1 to 1000, or null"});
  CHECK(faults_in("model", R"("final_norm": 1)") ==
        Lines{"base.json: model.final_norm is 1, must be true, false or null"});
  CHECK(faults_in("model", R"("activation": "tanh")") ==
        Lines{R"(base.json: model.activation is "tanh", must be "relu", "swish", "gelu", )"
              R"("gelu_tanh" or "gelu_sigmoid")"});
}
