"""`xformer eval` against the sacrebleu package on thousands of generated corpora: not one digit may differ."""
import gzip
import itertools
import json
import logging
import os
import random
import subprocess

import pytest
import regex as re
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU, CHRF, TER
from sacrebleu.significance import PairedTest

from perturbed import perturbed, replaced

EXAMPLES, CORPORA_OF_ONE = 260, 20

# What tokenizers and lower-casing have rules for, and what looks as if they had.
NOTABLE = list("..,,--''\"!?()[]{}&;:/%$0123456789aAbB") + [
    "&quot;", "&amp;", "&lt;", "&gt;", "&amp;lt;", "<skipped>", "'s", "1.", ".5", "3,4", "1-", "-.", "2009.", "x.",
    "Σ", "ς", "ΑΣ", "İ", "ı", "ẞ", "Ǆ", "\u212a", "e\u0301", "\u0301", "\u00ad", "\u200b", "\u200c", "\u200d",
    "\u2060", "\ufeff", "\ufffd", "一", "。", "、", "，", "（", "・", "ひらがな", "カタカナ", "\u31f0", "\u3300", "\u20001",
    "٣", "२", "½", "Ⅷ", "€", "×", "„", "“", "…", "\u05d0\u05d1", "\u0627\u0644", "\u202e", "\U0001f600", "\U0002a6d6",
    "\U0001f1e9\U0001f1ea", "\U00010400", "\U0001ccf0", "\x00", "\x01", "\x7f", "\x80"]
SPACES = [chr(c) for c in range(0x110000) if chr(c).isspace() and c != ord("\n")]
# Behind a sigma, characters that only one of Python and ICU knows make a difference.
CHARACTERS = st.characters(exclude_categories=("Cs", "Cn", "Co"), exclude_characters="\n")
WORDS = st.lists(st.one_of(st.sampled_from(NOTABLE), st.text(CHARACTERS, min_size=1, max_size=5)), min_size=1, max_size=7)


@pytest.fixture(autouse=True, scope="module")
def quiet_sacrebleu():
    logging.getLogger("sacrebleu").setLevel(logging.ERROR)


class Driver:
    """One process that runs the eval command again and again."""

    def __init__(self, folder):
        binary = os.environ.get("XFORMER_EVAL_DRIVER")
        if not binary:
            pytest.skip("XFORMER_EVAL_DRIVER does not name the binary to test: run these tests through ctest")
        self.folder = folder
        self.process = subprocess.Popen([binary], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def write(self, name, lines):
        path = self.folder / name
        path.write_bytes("".join(line + "\n" for line in lines).encode())
        return str(path)

    def run(self, *arguments):
        self.process.stdin.write((json.dumps([str(a) for a in arguments]) + "\n").encode())
        self.process.stdin.flush()
        output = bytearray()
        while not output.endswith(b"\x1e"):
            portion = self.process.stdout.read1()
            assert portion, "the program ended"
            output += portion
        text = output[:-1].decode()
        assert not text.startswith("error: "), text
        return text

    def eval(self, systems, references, *options):
        options = ["eval", *options]
        for name, lines in zip(itertools.chain(["--hypothesis"], itertools.repeat("--baseline")), systems):
            options += [name, self.write(name, lines)]
        for r, lines in enumerate(references):
            options += ["--reference", self.write(f"reference{r}", lines)]
        return self.run(*options)


@pytest.fixture(scope="module")
def driver(tmp_path_factory):
    driver = Driver(tmp_path_factory.mktemp("corpora"))
    yield driver
    driver.process.stdin.close()
    assert driver.process.wait(60) == 0


# --- corpora ---

def random_line(rng, words):
    space = (lambda: " ") if rng.random() < 0.6 else (lambda: rng.choice(SPACES + ["", " "]))
    line = "".join(rng.choice(words) + space() for _ in range(rng.choice([0, 1, 2, 3, 4, 5, 8, 20])))
    return line.rstrip()  # as sacreBLEU's command reads it


def near_to(rng, line, words):
    def moved_block(parts, i, j):
        rest = parts[:i] + parts[i + 3:]
        return [*rest[:j], *parts[i:i + 3], *rest[j:]] or [""]

    return perturbed(rng, line, lambda parts, i, j: replaced(parts, i, rng.choice(words)), moved_block).rstrip()


def random_corpus(rng, words):
    """Hypotheses and references: near, unrelated, the same, or empty."""
    first = [random_line(rng, words) for _ in range(rng.choice([1, 1, 2, 3, 5, 12]))]
    kind = rng.random()
    if kind < 0.75:
        other = lambda: [near_to(rng, line, words) for line in first]
    elif kind < 0.9:
        other = lambda: [random_line(rng, words) for _ in first]
    elif kind < 0.95:
        other = lambda: list(first)
    else:
        other = lambda: ["" for _ in first]
    return other(), [first, *(other() for _ in range(rng.choice([0, 0, 0, 1, 2])))]


# --- options ---

def flag(name, given):
    return [name] if given else []


def random_bleu(rng):
    tokenize = rng.choice(["13a", "13a", "intl", "zh", "char", "none"])
    method = rng.choice(["exp", "exp", "none", "floor", "add-k"])
    value = rng.choice([None, None, 0, 0.5, 1, 2.25]) if method in ("floor", "add-k") else None
    lowercase, effective_order = rng.random() < 0.3, rng.random() < 0.3
    options = ["--tokenize", tokenize, "--smooth-method", method, *flag("--lowercase", lowercase),
               *flag("--effective-order", effective_order)]
    if value is not None:
        options += ["--smooth-value", value]
    return options, BLEU(lowercase=lowercase, tokenize=tokenize, smooth_method=method, smooth_value=value,
                         effective_order=effective_order)


def random_chrf(rng):
    char_order, word_order, beta = rng.choice([6, 6, 6, 1, 3, 9, 0]), rng.choice([0, 2, 2, 1, 4]), rng.choice([2, 2, 1, 3, 0])
    if char_order + word_order == 0:
        word_order = 2
    lowercase, whitespace, eps_smoothing = (rng.random() < 0.3 for _ in range(3))
    options = ["--metric", "chrf", "--chrf-char-order", char_order, "--chrf-word-order", word_order, "--chrf-beta", beta,
               *flag("--lowercase", lowercase), *flag("--chrf-whitespace", whitespace),
               *flag("--chrf-eps-smoothing", eps_smoothing)]
    return options, CHRF(char_order, word_order, beta, lowercase, whitespace, eps_smoothing)


def random_ter(rng):
    normalized, no_punct, asian_support, case_sensitive = (rng.random() < 0.4 for _ in range(4))
    options = ["--metric", "ter", *flag("--ter-normalized", normalized), *flag("--ter-no-punct", no_punct),
               *flag("--ter-asian-support", asian_support), *flag("--ter-case-sensitive", case_sensitive)]
    return options, TER(normalized, no_punct, asian_support, case_sensitive)


def random_metric(rng):
    return rng.choice([random_bleu, random_chrf, random_ter])(rng)


# --- comparisons ---

def expected_signature(metric, ours):
    return metric.get_signature().format().rsplit("version:", 1)[0] + "version:" + ours["version"]


def compare_corpus(driver, rng, hypotheses, references):
    options, metric = random_metric(rng)
    ours = json.loads(driver.eval([hypotheses], references, *options, "--format", "json"))
    score = metric.corpus_score(hypotheses, references)
    theirs = json.loads(score.format(width=17, signature=expected_signature(metric, ours), is_json=True))
    assert list(ours) == list(theirs)
    assert {**ours, "score": 0} == {**theirs, "score": 0}
    assert ours["score"] == score.score


def compare_text(driver, rng, hypotheses, references):
    options, metric = random_metric(rng)
    width = rng.choice([0, 1, 2, 5])
    ours = driver.eval([hypotheses], references, *options, "--width", width)
    score = metric.corpus_score(hypotheses, references)
    signature = expected_signature(metric, {"version": ours.split("version:")[1].split(" ")[0]})
    assert ours == score.format(width=width, signature=signature) + "\n"


def compare_sentences(driver, rng, hypotheses, references):
    options, metric = random_metric(rng)
    metric.effective_order = True
    ours = driver.eval([hypotheses], references, *options, "--sentence-level", "--width", "9").split("\n")
    assert ours.pop() == "" and len(ours) == len(hypotheses)
    for line, hypothesis, *line_references in zip(ours, hypotheses, *references):
        score = metric.sentence_score(hypothesis, line_references)
        signature = expected_signature(metric, {"version": line.split("version:")[1].split(" ")[0]})
        assert line == score.format(width=9, signature=signature)


def compare_intervals(driver, rng, hypotheses, references):
    options, metric = random_metric(rng)
    try:
        score = metric.corpus_score(hypotheses, references, n_bootstrap=37)
    except TypeError:
        return  # sacreBLEU cannot take the mean of float32 and float
    ours = json.loads(driver.eval([hypotheses], references, *options, "--format", "json", "--bootstrap", "37", "--width", "6"))
    assert ours == json.loads(score.format(width=6, signature=expected_signature(metric, ours), is_json=True))


def compare_tests(driver, rng, hypotheses, references):
    options, metric = random_metric(rng)
    kind, option = rng.choice([("bs", "--bootstrap"), ("ar", "--randomization")])
    baseline = [near_to(rng, line, ["x"]) for line in hypotheses]
    ours = json.loads(driver.eval([hypotheses, baseline], references, *options, "--format", "json", option, "53"))
    _, theirs = PairedTest([("baseline", baseline), ("system", hypotheses)], {"metric": metric}, references,
                           test_type=kind, n_samples=53)()
    name = next(key for key in theirs if key != "System")
    for system, result in zip(ours, theirs[name]):
        assert system[name]["score"] == result.score
        assert system[name]["p_value"] == result.p_value
        assert system[name]["mean"] == (None if result.mean is None else float(result.mean))
        assert system[name]["ci"] == (None if result.ci is None else float(result.ci))


COMPARISONS = [compare_corpus] * 12 + [compare_text] * 3 + [compare_sentences] * 3 + [compare_intervals, compare_tests]


# What comes from a seed cannot be made smaller.
SETTINGS = dict(derandomize=True, database=None, deadline=None, phases=[Phase.generate],
                suppress_health_check=list(HealthCheck))


@settings(max_examples=EXAMPLES, **SETTINGS)
@given(words=WORDS, seed=st.integers(0, 2**32))
def test_generated_corpora(driver, words, seed):
    rng = random.Random(seed)
    for _ in range(CORPORA_OF_ONE):
        rng.choice(COMPARISONS)(driver, rng, *random_corpus(rng, words + ["a", "b", "."]))


@pytest.mark.parametrize("language", ["en", "de", "fr", "cs"])
def test_multi30k(driver, shared, language):
    text = gzip.open(shared / f"data/multi30k/test_2016_flickr.{language}.gz").read().decode()
    lines = [line.rstrip() for line in text.split("\n")[:300]]
    rng = random.Random(language)
    words = lines[0].split(" ")
    hypotheses, other = ([near_to(rng, line, words) for line in lines] for _ in range(2))
    for options, metric in [
            ([], BLEU()), (["--tokenize", "intl", "--lowercase"], BLEU(tokenize="intl", lowercase=True)),
            (["--tokenize", "zh"], BLEU(tokenize="zh")), (["--tokenize", "char"], BLEU(tokenize="char")),
            (["--tokenize", "none", "--smooth-method", "floor"], BLEU(tokenize="none", smooth_method="floor")),
            (["--metric", "chrf"], CHRF()), (["--metric", "chrf", "--chrf-word-order", "2"], CHRF(word_order=2)),
            (["--metric", "chrf", "--chrf-whitespace", "--lowercase"], CHRF(whitespace=True, lowercase=True)),
            (["--metric", "ter"], TER()),
            (["--metric", "ter", "--ter-normalized", "--ter-no-punct"], TER(normalized=True, no_punct=True))]:
        references = [other] if metric.__class__ is TER else [other, lines]
        ours = json.loads(driver.eval([hypotheses], references, *options, "--format", "json"))
        score = metric.corpus_score(hypotheses, references)
        assert ours["score"] == score.score
        assert ours.get("verbose_score", "") == score._verbose


def test_every_character_is_tokenized_alike(driver):
    """Letters and digits beside all punctuation, numbers, symbols and white space of Unicode, and a sample of the rest."""
    notable = re.compile(r"[\p{P}\p{N}\p{S}\p{Z}\p{C}]")
    characters = [chr(c) for c in range(0x110000) if not 0xd800 <= c < 0xe000 and c != ord("\n")]
    characters = [c for i, c in enumerate(characters)
                  if i % 97 == 0 or notable.match(c) and not re.match(r"[\p{Cn}\p{Co}]", c)]
    lines = [f"a{c}b1{c}2 {c}".rstrip() for c in characters]
    plain = [line[:1] for line in lines]
    for tokenize in ("13a", "intl", "zh"):
        expect_same_lengths(driver, lines, plain, ["--tokenize", tokenize], BLEU(tokenize=tokenize))
    for options, metric in ([["--ter-no-punct", "--ter-asian-support"], TER(no_punct=True, asian_support=True)],
                            [["--ter-normalized", "--ter-asian-support"], TER(normalized=True, asian_support=True)]):
        ours = driver.eval([lines], [plain], "--metric", "ter", *options, "--sentence-level", "--width", "9").split("\n")
        for line, text, reference in zip(ours, lines, plain):
            assert float(line.split(" = ")[1]) == pytest.approx(metric.sentence_score(text, [reference]).score, abs=1e-8), text


def expect_same_lengths(driver, lines, plain, options, metric):
    """As many tokens, and as many that match, in each line."""
    ours = driver.eval([lines], [plain], *options, "--sentence-level").split("\n")
    for line, text, reference in zip(ours, lines, plain):
        assert line.split(" = ", 2)[2] == metric.sentence_score(text, [reference])._verbose.split(" = ", 1)[1], text


@pytest.fixture(scope="module")
def spm_model(tmp_path_factory):
    import sentencepiece
    folder = tmp_path_factory.mktemp("spm") / "models"
    folder.mkdir()
    rng = random.Random(1)
    syllables = ["ba", "ko", "mi", "tu", "ßen", "é", "中", "文"]
    text = [" ".join("".join(rng.choices(syllables, k=3)) for _ in range(8)) for _ in range(300)]
    model = folder / "sacrebleu_tokenizer_spm.model"
    sentencepiece.SentencePieceTrainer.train(sentence_iterator=iter(text), model_prefix=str(model.with_suffix("")),
                                             vocab_size=120, minloglevel=2)
    return model


@settings(max_examples=20, **SETTINGS)
@given(words=WORDS, seed=st.integers(0, 2**32))
def test_spm(driver, spm_model, words, seed):
    rng = random.Random(seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sacrebleu.tokenizers.tokenizer_spm.SACREBLEU_DIR", str(spm_model.parent.parent))
        metric = BLEU(tokenize="flores101")
    for _ in range(5):
        hypotheses, references = random_corpus(rng, words + ["bakomi", "tußen", "中文"])
        ours = json.loads(driver.eval([hypotheses], references, "--tokenize", "flores101", "--spm-model", spm_model,
                                      "--format", "json"))
        score = metric.corpus_score(hypotheses, references)
        assert (ours["score"], ours["tok"]) == (score.score, "flores101")
        assert ours["verbose_score"] == score._verbose


def test_a_model_of_no_name_is_named_by_its_hash(driver, spm_model):
    ours = json.loads(driver.eval([["bakomi"]], [["bakomi"]], "--tokenize", "spm", "--spm-model", spm_model, "--format", "json"))
    assert ours["tok"].startswith("spm-") and len(ours["tok"]) == len("spm-") + 8
