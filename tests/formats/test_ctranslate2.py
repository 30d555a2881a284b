"""An exported model beside the ctranslate2 package, by its own search rules."""
import json
import pathlib

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
