from collections.abc import Sequence
from typing import SupportsIndex, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from guandan.movelist import MoveList, _Suits
from guandan.rules import Rules
from guandan.state import State

__all__ = ["action_mask", "action_masks", "expand"]

_Mask = TypeVar("_Mask", NDArray[np.bool_], NDArray[np.uint8])

@overload
def action_mask(state: State, out: None = None) -> NDArray[np.bool_]: ...
@overload
def action_mask(state: State, out: _Mask) -> _Mask: ...
@overload
def action_masks(
    planes: NDArray[np.uint64],
    levels: str | Sequence[str] | NDArray[np.uint8],
    beats: NDArray[np.uint8] | None = None,
    rules: Rules | None = None,
    out: None = None,
) -> NDArray[np.bool_]: ...
@overload
def action_masks(
    planes: NDArray[np.uint64],
    levels: str | Sequence[str] | NDArray[np.uint8],
    beats: NDArray[np.uint8] | None = None,
    rules: Rules | None = None,
    *,
    out: _Mask,
) -> _Mask: ...
def expand(state: State, action_id: SupportsIndex, suits: _Suits = "one") -> MoveList: ...
