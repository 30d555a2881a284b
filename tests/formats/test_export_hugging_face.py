"""Exported models in the transformers package, loaded and searched by its own code."""
import json
import os
import pathlib
import warnings

import pytest

from running import run

os.environ["HF_HUB_OFFLINE"] = "1"
warnings.filterwarnings("ignore", message=".*sacremoses.*")
transformers = pytest.importorskip("transformers", reason="the transformers package is missing")
torch = pytest.importorskip("torch")

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FIXTURES = pathlib.Path(__file__).resolve().parent / "fixtures"
LINES = (ROOT / "data/demo/test.de").read_text(encoding="utf-8").splitlines()[:30]

SHAPES = {
    "pre_shared": [],
    "post_separate": ["model.norm=\"post\"", "vocabulary.shared=false", "model.tie_embeddings=\"none\"",
                      "vocabulary.size=600", "model.activation=\"gelu\"", "model.N=2"],
}


@pytest.fixture(scope="module", params=SHAPES)
def folders(request, xformer, tmp_path_factory):
    """A model of xformer's own that has seen a little training, and its export."""
    folder = tmp_path_factory.mktemp(request.param)
    settings = ["model.N=1", "model.d_model=32", "model.d_ff=48", "training.max_updates=150", "training.batch_tokens=512",
                "training.average=0", "training.validate_every=1000", *SHAPES[request.param]]
    run(xformer, "train", "--config", ROOT / "configs/demo.json", "--output", folder / "model",
        *[part for setting in settings for part in ("--set", setting)])
    run(xformer, "export", "--model", folder / "model", "--to", "huggingface", "--output", folder / "hf")
    return folder


def open_model(folder):
    """As anyone would, and nothing may be missing or left over."""
    model, info = transformers.AutoModelForSeq2SeqLM.from_pretrained(folder, output_loading_info=True)
    assert not any(info.values()), info
    return model.eval(), transformers.AutoTokenizer.from_pretrained(folder)


def theirs(folder, lines, **options):
    torch.set_num_threads(1)
    model, tokenizer = open_model(folder)
    batch = tokenizer(lines, return_tensors="pt", padding=True)
    with torch.no_grad():
        found = model.generate(**batch, return_dict_in_generate=True, output_scores=True, **options)
    texts = tokenizer.batch_decode(found.sequences, skip_special_tokens=True)
    scores = found.sequences_scores.tolist() if options["num_beams"] > 1 else [None] * len(lines)
    return list(zip(texts, scores, strict=True))


def ours(xformer, model, lines, *options):
    done = run(xformer, "translate", "--model", model, "--search", "huggingface", "--allow-unknown", "--format", "jsonl",
               "--threads", "1", *options, stdin="\n".join(lines).encode())
    return [json.loads(line)["hypotheses"][0] for line in done.stdout.decode().splitlines()]


@pytest.mark.parametrize("beams", [1, 4])
def test_text_and_scores_are_those_of_generate(xformer, folders, beams):
    mine = ours(xformer, folders / "model", LINES, "--beam-size", str(beams), "--length-penalty", "1", "--max-length", "40")
    wanted = theirs(folders / "hf", LINES, num_beams=beams, max_length=41, bad_words_ids=[[0], [2]], renormalize_logits=False)
    same = 0
    for hypothesis, (text, score) in zip(mine, wanted, strict=True):
        if hypothesis["text"] != text:
            continue
        same += 1
        assert score is None or hypothesis["score"] == pytest.approx(score, abs=1e-4)
    assert same >= len(LINES) - 1


def test_generate_needs_no_options(folders):
    """Its defaults are those of the model: <unk> and padding forbidden, beams, a limit."""
    model, tokenizer = open_model(folders / "hf")
    settings = model.generation_config
    assert settings.num_beams == 4 and settings.max_length > 100 and settings.renormalize_logits
    assert settings.bad_words_ids == [[0], [1], [2]]
    texts = tokenizer.batch_decode(model.generate(**tokenizer(LINES[:2], return_tensors="pt", padding=True)),
                                   skip_special_tokens=True)
    assert all(text and "<" not in text for text in texts)


def test_an_export_comes_back_with_the_same_translations(xformer, folders, tmp_path):
    run(xformer, "import", "--from", folders / "hf", "--output", tmp_path / "again")
    options = "--beam-size", "4", "--length-penalty", "1", "--max-length", "40"
    before, after = (ours(xformer, model, LINES, *options) for model in (folders / "model", tmp_path / "again"))
    for a, b in zip(before, after, strict=True):
        assert a["text"] == b["text"] and a["score"] == pytest.approx(b["score"], abs=1e-4)
    # The order of the numbers settles with the first export.
    run(xformer, "export", "--model", tmp_path / "again", "--to", "huggingface", "--output", tmp_path / "hf")
    run(xformer, "import", "--from", tmp_path / "hf", "--output", tmp_path / "third")
    assert (tmp_path / "third/model.safetensors").read_bytes() == (tmp_path / "again/model.safetensors").read_bytes()


@pytest.mark.parametrize("kind", ["swish", "untied", "separate", "pegasus", "no_bias"])
def test_an_import_goes_out_again_unchanged(xformer, kind, tmp_path):
    run(xformer, "import", "--from", FIXTURES / kind, "--output", tmp_path / "model")
    run(xformer, "export", "--model", tmp_path / "model", "--to", "huggingface", "--output", tmp_path / "hf")
    expected = json.loads((FIXTURES / kind / "expected.json").read_text(encoding="utf-8"))
    found = theirs(tmp_path / "hf", expected["sentences"], num_beams=6)
    scores = pytest.approx(expected["beam6"]["scores"], abs=1e-5)
    assert [score for _, score in found] == scores
    assert [text for text, _ in found] == expected["beam6"]["texts"]
    run(xformer, "import", "--from", tmp_path / "hf", "--output", tmp_path / "again")
    assert (tmp_path / "again/model.safetensors").read_bytes() == (tmp_path / "model/model.safetensors").read_bytes()


def test_what_has_no_place_there_is_refused(xformer, tmp_path):
    run(xformer, "import", "--from", FIXTURES / "npz_post", "--output", tmp_path / "model")
    done = xformer("export", "--model", tmp_path / "model", "--to", "huggingface", "--output", tmp_path / "hf")
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1 and b"model.norm_epsilon is 1e-06" in done.stderr
    done = xformer("export", "--model", tmp_path / "model", "--to", "huggingface", "--precision", "int8", "--output",
                   tmp_path / "hf")
    assert done.returncode == 2 and b"--precision is \"int8\"" in done.stderr
