#include "config/config.h"

#include <nlohmann/json.hpp>
#include <sstream>

#include "catch.h"
#include "runtime/error.h"
#include "temporary_folder.h"

using namespace xformer;
namespace fs = std::filesystem;

namespace {

/// Enough for a configuration of task text to be complete.
const std::string kTraining = R"("data": {"train": {"source": "a.de", "target": "a.en"}})";

Config load(const std::string& json, const std::vector<Override>& overrides = {}) {
  TemporaryFolder folder;
  return load_config(folder.file("base.json", json), overrides);
}

/// The faults of a configuration file, without the folder it lies in.
std::vector<std::string> faults(const std::string& json,
                                const std::vector<Override>& overrides = {}) {
  TemporaryFolder folder;
  const fs::path file = folder.file("base.json", json);
  const std::string prefix = folder.path().string() + "/";
  try {
    load_config(file, overrides);
  } catch (const UserError& error) {
    std::vector<std::string> lines;
    std::istringstream text(error.what());
    for (std::string line; std::getline(text, line);) {
      for (size_t at; (at = line.find(prefix)) != std::string::npos;) line.erase(at, prefix.size());
      lines.push_back(line);
    }
    return lines;
  }
  return {};
}

using Lines = std::vector<std::string>;

Lines faults_in(const std::string& section, const std::string& content) {
  return faults("{" + kTraining + ", \"" + section + "\": {" + content + "}}");
}

Lines faults_of_set(const std::string& argument) {
  return faults("{" + kTraining + "}", {parse_override(argument)});
}

std::string error_of_parse(const std::string& json) {
  try {
    parse_config(json, "model/config.json");
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

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

TEST_CASE("an override without a key or a value is refused") {
  CHECK(parse_override("a.b=c=d") == Override{"a.b", "c=d"});
  CHECK(parse_override("a.b=") == Override{"a.b", ""});
  CHECK_THROWS_WITH(parse_override("training.warmup"),
                    "--set \"training.warmup\" must be key.path=value");
  CHECK_THROWS_AS(parse_override("=3"), UserError);
}

TEST_CASE("an unknown key is an error that names the nearest known one") {
  CHECK(faults_in("training", R"("warmupp": 100)") ==
        Lines{"base.json: training.warmupp is not a known key; did you mean training.warmup?"});
  CHECK(faults("{" + kTraining + R"(, "warmup": 100})") ==
        Lines{"base.json: warmup is not a known key; did you mean training.warmup?"});
  CHECK(faults("{" + kTraining + R"(, "trainning": {"warmup": 100}})") ==
        Lines{"base.json: trainning is not a known key; did you mean training?"});
  CHECK(faults_of_set("training.warmpu=3") ==
        Lines{"--set training.warmpu is not a known key; did you mean training.warmup?"});
  CHECK(faults_of_set("trainning.warmup=3") ==
        Lines{"--set trainning.warmup is not a known key; did you mean training.warmup?"});
}

TEST_CASE("a key that resembles none is answered with the keys there are") {
  CHECK(faults_in("decoding", R"("temperature": 1)") ==
        Lines{"base.json: decoding.temperature is not a known key; the keys of decoding are "
              "search, beam_size, length_penalty, max_length_factor, max_length_extra, "
              "max_length, force_eos"});
  CHECK(faults("{" + kTraining + R"(, "optimizer": {}})") ==
        Lines{"base.json: optimizer is not a known key; the sections are data, vocabulary, model, "
              "training, decoding"});
}

TEST_CASE("a key with a dot in it, odd letters or no letter is shown as what it is") {
  CHECK(faults(R"({"data": {"task": "copy", "copy.length": 3}})") ==
        Lines{"base.json: data.copy.length is written with a dot, must be nested"});
  CHECK(faults("{" + kTraining + R"(, "training.warmup": 3})") ==
        Lines{"base.json: training.warmup is written with a dot, must be nested"});
  CHECK(faults("{" + kTraining + R"(, "": 3})")
            .front()
            .starts_with("base.json: \"\" is not a known"));
  CHECK(faults("{" + kTraining + R"(, "a\nb": 3})")
            .front()
            .starts_with(R"(base.json: "a\nb" is not a known key)"));
}

TEST_CASE("a key given twice is an error") {
  CHECK(faults_in("training", R"("warmup": 1, "seed": 2, "warmup": 1)") ==
        Lines{"base.json: training.warmup is given twice"});
  CHECK(faults("{" + kTraining + R"(, "model": {"N": 1}, "model": {"h": 1}})") ==
        Lines{"base.json: model is given twice"});
  // The same word in two sections is no duplicate.
  CHECK(faults(R"({"data": {"train": {"source": "a", "target": "b"},
                            "valid": {"source": "a", "target": "b"}}})")
            .empty());
}

TEST_CASE("a value of the wrong type or size is shown with what is allowed") {
  const auto [content, fault] = GENERATE(table<std::string, std::string>({
      {R"("warmup": "4k")", R"("4k", must be a whole number of at least 1)"},
      {R"("warmup": 0)", "0, must be a whole number of at least 1"},
      {R"("warmup": -4)", "-4, must be a whole number of at least 1"},
      {R"("warmup": 3.5)", "3.5, must be a whole number of at least 1"},
      {R"("warmup": null)", "null, must be a whole number of at least 1"},
      {R"("warmup": true)", "true, must be a whole number of at least 1"},
      {R"("warmup": [4])", "[4], must be a whole number of at least 1"},
      {R"("warmup": {"a": 4})", R"({"a":4}, must be a whole number of at least 1)"},
      {R"("warmup": 9223372036854775808)",
       "9223372036854775808, must be a whole number of at least 1 and below 2^63"},
      {R"("warmup": 1e30)", "1e+30, must be a whole number of at least 1 and below 2^63"},
  }));
  CHECK(faults_in("training", content) == Lines{"base.json: training.warmup is " + fault});
}

TEST_CASE("ranges and names are checked") {
  const auto [section, content, fault] = GENERATE(table<std::string, std::string, std::string>({
      {"model", R"("norm": "mid")", R"(model.norm is "mid", must be "pre" or "post")"},
      {"model", R"("norm": 1)", R"(model.norm is 1, must be "pre" or "post")"},
      {"model", R"("tie_embeddings": "All")",
       R"(model.tie_embeddings is "All", must be "all", "decoder", "source_target" or )"
       R"("none")"},
      {"model", R"("dropout": 1)",
       "model.dropout is 1, must be a number of at least 0 and below 1"},
      {"model", R"("dropout": -0.1)",
       "model.dropout is -0.1, must be a number of at least 0 and below 1"},
      {"model", R"("attention_dropout": null)",
       "model.attention_dropout is null, must be a number of at least 0 and below 1"},
      {"model", R"("d_model": 1000000)",
       "model.d_model is 1000000, must be a whole number from 1 to 65536"},
      {"training", R"("label_smoothing": 1.0)",
       "training.label_smoothing is 1.0, must be a number of at least 0 and below 1"},
      {"training", R"("base_lr": 0)", "training.base_lr is 0, must be a number above 0"},
      {"training", R"("base_lr": "1")", R"(training.base_lr is "1", must be a number above 0)"},
      {"training", R"("clip_norm": -1)",
       "training.clip_norm is -1, must be a number of at least 0"},
      {"training", R"("precision": "fp16")",
       R"(training.precision is "fp16", must be "auto", "float32", "bfloat16" or "float16")"},
      {"training", R"("seed": -1)", "training.seed is -1, must be a whole number of at least 0"},
      {"training", R"("keep": 0)", "training.keep is 0, must be a whole number of at least 1"},
      {"decoding", R"("beam_size": 0)",
       "decoding.beam_size is 0, must be a whole number from 1 to 1000"},
      {"vocabulary", R"("shared": "yes")", R"(vocabulary.shared is "yes", must be true or false)"},
      {"vocabulary", R"("size": 4)",
       "vocabulary.size is 4, must be a whole number from 5 to 1000000"},
      {"vocabulary", R"("model": 4)",
       "vocabulary.model is 4, must be the name of a file, in quotes"},
      {"vocabulary", R"("model": "a\u0000b")",
       R"(vocabulary.model is "a\u0000b", must be the name of a file, in quotes)"},
  }));
  CHECK(faults_in(section, content) == Lines{"base.json: " + fault});
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

TEST_CASE("faults of overrides name the option") {
  CHECK(faults_of_set("training.warmup=4k") ==
        Lines{R"(--set training.warmup is "4k", must be a whole number of at least 1)"});
  CHECK(faults_of_set("training.warmup=") ==
        Lines{R"(--set training.warmup is "", must be a whole number of at least 1)"});
  CHECK(faults_of_set("model.dropout=nan") ==
        Lines{R"(--set model.dropout is "nan", must be a number of at least 0 and below 1)"});
  CHECK(faults_of_set("model.dropout=1e999") ==
        Lines{R"(--set model.dropout is "1e999", must be a number of at least 0 and below 1)"});
  CHECK(faults_of_set("training=3")
            .front()
            .starts_with(
                "--set training is 3, must be an object with the keys batch_tokens, accum_iter, "));
}

TEST_CASE("all faults are reported together") {
  CHECK(faults(R"({
    "data": {"task": "copy", "max_length": 0},
    "model": {"normm": "pre", "h": 0},
    "training": {"warmup": "4k", "seed": 1, "seed": 2}
  })",
               {{"training.keep", "x"}}) ==
        Lines{"base.json: training.seed is given twice",
              "base.json: data.max_length is 0, must be a whole number from 1 to 1000000",
              "base.json: model.normm is not a known key; did you mean model.norm?",
              "base.json: model.h is 0, must be a whole number from 1 to 65536",
              R"(base.json: training.warmup is "4k", must be a whole number of at least 1)",
              R"(--set training.keep is "x", must be a whole number of at least 1)"});
}

TEST_CASE("sections and the whole file must be objects") {
  CHECK(faults("[1]") == Lines{"base.json: is [1], must be an object in { }"});
  CHECK(faults(R"({"data": "a.de"})") ==
        Lines{R"(base.json: data is "a.de", must be an object with the keys task, train, valid, )"
              "max_length, cache, copy"});
  CHECK(
      faults(R"({"data": {"train": "a.de"}})").front() ==
      R"(base.json: data.train is "a.de", must be an object with the keys source, target, weight)");
}

TEST_CASE("text that is not JSON is refused with the place") {
  const auto [json, fault] = GENERATE(table<std::string, std::string>({
      {"", "line 1, column 1: not valid JSON: the text ends too early"},
      {"{\n  \"model\": {\n    \"N\": 6,\n  }\n}",
       "line 4, column 3: not valid JSON: unexpected '}'"},
      {"{\n  \"model\": {\"N\": 4k}}", "line 2, column 19: not valid JSON: "},
      {"{\"model\": {\"d_model\": NaN}}",
       "line 1, column 23: not valid JSON: text must be in quotes"},
      {"{\"\xC3\xA9\xC3\xA9\": x}", "line 1, column 8: not valid JSON: "},
      {"{model: 3}", "line 1, column 2: not valid JSON: "},
      {"{\"model\": {\"N\": 1}} {}", "line 1, column 21: not valid JSON: "},
      {"{\"model\": \"\xFF\"}",
       "line 1, column 12: not valid JSON: invalid string: ill-formed UTF-8"},
  }));
  const Lines lines = faults(json);
  REQUIRE(lines.size() == 1);
  CAPTURE(lines.front());
  CHECK(lines.front().starts_with("base.json, " + fault));
  CHECK(lines.front().find("json.exception") == std::string::npos);
}

TEST_CASE("text nested without end is refused, not followed") {
  const std::string json = "{\"model\": " + std::string(1'000'000, '[');
  CHECK(faults(json) == Lines{"base.json: nested more than 64 levels deep"});
  const Lines lines = faults_of_set("training.warmup=" + std::string(1'000'000, '['));
  REQUIRE(lines.size() == 1);
  CHECK(lines.front().size() < 300);
}

TEST_CASE("a number too large for the machine is refused") {
  CHECK(faults_in("training", R"("base_lr": 1e999)").front().find("1e999") != std::string::npos);
}

TEST_CASE("a file that cannot be read is refused by name") {
  TemporaryFolder folder;
  CHECK_THROWS_WITH(
      load_config(folder.path() / "none.json", {}),
      (folder.path() / "none.json").string() + ": cannot be read: No such file or directory");
  CHECK_THROWS_WITH(load_config(folder.path(), {}),
                    folder.path().string() + ": cannot be read: it is a folder");
}

TEST_CASE("values that do not go together are refused") {
  const auto [json, fault] = GENERATE(table<std::string, std::string>({
      {R"("model": {"d_model": 500})",
       "model.d_model is 500, must be a multiple of model.h, which is 8"},
      {R"("model": {"d_model": 9, "h": 3})",
       "model.d_model is 9, must be even: positions are pairs of a sine and a cosine"},
      {R"("vocabulary": {"shared": false})",
       R"(model.tie_embeddings is "all", which needs a shared vocabulary, must be "decoder" or )"
       R"("none" when vocabulary.shared is false)"},
      {R"("vocabulary": {"model": "/m", "source_model": "/s", "target_model": "/t"})",
       R"(vocabulary.model is "/m", must be left out when vocabulary.source_model and )"
       "vocabulary.target_model are given"},
      {R"("vocabulary": {"source_model": "/s", "target_model": "/t"})",
       "vocabulary.shared is true, must be false when vocabulary.source_model and "
       "vocabulary.target_model are given"},
      {R"("vocabulary": {"shared": false, "model": "/m"}, "model": {"tie_embeddings": "decoder"})",
       R"(vocabulary.model is "/m", must be left out when vocabulary.shared is false: give )"
       "vocabulary.source_model and vocabulary.target_model"},
      {R"("vocabulary": {"shared": false, "source_model": "/s"}, "model": {"tie_embeddings": "none"})",
       "vocabulary.target_model is missing, must be given together with vocabulary.source_model"},
      {R"("training": {"keep": 3, "average": 4})",
       "training.average is 4, must be at most training.keep, which is 3"},
      {R"("model": {"h_decoder": 7})",
       "model.d_model is 512, must be a multiple of model.h_decoder, which is 7"},
      {R"("vocabulary": {"shared": false}, "model": {"tie_embeddings": "source_target"})",
       R"(model.tie_embeddings is "source_target", which needs a shared vocabulary, must be )"
       R"("decoder" or "none" when vocabulary.shared is false)"},
      {R"("model": {"max_positions": 256})",
       "data.max_length is 256, must be below model.max_positions, which is 256: eos takes a "
       "position too"},
      {R"("decoding": {"max_length_factor": 0, "max_length_extra": 0})",
       "decoding.max_length_extra is 0, must be at least 1 when decoding.max_length_factor is 0"},
  }));
  CHECK(faults("{" + kTraining + ", " + json + "}") == Lines{"base.json: " + fault});
}

TEST_CASE("the files that a task needs must be named, and no others") {
  CHECK(faults("{}") ==
        Lines{"base.json: data.train.source and data.train.target are missing, must "
              "name the training text when data.task is \"text\""});
  CHECK(faults(R"({"data": {"train": {"source": "a"}}})") ==
        Lines{"base.json: data.train.target is missing, must be given together with "
              "data.train.source"});
  CHECK(
      faults(R"({"data": {"train": {"source": "a", "target": "b"}, "valid": {"target": "c"}}})") ==
      Lines{"base.json: data.valid.source is missing, must be given together with "
            "data.valid.target"});
  CHECK(faults(R"({"data": {"task": "copy"}})").empty());
  CHECK(
      faults(R"({"data": {"task": "copy", "train": {"source": "/a", "target": "/b"}}})").front() ==
      R"(base.json: data.train.source is "/a", must be left out as data.task "copy" makes its )"
      "own text");
}

TEST_CASE("values that an override put out of step name the override") {
  CHECK(faults_of_set("model.h=7") ==
        Lines{"base.json with --set model.h: model.d_model is 512, must be a multiple of model.h, "
              "which is 7"});
}

TEST_CASE("a value that could not be read leads to no second fault") {
  CHECK(faults("{" + kTraining + R"(, "model": {"d_model": 7, "h": "x"}})").size() == 2);
  CHECK(faults("{" + kTraining + R"(, "model": {"d_model": 12, "h": "x"}})").size() == 1);
  CHECK(faults(R"({"data": 3})").size() == 1);
}

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
