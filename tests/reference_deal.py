"""The trick rules of Guandan in slow, plain Python: the oracle for deals in play."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Literal

from reference import (
    CARDS,
    DEFAULT,
    RANKS,
    SHAPES,
    Move,
    Reading,
    Switches,
    beats,
    fillings,
    leads,
    parse,
    rank_of,
    readings,
    wild_of,
)

PASS: Move = ("pass", "-", ())
SEATS = range(4)

LeadAfterOut = Literal["partner", "next"]
Steps = tuple[int, int, int]
Result = tuple[int, int]
RESULTS: list[Result] = [(side, place) for side in (0, 1) for place in (2, 3, 4)]


def partner(seat: int) -> int:
    """Give the other seat of the same side (notation)."""
    return (seat + 2) % 4


def decided(out: Sequence[int]) -> bool:
    """Tell whether the seats that are out, in order, end a deal (section 4)."""
    return len(out) >= 3 or (len(out) == 2 and out[1] == partner(out[0]))


def result(out: Sequence[int]) -> Result:
    """Give the side of the first and the place of his partner, 2 to 4, once it is decided."""
    first, place = out[0], 4
    if partner(first) in out:
        place = out.index(partner(first)) + 1
    return first % 2, place


def leader(winner: int, out: Sequence[int], lead_after_out: LeadAfterOut) -> int:
    """Tell who leads after a trick (section 4)."""
    if winner not in out:
        return winner
    # The partner has cards: a side that is out has ended the deal.
    if lead_after_out == "partner":
        return partner(winner)
    after = [(winner + step) % 4 for step in (1, 2, 3)]
    return next(seat for seat in after if seat not in out)


def next_turn(
    seat: int, owner: int, out: Sequence[int], lead_after_out: LeadAfterOut
) -> tuple[int, bool]:
    """Tell whose turn it is after a seat's, and whether he leads, the trick being over."""
    # The next seat with cards, but not past the owner, in or out: all others have passed then.
    following = (seat + 1) % 4
    while following in out and following != owner:
        following = (following + 1) % 4
    if following == owner:
        return leader(owner, out, lead_after_out), True
    return following, False


# In a tree of moves the same hand comes again and again, and meets the same table. The lists of
# large hands are long: few are kept.
@lru_cache(maxsize=1 << 12)
def combos(hand: tuple[int, ...], level: str, switches: Switches) -> frozenset[Move]:
    """Find every combo in a hand."""
    return frozenset(leads(hand, level, switches))


@lru_cache(maxsize=1 << 12)
def options(
    hand: tuple[int, ...], level: str, table: Reading | None, switches: Switches
) -> frozenset[Move]:
    """Find what a seat may do: any combo as a lead, else the pass and what beats the table."""
    found = combos(hand, level, switches)
    if table is None:
        return found
    return frozenset({PASS, *(move for move in found if beats(move[:2], table, level))})


@dataclass
class Deal:
    """A deal in play (section 4): four hands of numbers of cards, and where the trick stands.

    `turn` is None when the deal is over, `table` and `owner` are None for a lead. Who has passed
    needs no field: the seats between the owner and the turn.
    """

    hands: list[list[int]]
    level: str
    turn: int | None
    table: Reading | None = None
    owner: int | None = None
    out: list[int] = field(default_factory=list)
    switches: Switches = DEFAULT
    lead_after_out: LeadAfterOut = "partner"
    steps: Steps = (3, 2, 1)

    def __post_init__(self) -> None:
        """Keep lists of its own, the hands sorted, that deals which stand alike are equal."""
        self.hands = [sorted(hand) for hand in self.hands]
        self.out = list(self.out)

    @property
    def is_over(self) -> bool:
        """Whether nobody is to play."""
        return self.turn is None

    def copy(self) -> "Deal":
        """Give a deal of its own that stands alike."""
        return replace(self)

    def moves(self) -> set[Move]:
        """List what the seat to move may do; nothing when the deal is over."""
        if self.turn is None:
            return set()
        return set(options(tuple(self.hands[self.turn]), self.level, self.table, self.switches))

    def play(self, move: Move) -> None:
        """Play a move of `moves()` and find whose turn it is then."""
        if self.turn is None or move not in self.moves():
            raise ValueError(f"no legal move here: {move}")
        seat = self.turn
        if move != PASS:
            for card in move[2]:
                self.hands[seat].remove(card)
            self.table, self.owner = move[:2], seat
            if not self.hands[seat]:
                self.out.append(seat)
        if decided(self.out):
            self.turn = self.table = self.owner = None
            return
        assert self.owner is not None
        self.turn, leads = next_turn(seat, self.owner, self.out, self.lead_after_out)
        if leads:
            self.table = self.owner = None

    def skip(self) -> None:
        """Let the seat to move lose its turn: it passes, or the next one that holds cards leads."""
        if self.table is not None:
            self.play(PASS)
            return
        assert self.turn is not None
        self.turn = next(seat for n in (1, 2, 3) if self.hands[seat := (self.turn + n) % 4])

    def order(self) -> list[int] | None:
        """List the seats from first to last; those that the end leaves with cards by number."""
        if not self.is_over:
            return None
        return self.out + [seat for seat in SEATS if seat not in self.out]

    def payoff(self) -> int | None:
        """Give the steps of side 0: those of the side of the first, negative if that is side 1."""
        if not self.is_over:
            return None
        side, place = result(self.out)
        steps = self.steps[place - 2]
        return steps if side == 0 else -steps


def positions_after(deal: Deal) -> dict[Move, Deal]:
    """Give what the deal comes to by each move; nothing when it is over."""
    found = {}
    for move in sorted(deal.moves()):
        found[move] = deal.copy()
        found[move].play(move)
    return found


def perft(deal: Deal, depth: int) -> int:
    """Count the sequences of exactly `depth` moves, passes included.

    A deal that ends earlier gives none.
    """
    # Sequences that meet in one position go on alike; the rules are the same throughout.
    counted: dict[tuple[str, int], int] = {}

    def count(position: Deal, left: int) -> int:
        if left == 0:
            return 1
        if left == 1:
            return len(position.moves())
        key = text(position), left
        if key not in counted:
            afters = positions_after(position).values()
            counted[key] = sum(count(after, left - 1) for after in afters)
        return counted[key]

    return count(deal, depth)


# --- Text ---


def parse_deal(
    state: str, lead_after_out: LeadAfterOut = "partner", steps: Steps = (3, 2, 1), **switches: Any
) -> Deal:
    """Read a deal from its text; the rules, which the text does not carry, are given by name."""
    hands, level, turn, table, out = state.split()
    # The cards on the table, where told, matter to nobody: kind and rank have to be beaten.
    owner, kind, rank = table.split(":")[:3] if table != "-" else ("", "", "")
    return Deal(
        hands=[parse(hand.replace("-", "")) for hand in hands.split("/")],
        level=level,
        turn=None if turn == "-" else int(turn),
        table=(kind, rank) if owner else None,
        owner=int(owner) if owner else None,
        out=[int(seat) for seat in out.replace("-", "")],
        switches=Switches(**switches),
        lead_after_out=lead_after_out,
        steps=steps,
    )


def parse_move(text: str) -> Move:
    """Read a move from its text, such as `pair 9 S9 C9` or `pass`."""
    if text == "pass":
        return PASS
    kind, rank, *cards = text.split()
    return kind, rank, tuple(sorted(parse("".join(cards))))


def text(deal: Deal) -> str:
    """Write a deal as text, such as `S4S5D9/SBHR/-/C2C2H3 7 0 3:pair:2 2`."""
    hands = "/".join("".join(CARDS[card] for card in hand) or "-" for hand in deal.hands)
    turn = "-" if deal.turn is None else str(deal.turn)
    table = "-" if deal.table is None else ":".join([str(deal.owner), *deal.table])
    out = "".join(map(str, deal.out)) or "-"
    return f"{hands} {deal.level} {turn} {table} {out}"


# --- What no deal can give ---


def makeable(reading: Reading, cards: list[int], level: str, switches: Switches = DEFAULT) -> bool:
    """Tell whether some of the cards can be played as this kind and rank (section 2)."""
    wild = wild_of(level)
    naturals: list[list[int]] = [[] for _ in RANKS]
    for card in cards:
        if card != wild:
            naturals[rank_of(card)].append(card)
    kind, key = reading
    shape = ("straight" if kind == "straight_flush" else kind, key)
    return any(
        reading in readings(chosen + (wild,) * used, level, switches)
        for *name, groups in SHAPES
        if tuple(name) == shape
        for chosen, used in fillings(groups, naturals, cards.count(wild))
    )


def problems(deal: Deal) -> list[str]:
    """Say all that keeps a position from being one that a deal can come to."""
    found: list[str] = []
    held = [card for hand in deal.hands for card in hand]
    found += [f"too many {CARDS[card]}" for card in sorted({*held}) if held.count(card) > 2]
    found += [f"seat {seat} holds too many" for seat in SEATS if len(deal.hands[seat]) > 27]
    if sorted(deal.out) != [seat for seat in SEATS if not deal.hands[seat]]:
        found.append("out is not the seats without cards")
    if decided(deal.out) or deal.turn is None:
        if not (decided(deal.out) and (deal.turn, deal.table, deal.owner) == (None, None, None)):
            found.append("over by out, turn or table, but not by all three")
        if decided(deal.out[:-1]):
            found.append("a seat went out after the end")
    if deal.turn in deal.out:
        found.append("the turn is out")
    if (deal.table is None) is not (deal.owner is None):
        found.append("a table without owner, or an owner without table")
    if deal.table is not None and deal.owner is not None:
        if deal.owner == deal.turn:
            found.append("the owner is to play")
        if deal.owner in deal.out[:-1]:
            found.append("the owner is out, but not as the last")
        unseen = [card for card in range(54) for _ in range(2 - held.count(card))]
        if not makeable(deal.table, unseen, deal.level, deal.switches):
            found.append("too few cards are gone to make the table")
        if len(deal.hands[deal.owner]) + size_of(deal.table[0]) > 27:
            found.append("the owner had too many")
    return found


def size_of(kind: str) -> int:
    """Give the number of cards of a kind of move (section 2)."""
    shape = "straight" if kind == "straight_flush" else kind
    return next(sum(size for _, size in groups) for name, _, groups in SHAPES if name == shape)
