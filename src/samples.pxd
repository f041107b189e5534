"""How cards that a seat does not see may lie in the other hands, drawn without the GIL."""

from libc.stdint cimport uint8_t, uint64_t

from guandan.cards cimport DECK_SIZE, N_KINDS_OF_CARD, Planes
from guandan.position cimport Position
from guandan.rng cimport Rng
from guandan.state cimport State

cdef enum:
    N_HIDDEN = 3               # hands; one that is out has no card
    N_WAYS = 6                 # in which two copies go to three hands; one copy has three


cdef struct Spread:            # the chances of all assignments of the unseen cards
    Position position          # what is known; the hidden hands are empty
    uint8_t seat               # which sees it
    uint8_t[N_HIDDEN] sizes    # of the hidden hands, from the seat's next on
    int n_kinds                # that are dealt one after the other, each by its chances
    uint8_t[N_KINDS_OF_CARD] kinds
    uint8_t[N_KINDS_OF_CARD] twice             # whether both copies are
    # By kind, and the cards of the first and of the second hand so far: where each way but the
    # last ends, of 2**63.
    uint64_t* ends
    int n_rest                 # cards that may lie anywhere: what is left of the hands, shuffled
    uint8_t[DECK_SIZE] rest


cdef void draw_world(const Spread* spread, Rng* rng, Planes* hands) noexcept nogil


cdef class Source:
    cdef Spread spread
    cdef object observation
    cdef object weights
    cdef uint64_t seed

    cdef bint settle(self, list facts, object weights) except -1
    cdef int write(self, object numbers, uint64_t* planes) except -1
    cdef State state_of(self, uint64_t sample)


cdef class Worlds:
    cdef Source source
    cdef object numbers        # of the samples, a range
    cdef object made           # their planes, None until they are asked for
