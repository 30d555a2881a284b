"""A user's mistake gives one line that names it, exit status 2, and nothing half written."""
import pathlib
import re

import pytest

from conftest import ROOT

LOG_LINE = re.compile(r"\d\d:\d\d:\d\d (info|warning) ")


def refused(done, *fragments):
    message = done.stderr.decode()
    assert done.returncode == 2, message
    assert done.stdout == b""
    complaint = [line for line in message.splitlines() if not LOG_LINE.match(line)]
    assert len(complaint) == 1, message
    for fragment in fragments:
        assert fragment in message


@pytest.mark.parametrize("options", [
    ["--beam-size", "0"], ["--beam-size", "-1"], ["--beam-size", "x"], ["--beam-size", "100000"],
    ["--batch-tokens", "0"], ["--max-length", "0"], ["--length-penalty", "nan"], ["--length-penalty", "-1"],
    ["--threads", "0"], ["--log-level", "loud"], ["--n-best", "0"], ["--no-such-option"],
    ["--min-length", "0"], ["--no-repeat-ngram", "0"], ["--precision", "int4"], ["--search", "marian"],
    ["--format", "xml"], ["--top-k", "0", "--sample"], ["--top-p", "0", "--sample"], ["--top-p", "1.1", "--sample"],
    ["--temperature", "0", "--sample"], ["--seed", "-1", "--sample"], ["--temperature", "2"], ["--top-k", "5"],
])
def test_options_out_of_range_are_named(xformer, options):
    refused(xformer("translate", *options), options[0])


def test_more_translations_than_the_beam_is_wide(xformer, copy_model):
    refused(xformer("translate", "--model", copy_model, "--beam-size", "4", "--n-best", "10"), "10", "4")


def test_a_least_length_above_the_greatest(xformer, copy_model):
    refused(xformer("translate", "--model", copy_model, "--min-length", "5", "--max-length", "4"), "5", "4")


def test_precisions_of_a_gpu_on_a_cpu(xformer, copy_model):
    refused(xformer("translate", "--model", copy_model, "--device", "cpu", "--precision", "bfloat16"), "--precision")


def test_an_ensemble_of_different_vocabularies(xformer, copy_model, tmp_path):
    done = xformer("train", "--config", ROOT / "configs/copy_task.json", "--output", tmp_path / "other", "--set",
                   "data.copy.symbols=7", "--set", "vocabulary.size=19", "--set", "training.max_updates=1", "--set", "training.average=0")
    assert done.returncode == 0, done.stderr.decode()
    refused(xformer("translate", "--model", copy_model, "--model", tmp_path / "other"), "vocabularies")


def test_prefixes_that_do_not_fit(xformer, copy_model, tmp_path):
    (tmp_path / "prefixes").write_text("1\n")
    refused(xformer("translate", "--model", copy_model, "--prefix-file", tmp_path / "prefixes", stdin=b"1 2\n3\n"),
            "--prefix-file", "1 lines")
    (tmp_path / "prefixes").write_text("\U0001f600\n")
    refused(xformer("translate", "--model", copy_model, "--prefix-file", tmp_path / "prefixes", stdin=b"1 2\n"),
            "line 1")


def test_pairs_that_are_not_pairs(xformer, copy_model, tmp_path):
    (tmp_path / "a").write_text("1\n2\n")
    (tmp_path / "b").write_text("1\n")
    refused(xformer("score", "--model", copy_model, "--source", tmp_path / "a", "--target", tmp_path / "b"), "2", "1")


def test_no_command_and_unknown_command(xformer):
    refused(xformer())
    refused(xformer("trnaslate"))


@pytest.mark.parametrize("command", [[], ["train"], ["translate"], ["eval"], ["info"], ["export"], ["score"]])
def test_help_is_a_result(xformer, command):
    done = xformer(*command, "--help")
    assert done.returncode == 0 and done.stderr == b""
    assert b"--help" in done.stdout
    if command:
        assert b"xformer " + command[0].encode() in done.stdout


def test_a_missing_or_foreign_model(xformer, tmp_path):
    refused(xformer("translate", "--model", tmp_path / "none"), "none")
    refused(xformer("translate", "--model", tmp_path), "config.json")


def test_a_missing_input(xformer, copy_model, tmp_path):
    refused(xformer("translate", "--model", copy_model, "--input", tmp_path / "none"), "none")
    refused(xformer("translate", "--model", copy_model, "--input", tmp_path), str(tmp_path))


def test_cuda_without_a_gpu_is_an_error(xformer, copy_model):
    done = xformer("info")
    if b"CUDA devices 0" not in done.stdout:
        pytest.skip("this machine has a GPU")
    refused(xformer("translate", "--model", copy_model, "--device", "cuda"), "--device", "cuda")
    refused(xformer("translate", "--model", copy_model, "--device", "tpu"), "--device", "tpu")


def damaged(model: pathlib.Path, name: str, change):
    file = model / name
    file.write_bytes(change(file.read_bytes()))


@pytest.fixture
def model_copy(copy_model, tmp_path):
    import shutil
    return pathlib.Path(shutil.copytree(copy_model, tmp_path / "model"))


@pytest.mark.parametrize("name", ["model.safetensors", "config.json", "sentencepiece.model"])
def test_damaged_files_are_refused_by_name(xformer, model_copy, name):
    whole = (model_copy / name).read_bytes()
    for broken in (b"", whole[: len(whole) // 2], b"\xff" * 100):
        (model_copy / name).write_bytes(broken)
        refused(xformer("translate", "--model", model_copy), name)
    (model_copy / name).unlink()
    refused(xformer("translate", "--model", model_copy), name)


def test_weights_of_another_shape_are_refused(xformer, model_copy):
    damaged(model_copy, "config.json", lambda text: text.replace(b'"d_ff": 256', b'"d_ff": 128'))
    refused(xformer("translate", "--model", model_copy), "model.safetensors", "w_1", "256", "128")


def test_another_vocabulary_is_refused(xformer, model_copy, tmp_path):
    other = tmp_path / "other"
    assert xformer("train", "--config", ROOT / "configs/copy_task.json", "--output", other, "--set",
                   "training.seed=9", "--set", "training.max_updates=1").returncode == 0
    (model_copy / "sentencepiece.model").write_bytes((other / "sentencepiece.model").read_bytes())
    refused(xformer("translate", "--model", model_copy), "vocabulary")


# Training

def train(xformer, tmp_path, *options, config=None):
    config = config or ROOT / "configs/copy_task.json"
    return xformer("train", "--config", config, "--output", tmp_path / "out", *options)


@pytest.mark.parametrize("setting, fragments", [
    ("training.warmupp=3", ["training.warmupp", "training.warmup"]),
    ("training.warmup=4k", ["training.warmup", "4k"]),
    ("model.d_model=30", ["d_model", "30"]),
    ("model.h=0", ["model.h", "0"]),
    ("training.precision=float8", ["float8", "float16"]),
    ("model.norm=mid", ["model.norm", "mid", "pre", "post"]),
    ("vocabulary.size=5", ["vocabulary.size", "5"]),
    ("vocabulary.size=30000", ["vocabulary.size", "30000"]),
    ("vocabulary.model=/no/such/file", ["/no/such/file"]),
    ("nonsense", ["nonsense"]),
])
def test_settings(xformer, tmp_path, setting, fragments):
    refused(train(xformer, tmp_path, "--set", setting), *fragments)
    assert not (tmp_path / "out/config.json").exists()


def test_config_files(xformer, tmp_path):
    config = tmp_path / "config.json"
    refused(train(xformer, tmp_path, config=config), "config.json")
    for text, fragment in [("", "config.json"), ("{", "config.json"), ('{"data": {"task": "copy"}, "training": {"warmupp": 3}}', "did you mean training.warmup?"),
                           ('{"data": {"train": {"source": "a"}}}', "target"), ("[]", "config.json")]:
        config.write_text(text)
        refused(train(xformer, tmp_path, config=config), fragment)


def parallel(tmp_path, source, target):
    (tmp_path / "train.x").write_bytes(source)
    (tmp_path / "train.y").write_bytes(target)
    return [item for side, name in (("source", "x"), ("target", "y"))
            for item in ("--set", f"data.train.{side}={tmp_path / ('train.' + name)}")] + ["--set", "data.task=text"]


@pytest.mark.parametrize("source, target, fragments", [
    (b"a\n" * 100, b"b\n" * 99, ["100", "99", "train.x", "train.y"]),
    (b"", b"", ["train.x"]),
    (b"\n\n\n", b"\n\n\n", []),
    ("a b\n".encode("utf-16"), b"a b\n", ["train.x", "UTF-16"]),
])
def test_training_text(xformer, tmp_path, source, target, fragments):
    refused(train(xformer, tmp_path, *parallel(tmp_path, source, target)), *fragments)


def test_training_text_that_is_missing_or_a_folder(xformer, tmp_path):
    options = parallel(tmp_path, b"a\n", b"b\n")
    refused(train(xformer, tmp_path, *options, "--set", f"data.train.source={tmp_path}"), str(tmp_path))
    refused(train(xformer, tmp_path, *options, "--set", "data.train.source=/no/such"), "/no/such")
    refused(train(xformer, tmp_path, *options, "--set", "data.valid.source=/no/such", "--set",
                  "data.valid.target=/no/such"), "/no/such")


def test_an_existing_model_is_not_overwritten_unasked(xformer, model_copy):
    before = (model_copy / "model.safetensors").read_bytes()
    config = ROOT / "configs/copy_task.json"
    refused(xformer("train", "--config", config, "--output", model_copy), "--resume", "--overwrite")
    assert (model_copy / "model.safetensors").read_bytes() == before
    refused(xformer("train", "--config", config, "--output", model_copy, "--resume", "--overwrite"))
    refused(xformer("train", "--config", config, "--output", model_copy.parent / "nothing", "--resume"), "--resume")


def test_overwriting_leaves_foreign_files(xformer, model_copy):
    (model_copy / "notes.txt").write_text("mine")
    done = xformer("train", "--config", ROOT / "configs/copy_task.json", "--output", model_copy, "--overwrite",
                   "--set", "training.max_updates=2")
    assert done.returncode == 0
    assert (model_copy / "notes.txt").read_text() == "mine"


def test_a_folder_that_cannot_be_written(xformer, tmp_path):
    (tmp_path / "out").write_text("a file")
    refused(train(xformer, tmp_path), "--output")
