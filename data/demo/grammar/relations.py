"""What things and people are: qualities, comparisons, jobs, positions, owners, likings."""

from dataclasses import replace

from . import adjectives, numbers
from .adjectives import Adjective
from .chooser import Chooser
from .clauses import (Clause, GermanTense, NICHT, Pair, Part, Role, english_question,
                      english_statement, german_main, sentence, statement)
from .english import Tense
from .frames import (described, direct_object, kin, name, person, scene, thing)
from .german import Case
from .names import CITIES, MEN, WOMEN
from .noun_phrases import (Determiner, ER, ES, NounPhrase, OWNERS, PRONOUNS, SIE, named,
                           noun_phrase, owned_by, owned_by_name)
from .nouns import NOUNS
from .places import PLACES, POSITIONS
from .statements import spoken
from .times import past_time
from .verbs import BY_NAME, MOECHTEN, WOLLEN, Verb

SEIN = BY_NAME["sein"]
LIKE = Verb("mögen", "like", stative=True)
DEGREES = (("", ""), ("", ""), ("sehr ", "very "), ("zu ", "too "))
DESCRIBED = ("texts", "clothes", "goods", "belongings", "rooms", "buildings", "sights",
             "vehicles", "furniture", "events", "words")
OPPOSITES = (
    (adjectives.NEW, adjectives.OLD), (adjectives.BIG, adjectives.SMALL),
    (adjectives.EXPENSIVE, adjectives.CHEAP), (adjectives.LONG, adjectives.SHORT),
    (adjectives.INTERESTING, adjectives.BORING), (adjectives.HAPPY, adjectives.SAD),
    (adjectives.RICH, adjectives.POOR), (adjectives.YOUNG, adjectives.OLD),
)


def predicate(german: str, english: str) -> Part:
    return Part(Role.ABOUT, german, english)


def quality_clause(chooser: Chooser, subject: NounPhrase, adjective: Adjective) -> Clause:
    """Something is, was or is not so."""
    degree, english_degree = chooser.pick(DEGREES)
    if adjective in adjectives.COLOURS or degree == "zu " and adjective not in adjectives.TOO_MUCH:
        degree = english_degree = ""
    clause = Clause(subject, SEIN, (predicate(degree + adjective.german,
                                              english_degree + adjective.english),))
    if subject.person != 2 and chooser.chance(0.3):
        clause = replace(clause, tense=GermanTense.PRETERITE, english_tense=Tense.PAST)
    if not degree and chooser.chance(0.3):
        clause = replace(clause.plus(NICHT), negated=True)
    return clause


def person_quality(chooser: Chooser) -> Pair:
    subject = person(chooser, bare=True)
    mood = chooser.chance(0.6)
    adjective = chooser.pick(adjectives.MOODS if mood else adjectives.PERSON_TRAITS)
    clause = quality_clause(chooser, subject, adjective)
    if mood and clause.tense is GermanTense.PRETERITE and chooser.chance(0.6):
        clause = clause.plus(past_time(chooser))
    return spoken(chooser, clause)


def thing_quality(chooser: Chooser) -> Pair:
    group = chooser.pick(DESCRIBED)
    noun = chooser.pick(NOUNS[group])
    kind = chooser.below(10)
    if kind < 3 and group not in ("sights", "buildings", "events", "words", "vehicles"):
        owner = kin(chooser) if chooser.chance(0.5) else noun_phrase(
            chooser.pick(NOUNS[chooser.pick(("male_jobs", "female_jobs"))]), Determiner.DEFINITE)
        subject = owned_by(owner, noun) if chooser.chance(0.6) else owned_by_name(
            chooser.pick(WOMEN + MEN), noun)
    else:
        determiner = Determiner.THIS if kind < 5 else Determiner.DEFINITE
        subject = noun_phrase(noun, determiner, plural=chooser.chance(0.3))
    adjective = chooser.pick(adjectives.suited(noun, group))
    return sentence(statement(quality_clause(chooser, subject, adjective)))


def opposite(chooser: Chooser) -> Pair:
    """nicht neu, sondern alt."""
    group = chooser.pick(DESCRIBED)
    noun = chooser.pick(NOUNS[group])
    fitting = [pair for pair in OPPOSITES if set(pair) <= set(adjectives.suited(noun, group))]
    subject = noun_phrase(noun, Determiner.DEFINITE, plural=chooser.chance(0.3))
    if not fitting:
        subject = person(chooser, bare=True)
        fitting = OPPOSITES[-3:]
    first, second = chooser.pick(fitting)
    if chooser.chance(0.5):
        first, second = second, first
    part = predicate(f"nicht {first.german}, sondern {second.german}",
                     f"{first.english} but {second.english}")
    return sentence(statement(Clause(subject, SEIN, (part,), negated=True)))


def comparison(chooser: Chooser) -> Pair:
    """älter als, genauso alt wie, drei Jahre älter als."""
    if chooser.chance(0.5):
        first, second = person(chooser, bare=True), person(chooser, bare=True)
        adjective = chooser.pick(adjectives.PERSON_TRAITS)
    else:
        group = chooser.pick(("goods", "texts", "clothes", "rooms", "sights", "buildings"))
        first, second = (described(chooser, group, Determiner.DEFINITE, chance=0.0)
                         for _ in range(2))
        comparable = [each for each in adjectives.BY_GROUP[group] if each.comparative]
        adjective = chooser.pick(comparable)
    # 'als sie' would be than her or than them.
    if first.english == second.english or first.person == second.person != 3 \
            or first.is_pronoun and second.is_pronoun or second.german(Case.NOM) == "sie":
        return comparison(chooser)
    other, english_other = second.german(Case.NOM), second.english_object
    german, english = adjective.comparative, adjective.english_comparative
    kind = chooser.below(10)
    negated = False
    if kind < 2:
        german, english = f"genauso {adjective.german} wie", f"just as {adjective.english} as"
    elif kind < 4:
        german, english = f"nicht so {adjective.german} wie", f"as {adjective.english} as"
        negated = True
    else:
        if adjective in (adjectives.OLD, adjectives.YOUNG) and chooser.chance(0.5):
            years = chooser.between(2, 30)
            german = f"{numbers.german(years)} Jahre {german}"
            english = f"{numbers.english(years)} years {english}"
        german, english = f"{german} als", f"{english} than"
    part = predicate(f"{german} {other}", f"{english} {english_other}")
    return sentence(statement(Clause(first, SEIN, (part,), negated=negated)))


def job(chooser: Chooser) -> Pair:
    """Sie ist Ärztin: no article in German."""
    gender = chooser.pick("mf")
    noun = chooser.pick(NOUNS["male_jobs" if gender == "m" else "female_jobs"])
    if chooser.chance(0.4):
        subject = named(chooser.pick(MEN if gender == "m" else WOMEN), gender)
    elif chooser.chance(0.5):
        subject = noun_phrase(chooser.pick(NOUNS["male_kin" if gender == "m" else "female_kin"]),
                              Determiner.POSSESSIVE, owner=chooser.pick(OWNERS))
    else:
        subject = ER if gender == "m" else SIE
    english = noun_phrase(noun, Determiner.INDEFINITE).english
    clause = Clause(subject, SEIN, (predicate(noun.german, english),))
    kind = chooser.below(10)
    if kind < 2:
        clause = replace(clause, tense=GermanTense.PRETERITE, english_tense=Tense.PAST)
    elif kind < 5:
        wish = chooser.pick((MOECHTEN, WOLLEN))
        clause = replace(clause, verb=BY_NAME["werden"], modal=wish)
    elif kind < 7:
        clause = replace(clause, parts=(predicate(f"kein {noun.german}" if gender == "m"
                                                  else f"keine {noun.german}", english),),
                         negated=True)
    return sentence(statement(clause))


# --- positions ------------------------------------------------------------------------------

def position(chooser: Chooser, case: Case) -> Pair:
    """on the table: dative for where, accusative for where to."""
    noun = chooser.pick(NOUNS["furniture"])
    positions = POSITIONS + ((("in", "in"),) if noun.german == "Schrank" else ())
    preposition, english = chooser.pick(positions)
    base = noun_phrase(noun, Determiner.DEFINITE)
    contracted = f"{preposition} {base.german(case)}".replace("in dem ", "im ")
    return Pair(contracted, f"{english} {base.english}")


def lying(chooser: Chooser) -> Pair:
    """Der Schlüssel liegt auf dem Tisch; Auf dem Tisch liegen drei Bücher (there are)."""
    group = chooser.pick(("belongings", "papers"))
    place = position(chooser, Case.DAT)
    past = chooser.chance(0.3)
    tenses = (GermanTense.PRETERITE, Tense.PAST) if past else (GermanTense.PRESENT, Tense.PRESENT)
    part = Part(Role.GOAL, place.german, place.english)
    if chooser.chance(0.5):
        subject = described(chooser, group, Determiner.DEFINITE, plural=chooser.chance(0.3))
        clause = Clause(subject, BY_NAME["liegen"], (part,), *tenses)
        if chooser.chance(0.2):
            clause = replace(clause.plus(NICHT), negated=True)
        return sentence(statement(clause))
    count = chooser.between(2, 12) if chooser.chance(0.5) else 0
    determiner = Determiner.NONE if count else Determiner.INDEFINITE
    subject = described(chooser, group, determiner, count=count, chance=0.25)
    german = statement(Clause(subject, BY_NAME["liegen"], (part,), *tenses), part).german
    there = {(False, False): "is", (True, False): "are", (False, True): "was",
             (True, True): "were"}[subject.plural, past]
    return sentence(Pair(german, f"there {there} {subject.english} {place.english}"))


def putting(chooser: Chooser) -> Pair:
    subject = person(chooser)
    moment = scene(chooser, BY_NAME["legen"], subject, "npf")
    place = position(chooser, Case.ACC)
    moved = thing(chooser, chooser.pick(("belongings", "papers")), "own", subject)
    parts = moment.parts + (direct_object(moved), Part(Role.GOAL, place.german, place.english))
    return spoken(chooser, Clause(subject, BY_NAME["legen"], parts, moment.tense,
                                  moment.english_tense))


def there_is(chooser: Chooser) -> Pair:
    """Es gibt with an accusative."""
    in_city = chooser.chance(0.5)
    if in_city:
        german_city, city = chooser.pick(CITIES)
        place = Pair(f"in {german_city}", f"in {city}")
    else:
        found = PLACES[chooser.pick(("city", "village"))]
        place = Pair(found.where, found.english_where)
    group = chooser.pick(("buildings", "sights"))
    kind = chooser.below(4)
    if kind == 0:
        phrase = described(chooser, group, Determiner.INDEFINITE)
    elif kind == 1:
        many = chooser.between(2, 20 if in_city else 4)
        phrase = described(chooser, group, Determiner.NONE, count=many)
    elif kind == 2:
        bare = described(chooser, group, Determiner.NONE, plural=True, chance=0.0)
        phrase = replace(bare, cases=tuple("viele " + form for form in bare.cases),
                         english=f"many {bare.english}")
    else:
        phrase = described(chooser, group, Determiner.NEGATIVE, plural=chooser.chance(0.3))
        phrase = replace(phrase, english="no " + phrase.english.split(" ", 1)[1])
    there = "there are" if phrase.plural else "there is"
    accusative = phrase.german(Case.ACC)
    german = f"es gibt {place.german} {accusative}" if chooser.chance(0.4) \
        else f"{place.german} gibt es {accusative}"
    return sentence(Pair(german, f"{there} {phrase.english} {place.english}"))


# --- owners and likings -----------------------------------------------------------------------

def someone(chooser: Chooser) -> NounPhrase:
    """A person in the dative: a pronoun, a name, a relative."""
    kind = chooser.below(10)
    if kind < 5:
        return chooser.pick(PRONOUNS)
    return name(chooser) if kind < 8 else kin(chooser)


def belonging(chooser: Chooser) -> Pair:
    owner = someone(chooser)
    owned = described(chooser, chooser.pick(("goods", "belongings", "clothes", "animals")),
                      Determiner.DEFINITE, plural=chooser.chance(0.25))
    role = Role.PRONOUN if owner.is_pronoun else Role.ABOUT
    clause = Clause(owned, BY_NAME["gehören"],
                    (Part(role, owner.german(Case.DAT), owner.english_object),))
    if chooser.chance(0.2):
        clause = replace(clause.plus(NICHT), negated=True)
        if not owner.is_pronoun:
            nicht_last = Part(Role.ALREADY, owner.german(Case.DAT), owner.english_object)
            clause = replace(clause, parts=(nicht_last, NICHT))
    return sentence(statement(clause))


def liking(chooser: Chooser, ask: bool = False) -> Pair:
    """Das Kleid gefällt mir: what German makes the subject is the English object."""
    who = someone(chooser)
    while ask and who.person == 1:
        who = someone(chooser)
    liked = described(chooser, chooser.pick(("clothes", "texts", "sights", "goods", "gifts")),
                      chooser.pick((Determiner.DEFINITE, Determiner.DEFINITE, Determiner.THIS)),
                      plural=chooser.chance(0.25))
    past = not ask and chooser.chance(0.25)
    tenses = (GermanTense.PRETERITE, Tense.PAST) if past else (GermanTense.PRESENT, Tense.PRESENT)
    negated = not ask and chooser.chance(0.2)
    dative = Part(Role.PRONOUN, who.german(Case.DAT), "")
    german_clause = Clause(liked, BY_NAME["gefallen"], (dative,) + ((NICHT,) if negated else ()),
                           *tenses)
    english_clause = Clause(who, LIKE, (direct_object(liked),), *tenses, negated=negated)
    return likes(german_clause, english_clause, dative, ask)


def likes(german_clause: Clause, english_clause: Clause, dative: Part, ask: bool) -> Pair:
    if ask:
        words = [german_clause.verb.finite(3, german_clause.subject.plural), dative.german,
                 german_clause.subject.german(Case.NOM)]
        return sentence(Pair(" ".join(words), english_question(english_clause)), "?")
    return sentence(Pair(german_main(german_clause), english_statement(english_clause)))


def weather(chooser: Chooser) -> Pair:
    """Es regnet in Hamburg."""
    verb = BY_NAME[chooser.pick(("regnen", "schneien"))]
    german, english = chooser.pick(CITIES)
    moment = scene(chooser, verb, ES)
    place = Part(Role.PLACE, f"in {german}", f"in {english}")
    parts = moment.parts + (place,)
    if chooser.chance(0.35):
        parts = (place,)
        moment = replace(moment, tense=GermanTense.PRESENT, english_tense=Tense.PROGRESSIVE)
    return spoken(chooser, Clause(ES, verb, parts, moment.tense, moment.english_tense))


