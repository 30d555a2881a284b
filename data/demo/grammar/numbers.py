"""Numbers from 0 to 9999 in words and in digits, ordinals up to 31."""

GERMAN_SMALL = (
    "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn "
    "fünfzehn sechzehn siebzehn achtzehn neunzehn"
).split()
GERMAN_TENS = "- - zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig".split()
ENGLISH_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
).split()
ENGLISH_TENS = "- - twenty thirty forty fifty sixty seventy eighty ninety".split()
GERMAN_ORDINALS = {1: "erst", 3: "dritt", 7: "siebt", 8: "acht"}
ENGLISH_ORDINALS = {
    "one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth",
    "nine": "ninth", "twelve": "twelfth",
}


def german(number: int) -> str:
    """One word, units before tens: 2731 is zweitausendsiebenhunderteinunddreißig."""
    assert 0 <= number <= 9999, number
    thousands, hundreds, rest = number // 1000, number // 100 % 10, number % 100
    word = ""
    if thousands:
        word += german_stem(thousands) + "tausend"
    if hundreds:
        word += german_stem(hundreds) + "hundert"
    if rest or not word:
        word += german_below_100(rest)
    return word


def german_stem(digit: int) -> str:
    """The digit inside a compound: einhundert, einundzwanzig, but zweihundert."""
    return "ein" if digit == 1 else GERMAN_SMALL[digit]


def german_below_100(number: int) -> str:
    if number < 20:
        return GERMAN_SMALL[number]
    tens, units = divmod(number, 10)
    return (german_stem(units) + "und" if units else "") + GERMAN_TENS[tens]


def english(number: int) -> str:
    """With the British 'and': one hundred and one, two thousand and five."""
    assert 0 <= number <= 9999, number
    thousands, hundreds, rest = number // 1000, number // 100 % 10, number % 100
    words = []
    if thousands:
        words.append(ENGLISH_SMALL[thousands] + " thousand")
    if hundreds:
        words.append(ENGLISH_SMALL[hundreds] + " hundred")
    if rest and words:
        words.append("and")
    if rest or not words:
        words.append(english_below_100(rest))
    return " ".join(words)


def english_below_100(number: int) -> str:
    if number < 20:
        return ENGLISH_SMALL[number]
    tens, units = divmod(number, 10)
    return ENGLISH_TENS[tens] + ("-" + ENGLISH_SMALL[units] if units else "")


def german_ordinal(number: int) -> str:
    """Without its ending: 'dritt' for am dritten Mai."""
    assert 1 <= number <= 31, number
    if number in GERMAN_ORDINALS:
        return GERMAN_ORDINALS[number]
    return german(number) + ("t" if number < 20 else "st")


def english_ordinal(number: int) -> str:
    head, dash, last = english(number).rpartition("-")
    if last in ENGLISH_ORDINALS:
        last = ENGLISH_ORDINALS[last]
    elif last.endswith("y"):
        last = last[:-1] + "ieth"
    else:
        last += "th"
    return head + dash + last


def german_digits(number: int) -> str:
    return f"{number:,}".replace(",", ".")


def english_digits(number: int) -> str:
    return f"{number:,}"
