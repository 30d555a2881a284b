"""Who may do what to what, and where: the frames from which sentences are drawn."""

from dataclasses import dataclass
from typing import Optional, Tuple

from . import adjectives
from .chooser import Chooser
from .clauses import Clause, NICHT, Part, Role
from .german import Case
from .names import MEN, SURNAMES, WOMEN
from .noun_phrases import (DU, Determiner, ER, ICH, IHR, NounPhrase, OWNERS, Owner, SIE, SIE_ALL,
                           WIR, both, named, noun_phrase, titled)
from .nouns import NOUNS
from .places import OUTDOORS, PLACES
from .times import Scene, future, habit, now, past
from .verbs import BY_NAME, Verb

PEOPLE = ("men", "women", "children", "male_jobs", "female_jobs")
JOBS = ("male_jobs", "female_jobs")
KIN = ("male_kin", "female_kin")
ONE_OF_A_KIND = ("Vater", "Mutter", "Großvater", "Großmutter")


@dataclass(frozen=True)
class Frame:
    """`scenes`: now, habit, past, future. `how` limits the object's shape: 'new' (a, three),
    'one' (a, the, my; no plural), 'known' (the, this), 'own' (the, my), 'any' (all but my).
    `grown`: not for children. `needs_place`: nobody just sits."""

    verb: str
    objects: Tuple[str, ...] = ()
    places: Tuple[str, ...] = ()
    scenes: str = "nhpf"
    how: str = "any"
    weight: int = 2
    grown: bool = False
    needs_place: bool = False

    def suits(self, subject: NounPhrase, kinds: str) -> bool:
        return bool(set(self.scenes) & set(kinds)) and not (self.grown and subject.child)


TRANSITIVE = (
    Frame("lesen", ("texts",), ("garden", "library", "living room", "train", "park"), weight=4),
    Frame("schreiben", ("written",), ("office", "library", "kitchen"), "npf", "new", grown=True),
    Frame("essen", ("food",), ("kitchen", "garden", "park", "restaurant"), weight=3),
    Frame("essen", ("staple",), ("kitchen", "restaurant", "garden")),
    Frame("trinken", ("drinks",), ("kitchen", "office", "garden", "restaurant"), weight=3,
          grown=True),
    Frame("kaufen", ("food", "staple"), ("market", "supermarket"), how="new", weight=3),
    Frame("kaufen", ("goods", "clothes"), ("city",), "pf", weight=3, grown=True),
    Frame("verkaufen", ("goods",), ("city", "market"), "npf", grown=True),
    Frame("kochen", ("cooked",), ("kitchen", "restaurant"), how="new", grown=True),
    Frame("backen", ("baked",), ("kitchen", "bakery"), how="new"),
    Frame("suchen", ("belongings", "animals"), OUTDOORS[:4], "npf", "own", 3),
    Frame("finden", ("belongings",), OUTDOORS + ("bedroom", "train"), "p"),
    Frame("verlieren", ("belongings",), OUTDOORS + ("train",), "p", "own"),
    Frame("vergessen", ("belongings",), ("train", "school", "office", "hotel"), "p", "own"),
    Frame("sehen", ("animals",) + PEOPLE, OUTDOORS, "np", weight=3),
    Frame("besuchen", KIN + ("sights",), (), how="own", weight=4),
    Frame("kennen", PEOPLE + KIN, (), "n", "own"),
    Frame("lieben", KIN, (), "n", "own"),
    Frame("mögen", ("texts", "animals", "sights"), (), "np", "known"),
    Frame("brauchen", ("goods", "belongings"), (), "npf", "new", 3),
    Frame("haben", ("animals", "goods", "belongings"), (), "np", "new"),
    Frame("tragen", ("worn",), (), "nhp", "one"),
    Frame("öffnen", ("openings",), (), "npf", "known"),
    Frame("schließen", ("openings",), (), "npf", "known"),
    Frame("reparieren", ("repairable",), ("garden", "street"), "npf", "own", 3, True),
    Frame("waschen", ("washable",), (), how="own", grown=True),
    Frame("putzen", ("cleaned",), (), how="known"),
    Frame("malen", ("painted",), ("garden", "park", "school"), how="new"),
    Frame("bauen", ("buildings",), ("village", "city"), "npf", "new", grown=True),
    Frame("verstehen", ("words",), (), "np", "known"),
    Frame("anrufen", KIN + JOBS, (), how="own", weight=4),
    Frame("einladen", KIN + JOBS, (), "hpf", "own", 3),
    Frame("abholen", KIN, ("station", "airport", "school", "hotel"), how="own", weight=3,
          grown=True),
    Frame("aufräumen", ("rooms",), (), how="own", weight=3),
    Frame("anziehen", ("worn",), (), how="one", weight=3),
    Frame("mitbringen", ("gifts",), (), "pf", "new", 3),
    Frame("aufmachen", ("openings",), (), "npf", "known", 3),
    Frame("zumachen", ("openings",), (), "npf", "known", 3),
    Frame("anmachen", ("machines",), (), "npf", "known", 3),
    Frame("ausmachen", ("machines",), (), "npf", "known", 3),
)
INTRANSITIVE = (
    Frame("schlafen", (), ("bedroom", "hotel", "train", "garden"), weight=3),
    Frame("arbeiten", (), ("office", "garden", "hospital", "restaurant", "library"), weight=4,
          grown=True),
    Frame("tanzen", (), ("living room", "park", "beach", "street")),
    Frame("singen", (), ("kitchen", "garden", "street")),
    Frame("lachen", (), ("school", "cinema", "theatre"), "np"),
    Frame("weinen", (), ("bedroom", "kitchen", "garden"), "np"),
    Frame("spielen", (), ("garden", "park", "living room", "beach", "forest")),
    Frame("schwimmen", (), ("water",)),
    Frame("sitzen", (), ("garden", "kitchen", "park", "train", "restaurant"), needs_place=True),
    Frame("fernsehen", (), ("living room", "hotel", "home"), weight=3),
    Frame("einkaufen", (), ("supermarket", "market", "city"), weight=3),
    Frame("einschlafen", (), ("train", "living room", "cinema"), "p"),
    Frame("aufwachen", (), ("hotel", "bedroom"), "p"),
)
# verb, preposition, case, objects
ABOUT = (
    ("warten", "auf", Case.ACC, ("vehicles",) + KIN), ("denken", "an", Case.ACC, KIN),
    ("sprechen", "mit", Case.DAT, KIN + PEOPLE), ("träumen", "von", Case.DAT, ("goods", "animals")),
)
REFLEXIVE = (
    ("freuen", "auf", Case.ACC, ("events",)),
    ("interessieren", "für", Case.ACC, ("texts", "sights")),
    ("erinnern", "an", Case.ACC, ("events",) + KIN),
    ("kümmern", "um", Case.ACC, ("animals", "children")),
    ("treffen", "mit", Case.DAT, KIN),
)
# What may lie years back or ahead.
LIFE_CHANGES = ("bauen", "umziehen", "reisen", "fliegen", "wohnen", "zurückkommen")
REFLEXIVES = {(1, False): "mich", (2, False): "dich", (1, True): "uns", (2, True): "euch"}


# --- subjects -------------------------------------------------------------------------------

def name(chooser: Chooser) -> NounPhrase:
    if chooser.chance(0.5):
        return named(chooser.pick(WOMEN), "f")
    return named(chooser.pick(MEN), "m")


def kin(chooser: Chooser, owner: Optional[Owner] = None, plural: bool = False) -> NounPhrase:
    """Only mein, dein, unser begin a sentence: 'Ihre Mutter' would be her, their or your mother."""
    noun = chooser.pick(NOUNS[chooser.pick(KIN)])
    return noun_phrase(noun, Determiner.POSSESSIVE, owner=owner or chooser.pick(OWNERS),
                       plural=plural and noun.german not in ONE_OF_A_KIND)


def described(chooser: Chooser, group: str, determiner: Determiner, *, plural: bool = False,
              chance: float = 0.35, count: int = 0, owner: Optional[Owner] = None) -> NounPhrase:
    """A noun of the group, with an adjective that suits it now and then. Without an article,
    things are many (Äpfel) and stuff is stuff (Milch)."""
    noun = chooser.pick(NOUNS[group])
    if determiner is Determiner.INDEFINITE and not noun.plural:
        determiner = Determiner.NONE
    plural = plural or determiner is Determiner.NONE
    fitting = adjectives.suited(noun, group)
    adjective = chooser.pick(fitting) if fitting and chooser.chance(chance) else None
    return noun_phrase(noun, determiner, plural=plural and bool(noun.plural), adjective=adjective,
                       count=count if noun.plural else 0, owner=owner)


def person(chooser: Chooser, pronouns: bool = True, bare: bool = False) -> NounPhrase:
    """A subject that can do what people do; `bare` without an adjective, where another follows."""
    kind = chooser.below(100)
    if kind < 35 and pronouns:
        return chooser.pick((ICH, DU, ER, ER, SIE, SIE, WIR, IHR, SIE_ALL, SIE_ALL))
    if kind < 58:
        return name(chooser)
    if kind < 68:
        return kin(chooser)
    if kind < 74:
        gender = chooser.pick("mf")
        return titled(chooser.pick(SURNAMES), gender)
    if kind < 79:
        return two_names(chooser)
    return described(chooser, chooser.pick(PEOPLE), Determiner.DEFINITE,
                     plural=chooser.chance(0.35), chance=0.0 if bare else 0.25)


def two_names(chooser: Chooser) -> NounPhrase:
    return both(named(chooser.pick(WOMEN), "f"), named(chooser.pick(MEN), "m"))


# --- objects --------------------------------------------------------------------------------

SHAPES = {
    "new": ((60, Determiner.INDEFINITE), (30, Determiner.NONE)),
    "known": ((60, Determiner.DEFINITE), (25, Determiner.THIS)),
    "one": ((45, Determiner.INDEFINITE), (25, Determiner.DEFINITE), (20, Determiner.POSSESSIVE)),
    "own": ((45, Determiner.DEFINITE), (40, Determiner.POSSESSIVE)),
    "any": ((40, Determiner.INDEFINITE), (30, Determiner.DEFINITE), (10, Determiner.THIS),
            (15, Determiner.NONE)),
}
NEVER_OWNED = PEOPLE + ("sights", "buildings")


def thing(chooser: Chooser, group: str, how: str, subject: NounPhrase) -> NounPhrase:
    """An object noun phrase of the shape that the frame allows."""
    if group in KIN:
        own = subject.owner if subject.owner and chooser.chance(0.75) else None
        return kin(chooser, own or chooser.pick(OWNERS), plural=chooser.chance(0.15))
    determiner = chooser.weighted(SHAPES[how])
    if determiner is Determiner.NONE:
        return several(chooser, group)
    if determiner is Determiner.POSSESSIVE and (subject.owner is None or group in NEVER_OWNED):
        determiner = Determiner.DEFINITE
    plural = how != "one" and chooser.chance(0.25)
    if determiner is Determiner.INDEFINITE and plural:
        determiner = Determiner.NONE
    return described(chooser, group, determiner, plural=plural, owner=subject.owner)


def same(one: NounPhrase, other: NounPhrase) -> bool:
    """No doctor calls the doctor, no neighbour his neighbour."""
    return one.english.split()[-1] == other.english.split()[-1]


def several(chooser: Chooser, group: str) -> NounPhrase:
    return described(chooser, group, Determiner.NONE, plural=True, count=chooser.between(2, 6))


def reflexive(subject: NounPhrase) -> Part:
    word = REFLEXIVES.get((subject.person, subject.plural), "sich")
    return Part(Role.PRONOUN, word, "")


def direct_object(phrase: NounPhrase) -> Part:
    return Part(Role.OBJECT, phrase.german(Case.ACC), phrase.english_object)


def where(chooser: Chooser, frame: Frame) -> Part:
    place = PLACES[chooser.pick(frame.places)]
    return Part(Role.PLACE, place.where, place.english_where)


def scene(chooser: Chooser, verb: Verb, subject: NounPhrase, kinds: str = "nhpf") -> Scene:
    weights = {"n": 4, "h": 3, "p": 5, "f": 3}
    kind = chooser.weighted([(weights[letter], letter) for letter in kinds])
    if kind == "n":
        return now(chooser, verb.stative)
    if kind == "h":
        return habit(chooser)
    far = verb.full_infinitive() in LIFE_CHANGES
    if kind == "p":
        return past(chooser, subject.person, far, verb.english in ("have", "know", "like", "need"))
    return future(chooser, far)


# --- predicates -----------------------------------------------------------------------------

def negate(chooser: Chooser, group: str, phrase: NounPhrase) -> Tuple[Part, ...]:
    """nicht after a definite object; kein for an indefinite one."""
    if phrase.definite:
        return direct_object(phrase), NICHT
    plural = phrase.plural
    return (direct_object(described(chooser, group, Determiner.NEGATIVE, plural=plural,
                                    chance=0.2)),)


def transitive(chooser: Chooser, subject: NounPhrase, *, kinds: str = "nhpf",
               negation: float = 0.12) -> Clause:
    possible = [(frame.weight, frame) for frame in TRANSITIVE if frame.suits(subject, kinds)]
    frame = chooser.weighted(possible)
    verb = BY_NAME[frame.verb]
    group = chooser.pick(frame.objects)
    moment = scene(chooser, verb, subject, "".join(k for k in frame.scenes if k in kinds))
    # Every day an apple, but hardly every day this apple.
    how = "new" if moment.habitual and frame.how == "any" else frame.how
    phrase = thing(chooser, group, how, subject)
    while same(phrase, subject):
        phrase = thing(chooser, group, how, subject)
    negated = moment.deniable and chooser.chance(negation)
    parts = moment.parts
    if negated:
        parts += negate(chooser, group, phrase)
    else:
        parts += (direct_object(phrase),)
        if frame.places and len(moment.parts) < 2 and chooser.chance(0.45):
            parts += (where(chooser, frame),)
    return Clause(subject, verb, parts, moment.tense, moment.english_tense, negated=negated)


def intransitive(chooser: Chooser, subject: NounPhrase, *, kinds: str = "nhpf",
                 negation: float = 0.12) -> Clause:
    possible = [(frame.weight, frame) for frame in INTRANSITIVE if frame.suits(subject, kinds)]
    frame = chooser.weighted(possible)
    verb = BY_NAME[frame.verb]
    moment = scene(chooser, verb, subject, "".join(k for k in frame.scenes if k in kinds))
    negated = moment.deniable and not frame.needs_place and chooser.chance(negation)
    parts = moment.parts
    if negated:
        parts += (NICHT,)
    elif frame.places and (frame.needs_place or chooser.chance(0.75)):
        parts += (where(chooser, frame),)
    return Clause(subject, verb, parts, moment.tense, moment.english_tense, negated=negated)


def action(chooser: Chooser, subject: NounPhrase, *, kinds: str = "nhpf",
           negation: float = 0.12) -> Clause:
    """Something that a person does, with an object or without."""
    build = transitive if chooser.chance(0.7) else intransitive
    return build(chooser, subject, kinds=kinds, negation=negation)
