"""The moves of a deal in 16 bytes a play: a pass is a bit of the play that follows it.

Who plays, and who has passed since the play before, are in bits of a record that are 0 in a Move.
Between two plays seats pass in the order of play, so a bit for each tells their order too.
"""

from libc.stdint cimport uint8_t, uint64_t

from guandan.cards cimport N_SEATS, NO_RANK
from guandan.combos cimport PASS, TAG_SHIFT, Record, tag
from guandan.observation cimport Play

cdef enum:
    MOST_PLAYS = 108           # of a deal
    MOST_PAST = 432            # moves: three passes after each play
    SEAT_SHIFT = 62            # in the plane `once`
    PASSERS_SHIFT = 60         # in the plane `twice`


cdef struct Past:              # the moves of a deal
    Record* plays              # as they are kept; room for MOST_PLAYS
    int n                      # of all moves
    uint8_t n_plays
    uint8_t passers            # the seats, as bits, that have passed since the last play


cdef inline void keep(Past* past, const Record* move, int seat) noexcept nogil:
    """Enter a move and whose it is."""
    past.n += 1
    if move.once >> TAG_SHIFT == PASS:
        past.passers |= 1 << seat
        return
    past.plays[past.n_plays] = Record(move.once | <uint64_t>seat << SEAT_SHIFT,
                                      move.twice | <uint64_t>past.passers << PASSERS_SHIFT)
    past.n_plays += 1
    past.passers = 0


cdef inline Play play_of(const Record* kept) noexcept nogil:
    """A play that is kept, and whose it is."""
    cdef uint64_t ones = ~<uint64_t>0
    return Play(Record(kept.once & ones >> 64 - SEAT_SHIFT, kept.twice & ones >> 64 - PASSERS_SHIFT),
                kept.once >> SEAT_SHIFT)


cdef inline int write_past(const Past* past, int most, Play* out) noexcept nogil:
    """Write the last moves, at most so many, the latest first; return how many they are."""
    cdef Record none = tag(PASS, NO_RANK)
    cdef int passers = past.passers
    cdef int n = 0
    cdef int i, away
    cdef Play entry
    cdef uint64_t seat
    for i in range(past.n_plays - 1, -1, -1):
        entry = play_of(&past.plays[i])
        for away in range(N_SEATS - 1, 0, -1):
            seat = entry.seat + away & 3
            if passers >> seat & 1 and n < most:
                out[n] = Play(none, seat)
                n += 1
        if n == most:
            break
        out[n] = entry
        n += 1
        passers = <int>(past.plays[i].twice >> PASSERS_SHIFT)
    return n
