"""English word forms: articles, plurals, verb forms and the verb group with its auxiliaries."""

from enum import Enum
from typing import NamedTuple

# base -> past, participle
IRREGULAR = {
    "be": ("was", "been"), "bring": ("brought", "brought"), "build": ("built", "built"),
    "buy": ("bought", "bought"), "come": ("came", "come"), "do": ("did", "done"),
    "dream": ("dreamt", "dreamt"), "drink": ("drank", "drunk"), "eat": ("ate", "eaten"),
    "fall": ("fell", "fallen"), "find": ("found", "found"), "fly": ("flew", "flown"),
    "forget": ("forgot", "forgotten"), "get": ("got", "got"), "give": ("gave", "given"),
    "go": ("went", "gone"), "have": ("had", "had"), "know": ("knew", "known"),
    "learn": ("learnt", "learnt"), "leave": ("left", "left"), "lose": ("lost", "lost"),
    "meet": ("met", "met"), "pay": ("paid", "paid"), "put": ("put", "put"),
    "read": ("read", "read"), "run": ("ran", "run"), "say": ("said", "said"),
    "see": ("saw", "seen"), "sell": ("sold", "sold"), "send": ("sent", "sent"),
    "sing": ("sang", "sung"), "sit": ("sat", "sat"), "sleep": ("slept", "slept"),
    "speak": ("spoke", "spoken"), "swim": ("swam", "swum"), "tell": ("told", "told"),
    "think": ("thought", "thought"), "understand": ("understood", "understood"),
    "wake": ("woke", "woken"), "wear": ("wore", "worn"), "write": ("wrote", "written"),
    "begin": ("began", "begun"), "cost": ("cost", "cost"),
}
DOUBLED = ("get", "put", "sit", "run", "swim", "stop", "forget", "travel", "begin")
IRREGULAR_PLURALS = {
    "man": "men", "woman": "women", "child": "children", "sheep": "sheep", "mouse": "mice",
    "fish": "fish", "roof": "roofs", "loaf": "loaves",
}
VOWELS = "aeiou"


def with_article(words: str) -> str:
    return ("an " if words[0] in VOWELS else "a ") + words


def plural_of(noun: str) -> str:
    """The last word of a compound takes the ending (living room, living rooms)."""
    head, _, last = noun.rpartition(" ")
    if last in IRREGULAR_PLURALS:
        last = IRREGULAR_PLURALS[last]
    elif last.endswith(("s", "x", "ch", "sh", "tomato", "potato")):
        last += "es"
    elif last.endswith("y") and last[-2] not in VOWELS:
        last = last[:-1] + "ies"
    else:
        last += "s"
    return f"{head} {last}".strip()


def possessive_of(owner: str, plural: bool = False) -> str:
    """The teacher's and Thomas's, but the teachers'; the children's has no plural s before it."""
    return owner + ("'" if plural and owner.endswith("s") else "'s")


def third_person(base: str) -> str:
    if base in ("have", "go", "do"):
        return {"have": "has", "go": "goes", "do": "does"}[base]
    if base.endswith(("s", "x", "ch", "sh")):
        return base + "es"
    if base.endswith("y") and base[-2] not in VOWELS:
        return base[:-1] + "ies"
    return base + "s"


def ing_form(base: str) -> str:
    if base in DOUBLED:
        return base + base[-1] + "ing"
    if base.endswith("e") and not base.endswith("ee") and base != "be":
        return base[:-1] + "ing"
    return base + "ing"


def past_form(base: str) -> str:
    return IRREGULAR[base][0] if base in IRREGULAR else regular_past(base)


def participle(base: str) -> str:
    return IRREGULAR[base][1] if base in IRREGULAR else regular_past(base)


def regular_past(base: str) -> str:
    if base in DOUBLED:
        return base + base[-1] + "ed"
    if base.endswith("e"):
        return base + "d"
    if base.endswith("y") and base[-2] not in VOWELS:
        return base[:-1] + "ied"
    return base + "ed"


class Tense(Enum):
    PRESENT = "reads"
    PROGRESSIVE = "is reading"
    PAST = "read"
    FUTURE = "will read"
    PERFECT = "has read"
    PERFECT_PROGRESSIVE = "has been reading"


class Agreement(NamedTuple):
    person: int
    plural: bool


class VerbGroup(NamedTuple):
    """'not', frequency adverbs and (in questions) the subject go between the two."""

    auxiliary: str
    rest: str


def be(agreement: Agreement, past: bool = False) -> str:
    many = agreement.plural or agreement.person == 2
    if past:
        return "were" if many else "was"
    return "are" if many else ("am" if agreement.person == 1 else "is")


def verb_group(lemma: str, tense: Tense, agreement: Agreement, support: bool) -> VerbGroup:
    """`lemma` may carry words after the verb ('look for', 'have to read'). `support` asks for
    do/does/did where there would be no auxiliary, as negations and questions need."""
    base, _, tail = lemma.partition(" ")
    third = agreement == Agreement(3, False)

    def rest(form: str) -> str:
        return f"{form} {tail}".strip()

    if tense is Tense.PROGRESSIVE:
        return VerbGroup(be(agreement), rest(ing_form(base)))
    if tense is Tense.FUTURE:
        return VerbGroup("will", rest(base))
    if tense is Tense.PERFECT:
        return VerbGroup("has" if third else "have", rest(participle(base)))
    if tense is Tense.PERFECT_PROGRESSIVE:
        return VerbGroup("has" if third else "have", "been " + rest(ing_form(base)))
    past = tense is Tense.PAST
    if base == "be":
        return VerbGroup(be(agreement, past), tail)
    if support:
        return VerbGroup("did" if past else "does" if third else "do", rest(base))
    return VerbGroup("", rest(past_form(base) if past else third_person(base) if third else base))
