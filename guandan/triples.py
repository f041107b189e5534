"""The actions of the NJUPT and OpenGuanDan AI platforms: triples of type, rank and cards.

`["ThreeWithTwo", "K", ["SK", ...]]` is one. The rank is that of our key, but for a run, which is
named after its lowest card: "A" where the ace is low. The cards are those of the hand, wilds as
they are printed; type and rank say what they stand for.
"""

from typing import Any

from guandan.cards import Hand, shorten
from guandan.combos import Kind, Move, readings
from guandan.errors import IllegalMoveError, NotationError
from guandan.rules import Rules, read_rules

__all__ = [
    "from_cards",
    "from_return",
    "from_tribute",
    "from_triple",
    "to_cards",
    "to_return",
    "to_tribute",
    "to_triple",
]

Triple = list[Any]  # [type, rank, cards] as JSON has it

NJUPT = Rules.preset("njupt1006")
TYPES = {
    Kind.SINGLE: "Single",
    Kind.PAIR: "Pair",
    Kind.TRIPLE: "Trips",
    Kind.FULL_HOUSE: "ThreeWithTwo",
    Kind.STRAIGHT: "Straight",
    Kind.TUBE: "ThreePair",
    Kind.PLATE: "TwoTrips",
    Kind.STRAIGHT_FLUSH: "StraightFlush",
    Kind.JOKER_BOMB: "FourKings",
} | {Kind[f"BOMB{size}"]: "Bomb" for size in range(4, 11)}
# The manual of NJUPT's platform lists a plate as TripsPair too.
KINDS = {word: kind for kind, word in TYPES.items() if word != "Bomb"} | {"TripsPair": Kind.PLATE}
RUNS = {Kind.STRAIGHT: 5, Kind.STRAIGHT_FLUSH: 5, Kind.TUBE: 3, Kind.PLATE: 2}
RUN_ORDER = "A23456789TJQKA"
PASS = Move.parse("pass")


# Moves


def to_cards(hand: Hand) -> list[str]:
    """Return the cards of a hand as a list of texts, in the order of kinds."""
    if not isinstance(hand, Hand):
        raise TypeError(f"hand={shorten(hand)}: want a Hand")
    return list(hand)


def from_cards(cards: object) -> Hand:
    """Return the hand of a list of texts.

    Raises NotationError for what is no list of cards, StateError for a third copy of a card.
    """
    if not isinstance(cards, (list, tuple)) or not all(isinstance(card, str) for card in cards):
        raise NotationError(f'{cards!r:.60}: want a list of cards, such as ["S2", "HR"]')
    return Hand(cards)


def to_triple(move: Move) -> Triple:
    """Return the action of a move; NotationError for a move without its cards.

    >>> to_triple(Move.parse("straight 6 H2 S3 C4 D5 S6"))
    ['Straight', '2', ['H2', 'S3', 'C4', 'D5', 'S6']]
    >>> to_triple(Move.parse("pass"))
    ['PASS', 'PASS', 'PASS']
    """
    if not isinstance(move, Move):
        raise TypeError(f"move={shorten(move)}: want a Move")
    if move.kind is Kind.PASS:
        return ["PASS", "PASS", "PASS"]
    if not move.cards:
        raise NotationError(f"{move} lacks its cards: an action names them")
    rank = move.rank
    if move.kind in RUNS:
        rank = RUN_ORDER[RUN_ORDER.rindex(rank) + 1 - RUNS[move.kind]]
    elif move.kind is Kind.JOKER_BOMB:
        rank = "B"
    return [TYPES[move.kind], rank, to_cards(move.cards)]


def from_triple(triple: object, level: str | None = None, rules: Rules | None = None) -> Move:
    """Return the move of an action.

    With a level it is checked that the cards make the move, by the rules (default: njupt1006);
    without one only their number is. Raises NotationError for what cannot be read, StateError for
    a third copy of a card and IllegalMoveError for cards that do not make the move.

    >>> from_triple(["TwoTrips", "7", ["S7", "C7", "H2", "H2", "S8", "C8"]], level="2")
    Move.parse("plate 8 H2 H2 S7 C7 S8 C8")
    >>> from_triple(["Bomb", "9", ["S9", "C9", "C9", "D9", "H2"]], level="3")
    Traceback (most recent call last):
    guandan.errors.IllegalMoveError: bomb5 9 H2 S9 C9 C9 D9: at level 3 these cards make no move
    """
    read_rules(rules)
    if level is not None:
        readings("", level)  # a level that is none, also for a pass
    kind, rank, cards = parts_of(triple)
    if kind == "PASS":
        # Without cards, however that is said.
        if rank not in ("PASS", None) or cards not in ("PASS", None, [], ()):
            raise NotationError(f'{triple!r:.60}: a pass is ["PASS", "PASS", "PASS"]')
        return PASS
    hand = from_cards(cards)
    move = Move.parse(f"{read_kind(kind, rank, len(hand))} {hand}")
    wrong = None if level is None else what_is_made(move, level, rules)
    if wrong:
        raise IllegalMoveError(f"{move}: {wrong}")
    return move


def three_of(triple: object) -> Triple:
    """Return the three parts of an action, whatever they are."""
    if isinstance(triple, (list, tuple)) and len(triple) == 3:
        return list(triple)
    raise no_triple(triple)


def parts_of(triple: object) -> Triple:
    """Return type, rank and cards of an action."""
    parts = three_of(triple)
    if not isinstance(parts[0], str):
        raise no_triple(triple)
    return parts


def no_triple(given: object) -> NotationError:
    """Return the error for what is no action."""
    return NotationError(
        f'{given!r:.60}: want [type, rank, cards], such as ["Single", "5", ["D5"]]'
    )


def read_kind(word: str, rank: object, n_cards: int) -> str:
    """Return the text of kind and key that a type and a rank stand for."""
    if word == "Bomb":
        if not 4 <= n_cards <= 10:
            raise NotationError(f"a Bomb has 4 to 10 cards, not {n_cards}")
        kind = Kind[f"BOMB{n_cards}"]
    elif word in KINDS:
        kind = KINDS[word]
    else:
        raise NotationError(
            f"{shorten(word)} is not a type of move: there are "
            f"{' '.join(dict.fromkeys(TYPES.values()))} PASS"
        )
    if not isinstance(rank, str) or len(rank) != 1:
        raise NotationError(f'{shorten(rank)} is not a rank: want a text such as "T"')
    key = rank
    if kind in RUNS:
        place = RUN_ORDER.find(rank) + RUNS[kind] - 1
        if rank not in RUN_ORDER or place >= len(RUN_ORDER):
            lows = " ".join(RUN_ORDER[: len(RUN_ORDER) + 1 - RUNS[kind]])
            raise NotationError(f"no {word} starts at {rank!r}: its ranks are {lows}")
        key = RUN_ORDER[place]
    elif kind is Kind.JOKER_BOMB:
        # Its rank says nothing, and other servers of this format write R.
        if rank not in "BR":
            raise NotationError(f'{rank!r} is not the rank of FourKings: want "B"')
        key = "-"
    bare = Move.parse(f"{kind.name.lower()} {key}")
    if n_cards != bare.size:
        raise NotationError(f"a {word} has {bare.size} cards, not {n_cards}")
    return str(bare)


def what_is_made(move: Move, level: str, rules: Rules | None) -> str | None:
    """Return what the cards of a move make if they do not make it."""
    made = readings(move.cards, level, NJUPT if rules is None else rules)
    if move.kind is Kind.PASS or move in made:
        return None
    return f"at level {level} these cards make {', '.join(map(str, made)) or 'no move'}"


# Tribute


def to_tribute(card: str) -> Triple:
    """Return the action that pays a card.

    >>> to_tribute("SA")
    ['tribute', 'tribute', ['SA']]
    """
    return gift("tribute", card)


def to_return(card: str) -> Triple:
    """Return the action that gives a card back.

    >>> to_return("D3")
    ['back', 'back', ['D3']]
    """
    return gift("back", card)


def from_tribute(triple: object) -> str:
    """Return the card that an action pays; NotationError for any other action."""
    return card_of("tribute", triple)


def from_return(triple: object) -> str:
    """Return the card that an action gives back; NotationError for any other action."""
    return card_of("back", triple)


def gift(word: str, card: str) -> Triple:
    """Return the action of a stage with one card."""
    return [word, word, to_cards(from_cards([card]))]


def card_of(word: str, triple: object) -> str:
    """Return the card of an action of a stage with one card."""
    kind, rank, cards = parts_of(triple)
    if kind != word or rank != word:
        raise NotationError(f'{triple!r:.60}: want ["{word}", "{word}", [card]]')
    hand = from_cards(cards)
    if len(hand) != 1:
        raise NotationError(f"{triple!r:.60}: want one card, not {len(hand)}")
    return next(iter(hand))
