from collections.abc import Sequence
from typing import final

from guandan.combos import Move
from guandan.state import State

__all__ = ["Search"]

@final
class Search:
    techniques: int
    def __init__(self, table_mb: float) -> None: ...
    def solve(
        self,
        state: State,
        ranks: Sequence[int],
        first: int,
        low: int,
        high: int,
        nodes: int | None,
        seconds: float | None,
    ) -> tuple[int, int, list[Move], int]: ...
    def rate(
        self,
        state: State,
        ranks: Sequence[int],
        first: int,
        mode: str,
        nodes: int | None,
        seconds: float | None,
    ) -> tuple[list[tuple[Move, int, int]], int]: ...
    def stop(self) -> None: ...
    def clear(self) -> None: ...
