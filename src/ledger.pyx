"""The law of levels: what a deal changes of where a match stands."""

from libc.stdint cimport uint8_t

from guandan.cards cimport ACE, level_text, read_level
from guandan.position cimport partners_place

__all__ = ["MOST_COUNTED", "after", "after_void", "winner_now"]

MOST_COUNTED = MOST

cdef enum:
    STREAK = 3                 # the deals running from which a streak counts


# The clauses of the law

cdef inline int more(int count) noexcept nogil:
    """A count with one more."""
    return count + (count < MOST)


cdef inline int worth(int streak) noexcept nogil:
    """The levels that a player's streak is worth: 1 for three deals, 1 more for each on."""
    return max(streak - STREAK + 1, 0)


cdef void count_streaks(Ledger* ledger, const uint8_t* order, bint double) noexcept nogil:
    """Count who was first, last and last together in a deal."""
    cdef int seat, side
    cdef bint last
    for seat in range(4):
        last = seat == order[3] or double and seat == order[2]
        ledger.first_streaks[seat] = more(ledger.first_streaks[seat]) if seat == order[0] else 0
        ledger.last_streaks[seat] = more(ledger.last_streaks[seat]) if last else 0
    for side in range(2):
        ledger.double_streaks[side] = (
            more(ledger.double_streaks[side]) if double and side == order[3] & 1 else 0)


cdef inline int fall_due(const Ledger* ledger, int side) noexcept nogil:
    """How many levels a side falls by the streaks that the last deal has made."""
    cdef int alone = max(worth(ledger.last_streaks[side]), worth(ledger.last_streaks[side + 2]))
    cdef int together = worth(ledger.double_streaks[side])
    # Two last together are punished by one level more than one alone.
    return max(alone, together + 1) if together else alone


cdef inline void move(Ledger* ledger, int side, int rise, int fall) noexcept nogil:
    """Let a side rise, its debt taken off, and then fall, but not from A; a debt is what is below 2."""
    cdef int owed = ledger.debts[side]
    cdef int level = ledger.levels[side] + max(rise - owed, 0)
    owed = max(owed - rise, 0)
    if level >= ACE:
        level = ACE
    else:
        level -= fall
        owed = min(owed + max(-level, 0), MOST)
    ledger.levels[side] = max(level, 0)
    ledger.debts[side] = owed


cdef inline void fail(Ledger* ledger, int side, const Terms* terms) noexcept nogil:
    """Count a failure of a side at A, and let it fall at its n-th."""
    ledger.failures[side] = more(ledger.failures[side])
    if ledger.failures[side] < terms.failures:
        return
    ledger.levels[side] = terms.falls_to
    ledger.failures[side] = 0
    ledger.falls[side] = more(ledger.falls[side])
    ledger.drawn = terms.falls_draw and ledger.falls[side] >= terms.falls_draw


cdef inline void end_at_ace(
    Ledger* ledger, int declarers, int side, int place, const Terms* terms
) noexcept nogil:
    """Let declarers at A win the match, or fail; the side of the first has its other player at a place."""
    if side == declarers and place <= terms.farthest:
        ledger.winner = side
        ledger.past_ace = 2 if place == 1 and terms.double_counts_two else 1
    elif terms.failures and (not terms.won_last or side == declarers and place == 3):
        fail(ledger, declarers, terms)


cdef void advance(Ledger* ledger, const uint8_t* order, const Terms* terms) noexcept nogil:
    """Count a deal by its order of four seats, in a match that goes on."""
    cdef int side = order[0] & 1
    cdef int place = partners_place(order, 3)
    cdef int declarers = ledger.declarers
    cdef bint at_ace = declarers != NO_SIDE and ledger.levels[declarers] == ACE
    cdef int[2] before = ledger.levels
    cdef int[2] rises
    cdef int[2] falls
    cdef int one
    rises[side], rises[side ^ 1] = terms.steps[place - 1], 0
    falls[0] = falls[1] = 0
    if terms.streaks:
        count_streaks(ledger, order, place == 1)
        rises[side] += worth(ledger.first_streaks[order[0]])
        falls[0], falls[1] = fall_due(ledger, 0), fall_due(ledger, 1)
    for one in range(2):
        move(ledger, one, rises[one], falls[one])
    ledger.declarers = side
    if at_ace:
        end_at_ace(ledger, declarers, side, place, terms)
    ledger.deals = more(ledger.deals)
    for one in range(2):
        if ledger.levels[one] != before[one]:
            ledger.since[one] = ledger.deals


cdef void concede(Ledger* ledger, int side) noexcept nogil:
    """Count a deal without a result, in a match that goes on: a side rises 1 and declares."""
    cdef int before = ledger.levels[side]
    move(ledger, side, 1, 0)
    ledger.declarers = side
    ledger.deals = more(ledger.deals)
    if ledger.levels[side] != before:
        ledger.since[side] = ledger.deals


cdef int ahead(const Ledger* ledger, bint first_to_reach) noexcept nogil:
    """The side that wins if the match ends now, NO_SIDE for neither."""
    cdef int lead = ledger.levels[0] - ledger.levels[1]
    if is_over(ledger):
        return ledger.winner
    if lead == 0 and first_to_reach:
        lead = ledger.since[1] - ledger.since[0]
    return NO_SIDE if lead == 0 else lead < 0


# From and to Python

cdef Terms read_terms(object rules) except *:
    """What a Rules says of levels."""
    cdef Terms terms
    terms.steps[0], terms.steps[1], terms.steps[2] = rules.steps
    terms.farthest = 1 if rules.win_at_ace == "double" else 2
    terms.failures, terms.won_last, terms.falls_to = 0, False, 0
    if rules.ace_failures is not None:
        number, which, level = rules.ace_failures
        terms.failures, terms.won_last, terms.falls_to = number, which == "won_last", read_level(level)
    terms.falls_draw = rules.falls_draw or 0
    terms.streaks = rules.streaks
    terms.double_counts_two = rules.score_table == 14
    return terms


cdef inline int side_of(object side) except -1:
    """The number of a side, NO_SIDE for None."""
    return NO_SIDE if side is None else side


cdef Ledger read_ledger(object standing) except *:
    """The fields of a Standing."""
    cdef Ledger ledger
    first, second = standing.levels
    ledger.levels[0], ledger.levels[1] = read_level(first), read_level(second)
    ledger.declarers, ledger.winner = side_of(standing.declarers), side_of(standing.winner)
    ledger.deals, ledger.past_ace, ledger.drawn = standing.deals, standing.past_ace, standing.drawn
    ledger.since = standing.since
    ledger.failures = standing.failures
    ledger.falls = standing.falls
    ledger.first_streaks = standing.first_streaks
    ledger.last_streaks = standing.last_streaks
    ledger.double_streaks = standing.double_streaks
    ledger.debts = standing.debts
    return ledger


cdef dict fields_of(const Ledger* ledger):
    """The fields of a Standing, by name."""
    return {
        "levels": (level_text(ledger.levels[0]), level_text(ledger.levels[1])),
        "declarers": None if ledger.declarers == NO_SIDE else ledger.declarers,
        "deals": ledger.deals,
        "since": pair(ledger.since),
        "failures": pair(ledger.failures),
        "falls": pair(ledger.falls),
        "first_streaks": four(ledger.first_streaks),
        "last_streaks": four(ledger.last_streaks),
        "double_streaks": pair(ledger.double_streaks),
        "debts": pair(ledger.debts),
        "winner": None if ledger.winner == NO_SIDE else ledger.winner,
        "past_ace": ledger.past_ace,
        "drawn": bool(ledger.drawn),
    }


cdef inline tuple pair(const int* values):
    """Two values as a tuple."""
    return values[0], values[1]


cdef inline tuple four(const int* values):
    """Four values as a tuple."""
    return values[0], values[1], values[2], values[3]


def after(standing, order, rules):
    """Return the fields of a Standing of a match that goes on after one more deal."""
    cdef Ledger ledger = read_ledger(standing)
    cdef Terms terms = read_terms(rules)
    cdef uint8_t[4] seats
    seats[0], seats[1], seats[2], seats[3] = order
    advance(&ledger, seats, &terms)
    return fields_of(&ledger)


def after_void(standing, side):
    """Return the fields of a Standing of a match that goes on after a deal that is void."""
    cdef Ledger ledger = read_ledger(standing)
    concede(&ledger, side)
    return fields_of(&ledger)


def winner_now(standing, first_to_reach):
    """Return the side that wins if a match ends as a Standing has it, None for neither."""
    cdef Ledger ledger = read_ledger(standing)
    cdef int side = ahead(&ledger, first_to_reach)
    return None if side == NO_SIDE else side
