"""Places: where something happens (dative) and where someone goes (accusative)."""

from typing import NamedTuple


class Place(NamedTuple):
    where: str
    towards: str
    english_where: str
    english_towards: str


PLACES = {
    "garden": Place("im Garten", "in den Garten", "in the garden", "to the garden"),
    "kitchen": Place("in der Küche", "in die Küche", "in the kitchen", "to the kitchen"),
    "living room": Place("im Wohnzimmer", "ins Wohnzimmer", "in the living room",
                         "to the living room"),
    "bedroom": Place("im Schlafzimmer", "ins Schlafzimmer", "in the bedroom", "to the bedroom"),
    "home": Place("zu Hause", "nach Hause", "at home", "home"),
    "school": Place("in der Schule", "in die Schule", "at school", "to school"),
    "office": Place("im Büro", "ins Büro", "at the office", "to the office"),
    "park": Place("im Park", "in den Park", "in the park", "to the park"),
    "station": Place("am Bahnhof", "zum Bahnhof", "at the station", "to the station"),
    "airport": Place("am Flughafen", "zum Flughafen", "at the airport", "to the airport"),
    "restaurant": Place("im Restaurant", "ins Restaurant", "at the restaurant",
                        "to the restaurant"),
    "hotel": Place("im Hotel", "ins Hotel", "at the hotel", "to the hotel"),
    "supermarket": Place("im Supermarkt", "in den Supermarkt", "at the supermarket",
                         "to the supermarket"),
    "market": Place("auf dem Markt", "auf den Markt", "at the market", "to the market"),
    "bakery": Place("in der Bäckerei", "in die Bäckerei", "at the bakery", "to the bakery"),
    "library": Place("in der Bibliothek", "in die Bibliothek", "in the library",
                     "to the library"),
    "museum": Place("im Museum", "ins Museum", "in the museum", "to the museum"),
    "hospital": Place("im Krankenhaus", "ins Krankenhaus", "at the hospital", "to the hospital"),
    "cinema": Place("im Kino", "ins Kino", "at the cinema", "to the cinema"),
    "theatre": Place("im Theater", "ins Theater", "at the theatre", "to the theatre"),
    "beach": Place("am Strand", "an den Strand", "on the beach", "to the beach"),
    "lake": Place("am See", "an den See", "at the lake", "to the lake"),
    "water": Place("im See", "in den See", "in the lake", "into the lake"),
    "forest": Place("im Wald", "in den Wald", "in the forest", "into the forest"),
    "street": Place("auf der Straße", "auf die Straße", "in the street", "into the street"),
    "train": Place("im Zug", "in den Zug", "on the train", "to the train"),
    "city": Place("in der Stadt", "in die Stadt", "in the city", "to the city"),
    "village": Place("im Dorf", "ins Dorf", "in the village", "to the village"),
    "mountains": Place("in den Bergen", "in die Berge", "in the mountains", "to the mountains"),
}
DESTINATIONS = (
    "home", "school", "office", "park", "station", "airport", "restaurant", "supermarket",
    "market", "bakery", "library", "museum", "hospital", "cinema", "theatre", "beach", "lake",
    "forest", "city", "mountains",
)
OUTDOORS = ("garden", "park", "beach", "lake", "forest", "street", "village", "mountains")

# preposition, English
POSITIONS = (("auf", "on"), ("unter", "under"), ("neben", "next to"), ("hinter", "behind"),
             ("vor", "in front of"))
