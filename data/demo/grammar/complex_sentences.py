"""Sentences of two clauses: dass, ob, quotations, relative clauses, um ... zu, und, aber."""

from dataclasses import replace
from typing import Tuple

from . import adjectives
from .chooser import Chooser
from .clauses import (Clause, NICHT, Pair, Part, Role, combine, english_statement, german_main,
                      infinitive, question, sentence, statement, subordinate)
from .english import Tense
from .frames import (KIN, PEOPLE, TRANSITIVE, action, described, direct_object, name, person, same,
                     scene, thing)
from .german import Case, RELATIVE
from .names import CITIES, MEN, WOMEN
from .noun_phrases import Determiner, ICH, NounPhrase, SIE, WIR, named, noun_phrase
from .nouns import NOUNS
from .places import PLACES
from .relations import quality_clause
from .aspects import modal_clause
from .statements import goal
from .verbs import BY_NAME, MUESSEN, WOLLEN


# --- reported clauses -------------------------------------------------------------------------

def reported(chooser: Chooser) -> Pair:
    """dass and ob."""
    first = chooser.pick((ICH, WIR, SIE, named(chooser.pick(WOMEN), "f"),
                          named(chooser.pick(MEN), "m")))
    while True:
        second = person(chooser)
        if second.person != first.person or second.person == 3 and not second.is_pronoun \
                and second.english != first.english:
            break
    whether = chooser.chance(0.35)
    verb = "wissen" if whether else chooser.pick(
        ("glauben", "hoffen", "wissen", "sagen") if first.person == 3 else
        ("glauben", "hoffen", "wissen"))
    main = Clause(first, BY_NAME[verb])
    if whether:
        main = replace(main.plus(NICHT), negated=True)
    kind = chooser.below(10)
    if kind < 6 or verb == "hoffen":
        inner = action(chooser, second, kinds="f" if verb == "hoffen" else "nhpf",
                       negation=0.0 if whether else 0.1)
    elif kind < 8:
        inner = modal_clause(chooser, second)
    else:
        mood = chooser.pick(adjectives.MOODS + adjectives.PERSON_TRAITS)
        inner = quality_clause(chooser, second, mood)
    link = (", ob ", " whether ") if whether else (", dass ", " that ")
    return sentence(combine(statement(main), link, subordinate(inner)))


def indirect_question(chooser: Chooser) -> Pair:
    """Ich weiß nicht, wo Anna wohnt; Weißt du, ...?"""
    second = person(chooser, pronouns=False)
    kind = chooser.below(4)
    if kind == 0:
        inner = Clause(second, BY_NAME["wohnen"])
        link = ("wo", "where")
    elif kind == 1:
        inner = replace(goal(chooser, second).without(Role.GOAL).without(Role.MANNER),
                        english_tense=Tense.PROGRESSIVE)
        if inner.verb.prefix:
            inner = replace(inner, verb=BY_NAME["gehen"])
        link = ("wohin", "where")
    elif kind == 2:
        inner = doing(chooser, second, "p")
        link = ("wann", "when")
    else:
        inner = action(chooser, second, kinds="np", negation=0.3)
        link = ("warum", "why")
    joined = (f", {link[0]} ", f" {link[1]} ")
    if chooser.chance(0.4):
        du = chooser.pick((True, False))
        opening = Pair("weißt du" if du else "wisst ihr", "do you know")
        return sentence(combine(opening, joined, subordinate(inner)), "?")
    first = chooser.pick((ICH, WIR))
    main = Clause(first, BY_NAME["wissen"], (NICHT,), negated=True)
    return sentence(combine(statement(main), joined, subordinate(inner)))


def quotation(chooser: Chooser) -> Pair:
    """German opens low and closes high; the verb comes before the speaker in a question."""
    speaker = name(chooser)
    if chooser.chance(0.5):
        inner = chooser.pick((ICH, WIR))
        clause = action(chooser, inner, negation=0.15) if chooser.chance(0.6) else \
            modal_clause(chooser, inner)
        said = sentence(statement(clause), "")
        return Pair(f"„{said.german}“, sagt {speaker.english}.",
                    f"“{said.english},” says {speaker.english}.")
    clause = action(chooser, person(chooser, pronouns=False), negation=0.0)
    while speaker.english in sentence(statement(clause)).english:
        clause = action(chooser, person(chooser, pronouns=False), negation=0.0)
    asked = sentence(question(clause), "?")
    return Pair(f"„{asked.german}“, fragt {speaker.english}.",
                f"“{asked.english}” asks {speaker.english}.")


# --- relative clauses -------------------------------------------------------------------------

def relative_pronoun(head: NounPhrase, word: str) -> NounPhrase:
    cases = RELATIVE[head.table_gender]
    return NounPhrase(cases, word, word, plural=head.plural, gender=head.gender, owner=head.owner,
                      child=head.child)


THING_FRAMES = tuple(
    frame.verb for frame in TRANSITIVE
    if not set(frame.objects) & set(PEOPLE + KIN + ("animals",)))


def relative_subject(chooser: Chooser) -> Pair:
    """Der Mann, der im Garten arbeitet, ist mein Onkel."""
    head = described(chooser, chooser.pick(PEOPLE), Determiner.DEFINITE, chance=0.0,
                     plural=chooser.chance(0.3))
    which = relative_pronoun(head, "who")
    if chooser.chance(0.3):
        german, english = chooser.pick(CITIES)
        inner = Clause(which, BY_NAME["wohnen"], (Part(Role.GOAL, f"in {german}",
                                                       f"in {english}"),))
    else:
        while True:
            inner = action(chooser, which, negation=0.0)
            if inner.part(Role.OBJECT) is None or inner.verb.full_infinitive() in THING_FRAMES:
                break
    return around(chooser, head, subordinate(inner))


def around(chooser: Chooser, head: NounPhrase, inner: Pair) -> Pair:
    """Puts the relative clause into a main clause about its head."""
    if chooser.chance(0.6):
        mood = chooser.pick(adjectives.MOODS + (adjectives.FRIENDLY, adjectives.CLEVER))
        main = quality_clause(chooser, head, mood)
        finite, *rest = german_main(main)[len(head.german(Case.NOM)) + 1:].split(" ")
        german = f"{head.german(Case.NOM)}, {inner.german}, {finite} {' '.join(rest)}"
        english = english_statement(main).replace(head.english, f"{head.english} {inner.english}",
                                                  1)
        return sentence(Pair(german, english))
    knower = chooser.pick((ICH, WIR))
    main = statement(Clause(knower, BY_NAME["kennen"], (direct_object(head),)))
    return sentence(combine(main, (", ", " "), inner))


def relative_object(chooser: Chooser) -> Pair:
    """Das Buch, das ich gestern gekauft habe, ist interessant."""
    verb, groups = chooser.pick((
        ("lesen", ("texts",)), ("kaufen", ("goods", "clothes", "texts")),
        ("suchen", ("belongings",)), ("finden", ("belongings",)),
        ("reparieren", ("repairable",)), ("tragen", ("worn",)),
        ("mitbringen", ("gifts",)), ("verkaufen", ("goods",))))
    group = chooser.pick(groups)
    noun = chooser.pick(NOUNS[group])
    head = noun_phrase(noun, Determiner.DEFINITE, plural=chooser.chance(0.3))
    subject = person(chooser)
    while subject.child:
        subject = person(chooser)
    kinds = {"finden": "p", "suchen": "n", "kaufen": "p", "mitbringen": "p"}.get(verb, "np")
    moment = scene(chooser, BY_NAME[verb], subject, kinds)
    inner = subordinate(Clause(subject, BY_NAME[verb], moment.parts, moment.tense,
                               moment.english_tense))
    pronoun = RELATIVE[head.table_gender][Case.ACC.value]
    main = quality_clause(chooser, head, chooser.pick(adjectives.suited(noun, group)))
    german_rest = german_main(main)[len(head.german(Case.NOM)) + 1:]
    english = english_statement(main)[len(head.english) + 1:]
    return sentence(Pair(f"{head.german(Case.NOM)}, {pronoun} {inner.german}, {german_rest}",
                         f"{head.english} that {inner.english} {english}"))


def relative_with(chooser: Chooser) -> Pair:
    """Die Frau, mit der ich spreche: the preposition moves to the end in English."""
    head = described(chooser, chooser.pick(PEOPLE), Determiner.DEFINITE, chance=0.0,
                     plural=chooser.chance(0.3))
    verb, preposition, case = chooser.pick((
        ("sprechen", "mit", Case.DAT), ("warten", "auf", Case.ACC), ("denken", "an", Case.ACC),
        ("helfen", "", Case.DAT)))
    subject = person(chooser)
    moment = scene(chooser, BY_NAME[verb], subject, "np")
    inner = subordinate(Clause(subject, BY_NAME[verb], moment.parts, moment.tense,
                               moment.english_tense))
    which = f"{preposition} {RELATIVE[head.table_gender][case.value]}".strip()
    return around(chooser, head, Pair(f"{which} {inner.german}", f"who {inner.english}"))


# --- infinitives and pairs --------------------------------------------------------------------

# where to go in order to do what with what
ERRANDS = (
    ("supermarket", "kaufen", ("food", "staple")), ("market", "kaufen", ("food",)),
    ("library", "lesen", ("texts",)), ("city", "kaufen", ("clothes", "goods")),
    ("restaurant", "essen", ("staple", "food")), ("station", "abholen", KIN),
    ("airport", "abholen", KIN), ("park", "spielen", ()), ("lake", "schwimmen", ()),
    ("office", "arbeiten", ()), ("home", "schlafen", ()), ("home", "fernsehen", ()),
    ("city", "einkaufen", ()), ("hospital", "besuchen", KIN), ("park", "tanzen", ()),
)


def errand(chooser: Chooser) -> Pair:
    """um ... zu: the reason for going somewhere."""
    subject = person(chooser)
    place_name, verb, groups = chooser.pick(ERRANDS)
    place = PLACES[place_name]
    moment = scene(chooser, BY_NAME["gehen"], subject, "npf")
    main = Clause(subject, BY_NAME["gehen"],
                  moment.parts + (Part(Role.GOAL, place.towards, place.english_towards),),
                  moment.tense, moment.english_tense)
    parts: Tuple[Part, ...] = ()
    if groups:
        parts = (direct_object(thing(chooser, chooser.pick(groups), "new", subject)),)
    aim = infinitive(Clause(subject, BY_NAME[verb], parts))
    # The time must stay with the going, so it opens the English sentence as well.
    front = main.part(Role.TIME)
    return sentence(combine(statement(main, front), (", um ", " "), aim))


def attempt(chooser: Chooser) -> Pair:
    """versuchen, das Fahrrad zu reparieren."""
    subject = person(chooser)
    moment = scene(chooser, BY_NAME["versuchen"], subject, "npf")
    main = Clause(subject, BY_NAME["versuchen"], moment.parts, moment.tense, moment.english_tense)
    verb, groups = chooser.pick((
        ("reparieren", ("repairable",)), ("öffnen", ("openings",)), ("aufmachen", ("openings",)),
        ("zumachen", ("openings",)), ("verstehen", ("words",)), ("anmachen", ("machines",)),
        ("anrufen", KIN), ("verkaufen", ("goods",)), ("finden", ("belongings",))))
    phrase = thing(chooser, chooser.pick(groups), "known", subject)
    while same(phrase, subject):
        phrase = thing(chooser, chooser.pick(groups), "known", subject)
    aim = infinitive(Clause(subject, BY_NAME[verb], (direct_object(phrase),)))
    front = main.part(Role.TIME)
    return sentence(combine(statement(main, front), (", ", " "), aim))


def doing(chooser: Chooser, subject: NounPhrase, kinds: str) -> Clause:
    while True:
        clause = action(chooser, subject, kinds=kinds, negation=0.0).without(Role.TIME)
        if not clause.verb.stative:
            return clause


def two_actions(chooser: Chooser) -> Pair:
    """und and aber between two people."""
    first, second = name(chooser), name(chooser)
    if first.english == second.english:
        return two_actions(chooser)
    if chooser.chance(0.6):
        kind = chooser.pick("np")
        one, other = doing(chooser, first, kind), doing(chooser, second, kind)
        other = replace(other, tense=one.tense)
        return sentence(combine(statement(one), (" und ", " and "), statement(other)))
    one = doing(chooser, first, "n")
    modal, verb = chooser.pick(((MUESSEN, "arbeiten"), (MUESSEN, "einkaufen"),
                                (WOLLEN, "schlafen"), (WOLLEN, "fernsehen"), (WOLLEN, "tanzen")))
    other = Clause(second, BY_NAME[verb], modal=modal)
    return sentence(combine(statement(one), (", aber ", ", but "), statement(other)))
