"""German word forms: articles, adjective endings, noun cases, verb conjugation."""

from enum import Enum
from typing import Dict, Tuple


class Case(Enum):
    NOM = 0
    ACC = 1
    DAT = 2
    GEN = 3


# Rows are cases in the order above, columns the genders m, f, n and then the plural.
Table = Tuple[str, str, str, str]


def table(*rows: str) -> Dict[str, Table]:
    """Turns four rows of endings ('-' for none) into gender -> one ending a case."""
    columns = zip(*(row.split() for row in rows))
    return {
        gender: tuple("" if ending == "-" else ending for ending in column)
        for gender, column in zip("mfnp", columns)
    }


DEFINITE = table("der die das die", "den die das die", "dem der dem den", "des der des der")
EIN_ENDINGS = table("- e - e", "en e - e", "em er em en", "es er es er")
DIESER_ENDINGS = table("er e es e", "en e es e", "em er em en", "es er es er")
RELATIVE = table("der die das die", "den die das die", "dem der dem denen",
                 "dessen deren dessen deren")

WEAK = table("e e e en", "en e e en", "en en en en", "en en en en")
MIXED = table("er e es en", "en e es en", "en en en en", "en en en en")
STRONG = table("er e es e", "en e es e", "em er em en", "en er en er")


def ein_word(stem: str, case: Case, gender: str) -> str:
    """ein, kein and the possessives; 'euer' loses its second e before an ending."""
    ending = EIN_ENDINGS[gender][case.value]
    if stem == "euer" and ending:
        stem = "eur"
    return stem + ending


def noun_form(singular: str, plural: str, case: Case, gender: str, weak: bool) -> str:
    """The noun itself; gender 'p' asks for the plural. Weak nouns (der Junge, den Jungen) take
    their plural form in every case but the nominative."""
    if gender == "p":
        needs_n = case is Case.DAT and not plural.endswith(("n", "s"))
        return plural + "n" if needs_n else plural
    if weak and case is not Case.NOM:
        return plural
    if case is Case.GEN and gender in "mn":
        return singular + genitive_ending(singular)
    return singular


def genitive_ending(noun: str) -> str:
    """-es after one syllable (des Mannes), -s after more (des Vaters)."""
    syllables = sum(
        letter in "aeiouäöüy" and (at == 0 or noun[at - 1].lower() not in "aeiouäöüy")
        for at, letter in enumerate(noun.lower())
    )
    return "es" if syllables == 1 else "s"


def needs_e(stem: str) -> bool:
    """Stems like arbeit-, find-, öffn-, regn- take an e before -t and -st."""
    return stem.endswith(("t", "d", "ffn", "gn"))


def present(stem: str, person: int, plural: bool) -> str:
    """The regular present of ich, du, er and ihr; wir and sie use the infinitive, and verbs that
    change their vowel override du and er."""
    if person == 1:
        return stem + "e"
    if person == 2 and not plural:
        if needs_e(stem):
            return stem + "est"
        return stem + ("t" if stem.endswith(("s", "ß", "z")) else "st")
    return stem + ("et" if needs_e(stem) else "t")


def preterite(first_person: str, person: int, plural: bool) -> str:
    """Only ich, er, wir and sie: 'du lasest' is no everyday German, so no pattern asks for it."""
    assert person != 2, "the corpus uses the perfect with du and ihr"
    if not plural:
        return first_person
    return first_person + ("n" if first_person.endswith("e") else "en")
