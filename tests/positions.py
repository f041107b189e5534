"""Positions as tests give them: a few hands, and what comes of arguments or of a text."""

from collections.abc import Callable, Iterable
from typing import Any

import reference as ref

import guandan as gd

HANDS = ["S3", "S4", "S5", "S6"]
# Four hands of 26 cards, an odd card apart.
LARGE = [ref.CARDS[0:26], ref.CARDS[26:52], ref.CARDS[0:26], ref.CARDS[26:52]]
LARGE_TEXT = "/".join("".join(hand) for hand in LARGE)


def state(hands: Any = HANDS, **arguments: Any) -> gd.State:
    """A lead of seat 0 at level 2, unless the arguments say otherwise."""
    return gd.State(hands, **{"level": "2", "turn": 0, **arguments})


def attempt(make: Callable[..., gd.State], *arguments: Any, **named: Any) -> gd.State | ValueError:
    """The position, or the error of the package that is raised instead; others pass through."""
    try:
        return make(*arguments, **named)
    except (gd.NotationError, gd.StateError) as error:
        return error


def problems(text: str, **rules: Any) -> tuple[str, ...]:
    """All that is wrong with a readable text."""
    found = attempt(gd.State.parse, text, gd.Rules(**rules))
    if isinstance(found, gd.State):
        return ()
    assert isinstance(found, gd.StateError)
    assert str(found) == "; ".join(found.problems)
    return found.problems


def played(one: gd.State, moves: Iterable[gd.Move]) -> gd.State:
    """The position after some moves."""
    after = one.copy()
    for move in moves:
        after.push(move)
    return after


def endgame(row: dict[str, Any], **rules: Any) -> gd.State:
    """The position of a row of endgames.jsonl."""
    kind, rank, owner = row["table"] or (None, None, None)
    return gd.State(
        row["hands"],
        level=row["level"],
        turn=row["turn"],
        table=f"{kind} {rank}" if kind else None,
        owner=owner,
        out=row["out"],
        rules=gd.Rules(lead_after_out=row["lead_after_out"], **rules),
    )


def values_of(row: dict[str, Any]) -> dict[gd.Move, float]:
    """The value of each move of a row of endgames.jsonl or counterexamples.jsonl."""
    return {gd.Move.parse(text): value for text, value in row["moves"].items()}
