"""Pictures as files: well-formed, with the numbers of the code that runs, and mistakes named."""
import re
import xml.etree.ElementTree as ElementTree

import numpy
import pytest
from safetensors.numpy import load_file

from conftest import ROOT
from test_mistakes import refused

SVG = "{http://www.w3.org/2000/svg}"
REFERENCE = ROOT / "tests/reference/annotated_tiny.safetensors"


def drawn(xformer, path, *arguments):
    done = xformer("plot", *arguments, "--output", path)
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout.decode() == f"{path}\n"
    return ElementTree.parse(path).getroot()


def fields(root):
    """For each heat map its cells as {(row, column): value}, scales and frames left out."""
    found = []
    for group in root.iter(SVG + "g"):
        if group.get("class") == "cells":
            cells = {}
            for path in group:
                column, row = map(int, re.match(r"M(\d+) (\d+)", path.get("d")).groups())
                sign = -1 if path.get("class") == "below" else 1
                cells[row, column] = sign * float(path.get("fill-opacity"))
            found.append(cells)
    return found


def curves(root):
    numbers = lambda text: [float(number) for number in text.split()]
    return {group.get("data-name"): list(zip(numbers(group.get("data-x")), numbers(group.get("data-y"))))
            for group in root.iter(SVG + "g") if group.get("data-name")}


def assert_shows(cells, expected):
    for place, value in numpy.ndenumerate(expected):
        assert cells.get(place, 0) == pytest.approx(value, abs=6e-4)


def test_masks(xformer, tmp_path):
    subsequent, target = fields(drawn(xformer, tmp_path / "masks.svg", "masks", "--size", "8"))
    assert subsequent == {(i, j): 1 for i in range(8) for j in range(8) if j <= i}
    assert target == {(i, j): 1 for i in range(8) for j in range(8) if j <= i and j < 6}


def test_positions_equal_the_annotated_transformers(xformer, tmp_path):
    root = drawn(xformer, tmp_path / "positions.svg", "positions")
    expected = load_file(REFERENCE)["positional_encoding_20x100"]
    assert_shows(fields(root)[0], expected.T)
    shown = curves(root)
    assert list(shown) == [f"dimension {i}" for i in (4, 5, 6, 7)]
    for i in (4, 5, 6, 7):
        assert [y for _, y in shown[f"dimension {i}"]] == pytest.approx(expected[:, i].tolist(), abs=1e-6)


def test_smoothed_targets_equal_the_annotated_transformers(xformer, tmp_path):
    root = drawn(xformer, tmp_path / "smoothing.svg", "smoothing")
    expected = load_file(REFERENCE)["label_smoothing/true_dist"]
    assert_shows(fields(root)[0], expected)
    losses = curves(root)
    plain = dict(losses["smoothing 0"])
    assert all(loss >= -1e-9 for loss in plain.values())
    # Without smoothing more confidence is always better; with it there is too much of it.
    assert [y for _, y in losses["smoothing 0"]] == sorted(plain.values(), reverse=True)
    smoothed = [y for _, y in losses["smoothing 0.4"]]
    assert min(smoothed) < smoothed[-1] and min(smoothed) < smoothed[0]


def test_schedules(xformer, tmp_path):
    shown = curves(drawn(xformer, tmp_path / "schedule.svg", "schedule"))
    assert len(shown) == 3
    peak, rate = max(shown["d_model 512, warm-up 4000"], key=lambda point: point[1])
    assert peak == 4000 and rate == pytest.approx(512 ** -0.5 * 4000 ** -0.5)
    shown = curves(drawn(xformer, tmp_path / "two.svg", "schedule", ROOT / "configs/transformer_base.json",
                         ROOT / "configs/transformer_big.json", "--updates", "10000"))
    assert [name.split(":")[0] for name in shown] == ["transformer_base", "transformer_big"]
    assert all(points[-1][0] == 10000 for points in shown.values())


@pytest.mark.parametrize("picture", ["masks", "positions", "schedule", "smoothing", "attention", "training"])
def test_a_picture_has_help_and_an_ending(xformer, tmp_path, picture):
    done = xformer("plot", picture, "--help")
    assert done.returncode == 0 and b"--output" in done.stdout
    arguments = [tmp_path] if picture == "training" else []
    refused(xformer("plot", picture, *arguments, "--output", tmp_path / "picture.png"), "picture.png", ".svg")


@pytest.mark.parametrize("arguments, fragments", [
    (["masks", "--size", "1"], ["--size"]),
    (["positions", "--d-model", "7"], ["--d-model is 7", "even"]),
    (["smoothing", "--smoothing", "1"], ["--smoothing"]),
    (["schedule", "none.json"], ["none.json"]),
    (["training", "none"], ["none"]),
    (["training"], ["run"]),
    ([], ["subcommand"]),
])
def test_mistakes_are_named(xformer, tmp_path, arguments, fragments):
    refused(xformer("plot", *arguments, cwd=tmp_path), *fragments)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("arguments, fragments", [
    (["1 2", "--layer", "9"], ["--layer is 9", "from 1 to 2"]),
    (["1 2", "--head", "99"], ["--head is 99"]),
    (["1 2", "--translation", "1", "--translation", "2"], ["1 sentences and 2 translations"]),
    (["1", "2", "--output", "a.svg"], ["a.svg", "2 sentences"]),
    ([" "], ["no sentence"]),
    (["1 " * 300], ["sentence 1", "pieces", "256"]),
    (["1"] * 101, ["101 sentences", "100"]),
    (["1", "--output", "none/a.html"], ["none"]),
])
def test_mistakes_about_attention_are_named(xformer, copy_model, tmp_path, arguments, fragments):
    refused(xformer("plot", "attention", "--model", copy_model, *arguments, cwd=tmp_path), *fragments)
    assert list(tmp_path.iterdir()) == []


def test_sentences_come_from_files_or_a_pipe(xformer, copy_model, tmp_path):
    (tmp_path / "source").write_text("1 2\n\n3 4\n")
    (tmp_path / "target").write_text("1 2\n\n3 4\n")
    files = ["--source", tmp_path / "source", "--target", tmp_path / "target"]
    done = xformer("plot", "attention", "--model", copy_model, *files, "--output", tmp_path / "a.html")
    assert done.returncode == 0 and b"1 of 3 lines are blank" in done.stderr
    done = xformer("plot", "attention", "--model", copy_model, "--output", tmp_path / "b.html", stdin=b"1 2\n3 4\n")
    assert done.returncode == 0
    assert (tmp_path / "a.html").read_text().count('"forced":true') == 2
    assert (tmp_path / "b.html").read_text().count('"forced":false') == 2
