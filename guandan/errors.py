"""The errors of the package: few, one for each reason; what is given wrong is a `ValueError`.

Nothing is changed when one is raised, and each message names the offending text and what would
be right.
"""

from collections.abc import Mapping, Sequence
from typing import Any

__all__ = [
    "AmbiguousMoveError",
    "IllegalMoveError",
    "NotationError",
    "ProofError",
    "RecordError",
    "SolveError",
    "StateError",
]


class NotationError(ValueError):
    """Text that cannot be read as a card, a level, a move or a state."""


class IllegalMoveError(ValueError):
    """A readable move that the rules forbid here."""


class AmbiguousMoveError(ValueError):
    """Cards alone that have several readings; the message lists them."""


class StateError(ValueError):
    """Hands that no deal can give, or a deal that is over; `problems` lists all that is wrong."""

    problems: tuple[str, ...]

    def __init__(self, problems: str | Sequence[str]) -> None:
        """Take one problem, or several in the order in which they are to be read."""
        self.problems = (problems,) if isinstance(problems, str) else tuple(problems)
        super().__init__("; ".join(self.problems))

    def __reduce__(self) -> tuple[type["StateError"], tuple[tuple[str, ...]]]:
        """Keep `problems` through pickling."""
        return StateError, (self.problems,)


class SolveError(ValueError):
    """Some states of many cannot be solved; nothing of the others is lost.

    `errors` has the error of each of them by its index; `solutions` is the list that would have
    been returned, with None in their places.
    """

    errors: dict[int, Exception]
    solutions: list[Any]

    def __init__(self, errors: Mapping[int, Exception], solutions: Sequence[Any]) -> None:
        """Take the errors by the indices of their states, and all solutions."""
        self.errors = dict(errors)
        self.solutions = list(solutions)
        first = "; ".join(f"[{i}] {error}" for i, error in list(self.errors.items())[:3])
        more = f"; and {len(self.errors) - 3} more" if len(self.errors) > 3 else ""
        of = f"{len(self.errors)} of {len(self.solutions)} states cannot be solved"
        super().__init__(f"{of}: {first}{more}")

    def __reduce__(self) -> tuple[type["SolveError"], tuple[dict[int, Exception], list[Any]]]:
        """Keep both through pickling."""
        return SolveError, (self.errors, self.solutions)


class ProofError(AssertionError):
    """What a search claims turned out to be wrong; no input should ever raise it."""


class RecordError(ValueError):
    """A line of a record that is illegal, cut short or edited; what came before it is kept.

    `line` is its number, from 1, `reason` what is wrong with it, and `match` the Match as far as
    the lines before tell, None where the first line cannot be read.
    """

    line: int
    reason: str
    match: Any

    def __init__(self, line: int, reason: str, match: Any) -> None:
        """Take the number of a line, what is wrong with it, and the match before it."""
        self.line = line
        self.reason = reason
        self.match = match
        super().__init__(f"line {line}: {reason}")

    def __reduce__(self) -> tuple[type["RecordError"], tuple[int, str, Any]]:
        """Keep all three through pickling."""
        return RecordError, (self.line, self.reason, self.match)


class BotError(RuntimeError):
    """A bot has raised an error when it was to choose: its cause, with the bot and its place."""
