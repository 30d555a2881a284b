"""An exported model beside the ctranslate2 package, by its own search rules."""
import json
import pathlib
import shutil

import pytest

ctranslate2 = pytest.importorskip("ctranslate2", reason="the ctranslate2 package is missing")
sentencepiece = pytest.importorskip("sentencepiece")

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LINES = (ROOT / "data/demo/test.de").read_text(encoding="utf-8").splitlines()[:200]

SHAPES = {
    "pre_shared": [],
    "post_separate": ["model.norm=\"post\"", "vocabulary.shared=false", "model.tie_embeddings=\"none\"",
                      "vocabulary.size=600"],
    "pre_decoder_tied": ["vocabulary.shared=false", "model.tie_embeddings=\"decoder\"", "vocabulary.size=700"],
    "as_marian": ["model.norm=\"post\"", "model.activation=\"swish\"", "model.positions=\"halves_marian\"",
                  "model.N_decoder=1", "model.h_decoder=2", "model.d_ff_decoder=64", "model.norm_epsilon=1e-6"],
    "as_nothing_else": ["model.tie_embeddings=\"source_target\"", "model.final_norm=false", "model.embedding_scale=3",
                        "model.generator_bias=false", "model.activation=\"gelu\"", "model.positions=\"halves\"",
                        "model.max_positions=300"],
}


@pytest.fixture(scope="module", params=SHAPES)
def folders(request, xformer, tmp_path_factory):
    """A model that has seen a little training, so that its translations end, and its export."""
    folder = tmp_path_factory.mktemp(request.param)
    settings = ["model.N=2", "model.d_model=64", "model.d_ff=96", "training.max_updates=300", "training.average=0",
                "training.validate_every=1000", *SHAPES[request.param]]
    done = xformer("train", "--config", ROOT / "configs/demo.json", "--output", folder / "model",
                   *[part for setting in settings for part in ("--set", setting)])
    assert done.returncode == 0, done.stderr.decode()
    done = xformer("export", "--model", folder / "model", "--to", "ctranslate2", "--output", folder / "ct2")
    assert done.returncode == 0, done.stderr.decode()
    return folder


def ours(xformer, model, *options):
    done = xformer("translate", "--model", model, "--search", "ctranslate2", "--allow-unknown", "--format", "jsonl",
                   "--length-penalty", "0.6", "--max-length", "60", *options, stdin="\n".join(LINES).encode())
    assert done.returncode == 0, done.stderr.decode()
    return [json.loads(line)["hypotheses"][0] for line in done.stdout.decode().splitlines()]


def theirs(folder, beam_size, compute_type="float32"):
    models = folder / "sentencepiece.model", folder / "source.model"
    processor = sentencepiece.SentencePieceProcessor(model_file=str(next(m for m in models if m.exists())))
    translator = ctranslate2.Translator(str(folder), compute_type=compute_type, intra_threads=1)
    results = translator.translate_batch([processor.encode(line, out_type=str) for line in LINES], beam_size=beam_size,
                                         length_penalty=0.6, max_decoding_length=60, return_scores=True)
    return [(result.hypotheses[0], result.scores[0]) for result in results]


@pytest.mark.parametrize("beam_size", [1, 4])
def test_text_and_scores_are_those_of_the_package(xformer, folders, beam_size):
    mine = ours(xformer, folders / "model", "--beam-size", str(beam_size))
    same = 0
    for hypothesis, (tokens, score) in zip(mine, theirs(folders / "ct2", beam_size), strict=True):
        if hypothesis["tokens"] != tokens:
            continue
        same += 1
        assert hypothesis["score"] == pytest.approx(score, abs=1e-4)
    assert same >= 0.995 * len(LINES)


@pytest.mark.parametrize("activation", ["relu", "swish", "gelu", "gelu_tanh", "gelu_sigmoid"])
def test_activations_are_those_of_the_package(xformer, folders, tmp_path, activation):
    """The same weights mean something else with each; that is enough to compare."""
    if folders.name[:-1] != "as_marian":
        pytest.skip("one model is enough")
    model = pathlib.Path(shutil.copytree(folders / "model", tmp_path / "model", ignore=shutil.ignore_patterns("training")))
    config = json.loads((model / "config.json").read_text(encoding="utf-8"))
    config["model"]["activation"] = activation
    (model / "config.json").write_text(json.dumps(config), encoding="utf-8")
    done = xformer("export", "--model", model, "--output", tmp_path / "ct2")
    assert done.returncode == 0, done.stderr.decode()
    mine, other = ours(xformer, model, "--beam-size", "1"), theirs(tmp_path / "ct2", 1)
    same = [(mine["score"], score) for mine, (tokens, score) in zip(mine, other, strict=True) if mine["tokens"] == tokens]
    assert len(same) >= 0.99 * len(LINES)
    assert [a for a, _ in same] == pytest.approx([b for _, b in same], abs=1e-4)


def test_an_int8_export_is_read_too(xformer, folders):
    done = xformer("export", "--model", folders / "model", "--output", folders / "ct2_int8", "--precision", "int8")
    assert done.returncode == 0, done.stderr.decode()
    quantized, exact = theirs(folders / "ct2_int8", 1, "int8"), theirs(folders / "ct2", 1, "int8")
    # The package quantizes float32 weights itself when it is told to: the same numbers.
    assert quantized == exact


def test_a_folder_with_files_is_left_alone(xformer, folders, tmp_path):
    (tmp_path / "mine").write_text("x")
    done = xformer("export", "--model", folders / "model", "--output", tmp_path)
    assert done.returncode == 2
    assert done.stderr.decode().count("\n") == 1 and "is not empty" in done.stderr.decode()
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]
    assert xformer("export", "--model", folders / "model", "--output", tmp_path, "--overwrite").returncode == 0
    assert (tmp_path / "mine").exists()
