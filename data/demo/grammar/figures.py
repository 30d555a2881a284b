"""Numbers, prices, ages, dates and clock times, in words and in digits."""

from dataclasses import replace

from . import numbers, times
from .adjectives import suited
from .chooser import Chooser
from .clauses import Clause, GermanTense, Pair, Part, Role, sentence, statement
from .english import Tense
from .frames import described, kin, name, person
from .german import Case
from .names import CITIES
from .noun_phrases import Determiner, ER, ICH, NounPhrase, SIE, noun_phrase
from .nouns import BY_NAME as BY_NOUN
from .relations import SEIN, predicate
from .statements import spoken
from .verbs import BY_NAME


def any_number(chooser: Chooser) -> int:
    """As many of two digits as of three and of four."""
    return chooser.weighted(((3, chooser.between(2, 99)), (3, chooser.between(100, 999)),
                             (2, chooser.between(1000, 9999))))


def counted(chooser: Chooser, number: int) -> Pair:
    """Before a noun: in words, or in digits with each language's own thousands separator."""
    if chooser.chance(0.5) and number % 100 != 1:
        return Pair(numbers.german(number), numbers.english(number))
    return Pair(numbers.german_digits(number), numbers.english_digits(number))


def price(chooser: Chooser) -> Pair:
    group = chooser.pick(("goods", "clothes", "furniture"))
    item = described(chooser, group, chooser.pick((Determiner.DEFINITE, Determiner.THIS)),
                     plural=chooser.chance(0.2))
    if chooser.chance(0.3):
        euros, cents = chooser.between(2, 99), chooser.between(1, 19) * 5
        amount = Pair(f"{euros},{cents:02d}", f"{euros}.{cents:02d}")
    else:
        amount = counted(chooser, any_number(chooser))
    part = predicate(f"{amount.german} Euro", f"{amount.english} euros")
    clause = Clause(item, BY_NAME["kosten"], (part,))
    if chooser.chance(0.25):
        clause = replace(clause, tense=GermanTense.PRETERITE, english_tense=Tense.PAST)
    return sentence(statement(clause))


def result(chooser: Chooser) -> Pair:
    """A number alone, where 101 is einhunderteins."""
    number = any_number(chooser)
    kind = chooser.below(3)
    if kind == 0:
        return sentence(Pair(f"das Ergebnis ist {numbers.german(number)}",
                             f"the result is {numbers.english(number)}"))
    if kind == 1:
        return sentence(Pair(f"das Zimmer hat die Nummer {numbers.german(number)}",
                             f"the room has the number {numbers.english(number)}"))
    one, other = chooser.between(1, 99), chooser.between(1, 99)
    plus = chooser.chance(0.5) or one <= other
    sign, value = ("plus", one + other) if plus else ("minus", one - other)
    return sentence(Pair(
        f"{numbers.german(one)} {sign} {numbers.german(other)} ist {numbers.german(value)}",
        f"{numbers.english(one)} {sign} {numbers.english(other)} is {numbers.english(value)}"))


def amount(chooser: Chooser) -> Pair:
    """Pages, inhabitants, kilometres."""
    kind = chooser.below(3)
    if kind == 0:
        noun = BY_NOUN[chooser.pick(("Buch", "Roman"))]
        adjective = chooser.pick(suited(noun, "texts")) if chooser.chance(0.4) else None
        book = noun_phrase(noun, chooser.pick((Determiner.DEFINITE, Determiner.THIS)),
                           adjective=adjective)
        pages = counted(chooser, chooser.between(2, 999))
        clause = Clause(book, BY_NAME["haben"], (predicate(f"{pages.german} Seiten",
                                                           f"{pages.english} pages"),))
        return sentence(statement(clause))
    if kind == 1:
        people = counted(chooser, chooser.between(100, 9999))
        return sentence(Pair(f"das Dorf hat {people.german} Einwohner",
                             f"the village has {people.english} inhabitants"))
    (start, english_start), (end, english_end) = chooser.pick(CITIES), chooser.pick(CITIES)
    if start == end:
        return amount(chooser)
    way = counted(chooser, chooser.between(30, 2500))
    return sentence(Pair(
        f"von {start} nach {end} sind es {way.german} Kilometer",
        f"it is {way.english} kilometres from {english_start} to {english_end}"))


def years_of(chooser: Chooser, subject: NounPhrase) -> int:
    """Old enough for a grandmother."""
    if "grand" in subject.english:
        return chooser.between(55, 99)
    if "mother" in subject.english or "father" in subject.english:
        return chooser.between(30, 75)
    return chooser.between(4, 80)


def age(chooser: Chooser) -> Pair:
    """So many years old; turning thirty is 'will be thirty' in these sentences."""
    subject = chooser.pick((kin(chooser), name(chooser), kin(chooser), name(chooser), ICH, ER, SIE))
    years = years_of(chooser, subject)
    german, english = (numbers.german(years), numbers.english(years)) if chooser.chance(0.7) \
        else (str(years), str(years))
    part = predicate(f"{german} Jahre alt", f"{english} years old")
    clause = Clause(subject, SEIN, (part,))
    kind = chooser.below(4)
    if kind == 0:
        clause = replace(clause, tense=GermanTense.PRETERITE, english_tense=Tense.PAST)
    if kind == 1:
        month, english_month, _ = chooser.pick(times.MONTHS)
        time = Part(Role.TIME, f"im {month}", f"in {english_month}")
        turning = Clause(subject, BY_NAME["werden"], (time, part))
        being = Clause(subject, SEIN, (time, part), english_tense=Tense.FUTURE)
        return sentence(Pair(statement(turning).german, statement(being).english))
    return sentence(statement(clause))


# --- the calendar -----------------------------------------------------------------------------

def born(chooser: Chooser) -> Pair:
    subject = name(chooser) if chooser.chance(0.5) else kin(chooser)
    date = times.date(chooser) if chooser.chance(0.8) else times.spelled_date(chooser)
    if chooser.chance(0.6):
        year_born = 2025 - years_of(chooser, subject)
        date = Pair(f"{date.german} {year_born}", f"{date.english} {year_born}")
    return sentence(Pair(f"{subject.german(Case.NOM)} wurde am {date.german} geboren",
                         f"{subject.english} was born on {date.english}"))


def today(chooser: Chooser) -> Pair:
    """Weekdays and dates on their own."""
    kind = chooser.below(4)
    (day, english_day), date = chooser.pick(times.WEEKDAYS), times.date(chooser)
    if kind == 0:
        return sentence(Pair(f"heute ist der {date.german}", f"today is {date.english}"))
    if kind == 1:
        spelled = times.spelled_date(chooser)
        nominative = spelled.german.replace("en ", "e ", 1)
        return sentence(Pair(f"heute ist der {nominative}", f"today is {spelled.english}"))
    if kind == 2:
        word, english, verb, english_verb = chooser.pick((("heute", "today", "ist", "is"),
                                                          ("morgen", "tomorrow", "ist", "is"),
                                                          ("gestern", "yesterday", "war", "was")))
        return sentence(Pair(f"{word} {verb} {day}, der {date.german}",
                             f"{english} {english_verb} {english_day} {date.english}"))
    subject = kin(chooser) if chooser.chance(0.5) else name(chooser)
    return sentence(Pair(f"{subject.german(Case.NOM)} hat am {date.german} Geburtstag",
                         f"{subject.english}'s birthday is on {date.english}"))


def appointment(chooser: Chooser) -> Pair:
    """What begins, arrives or leaves on which date."""
    kind = chooser.below(3)
    date = times.date(chooser, kind > 0 and chooser.chance(0.3)) if chooser.chance(0.7) \
        else times.spelled_date(chooser)
    time = times.time_part((f"am {date.german}", f"on {date.english}"))
    if chooser.chance(0.25):
        day, english_day = chooser.pick(times.WEEKDAYS)
        date = times.date(chooser)
        time = times.time_part((f"am {day}, dem {date.german},",
                                f"on {english_day} {date.english}"))
    if kind == 0:
        event = described(chooser, "events", Determiner.DEFINITE, chance=0.2)
        verb = BY_NAME[chooser.pick(("anfangen", "aufhören"))]
        return sentence(statement(Clause(event, verb, (time,))))
    german, english = chooser.pick(CITIES)
    subject = person(chooser)
    verb = BY_NAME["umziehen" if kind == 1 else "ankommen"]
    place = Part(Role.GOAL, f"{'nach' if kind == 1 else 'in'} {german}",
                 f"{'to' if kind == 1 else 'in'} {english}")
    return sentence(statement(Clause(subject, verb, (time, place), GermanTense.PERFECT,
                                     Tense.PAST)))


def year(chooser: Chooser) -> Pair:
    """The passive: something was built in a year."""
    building = described(chooser, chooser.pick(("buildings", "sights")),
                         chooser.pick((Determiner.DEFINITE, Determiner.THIS)), chance=0.4,
                         plural=chooser.chance(0.2))
    when = chooser.between(1600, 2020)
    wurde, was = ("wurden", "were") if building.plural else ("wurde", "was")
    if chooser.chance(0.3):
        german, english = chooser.pick(CITIES)
        place, english_place = f" in {german}", f" in {english}"
    else:
        place = english_place = ""
    return sentence(Pair(f"{building.german(Case.NOM)}{place} {wurde} im Jahr {when} gebaut",
                         f"{building.english}{english_place} {was} built in {when}"))


# --- the clock --------------------------------------------------------------------------------

def what_time(chooser: Chooser) -> Pair:
    clock = times.any_clock(chooser)
    word, english = chooser.pick((("", ""), ("schon ", "already "), ("erst ", "only ")))
    return sentence(Pair(f"es ist {word}{clock.german}", f"it is {english}{clock.english}"))


def timetable(chooser: Chooser) -> Pair:
    """Trains and buses leave and arrive, films begin: a simple present in both languages."""
    time = times.at(times.any_clock(chooser))
    if chooser.chance(0.3):
        event = described(chooser, "events", Determiner.DEFINITE, chance=0.2)
        verb = BY_NAME[chooser.pick(("anfangen", "aufhören"))]
        return spoken(chooser, Clause(event, verb, (time,)))
    vehicle = described(chooser, "vehicles", Determiner.DEFINITE, chance=0.0)
    german, english = chooser.pick(CITIES)
    leaving = chooser.chance(0.5) and vehicle.german(Case.NOM) != "das Flugzeug"
    way, english_way = ("nach", "to") if leaving else ("aus", "from")
    subject = NounPhrase((f"{vehicle.german(Case.NOM)} {way} {german}",) * 4,
                         f"{vehicle.english} {english_way} {english}", "", gender=vehicle.gender)
    return spoken(chooser, Clause(subject, BY_NAME["abfahren" if leaving else "ankommen"], (time,)))


def daily_hours(chooser: Chooser) -> Pair:
    """People at a given hour, every day or once."""
    subject = person(chooser)
    verb = BY_NAME[chooser.pick(("aufstehen", "einschlafen", "aufwachen", "ankommen"))]
    clock = times.any_clock(chooser)
    day = chooser.below(3)
    if day == 0:
        opening, scene_tenses = ("jeden Tag", "every day"), (GermanTense.PRESENT, Tense.PRESENT)
    elif day == 1:
        opening, scene_tenses = ("gestern", "yesterday"), (GermanTense.PERFECT, Tense.PAST)
    else:
        opening, scene_tenses = ("morgen", "tomorrow"), (GermanTense.PRESENT, Tense.FUTURE)
    # English puts the hour before the day.
    time = Part(Role.TIME, f"{opening[0]} um {clock.german}", f"at {clock.english} {opening[1]}")
    return sentence(statement(Clause(subject, verb, (time,), *scene_tenses)))
