"""Why, although, if and when: two clauses that belong together."""

from dataclasses import replace
from typing import Tuple

from . import adjectives
from .adjectives import Adjective
from .chooser import Chooser
from .clauses import (Clause, GermanTense, NICHT, Pair, Part, Role, combine, english_statement,
                      german_question, sentence, statement, subordinate)
from .english import Tense
from .frames import action, direct_object, kin, person, same, thing
from .names import CITIES
from .noun_phrases import ES, NounPhrase, pronoun_for
from .places import PLACES
from .relations import SEIN, predicate
from .statements import GAMES
from .verbs import BY_NAME, MUESSEN

PRESENT = (GermanTense.PRESENT, Tense.PRESENT)
PROGRESSIVE = (GermanTense.PRESENT, Tense.PROGRESSIVE)
PAST = (GermanTense.PRETERITE, Tense.PAST)
# What one does or leaves depending on mood and weather.
OUTINGS = ("cinema", "theatre", "museum", "park", "beach", "restaurant", "lake", "library")
CHORES = ("besuchen", "reparieren", "waschen", "aufräumen", "einladen", "abholen", "lesen",
          "malen", "kaufen", "anrufen", "fernsehen", "einkaufen", "tanzen", "singen")


def subject_and_pronoun(chooser: Chooser) -> Tuple[NounPhrase, NounPhrase]:
    """A subject and what takes it up in the second clause."""
    while True:
        subject = person(chooser, bare=True)
        again = pronoun_for(subject)
        if again is not None:
            return subject, again


def leisure(chooser: Chooser, subject: NounPhrase) -> Clause:
    """Something pleasant that 'nicht' can deny."""
    kind = chooser.below(6)
    if kind == 0:
        return Clause(subject, BY_NAME["spielen"], (Part(Role.GOAL, *chooser.pick(GAMES)),))
    if kind == 1:
        place = PLACES[chooser.pick(OUTINGS)]
        return Clause(subject, BY_NAME["gehen"],
                      (Part(Role.GOAL, place.towards, place.english_towards),))
    if kind == 2:
        return Clause(subject, BY_NAME["besuchen"], (visited(chooser, subject),))
    if kind == 3:
        return Clause(subject, BY_NAME["schwimmen"], (Part(Role.GOAL, "im See", "in the lake"),))
    return Clause(subject, BY_NAME[chooser.pick(("einkaufen", "fernsehen", "tanzen", "singen"))])


def visited(chooser: Chooser, subject: NounPhrase) -> Part:
    while True:
        phrase = kin(chooser, subject.owner)
        if not same(phrase, subject):
            return direct_object(phrase)


def denied(clause: Clause) -> Clause:
    return replace(clause.plus(NICHT), negated=True)


def in_tense(clause: Clause, tenses: Tuple[GermanTense, Tense]) -> Clause:
    return replace(clause, tense=tenses[0], english_tense=tenses[1])


def feeling(chooser: Chooser, subject: NounPhrase, adjective: Adjective) -> Clause:
    degree, english_degree = chooser.pick((("", ""), ("sehr ", "very ")))
    return Clause(subject, SEIN, (predicate(degree + adjective.german,
                                            english_degree + adjective.english),))


def lacking(subject: NounPhrase, german: str, english: str) -> Clause:
    return Clause(subject, BY_NAME["haben"], (Part(Role.OBJECT, german, english),), negated=True)


def obstacle(chooser: Chooser, subject: NounPhrase, past: bool) -> Clause:
    """What keeps people from doing things: moods, work, no time."""
    tenses = PAST if past else PRESENT
    kind = chooser.below(4)
    if kind == 0:
        return in_tense(lacking(subject, "keine Zeit", "any time"), tenses)
    if kind == 1:
        return in_tense(Clause(subject, BY_NAME["arbeiten"], modal=MUESSEN), tenses)
    mood = chooser.pick((adjectives.TIRED, adjectives.ILL, adjectives.SAD))
    return in_tense(feeling(chooser, subject, mood), tenses)


def weather(chooser: Chooser, past: bool) -> Clause:
    kind = chooser.below(3)
    if kind == 2:
        word = chooser.pick((adjectives.COLD, adjectives.HOT, adjectives.DARK))
        return in_tense(Clause(ES, SEIN, (predicate(word.german, word.english),)),
                        PAST if past else PRESENT)
    verb = BY_NAME[("regnen", "schneien")[kind]]
    return in_tense(Clause(ES, verb), PAST if past else PROGRESSIVE)


def staying_home(subject: NounPhrase) -> Clause:
    return Clause(subject, BY_NAME["bleiben"], (Part(Role.GOAL, "zu Hause", "at home"),))


def cause(chooser: Chooser) -> Pair:
    """weil explains why something is not done, obwohl marvels that it is."""
    subject, again = subject_and_pronoun(chooser)
    past = again.person != 2 and chooser.chance(0.4)
    because = chooser.chance(0.55)
    reason = weather(chooser, past) if chooser.chance(0.25) else obstacle(chooser, again, past)
    kind = chooser.below(10)
    if kind < 5:
        main = in_tense(leisure(chooser, subject), PAST if past else PROGRESSIVE)
        main = denied(main) if because else main
    elif kind < 7 and because:
        main = in_tense(staying_home(subject), PAST if past else PROGRESSIVE)
    else:
        main = action(chooser, subject, kinds="p" if past else "n", negation=float(because))
        while main.verb.full_infinitive() not in CHORES:
            main = action(chooser, subject, kinds="p" if past else "n", negation=float(because))
        if because and main.verb.full_infinitive() == "kaufen":
            money = lacking(again, "kein Geld", "any money")
            reason = in_tense(money, PAST if past else PRESENT)
    link = (", weil ", " because ") if because else (", obwohl ", " although ")
    return sentence(combine(statement(main), link, subordinate(reason)))


def consequence(chooser: Chooser, mood: Adjective, subject: NounPhrase) -> Clause:
    """What the hungry, the tired, the sad and the ill do about it."""
    if mood is adjectives.HUNGRY:
        if chooser.chance(0.3):
            place = PLACES[chooser.pick(("restaurant", "supermarket", "bakery"))]
            return Clause(subject, BY_NAME["gehen"],
                          (Part(Role.GOAL, place.towards, place.english_towards),))
        eaten = thing(chooser, chooser.pick(("food", "staple")), "new", subject)
        return Clause(subject, BY_NAME["essen"], (direct_object(eaten),))
    if mood is adjectives.SAD and chooser.chance(0.6):
        if chooser.chance(0.4):
            return Clause(subject, BY_NAME["hören"], (Part(Role.GOAL, "Musik", "music"),))
        return Clause(subject, BY_NAME["anrufen"], (visited(chooser, subject),))
    kind = chooser.below(4)
    if kind == 0:
        return staying_home(subject)
    if kind == 1:
        return denied(leisure(chooser, subject))
    if kind == 2:
        drink = chooser.pick((("Kaffee", "coffee"), ("Tee", "tea"), ("Wasser", "water")))
        return Clause(subject, BY_NAME["trinken"], (Part(Role.OBJECT, *drink),))
    return Clause(subject, BY_NAME["fernsehen"])


def condition(chooser: Chooser) -> Pair:
    """Wenn es regnet, bleibt sie zu Hause: simple present on both sides."""
    subject, again = subject_and_pronoun(chooser)
    # The clause that comes first has the full subject, whichever it is.
    if_first = chooser.chance(0.6)
    in_if, in_main = (subject, again) if if_first else (again, subject)
    kind = chooser.below(4)
    if kind == 0:
        inner = in_tense(weather(chooser, False), PRESENT)
        main = staying_home(subject) if chooser.chance(0.4) else denied(leisure(chooser, subject))
    elif kind == 1:
        inner = Clause(in_if, BY_NAME["haben"], (Part(Role.OBJECT, "Zeit", "time"),))
        main = leisure(chooser, in_main)
    elif kind == 2 and chooser.chance(0.5):
        inner = obstacle(chooser, in_if, False)
        main = denied(leisure(chooser, in_main))
    else:
        mood = chooser.pick((adjectives.HUNGRY, adjectives.TIRED, adjectives.SAD, adjectives.ILL))
        inner, main = feeling(chooser, in_if, mood), consequence(chooser, mood, in_main)
    if if_first:
        return sentence(Pair(f"wenn {subordinate(inner).german}, {german_question(main)}",
                             f"if {subordinate(inner).english}, {english_statement(main)}"))
    return sentence(combine(statement(main), (", wenn ", " if "), subordinate(inner)))


def once(chooser: Chooser) -> Pair:
    """Als sie jung war, ging sie oft ins Kino."""
    while True:
        subject, again = subject_and_pronoun(chooser)
        if subject.person != 2 and not subject.child:
            break
    if chooser.chance(0.5):
        word = chooser.pick((adjectives.YOUNG, adjectives.ILL, adjectives.POOR, adjectives.RICH))
        inner = Clause(subject, SEIN, (predicate(word.german, word.english),))
    else:
        german, english = chooser.pick(CITIES)
        inner = Clause(subject, BY_NAME["wohnen"], (Part(Role.PLACE, f"in {german}",
                                                         f"in {english}"),))
    often = chooser.pick((("oft", "often"), ("nie", "never"), ("selten", "rarely"),
                          ("immer", "always"), ("manchmal", "sometimes")))
    main = leisure(chooser, again).plus(Part(Role.FREQUENCY, *often))
    inner, main = in_tense(inner, PAST), in_tense(main, PAST)
    return sentence(Pair(f"als {subordinate(inner).german}, {german_question(main)}",
                         f"when {subordinate(inner).english}, {english_statement(main)}"))
