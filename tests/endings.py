"""Random endings as texts, plain and rich in combos, and others that have to be worth the same."""

import random
from collections.abc import Callable
from itertools import pairwise

from positions import problems
from reference import (
    ACE,
    BIG_JOKER,
    DEFAULT,
    KINDS,
    NATURAL_RANKS,
    SHAPES,
    SMALL_JOKER,
    Group,
    Reading,
    Switches,
    beats,
    rank_of,
    wild_of,
)
from reference_deal import SEATS, Deal, combos, decided, parse_deal, size_of, text

PLAYS = KINDS[1:]
# Rules that differ in what beats what.
SWITCHES = [DEFAULT, Switches("forbid", False, False, 8), Switches("other_suit")]
# What a kind is made of: the key and the groups.
FORMS: dict[str, list[tuple[str, list[Group]]]] = {kind: [] for kind in PLAYS}
for shape, key, groups in SHAPES:
    FORMS[shape].append((key, groups))
FORMS["straight_flush"] = FORMS["straight"]

CARDS_OF_RANK = [[card for card in range(54) if rank_of(card) == rank] for rank in range(15)]
# All suits but that of the wilds, which a swap would make other cards.
FREE_SUITS = (0, 2, 3)


def random_ending(rng: random.Random, cards: int, switches: Switches = DEFAULT) -> str:
    """Give a position with so many cards, whatever they are: most make little more than singles."""

    def deal(sizes: list[int], level: str) -> list[list[int]]:
        dealt = rng.sample([*range(54)] * 2, cards)
        return [[dealt.pop() for _ in range(size)] for size in sizes]

    return text(ending(rng, cards, switches, deal))


def rich_ending(rng: random.Random, cards: int, switches: Switches = DEFAULT) -> str:
    """Give a position with so many cards that are dealt by the combo, most from a few ranks."""

    def deal(sizes: list[int], level: str) -> list[list[int]]:
        pack = Pack(rng, level)
        # The largest hand comes first: large bombs need most of a rank.
        places = sorted(range(len(sizes)), key=lambda place: -sizes[place])
        hands = {place: pack.hand(sizes[place]) for place in places}
        return [hands[place] for place in range(len(sizes))]

    return text(ending(rng, cards, switches, deal))


DRAWS = [random_ending, rich_ending]


def ending(
    rng: random.Random,
    cards: int,
    switches: Switches,
    deal: Callable[[list[int], str], list[list[int]]],
) -> Deal:
    """Give a position whose hands are dealt by sizes and level; seats may be out, a table lie."""
    out = seats_out(rng, cards)
    left = [seat for seat in SEATS if seat not in out]
    sizes = [28]
    while max(sizes) > 27:
        cuts = [0, *sorted(rng.sample(range(1, cards), len(left) - 1)), cards]
        sizes = [end - start for start, end in pairwise(cuts)]
    level = rng.choice(NATURAL_RANKS)
    dealt = dict(zip(left, deal(sizes, level), strict=True))
    hands = [dealt.get(seat, []) for seat in SEATS]
    position = Deal(hands, level, rng.choice(left), out=out, switches=switches)
    if rng.random() < 0.5:
        lay_table(rng, position)
    return position


def seats_out(rng: random.Random, cards: int) -> list[int]:
    """Choose seats that are out, in order, so that some cards are left for each of the others."""
    while True:
        out = rng.sample(SEATS, rng.choice([0, 0, 0, 1, 1, 2]))
        if not decided(out) and 4 - len(out) <= cards:
            return out


def lay_table(rng: random.Random, position: Deal) -> None:
    """Lay a table of any kind that a deal can come to, most often one that can be beaten."""
    others = [seat for seat in SEATS if position.hands[seat] and seat != position.turn]
    owner = rng.choice(others + position.out[-1:])
    held = {
        combo[:2]
        for seat in SEATS
        if seat != owner
        for combo in combos(tuple(position.hands[seat]), position.level, position.switches)
    }
    any_will_do = rng.random() < 0.3
    # A hand of a few cards beats few kinds, so it may take many tries.
    for _ in range(50):
        kind = rng.choice(PLAYS)
        table: Reading = kind, rng.choice(FORMS[kind])[0]
        if any_will_do or any(beats(reading, table, position.level) for reading in held):
            position.table, position.owner = table, owner
            if is_sound(position):
                return
    position.table = position.owner = None


def is_sound(position: Deal) -> bool:
    """Tell whether a deal can come to a position; the reference takes too long to tell."""
    return not problems(text(position), **position.switches._asdict())


# --- Hands that are rich in combos ---


class Pack:
    """The cards that rich hands are dealt from, and the few ranks and the suit they are rich in."""

    def __init__(self, rng: random.Random, level: str) -> None:
        """Choose what the hands will be rich in: a suit and ranks in a row, and maybe jokers."""
        self.rng = rng
        self.wild = wild_of(level)
        self.left = [2] * 54
        bottom = rng.randrange(-1, 9)
        self.ranks = {rank % 13 for rank in range(bottom, bottom + rng.randint(4, 6))}
        if rng.random() < 0.5:
            self.ranks |= {SMALL_JOKER, BIG_JOKER}
        self.suit = rng.randrange(4)

    def hand(self, size: int) -> list[int]:
        """Deal a hand combo by combo, with an odd card where a combo cannot be dealt."""
        hand: list[int] = []
        while len(hand) < size:
            hand += self.combo(size - len(hand)) or self.card()
        return hand

    def combo(self, room: int) -> list[int] | None:
        """Deal a combo of the ranks, if there is one; None if not all its cards are left."""
        kind = self.rng.choice([kind for kind in PLAYS if size_of(kind) <= room])
        forms = [form for _, form in FORMS[kind]]
        near = [form for form in forms if all(rank in self.ranks for rank, _ in form)]
        dealt: list[int] = []
        for rank, size in self.rng.choice(near or forms):
            natural = [
                card
                for card in CARDS_OF_RANK[rank]
                if card != self.wild and (kind != "straight_flush" or card % 4 == self.suit)
                for _ in range(self.left[card])
            ]
            # A wild now and then, even where nothing is lacking.
            wanted = size - (rank <= ACE and self.rng.random() < 0.15)
            chosen = self.rng.sample(natural, min(wanted, len(natural)))
            if rank > ACE and len(chosen) < size:
                return None
            dealt += chosen + [self.wild] * (size - len(chosen))
        if dealt.count(self.wild) > self.left[self.wild]:
            return None
        for card in dealt:
            self.left[card] -= 1
        return dealt

    def card(self) -> list[int]:
        """Deal a card of the ranks, if there is one, and most often of the suit."""
        left = [card for card in range(54) for _ in range(self.left[card])]
        near = [card for card in left if rank_of(card) in self.ranks] or left
        flush = [card for card in near if card % 4 == self.suit]
        card = self.rng.choice(flush if flush and self.rng.random() < 0.5 else near)
        self.left[card] -= 1
        return [card]


# --- Positions that are worth the same ---


def turned(state: str, by: int) -> str:
    """Move every seat on: by two the value stays, by one or three it is the other side's."""
    deal = parse_deal(state)
    deal.hands = [deal.hands[(seat - by) % 4] for seat in SEATS]
    deal.turn = None if deal.turn is None else (deal.turn + by) % 4
    deal.owner = None if deal.owner is None else (deal.owner + by) % 4
    deal.out = [(seat + by) % 4 for seat in deal.out]
    return text(deal)


def suits_swapped(rng: random.Random, state: str, switches: Switches = DEFAULT) -> str:
    """Swap spades, clubs and diamonds, in each hand as it comes: the value stays."""
    deal = parse_deal(state, **switches._asdict())
    whole = deal.copy()
    for attempt in range(20):
        swaps = [dict(zip(FREE_SUITS, rng.sample(FREE_SUITS, 3), strict=True)) for _ in SEATS]
        if attempt == 19:
            # What hands swap alike cannot be too many of a card, or too few for the table.
            swaps = swaps[:1] * 4
        deal.hands = [
            sorted(swapped(card, swap) for card in hand)
            for hand, swap in zip(whole.hands, swaps, strict=True)
        ]
        if is_sound(deal):
            break
    return text(deal)


def swapped(card: int, swap: dict[int, int]) -> int:
    """Give the card of the same rank whose suit stands for that of a card."""
    suit = card % 4
    return card if card >= 52 else card - suit + swap.get(suit, suit)
