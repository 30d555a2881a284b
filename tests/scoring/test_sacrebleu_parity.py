"""`xformer eval` against the sacrebleu package: the same figures to the last printed digit."""
import gzip
import json
import logging
import random
import re
import unicodedata

import pytest
from sacrebleu.metrics import BLEU

from perturbed import perturbed, replaced

TEST_SETS = [(name, language)
             for name, languages in [("test_2016_flickr", "de fr cs"), ("test_2017_flickr", "de fr"),
                                     ("test_2017_mscoco", "de fr"), ("test_2018_flickr", "de fr cs")]
             for language in languages.split()]
# White space inside a line.
SPACES = [chr(c) for c in range(0x110000) if chr(c).isspace() and c != ord("\n")]
NOTABLE = list("..,,--''\"!?()[]{}&;:/%$0123456789") + [
    "&quot;", "&amp;", "&lt;", "&gt;", "&amp;lt;", "<skipped>", "1.", ".5", "3,4", "1-", "-.", "Σ", "ς", "İ", "ı",
    "ẞ", "Ǆ", "\u212a", "e\u0301", "\u00ad", "\u200b", "\u2060", "一", "。", "٣", "२", "\U0001f600"]


@pytest.fixture(autouse=True)
def quiet_sacrebleu():
    logging.getLogger("sacrebleu").setLevel(logging.ERROR)


def write(path, lines, end="\n"):
    path.write_bytes("".join(line + end for line in lines).encode())
    return path


def evaluate(xformer, hypothesis, references, *options):
    arguments = [a for reference in references for a in ("--reference", reference)]
    done = xformer("eval", "--hypothesis", hypothesis, *arguments, *options)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode(), done.stderr.decode()


def sacrebleu_score(hypotheses, references, version, lowercase=False):
    """sacreBLEU's score, and its signature with `version` in the place of its own."""
    metric = BLEU(lowercase=lowercase)
    score = metric.corpus_score(hypotheses, references)
    return score, re.sub("version:.*", "version:" + version, metric.get_signature().format())


def write_all(folder, hypotheses, references):
    return (write(folder / "hypothesis", hypotheses),
            [write(folder / f"reference{r}", lines) for r, lines in enumerate(references)])


def expect_parity(xformer, folder, hypotheses, references, lowercase=False):
    """Scores the same lines with both and compares every figure, the score also unrounded."""
    options = ["--lowercase"] if lowercase else []
    ours = json.loads(evaluate(xformer, *write_all(folder, hypotheses, references), "--format", "json", *options)[0])
    score, signature = sacrebleu_score(hypotheses, references, ours["version"], lowercase)
    theirs = json.loads(score.format(width=1, signature=signature, is_json=True))
    assert list(ours) == list(theirs)
    assert ours["score"] == pytest.approx(score.score, rel=0, abs=1e-9)
    assert {**ours, "score": None} == {**theirs, "score": None}
    return score.score


def near_to(rng, line):
    """`line` with a few words moved, dropped, doubled or in the other case."""
    return perturbed(rng, line, lambda words, i, j: replaced(words, i, words[i].swapcase()))


def multi30k(shared, name, language):
    text = gzip.open(shared / f"data/multi30k/{name}.{language}.gz").read().decode()
    return text.removesuffix("\n").split("\n")


@pytest.mark.parametrize("name,language", TEST_SETS)
def test_multi30k(xformer, shared, tmp_path, name, language):
    rng = random.Random(name + language)
    english, other = multi30k(shared, name, "en"), multi30k(shared, name, language)
    near = [near_to(rng, line) for line in other]
    assert expect_parity(xformer, tmp_path, near, [other]) > 20
    nearer = [near_to(rng, line) for line in other]
    expect_parity(xformer, tmp_path, near, [english, nearer], lowercase=True)


def random_character(rng):
    kind = rng.random()
    if kind < 0.6:
        return rng.choice(NOTABLE)
    if kind < 0.8:
        return chr(rng.randrange(0x21, 0x7f))
    while True:
        c = chr(rng.randrange(0xa0, 0x3000 if kind < 0.95 else 0x20000))
        # Of later Unicode versions Python and ICU may know different ones.
        if unicodedata.category(c) not in ("Cc", "Cn", "Cs", "Co"):
            return c


def random_line(rng, vocabulary):
    space = (lambda: " ") if rng.random() < 0.5 else (lambda: rng.choice(SPACES + ["", " "]))
    words = []
    for _ in range(rng.choice([0, 1, 2, 3, 5, 8, 20])):
        fresh = rng.random() < 0.4
        words.append("".join(random_character(rng) for _ in range(rng.randrange(1, 6))) if fresh
                     else rng.choice(vocabulary))
    return "".join(word + space() for word in words)


@pytest.mark.parametrize("seed", range(12))
def test_random_unicode(xformer, tmp_path, seed):
    rng = random.Random(seed)
    vocabulary = ["".join(random_character(rng) for _ in range(rng.randrange(1, 3))) for _ in range(4)]
    first = [random_line(rng, vocabulary) for _ in range(rng.choice([1, 5, 50, 500]))]
    others = [[near_to(rng, line) for line in first] for _ in range(rng.randrange(4))]
    hypotheses = [near_to(rng, line) for line in first]
    expect_parity(xformer, tmp_path, hypotheses, [first, *others], lowercase=seed % 2 == 1)


def test_every_white_space(xformer, tmp_path):
    hypotheses = [f"a-{c}b{c}.{c}1{c}-{c}" for c in SPACES]
    references = ["a- b . 1 -"] * len(SPACES)
    assert expect_parity(xformer, tmp_path, hypotheses, [references]) == pytest.approx(100)


# sacreBLEU's README. The scores are also pinned in bleu_test.cpp.
HYPOTHESES = ["The dog bit the man.", "It wasn't surprising.", "The man had just bitten him."]
REFERENCES = ["The dog bit the man.", "It was not unexpected.", "The man bit him first."]


def test_the_printed_line_is_sacrebleus(xformer, tmp_path):
    for references in ([REFERENCES], [REFERENCES, HYPOTHESES[::-1]]):
        line, _ = evaluate(xformer, *write_all(tmp_path, HYPOTHESES, references))
        version = re.search(r"\|version:(xformer-\S+-as-sacrebleu-2\.6\.0) = ", line)
        assert version, line
        score, signature = sacrebleu_score(HYPOTHESES, references, version[1])
        assert line == score.format(width=1, signature=signature) + "\n"


@pytest.mark.parametrize("hypotheses,references,score", [
    (HYPOTHESES, REFERENCES, 45.0675),
    ([HYPOTHESES[0], "", HYPOTHESES[2]], REFERENCES, 39.0872),
    (["", "", ""], REFERENCES, 0),
    (["hello there", "a b c d e"], ["", "a b c d e"], 86.9442),
    (["", "a b c d e"], ["", "a b c d e"], 100),
    ([""], [""], 0),
    (["Hi there ."], ["Hi there ."], 0),
    (["x y z w"], ["a b c d"], 0),
    (["一只狗在雪地里奔跑。"], ["一只狗在雪地里奔跑。"], 0),
])
def test_empty_and_short_lines(xformer, tmp_path, hypotheses, references, score):
    assert expect_parity(xformer, tmp_path, hypotheses, [references]) == pytest.approx(score, abs=1e-4)


def test_line_ends_change_nothing(xformer, tmp_path):
    hypothesis, reference = write(tmp_path / "h", HYPOTHESES), write(tmp_path / "r", REFERENCES)
    plain, _ = evaluate(xformer, hypothesis, [reference])
    for end in ("\r\n", " \u2028\n"):
        odd = write(tmp_path / "odd", HYPOTHESES, end), write(tmp_path / "odd_r", REFERENCES, end)
        assert evaluate(xformer, odd[0], [odd[1]])[0] == plain
        assert evaluate(xformer, odd[0], [reference])[0] == plain
    unended = tmp_path / "unended"
    unended.write_bytes("\n".join(HYPOTHESES).encode())
    assert evaluate(xformer, unended, [reference])[0] == plain


def test_a_byte_order_mark_counts_as_in_sacrebleu_and_is_named(xformer, tmp_path):
    marked = ["\ufeff" + HYPOTHESES[0], *HYPOTHESES[1:]]
    expect_parity(xformer, tmp_path, marked, [HYPOTHESES])
    assert expect_parity(xformer, tmp_path, ["\ufeffa b c d e f"], [["a b c d e f"]]) < 100
    _, log = evaluate(xformer, write(tmp_path / "marked", marked), [write(tmp_path / "r", REFERENCES)])
    assert "marked: begins with a byte order mark" in log


def refusal(xformer, hypothesis, *references):
    arguments = [a for reference in references for a in ("--reference", reference)]
    done = xformer("eval", "--hypothesis", hypothesis, *arguments)
    assert done.returncode == 2
    assert done.stdout == b""
    message = done.stderr.decode()
    assert message.count("\n") == 1, message
    return message


def test_refuses_other_line_counts(xformer, tmp_path):
    three, two = write(tmp_path / "three", HYPOTHESES), write(tmp_path / "two", REFERENCES[:2])
    message = refusal(xformer, three, three, two)
    assert re.search(r"three has 3 lines .*two has 2", message), message


def test_refuses_empty_and_missing_files(xformer, tmp_path):
    empty, two = write(tmp_path / "empty", []), write(tmp_path / "two", REFERENCES[:2])
    assert "empty has 0 lines" in refusal(xformer, empty, empty)
    assert "empty has 0 lines" in refusal(xformer, empty, two)
    assert "absent" in refusal(xformer, two, tmp_path / "absent")


def test_warns_of_text_that_looks_tokenized(xformer, tmp_path):
    lines = ["a man rides a bike ."] * 100
    many, few = write(tmp_path / "many", lines), write(tmp_path / "few", lines[1:])
    assert "many: 100 lines end in a space and a full stop" in evaluate(xformer, many, [many])[1]
    assert evaluate(xformer, few, [few])[1] == ""


def test_warns_of_empty_and_short_lines(xformer, tmp_path):
    gap = write(tmp_path / "gap", ["a b c d e", "", " \t"])
    full = write(tmp_path / "full", ["a b c d e", "f", "g"])
    short = write(tmp_path / "short", ["a b c", "f", "g"])
    assert evaluate(xformer, full, [full])[1] == ""
    assert "gap: 2 of 3 lines are empty" in evaluate(xformer, full, [gap])[1]
    assert "short: no line has 4 tokens" in evaluate(xformer, short, [full])[1]


def test_invalid_utf8_is_replaced_and_said(xformer, tmp_path):
    bad = tmp_path / "bad"
    bad.write_bytes(b"a b c d caf\xe9\n")
    replaced = write(tmp_path / "replaced", ["a b c d caf\ufffd"])
    line, log = evaluate(xformer, bad, [replaced])
    assert " = 100.0 " in line
    assert "bad: " in log and "UTF-8" in log
