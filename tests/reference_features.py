"""Observations and features in slow, plain Python: from all hands and all moves of a deal."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import reference as ref

import guandan as gd

T = TypeVar("T")

RECENT = 32
FLAG_KINDS = [
    *("straight_flush", "bomb7", "bomb6", "bomb5", "bomb4", "triple", "pair"),
    *("straight", "plate", "tube", "full_house"),
]
Gift = tuple[int, int, str]
Play = tuple[int, str]


@dataclass
class Seen:
    """What a seat has seen of a deal; moves are texts, hands are lists of texts."""

    seat: int
    level: str
    levels: tuple[str, str]
    hand: list[str]
    others: list[str]
    left: list[int]
    turn: int | None
    table: str | None
    owner: int | None
    out: list[int]
    plays: list[Play]
    tributes: list[Gift]
    returns: list[Gift]

    def around(self) -> list[int]:
        """List the seats from the own on."""
        return [(self.seat + step) % 4 for step in range(4)]

    def last(self, seat: int) -> str | None:
        """Give a seat's last move."""
        return next((move for mover, move in reversed(self.plays) if mover == seat), None)

    def played(self, seat: int) -> list[str]:
        """List the cards that a seat has played."""
        return [card for mover, move in self.plays if mover == seat for card in cards_of(move)]


def see(state: gd.State, seat: int, plays: Iterable[Play] = ()) -> Seen:
    """Look at a state with one seat's eyes."""
    hands = [list(hand) for hand in state.hands]
    return Seen(
        seat=seat,
        level=state.level,
        levels=(state.level, state.level),
        hand=hands[seat],
        others=[card for other in range(4) if other != seat for card in hands[other]],
        left=[len(hand) for hand in hands],
        turn=state.turn,
        table=None if state.table is None else str(state.table),
        owner=state.owner,
        out=list(state.out),
        plays=list(plays),
        tributes=[],
        returns=[],
    )


# --- Blocks ---


def cards_of(move: str | None) -> list[str]:
    """List the cards of a move."""
    return [] if move is None else move.split()[2:]


def counts(cards: Iterable[str]) -> list[int]:
    """Count the copies of each kind of card."""
    held = list(cards)
    return [held.count(card) for card in ref.CARDS]


def one_of(value: object, values: Sequence[object]) -> list[int]:
    """Mark one of some values; none where it is not among them."""
    return [int(value == other) for other in values]


def kind_and_rank(move: str | None) -> list[int]:
    """Mark a move's kind and rank."""
    kind, rank, *_ = [*(move or "").split(), "-", "-"] if move else ["", ""]
    return one_of(kind, ref.KINDS) + one_of(rank, [*ref.RANKS, "-"])


def flags(hand: list[str], level: str, leads: Iterable[ref.Move]) -> list[int]:
    """Tell whether a wild is held, and of which kinds some lead has just one."""
    wild = ref.wild_of(level)
    kinds = {kind for kind, _, cards in leads if cards.count(wild) == 1}
    return [int(f"H{level}" in hand), *(int(kind in kinds) for kind in FLAG_KINDS)]


# --- Presets, block by block ---


def danzero_like(seen: Seen, leads: Iterable[ref.Move]) -> dict[str, list[int]]:
    """Give the blocks of the preset danzero_like."""
    _, following, partner, previous = seen.around()
    numbers = range(28)
    return {
        "hand": counts(seen.hand),
        "flags": flags(seen.hand, seen.level, leads),
        "unseen": counts(seen.others),
        "table": counts(cards_of(seen.table)),
        "last_of_partner": counts(cards_of(seen.last(partner))),
        "played_by_next": counts(seen.played(following)),
        "played_by_partner": counts(seen.played(partner)),
        "played_by_previous": counts(seen.played(previous)),
        "left_of_next": one_of(seen.left[following], numbers),
        "left_of_partner": one_of(seen.left[partner], numbers),
        "left_of_previous": one_of(seen.left[previous], numbers),
        **levels(seen),
    }


def levels(seen: Seen) -> dict[str, list[int]]:
    """Give the blocks of levels, which both presets end with."""
    return {
        "level_of_own_side": one_of(seen.levels[seen.seat % 2], ref.NATURAL_RANKS),
        "level_of_opponents": one_of(seen.levels[(seen.seat + 1) % 2], ref.NATURAL_RANKS),
        "level": one_of(seen.level, ref.NATURAL_RANKS),
    }


def planes(seen: Seen) -> dict[str, list[int]]:
    """Give the blocks of the preset planes."""
    around = seen.around()
    recent: list[Play | None] = [*reversed(seen.plays)][:RECENT]
    recent += [None] * (RECENT - len(recent))
    moves = [play and play[1] for play in recent]
    gifts = {
        name: [next((gift for gift in given if gift[0] == seat), None) for seat in around]
        for name, given in (("tributes", seen.tributes), ("returns", seen.returns))
    }
    return {
        "hand": counts(seen.hand),
        "unseen": counts(seen.others),
        "table": counts(cards_of(seen.table)),
        "played": joined(counts(seen.played(seat)) for seat in around),
        "last": joined(counts(cards_of(seen.last(seat))) for seat in around),
        "tributes": joined(counts(gift[2:] if gift else ()) for gift in gifts["tributes"]),
        "returns": joined(counts(gift[2:] if gift else ()) for gift in gifts["returns"]),
        "recent": joined(counts(cards_of(move)) for move in moves),
        "table_move": kind_and_rank(seen.table),
        "last_moves": joined(kind_and_rank(seen.last(seat)) for seat in around),
        "recent_moves": joined(map(kind_and_rank, moves)),
        "recent_seats": joined(one_of(play and play[0], around) for play in recent),
        "tribute_receivers": joined(one_of(g and g[1], around) for g in gifts["tributes"]),
        "return_receivers": joined(one_of(g and g[1], around) for g in gifts["returns"]),
        "left": joined(one_of(seen.left[seat], range(29)) for seat in around),
        "out": joined(one_of(seat, around) for seat in [*seen.out, None, None, None][:3]),
        "owner": one_of(seen.owner, around),
        "turn": one_of(seen.turn, around),
        "seat": one_of(seen.seat, range(4)),
        **levels(seen),
    }


def joined(parts: Iterable[list[int]]) -> list[int]:
    """Put lists behind one another."""
    return [value for part in parts for value in part]


# --- Back from planes ---


class Decoded(NamedTuple):
    """All that planes tell; `recent` begins with the earliest move."""

    seat: int
    level: str
    levels: tuple[str, str]
    hand: gd.Hand
    unseen: gd.Hand
    left: tuple[int, ...]
    turn: int | None
    table: gd.Move | None
    owner: int | None
    out: tuple[int, ...]
    played: tuple[gd.Hand, ...]
    last: tuple[gd.Move | None, ...]
    recent: tuple[tuple[int, gd.Move], ...]
    tributes: tuple[Gift, ...]
    returns: tuple[Gift, ...]


def parts(values: Sequence[int], n: int) -> list[Sequence[int]]:
    """Cut values into n parts of one length."""
    length = len(values) // n
    return [values[i * length : (i + 1) * length] for i in range(n)]


def place(values: Sequence[int]) -> int | None:
    """Give the place of the 1, None where all are 0."""
    found = [i for i, value in enumerate(values) if value]
    assert len(found) <= 1
    return found[0] if found else None


def decode(blocks: dict[str, list[int]]) -> Decoded:
    """Read what the blocks of planes tell."""
    seat = place(blocks["seat"])
    assert seat is not None
    own, theirs = (level_at(blocks[f"level_of_{side}"]) for side in ("own_side", "opponents"))
    return Decoded(
        seat=seat,
        level=level_at(blocks["level"]),
        levels=(theirs, own) if seat % 2 else (own, theirs),
        hand=gd.Hand.from_counts(blocks["hand"]),
        unseen=gd.Hand.from_counts(blocks["unseen"]),
        left=by_seat(seat, [place(part) for part in parts(blocks["left"], 4)]),
        turn=seat_at(seat, blocks["turn"]),
        table=move_at(blocks["table_move"], blocks["table"]),
        owner=seat_at(seat, blocks["owner"]),
        out=given(seat_at(seat, part) for part in parts(blocks["out"], 3)),
        played=by_seat(seat, map(gd.Hand.from_counts, parts(blocks["played"], 4))),
        last=by_seat(seat, moves_at(blocks["last_moves"], blocks["last"], 4)),
        recent=recent_plays(seat, blocks),
        tributes=gifts_at(seat, blocks["tribute_receivers"], blocks["tributes"]),
        returns=gifts_at(seat, blocks["return_receivers"], blocks["returns"]),
    )


def by_seat(seat: int, around: Iterable[T]) -> tuple[T, ...]:
    """Turn what goes from the own seat on into what goes from seat 0 on."""
    values = list(around)
    return tuple(values[(other - seat) % 4] for other in range(4))


def given(values: Iterable[T | None]) -> tuple[T, ...]:
    """Leave out what is None."""
    return tuple(value for value in values if value is not None)


def level_at(values: Sequence[int]) -> str:
    """Read a level."""
    code = place(values)
    assert code is not None
    return ref.NATURAL_RANKS[code]


def seat_at(seat: int, values: Sequence[int]) -> int | None:
    """Read a seat that is told from the own one on."""
    step = place(values)
    return None if step is None else (seat + step) % 4


def move_at(values: Sequence[int], cards: Sequence[int]) -> gd.Move | None:
    """Read a move."""
    kind, rank = place(values[:17]), place(values[17:])
    if kind is None or rank is None:
        return None
    if ref.KINDS[kind] == "pass":
        return gd.Move.parse("pass")
    return gd.Move.parse(
        f"{ref.KINDS[kind]} {[*ref.RANKS, '-'][rank]} {gd.Hand.from_counts(cards)}"
    )


def moves_at(values: Sequence[int], cards: Sequence[int], n: int) -> list[gd.Move | None]:
    """Read n moves."""
    return [move_at(*part) for part in zip(parts(values, n), parts(cards, n), strict=True)]


def recent_plays(seat: int, blocks: dict[str, list[int]]) -> tuple[tuple[int, gd.Move], ...]:
    """Read the last moves, the earliest first."""
    moves = moves_at(blocks["recent_moves"], blocks["recent"], RECENT)
    seats = [seat_at(seat, part) for part in parts(blocks["recent_seats"], RECENT)]
    plays = [
        None if mover is None or move is None else (mover, move)
        for mover, move in zip(seats, moves, strict=True)
    ]
    return given(reversed(plays))


def gifts_at(seat: int, receivers: Sequence[int], cards: Sequence[int]) -> tuple[Gift, ...]:
    """Read the gifts of the seats from 0 on."""
    found: list[Gift] = []
    for step, (receiver, card) in enumerate(zip(parts(receivers, 4), parts(cards, 4), strict=True)):
        to, kind = seat_at(seat, receiver), place(card)
        if to is not None and kind is not None:
            found.append(((seat + step) % 4, to, ref.CARDS[kind]))
    return tuple(sorted(found))
