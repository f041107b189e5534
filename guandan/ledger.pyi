from collections.abc import Sequence
from typing import Any, Protocol

from guandan.rules import Rules

__all__ = ["MOST_COUNTED", "after", "after_void", "winner_now"]

MOST_COUNTED: int

class _Standing(Protocol):
    @property
    def levels(self) -> tuple[str, str]: ...
    @property
    def declarers(self) -> int | None: ...
    @property
    def deals(self) -> int: ...

def after(standing: _Standing, order: Sequence[int], rules: Rules) -> dict[str, Any]: ...
def after_void(standing: _Standing, side: int) -> dict[str, Any]: ...
def winner_now(standing: _Standing, first_to_reach: bool) -> int | None: ...
