"""Endgames solved exactly: the value of a state with open cards, of its moves and of a record's."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import inf
from time import perf_counter
from typing import Literal, NamedTuple, get_args

from guandan.cards import read_int, shorten
from guandan.checker import check_test
from guandan.combos import Move
from guandan.errors import IllegalMoveError, ProofError, StateError
from guandan.rules import Rules
from guandan.scale import Scale, Utility, for_side, read_number
from guandan.search import Search
from guandan.state import State, read_state

__all__ = [
    "RatedMove",
    "Review",
    "Solution",
    "Solver",
    "rate_moves",
    "review",
    "solve",
]

Mode = Literal["exact", "best", "sign"]
Ranks = tuple[int, int]  # the bounds of a position, as ranks of a Scale
Limits = tuple[int | None, float | None]  # nodes and seconds
Found = tuple[int, int, list[Move], int]  # bounds, a line where they meet, nodes

# Larger limits are as good as none, and do not fit the search's numbers.
MOST_NODES = 2**63 - 1
MOST_SECONDS = 10**9
MOST_SPARE_MB = 8  # memory that a Solver may hold to be used again
MEMORY_MB = (
    os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**20
    if {"SC_PHYS_PAGES", "SC_PAGE_SIZE"} <= getattr(os, "sysconf_names", {}).keys()
    else inf
)


@dataclass(frozen=True, kw_only=True)
class Solution:
    """What is known of a state: its value for the side to move, and a best line of play.

    `value` and `payoff` are level steps, or numbers of the utility: for the side to move and for
    side 0; None where a limit, a target or, with huge hands, a lack of room stopped the search.
    `lower` and `upper` hold the value for the side to move in any case. `line` is best play of
    both sides from the state to the end of the deal, or as far as a limit let it be found; it is
    empty where the value is not known, and with a target. `best` is its first move, or one that
    reaches the target.
    `proven` says whether what was asked is decided: the target if there was one, otherwise the
    value; `reached` is the answer to a target, None where there was none or it is not decided.
    `nodes` counts positions searched, `seconds` is the time that it took.

    `state`, `rules` and `scale` are what was solved: the text, its rules, and the values of the
    outcomes. The time apart, equal searches with a fresh table give equal solutions.
    """

    value: float | None
    payoff: float | None
    line: tuple[Move, ...]
    best: Move | None
    lower: float
    upper: float
    proven: bool
    nodes: int
    seconds: float = field(compare=False)
    reached: bool | None = None
    state: str = field(repr=False)
    rules: Rules = field(repr=False)
    scale: Scale = field(repr=False)

    def verify(self, table_mb: float = 64) -> int:
        """Prove the bounds again by a searcher that prunes nothing; return the positions it took.

        That the side to move gets `lower` and that it gets no more than `upper` are proven one
        after the other: the side that a claim speaks for plays one move in each position, the
        other side every move, to the end of each line. A fresh search of `table_mb` MiB names those
        moves; nothing else of it is believed. Of the line it is checked that it is legal, begins
        with `best` and ends with the payoff. Takes less than a second for some 16 cards in all
        and up to a minute for 24.

        Raises ProofError where a bound, the line or the payoff is wrong.

        >>> solve(State.parse("S3C3S9/S4/HR/D7 2 0 - -")).verify() > 0
        True
        """
        state = State.parse(self.state, self.rules)
        side = side_to_move(state)
        lower, upper = self._ranks(side)
        self._check_line(state.copy(), side)
        search = Search(read_size(table_mb))
        checked = 0
        if lower > 0:
            checked += check_test(state, self.scale, lower, True, search)
        if upper < self.scale.top:
            checked += check_test(state, self.scale, upper + 1, False, search)
        return checked

    def _ranks(self, side: int) -> Ranks:
        """Return the bounds as ranks."""
        bounds = sorted(for_side(bound, side) for bound in (self.lower, self.upper))
        if not set(bounds) <= set(self.scale.values) or self.lower > self.upper:
            raise ProofError(f"no outcomes are worth {self.lower} and {self.upper}")
        lower, upper = map(self.scale.values.index, bounds)
        return lower, upper

    def _check_line(self, state: State, side: int) -> None:
        """Play the line, and compare what it comes to with the value and the payoff."""
        if self.value is None:
            if self.line or self.payoff is not None:
                raise ProofError("there is a line or a payoff, but no value")
            return
        payoff = None if self.payoff is None else for_side(self.payoff, side)
        if self.line and self.best != self.line[0]:
            raise ProofError(f"the best move {self.best} is not the first of the line")
        if not self.value == self.lower == self.upper == payoff:
            raise ProofError(
                f"value {self.value}, bounds {self.lower} and {self.upper} and payoff "
                f"{self.payoff} for side 0 differ, side {side} is to move"
            )
        try:
            for move in self.line:
                state.push(move)
        except IllegalMoveError as error:
            raise ProofError(f"the line cannot be played: {error}") from None
        if state.is_over and self.scale.values[self.scale.rank(state)] != self.payoff:
            raise ProofError(f"the line does not end with payoff {self.payoff}")


class RatedMove(NamedTuple):
    """A legal move and the value after it, for the side that makes it.

    `value` is None where the bounds `lower` and `upper` do not meet. `proven` says whether what
    the mode asks of the move is decided: its value; or, in mode "best", that it is no better than
    the best one; or the value's sign.
    """

    move: Move
    value: float | None
    lower: float
    upper: float
    proven: bool


@dataclass(frozen=True, kw_only=True)
class Review:
    """A play of a record, and what it was worth to the side that made it.

    `ply` counts the plays from 1, passes too; `before` and `after` are the values for the side of
    `seat`, None where a limit left them open, with bounds that hold in any case; `loss` is the
    difference, 0 for a play as good as any. `best` are the moves that keep the value before, in
    the order of the list. `proven`: both values are known, and of every move whether it is best.
    """

    ply: int
    seat: int
    move: Move
    before: float | None
    after: float | None
    loss: float | None
    best: tuple[Move, ...]
    proven: bool
    before_lower: float
    before_upper: float
    after_lower: float
    after_upper: float


class Solver:
    """A solver that keeps its table from call to call: what it learnt of a deal helps further on.

    `table_mb` is the most memory that the table takes, in MiB; it grows as it is needed. Values
    that are proven depend neither on its size nor on what was solved before; where a limit stops a
    search, how far it came does. A Solver is for one thread at a time, `stop` apart.

    Raises ValueError for a table of less than 1 MiB or more than the machine's memory.

    >>> solver = Solver(table_mb=16)
    >>> state = State.parse("S3C3D3S4D4S6SQDQ/SJDJ/H3/S7 2 0 - -")
    >>> solver.solve(state).value
    1
    >>> [(str(rated.move), rated.value) for rated in solver.rate_moves(state)][-1]
    ('full_house 3 S3 C3 D3 SQ DQ', -3)
    """

    def __init__(self, table_mb: float = 256) -> None:
        """Begin with an empty table."""
        self._search = Search(read_size(table_mb))
        self.table_mb = table_mb

    def solve(
        self,
        state: State,
        nodes: int | None = None,
        seconds: float | None = None,
        target: float | None = None,
        utility: Utility | None = None,
    ) -> Solution:
        """Solve a state; see the function `solve`."""
        side = side_to_move(state)
        limits = read_limits(nodes, seconds)
        scale = Scale.of(state.rules, utility)
        self._search.begin()
        start = perf_counter()
        if target is None:
            lower, upper, line, used = self._solve(state, scale, (0, scale.top), limits)
            reached = None
        else:
            test = scale.test(read_number("target", target), side)
            lower, upper, line, used = self._try(state, scale, test, limits)
            holds = True if lower >= test else False if upper < test else None
            reached = holds if holds is None or side == 0 else not holds
        value, least, most = seen_by(side, scale, (lower, upper))
        return Solution(
            value=value,
            payoff=None if value is None else scale.values[lower],
            line=tuple(line) if target is None else (),
            best=line[0] if line else None,
            lower=least,
            upper=most,
            proven=value is not None if target is None else reached is not None,
            nodes=used,
            seconds=perf_counter() - start,
            reached=reached,
            state=str(state),
            rules=state.rules,
            scale=scale,
        )

    def _solve(self, state: State, scale: Scale, known: Ranks, limits: Limits) -> Found:
        """Find the value of a position within bounds that are known."""
        return self._search.solve(state, scale.ranks, scale.first_test, *known, *limits)

    def _try(self, state: State, scale: Scale, test: int, limits: Limits) -> Found:
        """Make one test; the line is a move by which the side to move wins it."""
        low, high, _, _ = self._solve(state, scale, (0, scale.top), (0, None))
        verdict, move, used = self._search.test(state, scale.ranks, test, *limits)
        if verdict is not None:
            low, high = (max(low, test), high) if verdict else (low, min(high, test - 1))
        return low, high, [] if move is None else [move], used

    def rate_moves(
        self,
        state: State,
        mode: Mode = "exact",
        nodes: int | None = None,
        seconds: float | None = None,
        utility: Utility | None = None,
    ) -> list[RatedMove]:
        """Rate every legal move of a state, best first; see the function `rate_moves`."""
        rated, _ = self.rate_in_order(state, mode, nodes, seconds, utility)
        return sorted(rated, key=lambda one: (-one.lower, -one.upper))

    def rate_in_order(
        self,
        state: State,
        mode: Mode = "exact",
        nodes: int | None = None,
        seconds: float | None = None,
        utility: Utility | None = None,
    ) -> tuple[list[RatedMove], list[int]]:
        """Rate every legal move as `rate_moves` does, but in the order of the list.

        The second list has a number for each move, from 0: moves of one number leave equal
        positions whatever the other hands are.
        """
        side = side_to_move(state)
        if mode not in get_args(Mode):
            raise ValueError(
                f"mode={shorten(mode)}: want one of {', '.join(map(repr, get_args(Mode)))}"
            )
        limits = read_limits(nodes, seconds)
        scale = Scale.of(state.rules, utility)
        test = scale.sign_test(side) if mode == "sign" else scale.first_test
        self._search.begin()
        rated, classes, _ = self._search.rate(state, scale.ranks, test, mode, *limits)
        sure = max(seen_by(side, scale, (lower, upper))[1] for _, lower, upper in rated)
        found = []
        for move, lower, upper in rated:
            value, least, most = seen_by(side, scale, (lower, upper))
            decided = {
                "exact": value is not None,
                "best": value is not None or most <= sure,
                "sign": lower >= test or upper < test,
            }
            found.append(RatedMove(move, value, least, most, decided[mode]))
        return found, classes

    def review(
        self,
        state: State,
        nodes: int | None = None,
        seconds: float | None = None,
        utility: Utility | None = None,
    ) -> list[Review]:
        """Review the moves of a state's history; see the function `review`."""
        at = read_state(state).copy()
        limits = read_limits(nodes, seconds)
        scale = Scale.of(state.rules, utility)
        self._search.begin()
        known = self._bounds_along(at.copy(), scale, limits)
        plays = []
        # From the last to the first: what is found of later positions is in the table by then.
        for ply in range(len(at.history), 0, -1):
            move = at.pop()
            before, after = known[ply - 1 : ply + 1]
            if not loses_turn(at, move):
                plays.append(self._review_play(at, move, ply, scale, before, after, limits))
        return plays[::-1]

    def stop(self) -> None:
        """End the running call as a limit does; to be called from another thread."""
        self._search.stop()

    def clear(self) -> None:
        """Forget everything, as if the Solver were new."""
        self._search.clear()

    @property
    def memory_mb(self) -> float:
        """The memory that is held now, in MiB: the table and all else that has been used."""
        return self._search.memory / 2**20

    def _bounds_along(self, at: State, scale: Scale, limits: Limits) -> list[Ranks]:
        """Take the history back, and return the bounds of its positions from the first on."""
        known = [self._solve(at, scale, (0, scale.top), limits)[:2]]
        sides = []
        for _ in at.history:
            move = at.pop()
            # The side to move can make the move that was made, unless it has lost its turn.
            side = None if loses_turn(at, move) else side_to_move(at)
            low, high = known[-1]
            before = low if side == 0 else 0, high if side == 1 else scale.top
            known.append(self._solve(at, scale, before, limits)[:2])
            sides.append(side)
        known.reverse()
        # For the same reason a bound that a limit left open may be known from the position before.
        for ply, side in enumerate(reversed(sides)):
            (low, high), (lower, upper) = known[ply : ply + 2]
            known[ply + 1] = (
                max(lower, low) if side == 1 else lower,
                min(upper, high) if side == 0 else upper,
            )
        return known

    def _review_play(
        self,
        at: State,
        move: Move,
        ply: int,
        scale: Scale,
        before: Ranks,
        after: Ranks,
        limits: Limits,
    ) -> Review:
        """Review the move that was made in a position, given the bounds before and after it."""
        assert at.turn is not None
        side = side_to_move(at)
        before_value, before_lower, before_upper = seen_by(side, scale, before)
        after_value, after_lower, after_upper = seen_by(side, scale, after)
        known = before_value is not None and after_value is not None
        best, decided = self._best_moves(at, scale, before, limits)
        return Review(
            ply=ply,
            seat=at.turn,
            move=move,
            before=before_value,
            after=after_value,
            loss=before_upper - after_lower if known else None,
            best=best,
            proven=known and decided,
            before_lower=before_lower,
            before_upper=before_upper,
            after_lower=after_lower,
            after_upper=after_upper,
        )

    def _best_moves(
        self, at: State, scale: Scale, before: Ranks, limits: Limits
    ) -> tuple[tuple[Move, ...], bool]:
        """Return the moves that are known to keep a value, and whether those are all."""
        value, upper = before
        if value != upper:
            return (), False
        side = side_to_move(at)
        # Of the test that side 0 must not fail, or of the one that side 1 must not let pass.
        test = value + side
        rated, _, _ = self._search.rate(at, scale.ranks, test, "sign", *limits)
        keeping = tuple(
            move for move, lower, upper in rated if (lower >= test if side == 0 else upper < test)
        )
        return keeping, all(lower >= test or upper < test for _, lower, upper in rated)


def solve(
    state: State,
    nodes: int | None = None,
    seconds: float | None = None,
    table_mb: float = 64,
    target: float | None = None,
    utility: Utility | None = None,
) -> Solution:
    """Solve a state with open cards: its value when both sides play as well as can be.

    `nodes` and `seconds` are limits, None for none. Where one stops the search, the bounds say
    what is known: as a rule which side is first. A limit of nodes is reproducible on a fresh
    table, one of time is not. `table_mb` is the most memory of the table, in MiB.

    `target` asks only whether the value for the side to move is so much or more, which is decided
    sooner; the answer is `reached`. `utility` maps (side of the first, place of his partner) with
    places 2 to 4 to a number for side 0, six keys, and replaces the steps of the rules: values,
    bounds and target are then of these numbers, their negatives where side 1 is to move.

    Raises StateError for a deal that is over, ValueError for a limit, a table, a target or a
    utility that cannot be, TypeError for what is neither a State nor a number.

    >>> state = State.parse("S3C3D3S4D4S6SQDQ/SJDJ/H3/S7 2 0 - -")
    >>> solution = solve(state)
    >>> solution.value, solution.proven, solution.best == solution.line[0]
    (1, True, True)
    >>> solve(state, target=2).reached, solve(state, nodes=0).lower
    (False, -3)
    >>> first_wins = {(side, place): 1 - side for side in (0, 1) for place in (2, 3, 4)}
    >>> solve(state, utility=first_wins).value
    1
    """
    with empty_solver(table_mb) as solver:
        return solver.solve(state, nodes, seconds, target, utility)


def rate_moves(
    state: State,
    mode: Mode = "exact",
    nodes: int | None = None,
    seconds: float | None = None,
    table_mb: float = 64,
    utility: Utility | None = None,
) -> list[RatedMove]:
    """Rate every legal move of a state by the value after it, best first.

    `mode` is what is wanted: "exact", every move's value; "best", the value of a best move, and
    of the others that they are no better; "sign", whether a value is above 0. All else is as in
    `solve`, the limits for all moves together. Moves that are equal as far as is known are in the
    order of the list.

    >>> state = State.parse("S3C3S9/S4/HR/D7 2 0 - -")
    >>> [(str(rated.move), rated.value) for rated in rate_moves(state)]
    [('single 9 S9', 3), ('pair 3 S3 C3', 3), ('single 3 S3', -1), ('single 3 C3', -1)]
    """
    with empty_solver(table_mb) as solver:
        return solver.rate_moves(state, mode, nodes, seconds, utility)


def review(
    state: State,
    nodes: int | None = None,
    seconds: float | None = None,
    table_mb: float = 256,
    utility: Utility | None = None,
) -> list[Review]:
    """Review a record: for each move of a state's history what it lost and the best moves then.

    From the first ply to the last, without the leads that `State.skip` left to the next seat; the
    state is not changed, and may be over or still in play. The limits are for each search, of which
    there are two a ply; all else is as in `solve`.

    >>> state = State.parse("S3C3S9/S4/HR/D7 2 0 - -")
    >>> move = state.push("S3")
    >>> [(play.before, play.after, play.loss, play.best) for play in review(state)]
    [(3, -1, 4, (Move.parse("single 9 S9"), Move.parse("pair 3 S3 C3")))]
    """
    with empty_solver(table_mb) as solver:
        return solver.review(state, nodes, seconds, utility)


# Solvers for one call

SPARE: list[Solver] = []


@contextmanager
def empty_solver(table_mb: float) -> Iterator[Solver]:
    """Yield a Solver with an empty table, for one call.

    What is small is kept for another call: to get memory from the system takes longer than to
    solve a small ending.
    """
    size = read_size(table_mb)
    solver = SPARE.pop() if SPARE else None
    if solver is None or solver.table_mb != size:
        solver = Solver(table_mb)
    try:
        yield solver
    finally:
        solver.clear()
        if solver.memory_mb <= MOST_SPARE_MB:
            SPARE.append(solver)


# Arguments


def loses_turn(state: State, move: Move) -> bool:
    """Whether a move of a history is no choice: a pass of a seat that led and lost its turn."""
    return not move.size and state.table is None


def side_to_move(state: State) -> int:
    """Return the side whose turn it is; StateError where the deal is over."""
    turn = read_state(state).turn
    if turn is None:
        raise StateError(f"{state}: the deal is over, there is nothing to solve")
    return turn % 2


def read_size(table_mb: float) -> float:
    """Return the most MiB of a table."""
    size = read_number("table_mb", table_mb)
    if not 1 <= size <= MEMORY_MB:
        raise ValueError(
            f"table_mb={shorten(table_mb)}: want 1 or more MiB, and no more than the "
            f"{MEMORY_MB:.0f} of this machine"
        )
    return size


def read_limits(nodes: int | None, seconds: float | None) -> Limits:
    """Return the limits of a search, each 0 or more, None for none."""
    most = None if nodes is None else min(read_int("nodes", nodes, 0), MOST_NODES)
    endless = seconds is None or (isinstance(seconds, float) and seconds == inf)
    time = None if endless else read_number("seconds", seconds)
    if time is not None and time < 0:
        raise ValueError(f"seconds={shorten(seconds)}: want 0 or more, None for no limit")
    return most, None if time is None else min(time, MOST_SECONDS)


def seen_by(side: int, scale: Scale, ranks: Ranks) -> tuple[float | None, float, float]:
    """Return what bounds mean to a side: the value if they meet, the least and the most."""
    least, most = sorted(for_side(scale.values[rank], side) for rank in ranks)
    return least if least == most else None, least, most
