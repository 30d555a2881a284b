"""Imported models, exported to CTranslate2, beside the ctranslate2 package by its own search rules."""
import json
import pathlib

import pytest

from running import run

ctranslate2 = pytest.importorskip("ctranslate2", reason="the ctranslate2 package is missing")

FIXTURES = pathlib.Path(__file__).resolve().parent / "fixtures"
KINDS = ["swish", "gelu", "deep_encoder", "untied", "no_bias", "separate", "pegasus", "npz_post", "npz_pre"]


@pytest.fixture(scope="module", params=KINDS)
def folder(request, xformer, tmp_path_factory):
    folder = tmp_path_factory.mktemp(request.param)
    run(xformer, "import", "--from", FIXTURES / request.param, "--output", folder / "model")
    run(xformer, "export", "--model", folder / "model", "--to", "ctranslate2", "--output", folder / "ct2")
    return folder


@pytest.mark.parametrize("beam_size", [1, 4])
def test_pieces_and_scores_are_those_of_the_package(xformer, folder, beam_size):
    sentences = json.loads((FIXTURES / "swish/expected.json").read_text(encoding="utf-8"))["sentences"]
    done = run(xformer, "translate", "--model", folder / "model", "--search", "ctranslate2", "--allow-unknown", "--format",
               "jsonl", "--length-penalty", "1", "--max-length", "47", "--beam-size", str(beam_size), "--threads", "1",
               stdin="\n".join(sentences).encode())
    mine = [json.loads(line) for line in done.stdout.decode().splitlines()]
    translator = ctranslate2.Translator(str(folder / "ct2"), compute_type="float32", intra_threads=1)
    theirs = translator.translate_batch([line["source_tokens"] for line in mine], beam_size=beam_size, length_penalty=1,
                                        max_decoding_length=47, return_scores=True)
    for line, result in zip(mine, theirs, strict=True):
        assert line["hypotheses"][0]["tokens"] == result.hypotheses[0]
        assert line["hypotheses"][0]["score"] == pytest.approx(result.scores[0], abs=1e-4)
