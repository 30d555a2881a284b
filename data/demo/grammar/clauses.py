"""A clause, and its word order in both languages.

German puts the finite verb second, first or last; what stands between it and the closing verb
forms follows a fixed order (pronoun, time, dative, place, object, nicht, manner, goal), which is
not the English one (verb, object, goal, manner, place, time).
"""

from dataclasses import dataclass, replace
from enum import Enum
from typing import List, Optional, Tuple

from . import english
from .english import Tense, VerbGroup
from .noun_phrases import NounPhrase
from .verbs import BY_NAME, Modal, Verb

HABEN, SEIN, WERDEN = BY_NAME["haben"], BY_NAME["sein"], BY_NAME["werden"]


class GermanTense(Enum):
    PRESENT = "liest"
    PRETERITE = "las"
    PERFECT = "hat gelesen"
    FUTURE = "wird lesen"


class Role(Enum):
    """Position among the parts: (German, English)."""

    PRONOUN = (1, 1)
    TIME = (2, 9)
    FREQUENCY = (3, 0)
    DATIVE = (4, 3)
    PLACE = (5, 7)
    OBJECT = (6, 2)
    ALREADY = (7, 8)
    NOT = (8, 0)
    MANNER = (9, 6)
    GOAL = (10, 5)
    ABOUT = (11, 4)  # the object of a preposition, or what follows 'is'


@dataclass(frozen=True)
class Part:
    role: Role
    german: str
    english: str


NICHT = Part(Role.NOT, "nicht", "")


@dataclass(frozen=True)
class Clause:
    subject: NounPhrase
    verb: Verb
    parts: Tuple[Part, ...] = ()
    tense: GermanTense = GermanTense.PRESENT
    english_tense: Tense = Tense.PRESENT
    modal: Optional[Modal] = None
    negated: bool = False  # in English; German says so with a part or with 'kein'

    def without(self, role: Role) -> "Clause":
        return replace(self, parts=tuple(part for part in self.parts if part.role is not role))

    def plus(self, *parts: Part) -> "Clause":
        return replace(self, parts=self.parts + parts)

    def part(self, role: Role) -> Optional[Part]:
        return next((part for part in self.parts if part.role is role), None)


# --- German ---------------------------------------------------------------------------------

def finite_and_tail(clause: Clause) -> Tuple[str, str]:
    """The finite verb and what closes the clause: prefix, participle or infinitive."""
    verb, person, plural = clause.verb, clause.subject.person, clause.subject.plural
    past = clause.tense is GermanTense.PRETERITE
    if clause.modal:
        form = clause.modal.past if past else clause.modal.finite
        return form(person, plural), verb.full_infinitive()
    if clause.tense is GermanTense.PERFECT:
        return (SEIN if verb.sein else HABEN).finite(person, plural), verb.past_participle()
    if clause.tense is GermanTense.FUTURE:
        return WERDEN.finite(person, plural), verb.full_infinitive()
    return (verb.past if past else verb.finite)(person, plural), verb.prefix


def german_parts(clause: Clause, left_out: Optional[Part] = None) -> List[str]:
    ordered = sorted(clause.parts, key=lambda part: part.role.value[0])
    return [part.german for part in ordered if part is not left_out]


def join(words: List[str]) -> str:
    return " ".join(word for word in words if word)


def german_subject(clause: Clause) -> str:
    return clause.subject.cases[0]


def german_inside(clause: Clause, left_out: Optional[Part] = None) -> List[str]:
    """The subject with what follows it when it does not come first. Pronouns slip in before a
    subject of several words: Gestern hat sich meine Schwester gefreut."""
    pronoun = clause.part(Role.PRONOUN)
    subject = german_subject(clause)
    if pronoun is None or " " not in subject:
        return [subject] + german_parts(clause, left_out)
    return [pronoun.german, subject] + german_parts(clause.without(Role.PRONOUN), left_out)


def german_main(clause: Clause, front: Optional[Part] = None) -> str:
    """Verb second: the subject moves behind the verb when something else comes first."""
    finite, tail = finite_and_tail(clause)
    if front:
        return join([front.german, finite] + german_inside(clause, front) + [tail])
    return join([german_subject(clause), finite] + german_parts(clause) + [tail])


def german_question(clause: Clause, asked: str = "") -> str:
    finite, tail = finite_and_tail(clause)
    return join([asked, finite] + german_inside(clause) + [tail])


def german_subordinate(clause: Clause) -> str:
    """Verb last; a prefix joins its verb again (weil er anruft)."""
    finite, tail = finite_and_tail(clause)
    is_prefix = tail == clause.verb.prefix
    closing = tail + finite if is_prefix else f"{tail} {finite}"
    return join(german_inside(clause) + [closing])


def german_infinitive(clause: Clause) -> str:
    return join(german_parts(clause) + [clause.verb.zu_infinitive()])


# --- English --------------------------------------------------------------------------------

def english_group(clause: Clause, support: bool) -> VerbGroup:
    agreement, lemma = clause.subject.agreement, clause.verb.english
    if clause.modal is None:
        return english.verb_group(lemma, clause.english_tense, agreement, support)
    past = clause.tense is GermanTense.PRETERITE
    if clause.modal.auxiliary and not past:
        auxiliary, _, rest = clause.modal.auxiliary.partition(" ")
        return VerbGroup(auxiliary, join([rest, lemma]))
    lemma = join([clause.modal.english, lemma])
    return english.verb_group(lemma, Tense.PAST if past else Tense.PRESENT, agreement, support)


def english_parts(clause: Clause, left_out: Optional[Part] = None) -> List[str]:
    ordered = sorted(clause.parts, key=lambda part: part.role.value[1])
    return [part.english for part in ordered
            if part is not left_out and part.role is not Role.FREQUENCY]


def frequency(clause: Clause) -> str:
    part = clause.part(Role.FREQUENCY)
    return part.english if part else ""


def english_statement(clause: Clause, front: Optional[Part] = None) -> str:
    """A fronted time or place comes first in English too, with a comma after several words."""
    group = english_group(clause, support=clause.negated)
    middle = ["not" if clause.negated else "", frequency(clause)]
    words = [clause.subject.english, group.auxiliary] + middle + [group.rest]
    sentence = join(words + english_parts(clause, front)).replace(" can not ", " cannot ")
    if front is None:
        return sentence
    comma = "," if " " in front.english else ""
    return f"{front.english}{comma} {sentence}"


def english_question(clause: Clause, asked: str = "") -> str:
    group = english_group(clause, support=True)
    middle = ["not" if clause.negated else "", frequency(clause)]
    words = [asked, group.auxiliary, clause.subject.english] + middle + [group.rest]
    return join(words + english_parts(clause))


def english_infinitive(clause: Clause) -> str:
    return join(["to", clause.verb.english] + english_parts(clause))


# --- both -----------------------------------------------------------------------------------

@dataclass(frozen=True)
class Pair:
    german: str
    english: str


def statement(clause: Clause, front: Optional[Part] = None, english_front: bool = True) -> Pair:
    """`english_front` False keeps English in its usual order (a fronted German object)."""
    return Pair(german_main(clause, front),
                english_statement(clause, front if english_front else None))


def question(clause: Clause, asked: Pair = Pair("", "")) -> Pair:
    return Pair(german_question(clause, asked.german), english_question(clause, asked.english))


def subordinate(clause: Clause) -> Pair:
    return Pair(german_subordinate(clause), english_statement(clause))


def infinitive(clause: Clause) -> Pair:
    return Pair(german_infinitive(clause), english_infinitive(clause))


def combine(first: Pair, link: Tuple[str, str], second: Pair) -> Pair:
    """Two clauses with a conjunction, German and English, between them."""
    return Pair(first.german + link[0] + second.german, first.english + link[1] + second.english)


def sentence(pair: Pair, end: str = ".") -> Pair:
    """Capitalises and closes both sides."""
    return Pair(*(text[0].upper() + text[1:] + end for text in (pair.german, pair.english)))
