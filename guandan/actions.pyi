from typing import NamedTuple

from guandan.combos import Kind, Move

__all__ = ["ACTIONS", "Action", "action_id"]

class Action(NamedTuple):
    id: int
    kind: Kind
    rank: str
    pair: str | None
    suit: str | None
    @property
    def size(self) -> int: ...

ACTIONS: tuple[Action, ...]

def action_id(move: Move | str, level: str) -> int: ...
