"""The law of levels in slow, plain Python: the oracle for matches, from the list of all deals."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from reference_deal import decided, result

import guandan as gd

LEVELS = "23456789TJQKA"
ACE = 14
SIDES = (0, 1)
SEATS = range(4)

Order = tuple[int, ...]


@dataclass
class Match:
    """A match with its deals so far; lists are by side, levels are numbers (section 6)."""

    level: list[int] = field(default_factory=lambda: [2, 2])
    declarers: int | None = None
    orders: list[Order] = field(default_factory=list)
    voids: int = 0
    changed: list[int] = field(default_factory=lambda: [0, 0])
    failures: list[int] = field(default_factory=lambda: [0, 0])
    falls: list[int] = field(default_factory=lambda: [0, 0])
    debt: list[int] = field(default_factory=lambda: [0, 0])
    winner: int | None = None
    beyond: int = 0
    drawn: bool = False


def out(order: Order) -> Order:
    """Give the seats that went out before the deal was over."""
    return order[:2] if decided(order[:2]) else order[:3]


def losers(order: Order) -> list[int]:
    """Give the last, or the two who are last together."""
    return [seat for seat in order if seat not in out(order)]


def side_last_together(order: Order) -> int | None:
    """Give the side that has lost a deal by a double."""
    lost = losers(order)
    return lost[0] % 2 if len(lost) == 2 else None


def running(orders: Sequence[Order], test: Callable[[Order], bool]) -> int:
    """Count the last deals, back from the end, that pass a test without a gap."""
    number = 0
    while number < len(orders) and test(orders[-1 - number]):
        number += 1
    return number


def first_running(orders: Sequence[Order], seat: int) -> int:
    """Count the deals running that a seat has been first in."""
    return running(orders, lambda order: order[0] == seat)


def last_running(orders: Sequence[Order], seat: int) -> int:
    """Count the deals running that a seat has been last in."""
    return running(orders, lambda order: seat in losers(order))


def double_running(orders: Sequence[Order], side: int) -> int:
    """Count the deals running that a side has been last together in."""
    return running(orders, lambda order: side_last_together(order) == side)


def play(match: Match, order: Order, rules: gd.Rules) -> None:
    """Add a deal to a match, clause by clause."""
    before = list(match.level)
    declarers = match.declarers
    match.orders.append(order)
    winners, place = result(out(order))
    rises, drops = [0, 0], [0, 0]
    rises[winners] = {2: rules.steps[0], 3: rules.steps[1], 4: rules.steps[2]}[place]
    if rules.streaks:
        for seat in SEATS:
            if (n := first_running(match.orders, seat)) >= 3:
                rises[seat % 2] += n - 2
            if (n := last_running(match.orders, seat)) >= 3:
                drops[seat % 2] = max(drops[seat % 2], n - 2)
        for side in SIDES:
            if (n := double_running(match.orders, side)) >= 3:
                drops[side] = max(drops[side], n - 1)
    for side in SIDES:
        # Level by level.
        for _ in range(rises[side]):
            if match.debt[side] > 0:
                match.debt[side] -= 1
            elif match.level[side] < ACE:
                match.level[side] += 1
        if match.level[side] == ACE:
            continue
        for _ in range(drops[side]):
            if match.level[side] > 2:
                match.level[side] -= 1
            else:
                match.debt[side] += 1
    if declarers is not None and before[declarers] == ACE:
        finish(match, declarers, winners, place, rules)
    match.declarers = winners
    for side in SIDES:
        if match.level[side] != before[side]:
            match.changed[side] = len(match.orders) + match.voids


def void(match: Match, side: int) -> None:
    """Add a deal without a result, for which a side rises 1 and declares."""
    match.voids += 1
    match.declarers = side
    if match.debt[side] > 0:
        match.debt[side] -= 1
    elif match.level[side] < ACE:
        match.level[side] += 1
        match.changed[side] = len(match.orders) + match.voids


def finish(match: Match, declarers: int, winners: int, place: int, rules: gd.Rules) -> None:
    """Let declarers at A win the match, or fail."""
    enough = {"not_last": {2, 3}, "double": {2}}[rules.win_at_ace]
    if declarers == winners and place in enough:
        match.winner = winners
        match.beyond = {True: 2, False: 1}[rules.score_table == 14 and place == 2]
    elif rules.ace_failures:
        number, counts, level = rules.ace_failures
        if counts == "any" or (winners, place) == (declarers, 4):
            match.failures[declarers] += 1
        if match.failures[declarers] == number:
            match.failures[declarers] = 0
            match.falls[declarers] += 1
            match.level[declarers] = LEVELS.index(level) + 2
            match.drawn = match.falls[declarers] == rules.falls_draw


def fields_of(match: Match, rules: gd.Rules) -> dict[str, Any]:
    """Give what a Standing has in its fields."""
    orders = match.orders if rules.streaks else []
    return {
        "levels": tuple(LEVELS[number - 2] for number in match.level),
        "declarers": match.declarers,
        "deals": len(match.orders) + match.voids,
        "since": tuple(match.changed),
        "failures": tuple(match.failures),
        "falls": tuple(match.falls),
        "first_streaks": tuple(first_running(orders, seat) for seat in SEATS),
        "last_streaks": tuple(last_running(orders, seat) for seat in SEATS),
        "double_streaks": tuple(double_running(orders, side) for side in SIDES),
        "debts": tuple(match.debt),
        "winner": match.winner,
        "past_ace": match.beyond,
        "drawn": match.drawn,
    }


def scores_of(match: Match, rules: gd.Rules) -> tuple[int, int] | None:
    """Give the points of both sides, from the printed row of level differences."""
    if rules.score_table == "off":
        return None
    row = {
        13: [(13 + d, 13 - d) for d in range(14)] + [(26, 0)],
        14: [(14 + d, 14 - d) for d in range(15)],
    }[rules.score_table]
    numbers = list(match.level)
    if match.winner is not None:
        numbers[match.winner] += match.beyond
    if match.drawn or numbers[0] == numbers[1]:
        return row[0]
    if numbers[0] > numbers[1]:
        return row[numbers[0] - numbers[1]]
    more, less = row[numbers[1] - numbers[0]]
    return less, more
