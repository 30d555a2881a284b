"""Lines in, lines out: cases A and B of what users of translation tools trip over."""
import os
import random
import resource
import select
import subprocess

import pytest


def symbols(rng, most=10):
    return " ".join(str(rng.randint(1, 10)) for _ in range(rng.randint(1, most)))


@pytest.fixture
def translate(xformer, copy_model):
    def run(text, *options, status=0):
        stdin = text if isinstance(text, bytes) else text.encode()
        done = xformer("translate", "--model", copy_model, *options, stdin=stdin)
        assert done.returncode == status, done.stderr.decode()
        return done.stdout.decode(), done.stderr.decode()

    return run


def test_the_copy_task_is_learned_exactly(translate):
    rng = random.Random(3)
    text = "".join(symbols(rng) + "\n" for _ in range(200))
    assert translate(text)[0] == text
    assert translate(text, "--beam-size", "1")[0] == text


@pytest.mark.parametrize("text", ["1 2\n\n\n3 4\n", "\n1 2\n", "1 2\n\n", "\n\n\n", "\n", "", "1 2"])
@pytest.mark.parametrize("batch_tokens", ["1", "4096"])
def test_blank_lines_keep_their_places(translate, text, batch_tokens):
    expected = text if text.endswith("\n") or not text else text + "\n"
    assert translate(text, "--batch-tokens", batch_tokens)[0] == expected


@pytest.mark.parametrize("odd", ["   ", "\t", "\u200b\u200b", "\u3000"])
def test_lines_that_only_look_full_stay_blank(translate, odd):
    assert translate(f"1 2 3\n{odd}\n4 5 6\n")[0] == "1 2 3\n\n4 5 6\n"


def test_a_too_long_line_is_cut_and_named(translate):
    lines = ["1 2 3"] * 10
    lines[4] = "7 " * 3000
    output, log = translate("\n".join(lines) + "\n")
    output = output.splitlines()
    assert len(output) == 10
    assert output[:4] == lines[:4] and output[5:] == lines[5:]
    assert "line 5: 3000 pieces long, cut to the first 256" in log
    assert "1 of 10 lines were cut" in log


def test_a_hit_limit_is_counted(translate):
    # A beam may prefer a worse hypothesis that has ended.
    output, log = translate("1 2 3 4 5\n1\n", "--max-length", "3", "--beam-size", "1")
    assert len(output.splitlines()) == 2
    assert "1 of 2 lines hit the length limit" in log


@pytest.mark.parametrize("options", [[], ["--beam-size", "1"]])
def test_the_answer_does_not_depend_on_the_batch(translate, options):
    rng = random.Random(5)
    # Words that the model has never seen too: its answers are then far from certain.
    lines = [symbols(rng, 30) if i % 3 else "x y 1 " + symbols(rng) for i in range(60)]
    together = translate("\n".join(lines) + "\n", *options)[0]
    for batch_tokens in ("1", "64", "700"):
        assert translate("\n".join(lines) + "\n", *options, "--batch-tokens", batch_tokens)[0] == together
    order = list(range(len(lines)))
    rng.shuffle(order)
    shuffled = translate("".join(lines[i] + "\n" for i in order), *options)[0].splitlines()
    assert [shuffled[order.index(i)] for i in range(len(lines))] == together.splitlines()
    assert translate("\n".join(lines) + "\n", *options, "--threads", "1")[0] == together


def test_a_line_on_a_pipe_is_answered_at_once(xformer, copy_model):
    command = [xformer.binary, "translate", "--model", str(copy_model)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        for line in (b"1 2 3\n", b"\n", b"10 9 8 7\n"):
            process.stdin.write(line)
            process.stdin.flush()
            assert select.select([process.stdout], [], [], 60)[0], "no answer"
            assert os.read(process.stdout.fileno(), 1000) == line
        process.stdin.close()
        assert process.wait(60) == 0


def test_windows_line_ends_change_nothing(translate):
    assert translate("1 2 3\r\n4 5\r\n")[0] == "1 2 3\n4 5\n"


@pytest.mark.parametrize("odd", ["\u2028", "\u2029", "\u0085", "\x0b", "\x0c", "\x00", "\r"])
def test_only_line_feed_ends_a_line(translate, odd):
    output = translate(f"1\n2\n3{odd}4\n5\n6\n")[0]
    assert output.split("\n") == ["1", "2", "3 4", "5", "6", ""]


def test_a_byte_order_mark_changes_nothing(translate):
    assert translate("\ufeff1 2 3\n")[0] == "1 2 3\n"


def test_invalid_bytes_are_replaced_counted_and_never_written(translate):
    output, log = translate(b"1 2\ncaf\xe9 1\n\xed\xa0\x80\n\xf0\x9f\x98\n3 4\n")
    lines = output.split("\n")
    assert len(lines) == 6 and lines[0] == "1 2" and lines[4] == "3 4"
    assert "3 of 5 lines, first in line 2" in log


def test_control_symbols_typed_by_a_user_are_text(translate):
    output, _ = translate("1 </s> 2 <pad> <s> <unk> 3\n1 2\n")
    assert output.split("\n")[1:] == ["1 2", ""]


def test_no_piece_marks_and_no_unknown_words_in_the_output(translate):
    output, _ = translate("\u2581 1 \u2581 2\n\U0001f600 1\n")
    assert "\u2581" not in output and "\u2047" not in output
    assert output.startswith("1 2\n")


def test_beam_of_one_is_greedy_whatever_the_penalty(translate):
    text = "1 2 3\nx 4\n5 6 7 8 9 10 1 2 3 4 5 6 7\n"
    assert translate(text, "--beam-size", "1", "--length-penalty", "3")[0] == translate(text, "--beam-size", "1")[0]


def test_n_best_lists_are_sorted_and_begin_with_the_best(translate):
    text = "1 2 3\n\nx y z\n"
    best = translate(text, "--beam-size", "6")[0].splitlines()
    lines = [line.split(" ||| ") for line in translate(text, "--beam-size", "6", "--n-best", "6")[0].splitlines()]
    for number, top in enumerate(best):
        mine = [line for line in lines if line[0] == str(number)]
        assert len(mine) == (6 if top else 1)
        assert mine[0][1].strip() == top
        if top:
            scores = [float(line[2]) for line in mine]
            assert scores == sorted(scores, reverse=True)


def test_files_instead_of_pipes(xformer, copy_model, tmp_path):
    (tmp_path / "in").write_text("1 2\n3\n")
    done = xformer("translate", "--model", copy_model, "--input", tmp_path / "in", "--output", tmp_path / "out")
    assert (done.returncode, done.stdout) == (0, b"")
    assert (tmp_path / "out").read_text() == "1 2\n3\n"


def test_a_full_disk_is_noticed(xformer, copy_model):
    with open("/dev/full", "wb") as full:
        done = subprocess.run([xformer.binary, "translate", "--model", copy_model], input=b"1 2\n",
                              stdout=full, stderr=subprocess.PIPE, timeout=60)
    assert done.returncode == 1
    assert b"standard output" in done.stderr and b"No space left" in done.stderr


def test_a_reader_that_leaves_ends_the_translation_quietly(xformer, copy_model):
    process = subprocess.Popen([xformer.binary, "translate", "--model", copy_model], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.close()
    process.stdin.write(b"1 2\n")
    process.stdin.close()
    assert process.wait(60) == 128 + 13
    assert process.stderr.read() == b""
    process.stderr.close()


def test_a_moved_model_still_works(xformer, copy_model, tmp_path):
    moved = tmp_path / "elsewhere"
    subprocess.run(["cp", "-r", copy_model, moved], check=True)
    assert xformer("translate", "--model", moved, stdin=b"3 2 1\n", cwd=tmp_path).stdout == b"3 2 1\n"
    environment = {**os.environ, "XFORMER_MODEL": str(moved)}
    assert xformer("translate", stdin=b"3 2 1\n", env=environment).stdout == b"3 2 1\n"


def test_threads_are_obeyed(xformer, copy_model):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    text = ("1 2 3 4 5 6 7 8 9 10\n" * 400).encode()
    import time
    start = time.monotonic()
    assert xformer("translate", "--model", copy_model, "--threads", "1", stdin=text).returncode == 0
    wall = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    assert cpu <= 1.1 * wall + 0.2
