"""Sure runs by a search in one hand, its answers remembered."""

from libc.stdlib cimport calloc, free
from libc.string cimport memset

from guandan.bits cimport mixed
from guandan.subhands cimport FAMILY_BOMB, NO_CARDS, Subhand, hand_at

cdef extern from "lanes.h" nogil:
    uint64_t lanes_min(uint64_t a, uint64_t b)

cdef enum:
    N_ANSWERS = 1 << 12
    LOSERS_SHIFT = 30          # in an answer's hand

cdef enum:
    NOT_SURE = 0
    SURE = 1
    GAVE_UP = 2                # the work ran out before it was known

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
    if memo.age == <uint32_t>1 << 30:
        memo.age = 1
        memset(memo.answers, 0, memo.n_answers * sizeof(Answer))


cdef inline int byte_of(uint64_t most, int family) noexcept nogil:
    """One byte of eight."""
    return <int>(most >> 8 * family & 255)


cdef inline Answer* answer_for(Sureruns* memo, uint32_t hand, uint64_t most) noexcept nogil:
    """Where the answer for a hand against some maxima stands, if it does."""
    cdef uint64_t hash = mixed(most * <uint64_t>0x9e3779b97f4a7c15 + hand)
    return &memo.answers[hash & (memo.n_answers - 1)]


cdef inline uint64_t as_seen(const Subhand* hand, uint64_t most) noexcept nogil:
    """The opponents' maxima as far as they matter to a hand."""
    if most >> 56:
        most |= NO_BOMBS       # a bomb beats every other play
    # What is beyond all keys of the hand is alike.
    return lanes_min(most, hand.most + <uint64_t>0x0101010101010101)


cdef bint is_sure(Sureruns* memo, Subhands* pool, uint32_t number, uint64_t most, int losers) noexcept nogil:
    """Whether a hand that leads is a sure run.

    `most` are the opponents' maxima by family, `losers` the most plays that may be beaten: no
    opponent can go out in so many plays. Where the work runs out the answer is False, which claims
    nothing.
    """
    cdef const Subhand* hand = hand_at(pool, number)
    cdef uint32_t asked = number | <uint32_t>losers << LOSERS_SHIFT
    cdef Answer* answer
    cdef bint sure
    if hand.goes_out or number == NO_CARDS:
        return True
    most = as_seen(hand, most)
    answer = answer_for(memo, asked, most)
    if (answer.hand == asked and answer.most == most and answer.answer >> 2 == memo.age
            and (answer.answer & 3 != GAVE_UP or memo.work_left != NO_END)):
        return answer.answer & 3 == SURE
    if memo.work_left != NO_END:
        memo.work_left -= 1 + hand.start[FAMILY_BOMB + 1]
        if memo.work_left <= 0:
            return False
    sure = (keeps_lead(memo, pool, hand, most, losers) != NULL
            or losers and regains_lead(memo, pool, hand, most, losers) != NULL)
    answer.hand = asked
    answer.most = most
    answer.answer = memo.age << 2 | (SURE if sure else GAVE_UP if memo.work_left <= 0 else NOT_SURE)
    return sure


cdef const Play* keeps_lead(
    Sureruns* memo, Subhands* pool, const Subhand* hand, uint64_t most, int losers
) noexcept nogil:
    """A play that nobody can beat and that leaves a sure run, NULL if there is none."""
    cdef const Play* play
    cdef int family, i
    for family in range(FAMILY_BOMB, -1, -1):
        if byte_of(hand.most, family) < max(1, byte_of(most, family)):
            continue
        for i in range(hand.start[family], hand.start[family + 1]):
            play = &pool.plays[hand.plays + i]
            if play.key + 1 >= byte_of(most, family) and is_sure(memo, pool, play.rest, most, losers):
                return play
    return NULL


cdef const Play* regains_lead(
    Sureruns* memo, Subhands* pool, const Subhand* hand, uint64_t most, int losers
) noexcept nogil:
    """A play that takes the lead back, after one that can be beaten, and leaves a sure run; or NULL.

    The second must beat all that an opponent can play on the first: its own kind, strictly, where
    the opponents have no bombs, or a bomb above all of theirs. An opponent plays at most once in
    such a trick.
    """
    cdef const Play* play
    cdef const Play* winner
    cdef int bombs = byte_of(most, FAMILY_BOMB)
    cdef bint has_bomb = byte_of(hand.most, FAMILY_BOMB) > bombs
    cdef int family, i
    if bombs and not has_bomb:
        return NULL
    for family in range(FAMILY_BOMB):
        if not has_bomb and byte_of(hand.most, family) <= byte_of(most, family):
            continue
        for i in range(hand.start[family], hand.start[family + 1]):
            play = &pool.plays[hand.plays + i]
            if not bombs and play.key + 1 >= byte_of(most, family):
                continue       # it cannot be beaten
            if not bombs:
                winner = find_winner(memo, pool, play.rest, family, most, losers - 1)
                if winner != NULL:
                    return winner
            if has_bomb:
                winner = find_winner(memo, pool, play.rest, FAMILY_BOMB, most, losers - 1)
                if winner != NULL:
                    return winner
    return NULL


cdef const Play* find_winner(
    Sureruns* memo, Subhands* pool, uint32_t number, int family, uint64_t most, int losers
) noexcept nogil:
    """A play of a family above all of the opponents' that leaves a sure run, NULL if there is none."""
    cdef const Subhand* hand = hand_at(pool, number)
    cdef const Play* play
    cdef int i
    for i in range(hand.start[family], hand.start[family + 1]):
        play = &pool.plays[hand.plays + i]
        if play.key + 1 > byte_of(most, family) and is_sure(memo, pool, play.rest, most, losers):
            return play
    return NULL


cdef const Play* sure_play(
    Sureruns* memo, Subhands* pool, uint32_t number, uint64_t most, int losers, bint* regains
) noexcept nogil:
    """The next play that must not be beaten in the sure run of a hand that no one play empties.

    It may be the second, which takes the lead back: `regains` is set to that. NULL where the room
    for hands ran out.
    """
    cdef const Subhand* hand = hand_at(pool, number)
    cdef const Play* play
    memo.work_left = NO_END    # it is known that there is a sure run, and all of it is wanted
    most = as_seen(hand, most)
    play = keeps_lead(memo, pool, hand, most, losers)
    regains[0] = play == NULL
    return play if play != NULL else regains_lead(memo, pool, hand, most, losers)
