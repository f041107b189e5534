"""What a record says, repeated in a match entry by entry and checked against what comes of it."""

from collections.abc import Callable
from typing import Protocol

from guandan.combos import Move
from guandan.course import Course
from guandan.record import Entry, Event, Played, Returned, line_of
from guandan.referee import Referee, Ruling
from guandan.tribute import Tribute

__all__ = ["repeat", "replay"]


class Replayed(Protocol):
    """What of a match a record is repeated in."""

    @property
    def phase(self) -> str:
        """What is going on."""

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that must act now."""

    @property
    def referee(self) -> Referee:
        """What the referee has noted so far."""

    def act(self, choice: Move | str, seat: int) -> Move | str:
        """Do what a seat chooses."""

    def deny(self, seat: int) -> Move:
        """Let a seat deny the last play."""

    def event(self, name: str, seat: int, leader: int | None) -> tuple[Ruling, ...]:
        """Carry out what follows from what a referee has seen."""


def replay(
    entries: list[Entry], history: list[Entry], repeat: Callable[[Entry], None]
) -> tuple[int, str] | None:
    """Repeat what entries say that is not in a match's history yet, and check each against it.

    Return the index of the first that cannot be or is not what comes of those before, and why.
    """
    checked = 0
    for number, entry in enumerate(entries):
        if number >= len(history):
            try:
                repeat(entry)
            except ValueError as error:
                return number, str(error)
        while checked <= number and checked < len(history):
            expected = line_of(history[checked])
            if line_of(entries[checked]) != expected:
                return checked, f"the match has {expected} here"
            checked += 1
    return None


def repeat(entry: Entry, match: Replayed, course: Course) -> None:
    """Do what an entry says that is not in a match's history yet: somebody's choice."""
    match entry:
        case Played(seat, move) if match.phase == "play":
            match.act(move, seat)
        case Event(("resist" | "pay") as choice, int(seat)):
            match.act(choice, seat)
        case Event("deny", int(seat)):
            match.deny(seat)
        case Event(name, int(seat), (int() | None) as leader) if name in match.referee.events:
            match.event(name, seat, leader)
        case Tribute(seat, _, card) if match.phase == "tribute":
            repeat_gift(seat, card, match, course)
        case Returned(seat, _, card) if match.phase == "return":
            repeat_gift(seat, card, match, course)
        case _:
            raise ValueError(f"{line_of(entry)} is out of place in phase {match.phase!r}")


def repeat_gift(seat: int, card: str, match: Replayed, course: Course) -> None:
    """Let a seat give a card; one that had no choice has given it, and that is shown later."""
    if seat in match.to_act:
        match.act(card, seat)
    elif not course.gives(seat, card):
        raise ValueError(f"seat {seat} does not give {card} now")
