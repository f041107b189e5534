from enum import IntEnum
from typing import Never, final

from guandan.cards import Hand, _Cards
from guandan.rules import Rules

__all__ = ["Kind", "Move", "readings"]

class Kind(IntEnum):
    PASS = 0
    SINGLE = 1
    PAIR = 2
    TRIPLE = 3
    FULL_HOUSE = 4
    STRAIGHT = 5
    TUBE = 6
    PLATE = 7
    BOMB4 = 8
    BOMB5 = 9
    STRAIGHT_FLUSH = 10
    BOMB6 = 11
    BOMB7 = 12
    BOMB8 = 13
    BOMB9 = 14
    BOMB10 = 15
    JOKER_BOMB = 16

@final
class Move:
    def __init__(self, *args: Never, **kwargs: Never) -> None: ...
    @staticmethod
    def parse(text: str) -> Move: ...
    @property
    def kind(self) -> Kind: ...
    @property
    def rank(self) -> str: ...
    @property
    def size(self) -> int: ...
    @property
    def cards(self) -> Hand: ...
    def wilds(self, level: str) -> int: ...
    def beats(self, other: Move | str, level: str) -> bool: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

def readings(cards: _Cards, level: str, rules: Rules | None = None) -> list[Move]: ...
