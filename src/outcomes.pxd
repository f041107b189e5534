"""How the order of going out settles a deal's outcome, and with it a yes-or-no test of it.

The six outcomes are numbered: side 0 first and its other player second, third, last; then the
same for side 1.
"""

from libc.stdint cimport uint8_t

from guandan.position cimport Trick, partners_place

cdef enum:
    N_OUTCOMES = 6
    N_STAGES = 5

# How far the order has come while the deal goes on.
cdef enum Stage:
    NOBODY_OUT = 0
    FIRST_OUT = 1              # + the side of the first
    BOTH_OUT = 3               # + the side of the first: he and an opponent of his

cdef enum Verdict:
    FAILS = 0
    HOLDS = 1
    OPEN = 2


cdef struct Test:              # whether the outcome is one of some
    uint8_t wins               # those outcomes, as bits
    uint8_t[N_STAGES][2] after # the verdict once, at a stage, a player of a side goes out next


cdef inline int outcome_of(const Trick* trick) noexcept nogil:
    """The outcome of a decided deal."""
    return 3 * (trick.out[0] & 1) + partners_place(trick.out, trick.n_out) - 1


cdef inline int stage_of(const Trick* trick) noexcept nogil:
    """The stage of a deal that goes on."""
    if trick.n_out == 0:
        return NOBODY_OUT
    return (FIRST_OUT if trick.n_out == 1 else BOTH_OUT) + (trick.out[0] & 1)


cdef inline int outcomes_at(int stage) noexcept nogil:
    """The outcomes that can still come, as bits."""
    if stage == NOBODY_OUT:
        return 0b111111
    if stage < BOTH_OUT:
        return 0b111 << 3 * (stage - FIRST_OUT)
    return 0b110 << 3 * (stage - BOTH_OUT)


cdef inline int next_stage(int stage, int side) noexcept nogil:
    """The stage after a player of a side goes out and the deal goes on."""
    return FIRST_OUT + side if stage == NOBODY_OUT else stage + BOTH_OUT - FIRST_OUT


cdef inline int outcomes_after(int stage, int side) noexcept nogil:
    """The outcomes that can come once a player of a side goes out next, as bits."""
    cdef int first
    if stage == NOBODY_OUT:
        return outcomes_at(FIRST_OUT + side)
    first = (stage - FIRST_OUT) & 1
    if stage < BOTH_OUT:
        return 0b001 << 3 * first if side == first else outcomes_at(BOTH_OUT + first)
    return (0b010 if side == first else 0b100) << 3 * first


cdef inline int verdict_on(int outcomes, int wins) noexcept nogil:
    """What a test says of a deal that comes to one of some outcomes."""
    return FAILS if not outcomes & wins else OPEN if outcomes & ~wins else HOLDS


cdef inline Test test_for(int wins) noexcept nogil:
    """A test for some outcomes, given as bits."""
    cdef Test test
    cdef int stage, side
    test.wins = <uint8_t>wins
    for stage in range(N_STAGES):
        for side in range(2):
            test.after[stage][side] = <uint8_t>verdict_on(outcomes_after(stage, side), wins)
    return test
