#include "catch.h"
#include "config/loading.h"

using namespace xformer;

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
