"""Bots set against each other on duplicate deals: the same cards twice, with seats exchanged."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from math import nan, sqrt
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, Protocol, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from guandan.batch import read_map, read_progress
from guandan.cards import read_int, shorten
from guandan.combos import Move, readings
from guandan.dealer import read_seed
from guandan.errors import BotError, IllegalMoveError
from guandan.match import Match
from guandan.movelist import MoveList
from guandan.observation import Observation
from guandan.record import read_path
from guandan.rules import Rules, read_rules
from guandan.standing import LEVELS, Standing
from guandan.state import State

__all__ = ["Bot", "Comparison", "Estimate", "compare"]

NORMAL = 1.959964  # standard deviations on each side that hold 95 %
FEWEST = 10  # deals that tell of a spread
MOST_DEALS = 10**9
PART = 4  # deals of a process at a time


class Bot(Protocol):
    """Whatever chooses moves: any object with this method."""

    def choose(self, obs: Observation, moves: MoveList, rng: Random) -> Move | str:
        """Return one of the moves, for the seat that observes and has the turn.

        What is drawn, is drawn from `rng`, so that a seed gives the same deal again.
        """
        ...


class Estimate(NamedTuple):
    """A mean, and the interval that some 95 of 100 such samples have the true one in.

    NaN where there are fewer than 10 deals, too few to tell.
    """

    mean: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class Comparison:
    """What came of two bots on duplicate deals.

    `payoffs`, int8 of shape (n, 2): the level steps for the first bot in each deal, at seats 0 and
    2, then with the same cards at seats 1 and 3.

    >>> Comparison(np.array([[3, -1], [1, 2]], np.int8)).wins.mean
    0.75
    """

    payoffs: NDArray[np.int8]

    def __post_init__(self) -> None:
        """Refuse an array of another shape."""
        payoffs = self.payoffs
        if not isinstance(payoffs, np.ndarray) or payoffs.ndim != 2:
            raise TypeError(f"payoffs={shorten(payoffs)}: want an int8 array of shape (n, 2)")

    @property
    def steps(self) -> Estimate:
        """The level steps for the first bot in a deal.

        The two plays of a deal depend on each other, so their sum is what the interval goes by:
        Student's for the mean of n of them.
        """
        means = self.payoffs.mean(axis=1)
        mean = float(means.mean()) if len(means) else nan
        wide = spread(len(means)) * deviation(means) if len(means) >= FEWEST else nan
        return Estimate(mean, mean - wide, mean + wide)

    @property
    def wins(self) -> Estimate:
        """The share of the deals in which a seat of the first bot was the first to go out.

        Wilson's interval for a share, of as many plays of their own as have the same variance.
        """
        shares = (self.payoffs > 0).mean(axis=1)
        if len(shares) < FEWEST:
            return Estimate(float(shares.mean()) if len(shares) else nan, nan, nan)
        share, error = float(shares.mean()), deviation(shares)
        plays = share * (1 - share) / error**2 if error else len(shares)
        square = spread(len(shares)) ** 2 / plays
        middle = (share + square / 2) / (1 + square)
        wide = sqrt(square * (share * (1 - share) + square / 4)) / (1 + square)
        return Estimate(share, max(middle - wide, 0.0), min(middle + wide, 1.0))


def deviation(values: NDArray[np.floating[Any]]) -> float:
    """Return the standard error of the mean of some values."""
    return float(values.std(ddof=1)) / sqrt(len(values))


def spread(n: int) -> float:
    """Return how many standard errors hold 95 %: a quantile of Student's t for n values.

    By the first terms of its expansion about the normal one, within 1 % from eight values on.
    """
    z, degrees = NORMAL, n - 1
    return (
        z + (z**3 + z) / (4 * degrees) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * degrees * degrees)
    )


def compare(
    first: Bot,
    second: Bot,
    deals: int,
    seed: SupportsIndex = 0,
    rules: Rules | None = None,
    level: str | None = None,
    record: str | Path | None = None,
    progress: Callable[[int, int], object] | None = None,
    map: Callable[..., Iterable[Any]] | None = None,
) -> Comparison:
    """Let two bots play so many deals, each twice with seats exchanged, and return what came of it.

    Each side has two seats of one bot. Deals and levels are drawn by the seed, and so is what the
    bots draw, the same for a seat in both plays of a deal: a bot comes to 0 against itself.
    With `level` all deals are at that level. They are played by themselves, without tribute.
    `record` is a new folder for the records of them, a match of one deal each: 1-first.jsonl has
    the first bot at seats 0 and 2, 1-second.jsonl the second. `progress` is called as deals are
    done, with their number and that of all. `map` is that of an executor, to play in several
    processes: the bots must be such as can be pickled. The result does not depend on it.

    Raises IllegalMoveError, with the bot and the deal, for a choice that is no legal move;
    BotError, with the same, for an error of a bot, which is its cause; FileExistsError for a folder
    that is there; ValueError and TypeError for arguments that cannot be.

    >>> from guandan.bots import Greedy, Random
    >>> compare(Greedy(), Random(), deals=20, seed=1).wins.mean
    1.0
    """
    for name, bot in (("first", first), ("second", second)):
        if isinstance(bot, type) or not callable(getattr(bot, "choose", None)):
            raise TypeError(f"{name}: want a bot with a method `choose`, got {shorten(bot)}")
    number, chosen = read_int("deals", deals, 0, MOST_DEALS), read_rules(rules)
    if level is not None:
        readings("", level)  # a level that is none
    folder = None if record is None else read_path(record, "the path of a folder")
    start = Start((first, second), read_seed(seed), chosen, level, folder)
    tell, spread_out = read_progress(progress), read_map(map) or _map
    if folder is not None:
        folder.mkdir()
    payoffs = np.empty((number, 2), np.int8)
    done = 0
    for part in spread_out(partial(play_part, start), parts_of(number)):
        for payoffs[done] in part:
            done += 1
            tell(done, number)
    return Comparison(payoffs)


_map = map  # the built-in, whose name is an argument's


class Start(NamedTuple):
    """What all deals of a comparison have in common."""

    bots: tuple[Bot, Bot]
    seed: int
    rules: Rules
    level: str | None
    folder: Path | None


def parts_of(deals: int) -> Iterator[range]:
    """Give the numbers of the deals in parts."""
    return (range(first, min(first + PART, deals)) for first in range(0, deals, PART))


def play_part(start: Start, numbers: range) -> list[tuple[int, int]]:
    """Play some deals of many, perhaps in another process."""
    return [(play(start, number, 0), play(start, number, 1)) for number in numbers]


def play(start: Start, number: int, side: int) -> int:
    """Play a deal with the first bot on a side, and return its level steps."""
    draw = Random(f"{start.seed} {number}")
    level = start.level or draw.choice(LEVELS)
    deal = State.deal(level, draw.getrandbits(64), rules=start.rules)
    name = f"{number + 1}-{'second' if side else 'first'}.jsonl"
    record = None if start.folder is None else start.folder / name
    standing = Standing(levels=(level, level))
    match = Match(start.rules, start.seed, [deal], standing=standing, record=record)
    # Of a seat, not of a bot: the same bots with their names exchanged play the same.
    rngs = [Random(f"{start.seed} {number} {seat}") for seat in range(4)]
    while match.result is None:
        [seat] = match.to_act
        bot = start.bots[seat % 2 ^ side]
        moves = match.options()
        assert isinstance(moves, MoveList)
        where = f"{type(bot).__name__}, seat {seat} of deal {number + 1}"
        try:
            choice = bot.choose(match.observe(seat), moves, rngs[seat])
        except Exception as error:
            raise BotError(f"{where}: {type(error).__name__}: {error}") from error
        try:
            match.act(choice)
        except (TypeError, ValueError) as error:
            raise IllegalMoveError(f"{where}: {error}") from None
    payoff = match.deals[0].payoff
    assert payoff is not None
    return -payoff if side else payoff
