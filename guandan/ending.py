"""How a match ends: the last deal there may be, who has won then, and the result."""

from collections.abc import Callable
from math import inf
from numbers import Real

from guandan.cards import shorten
from guandan.course import Course
from guandan.dealer import Dealer
from guandan.record import Result
from guandan.rounds import Rounds
from guandan.rules import Rules, Tie
from guandan.standing import Pair, Standing, known, score

__all__ = [
    "End",
    "by_levels",
    "decided",
    "drawn_end",
    "last_deal",
    "limit_of",
    "read_clock",
    "read_elapsed",
    "result_of",
    "tie_of",
]

End = tuple[int | None, str]  # the side that has won, and why the match ends

MOST_DEALS = 10_000  # that are drawn, hundreds of times what a match takes


def read_clock(clock: Callable[[], float]) -> Callable[[], float]:
    """Return what tells the time of a match."""
    if not callable(clock):
        raise TypeError(f"clock={shorten(clock)}: want a function that returns seconds")
    return clock


def read_elapsed(elapsed: float) -> float:
    """Return the seconds that have passed of a match."""
    if isinstance(elapsed, bool) or not isinstance(elapsed, Real):
        raise TypeError(f"elapsed={shorten(elapsed)}: want seconds, as a float")
    if not 0 <= elapsed < inf:
        raise ValueError(f"elapsed={shorten(elapsed)}: want seconds, 0 or more")
    return float(elapsed)


def last_deal(rules: Rules, dealer: Dealer) -> int | None:
    """Return the number of the deal that none but an extra one may follow, None for no limit."""
    limits = [] if dealer.given is None else [len(dealer.given)]
    match rules.match_end:
        case ("deals", deals, _):
            limits.append(deals)
    return min(limits, default=None)


def limit_of(rules: Rules, dealer: Dealer, number: int, seconds: float) -> str | None:
    """Return why there is no deal of a number after so many seconds, None where there is."""
    last = last_deal(rules, dealer)
    if last is not None and number > last:
        return "deals"
    match rules.match_end:
        case ("minutes", minutes, _) if seconds > 60 * minutes:
            return "minutes"
    return None


def tie_of(rules: Rules) -> Tie:
    """Return what equal levels come to where a limit ends a match; a draw for rules without one."""
    end = rules.match_end
    return "draw" if isinstance(end, str) else end[2]


def by_levels(rules: Rules, standing: Standing, limit: str) -> End | None:
    """Return the end where no deal may follow, None where an extra deal must."""
    tie = tie_of(rules)
    winner = standing.ahead(tie)
    return None if winner is None and tie == "extra_deal" else (winner, limit)


def decided(standing: Standing) -> End | None:
    """Return the end of a match that is won or drawn, None where it goes on."""
    if standing.drawn:
        return None, "falls"
    return None if standing.winner is None else (standing.winner, "ace")


def result_of(rules: Rules, standing: Standing, end: End, scores: Pair | None = None) -> Result:
    """Return the result of a match that ends so; scores that are not given are by the table."""
    winner, reason = end
    if scores is None:
        scores = score(standing, rules, winner)
    return Result(winner, reason, standing.levels, scores)


def drawn_end(rounds: Rounds, course: Course, rules: Rules, deals: int | None) -> Result:
    """Return how a match ends where the rest of a deal is drawn, and so many more at most."""
    if course.exchange is not None:
        rounds.finish_after(course.exchange)
    elif course.state is not None:
        rounds.finish(course.state, course.lost)
    rounds.go_on(MOST_DEALS if deals is None else deals)
    standing = known(rounds.standing)
    if deals is None and not standing.is_over:
        raise RuntimeError(f"nobody has won after {MOST_DEALS} more deals")
    end = decided(standing) or by_levels(rules, standing, "deals")
    return result_of(rules, standing, end or (rounds.first_out() % 2, "extra_deal"))
