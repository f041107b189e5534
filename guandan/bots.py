"""Bots to measure others by; each is a small class with a method `choose`."""

from random import Random as Rng
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from guandan.analysis import Objective, analyse
from guandan.cards import Hand, read_int, shorten
from guandan.combos import Kind, Move
from guandan.endgame import read_limits
from guandan.movelist import MoveList
from guandan.observation import Observation, read_observation
from guandan.partitions import fewest_plays_batch
from guandan.samples import MOST_WORLDS
from guandan.scale import read_number
from guandan.standing import LEVELS

__all__ = ["Greedy", "Random", "Sampling"]

NEAR = 10  # cards with which a seat is about to run out
FEW = 3  # plays with which it is
MORE = 2  # plays that stopping such an opponent may cost
HIGH = LEVELS.index("T")  # the least rank that a partner's play is not beaten with
# An int: comparing an array with an Enum costs more, and swallows Ctrl-C in numpy.
BOMBS = int(Kind.BOMB4)
LEVEL_STRENGTH = 12.5  # of the level's rank among rank codes: above aces, below jokers


def check_asked(obs: Observation, moves: MoveList, rng: Rng) -> None:
    """Raise TypeError for what no bot is asked with."""
    read_observation(obs)
    if not isinstance(moves, MoveList):
        raise TypeError(f"moves={shorten(moves)}: want a MoveList")
    if not isinstance(rng, Rng):
        raise TypeError(f"rng={shorten(rng)}: want a random.Random")


class Random:
    """Plays any of its legal moves, all alike."""

    def choose(self, obs: Observation, moves: MoveList, rng: Rng) -> Move:
        """Return a move."""
        check_asked(obs, moves, rng)
        return moves[rng.randrange(len(moves))]


class Greedy:
    """Plays what leaves the fewest plays in its hand, and of such plays the lowest.

    It leads no bomb while there is another play, and rather not as many cards as an opponent has.
    It replies to opponents where that takes no more plays than a pass, and to its partner with low
    cards alone. When an opponent is about to run out, it gives up some plays to stop it; then, and
    when it is about to run out itself, it plays bombs too. It looks at its own hand and at the
    numbers of cards, not at what has been played.
    """

    def choose(self, obs: Observation, moves: MoveList, rng: Rng) -> Move:
        """Return a move; nothing is drawn."""
        check_asked(obs, moves, rng)
        plays = Plays(obs)
        last = np.flatnonzero(plays.sizes == len(obs.hand))
        if len(last):
            return plays.moves[int(last[0])]
        if obs.table is None:
            return plays.lead()
        if obs.owner == (obs.seat + 2) % 4:
            return plays.reply_to_partner()
        return plays.reply()


class Sampling:
    """Plays as Greedy does, but near the end what is better on average over sampled worlds.

    Once all hands together have `cards` cards at most, it asks `analyse`, with `samples` worlds of
    `nodes` each, None for any number, and the `objective`. What Greedy would play stays where the
    best mean is not more than `margin` above its own: so small a lead is mostly chance, or seen by
    open cards alone. With `seconds`, a budget for each move, plays cannot be repeated exactly.

    An argument that cannot be raises ValueError or TypeError.
    """

    def __init__(
        self,
        cards: int = 20,
        samples: int = 40,
        nodes: int | None = 20_000,
        objective: Objective = "steps",
        margin: float = 0.1,
        seconds: float | None = None,
    ) -> None:
        """Take the budget; see `analyse`."""
        self.cards = read_int("cards", cards, 0)
        self.samples = read_int("samples", samples, 1, MOST_WORLDS)
        read_limits(nodes, seconds)
        if objective not in get_args(Objective):
            raise ValueError(f'objective={shorten(objective)}: want "steps" or "sign"')
        self.margin = read_number("margin", margin)
        self.nodes, self.objective, self.seconds = nodes, objective, seconds
        self._before = Greedy()

    def choose(self, obs: Observation, moves: MoveList, rng: Rng) -> Move:
        """Return a move; the worlds are drawn."""
        greedy = self._before.choose(obs, moves, rng)
        if len(moves) == 1 or sum(obs.left) > self.cards:
            return greedy
        found = analyse(
            obs,
            self.samples,
            nodes=self.nodes,
            seed=rng.getrandbits(64),
            objective=self.objective,
            seconds=self.seconds,
        )
        lead = found.moves[0].lower - found.find(greedy).lower
        return found.best if lead > self.margin else greedy


class Plays:
    """The moves of the seat to move, one of each that differs in ranks, and what they leave."""

    def __init__(self, obs: Observation) -> None:
        """List the moves, and count the plays of what each leaves."""
        self.opponents = [obs.left[(obs.seat + step) % 4] for step in (1, 3)]
        self.moves = obs.legal_moves(suits="one")
        planes, self.sizes = self.moves.planes, self.moves.counts().sum(axis=1)
        self.left = fewest_plays_batch(rests(obs.hand, planes), obs.level, rules=obs.rules)
        self.are_bombs = self.moves.kinds >= BOMBS
        level = LEVELS.index(obs.level)
        self.strength = np.where(self.moves.ranks == level, LEVEL_STRENGTH, self.moves.ranks)

    def lead(self) -> Move:
        """Return a lead."""
        helps_them = np.isin(self.sizes, self.opponents)
        order = (-self.sizes, self.strength, helps_them, self.left, self.are_bombs)
        return self.moves[int(np.lexsort(order)[0])]

    def reply(self) -> Move:
        """Return a reply to an opponent."""
        near = any(0 < left <= NEAR for left in self.opponents)
        most = int(self.left[0]) + (MORE if near else 0)
        place = self._lowest(~self.are_bombs & (self.left <= most))
        if not place and (near or self.left[0] <= FEW):
            place = self._lowest(self.are_bombs)
        return self.moves[place]

    def reply_to_partner(self) -> Move:
        """Return a reply to the partner."""
        free = ~self.are_bombs & (self.left < self.left[0]) & (self.strength < HIGH)
        return self.moves[self._lowest(free)]

    def _lowest(self, among: NDArray[np.bool_]) -> int:
        """Return the place of the lowest of those that leave the fewest, 0 for the pass."""
        places = np.flatnonzero(among[1:]) + 1
        if not len(places):
            return 0
        order = (self.strength[places], self.moves.kinds[places], self.left[places])
        return int(places[np.lexsort(order)[0]])


def rests(hand: Hand, plays: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return what plays leave of a hand, each as two planes."""
    once, twice = (np.uint64(plane) for plane in hand.planes)
    rest = np.empty_like(plays)
    rest[:, 0] = once & ~(plays[:, 1] | plays[:, 0] & ~twice)
    rest[:, 1] = twice & ~plays[:, 0]
    return rest
