#include "formats/fixture.h"
#include "formats/imported_model.h"
#include "formats/marian_architecture.h"
#include "formats/marian_npz.h"
#include "formats/marian_yaml.h"
#include "formats/npz.h"

using namespace xformer;
namespace fs = std::filesystem;

namespace {

/// Options that are understood; a test changes one.
const std::string kGoodOptions =
    "type: transformer\nenc-depth: 6\ndec-depth: 6\ndim-emb: 512\ndim-vocabs:\n  - 100\n  - 100\n"
    "transformer-heads: 8\ntransformer-dim-ffn: 2048\ntransformer-ffn-activation: swish\n"
    "transformer-preprocess: \"\"\ntransformer-postprocess: dan\ntransformer-postprocess-emb: d\n"
    "transformer-decoder-autoreg: self-attention\ntied-embeddings-all: true\n"
    "tied-embeddings: false\ntied-embeddings-src: false\nversion: v1.9.0 ab12cd 2020\n";

ModelConfig architecture(const std::map<std::string, std::string>& changes) {
  auto options = read_marian_options(kGoodOptions, "options");
  for (const auto& [key, value] : changes) options[key] = {value};
  return marian_architecture(options, "model.npz");
}

std::string npz_fault(const FixtureCopy& copy) {
  return fault_of([&] { read_marian_npz(copy.path() / "model.npz"); });
}

}  // namespace

TEST_CASE("both forms of Marian's models give the logits of transformers with Marian's positions") {
  for (const std::string name : {"npz_post", "npz_pre"}) {
    CAPTURE(name);
    const auto loaded = read_marian_npz(fixture(name) / "model.npz");
    check_logits(loaded, fixture(name) / "logits.safetensors");
    CHECK(loaded.config.model.positions == Positions::kHalvesMarian);
    CHECK(loaded.config.model.norm_epsilon == 1e-6);
    CHECK(loaded.config.origin.version.starts_with("v1.12.0"));
    const auto& tokens = loaded.config.tokens;
    CHECK(tokens.pad == loaded.vocabulary.target.size() - 1);
    CHECK(tokens.decoder_start == tokens.pad);
    CHECK(tokens.never == std::vector<int32_t>{tokens.unk, tokens.pad});
    CHECK(loaded.vocabulary.target.piece(tokens.pad) == "<pad>");
  }
}

TEST_CASE("numpy's arrays are those of the model that they were made of") {
  const auto arrays = read_npz(fixture("npz_post") / "model.npz");
  auto tensors = read_safetensors(fixture("swish") / "model.safetensors").tensors;
  CHECK(torch::equal(arrays.at("encoder_l1_self_Wq"),
                     tensors["model.encoder.layers.0.self_attn.q_proj.weight"].t()));
  CHECK(
      torch::equal(arrays.at("decoder_l2_ffn_b1")[0], tensors["model.decoder.layers.1.fc1.bias"]));
  CHECK(arrays.at("special:model.yml").scalar_type() == torch::kInt8);
}

TEST_CASE("a .npz that ends anywhere, or has any byte changed in its structure, never crashes") {
  const auto bytes = read_file(fixture("npz_post") / "model.npz");
  TemporaryFolder folder;
  const auto read = [&](const std::string& content) {
    const auto path = folder.file("model.npz", content);
    return fault_of([&] { read_npz(path); });
  };
  CHECK(read(bytes).empty());
  for (size_t length = 0; length < bytes.size(); length += bytes.size() / 97) {
    CAPTURE(length);
    CHECK_FALSE(read(bytes.substr(0, length)).empty());
  }
  // The directory at the end, and the first entry.
  for (size_t at = bytes.size() - 400; at < bytes.size(); ++at) {
    auto changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 0x55);
    read(changed);
  }
  for (size_t at = 0; at < 300; ++at) {
    auto changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 0x55);
    read(changed);
  }
  auto changed = bytes;
  changed[2000] = static_cast<char>(changed[2000] ^ 1);
  CHECK(read(changed).find("has another checksum") != std::string::npos);
}

TEST_CASE("Marian's options become an architecture") {
  const auto post = architecture({});
  CHECK(post.norm == NormPlacement::kPost);
  CHECK_FALSE(post.has_final_norm());
  CHECK(post.activation == Activation::kSwish);
  CHECK(post.tie_embeddings == TieEmbeddings::kAll);
  CHECK(post.of_decoder().N == 6);

  const auto pre = architecture({{"transformer-preprocess", "n"},
                                 {"transformer-postprocess", "da"},
                                 {"transformer-postprocess-top", "n"}});
  CHECK(pre.norm == NormPlacement::kPre);
  CHECK(pre.has_final_norm());
  CHECK_FALSE(architecture({{"transformer-preprocess", "n"},
                            {"transformer-postprocess", "da"},
                            {"transformer-postprocess-top", ""}})
                  .has_final_norm());

  const auto untied = architecture({{"tied-embeddings-all", "false"}});
  CHECK(untied.tie_embeddings == TieEmbeddings::kNone);
  CHECK(architecture({{"tied-embeddings-all", "false"}, {"tied-embeddings", "true"}})
            .tie_embeddings == TieEmbeddings::kDecoder);
  CHECK(architecture({{"tied-embeddings-all", "false"}, {"tied-embeddings-src", "true"}})
            .tie_embeddings == TieEmbeddings::kSourceTarget);
  CHECK(architecture({{"transformer-decoder-dim-ffn", "1536"}}).d_ff_decoder == 1536);
  CHECK_FALSE(architecture({{"output-omit-bias", "true"}}).generator_bias);
  CHECK(architecture({{"transformer-ffn-activation", "gelu"}}).activation ==
        Activation::kGeluSigmoid);
  CHECK(architecture({{"transformer-ffn-activation", "gelu"}, {"version", "v1.12.31 ab"}})
            .activation == Activation::kGelu);
}

TEST_CASE(
    "models that are not the Transformer of this tool are refused by the name of the option") {
  const std::vector<std::pair<std::string, std::string>> bad = {
      {"type", "amun"},
      {"type", "multi-transformer"},
      {"transformer-decoder-autoreg", "rnn"},
      {"transformer-decoder-autoreg", "average-attention"},
      {"transformer-postprocess", "dahn"},
      {"transformer-postprocess", "dar"},
      {"transformer-preprocess", "r"},
      {"transformer-preprocess", "n"},
      {"transformer-postprocess-top", "n"},
      {"transformer-postprocess-emb", "dn"},
      {"transformer-ffn-depth", "3"},
      {"transformer-decoder-ffn-depth", "1"},
      {"transformer-no-projection", "true"},
      {"transformer-no-bias", "true"},
      {"transformer-no-affine", "true"},
      {"transformer-train-position-embeddings", "true"},
      {"transformer-tied-layers", "1"},
      {"transformer-pool", "true"},
      {"transformer-attention-mask", "alibi"},
      {"transformer-disable-position-embeddings", "true"},
      {"ulr", "true"},
      {"right-left", "true"},
      {"lemma-dim-emb", "-1"},
      {"factors-dim-emb", "8"},
      {"transformer-heads", "7"},
      {"transformer-heads", "0"},
      {"dim-emb", "511"},
      {"dim-emb", "many"},
      {"enc-depth", "-1"},
      {"transformer-ffn-activation", "tanh"},
      {"tied-embeddings", "maybe"}};
  for (const auto& [key, value] : bad) {
    CAPTURE(key, value);
    const auto fault = fault_of([&, key = key, value = value] { architecture({{key, value}}); });
    // A norm in front needs another chain behind.
    const auto named =
        value == "n" && key == "transformer-preprocess" ? "transformer-postprocess" : key;
    CHECK(fault.starts_with("model.npz: " + named + " is "));
  }
  const auto student = fault_of(
      [] { architecture({{"transformer-decoder-autoreg", "rnn"}, {"dec-cell", "ssru"}}); });
  CHECK(student.find("ssru") != std::string::npos);
  CHECK(student.find("teacher") != std::string::npos);
  const auto old = fault_of(
      [] { architecture({{"transformer-preprocess", "n"}, {"transformer-postprocess", "da"}}); });
  CHECK(old.find("before Marian 1.10") != std::string::npos);
}

TEST_CASE("the YAML that Marian writes is read") {
  const auto options = read_marian_options(
      "# a comment\n---\na: 1\nb: [x, \"y, z\", 'it''s']\nc:\n  - 2\n  - 3\nd: []\ne: \"\"\nf:\n",
      "yaml");
  CHECK(options.at("a") == std::vector<std::string>{"1"});
  CHECK(options.at("b") == std::vector<std::string>{"x", "y, z", "it's"});
  CHECK(options.at("c") == std::vector<std::string>{"2", "3"});
  CHECK(options.at("d").empty());
  CHECK(options.at("e") == std::vector<std::string>{""});
  CHECK(options.at("f").empty());
  for (const char* bad : {"no colon\n", "- item\n", "a: 1\na: 2\n", "a: [1, 2\n", "a: \"open\n"}) {
    CHECK(fault_of([&] { read_marian_options(bad, "yaml"); }).starts_with("yaml, line "));
  }
}

TEST_CASE("a vocabulary is read in every form of its lines") {
  const auto pieces = read_marian_vocabulary(
      "</s>: 0\n\"<unk>\": 1\n'it''s': 2\n\"\\u2581a\\\"\\x41\\n\": 3\n? long\n: 4\na:b: 5\n\"#\": "
      "6\n",
      "vocab.yml");
  CHECK(pieces == std::vector<std::string>{"</s>", "<unk>", "it's", "▁a\"A\n", "long", "a:b", "#"});
  CHECK(read_marian_vocabulary("{\"a\": 1, \"b\": 0}", "vocab.yml") ==
        std::vector<std::string>{"b", "a"});
  for (const char* bad : {"a: 1\n", "a: 0\nb: 0\n", "a: 0\na: 1\n", "a: x\n", "a\n", "\"a: 0\n",
                          "\"\\q\": 0\n", "? a\nb: 0\n", "{\"a\": 1}"}) {
    CAPTURE(bad);
    CHECK(fault_of([&] { read_marian_vocabulary(bad, "vocab.yml"); }).starts_with("vocab.yml"));
  }
}

TEST_CASE("what lies beside a .npz is checked") {
  const auto contains = [](const std::string& text, const std::string& part) {
    CAPTURE(text, part);
    CHECK(text.find(part) != std::string::npos);
  };
  for (const char* file : {"vocab.yml", "source.spm", "target.spm"}) {
    FixtureCopy copy("npz_post");
    fs::remove(copy.path() / file);
    contains(npz_fault(copy), file);
  }
  {
    FixtureCopy copy("npz_post");
    write_file_atomically(copy.path() / "source.bpe", "x");
    contains(npz_fault(copy), "source.bpe");
  }
  {
    FixtureCopy copy("npz_post");
    fs::remove(copy.path() / "decoder.yml");
    CHECK(npz_fault(copy).empty());
    write_file_atomically(copy.path() / "vocab.yml",
                          read_file(copy.path() / "vocab.yml") + "more: 5000\n");
    contains(npz_fault(copy), "the ids must be");
  }
  {
    FixtureCopy copy("npz_post");
    auto text = read_file(copy.path() / "vocab.yml");
    const auto count = read_marian_vocabulary(text, "").size();
    write_file_atomically(copy.path() / "vocab.yml",
                          text + "more: " + std::to_string(count) + "\n");
    contains(npz_fault(copy), "has the shape");
  }
}
