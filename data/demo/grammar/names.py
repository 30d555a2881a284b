"""People, surnames, cities, countries, languages."""

WOMEN = ("Anna", "Maria", "Julia", "Laura", "Sophie", "Emma", "Lena", "Clara")
MEN = ("Peter", "Paul", "Thomas", "Max", "Felix", "Jonas", "Karl", "Martin")
SURNAMES = ("Müller", "Schmidt", "Weber", "Fischer", "Wagner", "Becker", "Hoffmann", "Koch")

# German, English
CITIES = (
    ("Berlin", "Berlin"), ("Hamburg", "Hamburg"), ("München", "Munich"), ("Köln", "Cologne"),
    ("Wien", "Vienna"), ("Zürich", "Zurich"), ("Paris", "Paris"), ("London", "London"),
    ("Rom", "Rome"), ("Madrid", "Madrid"), ("Dresden", "Dresden"), ("Leipzig", "Leipzig"),
    ("Prag", "Prague"), ("Frankfurt", "Frankfurt"), ("Warschau", "Warsaw"),
    ("Kopenhagen", "Copenhagen"),
)
COUNTRIES = (
    ("Deutschland", "Germany"), ("Frankreich", "France"), ("Italien", "Italy"),
    ("Spanien", "Spain"), ("England", "England"), ("Österreich", "Austria"), ("Polen", "Poland"),
)
LANGUAGES = (
    ("Deutsch", "German"), ("Englisch", "English"), ("Französisch", "French"),
    ("Spanisch", "Spanish"), ("Italienisch", "Italian"),
)
