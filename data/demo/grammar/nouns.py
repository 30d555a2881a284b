"""The nouns, in groups that the verbs choose from."""

from dataclasses import dataclass
from typing import Dict, Tuple

from .english import plural_of


@dataclass(frozen=True)
class Noun:
    german: str
    gender: str  # m, f, n
    plural: str  # "" where only the singular is used (Milch)
    english: str
    weak: bool = False

    @property
    def english_plural(self) -> str:
        return plural_of(self.english)


# One noun a line: gender, German singular, plural ('-' for none), English; '*' marks a weak noun.
TABLES: Dict[str, str] = {
    "men": """
        m Mann Männer man
        m Junge* Jungen boy
        m Gast Gäste guest
    """,
    "women": """
        f Frau Frauen woman
    """,
    "children": """
        n Kind Kinder child
        n Mädchen Mädchen girl
    """,
    "male_jobs": """
        m Lehrer Lehrer teacher
        m Arzt Ärzte doctor
        m Student* Studenten student
        m Verkäufer Verkäufer shop assistant
        m Polizist* Polizisten police officer
        m Bauer* Bauern farmer
        m Bäcker Bäcker baker
    """,
    "female_jobs": """
        f Lehrerin Lehrerinnen teacher
        f Ärztin Ärztinnen doctor
        f Studentin Studentinnen student
        f Verkäuferin Verkäuferinnen shop assistant
        f Polizistin Polizistinnen police officer
        f Sängerin Sängerinnen singer
    """,
    "male_kin": """
        m Vater Väter father
        m Bruder Brüder brother
        m Großvater Großväter grandfather
        m Onkel Onkel uncle
        m Cousin Cousins cousin
        m Freund Freunde friend
        m Nachbar* Nachbarn neighbour
    """,
    "female_kin": """
        f Mutter Mütter mother
        f Schwester Schwestern sister
        f Großmutter Großmütter grandmother
        f Tante Tanten aunt
        f Cousine Cousinen cousin
        f Freundin Freundinnen friend
        f Nachbarin Nachbarinnen neighbour
    """,
    "animals": """
        m Hund Hunde dog
        f Katze Katzen cat
        n Pferd Pferde horse
        m Vogel Vögel bird
        f Kuh Kühe cow
        n Schaf Schafe sheep
        f Maus Mäuse mouse
        f Ente Enten duck
    """,
    "food": """
        m Apfel Äpfel apple
        f Birne Birnen pear
        f Banane Bananen banana
        f Tomate Tomaten tomato
        n Ei Eier egg
        m Kuchen Kuchen cake
        n Brötchen Brötchen roll
    """,
    "baked": """
        m Kuchen Kuchen cake
        n Brötchen Brötchen roll
        f Pizza Pizzas pizza
    """,
    "cooked": """
        f Suppe - soup
        n Ei Eier egg
        f Kartoffel Kartoffeln potato
    """,
    "staple": """
        n Brot - bread
        m Käse - cheese
        m Reis - rice
        n Fleisch - meat
        m Fisch - fish
    """,
    "drinks": """
        m Kaffee - coffee
        m Tee - tea
        f Milch - milk
        n Wasser - water
        m Saft - juice
    """,
    "texts": """
        n Buch Bücher book
        m Brief Briefe letter
        n Gedicht Gedichte poem
        m Roman Romane novel
        f Geschichte Geschichten story
        f Zeitung Zeitungen newspaper
    """,
    "written": """
        m Brief Briefe letter
        n Gedicht Gedichte poem
        m Roman Romane novel
        n Buch Bücher book
    """,
    "papers": """
        n Buch Bücher book
        m Brief Briefe letter
        n Gedicht Gedichte poem
        f Zeitung Zeitungen newspaper
    """,
    "told": """
        f Geschichte Geschichten story
    """,
    "clothes": """
        m Mantel Mäntel coat
        f Jacke Jacken jacket
        n Kleid Kleider dress
        n Hemd Hemden shirt
        m Hut Hüte hat
        m Pullover Pullover sweater
    """,
    "worn": """
        m Mantel Mäntel coat
        f Jacke Jacken jacket
        n Hemd Hemden shirt
        m Hut Hüte hat
    """,
    "goods": """
        n Fahrrad Fahrräder bicycle
        m Computer Computer computer
        f Lampe Lampen lamp
        m Tisch Tische table
        m Stuhl Stühle chair
        m Koffer Koffer suitcase
        f Gitarre Gitarren guitar
        n Auto Autos car
    """,
    "belongings": """
        m Schlüssel Schlüssel key
        f Tasche Taschen bag
        m Koffer Koffer suitcase
        m Ring Ringe ring
        m Ball Bälle ball
        m Regenschirm Regenschirme umbrella
        f Fahrkarte Fahrkarten ticket
    """,
    "gifts": """
        n Geschenk Geschenke present
        f Blume Blumen flower
        m Ring Ringe ring
        m Ball Bälle ball
        n Bild Bilder picture
        n Buch Bücher book
    """,
    "openings": """
        f Tür Türen door
        n Fenster Fenster window
        m Koffer Koffer suitcase
        f Tasche Taschen bag
    """,
    "repairable": """
        n Auto Autos car
        n Fahrrad Fahrräder bicycle
        m Computer Computer computer
        f Lampe Lampen lamp
        n Dach Dächer roof
        n Radio Radios radio
    """,
    "washable": """
        n Auto Autos car
        n Hemd Hemden shirt
        n Kleid Kleider dress
        f Jacke Jacken jacket
    """,
    "cleaned": """
        n Fenster Fenster window
        f Küche Küchen kitchen
        n Zimmer Zimmer room
        n Bad Bäder bathroom
    """,
    "rooms": """
        n Zimmer Zimmer room
        f Küche Küchen kitchen
        f Wohnung Wohnungen flat
        n Büro Büros office
    """,
    "painted": """
        n Bild Bilder picture
        f Blume Blumen flower
        m Baum Bäume tree
        n Pferd Pferde horse
        m Vogel Vögel bird
    """,
    "buildings": """
        n Haus Häuser house
        f Brücke Brücken bridge
        f Schule Schulen school
        n Hotel Hotels hotel
        m Bahnhof Bahnhöfe station
        f Kirche Kirchen church
    """,
    "sights": """
        n Museum Museen museum
        n Theater Theater theatre
        m Park Parks park
        f Bibliothek Bibliotheken library
        n Restaurant Restaurants restaurant
    """,
    "machines": """
        f Lampe Lampen lamp
        m Computer Computer computer
        n Radio Radios radio
    """,
    "words": """
        f Frage Fragen question
        f Antwort Antworten answer
        n Wort Wörter word
        m Satz Sätze sentence
    """,
    "vehicles": """
        m Zug Züge train
        m Bus Busse bus
        n Flugzeug Flugzeuge plane
        n Schiff Schiffe ship
    """,
    "furniture": """
        m Tisch Tische table
        n Bett Betten bed
        m Stuhl Stühle chair
        n Sofa Sofas sofa
        m Schrank Schränke cupboard
    """,
    "events": """
        m Film Filme film
        m Kurs Kurse course
        n Konzert Konzerte concert
    """,
}


def parse(line: str) -> Noun:
    gender, german, plural, english = line.split(maxsplit=3)
    return Noun(german.rstrip("*"), gender, "" if plural == "-" else plural, english,
                german.endswith("*"))


NOUNS: Dict[str, Tuple[Noun, ...]] = {
    group: tuple(parse(line) for line in text.strip().splitlines())
    for group, text in TABLES.items()
}
BY_NAME: Dict[str, Noun] = {noun.german: noun for group in NOUNS.values() for noun in group}
