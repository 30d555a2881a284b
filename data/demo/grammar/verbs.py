"""The verbs and modals with the forms that no rule gives."""

from dataclasses import dataclass
from typing import Dict, Optional, Tuple

from . import german


@dataclass(frozen=True)
class Verb:
    """Without overrides the German forms are those of a regular (weak) verb."""

    infinitive: str  # without a separable prefix
    english: str  # may carry more words: 'look for'
    prefix: str = ""  # separable
    du: str = ""
    er: str = ""
    first_past: str = ""
    participle: str = ""
    sein: bool = False  # forms its perfect with sein
    stative: bool = False  # no English progressive: he knows her
    present: Optional[Tuple[str, ...]] = None  # all six forms of haben, sein, wissen, mögen

    @property
    def stem(self) -> str:
        return self.infinitive[:-2] if self.infinitive.endswith("en") else self.infinitive[:-1]

    def finite(self, person: int, plural: bool) -> str:
        if self.present:
            return self.present[person - 1 + 3 * plural]
        if not plural and person == 2 and self.du:
            return self.du
        if not plural and person == 3 and self.er:
            return self.er
        if plural and person != 2:
            return self.infinitive
        return german.present(self.stem, person, plural)

    def past(self, person: int, plural: bool) -> str:
        weak = self.stem + ("ete" if german.needs_e(self.stem) else "te")
        return german.preterite(self.first_past or weak, person, plural)

    def past_participle(self) -> str:
        weak = "ge" + self.stem + ("et" if german.needs_e(self.stem) else "t")
        return self.prefix + (self.participle or weak)

    def full_infinitive(self) -> str:
        return self.prefix + self.infinitive

    def zu_infinitive(self) -> str:
        """anzurufen, but zu lesen."""
        return f"{self.prefix}zu{self.infinitive}" if self.prefix else f"zu {self.infinitive}"


VERBS: Tuple[Verb, ...] = (
    # irregular throughout
    Verb("sein", "be", first_past="war", participle="gewesen", sein=True, stative=True,
         present=("bin", "bist", "ist", "sind", "seid", "sind")),
    Verb("haben", "have", first_past="hatte", participle="gehabt", stative=True,
         present=("habe", "hast", "hat", "haben", "habt", "haben")),
    Verb("werden", "become", first_past="wurde", participle="geworden", sein=True,
         present=("werde", "wirst", "wird", "werden", "werdet", "werden")),
    Verb("wissen", "know", first_past="wusste", participle="gewusst", stative=True,
         present=("weiß", "weißt", "weiß", "wissen", "wisst", "wissen")),
    Verb("mögen", "like", first_past="mochte", participle="gemocht", stative=True,
         present=("mag", "magst", "mag", "mögen", "mögt", "mögen")),
    # with an object
    Verb("lesen", "read", du="liest", er="liest", first_past="las", participle="gelesen"),
    Verb("schreiben", "write", first_past="schrieb", participle="geschrieben"),
    Verb("essen", "eat", du="isst", er="isst", first_past="aß", participle="gegessen"),
    Verb("trinken", "drink", first_past="trank", participle="getrunken"),
    Verb("kaufen", "buy"),
    Verb("verkaufen", "sell", participle="verkauft"),
    Verb("kochen", "cook"),
    Verb("backen", "bake", er="backt", du="backst", first_past="backte", participle="gebacken"),
    Verb("suchen", "look for"),
    Verb("finden", "find", first_past="fand", participle="gefunden"),
    Verb("verlieren", "lose", first_past="verlor", participle="verloren"),
    Verb("vergessen", "forget", du="vergisst", er="vergisst", first_past="vergaß",
         participle="vergessen"),
    Verb("sehen", "see", du="siehst", er="sieht", first_past="sah", participle="gesehen",
         stative=True),
    Verb("besuchen", "visit", participle="besucht"),
    Verb("kennen", "know", first_past="kannte", participle="gekannt", stative=True),
    Verb("lieben", "love", stative=True),
    Verb("brauchen", "need", stative=True),
    Verb("tragen", "wear", du="trägst", er="trägt", first_past="trug", participle="getragen"),
    Verb("öffnen", "open"),
    Verb("schließen", "close", first_past="schloss", participle="geschlossen"),
    Verb("reparieren", "repair", participle="repariert"),
    Verb("waschen", "wash", du="wäschst", er="wäscht", first_past="wusch",
         participle="gewaschen"),
    Verb("putzen", "clean"),
    Verb("malen", "paint"),
    Verb("bauen", "build"),
    Verb("spielen", "play"),
    Verb("hören", "listen to"),
    Verb("lernen", "learn"),
    Verb("verstehen", "understand", first_past="verstand", participle="verstanden",
         stative=True),
    Verb("bezahlen", "pay for", participle="bezahlt"),
    Verb("legen", "put"),
    Verb("kosten", "cost", stative=True),
    # separable
    Verb("rufen", "call", prefix="an", first_past="rief", participle="gerufen"),
    Verb("laden", "invite", prefix="ein", du="lädst", er="lädt", first_past="lud",
         participle="geladen"),
    Verb("holen", "pick up", prefix="ab"),
    Verb("räumen", "tidy up", prefix="auf"),
    Verb("ziehen", "put on", prefix="an", first_past="zog", participle="gezogen"),
    Verb("bringen", "bring along", prefix="mit", first_past="brachte", participle="gebracht"),
    Verb("machen", "open", prefix="auf"),
    Verb("machen", "close", prefix="zu"),
    Verb("machen", "turn on", prefix="an"),
    Verb("machen", "turn off", prefix="aus"),
    Verb("lesen", "read", prefix="vor", du="liest", er="liest", first_past="las",
         participle="gelesen"),
    Verb("stehen", "get up", prefix="auf", first_past="stand", participle="gestanden", sein=True),
    Verb("schlafen", "fall asleep", prefix="ein", du="schläfst", er="schläft",
         first_past="schlief", participle="geschlafen", sein=True),
    Verb("wachen", "wake up", prefix="auf", sein=True),
    Verb("kaufen", "go shopping", prefix="ein"),
    Verb("sehen", "watch television", prefix="fern", du="siehst", er="sieht", first_past="sah",
         participle="gesehen"),
    Verb("fahren", "leave", prefix="ab", du="fährst", er="fährt", first_past="fuhr",
         participle="gefahren", sein=True),
    Verb("kommen", "arrive", prefix="an", first_past="kam", participle="gekommen", sein=True),
    Verb("kommen", "come back", prefix="zurück", first_past="kam", participle="gekommen",
         sein=True),
    Verb("ziehen", "move", prefix="um", first_past="zog", participle="gezogen", sein=True),
    Verb("fangen", "begin", prefix="an", du="fängst", er="fängt", first_past="fing",
         participle="gefangen"),
    Verb("hören", "end", prefix="auf"),
    # without an object
    Verb("schlafen", "sleep", du="schläfst", er="schläft", first_past="schlief",
         participle="geschlafen"),
    Verb("arbeiten", "work"),
    Verb("tanzen", "dance"),
    Verb("singen", "sing", first_past="sang", participle="gesungen"),
    Verb("lachen", "laugh"),
    Verb("weinen", "cry"),
    Verb("schwimmen", "swim", first_past="schwamm", participle="geschwommen", sein=True),
    Verb("sitzen", "sit", du="sitzt", first_past="saß", participle="gesessen"),
    Verb("liegen", "be", first_past="lag", participle="gelegen", stative=True),
    Verb("stehen", "be", first_past="stand", participle="gestanden", stative=True),
    Verb("wohnen", "live", stative=True),
    Verb("bleiben", "stay", first_past="blieb", participle="geblieben", sein=True),
    # motion
    Verb("gehen", "go", first_past="ging", participle="gegangen", sein=True),
    Verb("fahren", "go", du="fährst", er="fährt", first_past="fuhr", participle="gefahren",
         sein=True),
    Verb("fliegen", "fly", first_past="flog", participle="geflogen", sein=True),
    Verb("reisen", "travel", sein=True),
    Verb("laufen", "run", du="läufst", er="läuft", first_past="lief", participle="gelaufen",
         sein=True),
    Verb("kommen", "come", first_past="kam", participle="gekommen", sein=True),
    # with a dative
    Verb("geben", "give", du="gibst", er="gibt", first_past="gab", participle="gegeben"),
    Verb("zeigen", "show"),
    Verb("schicken", "send"),
    Verb("bringen", "bring", first_past="brachte", participle="gebracht"),
    Verb("erzählen", "tell", participle="erzählt"),
    Verb("erklären", "explain", participle="erklärt"),
    Verb("helfen", "help", du="hilfst", er="hilft", first_past="half", participle="geholfen"),
    Verb("danken", "thank"),
    Verb("antworten", "answer"),
    Verb("gehören", "belong to", participle="gehört", stative=True),
    Verb("gefallen", "like", er="gefällt", du="gefällst", first_past="gefiel",
         participle="gefallen", stative=True),
    # with a preposition, some of them reflexive
    Verb("warten", "wait for"),
    Verb("denken", "think of", first_past="dachte", participle="gedacht"),
    Verb("sprechen", "talk to", du="sprichst", er="spricht", first_past="sprach",
         participle="gesprochen"),
    Verb("träumen", "dream of"),
    Verb("freuen", "look forward to"),
    Verb("interessieren", "be interested in", participle="interessiert", stative=True),
    Verb("erinnern", "remember", participle="erinnert", stative=True),
    Verb("kümmern", "look after"),
    Verb("treffen", "meet", du="triffst", er="trifft", first_past="traf", participle="getroffen"),
    # with a clause
    Verb("glauben", "believe", stative=True),
    Verb("hoffen", "hope", stative=True),
    Verb("sagen", "say", stative=True),
    Verb("fragen", "ask", stative=True),
    Verb("versuchen", "try", participle="versucht"),
    Verb("heißen", "be called", first_past="hieß", participle="geheißen", stative=True),
    Verb("regnen", "rain"),
    Verb("schneien", "snow"),
)
# Keyed by the German infinitive with its prefix: the meaning is then unique.
BY_NAME: Dict[str, Verb] = {verb.full_infinitive(): verb for verb in VERBS}
assert len(BY_NAME) == len(VERBS), "a verb is listed twice"


@dataclass(frozen=True)
class Modal:
    present: Tuple[str, ...]
    first_past: str  # "" where the corpus has no past (sollen, möchten)
    english: str  # a verb phrase that takes an infinitive
    auxiliary: str = ""  # what English says instead in the present

    def finite(self, person: int, plural: bool) -> str:
        return self.present[person - 1 + 3 * plural]

    def past(self, person: int, plural: bool) -> str:
        return german.preterite(self.first_past, person, plural)


KOENNEN = Modal(("kann", "kannst", "kann", "können", "könnt", "können"), "konnte",
                "be able to", "can")
MUESSEN = Modal(("muss", "musst", "muss", "müssen", "müsst", "müssen"), "musste", "have to")
WOLLEN = Modal(("will", "willst", "will", "wollen", "wollt", "wollen"), "wollte", "want to")
DUERFEN = Modal(("darf", "darfst", "darf", "dürfen", "dürft", "dürfen"), "durfte",
                "be allowed to")
SOLLEN = Modal(("soll", "sollst", "soll", "sollen", "sollt", "sollen"), "", "", "should")
MOECHTEN = Modal(("möchte", "möchtest", "möchte", "möchten", "möchtet", "möchten"), "", "",
                 "would like to")
