"""The adjectives, and which nouns each may describe."""

from dataclasses import dataclass
from typing import Dict, Tuple

from .nouns import NOUNS, Noun


@dataclass(frozen=True)
class Adjective:
    german: str
    english: str
    attributive: str = ""  # stem before an ending where it differs: teuer, ein teures Auto
    comparative: str = ""  # German comparative where the adjective is compared at all
    english_comparative: str = ""

    @property
    def stem(self) -> str:
        return self.attributive or self.german


YOUNG = Adjective("jung", "young", comparative="jünger", english_comparative="younger")
OLD = Adjective("alt", "old", comparative="älter", english_comparative="older")
NEW = Adjective("neu", "new", comparative="neuer", english_comparative="newer")
BIG = Adjective("groß", "big", comparative="größer", english_comparative="bigger")
SMALL = Adjective("klein", "small", comparative="kleiner", english_comparative="smaller")
BEAUTIFUL = Adjective("schön", "beautiful", comparative="schöner",
                      english_comparative="more beautiful")
EXPENSIVE = Adjective("teuer", "expensive", "teur", "teurer", "more expensive")
CHEAP = Adjective("billig", "cheap", comparative="billiger", english_comparative="cheaper")
HEAVY = Adjective("schwer", "heavy", comparative="schwerer", english_comparative="heavier")
LONG = Adjective("lang", "long", comparative="länger", english_comparative="longer")
SHORT = Adjective("kurz", "short", comparative="kürzer", english_comparative="shorter")
FAST = Adjective("schnell", "fast", comparative="schneller", english_comparative="faster")
STRONG = Adjective("stark", "strong", comparative="stärker", english_comparative="stronger")
CLEVER = Adjective("klug", "clever", comparative="klüger", english_comparative="cleverer")
FRIENDLY = Adjective("freundlich", "friendly", comparative="freundlicher",
                     english_comparative="friendlier")
RICH = Adjective("reich", "rich", comparative="reicher", english_comparative="richer")
POOR = Adjective("arm", "poor")
TIRED = Adjective("müde", "tired", "müd")
ILL = Adjective("krank", "ill")
HAPPY = Adjective("glücklich", "happy")
SAD = Adjective("traurig", "sad")
HUNGRY = Adjective("hungrig", "hungry")
FAMOUS = Adjective("berühmt", "famous")
INTERESTING = Adjective("interessant", "interesting", comparative="interessanter",
                        english_comparative="more interesting")
BORING = Adjective("langweilig", "boring", comparative="langweiliger",
                   english_comparative="more boring")
FRESH = Adjective("frisch", "fresh")
SWEET = Adjective("süß", "sweet")
COLD = Adjective("kalt", "cold", comparative="kälter", english_comparative="colder")
HOT = Adjective("heiß", "hot", comparative="heißer", english_comparative="hotter")
DARK = Adjective("dunkel", "dark", "dunkl")
QUIET = Adjective("ruhig", "quiet", comparative="ruhiger", english_comparative="quieter")
DIFFICULT = Adjective("schwierig", "difficult", comparative="schwieriger",
                      english_comparative="more difficult")
IMPORTANT = Adjective("wichtig", "important", comparative="wichtiger",
                      english_comparative="more important")

COLOURS = (
    Adjective("rot", "red"), Adjective("blau", "blue"), Adjective("grün", "green"),
    Adjective("gelb", "yellow"), Adjective("schwarz", "black"), Adjective("weiß", "white"),
    Adjective("braun", "brown"),
)
# What 'too' goes with, what can stand after 'is', what compares two people.
TOO_MUCH = (EXPENSIVE, BIG, SMALL, LONG, SHORT, OLD, YOUNG, DARK, TIRED, DIFFICULT, COLD, HOT)
MOODS = (TIRED, ILL, HAPPY, SAD, HUNGRY)
PERSON_TRAITS = (YOUNG, OLD, STRONG, CLEVER, FRIENDLY, RICH)
# Before a noun: 'ill' cannot stand there in English, so moods are left to the predicate.
PERSON = (YOUNG, OLD, FRIENDLY, CLEVER, FAMOUS, TIRED, HAPPY, SAD, HUNGRY, RICH, POOR)
CHILD = (FRIENDLY, CLEVER, TIRED, HAPPY, SAD, HUNGRY, SMALL)
THING = (NEW, OLD, BIG, SMALL, BEAUTIFUL, EXPENSIVE, CHEAP)

BY_GROUP: Dict[str, Tuple[Adjective, ...]] = {
    "men": PERSON, "women": PERSON, "children": CHILD,
    "male_jobs": PERSON, "female_jobs": PERSON, "male_kin": (), "female_kin": (),
    "animals": (YOUNG, OLD, SMALL, BIG, HUNGRY, TIRED) + COLOURS[-3:],
    "food": (FRESH, BIG, SMALL), "baked": (FRESH, SMALL, BIG), "cooked": (), "staple": (FRESH,),
    "drinks": (COLD, HOT), "told": (LONG, SHORT, INTERESTING, BEAUTIFUL),
    "texts": (LONG, SHORT, INTERESTING, BORING, NEW, OLD), "written": (LONG, SHORT, BEAUTIFUL),
    "papers": (OLD, NEW, INTERESTING),
    "clothes": COLOURS + (NEW, OLD, BEAUTIFUL, EXPENSIVE, CHEAP),
    "worn": COLOURS + (NEW, OLD, BEAUTIFUL, EXPENSIVE), "goods": THING + COLOURS[:2],
    "belongings": (NEW, OLD, BIG, SMALL) + COLOURS[:2], "gifts": (BEAUTIFUL, BIG, SMALL),
    "openings": (BIG, SMALL, OLD), "repairable": (OLD, NEW, BIG), "washable": COLOURS[:4],
    "cleaned": (BIG, SMALL, OLD), "rooms": (BIG, SMALL, NEW, DARK, QUIET),
    "painted": (BIG, SMALL, BEAUTIFUL), "buildings": (NEW, BIG, BEAUTIFUL, SMALL),
    "sights": (NEW, OLD, BIG, SMALL, BEAUTIFUL, FAMOUS), "machines": (OLD, NEW, SMALL),
    "words": (DIFFICULT, IMPORTANT, SHORT, LONG), "vehicles": (NEW, OLD, FAST),
    "furniture": THING, "events": (INTERESTING, BORING, LONG, SHORT),
}
assert BY_GROUP.keys() == NOUNS.keys()


def suited(noun: Noun, group: str) -> Tuple[Adjective, ...]:
    """Water is not hot in these sentences, and a newspaper is neither long nor short."""
    if noun.german in ("Wasser", "Milch", "Saft"):
        return (COLD,)
    if noun.german == "Zeitung":
        return NEW, OLD, INTERESTING
    return BY_GROUP[group]
