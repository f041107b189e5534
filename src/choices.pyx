"""Masks of abstract actions for states and hands, and the moves that an action stands for."""

import numpy as np

from guandan.actions import ACTIONS
from guandan.errors import IllegalMoveError

from libc.stdint cimport int64_t, uint8_t
from libc.string cimport memset

from guandan.actions cimport N_ACTIONS, set_mask
from guandan.arrays cimport Hands, Rows, rows_of
from guandan.cards cimport NO_RANK, Planes, read_int, shorten
from guandan.combos cimport PASS, Table, switches_of
from guandan.expansion cimport is_answer, list_action, value_left
from guandan.movegen cimport count
from guandan.movelist cimport MoveList, read_suits
from guandan.position cimport NO_SEAT, Position, table_of
from guandan.state cimport State, read_state

__all__ = ["action_mask", "action_masks", "expand"]


# Masks

def action_mask(state, out=None):
    """Return which abstract actions the seat to move has, a bool array of shape (393,).

    Item i says whether a legal move has the id i; none when the deal is over. `out`, bool or uint8
    and contiguous, is written and returned instead. Raises ValueError for another array.

    >>> from guandan import State
    >>> state = State(["S3 C3", "S4", "D9", "SB"], level="2", turn=0)
    >>> np.flatnonzero(action_mask(state)).tolist()
    [2, 17]
    """
    cdef State given = read_state(state)
    cdef const Position* position = &given.position
    cdef int turn = position.trick.turn
    cdef Rows rows
    if out is None:
        out = np.empty(N_ACTIONS, np.bool_)
    rows = rows_of("out", out, "bool or uint8", 0, N_ACTIONS, True)
    if turn == NO_SEAT:
        memset(rows.data, 0, N_ACTIONS)
    else:
        set_mask(&position.hands[turn], position.level, table_of(position), position.options,
                 <uint8_t*>rows.data)
    return out


def action_masks(planes, levels, beats=None, rules=None, out=None):
    """Return which abstract actions many hands have, a bool array of shape (n, 393), without the GIL.

    `planes`, `levels` and `beats` are those of `legal_moves_batch`, and raise the same errors.
    `out`, bool or uint8 of that shape and contiguous, is written and returned instead.

    >>> hands = np.array([[0b11, 0b01], [0b11, 0]], np.uint64)
    >>> action_masks(hands, levels=["3", "2"]).sum(axis=1)
    array([3, 2])
    """
    cdef Hands asked = Hands.__new__(Hands)
    cdef Rows rows
    cdef uint8_t* masks
    cdef Py_ssize_t i
    asked.read(planes, levels, beats, switches_of(rules))
    if out is None:
        out = np.empty((asked.n, N_ACTIONS), np.bool_)
    rows = rows_of("out", out, "bool or uint8", N_ACTIONS, asked.n, True)
    masks = <uint8_t*>rows.data
    with nogil:
        for i in range(asked.n):
            set_mask(&asked.hands[i], asked.levels[i], asked.table(i), asked.options,
                     masks + i * N_ACTIONS)
    return out


# The moves of an action

cdef MoveList moves_of(const Planes* hand, int level, Table table, int options, int action):
    """The legal moves of an action, in list order."""
    cdef MoveList moves
    if not is_answer(action, table, level):
        return MoveList.allocate(0, level)
    moves = MoveList.allocate(count(hand, level, Table(PASS, NO_RANK), options), level)
    moves.n = list_action(hand, level, options, action, moves.records_begin) - moves.records_begin
    return moves


def expand(state, action_id, suits="one"):
    """List the legal moves of an abstract action, the one that keeps most first, a MoveList.

    First are those after which most live cards are left: wilds, and cards in a window of five ranks
    of their suit that lacks no more than the wilds left fill, so that a straight flush can still be
    made with them. Of equal ones those with fewer wilds are first, then as in `legal_moves`.
    `suits` says which sets of cards are different moves, as there.

    Raises IllegalMoveError where no legal move is of the action, IndexError for another id than 0
    to 392, ValueError for another `suits`.

    >>> from guandan import State
    >>> state = State(["S3 C3 D3 S4 S5 S6 S7 H2", "S4", "D9", "SB"], level="2", turn=0)
    >>> list(map(str, expand(state, 17, suits="all")))[:2]  # five spades and the wild stay, or fewer
    ['pair 3 C3 D3', 'pair 3 S3 C3']
    """
    cdef State given = read_state(state)
    cdef const Position* position = &given.position
    cdef int turn = position.trick.turn
    cdef int options = read_suits(suits) | position.options
    cdef MoveList moves
    cdef int64_t[::1] left
    cdef Py_ssize_t i
    place = read_int("action_id", action_id)
    if not 0 <= place < N_ACTIONS:
        raise IndexError(f"action {shorten(place)}: want an id from 0 to {N_ACTIONS - 1}")
    if turn == NO_SEAT:
        raise IllegalMoveError(f"action {place}, {ACTIONS[place]}: the deal is over")
    moves = moves_of(&position.hands[turn], position.level, table_of(position), options, place)
    if moves.n == 0:
        raise IllegalMoveError(f"action {place}, {ACTIONS[place]}: seat {turn} has no such legal move")
    if moves.n == 1:
        return moves
    left = np.empty(moves.n, np.int64)
    for i in range(moves.n):
        left[i] = value_left(&position.hands[turn], &moves.records_begin[i], position.level)
    return moves[np.argsort(-np.asarray(left), kind="stable")]
