from collections.abc import Iterable
from typing import NamedTuple, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from guandan.rules import Rules
from guandan.state import State

__all__ = ["Playouts", "Tally", "playouts"]

class Playouts(NamedTuple):
    payoffs: NDArray[np.int8]
    lengths: NDArray[np.uint16]
    decisions: NDArray[np.uint16]

class Tally:
    leads: NDArray[np.int64]
    replies: NDArray[np.int64]
    openings: NDArray[np.int64]
    def __init__(self) -> None: ...
    def add(self, other: Tally) -> None: ...

def playouts(
    deals: range | Iterable[State],
    seed: SupportsIndex | None = None,
    level: str | None = None,
    rules: Rules | None = None,
    threads: SupportsIndex = 1,
    tally: Tally | None = None,
) -> Playouts: ...
