"""Sure runs: whether the seat that leads can go out next whatever its opponents do.

It can where it splits its hand so that no play but the last can be beaten by what the opponents
hold now: they never come to play. A few plays that can be beaten are allowed too, if after each a
play that nobody can beat takes the lead back and no opponent has so few plays left that he could
go out meanwhile.
"""

from libc.stdint cimport uint32_t, uint64_t

from guandan.subhands cimport Play, Subhands

cdef enum:
    MOST_LOSERS = 2            # plays that can be beaten; more pay no longer
    NO_END = 1 << 30           # of work


cdef struct Answer:            # of a question asked before
    uint64_t most
    uint32_t hand              # with the number of losers above it
    uint32_t answer            # 4 * the age + NOT_SURE, SURE or GAVE_UP


cdef struct Sureruns:
    Answer* answers
    uint32_t n_answers         # a power of two
    uint32_t age               # answers of another one are void
    int work_left              # plays that may be looked at yet; NO_END: any number


cdef int make_sureruns(Sureruns* memo) except -1
cdef void free_sureruns(Sureruns* memo) noexcept nogil
cdef void forget_sureruns(Sureruns* memo) noexcept nogil
cdef bint is_sure(Sureruns* memo, Subhands* pool, uint32_t number, uint64_t most, int losers) noexcept nogil
cdef const Play* sure_play(
    Sureruns* memo, Subhands* pool, uint32_t number, uint64_t most, int losers, bint* regains
) noexcept nogil
