"""Lines that are nearly like others, for texts to score."""


def perturbed(rng, line, *others, least=0, most=3):
    """`line` with `least` to `most` changes: two words swapped, one dropped, one doubled, or one of `others`, which make
    new words of (words, i, j), i and j being places among them. A single word is not dropped: the last of `others` comes
    instead."""
    words = line.split(" ")
    for _ in range(rng.randint(least, most)):
        i, j = rng.randrange(len(words)), rng.randrange(len(words))
        change = rng.randrange(3 + len(others))
        if change == 0:
            words[i], words[j] = words[j], words[i]
        elif change == 1 and len(words) > 1:
            del words[i]
        elif change == 2:
            words.insert(i, words[j])
        else:
            words = others[change - 3 if change > 2 else -1](words, i, j)
    return " ".join(words)


def replaced(words, i, word):
    return [*words[:i], word, *words[i + 1:]]
