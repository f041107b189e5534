"""The errors of the package: few, one for each reason, all of them kinds of `ValueError`.

Nothing is changed when one is raised, and each message names the offending text and what would
be right.
"""

from collections.abc import Sequence

__all__ = ["AmbiguousMoveError", "IllegalMoveError", "NotationError", "StateError"]


class NotationError(ValueError):
    """Text that cannot be read as a card, a level, a move or a state."""


class IllegalMoveError(ValueError):
    """A readable move that the rules forbid here."""


class AmbiguousMoveError(ValueError):
    """Cards alone that have several readings; the message lists them."""


class StateError(ValueError):
    """Hands that no deal can give; `problems` lists all that is wrong."""

    problems: tuple[str, ...]

    def __init__(self, problems: str | Sequence[str]) -> None:
        """Take one problem, or several in the order in which they are to be read."""
        self.problems = (problems,) if isinstance(problems, str) else tuple(problems)
        super().__init__("; ".join(self.problems))

    def __reduce__(self) -> tuple[type["StateError"], tuple[tuple[str, ...]]]:
        """Keep `problems` through pickling."""
        return StateError, (self.problems,)
