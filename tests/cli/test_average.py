"""xformer average: the mean of checkpoints or of models, computed again with numpy."""
import json
import shutil

import numpy
import pytest
from safetensors.numpy import load_file, save_file


def checkpoints(model):
    return sorted((model / "training").glob("checkpoint-*.safetensors"), key=lambda path: int(path.stem.split("-")[1]))


def mean(files, prefix):
    sums = {}
    for file in files:
        for name, tensor in load_file(file).items():
            if name.startswith(prefix):
                sums.setdefault(name.removeprefix(prefix), []).append(tensor.astype(numpy.float64))
    return {name: (sum(tensors) / len(files)).astype(numpy.float32) for name, tensors in sums.items()}


def check_equal(folder, expected):
    weights = load_file(folder / "model.safetensors")
    assert weights.keys() == expected.keys()
    for name, tensor in expected.items():
        assert numpy.array_equal(weights[name], tensor), name


@pytest.mark.parametrize("last", [2, None])
def test_the_mean_of_checkpoints(xformer, copy_model, tmp_path, last):
    files = checkpoints(copy_model)
    assert len(files) > 2
    options = ["--last", last] if last else []
    done = xformer("average", "--model", copy_model, *options, "--output", tmp_path / "mean")
    assert done.returncode == 0, done.stderr.decode()
    check_equal(tmp_path / "mean", mean(files[-last:] if last else files, "model."))
    assert xformer("translate", "--model", tmp_path / "mean", stdin=b"1 2 3\n").stdout == b"1 2 3\n"


def test_the_mean_of_models(xformer, copy_model, tmp_path):
    other = shutil.copytree(copy_model, tmp_path / "other")
    weights = load_file(other / "model.safetensors")
    with open(other / "model.safetensors", "rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
    save_file({name: -3 * tensor for name, tensor in weights.items()}, other / "model.safetensors", header["__metadata__"])
    done = xformer("average", copy_model, other, "--output", tmp_path / "mean")
    assert done.returncode == 0, done.stderr.decode()
    check_equal(tmp_path / "mean", mean([copy_model / "model.safetensors", other / "model.safetensors"], ""))
    assert xformer("average", other, copy_model, "--output", tmp_path / "turned").returncode == 0
    check_equal(tmp_path / "turned", load_file(tmp_path / "mean/model.safetensors"))


def test_models_trained_with_other_dropout_are_alike(xformer, copy_model, tmp_path):
    other = shutil.copytree(copy_model, tmp_path / "other")
    config = json.loads((other / "config.json").read_text())
    config["model"]["dropout"] = 0.37
    (other / "config.json").write_text(json.dumps(config))
    done = xformer("average", copy_model, other, "--output", tmp_path / "mean")
    assert done.returncode == 0, done.stderr.decode()
    check_equal(tmp_path / "mean", load_file(copy_model / "model.safetensors"))


def test_what_cannot_be_averaged_is_refused(xformer, copy_model, tmp_path):
    def refused(*arguments, naming):
        done = xformer("average", *arguments, "--output", tmp_path / "mean")
        assert done.returncode == 2
        assert done.stderr.decode().count("\n") == 1 and naming in done.stderr.decode(), done.stderr.decode()
        assert not (tmp_path / "mean").exists()

    narrow = shutil.copytree(copy_model, tmp_path / "narrow")
    config = json.loads((narrow / "config.json").read_text())
    config["model"]["h"] *= 2
    (narrow / "config.json").write_text(json.dumps(config))
    refused(copy_model, narrow, naming="model.h")
    refused("--model", copy_model, "--last", 1000, naming="1000")
    shutil.rmtree(narrow / "training")
    refused("--model", narrow, naming="no checkpoints")
    (narrow / "model.safetensors").write_bytes(b"")
    (narrow / "config.json").write_text((copy_model / "config.json").read_text())
    refused(copy_model, narrow, naming="model.safetensors")
    (tmp_path / "mean").mkdir()
    (tmp_path / "mean/mine").write_text("mine")
    done = xformer("average", "--model", copy_model, "--output", tmp_path / "mean")
    assert done.returncode == 2 and b"--overwrite" in done.stderr
    assert [path.name for path in (tmp_path / "mean").iterdir()] == ["mine"]
