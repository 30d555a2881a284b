"""Modals, schon and noch nicht, seit: where the two languages differ in tense."""

from dataclasses import replace

from .chooser import Chooser
from .clauses import Clause, GermanTense, NICHT, Pair, Part, Role, sentence, statement
from .english import Tense
from .frames import action, person, scene, transitive
from .names import CITIES, LANGUAGES
from .noun_phrases import NounPhrase
from .statements import GAMES, goal, spoken
from .times import WEEKDAYS, span, time_part
from .verbs import BY_NAME, DUERFEN, KOENNEN, MOECHTEN, MUESSEN, SOLLEN, WOLLEN

# What nobody plans, wants or is allowed to do.
UNWILLED = ("verlieren", "vergessen", "finden", "einschlafen", "aufwachen", "weinen", "lachen",
            "brauchen", "sehen")


def modal_clause(chooser: Chooser, subject: NounPhrase) -> Clause:
    """A modal in the present looks ahead, in the preterite back."""
    modal = chooser.weighted(((4, KOENNEN), (4, MUESSEN), (3, WOLLEN), (2, DUERFEN), (2, SOLLEN),
                              (3, MOECHTEN)))
    past = bool(modal.first_past) and subject.person != 2 and chooser.chance(0.35)
    while True:
        clause = action(chooser, subject, kinds="p" if past else "f", negation=0.2)
        if clause.verb.full_infinitive() not in UNWILLED:
            break
    if chooser.chance(0.4):
        clause = clause.without(Role.TIME)
    return replace(clause, modal=modal,
                   tense=GermanTense.PRETERITE if past else GermanTense.PRESENT)


def modal(chooser: Chooser) -> Pair:
    return spoken(chooser, modal_clause(chooser, person(chooser)))


def modal_motion(chooser: Chooser) -> Pair:
    chosen = chooser.pick((KOENNEN, MUESSEN, WOLLEN, MOECHTEN))
    clause = goal(chooser, person(chooser))
    moment = scene(chooser, clause.verb, clause.subject, "f")
    clause = replace(clause.plus(*moment.parts), modal=chosen)
    if chooser.chance(0.2):
        clause = replace(clause.plus(NICHT), negated=True)
    return spoken(chooser, clause)


def already(chooser: Chooser) -> Pair:
    """schon and noch nicht make the German perfect an English one."""
    while True:
        clause = transitive(chooser, person(chooser), kinds="p", negation=0.0)
        definite = clause.part(Role.OBJECT).german.split()[0]
        known = definite in ("der", "die", "das", "den") or definite[:3] in ("mei", "dei", "sei")
        if known and not clause.verb.stative and not clause.part(Role.PLACE) \
                and clause.verb.full_infinitive() not in ("verlieren", "vergessen"):
            break
    clause = replace(clause.without(Role.TIME), tense=GermanTense.PERFECT,
                     english_tense=Tense.PERFECT)
    if chooser.chance(0.5):
        schon = (Part(Role.ALREADY, "schon", ""), Part(Role.FREQUENCY, "", "already"))
        return sentence(statement(clause.plus(*schon)))
    not_yet = Part(Role.ALREADY, "noch nicht", "yet")
    return sentence(statement(replace(clause.plus(not_yet), negated=True)))


def duration(chooser: Chooser) -> Pair:
    """seit with the German present is the English present perfect."""
    subject = person(chooser)
    while subject.child:
        subject = person(chooser)
    if chooser.chance(0.7):
        german, english = span(chooser, far=True)
        time = time_part((f"seit {german}", f"for {english}"))
    elif chooser.chance(0.5):
        year = chooser.between(1980, 2024)
        time = time_part((f"seit {year}", f"since {year}"))
    else:
        day, english_day = chooser.pick(WEEKDAYS)
        time = time_part((f"seit {day}", f"since {english_day}"))
    verb, tense, words = chooser.pick((
        ("wohnen", Tense.PERFECT, CITIES), ("lernen", Tense.PERFECT_PROGRESSIVE, LANGUAGES),
        ("spielen", Tense.PERFECT_PROGRESSIVE, GAMES[:5]),
        ("arbeiten", Tense.PERFECT_PROGRESSIVE, CITIES)))
    german, english = chooser.pick(words)
    if words is CITIES:
        german, english = f"in {german}", f"in {english}"
    return spoken(chooser, Clause(subject, BY_NAME[verb],
                                  (time, Part(Role.GOAL, german, english)), english_tense=tense))
