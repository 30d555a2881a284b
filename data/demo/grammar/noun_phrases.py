"""Noun phrases in both languages, declined for all four German cases."""

from dataclasses import dataclass
from enum import Enum
from typing import Optional, Tuple

from . import german, numbers
from .adjectives import Adjective
from .english import Agreement, possessive_of, with_article
from .german import Case
from .nouns import Noun


class Determiner(Enum):
    DEFINITE = "der"
    INDEFINITE = "ein"
    NEGATIVE = "kein"
    THIS = "dieser"
    POSSESSIVE = "mein"
    NONE = ""


@dataclass(frozen=True)
class Owner:
    german: str
    english: str


CHILDREN = ("Kind", "Mädchen", "Junge")
MY, YOUR, OUR = Owner("mein", "my"), Owner("dein", "your"), Owner("unser", "our")
YOUR_ALL = Owner("euer", "your")
HIS, HER, THEIR = Owner("sein", "his"), Owner("ihr", "her"), Owner("ihr", "their")
OWNERS = (MY, YOUR, OUR)


@dataclass(frozen=True)
class NounPhrase:
    """`cases` holds nominative, accusative, dative, genitive. `owner` is the possessive that
    refers back to it, None for das Kind, where German says 'sein' whatever English would say."""

    cases: Tuple[str, str, str, str]
    english: str
    english_object: str
    person: int = 3
    plural: bool = False
    gender: str = "m"
    owner: Optional[Owner] = None
    is_pronoun: bool = False
    definite: bool = True
    child: bool = False  # children do not sell cars in these sentences

    def german(self, case: Case) -> str:
        return self.cases[case.value]

    @property
    def agreement(self) -> Agreement:
        return Agreement(self.person, self.plural)

    @property
    def table_gender(self) -> str:
        return "p" if self.plural else self.gender


def pronoun(cases: str, english: str, person: int, plural: bool, owner: Owner,
            gender: str = "m") -> NounPhrase:
    nominative, accusative, dative = cases.split()
    subject, obj = english.split()
    return NounPhrase((nominative, accusative, dative, ""), subject, obj, person, plural, gender,
                      owner, True)


PRONOUNS = (
    pronoun("ich mich mir", "I me", 1, False, MY),
    pronoun("du dich dir", "you you", 2, False, YOUR),
    pronoun("er ihn ihm", "he him", 3, False, HIS),
    pronoun("sie sie ihr", "she her", 3, False, HER, "f"),
    pronoun("wir uns uns", "we us", 1, True, OUR),
    pronoun("ihr euch euch", "you you", 2, True, YOUR_ALL),
    pronoun("sie sie ihnen", "they them", 3, True, THEIR),
)
ICH, DU, ER, SIE, WIR, IHR, SIE_ALL = PRONOUNS
FORMAL = pronoun("Sie Sie Ihnen", "you you", 3, True, Owner("Ihr", "your"))
ES = NounPhrase(("es", "es", "ihm", ""), "it", "it", gender="n", is_pronoun=True)
WHO = NounPhrase(("wer", "wen", "wem", "wessen"), "who", "who", is_pronoun=True)


def pronoun_for(phrase: NounPhrase) -> Optional[NounPhrase]:
    """What takes the phrase up again; None for das Kind, whose 'es' would be he or she."""
    if phrase.is_pronoun:
        return phrase
    if phrase.plural:
        return SIE_ALL
    return {"m": ER, "f": SIE, "n": None}[phrase.gender]


def named(name: str, gender: str) -> NounPhrase:
    return NounPhrase((name,) * 4, name, name, gender=gender, owner=HER if gender == "f" else HIS)


def titled(surname: str, gender: str) -> NounPhrase:
    """Frau Weber and Herr Weber; 'Herr' is weak."""
    if gender == "f":
        german_name, english_name = f"Frau {surname}", f"Mrs {surname}"
        return NounPhrase((german_name,) * 4, english_name, english_name, gender="f", owner=HER)
    cases = (f"Herr {surname}",) + (f"Herrn {surname}",) * 3
    return NounPhrase(cases, f"Mr {surname}", f"Mr {surname}", owner=HIS)


def both(first: NounPhrase, second: NounPhrase) -> NounPhrase:
    cases = tuple(f"{one} und {other}" for one, other in zip(first.cases, second.cases))
    english = f"{first.english} and {second.english}"
    return NounPhrase(cases, english, english, plural=True, owner=THEIR)


def adjective_endings(determiner: Determiner) -> dict:
    if determiner in (Determiner.DEFINITE, Determiner.THIS):
        return german.WEAK
    return german.STRONG if determiner is Determiner.NONE else german.MIXED


def german_determiner(determiner: Determiner, case: Case, gender: str,
                      owner: Optional[Owner]) -> str:
    if determiner is Determiner.DEFINITE:
        return german.DEFINITE[gender][case.value]
    if determiner is Determiner.THIS:
        return "dies" + german.DIESER_ENDINGS[gender][case.value]
    if determiner is Determiner.POSSESSIVE:
        return german.ein_word(owner.german, case, gender)
    if determiner is Determiner.NONE:
        return ""
    return german.ein_word(determiner.value, case, gender)


def english_determiner(determiner: Determiner, words: str, singular: bool,
                       owner: Optional[Owner]) -> str:
    """`words` is what follows: it decides between a and an. A negative object stands in a
    negated English clause, hence 'not ... any milk'."""
    if determiner is Determiner.DEFINITE:
        return "the " + words
    if determiner is Determiner.THIS:
        return ("this " if singular else "these ") + words
    if determiner is Determiner.POSSESSIVE:
        return f"{owner.english} {words}"
    if determiner is Determiner.NONE:
        return words
    return with_article(words) if singular else "any " + words


def noun_phrase(noun: Noun, determiner: Determiner, *, plural: bool = False,
                adjective: Optional[Adjective] = None, count: int = 0,
                owner: Optional[Owner] = None) -> NounPhrase:
    """`count` (two or more) goes before the adjective: die drei alten Häuser."""
    plural = plural or count > 1
    gender = "p" if plural else noun.gender
    endings = adjective_endings(determiner)
    cases = []
    for case in Case:
        words = [
            german_determiner(determiner, case, gender, owner),
            numbers.german(count) if count else "",
            adjective.stem + endings[gender][case.value] if adjective else "",
            german.noun_form(noun.german, noun.plural, case, gender, noun.weak),
        ]
        cases.append(" ".join(word for word in words if word))
    english_noun = noun.english_plural if plural else noun.english
    described = " ".join(
        ([numbers.english(count)] if count else [])
        + ([adjective.english] if adjective else []) + [english_noun])
    countable = not plural and bool(noun.plural)
    if determiner is Determiner.THIS:
        countable = not plural
    english = english_determiner(determiner, described, countable, owner)
    return NounPhrase(
        tuple(cases), english, english, plural=plural, gender=noun.gender,
        owner=THEIR if plural else {"m": HIS, "f": HER, "n": None}[noun.gender],
        definite=determiner in (Determiner.DEFINITE, Determiner.THIS, Determiner.POSSESSIVE),
        child=noun.german in CHILDREN)


def owned_by(owner: NounPhrase, thing: Noun, thing_plural: bool = False) -> NounPhrase:
    """das Auto meines Bruders, my brother's car."""
    base = noun_phrase(thing, Determiner.DEFINITE, plural=thing_plural)
    cases = tuple(f"{form} {owner.german(Case.GEN)}" for form in base.cases)
    noun = thing.english_plural if thing_plural else thing.english
    english = f"{possessive_of(owner.english, owner.plural)} {noun}"
    return NounPhrase(cases, english, english, plural=base.plural, gender=base.gender)


def owned_by_name(name: str, thing: Noun) -> NounPhrase:
    """Annas Auto; after an s-sound German adds only an apostrophe (Max' Auto)."""
    genitive = name + ("'" if name.endswith(("s", "x")) else "s")
    forms = (german.noun_form(thing.german, thing.plural, case, thing.gender, thing.weak)
             for case in Case)
    cases = tuple(f"{genitive} {form}" for form in forms)
    english = f"{possessive_of(name)} {thing.english}"
    return NounPhrase(cases, english, english, gender=thing.gender)
