"""Draws distinct sentence pairs and splits them into training, validation and test sets."""

import re
from collections import Counter
from typing import Callable, Dict, Iterable, List, NamedTuple, Tuple

from . import aspects, complex_sentences, conditions, figures, questions, relations, statements
from .chooser import Chooser
from .clauses import Pair
from .numbers import GERMAN_SMALL, GERMAN_TENS

Pattern = Callable[[Chooser], Pair]

# How many in a hundred or so sentences follow each pattern.
PATTERNS: Tuple[Tuple[int, Pattern], ...] = (
    (22, statements.plain_action), (2, statements.object_first), (4, statements.pastime),
    (5, statements.motion), (3, statements.staying), (6, statements.giving),
    (3, statements.helping), (5, statements.about), (7, aspects.modal),
    (3, aspects.modal_motion), (3, aspects.already), (3, aspects.duration),
    (3, statements.animal_life),
    (2, relations.person_quality), (4, relations.thing_quality), (1, relations.opposite),
    (4, relations.comparison), (2, relations.job), (3, relations.lying), (3, relations.putting),
    (2, relations.there_is), (2, relations.belonging), (3, relations.liking),
    (1, relations.weather),
    (4, questions.yes_no), (1, questions.liking_question), (2, questions.who),
    (2, questions.what), (2, questions.where), (2, questions.when_why), (2, questions.where_to),
    (2, questions.how_many), (1, questions.whom), (1, questions.how), (2, questions.request),
    (1, questions.greeting), (1, questions.suggestion),
    (5, conditions.cause), (4, conditions.condition), (3, conditions.once),
    (5, complex_sentences.reported), (3, complex_sentences.indirect_question),
    (2, complex_sentences.quotation), (3, complex_sentences.relative_subject),
    (4, complex_sentences.relative_object), (2, complex_sentences.relative_with),
    (4, complex_sentences.errand), (3, complex_sentences.attempt),
    (3, complex_sentences.two_actions),
    (3, figures.price), (3, figures.result), (2, figures.amount), (2, figures.age),
    (2, figures.born), (2, figures.today), (3, figures.appointment), (2, figures.year),
    (2, figures.what_time), (4, figures.timetable), (3, figures.daily_hours),
)
MIN_WORDS, MAX_WORDS = 3, 20
# A held-out sentence uses only words that training shows at least this often.
SEEN = 4

NUMBER_PARTS = sorted(GERMAN_SMALL + GERMAN_TENS[2:] + ["ein", "und", "hundert", "tausend"],
                      key=len, reverse=True)
NUMBER_WORD = re.compile(f"(?:{'|'.join(NUMBER_PARTS)})+")
TOKEN = re.compile(r"\d|[^\W\d]+|[^\w\s]")


class Split(NamedTuple):
    train: List[Pair]
    valid: List[Pair]
    test: List[Pair]


def tokens(text: str) -> List[str]:
    """Words, digits and marks; German number words come apart into the words they are made of."""
    result = []
    for token in TOKEN.findall(text):
        if NUMBER_WORD.fullmatch(token.lower()):
            result += re.findall("|".join(NUMBER_PARTS), token.lower())
        else:
            result.append(token)
    return result


def pair_tokens(pair: Pair) -> Iterable[Tuple[str, str]]:
    for side, text in (("de", pair.german), ("en", pair.english)):
        for token in tokens(text):
            yield side, token


def draw(chooser: Chooser, count: int) -> List[Pair]:
    """Distinct German sentences. Meeting one again with another translation is a bug in the
    grammar, and so fails."""
    translations: Dict[str, str] = {}
    while len(translations) < count:
        pair = chooser.weighted(PATTERNS)(chooser)
        lengths = [len(text.split()) for text in (pair.german, pair.english)]
        if min(lengths) < MIN_WORDS or max(lengths) > MAX_WORDS:
            continue
        known = translations.setdefault(pair.german, pair.english)
        if known != pair.english:
            raise ValueError(f"two translations of {pair.german!r}: {known!r}, {pair.english!r}")
    return [Pair(german, english) for german, english in translations.items()]


def split(chooser: Chooser, pairs: List[Pair], held_out: int) -> Split:
    """The first sentences whose words are all well known go into the held-out sets."""
    counts = Counter(token for pair in pairs for token in pair_tokens(pair))
    chosen: List[Pair] = []
    train: List[Pair] = []
    english_seen = set()
    for pair in chooser.shuffled(pairs):
        needed = Counter(pair_tokens(pair))
        known = all(counts[token] - times >= SEEN for token, times in needed.items())
        if len(chosen) < 2 * held_out and known and pair.english not in english_seen:
            chosen.append(pair)
            english_seen.add(pair.english)
            counts.subtract(needed)
        else:
            train.append(pair)
    return Split(train, chosen[:held_out], chosen[held_out:])


def make(seed: int, train: int, held_out: int) -> Split:
    chooser = Chooser(seed)
    return split(chooser, draw(chooser, train + 2 * held_out), held_out)
