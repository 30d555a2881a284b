"""Several processes train what one would, and end together."""
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import time

import numpy
import pytest
from safetensors.numpy import load_file

from conftest import ROOT
from processes import TIME_TO_END, Training, is_running, wait_until
from test_train import command, last_checkpoint, metrics, updates_saved

ONE_THREAD = ["--threads", "1"]
# Adam makes a step of full size even of a gradient that is nearly nothing, where rounding decides its sign: small steps
# keep that apart from what is compared.
SMALL_STEPS = ["training.base_lr=0.02"]
ENDLESS = ["training.num_epochs=100000", "training.log_every=1"]


def weights(model):
    return {name: value for name, value in load_file(last_checkpoint(model)).items() if name.startswith("model.")}


def assert_same_weights(one, many, tolerance):
    """A key's bias is left out: it changes no softmax, so that its gradient is rounding alone."""
    assert one.keys() == many.keys()
    for name, value in one.items():
        if not name.endswith("w_k.bias"):
            assert numpy.abs(value - many[name]).max() < tolerance, name


def run(xformer, output, *options, settings=()):
    done = xformer(*command(xformer, output, *ONE_THREAD, *options, settings=settings))
    assert done.returncode == 0, done.stderr.decode()
    return done.stderr.decode()


@pytest.mark.parametrize("processes, per_process", [(2, 1), (3, 2)])
def test_n_processes_train_what_one_trains_on_the_same_batches(xformer, tmp_path, processes, per_process):
    """Dropout is on: it belongs to the micro-batch, whoever works on it. Twenty updates are more than an epoch, whose
    last update has fewer micro-batches than processes could take."""
    settings = ["training.max_updates=20", "training.log_every=1", *SMALL_STEPS]
    run(xformer, tmp_path / "one", settings=settings + [f"training.accum_iter={processes * per_process}"])
    run(xformer, tmp_path / "many", "--processes", str(processes), settings=settings + [f"training.accum_iter={per_process}"])
    assert_same_weights(weights(tmp_path / "one"), weights(tmp_path / "many"), 1e-5)
    for a, b in zip(metrics(tmp_path / "one"), metrics(tmp_path / "many"), strict=True):
        for key in ("loss", "validation_loss"):
            assert a.get(key, 0) == pytest.approx(b.get(key, 0), abs=5e-5)
        assert a["update"] == b["update"] and a.get("target_tokens") == b.get("target_tokens")
        assert a.get("bleu", 0) == pytest.approx(b.get("bleu", 0), abs=0.5)  # greedy choices may fall at a tie


def test_fewer_pairs_than_processes(xformer, tmp_path):
    """Nothing hangs, and each pair is seen once an epoch."""
    log = run(xformer, tmp_path / "model", "--processes", "3",
              settings=["data.copy.pairs=60", "training.batch_tokens=100000", "training.num_epochs=4",
                        "training.log_every=1"])
    assert "60 pairs, 1 batches an epoch" in log
    tokens = [line["target_tokens"] for line in metrics(tmp_path / "model") if "loss" in line]
    assert len(tokens) == 4 and tokens == [tokens[0] * n for n in (1, 2, 3, 4)]


def test_a_resumed_run_of_two_processes_ends_byte_for_byte_like_an_uninterrupted_one(xformer, tmp_path):
    straight, stopped = tmp_path / "straight", tmp_path / "stopped"
    run(xformer, straight, "--processes", "2")
    for round, text in enumerate(("update 5 ", "update 20 ")):
        options = ["--processes", "2", *ONE_THREAD, *(["--resume"] if round else [])]
        training = Training([xformer.binary, *command(xformer, stopped, *options)], tmp_path / "log")
        training.wait_for(text)
        training.process.send_signal(signal.SIGTERM)
        assert training.ends() == 128 + signal.SIGTERM
        assert "go on with --resume" in training.text()
    run(xformer, stopped, "--processes", "2", "--resume")
    assert last_checkpoint(straight).read_bytes() == last_checkpoint(stopped).read_bytes()
    assert (straight / "model.safetensors").read_bytes() == (stopped / "model.safetensors").read_bytes()
    assert metrics(straight) == metrics(stopped)


def test_a_run_goes_on_with_another_number_of_processes(xformer, tmp_path):
    model = tmp_path / "model"
    run(xformer, model, "--processes", "2", settings=["training.max_updates=5", *SMALL_STEPS])
    run(xformer, model, "--resume", settings=["training.accum_iter=4", *SMALL_STEPS])
    other = tmp_path / "other"
    run(xformer, other, settings=["training.accum_iter=4", *SMALL_STEPS])
    assert_same_weights(weights(other), weights(model), 1e-4)


def endless(xformer, tmp_path, *options, count=2, **more):
    training = Training([xformer.binary, *command(xformer, tmp_path / "model", *ONE_THREAD, "--processes", count, *options,
                                                  settings=ENDLESS)], tmp_path / "log", **more)
    training.wait_for("update 3 ")
    return training, training.ranks(count)


@pytest.mark.parametrize("rank", [0, 1])
@pytest.mark.parametrize("signum", [signal.SIGKILL, signal.SIGSTOP])
def test_a_process_that_dies_or_hangs_ends_all(xformer, tmp_path, rank, signum):
    training, ranks = endless(xformer, tmp_path)
    os.kill(ranks[rank], signum)
    assert training.ends(ranks.values()) == 1
    assert f"process {rank}" in training.last_line()


def test_a_process_that_fails_ends_all_with_its_reason(xformer, tmp_path):
    training, ranks = endless(xformer, tmp_path, "--set", "training.save_every=10")
    wait_until(lambda: updates_saved(tmp_path / "model") > 0)
    size = last_checkpoint(tmp_path / "model").stat().st_size
    resource.prlimit(ranks[0], resource.RLIMIT_FSIZE, (size // 2, size // 2))
    assert training.ends(ranks.values()) == 1
    assert "safetensors" in training.last_line()
    load_file(last_checkpoint(tmp_path / "model"))


def test_nothing_outlives_the_launcher(xformer, tmp_path):
    training, ranks = endless(xformer, tmp_path)
    training.process.kill()
    training.process.wait()
    wait_until(lambda: not any(map(is_running, ranks.values())), 10)


def test_a_signal_to_one_process_stops_all_and_saves(xformer, tmp_path):
    training, ranks = endless(xformer, tmp_path)
    os.kill(ranks[1], signal.SIGTERM)
    assert training.ends(ranks.values()) == 128 + signal.SIGTERM
    assert updates_saved(tmp_path / "model") >= 3


def test_divergence_is_said_and_keeps_the_last_checkpoint(xformer, tmp_path):
    settings = ["training.base_lr=1e30", "training.warmup=1", "training.save_every=1"]
    done = xformer(*command(xformer, tmp_path / "model", *ONE_THREAD, "--processes", "2", settings=settings))
    assert done.returncode == 1
    assert b"training.base_lr" in done.stderr.splitlines()[-1]


@pytest.mark.parametrize("settings, fragment", [
    (["training.warmupp=1"], "training.warmupp"),
    (["data.task=text", "data.train.source=/no/such", "data.train.target=/no/such"], "/no/such"),
    (["vocabulary.size=30000"], "vocabulary.size"),
])
def test_a_mistake_is_one_line(xformer, tmp_path, settings, fragment):
    done = xformer(*command(xformer, tmp_path / "model", *ONE_THREAD, "--processes", "2", settings=settings))
    assert done.returncode == 2, done.stderr.decode()
    lines = [line for line in done.stderr.decode().splitlines() if line.startswith("xformer: ")]
    assert len(lines) == 1 and fragment in lines[0], done.stderr.decode()


def test_only_one_program_starts_processes(xformer, tmp_path):
    done = xformer(*command(xformer, tmp_path / "model", "--processes", "2"), env={**os.environ, "WORLD_SIZE": "4"})
    assert done.returncode == 2 and b"--processes is 2, but WORLD_SIZE is 4" in done.stderr
    done = xformer(*command(xformer, tmp_path / "model"), env={**os.environ, "WORLD_SIZE": "2", "RANK": "2"})
    assert done.returncode == 2 and b"RANK" in done.stderr


def torchrun():
    program = pathlib.Path(sys.executable).parent / "torchrun"
    if not program.exists():
        pytest.skip("no torchrun beside this Python")
    return program


def test_torchrun_restarts_a_killed_training_from_its_last_checkpoint(xformer, tmp_path):
    straight = tmp_path / "straight"
    settings = ["training.save_every=5", "training.num_epochs=20", "training.log_every=1"]
    run(xformer, straight, "--processes", "2", settings=settings)
    model = tmp_path / "model"
    launch = [torchrun(), "--no-python", "--standalone", "--nproc-per-node", "2", "--max-restarts", "2",
              xformer.binary, *command(xformer, model, *ONE_THREAD, settings=settings)]
    training = Training(launch, tmp_path / "log")
    wait_until(lambda: updates_saved(model) >= 10 or training.process.poll() is not None)
    os.kill(training.ranks(2)[1], signal.SIGKILL)
    assert training.process.wait(120) == 0, training.text()
    assert "resuming at update" in training.text()
    assert last_checkpoint(straight).read_bytes() == last_checkpoint(model).read_bytes()
    assert metrics(straight) == metrics(model)


def test_torchrun_restarts_touch_no_training_of_another_run(xformer, tmp_path):
    model = tmp_path / "model"
    run(xformer, model, settings=["training.max_updates=3"])
    before = {path: path.read_bytes() for path in model.rglob("*") if path.is_file()}
    launch = [torchrun(), "--no-python", "--standalone", "--nproc-per-node", "2", "--max-restarts", "1",
              xformer.binary, *command(xformer, model, *ONE_THREAD)]
    training = Training(launch, tmp_path / "log")
    assert training.process.wait(120) != 0
    assert "already holds a model" in training.text()
    assert {path: path.read_bytes() for path in model.rglob("*") if path.is_file()} == before


def test_a_signal_before_the_processes_watch_for_it_is_no_failure(xformer, tmp_path):
    for delay in (0.05, 0.2, 0.4):
        launch = [xformer.binary, *command(xformer, tmp_path / "model", *ONE_THREAD, "--processes", "2", settings=ENDLESS)]
        training = Training(launch, tmp_path / "log")
        time.sleep(delay)
        training.process.send_signal(signal.SIGTERM)
        assert training.process.wait(60) in (128 + signal.SIGTERM, -signal.SIGTERM)
        shutil.rmtree(tmp_path / "model", ignore_errors=True)


def test_text_is_encoded_by_one_process_and_read_by_all(xformer, tmp_path):
    demo = ROOT / "data/demo"
    settings = [f"data.train.source={demo}/train.de", f"data.train.target={demo}/train.en",
                f"data.valid.source={demo}/valid.de", f"data.valid.target={demo}/valid.en", f"data.cache={tmp_path}/cache",
                "data.task=text", "vocabulary.size=400", "training.max_updates=4", "training.log_every=1"]
    log = run(xformer, tmp_path / "many", "--processes", "2", settings=settings + ["training.accum_iter=1"])
    assert log.count(": encoded ") == 2
    log = run(xformer, tmp_path / "one", settings=settings + ["training.accum_iter=2"])
    assert ": encoded " not in log and "trained before" in log
    for name, value in weights(tmp_path / "one").items():
        assert numpy.abs(value - weights(tmp_path / "many")[name]).max() < 1e-5, name


@pytest.fixture
def two_hosts():
    """Two network namespaces joined by a cable, as hosts 10.77.0.1 and 10.77.0.2."""
    if os.geteuid() != 0 or not shutil.which("ip"):
        pytest.skip("network namespaces need root and the ip tool")
    names = [f"xformer-test-{os.getpid()}-{n}" for n in (0, 1)]

    def ip(*arguments):
        return subprocess.run(["ip", *arguments], capture_output=True, text=True)

    cable = [f"xf{os.getpid() % 100000}{end}" for end in "ab"]
    made = [ip("netns", "add", name) for name in names]
    try:
        if any(done.returncode for done in made):
            pytest.skip("network namespaces cannot be made here: " + made[0].stderr)
        steps = [ip("link", "add", cable[0], "netns", names[0], "type", "veth", "peer", cable[1], "netns", names[1])]
        for n, name in enumerate(names):
            steps += [ip("-n", name, "addr", "add", f"10.77.0.{n + 1}/24", "dev", cable[n]),
                      ip("-n", name, "link", "set", cable[n], "up"), ip("-n", name, "link", "set", "lo", "up")]
        if any(done.returncode for done in steps):
            pytest.skip("virtual cables cannot be made here: " + "".join(done.stderr for done in steps))
        yield names, ["10.77.0.1", "10.77.0.2"], lambda n: ip("-n", names[n], "link", "set", cable[n], "down")
    finally:
        for name in names:
            ip("netns", "delete", name)


def on_two_hosts(xformer, tmp_path, two_hosts, settings):
    names, addresses, _ = two_hosts
    hosts = []
    for rank, name in enumerate(names):
        variables = {"RANK": rank, "WORLD_SIZE": 2, "LOCAL_RANK": 0, "LOCAL_WORLD_SIZE": 1, "MASTER_ADDR": addresses[0],
                     "MASTER_PORT": 29511}
        environment = {**os.environ, **{key: str(value) for key, value in variables.items()}}
        # Each host has its own disk.
        arguments = command(xformer, tmp_path / f"host{rank}" / "model", *ONE_THREAD, settings=settings)
        hosts.append(Training(["ip", "netns", "exec", name, xformer.binary, *arguments], tmp_path / f"log{rank}",
                              env=environment))
    return hosts


def test_two_hosts_train_what_one_does(xformer, tmp_path, two_hosts):
    settings = ["training.max_updates=20", "training.log_every=1", *SMALL_STEPS]
    hosts = on_two_hosts(xformer, tmp_path, two_hosts, settings)
    for host in hosts:
        assert host.process.wait(120) == 0, host.text()
    run(xformer, tmp_path / "one", settings=settings + ["training.accum_iter=4"])
    assert_same_weights(weights(tmp_path / "one"), weights(tmp_path / "host0/model"), 1e-5)
    assert not (tmp_path / "host1/model/config.json").exists()


def test_a_cut_cable_ends_both_hosts(xformer, tmp_path, two_hosts):
    hosts = on_two_hosts(xformer, tmp_path, two_hosts, ENDLESS)
    hosts[0].wait_for("update 3 ")
    two_hosts[2](1)
    for host in hosts:
        assert host.process.wait(TIME_TO_END) == 1
    assert "process 1" in hosts[0].last_line() and "process 0" in hosts[1].last_line()
