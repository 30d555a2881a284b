"""Training as a user runs it: stop, resume, compare byte by byte."""
import json
import re
import resource
import signal
import subprocess
import time

import pytest
from safetensors.numpy import load_file

from conftest import ROOT

# Small enough for seconds, with dropout, accumulation and several epochs, so that every state counts. Products are those
# of float32 on every processor, so that sums can be compared.
SETTINGS = ["data.copy.pairs=400", "model.N=1", "model.d_model=32", "model.dropout=0.1", "training.precision=float32",
            "training.batch_tokens=256", "training.accum_iter=2", "training.average=0", "training.base_lr=1", "training.num_epochs=12", "training.log_every=5"]


def command(xformer, output, *options, settings=()):
    sets = [item for setting in [*SETTINGS, *settings] for item in ("--set", setting)]
    return ["train", "--config", str(ROOT / "configs/copy_task.json"), "--output", str(output), *sets, *options]


def last_checkpoint(model):
    files = (model / "training").glob("checkpoint-*.safetensors")
    return max(files, key=lambda path: int(path.stem.split("-")[1]))


def updates_saved(model):
    """Of the newest checkpoint, 0 when there is none."""
    files = (model / "training").glob("checkpoint-*.safetensors")
    return max((int(path.stem.split("-")[1]) for path in files), default=0)


def metrics(model):
    lines = [json.loads(line) for line in (model / "training/metrics.jsonl").read_text().splitlines()]
    return [{key: value for key, value in line.items() if key != "tokens_per_second"} for line in lines]


def interrupt_when(xformer, arguments, text, signum=signal.SIGTERM):
    """Runs until `text` appears in the log, then sends a signal; returns the exit status."""
    process = subprocess.Popen([xformer.binary, *arguments], stderr=subprocess.PIPE)
    for line in process.stderr:
        if text in line:
            process.send_signal(signum)
            break
    process.stderr.read()
    process.stderr.close()
    return process.wait(60)


@pytest.mark.parametrize("threads", ["1", "2"])
def test_a_resumed_run_ends_byte_for_byte_like_an_uninterrupted_one(xformer, tmp_path, threads):
    straight, stopped = tmp_path / "straight", tmp_path / "stopped"
    assert xformer(*command(xformer, straight, "--threads", threads)).returncode == 0
    status = interrupt_when(xformer, command(xformer, stopped, "--threads", threads), b"update 5 ")
    assert status == 128 + signal.SIGTERM
    status = interrupt_when(xformer, command(xformer, stopped, "--threads", threads, "--resume"), b"update 30 ",
                            signal.SIGINT)
    assert status == 128 + signal.SIGINT
    done = xformer(*command(xformer, stopped, "--threads", threads, "--resume"))
    assert done.returncode == 0, done.stderr.decode()

    assert last_checkpoint(straight).name == last_checkpoint(stopped).name
    assert last_checkpoint(straight).read_bytes() == last_checkpoint(stopped).read_bytes()
    assert (straight / "model.safetensors").read_bytes() == (stopped / "model.safetensors").read_bytes()
    assert metrics(straight) == metrics(stopped)


def test_two_runs_are_equal(xformer, tmp_path):
    for name in ("a", "b"):
        assert xformer(*command(xformer, tmp_path / name)).returncode == 0
    assert last_checkpoint(tmp_path / "a").read_bytes() == last_checkpoint(tmp_path / "b").read_bytes()


def test_a_kill_at_any_moment_leaves_a_checkpoint_that_loads(xformer, tmp_path):
    model = tmp_path / "model"
    settings = ["training.save_every=1", "training.num_epochs=1000", "training.keep=2"]
    arguments = command(xformer, model, settings=settings)
    before = 0
    for i in range(4):
        process = subprocess.Popen([xformer.binary, *arguments, *(["--resume"] if i else [])],
                                   stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while updates_saved(model) <= before and time.monotonic() < deadline:
            time.sleep(0.02)
        time.sleep(0.13 * i)
        process.kill()
        process.wait()
        assert updates_saved(model) > before
        before = updates_saved(model)
    done = xformer(*command(xformer, model, "--resume", settings=settings + [f"training.max_updates={before + 1}"]))
    assert done.returncode == 0, done.stderr.decode()
    assert updates_saved(model) == before + 1
    names = {path.name for path in (model / "training").iterdir()}
    assert all(re.fullmatch(r"checkpoint-\d+\.safetensors|metrics\.jsonl|report\.html|events\.out\.tfevents\..*",
                            name) for name in names)


def test_a_full_disk_leaves_the_last_checkpoint(xformer, tmp_path):
    model = tmp_path / "model"
    assert xformer(*command(xformer, model, settings=["training.max_updates=3"])).returncode == 0
    good = last_checkpoint(model)
    content = good.read_bytes()

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(content) // 2, len(content) // 2))

    done = xformer(*command(xformer, model, "--resume"), preexec_fn=limit)
    assert done.returncode == 1
    assert b"safetensors" in done.stderr and b"File too large" in done.stderr
    assert last_checkpoint(model) == good and good.read_bytes() == content


def test_the_rate_goes_on_where_it_was(xformer, tmp_path):
    model = tmp_path / "model"
    settings = ["training.log_every=1", "training.max_updates=7"]
    assert xformer(*command(xformer, model, settings=settings)).returncode == 0
    settings[1] = "training.max_updates=9"
    done = xformer(*command(xformer, model, "--resume", settings=settings))
    assert b"training.max_updates: 7 -> 9" in done.stderr
    rates = [line["learning_rate"] for line in metrics(model) if "learning_rate" in line]
    assert len(rates) == 9
    for update, rate in enumerate(rates, 1):
        assert rate == pytest.approx(32 ** -0.5 * min(update ** -0.5, update * 200 ** -1.5))


def test_resume_refuses_another_model_or_another_text(xformer, tmp_path):
    model = tmp_path / "model"
    assert xformer(*command(xformer, model, settings=["training.max_updates=2"])).returncode == 0
    for setting in ("model.d_model=64", "training.seed=5", "data.copy.pairs=401"):
        done = xformer(*command(xformer, model, "--resume", settings=[setting]))
        assert done.returncode == 2 and setting.split("=")[0].encode() in done.stderr


def test_divergence_stops_with_advice_and_a_good_checkpoint(xformer, tmp_path):
    model = tmp_path / "model"
    settings = ["training.base_lr=1e30", "training.warmup=1", "training.save_every=1"]
    done = xformer(*command(xformer, model, settings=settings))
    assert done.returncode == 1
    assert b"training.base_lr" in done.stderr


def test_validation_does_not_change_the_training(xformer, tmp_path):
    for name, every in (("a", 0), ("b", 3)):
        assert xformer(*command(xformer, tmp_path / name, settings=[f"training.validate_every={every}"])).returncode == 0
    seldom, often = (load_file(last_checkpoint(tmp_path / name)) for name in "ab")
    assert seldom.keys() == often.keys()
    for name in seldom:
        assert (seldom[name] == often[name]).all(), name


def test_validation_bleu_is_what_translate_and_eval_give(xformer, tmp_path):
    model = tmp_path / "model"
    demo = ROOT / "data/demo"
    for side in ("de", "en"):
        lines = (demo / f"train.{side}").read_bytes().splitlines(keepends=True)
        (tmp_path / f"train.{side}").write_bytes(b"".join(lines[:1000]))
    settings = [f"data.train.source={tmp_path}/train.de", f"data.train.target={tmp_path}/train.en",
                f"data.valid.source={demo}/valid.de", f"data.valid.target={demo}/valid.en",
                "vocabulary.size=600", "model.N=1", "model.d_model=64", "model.h=4", "training.num_epochs=3", "training.average=0"]
    sets = [item for setting in settings for item in ("--set", setting)]
    done = xformer("train", "--config", ROOT / "configs/demo.json", "--output", model, *sets)
    assert done.returncode == 0, done.stderr.decode()
    best = max(line["bleu"] for line in metrics(model) if "bleu" in line)
    scored = xformer("eval", "--model", model, "--source", demo / "valid.de", "--reference", demo / "valid.en",
                     "--beam-size", "1", "--format", "json")
    assert json.loads(scored.stdout)["score"] == pytest.approx(best, abs=1e-4)


def test_averaging_copies_gives_the_copy_and_keep_is_obeyed(xformer, tmp_path):
    model = tmp_path / "model"
    settings = ["training.average=3", "training.keep=3", "training.base_lr=1e-12"]
    assert xformer(*command(xformer, model, settings=settings)).returncode == 0
    assert len(list((model / "training").glob("checkpoint-*"))) == 3


def test_patience_ends_a_training_that_no_longer_gains(xformer, tmp_path):
    model = tmp_path / "model"
    settings = ["training.base_lr=1e-12", "training.patience=2", "training.num_epochs=50"]
    assert xformer(*command(xformer, model, settings=settings)).returncode == 0
    assert len([line for line in metrics(model) if "bleu" in line]) == 3
