"""The combination rules of Guandan in slow, plain Python: the oracle of the differential tests.

`readings` states the definitions: it tries every face for every wild. `leads` builds moves from
shapes instead, because a hand of 27 has too many selections; the tests hold the two together.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from typing import Literal, NamedTuple

SUITS = "SHCD"
NATURAL_RANKS = "23456789TJQKA"
RANKS = NATURAL_RANKS + "BR"
ACE, SMALL_JOKER, BIG_JOKER = 12, 13, 14
HEARTS = 1

CARDS = [suit + rank for rank in NATURAL_RANKS for suit in SUITS] + ["SB", "HR"]
NUMBERS = {text: number for number, text in enumerate(CARDS)}

KINDS = [
    *("pass", "single", "pair", "triple", "full_house", "straight", "tube", "plate"),
    *("bomb4", "bomb5", "straight_flush", "bomb6", "bomb7", "bomb8", "bomb9", "bomb10"),
    "joker_bomb",
]
RUN_KINDS = {"straight", "tube", "plate", "straight_flush"}

Downgrade = Literal["any", "other_suit", "forbid"]
Choice = Literal["ask", "low", "high"]
Reading = tuple[str, str]
Move = tuple[str, str, tuple[int, ...]]
Group = tuple[int, int]


class Switches(NamedTuple):
    """The points of the combination rules on which rule texts differ (section 7)."""

    straight_flush_downgrade: Downgrade = "any"
    level_full_house_by_wilds: bool = True
    full_house_joker_pair: bool = True
    bomb_max: int = 10


DEFAULT = Switches()


def parse(text: str) -> list[int]:
    """Read the numbers of the cards in a text like "S3 C3 HR" (section 1)."""
    joined = text.replace(" ", "")
    return [NUMBERS[joined[i : i + 2]] for i in range(0, len(joined), 2)]


def rank_of(card: int) -> int:
    """Give the rank of a card as an index of RANKS, each joker a rank of its own (section 1)."""
    return card // 4 if card < 52 else card - 52 + SMALL_JOKER


def wild_of(level: str) -> int:
    """Give the wild card of a level: the heart of its rank (section 1)."""
    return NATURAL_RANKS.index(level) * 4 + HEARTS


def runs(length: int) -> list[list[int]]:
    """List every run of a length, bottom first, the ace high or low, never inside (section 1)."""
    # Rank -1 is the low ace.
    return [
        [rank % 13 for rank in range(top - length + 1, top + 1)] for top in range(length - 2, 13)
    ]


# --- What a selection of cards can be ---


def formed(faces: tuple[int, ...]) -> set[Reading]:
    """Tell what natural cards and jokers form, by the table of kinds (section 2)."""
    counts = Counter(rank_of(face) for face in faces)
    ranks, sizes, total = set(counts), sorted(counts.values()), len(faces)
    jokers = ranks & {SMALL_JOKER, BIG_JOKER}
    # The rank held most often: the only one, or that of a full house's triple.
    key = RANKS[max(counts, key=counts.__getitem__)]
    found: set[Reading] = set()
    if sizes == [1]:
        found.add(("single", key))
    if sizes == [2]:
        found.add(("pair", key))
    if sizes == [3] and not jokers:
        found.add(("triple", key))
    if sizes == [2, 3] and key in NATURAL_RANKS:
        found.add(("full_house", key))
    if sizes == [1] * 5:
        one_suit = not jokers and len({face % 4 for face in faces}) == 1
        for run in runs(5):
            if ranks == set(run):
                found.add(("straight_flush" if one_suit else "straight", RANKS[run[-1]]))
    if sizes == [2] * 3:
        found |= {("tube", RANKS[run[-1]]) for run in runs(3) if ranks == set(run)}
    if sizes == [3] * 2:
        found |= {("plate", RANKS[run[-1]]) for run in runs(2) if ranks == set(run)}
    if sizes == [total] and 4 <= total <= 10 and not jokers:
        found.add((f"bomb{total}", key))
    if counts == {SMALL_JOKER: 2, BIG_JOKER: 2}:
        found.add(("joker_bomb", "-"))
    return found


def permitted(reading: Reading, cards: tuple[int, ...], level: str, switches: Switches) -> bool:
    """Tell whether the switches leave a selection this reading (section 7, definitions)."""
    kind = reading[0]
    wild = wild_of(level)
    naturals = [card for card in cards if card != wild]
    wilds = sum(card == wild for card in cards)
    if kind == "straight" and wilds:
        suits = {card % 4 for card in naturals}
        if switches.straight_flush_downgrade == "forbid":
            return len(suits) > 1
        if switches.straight_flush_downgrade == "other_suit":
            return suits != {HEARTS}
    if kind == "full_house":
        ranks = [rank_of(card) for card in naturals]
        if not switches.full_house_joker_pair and max(ranks) > ACE:
            return False
        if not switches.level_full_house_by_wilds:
            return ranks != [NATURAL_RANKS.index(level)] * 3
    if kind.startswith("bomb"):
        return int(kind.removeprefix("bomb")) <= switches.bomb_max
    return True


# The switches only take readings away, so one answer serves all their values.
@lru_cache(maxsize=4096)
def all_readings(cards: tuple[int, ...], level: str) -> frozenset[Reading]:
    """Find the readings of a selection before the switches (sections 1 and 2)."""
    wild = wild_of(level)
    naturals = tuple(card for card in cards if card != wild)
    wilds = len(cards) - len(naturals)
    if not naturals:
        return frozenset({1: {("single", level)}, 2: {("pair", level)}}.get(wilds, set()))
    # Suits only matter in straights and straight flushes, which have five cards:
    # elsewhere the spade of each rank speaks for its suits. Wilds are alike, so their order
    # does not matter.
    faces = range(52) if len(cards) == 5 else range(0, 52, 4)
    found: set[Reading] = set()
    for chosen in combinations_with_replacement(faces, wilds):
        found |= formed(naturals + chosen)
    return frozenset(found)


def readings(cards: Iterable[int], level: str, switches: Switches = DEFAULT) -> set[Reading]:
    """Find every (kind, rank) that a selection of cards can be (section 2)."""
    selection = tuple(sorted(cards))
    return {
        reading
        for reading in all_readings(selection, level)
        if permitted(reading, selection, level, switches)
    }


# --- What a hand can play ---


def all_shapes() -> list[tuple[str, str, list[Group]]]:
    """List every (kind, rank, groups), a group being a rank and its size (section 2).

    A straight flush has the shape of a straight: only the suits part them.
    """
    shapes: list[tuple[str, str, list[Group]]] = []
    for rank, key in enumerate(RANKS):
        shapes += [("single", key, [(rank, 1)]), ("pair", key, [(rank, 2)])]
    for rank, key in enumerate(NATURAL_RANKS):
        shapes.append(("triple", key, [(rank, 3)]))
        shapes += [("full_house", key, [(rank, 3), (r, 2)]) for r in range(15) if r != rank]
        shapes += [(f"bomb{size}", key, [(rank, size)]) for size in range(4, 11)]
    for kind, length, size in (("straight", 5, 1), ("tube", 3, 2), ("plate", 2, 3)):
        shapes += [(kind, RANKS[run[-1]], [(r, size) for r in run]) for run in runs(length)]
    shapes.append(("joker_bomb", "-", [(SMALL_JOKER, 2), (BIG_JOKER, 2)]))
    return shapes


SHAPES = all_shapes()


def fillings(
    groups: list[Group], naturals: list[list[int]], wilds: int
) -> list[tuple[tuple[int, ...], int]]:
    """Find every (natural cards, number of wilds) that fills the groups (section 2)."""
    filled: list[tuple[tuple[int, ...], int]] = [((), 0)]
    for rank, size in groups:
        # A wild's rank is that of its group, and no wild is a joker.
        most = min(wilds, size) if rank <= ACE else 0
        # A hand may hold a card twice: equal choices are one.
        choices = [
            (chosen, used)
            for used in range(most + 1)
            for chosen in set(combinations(naturals[rank], size - used))
        ]
        filled = [
            (cards + chosen, spent + used)
            for cards, spent in filled
            for chosen, used in choices
            if spent + used <= wilds
        ]
        # Most shapes end here, at a group that the hand lacks.
        if not filled:
            break
    return filled


def leads(hand: Iterable[int], level: str, switches: Switches = DEFAULT) -> set[Move]:
    """Find every combo in a hand (section 2)."""
    wild = wild_of(level)
    cards = sorted(hand)
    wilds = cards.count(wild)
    naturals: list[list[int]] = [[] for _ in RANKS]
    for card in cards:
        if card != wild:
            naturals[rank_of(card)].append(card)
    moves: set[Move] = set()
    for shape, key, groups in SHAPES:
        for chosen, used in fillings(groups, naturals, wilds):
            # A wild may show any suit, so it can complete the suit of the rest and can break it.
            kinds = {shape}
            if shape == "straight" and len({card % 4 for card in chosen}) == 1:
                kinds = {"straight_flush", "straight"} if used else {"straight_flush"}
            # Wilds alone are of the level rank.
            if not chosen and key != level:
                kinds = set()
            selection = tuple(sorted(chosen + (wild,) * used))
            for kind in kinds:
                if permitted((kind, key), selection, level, switches):
                    moves.add((kind, key, selection))
    return moves


# --- What beats what ---


def key_order(rank_text: str, level: str, kind_word: str) -> int:
    """Give a number that compares as the rank does among moves of one kind (sections 1 and 2)."""
    if kind_word == "joker_bomb":
        return 0
    rank = RANKS.index(rank_text)
    if kind_word in RUN_KINDS or rank > ACE:
        return rank * 2
    # Between the ace and the small joker.
    return ACE * 2 + 1 if rank_text == level else rank * 2


def beats(a: Reading, b: Reading, level: str) -> bool:
    """Tell whether a beats b, neither being the pass (section 3)."""
    kind_a, kind_b = KINDS.index(a[0]), KINDS.index(b[0])
    if kind_a == kind_b:
        return key_order(a[1], level, a[0]) > key_order(b[1], level, b[0])
    # The numbers of the bombs follow their strength, and every bomb is above the plain kinds.
    return kind_a >= KINDS.index("bomb4") and kind_a > kind_b


def replies(
    hand: Iterable[int], level: str, beat: Reading, switches: Switches = DEFAULT
) -> set[Move]:
    """Find every combo in a hand that beats the table, the pass left out (section 3)."""
    return {move for move in leads(hand, level, switches) if beats(move[:2], beat, level)}


# --- Cards shown alone ---


def default_reading(
    cards: Iterable[int],
    level: str,
    table: Reading | None,
    straight_reading: Choice = "ask",
    full_house_reading: Choice = "ask",
    switches: Switches = DEFAULT,
) -> Reading | Literal["ask"] | None:
    """Choose the reading of cards shown without a word (section 7, `straight_reading`).

    None where no reading is legal, "ask" where the player has to say which is meant.
    """
    found = readings(cards, level, switches)
    if table is not None:
        found = {reading for reading in found if beats(reading, table, level)}
    if len(found) <= 1:
        return found.pop() if found else None
    kinds = {kind for kind, _ in found}
    # No text chooses between kinds, nor among tubes.
    choice: Choice = "ask"
    if kinds in ({"straight"}, {"straight_flush"}):
        choice = straight_reading
    if kinds == {"full_house"}:
        choice = full_house_reading
    if choice == "ask":
        return "ask"
    pick = min if choice == "low" else max
    return pick(found, key=lambda reading: key_order(reading[1], level, reading[0]))


# --- Lists shortened by suits ---


def live(hand: Iterable[int], level: str) -> set[int]:
    """Find the natural cards of a hand that a straight flush could use (`suits=`).

    Live is a card in a window of five ranks of its suit that lacks no more than the wilds fill.
    """
    cards = list(hand)
    wild = wild_of(level)
    naturals = {card for card in cards if card < 52 and card != wild}
    windows = [{rank * 4 + suit for rank in run} for run in runs(5) for suit in range(4)]
    return {
        card
        for window in windows
        if len(window - naturals) <= cards.count(wild)
        for card in window & naturals
    }


def classes(moves: Iterable[Move], name: Callable[[Move], tuple[object, ...]]) -> list[list[Move]]:
    """Sort the moves into classes of the same name (`suits=`)."""
    named: dict[tuple[object, ...], list[Move]] = {}
    for move in moves:
        named.setdefault(name(move), []).append(move)
    return list(named.values())


def flush(
    hand: Iterable[int],
    level: str,
    switches: Switches = DEFAULT,
    moves: Iterable[Move] | None = None,
) -> set[Move]:
    """Give the list for suits="flush": one move for each (kind, rank, sig(cards)) (`suits=`)."""
    held = list(hand)
    kept = live(held, level) | {wild_of(level), NUMBERS["SB"], NUMBERS["HR"]}

    def name(move: Move) -> tuple[object, ...]:
        kind, rank, cards = move
        sig = sorted(CARDS[card] if card in kept else RANKS[rank_of(card)] for card in cards)
        return kind, rank, tuple(sig)

    exact = leads(held, level, switches) if moves is None else moves
    return {min(members, key=lambda move: move[2]) for members in classes(exact, name)}


def one(
    hand: Iterable[int],
    level: str,
    switches: Switches = DEFAULT,
    moves: Iterable[Move] | None = None,
) -> set[Move]:
    """Give the list for suits="one": one move for each choice of ranks and wilds (`suits=`)."""
    held = list(hand)
    alive = live(held, level)
    wild = wild_of(level)

    def name(move: Move) -> tuple[object, ...]:
        kind, rank, cards = move
        rest = [card for card in cards if card != wild]
        suit = rest[0] % 4 if kind == "straight_flush" else None
        return kind, rank, cards.count(wild), tuple(sorted(map(rank_of, rest))), suit

    def order(move: Move) -> tuple[int, tuple[int, ...]]:
        # A card held twice counts twice.
        return sum(card in alive for card in move[2]), move[2]

    exact = leads(held, level, switches) if moves is None else moves
    return {min(members, key=order) for members in classes(exact, name)}
