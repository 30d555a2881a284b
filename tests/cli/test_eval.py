"""The eval command beyond one score: sections A and E of what users trip over, systems compared, lines, refusals."""
import html.parser
import json
import logging
import os
import random
import re
import subprocess
import sys

import pytest

HYPOTHESES = ["The dog bit the man.", "It wasn't surprising.", "The man had just bitten him."]
OTHERS = ["The dog bit a man.", "It was not surprising.", "A man bit him first."]
REFERENCES = ["The dog bit the man.", "It was not unexpected.", "The man bit him first."]
SOURCES = ["Der Hund biss den Mann.", "Das war nicht überraschend.", "The man had just bitten him."]


@pytest.fixture
def texts(tmp_path):
    """Files by the names of their contents."""
    for name, lines in [("hyp", HYPOTHESES), ("other", OTHERS), ("ref", REFERENCES), ("src", SOURCES)]:
        (tmp_path / name).write_text("".join(line + "\n" for line in lines))
    return tmp_path


@pytest.fixture
def evaluate(xformer, texts):
    def run(*arguments, status=0):
        done = xformer("eval", *arguments, cwd=texts)
        assert done.returncode == status, done.stderr.decode()
        return (done.stdout if status == 0 else done.stderr).decode()

    return run


@pytest.fixture(scope="session")
def sacrebleu():
    """Runs the package's command and returns what it prints."""
    def run(*arguments, cwd):
        command = [sys.executable, "-m", "sacrebleu", *map(str, arguments)]
        done = subprocess.run(command, cwd=cwd, capture_output=True, check=True, env={**os.environ, "NO_COLOR": "1"})
        return done.stdout.decode()

    return run


def same_version(text):
    return re.sub(r"version:\S+", "version:V", re.sub(r'"version": ".*"', '"version": "V"', text))


# --- the command beside sacreBLEU's own ---

@pytest.mark.parametrize("options, theirs", [
    ([], []),
    (["--metric", "bleu", "chrf", "ter"], ["-m", "bleu", "chrf", "ter"]),
    (["--metric", "ter", "chrf", "--width", "4"], ["-m", "ter", "chrf", "-w", "4"]),
    (["--metric", "bleu", "chrf", "--bootstrap", "100"], ["-m", "bleu", "chrf", "--confidence", "-cin", "100"]),
    (["--metric", "chrf", "--sentence-level"], ["-m", "chrf", "-sl"]),
    (["--metric", "bleu", "--sentence-level", "--width", "3"], ["-m", "bleu", "-sl", "-w", "3"]),
    (["--metric", "bleu", "ter", "--format", "json", "--width", "1"], ["-m", "bleu", "ter", "-f", "json"]),
    (["--metric", "bleu", "--format", "json", "--width", "1", "--bootstrap", "50"], ["-f", "json", "-ci", "-cin", "50"]),
])
def test_one_system_is_printed_as_by_sacrebleu(evaluate, sacrebleu, texts, options, theirs):
    ours = evaluate("--hypothesis", "hyp", "--reference", "ref", *options)
    if "-f" not in theirs:
        theirs = [*theirs, "-f", "text"]
    assert same_version(ours) == same_version(sacrebleu("ref", "-i", "hyp", *theirs, cwd=texts))


def test_several_systems_are_printed_as_by_sacrebleu(evaluate, sacrebleu, texts):
    options = ["--hypothesis", "hyp", "--hypothesis", "other", "--reference", "ref", "--metric", "bleu", "chrf", "ter"]
    theirs = ["ref", "-i", "hyp", "other", "-m", "bleu", "chrf", "ter"]
    assert same_version(evaluate(*options)) == same_version(sacrebleu(*theirs, "-f", "text", cwd=texts))
    assert same_version(evaluate(*options, "--format", "json")) == same_version(sacrebleu(*theirs, "-f", "json", cwd=texts))


@pytest.mark.parametrize("options, theirs", [
    (["--bootstrap", "200"], ["--paired-bs", "--paired-bs-n", "200"]),
    (["--randomization", "300"], ["--paired-ar", "--paired-ar-n", "300"]),
    ([], ["--paired-bs"]),
])
def test_the_table_of_a_paired_test_is_sacrebleus(evaluate, sacrebleu, texts, options, theirs):
    ours = evaluate("--baseline", "hyp", "--hypothesis", "other", "--reference", "ref",
                    "--metric", "bleu", "chrf", "ter", *options)
    theirs = sacrebleu("ref", "-i", "hyp", "other", "-m", "bleu", "chrf", "ter", *theirs, "-f", "text", cwd=texts)
    ours, theirs = same_version(ours), same_version(theirs)
    table = theirs.index("╛")
    assert ours[:table] == theirs[:table]
    signatures = theirs.index("-----------------\nMetric signatures")
    assert ours.endswith(theirs[signatures:])


def test_another_seed_gives_other_numbers_and_is_named(evaluate):
    run = lambda *more: evaluate("--hypothesis", "hyp", "--reference", "ref", "--bootstrap", "99", "--width", "6", *more)
    assert run() == run("--seed", "12345") == run("--threads", "1")
    assert run("--seed", "7") != run() and "|seed:7|" in run("--seed", "7")


@pytest.mark.parametrize("metric", ["bleu", "chrf", "ter"])
@pytest.mark.parametrize("kind, option", [("bs", "--bootstrap"), ("ar", "--randomization")])
def test_significance_on_real_text(evaluate, shared, texts, metric, kind, option):
    """A thousand lines: sums in float32 are rounded on the way, as numpy rounds them."""
    import gzip
    from sacrebleu.metrics import METRICS
    from sacrebleu.significance import PairedTest
    logging.getLogger("sacrebleu").setLevel(logging.ERROR)
    rng = random.Random(1)
    reference = gzip.open(shared / "data/multi30k/test_2016_flickr.de.gz").read().decode().rstrip("\n").split("\n")
    reference = reference[:300] if metric == "ter" else reference
    drop = lambda line, rate: " ".join(w for w in line.split(" ") if rng.random() > rate)
    systems = {"one": [drop(line, 0.1) for line in reference], "two": [drop(line, 0.105) for line in reference]}
    for name, lines in [*systems.items(), ("real", reference)]:
        (texts / name).write_text("".join(line + "\n" for line in lines))
    samples = 150
    ours = json.loads(evaluate("--baseline", "one", "--hypothesis", "two", "--reference", "real", "--metric", metric,
                               option, samples, "--format", "json"))
    _, scores = PairedTest(list(systems.items()), {metric: METRICS[metric.upper()]()}, [reference], kind, samples)()
    name = next(key for key in scores if key != "System")
    for system, result in zip(ours, scores[name]):
        assert system[name]["score"] == result.score
        assert system[name]["p_value"] == result.p_value
        if result.mean is not None:
            assert system[name]["mean"] == float(result.mean)
            assert system[name]["ci"] == float(result.ci)


# --- sections A and E ---

def test_nul_bytes_end_neither_line_nor_text(evaluate, texts):
    (texts / "nul").write_bytes(b"a man\0sleeps\ntwo dogs\n")
    (texts / "cut").write_bytes(b"a man\ntwo dogs\n")
    assert " = 100.0 " in evaluate("--hypothesis", "nul", "--reference", "nul", "--effective-order")
    assert " = 100.0 " not in evaluate("--hypothesis", "nul", "--reference", "cut", "--effective-order")


@pytest.mark.parametrize("metric", ["bleu", "chrf", "ter"])
def test_no_bytes_crash_it(evaluate, texts, metric):
    rng = random.Random(metric)
    for name in ("noise", "more"):
        lines = [bytes(rng.choice(b"\x00\x01\t \r.,-0a&<\x80\x85\xa0\xc2\xe2\xed\xf0\xf4\xfe\xff") for _ in range(rng.randrange(60)))
                 for _ in range(200)]
        lines[0] = b"a" + lines[0]
        (texts / name).write_bytes(b"\n".join(lines) + b"\n")
    assert " = 100.0" in evaluate("--hypothesis", "noise", "--reference", "noise", "--metric", metric) or metric == "ter"
    for options in ([], ["--tokenize", "intl"], ["--tokenize", "zh"], ["--tokenize", "char"], ["--lowercase"],
                    ["--ter-normalized", "--ter-asian-support", "--ter-no-punct"], ["--sentence-level"]):
        evaluate("--hypothesis", "noise", "--reference", "more", "--metric", metric, *options)


def test_chinese_and_typographic_quotes_need_their_tokenizer(evaluate, texts):
    (texts / "zh").write_text("一只狗在雪地里奔跑。\n")
    (texts / "quotes").write_text("„Hallo“ sagte er zu ihr\n")
    (texts / "spaced").write_text("„ Hallo “ sagte er zu ihr\n")
    assert " = 0.0 " in evaluate("--hypothesis", "zh", "--reference", "zh")
    zh = evaluate("--hypothesis", "zh", "--reference", "zh", "--tokenize", "zh")
    assert " = 100.0 " in zh and "|tok:zh|" in zh
    assert " = 100.0 " not in evaluate("--hypothesis", "quotes", "--reference", "spaced")
    assert " = 100.0 " in evaluate("--hypothesis", "quotes", "--reference", "spaced", "--tokenize", "intl")


def test_case_is_ignored_when_asked(evaluate, texts):
    (texts / "upper").write_text("".join(line.upper() + "\n" for line in REFERENCES))
    assert " = 3.9 " in evaluate("--hypothesis", "upper", "--reference", "ref")
    lower = evaluate("--hypothesis", "upper", "--reference", "ref", "--lowercase")
    assert " = 100.0 " in lower and "|case:lc|" in lower


def test_the_reference_is_scored_as_it_is_given(evaluate, texts):
    """Never as a vocabulary would normalise it: full-width digits and ellipses stay what they are."""
    (texts / "raw").write_text("Das kostet １２ Euro … und mehr .\n" * 3)
    (texts / "same").write_text((texts / "raw").read_text())
    (texts / "normalised").write_text("Das kostet 12 Euro ... und mehr .\n" * 3)
    score = lambda name: json.loads(evaluate("--hypothesis", name, "--reference", "raw", "--format", "json"))["score"]
    assert score("same") == pytest.approx(100)
    assert score("normalised") < 60


def test_hypothesis_and_reference_are_not_interchangeable(evaluate, texts):
    (texts / "long").write_text("The man rides a bike down the long road.\n")
    (texts / "short").write_text("The man rides a bike.\n")
    assert " = 41.1 60.0/44.4/37.5/28.6 (BP = 1.000 ratio = 1.667 " in evaluate("--hypothesis", "long", "--reference", "short")
    assert " = 40.8 100.0/80.0/75.0/66.7 (BP = 0.513 ratio = 0.600 " in evaluate("--hypothesis", "short", "--reference", "long")


def test_a_pipe_is_read_to_its_end(xformer, texts):
    done = xformer("eval", "--hypothesis", "/dev/stdin", "--reference", texts / "ref",
                   stdin=(texts / "hyp").read_bytes())
    assert b" = 45.1 " in done.stdout


# --- lines ---

def test_worst_and_best_lines(evaluate):
    text = evaluate("--hypothesis", "hyp", "--reference", "ref", "--source", "src", "--lines", "1")
    assert "3 lines: 0 empty, 1 copies of the source" in text
    worst, best = text.split("The 1 best lines")
    assert "line 2: BLEU" in worst and "Das war nicht überraschend." in worst and "It was not unexpected." in worst
    assert "line 1: BLEU = 100.0" in best and "line 2" not in best


def test_lines_in_json(evaluate):
    lines = json.loads(evaluate("--hypothesis", "hyp", "--reference", "ref", "--source", "src", "--lines", "2",
                                "--format", "json"))["lines"]
    assert (lines["lines"], lines["empty"], lines["copies"]) == (3, 0, 1)
    assert [line["line"] for line in lines["best"]][0] == 1
    assert lines["worst"][0]["references"] == [REFERENCES[1]]
    assert lines["length_ratio"] == pytest.approx(sum(len(h.replace(" ", "")) for h in HYPOTHESES) /
                                                  sum(len(r.replace(" ", "")) for r in REFERENCES))


def test_the_page_holds_every_line_as_text(evaluate, texts):
    (texts / "odd").write_text('<b>&amp;\n\n"quoted" <script>\n')
    evaluate("--hypothesis", "odd", "--reference", "ref", "--source", "src", "--metric", "bleu", "ter", "--html", "page.html")
    rows = []

    class Cells(html.parser.HTMLParser):
        def handle_starttag(self, tag, attributes):
            if tag == "tr":
                rows.append([])
            elif tag in ("td", "th"):
                rows[-1].append("")

        def handle_data(self, data):
            if rows and rows[-1] and not self.after:
                rows[-1][-1] += data

        after = False

        def handle_endtag(self, tag):
            self.after = self.after or tag == "table"

    Cells().feed((texts / "page.html").read_text())
    heading, *lines = [[cell.rstrip("\n") for cell in row] for row in rows]
    assert heading == ["line", "BLEU", "TER", "length ratio", "note", "source", "hypothesis", "reference"]
    by_line = {line[0]: line for line in lines}
    assert sorted(by_line) == ["1", "2", "3"]
    assert by_line["1"][-2:] == ["<b>&amp;", REFERENCES[0]]
    assert by_line["2"][4] == "empty" and by_line["2"][5] == SOURCES[1]
    assert by_line["3"][-2] == '"quoted" <script>'


# --- refusals ---

@pytest.mark.parametrize("options, fragments", [
    (["--reference", "ref"], ["--hypothesis", "--source"]),
    (["--hypothesis", "hyp"], ["--reference"]),
    (["--hypothesis", "hyp", "--reference", "ref", "--metric", "meteor"], ["--metric", "meteor"]),
    (["--hypothesis", "hyp", "--reference", "ref", "--tokenize", "ja-mecab"], ["ja-mecab", "13a", "intl"]),
    (["--hypothesis", "hyp", "--reference", "ref", "--tokenize", "ko-mecab"], ["ko-mecab", "flores200"]),
    (["--hypothesis", "hyp", "--reference", "ref", "--tokenize", "flores200"], ["flores200", "--spm-model"]),
    (["--hypothesis", "hyp", "--reference", "ref", "--tokenize", "spm", "--spm-model", "ref"], ["ref", "SentencePiece"]),
    (["--hypothesis", "hyp", "--reference", "ref", "--spm-model", "ref"], ["--spm-model", "13a"]),
    (["--hypothesis", "hyp", "--reference", "ref", "--smooth-value", "1"], ["--smooth-value", "exp"]),
    (["--hypothesis", "hyp", "--reference", "ref", "--smooth-method", "nist"], ["--smooth-method", "nist"]),
    (["--hypothesis", "hyp", "--reference", "ref", "--chrf-char-order", "-1"], ["--chrf-char-order"]),
    (["--hypothesis", "hyp", "--reference", "ref", "--metric", "chrf", "--chrf-char-order", "0"], ["--chrf-char-order"]),
    (["--hypothesis", "hyp", "--reference", "ref", "--bootstrap", "0"], ["--bootstrap"]),
    (["--hypothesis", "hyp", "--reference", "ref", "--randomization", "5"], ["--randomization", "--baseline"]),
    (["--hypothesis", "hyp", "--hypothesis", "other", "--reference", "ref", "--bootstrap", "5"], ["--baseline"]),
    (["--hypothesis", "hyp", "--hypothesis", "hyp", "--reference", "ref"], ["hyp", "twice"]),
    (["--hypothesis", "hyp", "--baseline", "hyp", "--reference", "ref"], ["--baseline", "hyp"]),
    (["--hypothesis", "hyp", "--baseline", "other", "--reference", "ref", "--bootstrap", "5", "--randomization", "5"],
     ["--bootstrap", "--randomization"]),
    (["--source", "src", "--baseline", "other", "--reference", "ref"], ["--baseline", "--hypothesis"]),
    (["--hypothesis", "hyp", "--reference", "ref", "--sentence-level", "--metric", "bleu", "chrf"], ["--sentence-level"]),
    (["--hypothesis", "hyp", "--reference", "ref", "--sentence-level", "--bootstrap", "5"], ["--sentence-level"]),
    (["--hypothesis", "hyp", "--reference", "ref", "--width", "99"], ["--width"]),
    (["--hypothesis", "hyp", "--reference", "ref", "--html", "nowhere/page.html"], ["--html", "no folder nowhere"]),
])
def test_options_that_cannot_be_met_are_refused_by_name(evaluate, options, fragments):
    message = evaluate(*options, status=2)
    assert message.count("\n") == 1, message
    for fragment in fragments:
        assert fragment in message


def test_texts_of_different_length_are_refused_with_both_counts(evaluate, texts):
    (texts / "two").write_text("a\nb\n")
    for options in (["--hypothesis", "hyp", "--reference", "ref", "--reference", "two"],
                    ["--hypothesis", "hyp", "--baseline", "two", "--reference", "ref"],
                    ["--hypothesis", "hyp", "--reference", "ref", "--source", "two"],
                    ["--model", "none", "--source", "src", "--reference", "two"]):
        message = evaluate(*options, status=2)
        assert "3 lines" in message and re.search("two has 2", message) or "two has 2 lines" in message, message


def test_utf16_is_refused(evaluate, texts):
    (texts / "wide").write_bytes("a b\n".encode("utf-16"))
    assert "UTF-16" in evaluate("--hypothesis", "wide", "--reference", "ref", status=2)


def test_a_pipe_is_not_translated_since_the_source_is_read_twice(xformer, copy_model, texts):
    os.mkfifo(texts / "pipe")
    done = xformer("eval", "--model", copy_model, "--source", "pipe", "--reference", "ref", cwd=texts)
    assert done.returncode == 2 and b"--source pipe" in done.stderr, done.stderr.decode()


def test_what_befell_lines_that_were_translated_is_said(xformer, copy_model, tmp_path):
    (tmp_path / "src").write_text("1 2 3\n" + "7 " * 3000 + "\n")
    (tmp_path / "ref").write_text("1 2 3\n7 7\n")
    done = xformer("eval", "--model", copy_model, "--source", tmp_path / "src", "--reference", tmp_path / "ref")
    assert done.returncode == 0
    assert b"line 2: " in done.stderr and b"1 of 2 lines were cut" in done.stderr, done.stderr.decode()
