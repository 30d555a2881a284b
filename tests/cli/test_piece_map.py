"""A model whose ids are those of a vocab.json, not SentencePiece's: the copy model with its rows in another order."""
import json
import pathlib
import re
import shutil

import pytest

numpy = pytest.importorskip("numpy")
safetensors_numpy = pytest.importorskip("safetensors.numpy")
sentencepiece = pytest.importorskip("sentencepiece")

LANGUAGES = [">>xx<<", ">>yy_Latn<<"]
LINES = ["1 2 3", "10 9 8 7", "4", "5 5 5 5 5 5"]
TEXT = "\n".join(LINES).encode() + b"\n"


def weight_files(model: pathlib.Path):
    with open(model / "model.safetensors", "rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
    return safetensors_numpy.load_file(model / "model.safetensors"), header["__metadata__"]


def hashes_wanted(xformer, model):
    """The vocabulary's hash, as the refusal of weights that name another one tells it."""
    done = xformer("translate", "--model", model, stdin=TEXT)
    assert done.returncode == 2
    return re.search(r"vocabulary has the hash ([0-9a-f]{32})", done.stderr.decode()).group(1)


@pytest.fixture(scope="module")
def mapped_model(xformer, copy_model, tmp_path_factory):
    folder = pathlib.Path(shutil.copytree(copy_model, tmp_path_factory.mktemp("mapped") / "model"))
    shutil.rmtree(folder / "training", ignore_errors=True)
    processor = sentencepiece.SentencePieceProcessor(model_file=str(folder / "sentencepiece.model"))
    pieces = [processor.id_to_piece(i) for i in range(processor.get_piece_size())]
    # Last comes first; the language tokens in front, padding at the end, no bos of its own.
    order = [i for i in reversed(range(len(pieces))) if pieces[i] not in ("<pad>", "<s>")]
    vocabulary = {token: i for i, token in enumerate(LANGUAGES)}
    for i in order:
        vocabulary[pieces[i]] = len(vocabulary)
    start, pad = len(vocabulary), len(vocabulary) + 1
    vocabulary |= {"<start>": start, "<pad>": pad}
    (folder / "vocab.json").write_text(json.dumps(vocabulary), encoding="utf-8")

    tensors, metadata = weight_files(folder)
    rows = [0, 0, *order, 2, 0]  # of the old matrices; 2 was bos
    for name in ("tgt_embed.lut.weight", "generator.bias"):
        tensors[name] = tensors[name][rows]
    tensors["tgt_embed.lut.weight"][:2] = 0.01

    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    config["vocabulary"] |= {"source_map": "vocab.json", "target_map": "vocab.json", "language_tokens": LANGUAGES}
    config["tokens"] = {"pad": pad, "unk": vocabulary["<unk>"], "bos": -1, "eos": vocabulary["</s>"],
                        "decoder_start": start, "never": [pad, start, 0, 1]}
    config["origin"] = {"format": "a test", "name": "copy", "version": "1", "notes": ["rows were moved"]}
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")

    def save():
        safetensors_numpy.save_file(tensors, folder / "model.safetensors", metadata)
    save()
    metadata |= dict.fromkeys(("source_vocabulary", "target_vocabulary"), hashes_wanted(xformer, folder))
    save()
    return folder


def run(xformer, *arguments, stdin=TEXT):
    done = xformer(*arguments, stdin=stdin)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def refusal(xformer, *arguments):
    done = xformer(*arguments, stdin=TEXT)
    assert done.returncode == 2, done.stderr.decode()
    assert done.stderr.decode().count("\n") == 1
    return done.stderr.decode()


def test_it_translates_and_scores_as_before(xformer, copy_model, mapped_model, tmp_path):
    assert run(xformer, "translate", "--model", mapped_model).split("\n")[:-1] == LINES
    (tmp_path / "text").write_bytes(TEXT)
    pair = ("--source", tmp_path / "text", "--target", tmp_path / "text")
    before, after = (run(xformer, "score", "--model", model, *pair).split() for model in (copy_model, mapped_model))
    assert list(map(float, before)) == pytest.approx(list(map(float, after)), abs=1e-5)


def test_a_target_language_is_put_in_front_of_what_has_none(xformer, mapped_model):
    def source_tokens(text, *options):
        output = run(xformer, "translate", "--model", mapped_model, "--format", "jsonl", *options, stdin=text.encode())
        return [json.loads(line)["source_tokens"] for line in output.splitlines()]

    plain, = source_tokens("1 2\n")
    assert source_tokens("1 2\n\n>>yy_Latn<< 1 2\n", "--target-language", "xx") == [
        [">>xx<<", *plain], [], [">>yy_Latn<<", *plain]]
    assert source_tokens(">>xx<< 1 2\n") == [[">>xx<<", *plain]]
    assert ">>xx<<" not in source_tokens("1 >>xx<< 2\n")[0]


def test_an_unknown_target_language_is_answered_with_the_known_ones(xformer, copy_model, mapped_model):
    assert "must be one of >>xx<<, >>yy_Latn<<" in refusal(xformer, "translate", "--model", mapped_model,
                                                           "--target-language", "deu")
    assert "knows no languages" in refusal(xformer, "translate", "--model", copy_model, "--target-language", "deu")


def test_words_are_counted_without_the_language_token(xformer, mapped_model):
    def links(*options):
        output = run(xformer, "translate", "--model", mapped_model, "--alignment", *options, stdin=b"1 2 3 4\n")
        return [int(link.split("-")[0]) for link in output.split(" ||| ")[1].split()]

    assert max(links("--target-language", "xx")) <= 3
    assert len(links()) == 4


def test_info_tells_where_it_comes_from(xformer, mapped_model):
    output = run(xformer, "info", "--model", mapped_model)
    for line in ("origin a test, copy, 1", "note rows were moved", "activation relu", "positions interleaved",
                 "target languages >>xx<< >>yy_Latn<<"):
        assert line in output.split("\n")
    assert "decoding starts with <start>, ends with </s>, never chooses <pad> <start> >>xx<< >>yy_Latn<<" in output


def test_it_can_be_fine_tuned_and_keeps_its_map(xformer, mapped_model, tmp_path):
    run(xformer, "train", "--init-from", mapped_model, "--output", tmp_path / "tuned", "--set", "training.max_updates=2",
        "--set", "training.base_lr=1e-9", "--set", "training.average=0")
    assert (tmp_path / "tuned/vocab.json").read_bytes() == (mapped_model / "vocab.json").read_bytes()
    assert run(xformer, "translate", "--model", tmp_path / "tuned").split("\n")[:-1] == LINES
    assert "origin a test" in run(xformer, "info", "--model", tmp_path / "tuned")


def test_two_processes_share_the_map(xformer, mapped_model, tmp_path):
    run(xformer, "train", "--init-from", mapped_model, "--output", tmp_path / "tuned", "--processes", "2", "--threads",
        "1", "--set", "training.max_updates=2", "--set", "training.base_lr=1e-9", "--set", "training.average=0")
    assert run(xformer, "translate", "--model", tmp_path / "tuned").split("\n")[:-1] == LINES


def test_ctranslate2_gets_the_maps_pieces(xformer, mapped_model, tmp_path):
    ctranslate2 = pytest.importorskip("ctranslate2", reason="the ctranslate2 package is missing")
    run(xformer, "export", "--model", mapped_model, "--to", "ctranslate2", "--output", tmp_path / "ct2")
    processor = sentencepiece.SentencePieceProcessor(model_file=str(tmp_path / "ct2/sentencepiece.model"))
    translator = ctranslate2.Translator(str(tmp_path / "ct2"), intra_threads=1)
    results = translator.translate_batch([processor.encode(line, out_type=str) for line in LINES], beam_size=1)
    assert [processor.decode(result.hypotheses[0]) for result in results] == LINES


@pytest.mark.parametrize("change, said", [
    (lambda c: c["tokens"].update(pad=100000), "special token has the id 100000"),
    (lambda c: c["tokens"].update(never=[5000]), "tokens holds the id 5000"),
    (lambda c: c["vocabulary"].update(source_map="../x"), "must be a file's name alone"),
    (lambda c: c["vocabulary"].update(source_map="none.json", target_map="none.json"), "none.json"),
    (lambda c: c["vocabulary"].update(language_tokens=[">>zz<<"]), "lacks the language token >>zz<<"),
    (lambda c: c["tokens"].update(eos="x"), "tokens.eos is"),
    (lambda c: c["model"].update(activation="tanh"), "model.activation is"),
    (lambda c: c["model"].update(N_decoder=1), "which the configuration does not want"),
])
def test_a_folder_that_contradicts_itself_is_refused(xformer, mapped_model, tmp_path, change, said):
    folder = pathlib.Path(shutil.copytree(mapped_model, tmp_path / "model"))
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    change(config)
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    assert said in refusal(xformer, "translate", "--model", folder)


def test_a_map_of_another_size_is_refused(xformer, mapped_model, tmp_path):
    folder = pathlib.Path(shutil.copytree(mapped_model, tmp_path / "model"))
    vocabulary = json.loads((folder / "vocab.json").read_text(encoding="utf-8"))
    (folder / "vocab.json").write_text(json.dumps(vocabulary | {"more": len(vocabulary)}), encoding="utf-8")
    assert "the source vocabulary has the hash" in refusal(xformer, "translate", "--model", folder)
