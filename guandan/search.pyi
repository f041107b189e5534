from collections.abc import Sequence
from typing import Self, final

from guandan.combos import Move
from guandan.state import State

__all__ = ["Search"]

@final
class Search:
    techniques: int
    @property
    def memory(self) -> int: ...
    def __new__(cls, table_mb: float) -> Self: ...
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
    def test(
        self,
        state: State,
        ranks: Sequence[int],
        rank: int,
        nodes: int | None,
        seconds: float | None,
    ) -> tuple[bool | None, Move | None, int]: ...
    def rate(
        self,
        state: State,
        ranks: Sequence[int],
        first: int,
        mode: str,
        nodes: int | None,
        seconds: float | None,
    ) -> tuple[list[tuple[Move, int, int]], list[int], int]: ...
    def begin(self) -> None: ...
    def stop(self) -> None: ...
    def clear(self) -> None: ...
