from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from guandan.cards import _Cards
from guandan.combos import Kind, Move
from guandan.rules import Rules

__all__ = ["Split", "Splits", "best_splits", "fewest_plays", "fewest_plays_batch"]

@dataclass(frozen=True, slots=True)
class Split:
    count: int
    cost: int
    moves: tuple[Move, ...]

@dataclass(frozen=True, slots=True)
class Splits:
    splits: tuple[Split, ...]
    complete: bool

def fewest_plays(
    hand: _Cards,
    level: str,
    rules: Rules | None = None,
    bombs: Literal["count", "apart"] = "count",
    weights: Mapping[Kind | str, SupportsIndex] | None = None,
) -> Split: ...
def best_splits(
    hand: _Cards,
    level: str,
    rules: Rules | None = None,
    bombs: Literal["count", "apart"] = "count",
    weights: Mapping[Kind | str, SupportsIndex] | None = None,
    limit: SupportsIndex = 1000,
) -> Splits: ...
def fewest_plays_batch(
    planes: NDArray[np.uint64],
    levels: str | Sequence[str] | NDArray[np.uint8],
    rules: Rules | None = None,
    threads: SupportsIndex = 1,
) -> NDArray[np.uint8]: ...
