"""Main clauses about what people do: actions, motion, giving, wanting."""

from dataclasses import replace

from .adjectives import suited
from .chooser import Chooser
from .clauses import Clause, NICHT, Pair, Part, Role, sentence, statement
from .english import Tense
from .frames import (ABOUT, JOBS, KIN, PEOPLE, REFLEXIVE, action, described, direct_object, kin,
                     name, person, reflexive, same, scene, thing, transitive)
from .german import Case
from .names import CITIES, COUNTRIES, LANGUAGES
from .noun_phrases import Determiner, NounPhrase, PRONOUNS, noun_phrase
from .nouns import BY_NAME as BY_NOUN
from .places import DESTINATIONS, PLACES
from .verbs import BY_NAME

GAMES = (("Fußball", "football"), ("Tennis", "tennis"), ("Schach", "chess"),
         ("Gitarre", "the guitar"), ("Klavier", "the piano"), ("Karten", "cards"))
HEARD = (("Musik", "music"), ("das Radio", "the radio"), ("die Nachrichten", "the news"))
RIDES = (("mit dem Zug", "by train"), ("mit dem Bus", "by bus"), ("mit dem Auto", "by car"),
         ("mit dem Fahrrad", "by bicycle"), ("mit dem Schiff", "by ship"))

def spoken(chooser: Chooser, clause: Clause) -> Pair:
    """The clause as a sentence, a time or place in front of the verb now and then."""
    front = None
    time, place = clause.part(Role.TIME), clause.part(Role.PLACE)
    if time and chooser.chance(0.4):
        front = time
    elif place and not clause.negated and chooser.chance(0.15):
        front = place
    return sentence(statement(clause, front))


def plain_action(chooser: Chooser) -> Pair:
    return spoken(chooser, action(chooser, person(chooser)))


def object_first(chooser: Chooser) -> Pair:
    """Den Brief schreibt Anna: the ending tells who does what, English keeps its order."""
    while True:
        clause = transitive(chooser, person(chooser), kinds="np")
        front = clause.part(Role.OBJECT)
        if front.german.startswith(("den ", "diesen ", "einen ")):
            return sentence(statement(clause, front, english_front=False))


def pastime(chooser: Chooser) -> Pair:
    """Games, music, languages: objects without an article."""
    subject = person(chooser)
    verb, words = chooser.pick((("spielen", GAMES), ("spielen", GAMES), ("hören", HEARD),
                                ("lernen", LANGUAGES)))
    moment = scene(chooser, BY_NAME[verb], subject)
    # These words behave like a verbal prefix, so 'nicht' goes before them and so does a place.
    clause = Clause(subject, BY_NAME[verb], moment.parts + (Part(Role.GOAL, *chooser.pick(words)),),
                    moment.tense, moment.english_tense)
    if moment.deniable and verb == "spielen" and chooser.chance(0.15):
        clause = replace(clause.plus(NICHT), negated=True)
    return spoken(chooser, clause)


def goal(chooser: Chooser, subject: NounPhrase) -> Clause:
    """Motion without a time: gehen, fahren, fliegen, reisen, laufen, zurückkommen."""
    verb = chooser.pick(("gehen", "gehen", "laufen", "fahren", "fahren", "fliegen", "reisen",
                         "zurückkommen"))
    parts = ()
    if verb in ("gehen", "laufen"):
        place = PLACES[chooser.pick(DESTINATIONS)]
        parts += (Part(Role.GOAL, place.towards, place.english_towards),)
    else:
        german, english = chooser.pick(COUNTRIES if verb == "reisen" or chooser.chance(0.2)
                                       else CITIES)
        away = verb == "zurückkommen"
        parts += (Part(Role.GOAL, f"{'aus' if away else 'nach'} {german}",
                       f"{'from' if away else 'to'} {english}"),)
    if verb == "fahren" and chooser.chance(0.7):
        parts += (Part(Role.MANNER, *chooser.pick(RIDES)),)
    return Clause(subject, BY_NAME[verb], parts)


def journey(chooser: Chooser, clause: Clause) -> Clause:
    """Gives the motion a time; nobody flies to Rome every morning."""
    near = clause.verb.full_infinitive() in ("gehen", "laufen")
    while True:
        moment = scene(chooser, clause.verb, clause.subject)
        if near or not (moment.habitual and moment.time):
            break
    return replace(clause.plus(*moment.parts), tense=moment.tense,
                   english_tense=moment.english_tense)


def motion(chooser: Chooser) -> Pair:
    clause = journey(chooser, goal(chooser, person(chooser)))
    if clause.english_tense is not Tense.PRESENT and chooser.chance(0.12):
        clause = replace(clause.plus(NICHT), negated=True)
    return spoken(chooser, clause)


def staying(chooser: Chooser) -> Pair:
    """Where people live, stay, come from or move to."""
    subject = person(chooser)
    german, english = chooser.pick(CITIES if chooser.chance(0.75) else COUNTRIES)
    kind = chooser.below(4)
    if kind == 0:
        return sentence(statement(Clause(subject, BY_NAME["kommen"],
                                         (Part(Role.GOAL, f"aus {german}", f"from {english}"),))))
    verb = ("wohnen", "bleiben", "umziehen")[kind - 1]
    while True:
        moment = scene(chooser, BY_NAME[verb], subject, ("np", "pf", "pf")[kind - 1])
        # One moves two years ago but does not stay two years ago.
        if verb == "umziehen" or not moment.time \
                or not moment.time.german.startswith(("vor ", "in ")):
            break
    into = verb == "umziehen"
    place = Part(Role.GOAL, f"{'nach' if into else 'in'} {german}",
                 f"{'to' if into else 'in'} {english}")
    clause = Clause(subject, BY_NAME[verb], moment.parts + (place,), moment.tense,
                    moment.english_tense)
    if moment.deniable and chooser.chance(0.15):
        clause = replace(clause.plus(NICHT), negated=True)
    return spoken(chooser, clause)


# --- someone to whom, someone about whom ------------------------------------------------------

GIVING = (("geben", ("gifts", "belongings", "texts")), ("schicken", ("texts", "gifts")),
          ("bringen", ("gifts", "drinks", "belongings")), ("zeigen", ("gifts", "sights", "texts")),
          ("erzählen", ("told",)), ("vorlesen", ("told",)), ("erklären", ("words",)))


def other_person(chooser: Chooser, subject: NounPhrase) -> NounPhrase:
    """Somebody who is not the subject: a relative, a name, or someone known by the job."""
    while True:
        kind = chooser.below(10)
        if kind < 4:
            found = kin(chooser, subject.owner)
        elif kind < 7:
            found = name(chooser)
        else:
            found = described(chooser, chooser.pick(PEOPLE), Determiner.DEFINITE, chance=0.2,
                              plural=chooser.chance(0.4))
        if found.english not in subject.english and not same(found, subject):
            return found


def recipient_pronoun(chooser: Chooser, subject: NounPhrase, case: Case) -> Part:
    """The dative pronouns are unambiguous: ihm is him, ihr is her, ihnen is them."""
    while True:
        found = chooser.pick(PRONOUNS)
        same = found.person == subject.person and found.person != 3
        if not same and not (case is Case.ACC and found.person == 3 and found.gender == "f"):
            return Part(Role.PRONOUN, found.german(case), found.english_object)


def giving(chooser: Chooser) -> Pair:
    subject = person(chooser)
    verb, groups = chooser.pick(GIVING)
    moment = scene(chooser, BY_NAME[verb], subject, "npf")
    given = thing(chooser, chooser.pick(groups), "known" if verb == "erklären" else "any", subject)
    if verb != "erklären" and chooser.chance(0.45):
        recipient = recipient_pronoun(chooser, subject, Case.DAT)
    else:
        whom = other_person(chooser, subject)
        recipient = Part(Role.DATIVE, whom.german(Case.DAT), f"to {whom.english_object}")
    return spoken(chooser, Clause(subject, BY_NAME[verb],
                                  moment.parts + (recipient, direct_object(given)),
                                  moment.tense, moment.english_tense))


def helping(chooser: Chooser) -> Pair:
    """Verbs whose only object is a dative in German."""
    subject = person(chooser)
    verb = BY_NAME[chooser.pick(("helfen", "helfen", "danken", "antworten"))]
    moment = scene(chooser, verb, subject, "nhpf" if verb.english == "help" else "npf")
    if chooser.chance(0.4):
        whom = recipient_pronoun(chooser, subject, Case.DAT)
    else:
        found = other_person(chooser, subject)
        whom = Part(Role.OBJECT, found.german(Case.DAT), found.english_object)
    clause = Clause(subject, verb, moment.parts + (whom,), moment.tense, moment.english_tense)
    if moment.deniable and chooser.chance(0.15):
        clause = replace(clause.plus(NICHT), negated=True)
    return spoken(chooser, clause)


def about_clause(chooser: Chooser, subject: NounPhrase, kinds: str) -> Clause:
    """Verbs with a fixed preposition, half of them reflexive."""
    is_reflexive = chooser.chance(0.5)
    verb_name, preposition, case, groups = chooser.pick(REFLEXIVE if is_reflexive else ABOUT)
    group = chooser.pick(groups)
    how = "new" if verb_name == "träumen" else "own" if group in KIN + JOBS else "known"
    phrase = thing(chooser, group, how, subject)
    while same(phrase, subject):
        phrase = thing(chooser, group, how, subject)
    verb = BY_NAME[verb_name]
    moment = scene(chooser, verb, subject, "np" if verb.stative else kinds)
    parts = moment.parts + (Part(Role.ABOUT, f"{preposition} {phrase.german(case)}",
                                 phrase.english_object),)
    if is_reflexive:
        parts += (reflexive(subject),)
    negated = moment.deniable and chooser.chance(0.12)
    return Clause(subject, verb, parts + ((NICHT,) if negated else ()), moment.tense,
                  moment.english_tense, negated=negated)


def about(chooser: Chooser) -> Pair:
    return spoken(chooser, about_clause(chooser, person(chooser), "nhp"))


# animals, what they do, where
ANIMAL_LIFE = (
    (("Hund", "Katze"), ("schlafen", "laufen", "spielen", "sitzen", "trinken"),
     ("garden", "kitchen", "living room", "park")),
    (("Pferd", "Kuh", "Schaf"), ("schlafen", "laufen", "trinken"), ("forest", "village")),
    (("Vogel", "Ente", "Maus"), ("schlafen", "sitzen", "laufen"), ("garden", "park", "forest")),
)


def animal_life(chooser: Chooser) -> Pair:
    """What animals do."""
    animals, verbs, places = chooser.pick(ANIMAL_LIFE)
    noun = BY_NOUN[chooser.pick(animals)]
    adjective = chooser.pick(suited(noun, "animals")) if chooser.chance(0.3) else None
    subject = noun_phrase(noun, Determiner.DEFINITE, plural=chooser.chance(0.35),
                          adjective=adjective)
    verb = BY_NAME[chooser.pick(verbs)]
    moment = scene(chooser, verb, subject, "nhp")
    place = PLACES[chooser.pick(places)]
    parts = moment.parts
    if verb.english == "drink":
        milk = "kitchen" in places and chooser.chance(0.5)
        drink = ("Milch", "milk") if milk else ("Wasser", "water")
        parts += (Part(Role.OBJECT, *drink),)
    if verb.english == "run":
        parts += (Part(Role.GOAL, place.towards, place.english_towards),)
    else:
        parts += (Part(Role.PLACE, place.where, place.english_where),)
    return spoken(chooser, Clause(subject, verb, parts, moment.tense, moment.english_tense))
