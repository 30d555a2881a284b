"""The demo corpus in data/demo: reproducible, cleanly split, and made of correct word forms."""

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

DEMO = Path(__file__).resolve().parents[2] / "data" / "demo"
sys.path.insert(0, str(DEMO))

from grammar import corpus, english, numbers, times  # noqa: E402  (found through the line above)
from grammar.adjectives import EXPENSIVE, OLD  # noqa: E402
from grammar.chooser import Chooser  # noqa: E402
from grammar.clauses import (Clause, GermanTense, Part, Role, german_infinitive,  # noqa: E402
                             german_subordinate, sentence, statement)
from grammar.english import Tense  # noqa: E402
from grammar.german import Case  # noqa: E402
from grammar.noun_phrases import (Determiner, ER, MY, SIE_ALL, YOUR_ALL, named,  # noqa: E402
                                  noun_phrase, titled)
from grammar.nouns import BY_NAME as NOUN  # noqa: E402
from grammar.verbs import BY_NAME as VERB, MUESSEN  # noqa: E402

SIZES = {"train": 12000, "valid": 500, "test": 500}


def lines(name):
    return (DEMO / name).read_text(encoding="utf-8").splitlines()


def pairs(name):
    return list(zip(lines(f"{name}.de"), lines(f"{name}.en")))


# --- the files --------------------------------------------------------------------------------

def test_generating_again_gives_the_committed_bytes(tmp_path):
    subprocess.run([sys.executable, "-B", str(DEMO / "generate.py"), "--output", str(tmp_path)],
                   check=True)
    written = sorted(path.name for path in tmp_path.iterdir())
    assert written == sorted(f"{name}.{side}" for name in SIZES for side in ("de", "en"))
    for name in written:
        assert (tmp_path / name).read_bytes() == (DEMO / name).read_bytes(), name


@pytest.mark.parametrize("name", SIZES)
def test_counts(name):
    assert len(lines(f"{name}.de")) == len(lines(f"{name}.en")) == SIZES[name]


def test_size_in_the_repository():
    assert sum(path.stat().st_size for path in DEMO.glob("*.??")) < 2_500_000


def test_no_source_sentence_occurs_twice():
    counts = Counter(source for name in SIZES for source in lines(f"{name}.de"))
    assert [source for source, count in counts.items() if count > 1] == []


def test_valid_and_test_use_only_words_seen_often_in_train():
    seen = Counter(token for de, en in pairs("train")
                   for token in corpus.pair_tokens(corpus.Pair(de, en)))
    unseen = {token for name in ("valid", "test") for de, en in pairs(name)
              for token in corpus.pair_tokens(corpus.Pair(de, en)) if seen[token] < corpus.SEEN}
    assert unseen == set()


def test_every_sentence_is_tidy():
    for name in SIZES:
        for text in (text for pair in pairs(name) for text in pair):
            assert re.search(r"^[„“]?[A-ZÄÖÜ0-9]", text) and text[-1] in ".!?", text
            assert "  " not in text and " ." not in text and " ," not in text, text
            assert len(text.split()) <= corpus.MAX_WORDS, text


def test_many_more_sentences_still_have_one_translation_each():
    # draw() raises when a German sentence comes up with two translations.
    assert len(corpus.draw(Chooser(7), 15000)) == 15000


# --- numbers, dates, times --------------------------------------------------------------------

@pytest.mark.parametrize("number, german, in_english", [
    (0, "null", "zero"),
    (1, "eins", "one"),
    (16, "sechzehn", "sixteen"),
    (17, "siebzehn", "seventeen"),
    (21, "einundzwanzig", "twenty-one"),
    (30, "dreißig", "thirty"),
    (66, "sechsundsechzig", "sixty-six"),
    (70, "siebzig", "seventy"),
    (100, "einhundert", "one hundred"),
    (101, "einhunderteins", "one hundred and one"),
    (212, "zweihundertzwölf", "two hundred and twelve"),
    (1000, "eintausend", "one thousand"),
    (1001, "eintausendeins", "one thousand and one"),
    (2731, "zweitausendsiebenhunderteinunddreißig",
     "two thousand seven hundred and thirty-one"),
    (9999, "neuntausendneunhundertneunundneunzig",
     "nine thousand nine hundred and ninety-nine"),
])
def test_numbers(number, german, in_english):
    assert numbers.german(number) == german
    assert numbers.english(number) == in_english


def test_numbers_are_all_different_and_come_apart_into_known_words():
    spelled = [numbers.german(number) for number in range(10000)]
    assert len(set(spelled)) == 10000
    assert all(corpus.NUMBER_WORD.fullmatch(word) for word in spelled)


def test_ordinals_and_digits():
    assert [numbers.german_ordinal(n) for n in (1, 3, 7, 8, 19, 20, 31)] == [
        "erst", "dritt", "siebt", "acht", "neunzehnt", "zwanzigst", "einunddreißigst"]
    assert [numbers.english_ordinal(n) for n in (1, 2, 3, 8, 9, 12, 20, 31)] == [
        "first", "second", "third", "eighth", "ninth", "twelfth", "twentieth", "thirty-first"]
    assert (numbers.german_digits(2731), numbers.english_digits(2731)) == ("2.731", "2,731")


@pytest.mark.parametrize("hour, minute, german, in_english", [
    (1, 0, "ein Uhr", "one o'clock"),
    (7, 30, "halb acht", "half past seven"),
    (12, 30, "halb eins", "half past twelve"),
    (3, 15, "Viertel nach drei", "a quarter past three"),
    (12, 45, "Viertel vor eins", "a quarter to one"),
    (5, 50, "zehn vor sechs", "ten to six"),
])
def test_spoken_times(hour, minute, german, in_english):
    assert times.spoken_clock(hour, minute) == corpus.Pair(german, in_english)


@pytest.mark.parametrize("hour, minute, german, in_english", [
    (14, 30, "14:30 Uhr", "2:30 pm"), (9, 5, "9:05 Uhr", "9:05 am"),
    (0, 15, "0:15 Uhr", "12:15 am"), (12, 0, "12:00 Uhr", "12:00 pm"),
    (23, 55, "23:55 Uhr", "11:55 pm"),
])
def test_clock_times(hour, minute, german, in_english):
    assert times.clock(hour, minute) == corpus.Pair(german, in_english)


# --- word forms -------------------------------------------------------------------------------

@pytest.mark.parametrize("noun, determiner, plural, forms", [
    ("Mann", Determiner.DEFINITE, False,
     "der alte Mann|den alten Mann|dem alten Mann|des alten Mannes"),
    ("Frau", Determiner.INDEFINITE, False,
     "eine alte Frau|eine alte Frau|einer alten Frau|einer alten Frau"),
    ("Haus", Determiner.INDEFINITE, False,
     "ein altes Haus|ein altes Haus|einem alten Haus|eines alten Hauses"),
    ("Haus", Determiner.NONE, True,
     "alte Häuser|alte Häuser|alten Häusern|alter Häuser"),
    ("Junge", Determiner.DEFINITE, False,
     "der alte Junge|den alten Jungen|dem alten Jungen|des alten Jungen"),
    ("Kind", Determiner.NEGATIVE, True,
     "keine alten Kinder|keine alten Kinder|keinen alten Kindern|keiner alten Kinder"),
    ("Käse", Determiner.NONE, False, "alter Käse|alten Käse|altem Käse|alten Käses"),
    ("Auto", Determiner.DEFINITE, True,
     "die alten Autos|die alten Autos|den alten Autos|der alten Autos"),
])
def test_declension(noun, determiner, plural, forms):
    phrase = noun_phrase(NOUN[noun], determiner, plural=plural, adjective=OLD)
    assert "|".join(phrase.cases) == forms


def test_special_stems():
    assert noun_phrase(NOUN["Auto"], Determiner.INDEFINITE, adjective=EXPENSIVE).cases[0] == \
        "ein teures Auto"
    assert noun_phrase(NOUN["Tante"], Determiner.POSSESSIVE, owner=YOUR_ALL).cases[2] == \
        "eurer Tante"
    assert noun_phrase(NOUN["Apfel"], Determiner.NONE, count=3).german(Case.DAT) == "drei Äpfeln"
    assert titled("Weber", "m").german(Case.DAT) == "Herrn Weber"


def test_english_forms():
    assert english.with_article("old hat") == "an old hat"
    assert [english.plural_of(word) for word in ("child", "mouse", "story", "tomato", "sheep",
                                                 "church", "police officer")] == [
        "children", "mice", "stories", "tomatoes", "sheep", "churches", "police officers"]
    assert [english.ing_form(word) for word in ("write", "put", "see", "swim")] == [
        "writing", "putting", "seeing", "swimming"]
    assert [english.past_form(word) for word in ("try", "stay", "go", "dance")] == [
        "tried", "stayed", "went", "danced"]


# --- word order -------------------------------------------------------------------------------

def call(subject, **options):
    sister = noun_phrase(NOUN["Schwester"], Determiner.POSSESSIVE, owner=MY)
    part = Part(Role.OBJECT, sister.german(Case.ACC), sister.english_object)
    return Clause(subject, VERB["anrufen"], (part,), **options)


def test_separable_verb_closes_the_clause_and_joins_at_its_end():
    clause = call(named("Anna", "f"))
    assert statement(clause).german == "Anna ruft meine Schwester an"
    assert german_subordinate(clause) == "Anna meine Schwester anruft"
    assert german_infinitive(clause) == "meine Schwester anzurufen"


def test_perfect_and_modal_take_the_last_place():
    perfect = call(ER, tense=GermanTense.PERFECT, english_tense=Tense.PAST)
    assert statement(perfect) == corpus.Pair("er hat meine Schwester angerufen",
                                             "he called my sister")
    assert german_subordinate(perfect) == "er meine Schwester angerufen hat"
    must = call(SIE_ALL, modal=MUESSEN, negated=True)
    assert statement(must).english == "they do not have to call my sister"


def test_a_fronted_time_inverts_german_only():
    tomorrow = Part(Role.TIME, "morgen", "tomorrow")
    clause = call(ER, english_tense=Tense.FUTURE).plus(tomorrow)
    assert sentence(statement(clause, tomorrow)) == corpus.Pair(
        "Morgen ruft er meine Schwester an.", "Tomorrow he will call my sister.")
