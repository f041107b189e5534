"""Moves of a seat that does not see the other hands: what they are worth over sampled worlds."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from math import ceil, sqrt
from time import perf_counter
from typing import Literal, NamedTuple, SupportsIndex, get_args

from numpy.typing import ArrayLike

from guandan.batch import in_threads
from guandan.cards import read_int, shorten
from guandan.combos import Move
from guandan.endgame import Mode, RatedMove, Solver, empty_solver, read_limits
from guandan.errors import StateError
from guandan.observation import Observation, read_observation
from guandan.samples import MOST_WORLDS, Worlds, worlds
from guandan.scale import Scale, Utility, read_number
from guandan.state import State

__all__ = ["AnalysedMove", "Analysis", "analyse"]

Objective = Literal["steps", "sign"]
Bounds = tuple[float, float]  # of what a move is worth in a world
Row = list[Bounds]  # by class of moves

BLOCK = 20  # worlds between two looks whether a move is clearly best
AT_ONCE = 500  # worlds that are made at once where there are no such looks


@dataclass(frozen=True, kw_only=True)
class AnalysedMove:
    """A legal move and what it is worth over the sampled worlds, for the side that makes it.

    `mean` is the mean of the values after it, and `error` its standard error, None for one world;
    where some worlds are unproven both are None, and `lower` and `upper` hold the mean. `chances`
    maps each payoff that was proven to its share of all worlds, from the best payoff on. `proven`
    and `unproven` count the worlds.

    `alike` are the other moves that leave equal positions in every world, in the order of the list:
    they are worth the same, and listed here alone.
    """

    move: Move
    alike: tuple[Move, ...]
    mean: float | None
    error: float | None
    lower: float
    upper: float
    chances: Mapping[float, float]
    proven: int
    unproven: int


@dataclass(frozen=True, kw_only=True)
class Analysis:
    """What `analyse` has found: the moves, best first, and how.

    Each legal move is the `move` of one of the `moves`, or among the `alike` of one; `find` tells
    of which. `samples` is the number of worlds, and `stopped_early` says that they are fewer than
    asked because one move was clearly best. `seconds` is the time that it took.
    """

    moves: tuple[AnalysedMove, ...]
    samples: int
    stopped_early: bool
    seconds: float = field(compare=False)

    @property
    def best(self) -> Move:
        """The best move; of equal ones the first of the list."""
        return self.moves[0].move

    def find(self, move: Move) -> AnalysedMove:
        """Return what tells of a legal move; ValueError for another."""
        for one in self.moves:
            if move == one.move or move in one.alike:
                return one
        raise ValueError(f"{move!s:.60}: want a legal move")


def analyse(
    obs: Observation,
    samples: int = 100,
    nodes: int | None = None,
    seed: SupportsIndex = 0,
    threads: int = 1,
    objective: Objective = "steps",
    weights: ArrayLike | None = None,
    confidence: float | None = 0.99,
    seconds: float | None = None,
    table_mb: float = 64,
    utility: Utility | None = None,
) -> Analysis:
    """Rate every legal move of the seat to move by solving each of some worlds with open cards.

    `worlds(obs, samples, seed, weights)` are the worlds. `objective` is what counts in each:
    "steps", the value, in level steps or the numbers of a `utility`; or "sign", 1 where that is
    above 0 and -1 elsewhere, which is much faster. `nodes` limits the search of each world: of what
    it leaves open the bounds count, none is dropped. The best lower mean comes first.

    After every 20 worlds the sampling stops if one move is clearly best: if against every other
    the mean of its lead, world by world, is so many standard errors above 0 that all those tests
    together are right with probability `confidence`. To that end one more world counts in which the
    lead is as bad as can be. None for `confidence` makes all samples, whose number alone decides.
    After an early stop the best move's lead is a bit too large on average: leads that happen to be
    large stop it.

    Each of the `threads` has a table of `table_mb` MiB at most; the result does not depend on them.
    `seconds` is a budget for the call: worlds that it breaks off are unproven, those not begun are
    no samples, and there is always one. What it gives cannot be repeated exactly.

    Open cards tell a player too much, so this is no solution of the game (Frank and Basin, "Search
    in games with incomplete information: a case study using Bridge card play", Artificial
    Intelligence 100, 1998). *Strategy fusion*: each world is played by its own best line, although
    a player who cannot tell two worlds apart must play alike in both; a move that leaves a guess
    for later is rated as if the guess were always right. *Non-locality*: what a position is worth
    depends on positions elsewhere in the game, since what others chose there makes some worlds
    likelier than others; `weights` may say so of their play until now, but not of that to come.

    Raises StateError where the seat is not to move, the errors of `worlds` and `solve`, and
    ValueError for another objective or confidence.

    >>> state = State.parse("S3C3S9/S4/HR/D7 2 0 - -")
    >>> found = analyse(state.observe(0), samples=200)
    >>> found.best, found.samples, found.stopped_early
    (Move.parse("pair 3 S3 C3"), 20, True)
    >>> found = analyse(state.observe(0), samples=200, confidence=None)
    >>> [(str(one.move), one.mean) for one in found.moves]
    [('pair 3 S3 C3', 1.61), ('single 9 S9', -1.17), ('single 3 S3', -2.24)]
    >>> found.moves[1].chances, found.moves[2].alike
    ({3: 0.305, -3: 0.695}, (Move.parse("single 3 C3"),))
    """
    start = perf_counter()
    check_turn(obs)
    n = read_int("samples", samples, 1, MOST_WORLDS)
    n_threads = min(read_int("threads", threads, 1), n)
    if objective not in get_args(Objective):
        raise ValueError(f'objective={shorten(objective)}: want "steps" or "sign"')
    limits = read_limits(nodes, seconds)
    scale = Scale.of(obs.rules, utility)
    test = Clearness(confidence, span_of(scale, objective), ceil(n / BLOCK) - 1)
    task = Task(objective, limits[0], None if limits[1] is None else start + limits[1], utility)
    sampled = worlds(obs, n, seed, weights)
    table = Table(sampled, task)
    stopped = False
    with ExitStack() as stack:
        solvers = [stack.enter_context(empty_solver(table_mb)) for _ in range(n_threads)]
        step = AT_ONCE if confidence is None else BLOCK
        for first in range(0, n, step):
            if not table.fill(range(first, min(n, first + step)), solvers):
                break
            if first + step < n and test.has_winner(table.rows):
                stopped = True
                break
    return Analysis(
        moves=tuple(table.moves()),
        samples=len(table.rows),
        stopped_early=stopped,
        seconds=perf_counter() - start,
    )


# Worlds


class Task(NamedTuple):
    """What is asked of each world."""

    objective: Objective
    nodes: int | None
    deadline: float | None
    utility: Utility | None

    def rate(
        self, solver: Solver, world: tuple[bool, State]
    ) -> tuple[list[RatedMove], list[int]] | None:
        """Rate the moves of a world; None where there is no time left, and it need not be begun."""
        needed, state = world
        left = None if self.deadline is None else max(0.0, self.deadline - perf_counter())
        if left == 0 and not needed:
            return None
        # What a limit leaves open must not depend on the worlds before; and the tables of one world
        # stay in the processor's caches, while worlds have little to learn from each other.
        solver.clear()
        mode: Mode = "exact" if self.objective == "steps" else "sign"
        return solver.rate_in_order(state, mode, self.nodes, left, self.utility)

    def bounds(self, rated: RatedMove) -> Bounds:
        """Return what a move is worth."""
        if self.objective == "steps":
            return rated.lower, rated.upper
        return 1 if rated.lower > 0 else -1, 1 if rated.upper > 0 else -1


class Table:
    """What the moves are worth in each world so far: a row for each world, by class of moves."""

    def __init__(self, sampled: Worlds, task: Task) -> None:
        """Begin without a row."""
        self.rows: list[Row] = []
        self._sampled = sampled
        self._task = task
        self._known: dict[bytes, Row] = {}  # by planes: few hidden cards give the same worlds again
        self._alike: list[list[Move]] = []

    def fill(self, block: range, solvers: Sequence[Solver]) -> bool:
        """Add a block of worlds; False where there was no time for all of them."""
        planes = self._sampled[block.start : block.stop].planes
        keys = [world.tobytes() for world in planes]
        todo = {}
        for number, key in zip(block, keys, strict=True):
            if key not in self._known and key not in todo:
                todo[key] = (number == 0, self._sampled[number])
        if len(solvers) > 1:
            found = in_threads(self._task.rate, list(todo.values()), solvers)
        else:
            found = [self._task.rate(solvers[0], world) for world in todo.values()]
        for key, rated in zip(todo, found, strict=True):
            if rated is not None:
                self._known[key] = self._row(*rated)
        for key in keys:
            if key not in self._known:
                return False
            self.rows.append(self._known[key])
        return True

    def _row(self, rated: list[RatedMove], classes: list[int]) -> Row:
        """Return the row of a world; the classes, those of the own hand, are the same in all."""
        if not self._alike:
            self._alike = [[] for _ in range(max(classes) + 1)]
            for one, number in zip(rated, classes, strict=True):
                self._alike[number].append(one.move)
        row = dict(zip(reversed(classes), map(self._task.bounds, reversed(rated)), strict=True))
        return [row[number] for number in range(len(row))]

    def moves(self) -> list[AnalysedMove]:
        """Return all moves, best first; equal ones in the order of the list."""
        columns = zip(*self.rows, strict=True)
        found = [summed_up(*pair) for pair in zip(self._alike, columns, strict=True)]
        return sorted(found, key=lambda one: (-one.lower, -one.upper))


def summed_up(moves: Sequence[Move], column: Sequence[Bounds]) -> AnalysedMove:
    """Return what moves that are alike are worth, by their bounds in all worlds."""
    n = len(column)
    values = [lower for lower, upper in column if lower == upper]
    least, most = (sum(bounds) / n for bounds in zip(*column, strict=True))
    known = len(values) == n
    error = None
    if known and n > 1:
        error = sqrt(sum((value - least) ** 2 for value in values) / (n - 1) / n)
    payoffs = sorted(set(values), reverse=True)
    return AnalysedMove(
        move=moves[0],
        alike=tuple(moves[1:]),
        mean=least if known else None,
        error=error,
        lower=least,
        upper=most,
        chances={payoff: values.count(payoff) / n for payoff in payoffs},
        proven=len(values),
        unproven=n - len(values),
    )


# Stopping


class Clearness:
    """Whether one move is clearly best, asked after some blocks of worlds."""

    def __init__(self, confidence: float | None, span: float, looks: int) -> None:
        """Take the confidence in all looks together, and how far two payoffs can be apart."""
        self._doubt = 0.0 if confidence is None else 1 - read_number("confidence", confidence)
        if confidence is not None and not 0 < self._doubt <= 0.5:
            raise ValueError(
                f"confidence={shorten(confidence)}: want 0.5 or more, below 1, or None"
            )
        self._span = span
        self._looks = looks

    def has_winner(self, rows: Sequence[Row]) -> bool:
        """Return whether the best move leads against every other beyond doubt, at the worst."""
        n_moves = len(rows[0])
        if self._doubt == 0:
            return False
        totals = [
            tuple(sum(row[number][end] for row in rows) for end in (0, 1))
            for number in range(n_moves)
        ]
        best = totals.index(max(totals))
        if n_moves == 1:
            return True
        # Slow to import, and seldom used.
        from statistics import NormalDist

        # Bonferroni: the doubt is shared among all the tests that are made.
        errors = -NormalDist().inv_cdf(self._doubt / (n_moves - 1) / self._looks)
        return all(
            self._is_clear([row[best][0] - row[other][1] for row in rows], errors)
            for other in range(n_moves)
            if other != best
        )

    def _is_clear(self, leads: list[float], errors: float) -> bool:
        """Return whether the mean of some leads is so many standard errors above 0.

        One more world counts, the worst that there can be: without it a few equal leads would be
        taken for certain.
        """
        counted = [*leads, -self._span]
        n = len(counted)
        mean = sum(counted) / n
        return mean > errors * sqrt(sum((lead - mean) ** 2 for lead in counted) / (n - 1) / n)


# Arguments


def check_turn(obs: Observation) -> None:
    """Raise an error unless an Observation is that of the seat to move."""
    read_observation(obs)
    if obs.turn != obs.seat:
        turn = "nobody has the turn" if obs.turn is None else f"it is the turn of seat {obs.turn}"
        raise StateError(f"seat {obs.seat} is not to move: {turn}")


def span_of(scale: Scale, objective: Objective) -> float:
    """Return how far two payoffs can be apart."""
    return 2 if objective == "sign" else scale.values[-1] - scale.values[0]
