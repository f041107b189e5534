from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from guandan.combos import Move
from guandan.movelist import MoveBatch, MoveList
from guandan.observation import Observation

__all__ = ["FLAGS", "LAYOUTS", "moves", "observation"]

_Array: TypeAlias = NDArray[np.uint8]

FLAGS: tuple[str, ...]
LAYOUTS: Mapping[str, Mapping[str, slice]]

def observation(
    obs: Observation,
    preset: Literal["danzero_like", "planes"] = "danzero_like",
    out: _Array | None = None,
    levels: tuple[str, str] | None = None,
) -> _Array: ...
def moves(
    moves: MoveList | MoveBatch | Iterable[Move | str], out: _Array | None = None
) -> _Array: ...
