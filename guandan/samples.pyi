from collections.abc import Iterator
from typing import Never, SupportsIndex, final, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from guandan.observation import Observation
from guandan.state import State

__all__ = ["MOST_WORLDS", "Worlds", "worlds"]

MOST_WORLDS: int

@final
class Worlds:
    def __init__(self, *args: Never, **kwargs: Never) -> None: ...
    @property
    def observation(self) -> Observation: ...
    @property
    def planes(self) -> NDArray[np.uint64]: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, place: SupportsIndex, /) -> State: ...
    @overload
    def __getitem__(self, place: slice, /) -> Worlds: ...
    def __iter__(self) -> Iterator[State]: ...

def worlds(
    obs: Observation, n: SupportsIndex, seed: SupportsIndex, weights: ArrayLike | None = None
) -> Worlds: ...
