"""Small random changes to a text, most of which spoil it."""

import random
import re

import reference as ref

TOKENS = [
    *(
        "S3",
        "H2",
        "SB",
        "HR",
        "S10",
        "BJ",
        "♠3",
        "S",
        "2",
        "T",
        "10",
        "B",
        "0",
        "1",
        "3",
        "4",
        "01",
    ),
    *("-", "/", ":", " ", "pair", "single:9", "0:pair:9", "pass", "bomb", "bomb10:9", "joker_bomb"),
    *("\0", "\n", "\u2003", "\ud800", "é", "０", "٣", "\U0001f0a1", "None", "[]", "%s", "{}", "\\"),
]


def delete(text: str, rng: random.Random) -> str:
    start = rng.randrange(len(text))
    return text[:start] + text[start + rng.choice([1, 1, 2, 3]) :]


def insert(text: str, rng: random.Random) -> str:
    start = rng.randrange(len(text) + 1)
    return text[:start] + rng.choice(TOKENS) + text[start:]


def put(text: str, rng: random.Random) -> str:
    start = rng.randrange(len(text))
    return text[:start] + rng.choice(TOKENS) + text[start + rng.choice([1, 2]) :]


def swap(text: str, rng: random.Random) -> str:
    shuffled = list(text)
    one, other = rng.choices(range(len(text)), k=2)
    shuffled[one], shuffled[other] = text[other], text[one]
    return "".join(shuffled)


def swap_words(text: str, rng: random.Random) -> str:
    words = re.split(r"([/ :])", text)
    one, other = rng.choices(range(len(words)), k=2)
    words[one], words[other] = words[other], words[one]
    return "".join(words)


def repeat(text: str, rng: random.Random) -> str:
    start = rng.randrange(len(text))
    size = rng.choice([1, 2, 2, 4, 8])
    return text[: start + size] + text[start:]


def change_card(text: str, rng: random.Random) -> str:
    """Another card, mostly one of the same text, in the place of one or before it."""
    places = [card.start() for card in re.finditer("[SHCD][2-9TJQKA]|SB|HR", text)]
    if not places:
        return text
    place, other = rng.choices(places, k=2)
    card = rng.choice([text[other : other + 2], rng.choice(ref.CARDS)])
    return text[:place] + card + text[place + rng.choice([0, 2]) :]


def change_sign(text: str, rng: random.Random) -> str:
    """Another digit or rank in the place of one."""
    places = [place for place, sign in enumerate(text) if sign in "0123456789TJQKA"]
    place = rng.choice(places or [0])
    return text[:place] + rng.choice("0123456789TJQKA-") + text[place + 1 :]


def replace_word(text: str, rng: random.Random) -> str:
    words = text.split(" ")
    words[rng.randrange(len(words))] = rng.choice([*TOKENS, *"0123-"])
    return " ".join(words)


MUTATIONS = [
    *(delete, insert, put, swap, swap_words, repeat, replace_word),
    *(change_card, change_card, change_card, change_sign, change_sign),
]
