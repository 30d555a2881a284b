"""Lines in, lines out: cases A and B of what users of translation tools trip over."""
import json
import os
import random
import resource
import select
import subprocess
import time

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


def test_an_output_that_is_read_too_is_refused_and_stays_whole(xformer, copy_model, tmp_path):
    text = tmp_path / "text"
    text.write_text("1 2 3\n")
    for options in (["translate", "--input", text], ["translate", "--input", os.devnull, "--prefix-file", text],
                    ["score", "--source", text, "--target", text]):
        done = xformer(*options, "--model", copy_model, "--output", text)
        assert done.returncode == 2 and b"--output" in done.stderr, done.stderr.decode()
    with open(text) as stdin:
        done = subprocess.run([xformer.binary, "translate", "--model", copy_model, "--output", text], stdin=stdin,
                              capture_output=True)
    assert done.returncode == 2
    assert text.read_text() == "1 2 3\n"


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


def best_hypotheses(translate, text, *options):
    output, _ = translate(text, "--format", "jsonl", *options)
    return [line | line["hypotheses"][0] for line in map(json.loads, output.splitlines())]


def test_a_wider_beam_is_hardly_ever_worse_by_its_own_score(translate):
    rng = random.Random(17)
    text = "".join(spoken(rng) + "\n" for _ in range(200))
    greedy = best_hypotheses(translate, text, "--beam-size", "1")
    beam = best_hypotheses(translate, text, "--beam-size", "4")
    assert any(b["score"] > g["score"] + 1e-4 for b, g in zip(beam, greedy)), "these lines are too easy"
    # Only where the beam lost greedy's way may it end lower.
    assert sum(b["score"] < g["score"] - 1e-4 for b, g in zip(beam, greedy)) <= 0.05 * len(greedy)


@pytest.mark.parametrize("beam", ["1", "4"])
def test_no_line_is_answered_without_end(translate, beam):
    text = "1\nx\n" + "a" * 300 + "\n" + "x " * 90 + "\n"
    for line in best_hypotheses(translate, text, "--beam-size", beam):
        assert len(line["tokens"]) <= 2 * len(line["source_tokens"]) + 10


def test_the_shortest_lines_are_translated_among_long_ones_as_alone(translate):
    long_lines = ["1 2 3 4 5 6 7 8 9 10 " * 6] * 5
    short_lines = ["1", "x", ".", "7"]
    options = ("--beam-size", "5")
    together = translate("\n".join(short_lines + long_lines) + "\n", *options)[0].splitlines()
    assert together[:4] == [translate(line + "\n", *options)[0].rstrip("\n") for line in short_lines]
    assert together[0] == "1" and together[3] == "7"


def test_a_long_job_writes_as_it_goes_and_a_kill_leaves_whole_lines(xformer, copy_model, tmp_path):
    lines = [f"{i % 10 + 1} {i // 10 % 10 + 1} {i // 100 % 10 + 1}" for i in range(100_000)]
    (tmp_path / "text").write_text("\n".join(lines) + "\n")
    output = tmp_path / "output"
    command = [xformer.binary, "translate", "--model", copy_model, "--input", tmp_path / "text", "--output", output]

    def resident():  # bytes
        with open(f"/proc/{process.pid}/statm") as numbers:
            return int(numbers.read().split()[1]) * resource.getpagesize()

    def wait_for(size):
        deadline = time.monotonic() + 120
        while not output.exists() or output.stat().st_size < size:
            assert process.poll() is None and time.monotonic() < deadline, "no output while it runs"
            time.sleep(0.02)

    with subprocess.Popen(command, stderr=subprocess.PIPE) as process:
        wait_for(20_000)
        early = resident()
        wait_for(200_000)
        assert resident() < early + 50e6, "memory grows with the text"
        process.kill()
    written = output.read_text()
    assert written.endswith("\n") and len(written) < sum(map(len, lines))
    assert written.splitlines() == lines[:written.count("\n")]


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
    start = time.monotonic()
    assert xformer("translate", "--model", copy_model, "--threads", "1", stdin=text).returncode == 0
    wall = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    assert cpu <= 1.1 * wall + 0.2


def spoken(rng):
    """Words that the model has not seen often: its answers are far from certain."""
    return "x " + symbols(rng) + " y 3"


def test_jsonl_has_all_there_is(translate):
    output, _ = translate("1 2 3\n\n" + "7 " * 300 + "\n", "--format", "jsonl", "--beam-size", "3", "--n-best", "2",
                          "--alignment")
    first, blank, cut = map(json.loads, output.splitlines())
    best = first["hypotheses"][0]
    assert best["text"] == "1 2 3" and best["tokens"] == first["source_tokens"]
    assert len(first["hypotheses"]) == 2 and best["log_prob"] <= 0 and not best["hit_limit"]
    assert len(best["attended"]) == len(best["tokens"])
    assert blank["blank"] and blank["hypotheses"][0]["text"] == ""
    assert cut["cut"] and cut["source_pieces"] == 300 and len(cut["source_tokens"]) == 256
    assert [line["line"] for line in (first, blank, cut)] == [0, 1, 2]


def test_a_score_is_reproduced_from_the_pair(xformer, copy_model, translate, tmp_path):
    rng = random.Random(11)
    lines = [spoken(rng) for _ in range(20)] + ["1 2 3"]
    output, _ = translate("\n".join(lines) + "\n", "--n-best", "1", "--length-penalty", "0.6")
    texts, scores = zip(*[line.split(" ||| ")[1:] for line in output.splitlines()])
    (tmp_path / "source").write_text("\n".join(lines) + "\n")
    (tmp_path / "target").write_text("\n".join(texts) + "\n")
    done = xformer("score", "--model", copy_model, "--source", tmp_path / "source", "--target", tmp_path / "target",
                   "--length-penalty", "0.6")
    assert done.returncode == 0, done.stderr.decode()
    again = done.stdout.decode().split()
    assert len(again) == len(scores)
    for mine, theirs in zip(again, scores):
        assert float(mine) == pytest.approx(float(theirs), abs=1e-4)


def test_every_pair_has_a_score_and_the_right_one_the_best(xformer, copy_model, tmp_path):
    (tmp_path / "source").write_text("1 2 3\n1 2 3\n\n4 5\n" + "6 " * 400 + "\n")
    (tmp_path / "target").write_text("1 2 3\n3 2 1\n\n\n" + "6 " * 400 + "\n")
    done = xformer("score", "--model", copy_model, "--source", tmp_path / "source", "--target", tmp_path / "target")
    scores = [float(line) for line in done.stdout.decode().splitlines()]
    assert len(scores) == 5 and all(score <= 0 for score in scores)
    assert scores[0] > -1 > -5 > scores[1]


def test_samples_are_the_same_for_any_batch_and_differ_by_seed(translate):
    rng = random.Random(13)
    text = "".join(spoken(rng) + "\n" for _ in range(30))
    options = ["--sample", "--seed", "5", "--n-best", "2"]
    drawn = translate(text, *options)[0]
    assert translate(text, *options, "--batch-tokens", "1")[0] == drawn
    assert translate(text, *options, "--threads", "1")[0] == drawn
    assert translate(text, "--sample", "--seed", "6", "--n-best", "2")[0] != drawn
    # A line's draws depend on its number: the second half alone draws otherwise.
    assert len(drawn.splitlines()) == 60


def test_sampling_without_freedom_is_greedy(translate):
    rng = random.Random(17)
    text = "".join(spoken(rng) + "\n" for _ in range(20))
    greedy = translate(text, "--beam-size", "1")[0]
    assert translate(text, "--sample", "--top-k", "1")[0] == greedy
    assert translate(text, "--sample", "--temperature", "0.001")[0] == greedy


def test_prefixes_are_what_translations_begin_with(translate, tmp_path):
    (tmp_path / "prefixes").write_text("\n4\n1 2\n7 7 7 7 7\n")
    lines = translate("1 2 3\n1 2 3\n1 2 3\n1 2\n", "--prefix-file", tmp_path / "prefixes")[0].splitlines()
    assert lines[0] == lines[2] == "1 2 3"
    assert lines[1].startswith("4") and lines[3].startswith("7 7 7 7 7")


def test_a_prefix_does_not_count_against_the_limit(translate, tmp_path):
    (tmp_path / "prefixes").write_text("1 2 3 4\n")
    assert translate("1 2 3 4 5\n", "--prefix-file", tmp_path / "prefixes", "--max-length", "2")[0] == "1 2 3 4 5\n"


def test_a_forced_prefix_counts_in_the_score(xformer, copy_model, tmp_path):
    (tmp_path / "source").write_text("1 2 3\n1 2 3\n")
    (tmp_path / "prefixes").write_text("4\n1 2 3\n")
    done = xformer("translate", "--model", copy_model, "--prefix-file", tmp_path / "prefixes", "--n-best", "1",
                   "--length-penalty", "0", stdin=(tmp_path / "source").read_bytes())
    _, texts, scores = zip(*(line.split(" ||| ") for line in done.stdout.decode().splitlines()))
    assert texts[0].startswith("4") and texts[1] == "1 2 3"
    (tmp_path / "target").write_text("".join(text + "\n" for text in texts))
    done = xformer("score", "--model", copy_model, "--source", tmp_path / "source", "--target", tmp_path / "target")
    given = [float(line) for line in done.stdout.decode().splitlines()]
    assert [float(score) for score in scores] == pytest.approx(given, abs=1e-4)
    assert given[0] < -1 < given[1]


def test_each_word_has_one_link_within_the_source(translate):
    output, _ = translate("1 2 3 4\n\n5\n", "--alignment", "--beam-size", "2", "--n-best", "2")
    for line in output.splitlines():
        _, text, _, links = (part.strip() for part in line.split("|||"))
        pairs = [tuple(map(int, link.split("-"))) for link in links.split()]
        assert [target for _, target in pairs] == list(range(len(text.split())))
        assert all(0 <= source < 4 for source, _ in pairs)
    best = output.splitlines()[0].split("|||")
    assert best[1].strip() == "1 2 3 4"


def test_an_ensemble_of_one_model_twice_is_that_model(xformer, copy_model):
    text = "1 2 3\nx 4 y\n5 6 7 8\n".encode()
    alone = xformer("translate", "--model", copy_model, "--n-best", "2", stdin=text).stdout
    twice = xformer("translate", "--model", copy_model, "--model", copy_model, "--n-best", "2", stdin=text).stdout
    for mine, theirs in zip(alone.decode().splitlines(), twice.decode().splitlines(), strict=True):
        assert mine.split(" ||| ")[:2] == theirs.split(" ||| ")[:2]
        assert float(mine.split(" ||| ")[2]) == pytest.approx(float(theirs.split(" ||| ")[2]), abs=1e-4)


def test_no_ngram_comes_twice_when_that_is_asked(translate):
    text = "7 7 7 7 7 7\n1 2 1 2 1 2\n"
    for line in translate(text, "--no-repeat-ngram", "2")[0].splitlines():
        words = line.split()
        pairs = list(zip(words, words[1:]))
        assert len(pairs) == len(set(pairs))
    assert "e+" not in translate(text, "--no-repeat-ngram", "1", "--n-best", "2")[0]


def test_a_least_length_is_reached(translate):
    assert len(translate("1 2\n", "--min-length", "6")[0].split()) >= 5


def test_int8_learns_nothing_wrong(translate):
    rng = random.Random(19)
    text = "".join(symbols(rng) + "\n" for _ in range(100))
    assert translate(text, "--precision", "int8")[0] == text
    unsure = "".join(spoken(rng) + "\n" for _ in range(30))
    together = translate(unsure, "--precision", "int8", "--n-best", "1")[0]
    assert translate(unsure, "--precision", "int8", "--n-best", "1", "--batch-tokens", "1")[0] == together


def test_a_shortlist_learned_from_the_training_data(xformer, copy_model, translate, tmp_path):
    rng = random.Random(23)
    text = "".join(symbols(rng) + "\n" for _ in range(300))
    (tmp_path / "text").write_text(text)
    done = xformer("shortlist", "--model", copy_model, "--source", tmp_path / "text", "--target", tmp_path / "text",
                   "--output", tmp_path / "list", "--frequent", "2", "--best", "3")
    assert done.returncode == 0, done.stderr.decode()
    assert translate(text, "--shortlist", tmp_path / "list")[0] == translate(text)[0]
    assert translate("5 5\n1 2 3\n", "--shortlist", tmp_path / "list", "--batch-tokens", "1")[0] == "5 5\n1 2 3\n"
    (tmp_path / "list").write_bytes((tmp_path / "list").read_bytes()[:-4])
    assert "list" in translate(text, "--shortlist", tmp_path / "list", status=2)[1]


def test_lines_that_come_back_as_they_were_are_counted(translate):
    assert "2 of 3 lines came back as they were" in translate("1 2\n\n3 4\n")[1]
