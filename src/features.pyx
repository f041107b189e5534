"""Observations and moves as numpy arrays of counts and flags, for learners.

All values are small counts, so uint8 holds them exactly, in a quarter of the memory of float32: a
buffer of observations is converted where they are used. Seats are relative to the one that
observes: own, next, partner, previous. `LAYOUTS` has the place of each block of values, by preset.
"""

from collections.abc import Iterable
from types import MappingProxyType

import numpy as np

from libc.stdint cimport uint16_t
from libc.string cimport memset

from guandan.arrays cimport Rows, rows_of
from guandan.cards cimport (
    HAND_SIZE, N_KINDS_OF_CARD, N_RANKS, N_SEATS, NO_RANK, Planes, shorten, wild_bit, write_counts,
)
from guandan.census cimport Census, take_census
from guandan.combos cimport (
    FULL_HOUSE, N_KINDS, PAIR, PASS, PLATE, STRAIGHT, TRIPLE, TUBE, Move, Record, Table, cards_of,
    kind_of, rank_of,
)
from guandan.holding cimport Holding, flush_windows, observe, ranks_holding
from guandan.movelist cimport MoveBatch, MoveList, write_all_counts
from guandan.observation cimport (
    MOST_LEFT, N_RECENT, Gift, Observation, is_known, read_levels, read_observation,
)
from guandan.position cimport NO_SEAT

cdef extern from "lanes.h" nogil:
    int lanes_total(const uint16_t* counts)

__all__ = ["FLAGS", "LAYOUTS", "moves", "observation"]

FLAGS = ("wild", "straight_flush", "bomb7", "bomb6", "bomb5", "bomb4", "triple", "pair", "straight",
         "plate", "tube", "full_house")

cdef enum:
    N_FLAGS = 12
    N_LEFT = HAND_SIZE + 1     # numbers of cards in play
    N_CODES = NO_RANK + 1      # ranks of moves
    N_PLACES = 3               # of seats that run out


# Layouts

def layout_of(blocks):
    """Return where each block of values lies: a mapping from names to slices."""
    places = {}
    start = 0
    for name, length in blocks.items():
        places[name] = slice(start, start + length)
        start += length
    return MappingProxyType(places)


LAYOUTS = MappingProxyType({
    "danzero_like": layout_of({
        "hand": N_KINDS_OF_CARD,
        "flags": N_FLAGS,
        "unseen": N_KINDS_OF_CARD,
        "table": N_KINDS_OF_CARD,
        "last_of_partner": N_KINDS_OF_CARD,
        "played_by_next": N_KINDS_OF_CARD,
        "played_by_partner": N_KINDS_OF_CARD,
        "played_by_previous": N_KINDS_OF_CARD,
        "left_of_next": N_LEFT,
        "left_of_partner": N_LEFT,
        "left_of_previous": N_LEFT,
        "level_of_own_side": N_RANKS,
        "level_of_opponents": N_RANKS,
        "level": N_RANKS,
    }),
    "planes": layout_of({
        "hand": N_KINDS_OF_CARD,
        "unseen": N_KINDS_OF_CARD,
        "table": N_KINDS_OF_CARD,
        "played": N_SEATS * N_KINDS_OF_CARD,
        "last": N_SEATS * N_KINDS_OF_CARD,
        "tributes": N_SEATS * N_KINDS_OF_CARD,
        "returns": N_SEATS * N_KINDS_OF_CARD,
        "recent": N_RECENT * N_KINDS_OF_CARD,
        "table_move": N_KINDS + N_CODES,
        "last_moves": N_SEATS * (N_KINDS + N_CODES),
        "recent_moves": N_RECENT * (N_KINDS + N_CODES),
        "recent_seats": N_RECENT * N_SEATS,
        "tribute_receivers": N_SEATS * N_SEATS,
        "return_receivers": N_SEATS * N_SEATS,
        "left": N_SEATS * (MOST_LEFT + 1),
        "out": N_PLACES * N_SEATS,
        "owner": N_SEATS,
        "turn": N_SEATS,
        "seat": N_SEATS,
        "level_of_own_side": N_RANKS,
        "level_of_opponents": N_RANKS,
        "level": N_RANKS,
    }),
})

assert LAYOUTS["danzero_like"]["level"].stop == DANZERO_SIZE
assert LAYOUTS["planes"]["recent"].stop == N_PLANES * N_KINDS_OF_CARD
assert LAYOUTS["planes"]["level"].stop == PLANES_SIZE


# Blocks: each is written where it begins, in zeros, and its end returned

cdef inline uint8_t* write_cards(Planes cards, uint8_t* out) noexcept nogil:
    """Write the copies of each kind of card."""
    write_counts(&cards, out)
    return out + N_KINDS_OF_CARD


cdef inline uint8_t* write_one(int place, int n, uint8_t* out) noexcept nogil:
    """Write n values, 1 at one place and 0 elsewhere; all 0 if the place is not below n."""
    if place < n:
        out[place] = 1
    return out + n


cdef inline uint8_t* write_seat(const View* view, int seat, uint8_t* out) noexcept nogil:
    """Write a seat as own, next, partner or previous; all 0 for NO_SEAT."""
    return write_one(NO_SEAT if seat == NO_SEAT else seat - view.seat & 3, N_SEATS, out)


cdef inline uint8_t* write_move(const Record* move, uint8_t* out) noexcept nogil:
    """Write the kind and the rank of a move; all 0 where none is known."""
    cdef bint known = is_known(move)
    out = write_one(kind_of(move) if known else N_KINDS, N_KINDS, out)
    return write_one(rank_of(move) if known else N_CODES, N_CODES, out)


cdef inline uint8_t* write_gifts(const View* view, const Gift* gifts, uint8_t* out) noexcept nogil:
    """Write the cards that seats give, from the own on."""
    cdef const Gift* gift
    cdef int r
    for r in range(N_SEATS):
        gift = &gifts[view.seat + r & 3]
        out = write_one(N_KINDS_OF_CARD if gift.receiver == NO_SEAT else gift.card, N_KINDS_OF_CARD, out)
    return out


cdef inline uint8_t* write_levels(const View* view, uint8_t* out) noexcept nogil:
    """Write the levels of the own side, of the opponents, and of the deal."""
    out = write_one(view.levels[view.seat & 1], N_RANKS, out)
    out = write_one(view.levels[~view.seat & 1], N_RANKS, out)
    return write_one(view.level, N_RANKS, out)


cdef inline int total(const Census* census, int kind) noexcept nogil:
    """How many full houses, straights, tubes or plates were counted."""
    return lanes_total(census.products[kind - FULL_HOUSE])


cdef uint8_t* write_flags(const View* view, uint8_t* out) noexcept nogil:
    """Write FLAGS: whether a wild is held, and of which kinds there are moves with just one wild."""
    cdef Holding holding
    cdef Census natural, wild
    cdef Table lead = Table(PASS, NO_RANK)
    cdef int size
    if not view.hand.once & wild_bit(view.level):
        return out + N_FLAGS
    observe(&holding, &view.hand, view.level, view.options)
    holding.bombs = 0          # none need be counted
    holding.wilds = 0
    take_census(&holding, lead, &natural)
    holding.wilds = 1
    take_census(&holding, lead, &wild)
    out[0] = 1
    out[1] = flush_windows(&holding) != 0
    for size in range(4, 8):
        out[9 - size] = ranks_holding(&holding, size - 1) != 0
    out[6] = wild.equal[TRIPLE] > natural.equal[TRIPLE]
    out[7] = wild.equal[PAIR] > natural.equal[PAIR]
    out[8] = total(&wild, STRAIGHT) > total(&natural, STRAIGHT)
    out[9] = total(&wild, PLATE) > total(&natural, PLATE)
    out[10] = total(&wild, TUBE) > total(&natural, TUBE)
    out[11] = total(&wild, FULL_HOUSE) > total(&natural, FULL_HOUSE)
    return out + N_FLAGS


# Presets

cdef void write_observation(const View* view, uint8_t* out) noexcept nogil:
    """Write the DANZERO_SIZE values of the preset danzero_like."""
    cdef int r
    memset(out, 0, DANZERO_SIZE)
    out = write_cards(view.hand, out)
    out = write_flags(view, out)
    out = write_cards(view.unseen, out)
    out = write_cards(cards_of(&view.table), out)
    out = write_cards(cards_of(&view.last[view.seat + 2 & 3]), out)
    for r in range(1, N_SEATS):
        out = write_cards(view.played[view.seat + r & 3], out)
    for r in range(1, N_SEATS):
        out = write_one(view.left[view.seat + r & 3], N_LEFT, out)
    write_levels(view, out)


cdef void write_planes(const View* view, uint8_t* out) noexcept nogil:
    """Write the PLANES_SIZE values of the preset planes."""
    cdef int i
    memset(out, 0, PLANES_SIZE)
    out = write_cards(view.hand, out)
    out = write_cards(view.unseen, out)
    out = write_cards(cards_of(&view.table), out)
    for i in range(N_SEATS):
        out = write_cards(view.played[view.seat + i & 3], out)
    for i in range(N_SEATS):
        out = write_cards(cards_of(&view.last[view.seat + i & 3]), out)
    out = write_gifts(view, view.tributes, out)
    out = write_gifts(view, view.returns, out)
    for i in range(N_RECENT):
        out = write_cards(cards_of(&view.recent[i]), out)
    out = write_move(&view.table, out)
    for i in range(N_SEATS):
        out = write_move(&view.last[view.seat + i & 3], out)
    for i in range(N_RECENT):
        out = write_move(&view.recent[i], out)
    for i in range(N_RECENT):
        out = write_seat(view, view.movers[i] if is_known(&view.recent[i]) else NO_SEAT, out)
    write_rest(view, out)


cdef void write_rest(const View* view, uint8_t* out) noexcept nogil:
    """Write what the planes have of seats and levels."""
    cdef int i
    for i in range(N_SEATS):
        out = write_seat(view, view.tributes[view.seat + i & 3].receiver, out)
    for i in range(N_SEATS):
        out = write_seat(view, view.returns[view.seat + i & 3].receiver, out)
    for i in range(N_SEATS):
        out = write_one(view.left[view.seat + i & 3], MOST_LEFT + 1, out)
    for i in range(N_PLACES):
        out = write_seat(view, view.out[i] if i < view.n_out else NO_SEAT, out)
    out = write_seat(view, view.owner, out)
    out = write_seat(view, view.turn, out)
    out = write_one(view.seat, N_SEATS, out)
    write_levels(view, out)


def observation(obs, preset="danzero_like", out=None, levels=None):
    """Return what a seat knows as a uint8 array, one of `LAYOUTS`.

    The preset "danzero_like" has 513 values, much as those of the published agents; "planes"
    begins with 51 planes of 54 kinds of card and tells all of an Observation but its rules, what
    of its standing is no level, and the plays before the last 32 moves. `out` is a uint8 array of
    that length, contiguous, to write into and to return. `levels` are the levels of both sides
    instead of those of the Observation.

    Raises TypeError for what is no Observation, ValueError for another preset or `out`,
    NotationError for levels that cannot be read.

    >>> from guandan.state import State
    >>> array = observation(State.deal("2", seed=7).observe(0))
    >>> array.shape, array[LAYOUTS["danzero_like"]["hand"]].sum()
    ((513,), np.uint64(27))
    """
    cdef Observation seen
    cdef Rows rows
    cdef View view
    cdef uint8_t* values
    seen = read_observation(obs)
    if not isinstance(preset, str) or preset not in LAYOUTS:
        raise ValueError(f"preset {shorten(preset)}: want {' or '.join(map(repr, LAYOUTS))}")
    size = LAYOUTS[preset]["level"].stop
    view = seen.view
    if levels is not None:
        read_levels(levels, view.levels)
    if out is None:
        out = np.empty(size, np.uint8)
    rows = rows_of("out", out, "uint8", 0, size, True)
    values = <uint8_t*>rows.data
    if preset == "planes":
        write_planes(&view, values)
    else:
        write_observation(&view, values)
    return out


def moves(moves, out=None):
    """Return the cards of moves as copies of each kind, a uint8 array of shape (n, 54).

    `moves` is a MoveList, a MoveBatch, or another iterable of moves, each a Move or its text; a
    pass has no cards. `out` is a contiguous uint8 array of that shape, to write into and return.

    >>> moves(["pair 2 S2 H2", "pass"])[:, :4]
    array([[1, 1, 0, 0],
           [0, 0, 0, 0]], dtype=uint8)
    """
    cdef MoveList listed
    cdef Rows rows
    if isinstance(moves, MoveList):
        listed = moves
    elif isinstance(moves, MoveBatch):
        listed = (<MoveBatch>moves).moves
    else:
        listed = listed_moves(moves)
    if out is None:
        out = np.empty((listed.n, N_KINDS_OF_CARD), np.uint8)
    rows = rows_of("out", out, "uint8", N_KINDS_OF_CARD, listed.n, True)
    write_all_counts(listed.records_begin, listed.n, <uint8_t*>rows.data)
    return out


cdef MoveList listed_moves(object moves):
    """Some moves or their texts as a MoveList."""
    cdef MoveList listed
    cdef Move move
    cdef Py_ssize_t place
    if isinstance(moves, str) or not isinstance(moves, Iterable):
        raise TypeError(f"moves: want an iterable of moves, got {shorten(moves)}")
    given = [item if isinstance(item, Move) else Move.parse(item) for item in moves]
    listed = MoveList.allocate(len(given), 0)  # at no level: only the cards are read
    for place, move in enumerate(given):
        listed.records_begin[place] = move.record
    return listed
