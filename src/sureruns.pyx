"""Sure runs by a search in one hand, its answers remembered."""

from libc.stdint cimport uint8_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from guandan.subhands cimport FAMILY_BOMB, NO_CARDS, Play, Subhand, hand_at

cdef extern from "lanes.h" nogil:
    uint64_t lanes_min(uint64_t a, uint64_t b)

cdef enum:
    N_ANSWERS = 1 << 12
    LOSERS_SHIFT = 30          # in an answer's hand

cdef uint64_t NO_BOMBS = <uint64_t>0x00ffffffffffffff


cdef int make_sureruns(Sureruns* memo) except -1:
    """Get room for answers."""
    memo.n_answers = N_ANSWERS
    memo.age = 1
    memo.answers = <Answer*>calloc(N_ANSWERS, sizeof(Answer))
    if memo.answers == NULL:
        raise MemoryError
    return 0


cdef void free_sureruns(Sureruns* memo) noexcept nogil:
    """Give the room back."""
    free(memo.answers)
    memo.answers = NULL


cdef void forget_sureruns(Sureruns* memo) noexcept nogil:
    """Hold all answers for void: the numbers of hands now mean others."""
    memo.age += 1
    if memo.age == <uint32_t>1 << 31:
        memo.age = 1
        memset(memo.answers, 0, memo.n_answers * sizeof(Answer))


cdef inline int byte_of(uint64_t most, int family) noexcept nogil:
    """One byte of eight."""
    return <int>(most >> 8 * family & 255)


cdef inline Answer* answer_for(Sureruns* memo, uint32_t hand, uint64_t most) noexcept nogil:
    """Where the answer for a hand against some maxima stands, if it does."""
    cdef uint64_t hash = most * <uint64_t>0x9e3779b97f4a7c15 + hand
    hash ^= hash >> 32
    hash *= <uint64_t>0xd6e8feb86659fd93
    hash ^= hash >> 32
    return &memo.answers[hash & (memo.n_answers - 1)]


cdef bint is_sure(Sureruns* memo, Subhands* pool, uint32_t number, uint64_t most, int losers) noexcept nogil:
    """Whether a hand that leads is a sure run.

    `most` are the opponents' maxima by family, `losers` the most plays that may be beaten: no
    opponent can go out in so many plays.
    """
    cdef const Subhand* hand = hand_at(pool, number)
    cdef uint32_t asked = number | <uint32_t>losers << LOSERS_SHIFT
    cdef Answer* answer
    cdef bint sure
    if hand.goes_out or number == NO_CARDS:
        return True
    if most >> 56:
        most |= NO_BOMBS       # a bomb beats every other play
    # What is beyond all keys of the hand is alike.
    most = lanes_min(most, hand.most + <uint64_t>0x0101010101010101)
    answer = answer_for(memo, asked, most)
    if answer.hand == asked and answer.most == most and answer.answer >> 1 == memo.age:
        return answer.answer & 1
    sure = keeps_lead(memo, pool, hand, most, losers)
    if not sure and losers:
        sure = regains_lead(memo, pool, hand, most, losers)
    answer = answer_for(memo, asked, most)
    answer.hand = asked
    answer.most = most
    answer.answer = memo.age << 1 | sure
    return sure


cdef bint keeps_lead(
    Sureruns* memo, Subhands* pool, const Subhand* hand, uint64_t most, int losers
) noexcept nogil:
    """Whether some play that nobody can beat leaves a sure run."""
    cdef const Play* play
    cdef int family, i
    for family in range(FAMILY_BOMB, -1, -1):
        if byte_of(hand.most, family) < max(1, byte_of(most, family)):
            continue
        for i in range(hand.start[family], hand.start[family + 1]):
            play = &pool.plays[hand.plays + i]
            if play.key + 1 >= byte_of(most, family) and is_sure(memo, pool, play.rest, most, losers):
                return True
    return False


cdef bint regains_lead(
    Sureruns* memo, Subhands* pool, const Subhand* hand, uint64_t most, int losers
) noexcept nogil:
    """Whether some play that can be beaten and one that takes the lead back leave a sure run.

    The second must beat all that an opponent can play on the first: its own kind, strictly, where
    the opponents have no bombs, or a bomb above all of theirs. An opponent plays at most once in
    such a trick.
    """
    cdef const Play* play
    cdef int bombs = byte_of(most, FAMILY_BOMB)
    cdef bint has_bomb = byte_of(hand.most, FAMILY_BOMB) > bombs
    cdef int family, i
    if bombs and not has_bomb:
        return False
    for family in range(FAMILY_BOMB):
        if not has_bomb and byte_of(hand.most, family) <= byte_of(most, family):
            continue
        for i in range(hand.start[family], hand.start[family + 1]):
            play = &pool.plays[hand.plays + i]
            if not bombs and play.key + 1 >= byte_of(most, family):
                continue       # it cannot be beaten
            if not bombs and has_winner(memo, pool, play.rest, family, most, losers - 1):
                return True
            if has_bomb and has_winner(memo, pool, play.rest, FAMILY_BOMB, most, losers - 1):
                return True
    return False


cdef bint has_winner(
    Sureruns* memo, Subhands* pool, uint32_t number, int family, uint64_t most, int losers
) noexcept nogil:
    """Whether a play of a family above all of the opponents' leaves a sure run."""
    cdef const Subhand* hand = hand_at(pool, number)
    cdef const Play* play
    cdef int i
    for i in range(hand.start[family], hand.start[family + 1]):
        play = &pool.plays[hand.plays + i]
        if play.key + 1 > byte_of(most, family) and is_sure(memo, pool, play.rest, most, losers):
            return True
    return False
