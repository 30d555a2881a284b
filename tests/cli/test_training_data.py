"""Where training text comes from: several files, packed files, weights, and the cache that spares reading it again."""
import gzip
import os
import re
import shutil
import signal
import subprocess

import pytest

from conftest import ROOT
from processes import Training
from test_train import last_checkpoint

DEMO = ROOT / "data/demo"


def lines_of(side, first=0, end=600):
    return (DEMO / f"train.{side}").read_bytes().splitlines(keepends=True)[first:end]


@pytest.fixture
def text(tmp_path):
    for side in ("de", "en"):
        (tmp_path / f"a.{side}").write_bytes(b"".join(lines_of(side)))
        (tmp_path / f"b.{side}").write_bytes(b"".join(lines_of(side, 600, 800)))
    return tmp_path


def train(xformer, output, *options, source, target, settings=()):
    settings = [f"data.train.source={source}", f"data.train.target={target}", "data.valid.source=", "data.valid.target=",
                f"data.cache={output.parent}/cache", "vocabulary.size=400", "model.N=1", "model.d_model=32", "model.d_ff=64",
                "training.max_updates=3", "training.average=0", "training.save_every=0", "training.log_every=1", *settings]
    sets = [item for setting in settings for item in ("--set", setting)]
    return ["train", "--config", str(ROOT / "configs/demo.json"), "--output", str(output), "--threads", "2", *sets, *options]


def run(xformer, *arguments, **options):
    done = xformer(*train(xformer, *arguments, **options))
    assert done.returncode == 0, done.stderr.decode()
    return done.stderr.decode()


def as_list(*paths):
    return "[" + ", ".join(f'"{path}"' for path in paths) + "]"


def test_a_second_start_neither_trains_a_vocabulary_nor_encodes(xformer, text):
    first = run(xformer, text / "one", source=text / "a.de", target=text / "a.en")
    second = run(xformer, text / "two", source=text / "a.de", target=text / "a.en")
    assert ": encoded 600 pairs" in first and ": encoded " not in second
    assert "training the vocabulary" in first and "trained before" in second
    for log in (first, second):
        assert "read 600 pairs, kept 600, dropped 0 empty and 0 longer than 256 pieces" in log
    assert last_checkpoint(text / "one").read_bytes() == last_checkpoint(text / "two").read_bytes()


def test_text_that_changed_is_noticed_and_damage_is_repaired(xformer, text):
    run(xformer, text / "one", source=text / "a.de", target=text / "a.en")
    good = last_checkpoint(text / "one").read_bytes()
    for file in (text / "cache").iterdir():
        content = bytearray(file.read_bytes())
        content[len(content) // 2] ^= 1
        file.write_bytes(content)
    log = run(xformer, text / "two", source=text / "a.de", target=text / "a.en")
    assert log.count("damaged") == 2 and ": encoded 600 pairs" in log
    assert last_checkpoint(text / "two").read_bytes() == good
    for side in ("de", "en"):
        (text / f"a.{side}").write_bytes(b"".join(lines_of(side, 0, 599)))
    assert ": encoded 599 pairs" in run(xformer, text / "three", source=text / "a.de", target=text / "a.en")


def test_a_resumed_training_refuses_other_text_and_other_weights(xformer, text):
    both = {"source": as_list(text / "a.de", text / "b.de"), "target": as_list(text / "a.en", text / "b.en")}
    run(xformer, text / "model", **both)
    done = xformer(*train(xformer, text / "model", "--resume", **both, settings=["data.train.weight=[1, 2]"]))
    assert done.returncode == 2 and b"data.train.weight" in done.stderr
    (text / "b.de").write_bytes((text / "b.de").read_bytes().replace(b"e", b"i", 1))
    done = xformer(*train(xformer, text / "model", "--resume", **both))
    assert done.returncode == 2 and b"data.train" in done.stderr


@pytest.mark.parametrize("tool", ["gzip", "zstd"])
def test_packed_files_train_the_same_model(xformer, text, tool):
    if not shutil.which(tool):
        pytest.skip(f"{tool} is not installed")
    run(xformer, text / "plain", source=text / "a.de", target=text / "a.en")
    for side in ("de", "en"):
        packed = subprocess.run([tool, "-c", text / f"a.{side}"], capture_output=True, check=True)
        (text / f"packed.{side}").write_bytes(packed.stdout)
    run(xformer, text / "packed", source=text / "packed.de", target=text / "packed.en")
    assert (text / "plain/model.safetensors").read_bytes() == (text / "packed/model.safetensors").read_bytes()


def test_a_cut_packed_file_is_refused(xformer, text):
    packed = gzip.compress((text / "a.de").read_bytes())
    (text / "cut.gz").write_bytes(packed[: len(packed) // 2])
    done = xformer(*train(xformer, text / "model", source=text / "cut.gz", target=text / "a.en"))
    assert done.returncode == 2 and b"cut.gz: the packed text ends too early" in done.stderr


def test_several_texts_with_weights(xformer, text):
    both = {"source": as_list(text / "a.de", text / "b.de"), "target": as_list(text / "a.en", text / "b.en")}
    settings = ["data.train.weight=[0.5, 3]", "training.max_updates=0", "training.num_epochs=2", "training.log_every=1"]
    log = run(xformer, text / "model", **both, settings=settings)
    assert "800 pairs," in log
    state = re.search(rb'"sentences\\":(\d+)', last_checkpoint(text / "model").read_bytes()[:2_000_000])
    assert state and int(state[1]) == 2 * (300 + 600)


def test_files_that_do_not_go_together(xformer, text):
    done = xformer(*train(xformer, text / "model", source=as_list(text / "a.de", text / "b.de"), target=text / "a.en"))
    assert done.returncode == 2 and b"names 2 files, data.train.target 1" in done.stderr
    done = xformer(*train(xformer, text / "model", source=text / "a.de", target=text / "b.en"))
    assert done.returncode == 2 and b"600" in done.stderr and b"200" in done.stderr
    assert not (text / "model/config.json").exists()


def test_a_cache_that_cannot_be_made_is_named(xformer, text):
    done = xformer(*train(xformer, text / "model", source=text / "a.de", target=text / "a.en",
                          settings=[f"data.cache={text}/a.de"]))
    assert done.returncode == 2 and b"a.de" in done.stderr and b"data.cache" in done.stderr


def test_without_a_cache_folder_the_model_folder_takes_it(xformer, text):
    environment = {**os.environ, "XDG_CACHE_HOME": "/proc/none", "HOME": "/proc/none"}
    done = xformer(*train(xformer, text / "model", source=text / "a.de", target=text / "a.en", settings=["data.cache="]),
                   env=environment)
    assert done.returncode == 0, done.stderr.decode()
    assert len(list((text / "model/training/cache").iterdir())) == 2


@pytest.mark.parametrize("phase", ["training the vocabulary", ": encoding on"])
def test_a_signal_while_text_is_prepared_ends_at_once(xformer, tmp_path, phase):
    """Nothing is trained yet, so there is nothing to save and no message."""
    for side in ("de", "en"):
        (tmp_path / f"long.{side}").write_bytes(b"".join(lines_of(side, 0, 5000)) * 60)
    vocabulary = []
    if "encoding" in phase:
        (tmp_path / "a.de").write_bytes(b"".join(lines_of("de")))
        (tmp_path / "a.en").write_bytes(b"".join(lines_of("en")))
        run(xformer, tmp_path / "small", source=tmp_path / "a.de", target=tmp_path / "a.en")
        vocabulary = [f"vocabulary.model={tmp_path}/small/sentencepiece.model"]
    arguments = train(xformer, tmp_path / "model", source=tmp_path / "long.de",
                      target=tmp_path / "long.en", settings=vocabulary)
    training = Training([xformer.binary, *arguments], tmp_path / "log")
    training.wait_for(phase)
    training.process.send_signal(signal.SIGTERM)
    assert training.process.wait(20) == 128 + signal.SIGTERM, training.text()
    assert "xformer: " not in training.text()
