"""What trainers of other toolkits trip over."""
import json
import os
import re
import signal

import numpy
import pytest
from safetensors import safe_open
from safetensors.numpy import load_file, save_file

from conftest import ROOT
from processes import Training
from test_train import command, interrupt_when, last_checkpoint, metrics, updates_saved

ENDLESS = ["training.num_epochs=100000", "training.log_every=1"]


def run(xformer, output, *options, settings=()):
    done = xformer(*command(xformer, output, *options, settings=settings))
    assert done.returncode == 0, done.stderr.decode()
    return done.stderr.decode()


def refused(done, *fragments):
    assert done.returncode == 2, done.stderr.decode()
    for fragment in fragments:
        assert fragment.encode() in done.stderr, done.stderr.decode()


def test_diverged_weights_overwrite_nothing(xformer, tmp_path):
    model = tmp_path / "model"
    run(xformer, model, settings=["training.max_updates=3"])
    before = {path: path.read_bytes() for path in (model / "training").glob("checkpoint-*")}
    settings = ["training.base_lr=1e30", "training.save_every=1"]
    done = xformer(*command(xformer, model, "--resume", settings=settings))
    assert done.returncode == 1
    assert re.search(rb"update \d+: .*training\.base_lr", done.stderr)
    for path, content in before.items():
        assert path.read_bytes() == content
    for value in load_file(last_checkpoint(model)).values():
        assert numpy.isfinite(value).all()


def test_a_checkpoint_without_moments_is_refused_for_resume(xformer, tmp_path):
    model = tmp_path / "model"
    run(xformer, model, settings=["training.max_updates=3"])
    path = last_checkpoint(model)
    with safe_open(path, "numpy") as file:
        metadata = file.metadata()
    save_file({name: value for name, value in load_file(path).items() if "first_moment" not in name}, path, metadata)
    refused(xformer(*command(xformer, model, "--resume")), path.name, "first_moment")


def test_a_model_without_checkpoints_is_no_training_to_resume(xformer, trained, tmp_path):
    averaged = tmp_path / "averaged"
    assert xformer("average", "--model", trained, "--output", averaged).returncode == 0
    before = (averaged / "model.safetensors").read_bytes()
    refused(xformer(*command(xformer, averaged, "--resume")), "--resume", "checkpoint", "--init-from")
    assert (averaged / "model.safetensors").read_bytes() == before


def test_a_checkpoint_of_an_earlier_version_is_gone_on_with(xformer, tmp_path):
    """It knows nothing of a loss scale."""
    model = tmp_path / "model"
    run(xformer, model, settings=["training.max_updates=3"])
    path = last_checkpoint(model)
    with safe_open(path, "numpy") as file:
        metadata = file.metadata()
    state = json.loads(metadata["state"])
    assert state.pop("loss_scale") == 65536 and state.pop("updates_without_overflow") == 0
    save_file(load_file(path), path, {**metadata, "state": json.dumps(state)})
    run(xformer, model, "--resume", settings=["training.max_updates=5"])
    assert updates_saved(model) == 5


def test_a_float16_training_resumes_byte_for_byte(xformer, tmp_path):
    straight, stopped = tmp_path / "straight", tmp_path / "stopped"
    settings = ["training.precision=float16", "training.log_every=1"]
    run(xformer, straight, settings=[*settings, "training.max_updates=8"])
    run(xformer, stopped, settings=[*settings, "training.max_updates=3"])
    run(xformer, stopped, "--resume", settings=[*settings, "training.max_updates=8"])
    assert last_checkpoint(straight).read_bytes() == last_checkpoint(stopped).read_bytes()


def test_a_weight_that_leaves_an_epoch_empty_is_refused(xformer, tmp_path):
    for side, text in (("source", "ein Haus\n"), ("target", "a house\n")):
        (tmp_path / side).write_text(text * 300)
    settings = ["data.task=text", f"data.train.source={tmp_path}/source", f"data.train.target={tmp_path}/target",
                "vocabulary.size=30", "data.train.weight=0.001"]
    refused(xformer(*command(xformer, tmp_path / "model", settings=settings)), "data.train.weight")


def test_changed_options_are_said_and_the_saved_configuration_stays_whole(xformer, tmp_path):
    model = tmp_path / "model"
    run(xformer, model, settings=["training.max_updates=3"])
    log = run(xformer, model, "--resume", settings=["training.max_updates=5", "training.base_lr=0.5", "training.clip_norm=2"])
    assert "unlike the defaults: " in log and "training.warmup: 4000 -> " in log
    for change in ("training.max_updates: 3 -> 5", "training.base_lr: 1.0 -> 0.5", "training.clip_norm: 1.0 -> 2.0"):
        assert change in log
    saved = json.loads((model / "config.json").read_text())
    assert saved["training"]["base_lr"] == 0.5 and saved["training"]["warmup"] == 200 and saved["model"]["d_model"] == 32


def test_the_last_checkpoint_is_written_also_when_nothing_improves(xformer, tmp_path):
    model = tmp_path / "model"
    run(xformer, model, settings=["training.max_updates=3"])
    before = updates_saved(model)
    run(xformer, model, "--resume", settings=["training.base_lr=1e-12", "training.num_epochs=3"])
    assert updates_saved(model) > before


def test_a_signal_during_validation_stops_and_resumes_exactly(xformer, tmp_path):
    straight, stopped = tmp_path / "straight", tmp_path / "stopped"
    settings = ["training.validate_every=3", "training.max_updates=12", "training.log_every=1", "decoding.max_length_factor=20"]
    run(xformer, straight, settings=settings)
    # Right after an update that a validation follows.
    status = interrupt_when(xformer, command(xformer, stopped, settings=settings), b"update 6 ")
    assert status == 128 + signal.SIGTERM
    run(xformer, stopped, "--resume", settings=settings)
    assert last_checkpoint(straight).read_bytes() == last_checkpoint(stopped).read_bytes()
    assert metrics(straight) == metrics(stopped)


def test_a_second_signal_stops_at_once(xformer, tmp_path):
    training = Training([xformer.binary, *command(xformer, tmp_path / "model", settings=ENDLESS)], tmp_path / "log")
    training.wait_for("update 2 ")
    os.kill(training.process.pid, signal.SIGSTOP)  # so that both signals come before it looks
    training.process.send_signal(signal.SIGINT)
    training.process.send_signal(signal.SIGTERM)
    os.kill(training.process.pid, signal.SIGCONT)
    assert training.process.wait(20) in (128 + signal.SIGINT, 128 + signal.SIGTERM)
    assert "go on with --resume" not in training.text()


def text_settings(tmp_path, source, target, *settings):
    (tmp_path / "t.x").write_text(source)
    (tmp_path / "t.y").write_text(target)
    return ["data.task=text", f"data.train.source={tmp_path}/t.x", f"data.train.target={tmp_path}/t.y", *settings]


def test_a_pair_longer_than_the_budget_is_a_batch_of_its_own(xformer, tmp_path):
    long = "a b " * 200
    settings = text_settings(tmp_path, "a b\n" * 50 + long + "\n", "b a\n" * 50 + long + "\n", "vocabulary.size=8",
                             "data.max_length=100000", "training.batch_tokens=100", "training.num_epochs=1", "training.accum_iter=1",
                             "training.log_every=1", "training.base_lr=1e-6")
    log = run(xformer, tmp_path / "model", settings=settings)
    assert "kept 51, dropped 0 empty and 0 longer than 100000 pieces" in log
    batches = int(re.search(r"51 pairs, (\d+) batches an epoch", log)[1])
    assert updates_saved(tmp_path / "model") == batches


def test_dropped_pairs_are_counted_and_many_are_a_warning(xformer, tmp_path):
    source, target = "a b\n" * 8 + "\n" + "a b " * 90 + "\n", "b a\n" * 10
    settings = text_settings(tmp_path, source, target, "vocabulary.size=8", "data.max_length=50", "training.max_updates=1")
    log = run(xformer, tmp_path / "model", settings=settings)
    assert "read 10 pairs, kept 8, dropped 1 empty and 1 longer than 50 pieces" in log
    assert "20.0 % of the pairs were dropped" in log


def test_another_vocabulary_of_the_same_size_is_refused(xformer, tmp_path):
    for name, seed in (("a", 1), ("b", 9)):
        run(xformer, tmp_path / name, settings=["training.max_updates=1", f"training.seed={seed}"])
    (tmp_path / "a/sentencepiece.model").write_bytes((tmp_path / "b/sentencepiece.model").read_bytes())
    refused(xformer("translate", "--model", tmp_path / "a", stdin=b"1 2\n"), "vocabulary")


def test_threads_change_nothing_that_is_promised(xformer, tmp_path):
    """Vocabulary, batches and dropout are the same; sums are rounded in another order."""
    for threads in ("1", "2"):
        run(xformer, tmp_path / threads, "--threads", threads,
            settings=["training.max_updates=10", "training.log_every=1", "model.dropout=0.1"])
    one, two = (metrics(tmp_path / threads) for threads in "12")
    assert [line.get("target_tokens") for line in one] == [line.get("target_tokens") for line in two]
    for a, b in zip(one, two):
        assert a.get("loss", 0) == pytest.approx(b.get("loss", 0), abs=1e-4)


def test_few_pairs_are_not_slower_than_many(xformer, tmp_path):
    speed = {}
    for pairs in (50, 2000):
        model = tmp_path / str(pairs)
        run(xformer, model, "--threads", "1",
            settings=[f"data.copy.pairs={pairs}", "training.num_epochs=2000", "training.max_updates=120", "training.log_every=40",
                      "training.validate_every=1000", "training.save_every=1000", "training.accum_iter=1"])
        lines = [json.loads(line) for line in (model / "training/metrics.jsonl").read_text().splitlines()]
        speed[pairs] = sorted(line["tokens_per_second"] for line in lines if "tokens_per_second" in line)[1]
    assert speed[50] > speed[2000] / 3


def test_averaging_copies_is_the_copy_and_averaging_twice_is_the_same(xformer, tmp_path):
    model = tmp_path / "model"
    settings = ["training.average=3", "training.keep=3", "training.base_lr=1e-30"]
    run(xformer, model, settings=settings)
    averaged = load_file(model / "model.safetensors")
    checkpoint = load_file(last_checkpoint(model))
    for name, value in averaged.items():
        assert numpy.abs(value - checkpoint["model." + name]).max() < 1e-7
    first = (model / "model.safetensors").read_bytes()
    run(xformer, model, "--resume", settings=settings)
    assert (model / "model.safetensors").read_bytes() == first


def test_the_log_says_what_a_batch_is(xformer, tmp_path):
    log = run(xformer, tmp_path / "model", settings=["training.max_updates=1"])
    assert re.search(r"400 pairs, \d+ batches an epoch, \d+ target pieces in each on average, \d+\.\d % padding", log)
    assert "seed 1" in log


def test_a_warm_up_longer_than_the_training_is_a_warning(xformer, tmp_path):
    assert "training.warmup is 200 updates, but" in run(xformer, tmp_path / "a", settings=["training.max_updates=5"])
    assert "training.warmup is" not in run(xformer, tmp_path / "b", settings=["training.max_updates=5", "training.warmup=4"])


def test_the_time_left_is_estimated(xformer, tmp_path):
    log = run(xformer, tmp_path / "model", settings=["training.max_updates=10", "training.log_every=5"])
    assert re.search(r"update 5 of 10, epoch 1: loss \S+, learning rate \S+, \d+ tokens/s, \d+ s left", log)


# Fine-tuning

@pytest.fixture(scope="module")
def trained(xformer, tmp_path_factory):
    model = tmp_path_factory.mktemp("trained") / "model"
    run(xformer, model, settings=["training.max_updates=30"])
    return model


def test_fine_tuning_starts_with_the_weights_and_judges_them_first(xformer, trained, tmp_path):
    tuned = tmp_path / "tuned"
    run(xformer, tuned, "--init-from", trained, settings=["training.max_updates=8", "training.base_lr=1e-12", "training.log_every=1"])
    lines = metrics(tuned)
    assert lines[0]["update"] == 0 and "bleu" in lines[0]
    assert lines[1]["update"] == 1 and lines[1]["learning_rate"] < 1e-12
    start, end = load_file(trained / "model.safetensors"), load_file(tuned / "model.safetensors")
    for name, value in start.items():
        assert numpy.abs(value - end[name]).max() < 1e-6, name
    assert (trained / "sentencepiece.model").read_bytes() == (tuned / "sentencepiece.model").read_bytes()


def test_a_model_that_tuning_makes_worse_is_not_the_best(xformer, trained, tmp_path):
    tuned = tmp_path / "tuned"
    run(xformer, tuned, "--init-from", trained, settings=["training.max_updates=30", "training.base_lr=300", "training.warmup=1",
                                                         "training.clip_norm=0"])
    assert max(line["bleu"] for line in metrics(tuned) if "bleu" in line) == metrics(tuned)[0]["bleu"]
    start, end = load_file(trained / "model.safetensors"), load_file(tuned / "model.safetensors")
    for name, value in start.items():
        assert (value == end[name]).all(), name


def test_fine_tuning_without_a_configuration_takes_the_models(xformer, trained, tmp_path):
    done = xformer("train", "--init-from", trained, "--output", tmp_path / "tuned", "--set", "training.max_updates=2")
    assert done.returncode == 0, done.stderr.decode()
    assert json.loads((tmp_path / "tuned/config.json").read_text())["model"]["d_model"] == 32


def test_fine_tuning_refuses_what_the_weights_do_not_fit(xformer, trained, tmp_path):
    out = tmp_path / "tuned"
    refused(xformer(*command(xformer, out, "--init-from", trained, settings=["model.d_ff=64"])), "model.d_ff", "--init-from")
    run(xformer, tmp_path / "other", settings=["training.max_updates=1", "training.seed=9"])
    refused(xformer(*command(xformer, out, "--init-from", trained,
                             settings=[f"vocabulary.model={tmp_path}/other/sentencepiece.model"])), "vocabulary.model")
    refused(xformer(*command(xformer, trained, "--init-from", trained, "--overwrite")), "--init-from", "--output")
    refused(xformer(*command(xformer, out, "--init-from", tmp_path / "none")), "none")
    refused(xformer(*command(xformer, out, "--init-from", trained, "--resume")), "--init-from", "--resume")
    assert not (out / "config.json").exists()


def test_a_tuned_training_resumes(xformer, trained, tmp_path):
    straight, stopped = tmp_path / "straight", tmp_path / "stopped"
    run(xformer, straight, "--init-from", trained, settings=["training.max_updates=9"])
    run(xformer, stopped, "--init-from", trained, settings=["training.max_updates=4", "training.num_epochs=12"])
    run(xformer, stopped, "--resume", settings=["training.max_updates=9"])
    a, b = load_file(last_checkpoint(straight)), load_file(last_checkpoint(stopped))
    for name in a:
        assert (a[name] == b[name]).all(), name


# TensorBoard

def curves(model):
    """Every (tag, update, value) that TensorBoard's own reader finds."""
    loader = pytest.importorskip("tensorboard.backend.event_processing.event_file_loader")
    points = []
    for path in sorted((model / "training").glob("events.out.tfevents.*")):
        for event in loader.EventFileLoader(str(path)).Load():
            points += [(value.tag, event.step, value.tensor.float_val[0]) for value in event.summary.value]
    return points


def test_tensorboard_reads_the_curves(xformer, tmp_path):
    model = tmp_path / "model"
    run(xformer, model, settings=["training.max_updates=4", "training.log_every=1"])
    run(xformer, model, "--resume", settings=["training.max_updates=6", "training.log_every=1"])
    points = curves(model)
    losses = {step: value for tag, step, value in points if tag == "train/loss"}
    assert losses == pytest.approx({line["update"]: line["loss"] for line in metrics(model) if "loss" in line}, rel=1e-6)
    assert {tag for tag, _, _ in points} >= {"train/loss", "train/learning_rate", "train/tokens_per_second"}
