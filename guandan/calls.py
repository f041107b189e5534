"""What a referee has called in a match, and what hangs on it: points, plays that may be denied."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import SupportsIndex

from guandan.cards import shorten
from guandan.course import Course
from guandan.referee import Points, Referee, Ruling
from guandan.rules import Conduct
from guandan.standing import Standing
from guandan.tribute import seat_of

__all__ = ["Calls", "read_leader"]


@dataclass(frozen=True)
class Calls:
    """What a referee has called in a match so far.

    `points` are None for a conduct that has none. `watched` are the seats whose next plays the
    seats after them may deny; `deniable` is the one whose last play may be denied now.
    """

    referee: Referee
    points: Points | None
    watched: frozenset[int] = frozenset()
    deniable: int | None = None

    @classmethod
    def none_yet(cls, conduct: Conduct) -> "Calls":
        """Return what there is before a match."""
        return cls(Referee(conduct=conduct), Points() if conduct == "seed002" else None)

    def after_event(
        self, name: str, seat: int, course: Course, begun: bool
    ) -> tuple["Calls", tuple[Ruling, ...]]:
        """Return what there is after an event, and the rulings that the match is to carry out.

        Raises ValueError for what cannot be, or cannot be carried out in this course of a deal.
        """
        referee, rulings = self.referee.call(name, seat, begun)
        for ruling in rulings:
            check_ruling(ruling, f"name={name!r}, seat={seat}", course)
        watched, points = self.watched, self.points
        for kind, offender, detail in rulings:
            if kind == "may_deny":
                watched |= {offender}
            elif kind == "points" and points is not None:
                points = points.after_event(str(detail), offender, course.level)
        return replace(self, referee=referee, points=points, watched=watched), rulings

    def after_move(self, seat: int, n_cards: int) -> "Calls":
        """Return what there is after a move of so many cards; a pass is no play."""
        if n_cards and seat in self.watched:
            return replace(self, watched=self.watched - {seat}, deniable=seat)
        return self if self.deniable is None else self.settled()

    def settled(self) -> "Calls":
        """Return what there is once the last play can no longer be denied."""
        return self if self.deniable is None else replace(self, deniable=None)

    def after_deal(self, before: Standing, after: Standing, order: Sequence[int]) -> "Calls":
        """Return what there is after a deal that counts."""
        if self.points is None:
            return self
        return replace(self, points=self.points.after_deal(before, after, order))


def check_ruling(ruling: Ruling, said: str, course: Course) -> None:
    """Refuse a ruling that cannot be carried out in the course of a deal."""
    kind, seat, _ = ruling
    if kind in ("may_deny", "points", "match_lost"):
        return
    if course.state is None:
        raise ValueError(f"{said}: want a deal in play, the phase is {course.stage}")
    if kind == "skip_turn" and seat in course.state.out:
        raise ValueError(f"{said}: want a seat still in, this one has no turn to lose")
    if kind == "take_back" and not course.moves_since(seat):
        raise ValueError(f"{said}: want a seat that has played in this deal")


def read_leader(
    leader: SupportsIndex | None, name: str, loser: int | None, may_follow: bool
) -> int | None:
    """Return who leads the deal after one that a seat loses; None is right where none can follow.

    A leader is refused where no deal is lost.
    """
    if loser is None:
        if leader is not None:
            raise ValueError(f"leader={shorten(leader)}: want None, {name!r} loses no deal now")
        return None
    if leader is None and not may_follow:
        return None
    chosen, others = seat_of(leader), (1 - loser % 2, 3 - loser % 2)
    if chosen not in others:
        want = " or ".join(map(str, others))
        raise ValueError(f"leader={shorten(leader)}: want {want}, who leads the next deal")
    return chosen
