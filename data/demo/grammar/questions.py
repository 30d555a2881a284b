"""Questions and requests."""

from dataclasses import replace

from . import adjectives
from .chooser import Chooser
from .clauses import (Clause, GermanTense, Pair, Part, Role, question, sentence, statement)
from .english import Tense
from .frames import (Frame, KIN, TRANSITIVE, action, described, kin, name, person, scene, thing,
                     transitive)
from .german import Case, DIESER_ENDINGS
from .names import SURNAMES
from .noun_phrases import (DU, Determiner, FORMAL, IHR, NounPhrase, PRONOUNS, WHO, titled)
from .nouns import NOUNS
from .relations import SEIN, liking, predicate
from .aspects import modal_clause
from .statements import goal, journey
from .verbs import BY_NAME, KOENNEN, SOLLEN

CALLED = ("anrufen", "besuchen", "einladen", "abholen", "kennen", "lieben")


def asked_person(chooser: Chooser) -> NounPhrase:
    """Like any subject, and often the person spoken to: du, ihr, Sie."""
    if chooser.chance(0.4):
        return chooser.pick((DU, IHR, FORMAL))
    while True:
        subject = person(chooser)
        if subject.person != 1:
            return subject


def asked_action(chooser: Chooser, kinds: str = "nhpf") -> Clause:
    """Nobody asks where someone never works."""
    while True:
        clause = action(chooser, asked_person(chooser), kinds=kinds, negation=0.0)
        if clause.part(Role.FREQUENCY) is None and not (clause.verb.stative and kinds == "p"):
            return clause


def yes_no(chooser: Chooser) -> Pair:
    subject = asked_person(chooser)
    kind = chooser.below(10)
    if kind < 5:
        clause = action(chooser, subject, negation=0.0)
    elif kind < 7:
        clause = modal_clause(chooser, subject)
        while clause.negated or clause.modal is SOLLEN:
            clause = modal_clause(chooser, subject)
    elif kind < 9:
        clause = journey(chooser, goal(chooser, subject))
    else:
        mood = chooser.pick(adjectives.MOODS)
        clause = Clause(subject, SEIN, (predicate(mood.german, mood.english),))
    return sentence(question(clause), "?")


def liking_question(chooser: Chooser) -> Pair:
    return liking(chooser, ask=True)


def who(chooser: Chooser) -> Pair:
    """The question word is the subject: no inversion in either language."""
    return sentence(statement(action(chooser, WHO, negation=0.0)), "?")


def what(chooser: Chooser) -> Pair:
    """Was for things, wen for people: the object is asked for."""
    while True:
        clause = transitive(chooser, asked_person(chooser), negation=0.0)
        if clause.part(Role.FREQUENCY):
            continue
        frame = next(frame for frame in TRANSITIVE if frame.verb == clause.verb.full_infinitive())
        if frame.verb in CALLED and "sights" not in frame.objects or is_thing(frame):
            break
    asked = Pair("wen", "who") if frame.verb in CALLED else Pair("was", "what")
    return sentence(question(clause.without(Role.OBJECT), asked), "?")


def is_thing(frame: Frame) -> bool:
    return not set(frame.objects) & set(KIN + ("men", "animals", "male_jobs"))


def where(chooser: Chooser) -> Pair:
    while True:
        clause = asked_action(chooser)
        if clause.part(Role.PLACE):
            break
    return sentence(question(clause.without(Role.PLACE), Pair("wo", "where")), "?")


def when_why(chooser: Chooser) -> Pair:
    """wann only in the past and the future, where the tense does not depend on an adverb."""
    if chooser.chance(0.5):
        clause = action(chooser, asked_person(chooser), negation=0.15)
        return sentence(question(clause, Pair("warum", "why")), "?")
    clause = asked_action(chooser, "p").without(Role.TIME)
    if chooser.chance(0.4):
        clause = replace(clause, tense=GermanTense.FUTURE, english_tense=Tense.FUTURE)
    return sentence(question(clause, Pair("wann", "when")), "?")


def where_to(chooser: Chooser) -> Pair:
    subject = asked_person(chooser)
    if chooser.chance(0.25):
        clause = Clause(subject, BY_NAME["kommen"], (Part(Role.GOAL, "", "from"),))
        return sentence(question(clause, Pair("woher", "where")), "?")
    while True:
        clause = goal(chooser, subject).without(Role.GOAL)
        if clause.verb.full_infinitive() != "zurückkommen":
            break
    clause = journey(chooser, clause)
    if clause.part(Role.FREQUENCY):
        return where_to(chooser)
    return sentence(question(clause, Pair("wohin", "where")), "?")


def how_many(chooser: Chooser) -> Pair:
    """Wie viele Äpfel, welchen Mantel: the object with its question word comes first."""
    subject = asked_person(chooser)
    verb, groups = chooser.pick((
        ("kaufen", ("food", "goods", "clothes")), ("lesen", ("texts",)), ("essen", ("food",)),
        ("suchen", ("belongings",)), ("verkaufen", ("goods",)), ("brauchen", ("goods",)),
        ("reparieren", ("repairable",))))
    moment = scene(chooser, BY_NAME[verb], subject, "np")
    noun = chooser.pick(NOUNS[chooser.pick(groups)])
    clause = Clause(subject, BY_NAME[verb], moment.parts, moment.tense, moment.english_tense)
    if chooser.chance(0.5):
        asked = Pair(f"wie viele {noun.plural}", f"how many {noun.english_plural}")
    else:
        ending = DIESER_ENDINGS[noun.gender][Case.ACC.value]
        asked = Pair(f"welch{ending} {noun.german}", f"which {noun.english}")
    return sentence(question(clause, asked), "?")


def whom(chooser: Chooser) -> Pair:
    """Wem: the dative is asked for."""
    subject = asked_person(chooser)
    if chooser.chance(0.5):
        verb = BY_NAME[chooser.pick(("helfen", "danken", "antworten"))]
        moment = scene(chooser, verb, subject, "npf")
        clause = Clause(subject, verb, moment.parts, moment.tense, moment.english_tense)
        return sentence(question(clause, Pair("wem", "who")), "?")
    owned = described(chooser, chooser.pick(("goods", "belongings", "clothes", "animals")),
                      chooser.pick((Determiner.DEFINITE, Determiner.THIS)),
                      plural=chooser.chance(0.3))
    return sentence(question(Clause(owned, BY_NAME["gehören"]), Pair("wem", "who")), "?")


def how(chooser: Chooser) -> Pair:
    """How old someone is, what someone is called, what something costs, where it lies."""
    kind = chooser.below(4)
    someone = kin(chooser) if chooser.chance(0.7) else chooser.pick((DU, FORMAL))
    if kind == 0:
        return sentence(question(Clause(someone, SEIN), Pair("wie alt", "how old")), "?")
    if kind == 1:
        return sentence(question(Clause(someone, BY_NAME["heißen"]), Pair("wie", "what")), "?")
    if kind == 2:
        item = described(chooser, chooser.pick(("goods", "clothes", "furniture")), Determiner.THIS
                         if chooser.chance(0.4) else Determiner.DEFINITE,
                         plural=chooser.chance(0.3))
        return sentence(question(Clause(item, BY_NAME["kosten"]),
                                 Pair("wie viel", "how much")), "?")
    item = described(chooser, "belongings", Determiner.POSSESSIVE, plural=chooser.chance(0.25),
                     owner=chooser.pick(PRONOUNS[:2]).owner)
    return sentence(question(Clause(item, SEIN), Pair("wo", "where")), "?")


# --- requests -------------------------------------------------------------------------------

# infinitive, du, object groups, shape of the object
REQUESTS = (
    ("öffnen", "öffne", ("openings",), "known"), ("schließen", "schließ", ("openings",), "known"),
    ("lesen", "lies", ("texts",), "known"), ("putzen", "putz", ("cleaned",), "known"),
    ("aufräumen", "räum", ("rooms",), "known"), ("anziehen", "zieh", ("worn",), "known"),
    ("ausmachen", "mach", ("machines",), "known"), ("anmachen", "mach", ("machines",), "known"),
    ("kaufen", "kauf", ("food", "goods"), "new"), ("anrufen", "ruf", KIN, "own"),
    ("besuchen", "besuch", KIN, "own"), ("reparieren", "reparier", ("repairable",), "known"),
)


def request(chooser: Chooser) -> Pair:
    """Mach bitte die Lampe aus! To one, to several, to a stranger."""
    infinitive, to_one, groups, how_shaped = chooser.pick(REQUESTS)
    verb = BY_NAME[infinitive]
    phrase = thing(chooser, chooser.pick(groups), how_shaped, DU)
    address = chooser.pick((to_one, verb.finite(2, True), f"{verb.infinitive} Sie"))
    if "dein" in phrase.german(Case.NOM) and address != to_one:
        address = to_one
    words = [address, "bitte", phrase.german(Case.ACC), verb.prefix]
    german = " ".join(word for word in words if word)
    return sentence(Pair(german, f"please {verb.english} {phrase.english_object}"), "!")


def suggestion(chooser: Chooser) -> Pair:
    """Can you help me, may I ..., politely."""
    whom_german, whom_english = chooser.pick((("mir", "me"), ("uns", "us"), ("ihm", "him"),
                                              ("ihr", "her"), ("ihnen", "them")))
    subject = chooser.pick((DU, IHR, FORMAL))
    other = name(chooser)
    if chooser.chance(0.5):
        part = Part(Role.PRONOUN, whom_german, whom_english)
    else:
        part = Part(Role.OBJECT, other.german(Case.DAT), other.english_object)
    clause = Clause(subject, BY_NAME["helfen"], (part,), modal=KOENNEN)
    return sentence(question(clause), "?")


GREETINGS = (("Guten Morgen", "Good morning"), ("Guten Tag", "Good afternoon"),
             ("Guten Abend", "Good evening"), ("Gute Nacht", "Good night"),
             ("Auf Wiedersehen", "Goodbye"), ("Herzlich willkommen", "Welcome"))


def greeting(chooser: Chooser) -> Pair:
    if chooser.chance(0.5):
        hello, english_hello = chooser.pick(GREETINGS)
        whom_phrase = titled(chooser.pick(SURNAMES), chooser.pick("mf")) if chooser.chance(0.6) \
            else name(chooser)
        return sentence(Pair(f"{hello}, {whom_phrase.german(Case.NOM)}",
                             f"{english_hello}, {whom_phrase.english}"), "!")
    thanked = described(chooser, chooser.pick(("gifts", "texts", "clothes")),
                        Determiner.DEFINITE, plural=chooser.chance(0.3))
    whom_phrase = name(chooser)
    return sentence(Pair(f"vielen Dank für {thanked.german(Case.ACC)}, {whom_phrase.english}",
                         f"thank you very much for {thanked.english}, {whom_phrase.english}"), "!")
