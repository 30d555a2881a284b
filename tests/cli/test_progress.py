"""What a terminal sees while work goes on, and what a file or a pipe gets instead."""
import os
import pty
import subprocess
import termios

import pytest

from conftest import ROOT

TRAIN = ["train", "--config", str(ROOT / "configs/copy_task.json"), "--set", "training.log_every=1000", "--set", "training.num_epochs=3",
         "--set", "training.average=0", "--threads", "1"]


def on_terminal(command, stdin=None, width=120, **environment):
    """Everything that the command writes to stderr, a terminal."""
    master, slave = pty.openpty()
    termios.tcsetwinsize(slave, (24, width))
    process = subprocess.Popen([str(part) for part in command], stdin=stdin or subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=slave, env={**os.environ, "TERM": "xterm", **environment})
    os.close(slave)
    chunks = []
    while True:
        try:
            chunk = os.read(master, 65536)
        except OSError:  # the other side is closed
            break
        if not chunk:
            break
        chunks.append(chunk)
    os.close(master)
    assert process.wait() == 0
    return b"".join(chunks).decode()


@pytest.fixture(scope="module")
def many_lines(tmp_path_factory):
    path = tmp_path_factory.mktemp("lines") / "many"
    path.write_text("1 2 3 4 5 6 7 8 9 1\n" * 3000)
    return path


def test_training_has_a_line_with_everything(xformer, tmp_path):
    text = on_terminal([xformer.binary, *TRAIN, "--output", tmp_path / "model"])
    lines = [part for part in text.split("\r") if part.startswith("update ")]
    assert len(lines) >= 2
    for part in ("epoch", "loss", "tokens/s", "left"):
        assert part in lines[-1]
    # The line goes before a line of the log comes.
    assert "\x1b[K" in text and "left\x1b[Kupdate" not in text


def test_no_colour_where_none_is_wanted(xformer, tmp_path):
    coloured = on_terminal([xformer.binary, *TRAIN, "--output", tmp_path / "a"])
    plain = on_terminal([xformer.binary, *TRAIN, "--output", tmp_path / "b"], NO_COLOR="1")
    assert "\x1b[32m" in coloured and "\x1b[32m" not in plain
    assert "\x1b[32m" in on_terminal([xformer.binary, *TRAIN, "--output", tmp_path / "c"], NO_COLOR="")


def test_a_terminal_that_cannot_rewrite_lines_gets_none(xformer, tmp_path):
    text = on_terminal([xformer.binary, *TRAIN, "--output", tmp_path / "model"], TERM="dumb")
    assert "\x1b[K" not in text and "\rupdate" not in text


def test_a_line_never_wraps(xformer, tmp_path):
    text = on_terminal([xformer.binary, *TRAIN, "--output", tmp_path / "model"], width=40)
    lines = [part.removesuffix("\x1b[K") for part in text.split("\r") if part.startswith("update ")]
    assert lines and all(len(line) < 40 for line in lines)


def test_translating_and_scoring_tell_how_far_they_are(xformer, copy_model, many_lines):
    for command in (["translate", "--input", many_lines], ["eval", "--source", many_lines, "--reference", many_lines]):
        text = on_terminal([xformer.binary, *command, "--model", copy_model, "--beam-size", "1"])
        lines = [part for part in text.split("\r") if part.startswith("translated ")]
        assert lines and "of 3000 lines" in lines[-1] and "lines/s" in lines[-1] and " left" in lines[-1]


def test_a_pipe_gets_plain_lines(xformer, tmp_path, copy_model):
    done = xformer(*TRAIN, "--output", tmp_path / "model")
    assert done.returncode == 0
    assert b"\r" not in done.stderr and b"\x1b" not in done.stderr
    done = xformer("translate", "--model", copy_model, stdin=b"1 2\n")
    assert done.returncode == 0
    assert b"\r" not in done.stderr and b"\x1b" not in done.stderr
