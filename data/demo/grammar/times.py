"""When: adverbs, weekdays, dates, clock times - and the tenses that go with them."""

from dataclasses import dataclass
from typing import Optional, Tuple

from . import numbers
from .chooser import Chooser
from .clauses import GermanTense, Pair, Part, Role
from .english import Tense

WEEKDAYS = (
    ("Montag", "Monday"), ("Dienstag", "Tuesday"), ("Mittwoch", "Wednesday"),
    ("Donnerstag", "Thursday"), ("Freitag", "Friday"), ("Samstag", "Saturday"),
    ("Sonntag", "Sunday"),
)
# German, English, days
MONTHS = (
    ("Januar", "January", 31), ("Februar", "February", 28), ("März", "March", 31),
    ("April", "April", 30), ("Mai", "May", 31), ("Juni", "June", 30), ("Juli", "July", 31),
    ("August", "August", 31), ("September", "September", 30), ("Oktober", "October", 31),
    ("November", "November", 30), ("Dezember", "December", 31),
)
NOW = (("jetzt", "now"), ("gerade", "right now"), ("im Moment", "at the moment"),
       ("heute", "today"))
PAST = (
    ("gestern", "yesterday"), ("vorgestern", "the day before yesterday"),
    ("gestern Abend", "yesterday evening"), ("heute Morgen", "this morning"),
    ("letzte Woche", "last week"),
)
LONG_AGO = (("letztes Jahr", "last year"), ("letzten Sommer", "last summer"))
FUTURE = (
    ("morgen", "tomorrow"), ("übermorgen", "the day after tomorrow"),
    ("morgen früh", "tomorrow morning"), ("heute Abend", "this evening"),
    ("nächste Woche", "next week"), ("bald", "soon"),
)
FAR_AHEAD = (("nächstes Jahr", "next year"), ("nächsten Sommer", "next summer"))
HABIT = (
    ("jeden Tag", "every day"), ("jeden Morgen", "every morning"),
    ("jeden Abend", "every evening"), ("jede Woche", "every week"),
    ("am Wochenende", "at the weekend"),
)
FREQUENCIES = (
    ("oft", "often"), ("immer", "always"), ("manchmal", "sometimes"), ("selten", "rarely"),
    ("nie", "never"), ("meistens", "usually"),
)
# singular, plural after 'vor' and 'in' (dative), English, how many at most
SPANS = (
    ("einer Stunde", "Stunden", "an hour", 12), ("einem Tag", "Tagen", "a day", 10),
    ("einer Woche", "Wochen", "a week", 3),
)
LONG_SPANS = (("einer Woche", "Wochen", "a week", 6), ("einem Monat", "Monaten", "a month", 11),
              ("einem Jahr", "Jahren", "a year", 20))


@dataclass(frozen=True)
class Scene:
    """A tense in both languages with the time words that justify it, so that the English tense
    never has to be guessed from the German one."""

    tense: GermanTense
    english_tense: Tense
    time: Optional[Part] = None
    frequency: Optional[Part] = None

    @property
    def parts(self) -> Tuple[Part, ...]:
        return tuple(part for part in (self.time, self.frequency) if part)

    @property
    def habitual(self) -> bool:
        return self.english_tense is Tense.PRESENT and bool(self.parts)

    @property
    def deniable(self) -> bool:
        """What someone does every day or often is not negated in these sentences."""
        return not self.habitual


def time_part(pair: Tuple[str, str]) -> Part:
    return Part(Role.TIME, *pair)


def span(chooser: Chooser, far: bool) -> Tuple[str, str]:
    """einer Woche / a week, drei Tagen / three days; months and years when `far`."""
    one, many, english, most = chooser.pick(LONG_SPANS if far else SPANS)
    count = chooser.between(1, most)
    if count == 1:
        return one, english
    return f"{numbers.german(count)} {many}", f"{numbers.english(count)} {english.split()[1]}s"


def weekday(chooser: Chooser, german: str, english: str) -> Tuple[str, str]:
    day, english_day = chooser.pick(WEEKDAYS)
    return f"{german} {day}", f"{english} {english_day}"


def past_time(chooser: Chooser, far: bool = False) -> Part:
    """`far` allows for months and years, which suit a journey but not a cup of tea."""
    kind = chooser.below(10)
    if kind < 6:
        return time_part(chooser.pick(PAST + LONG_AGO if far else PAST))
    if kind < 8:
        german, english = span(chooser, far)
        return time_part((f"vor {german}", f"{english} ago"))
    if kind < 9:
        return time_part(weekday(chooser, "letzten", "last"))
    return time_part(weekday(chooser, "am", "on"))


def future_time(chooser: Chooser, far: bool = False) -> Part:
    kind = chooser.below(10)
    if kind < 6:
        return time_part(chooser.pick(FUTURE + FAR_AHEAD if far else FUTURE))
    if kind < 8:
        german, english = span(chooser, far)
        return time_part((f"in {german}", f"in {english}"))
    if kind < 9:
        return time_part(weekday(chooser, "nächsten", "next"))
    return time_part(weekday(chooser, "am", "on"))


def now(chooser: Chooser, stative: bool) -> Scene:
    """Without a time word the German present is progressive, unless the verb cannot be."""
    if stative:
        return Scene(GermanTense.PRESENT, Tense.PRESENT)
    time = time_part(chooser.pick(NOW)) if chooser.chance(0.4) else None
    return Scene(GermanTense.PRESENT, Tense.PROGRESSIVE, time)


def habit(chooser: Chooser) -> Scene:
    if chooser.chance(0.5):
        part = Part(Role.FREQUENCY, *chooser.pick(FREQUENCIES))
        return Scene(GermanTense.PRESENT, Tense.PRESENT, frequency=part)
    time = chooser.pick(HABIT) if chooser.chance(0.7) else weekday(chooser, "jeden", "every")
    return Scene(GermanTense.PRESENT, Tense.PRESENT, time_part(time))


def past(chooser: Chooser, person: int, far: bool = False, written: bool = False) -> Scene:
    """`written` keeps to the preterite, as verbs of being and having do."""
    time = past_time(chooser, far) if chooser.chance(0.8) else None
    spoken = person == 2 or not written and chooser.chance(0.65)
    return Scene(GermanTense.PERFECT if spoken else GermanTense.PRETERITE, Tense.PAST, time)


def future(chooser: Chooser, far: bool = False) -> Scene:
    """'morgen' makes a German present future; werden needs no time word."""
    if chooser.chance(0.3):
        time = future_time(chooser, far) if chooser.chance(0.5) else None
        return Scene(GermanTense.FUTURE, Tense.FUTURE, time)
    return Scene(GermanTense.PRESENT, Tense.FUTURE, future_time(chooser, far))


def date(chooser: Chooser, year: bool = False) -> Pair:
    """After 'am': 3. Mai 2014, 3 May 2014."""
    month, english, days = chooser.pick(MONTHS)
    day = chooser.between(1, days)
    tail = f" {chooser.between(1950, 2025)}" if year else ""
    return Pair(f"{day}. {month}{tail}", f"{day} {english}{tail}")


def spelled_date(chooser: Chooser) -> Pair:
    """dritten Mai, the third of May."""
    month, english, days = chooser.pick(MONTHS)
    day = chooser.between(1, days)
    return Pair(f"{numbers.german_ordinal(day)}en {month}",
                f"the {numbers.english_ordinal(day)} of {english}")


def clock(hour: int, minute: int) -> Pair:
    """Digits on the 24-hour clock: 14:30 Uhr, 2:30 pm."""
    half = "am" if hour < 12 else "pm"
    return Pair(f"{hour}:{minute:02d} Uhr", f"{(hour - 1) % 12 + 1}:{minute:02d} {half}")


def spoken_clock(hour: int, minute: int) -> Pair:
    """halb acht is half past seven; `hour` from 1 to 12, `minute` a multiple of five."""
    following = hour % 12 + 1
    german_hour, german_next = numbers.german(hour), numbers.german(following)
    english_hour, english_next = numbers.english(hour), numbers.english(following)
    if minute == 0:
        return Pair(f"{'ein' if hour == 1 else german_hour} Uhr", f"{english_hour} o'clock")
    if minute == 30:
        return Pair(f"halb {german_next}", f"half past {english_hour}")
    if minute == 15:
        return Pair(f"Viertel nach {german_hour}", f"a quarter past {english_hour}")
    if minute == 45:
        return Pair(f"Viertel vor {german_next}", f"a quarter to {english_next}")
    if minute < 30:
        return Pair(f"{numbers.german(minute)} nach {german_hour}",
                    f"{numbers.english(minute)} past {english_hour}")
    return Pair(f"{numbers.german(60 - minute)} vor {german_next}",
                f"{numbers.english(60 - minute)} to {english_next}")


SPOKEN_MINUTES = (0, 0, 0, 5, 10, 15, 20, 30, 30, 30, 40, 45, 50, 55)


def any_clock(chooser: Chooser) -> Pair:
    if chooser.chance(0.5):
        return clock(chooser.between(0, 23), 5 * chooser.below(12))
    return spoken_clock(chooser.between(1, 12), chooser.pick(SPOKEN_MINUTES))


def at(time: Pair) -> Part:
    return time_part((f"um {time.german}", f"at {time.english}"))
