"""Deals that agree with what one seat knows: every one with its chance, and no other.

The chances are counted back from the last kind of card to the first: of how the cards of a kind
may go to the three hidden hands, by how many cards the first two of them have got so far. A world
is then one walk from the first kind on. Kinds of which nothing is known but that they are unseen
are not counted so: those cards are shuffled, and the count knows in how many ways.
"""

import numpy as np

from guandan.cards import CARDS
from guandan.errors import StateError

from libc.math cimport frexp, ldexp
from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

cimport cython
from cpython.exc cimport PyErr_CheckSignals

from guandan.cards cimport (
    N_KINDS_OF_CARD, N_SEATS, NO_RANK, Planes, copies, int_of, read_int, read_seed, shorten, size,
)
from guandan.combos cimport PASS, kind_of, rank_of
from guandan.facts cimport Bounds, allows, bit, facts_of, has_begun, read_facts
from guandan.observation cimport Gift, Observation, View, is_known, read_observation
from guandan.position cimport NO_SEAT, Position
from guandan.rng cimport Rng, next_bits, shuffle, stream
from guandan.setup cimport is_sound
from guandan.state cimport State, apply_rules

__all__ = ["MOST_WORLDS", "Worlds", "worlds"]

MOST_WORLDS = 1_000_000_000

cdef enum:
    N_ENDS = N_WAYS - 1
    BLOCK = 4096               # worlds between two looks for signals

# Which hand gets the one copy and which the other, way by way: NOBODY where there is no other.
cdef enum:
    NOBODY = N_HIDDEN

cdef uint8_t[2][N_WAYS] ONE = [[0, 1, 2, 3, 3, 3], [0, 0, 0, 1, 1, 2]]
cdef uint8_t[2][N_WAYS] OTHER = [[3, 3, 3, 3, 3, 3], [0, 1, 2, 1, 2, 2]]


# Drawing

cdef inline void take(Planes* hand, uint64_t kind) noexcept nogil:
    """Put a card into a hand, given as its kind's bit."""
    hand.twice |= hand.once & kind
    hand.once |= kind


cdef void draw_world(const Spread* spread, Rng* rng, Planes* hands) noexcept nogil:
    """Write the four hands of a world."""
    cdef Planes[N_HIDDEN + 1] dealt
    cdef int[N_HIDDEN + 1] n
    cdef uint8_t[DECK_SIZE] cards
    cdef const uint64_t* ends
    cdef uint64_t kind, drawn
    cdef int i, h, way, one, other, place = 0
    memset(dealt, 0, sizeof(dealt))
    memset(n, 0, sizeof(n))
    for i in range(spread.n_kinds):
        ends = ends_at(spread, i, n[0], n[1])
        drawn = next_bits(rng) >> 1
        way = ((drawn >= ends[0]) + (drawn >= ends[1]) + (drawn >= ends[2]) + (drawn >= ends[3])
               + (drawn >= ends[4]))
        kind = <uint64_t>1 << spread.kinds[i]
        one, other = ONE[spread.twice[i]][way], OTHER[spread.twice[i]][way]
        take(&dealt[one], kind)
        take(&dealt[other], kind)
        n[one] += 1
        n[other] += 1
    memcpy(cards, spread.rest, spread.n_rest)
    shuffle(rng, cards, spread.n_rest)
    for h in range(N_HIDDEN):
        for i in range(spread.sizes[h] - n[h]):
            take(&dealt[h], <uint64_t>1 << cards[place])
            place += 1
        hands[spread.seat + 1 + h & 3] = dealt[h]
    hands[spread.seat] = spread.position.hands[spread.seat]


cdef inline uint64_t* ends_at(const Spread* spread, int i, int first, int second) noexcept nogil:
    """Where the ways of the i-th kind end, by the cards of the first two hands so far."""
    return &spread.ends[((i * (spread.sizes[0] + 1) + first) * (spread.sizes[1] + 1) + second) * N_ENDS]


# Counting

cdef struct Number:            # part * 2**power, of any size; part is 0 or from 0.5 to 1
    double part
    int64_t power


cdef inline Number number(double value) noexcept nogil:
    """A number that is not negative."""
    cdef int power
    cdef double part = frexp(value, &power)
    return Number(part, power)


cdef inline Number product(Number one, Number two) noexcept nogil:
    """Two numbers multiplied."""
    cdef Number made = number(one.part * two.part)
    made.power += one.power + two.power
    return made


cdef inline double in_units(Number one, int64_t power) noexcept nogil:
    """A number in units of a power of two that is not much smaller; 0 where it is hardly anything."""
    return ldexp(one.part, <int>(one.power - power)) if one.power > power - 1024 else 0


cdef inline double choices(int n, int k) noexcept nogil:
    """In how many ways k of n cards can be chosen."""
    cdef double ways = 1
    cdef int i
    for i in range(k):
        ways = ways * (n - i) / (i + 1)
    return ways


cdef struct Ways:              # of one kind's cards
    int n                      # 3 or 6
    Number[N_WAYS] chances     # without regard to the sizes of hands
    int[N_WAYS] first          # the cards that go to the first hand, and to the second
    int[N_WAYS] second


cdef Number sum_up(const Number* terms, int n, uint64_t* ends) noexcept nogil:
    """Return the sum of up to N_WAYS terms, and write where each but the last ends, of 2**63."""
    cdef int64_t power = 0
    cdef double total = 0, so_far = 0
    cdef int i, last = -1
    for i in range(n):
        if terms[i].part > 0 and (last < 0 or terms[i].power > power):
            power = terms[i].power
        if terms[i].part > 0:
            last = i
    for i in range(n):
        total += in_units(terms[i], power)
    for i in range(N_ENDS):
        if i < last:
            so_far += in_units(terms[i], power)
        ends[i] = <uint64_t>ldexp(so_far / total, 63) if i < last else <uint64_t>1 << 63
    cdef Number summed = number(total)
    summed.power += power
    return summed


cdef bint count_back(Spread* spread, const Ways* ways) except -1:
    """Set the chances of all ways; False where there is no world at all."""
    cdef int a_end = spread.sizes[0] + 1, b_end = spread.sizes[1] + 1
    cdef int a, b, i, j, n_before, more_a, more_b
    cdef Py_ssize_t n_places = a_end * b_end
    cdef Number[N_WAYS] terms
    cdef Number* after = <Number*>malloc(2 * n_places * sizeof(Number))
    cdef Number* here = after + n_places
    cdef Number* other
    spread.ends = <uint64_t*>malloc((spread.n_kinds + 1) * n_places * N_ENDS * sizeof(uint64_t))
    if after == NULL or spread.ends == NULL:
        free(after)
        raise MemoryError
    other = after
    n_before = spread.n_kinds
    for i in range(spread.n_kinds):
        n_before += spread.twice[i]
    for a in range(a_end):
        for b in range(b_end):
            here[a * b_end + b] = number(ways_of_rest(spread, a, b, n_before))
    for i in range(spread.n_kinds - 1, -1, -1):
        after, here = here, after
        n_before -= 1 + spread.twice[i]
        for a in range(a_end):
            for b in range(b_end):
                here[a * b_end + b] = Number(0, 0)
                if not 0 <= n_before - a - b <= spread.sizes[2]:
                    continue
                for j in range(ways[i].n):
                    more_a, more_b = a + ways[i].first[j], b + ways[i].second[j]
                    terms[j] = Number(0, 0)
                    if more_a < a_end and more_b < b_end:
                        terms[j] = product(ways[i].chances[j], after[more_a * b_end + more_b])
                here[a * b_end + b] = sum_up(terms, ways[i].n, ends_at(spread, i, a, b))
    cdef bint found = here[0].part > 0
    free(other)
    return found


cdef double ways_of_rest(const Spread* spread, int a, int b, int n) noexcept nogil:
    """In how many ways the free cards fill the hands up when n others are dealt, a and b of them to two."""
    cdef int first = spread.sizes[0] - a, second = spread.sizes[1] - b
    if not 0 <= n - a - b <= spread.sizes[2]:
        return 0
    return choices(spread.n_rest, first) * choices(spread.n_rest - first, second)


# What is known, and believed

cdef bint is_free(
    const Spread* spread, const Bounds* bounds, const double[:, ::1] weights, int kind, int n
) noexcept:
    """Whether n cards of a kind lie in one hidden hand as well as in another."""
    cdef double weight = -1
    cdef int h, seat
    for h in range(N_HIDDEN):
        seat = spread.seat + 1 + h & 3
        if bounds.least[seat][kind] > 0:
            return False
        if spread.sizes[h]:
            if weight < 0:
                weight = weights[seat, kind]
            if bounds.most[seat][kind] < n or weights[seat, kind] != weight or weight == 0:
                return False
    return True


cdef int ways_dealt(const View* view, int kind, const int* got) noexcept:
    """In how many ways the copies of a kind, told apart, were dealt and played so that hands hold these.

    `got` is what the hidden hands hold. Tributes and returns are taken back: who gives one of two
    copies was dealt both in one way, where copies of two seats may be dealt in two.
    """
    cdef int[N_SEATS] dealt
    cdef int seat, now, played, ways = 1
    for seat in range(N_SEATS):
        now = copies(&view.hand, bit(kind)) if seat == view.seat else got[seat - view.seat - 1 & 3]
        played = copies(&view.played[seat], bit(kind))
        dealt[seat] = now + played
        if now == 1 and played == 1:           # either copy may be the one that was played
            ways = 2
    for seat in range(N_SEATS):
        if is_given(&view.tributes[seat], kind):
            dealt[seat] += 1
            dealt[view.tributes[seat].receiver] -= 1
        if is_given(&view.returns[seat], kind):
            dealt[seat] += 1
            dealt[view.returns[seat].receiver] -= 1
    for seat in range(N_SEATS):
        if dealt[seat] == 2:
            return ways
    return 2 * ways


cdef inline bint is_given(const Gift* gift, int kind) noexcept nogil:
    """Whether a gift is a card of a kind."""
    return gift.receiver != NO_SEAT and gift.card == kind


cdef bint is_given_at_all(const View* view, int kind) noexcept nogil:
    """Whether a card of a kind was paid or returned."""
    cdef int seat
    for seat in range(N_SEATS):
        if is_given(&view.tributes[seat], kind) or is_given(&view.returns[seat], kind):
            return True
    return False


cdef void weigh(
    const Spread* spread, const View* view, const Bounds* bounds, const double[:, ::1] weights,
    int kind, int n, Ways* ways
) noexcept:
    """Set the ways in which n cards of a kind may go to the hidden hands, and their chances."""
    cdef int[N_HIDDEN + 1] got
    cdef int j, h, seat
    ways.n = N_HIDDEN if n == 1 else N_WAYS
    for j in range(ways.n):
        memset(got, 0, sizeof(got))
        got[ONE[n - 1][j]] += 1
        got[OTHER[n - 1][j]] += 1
        ways.chances[j] = number(ways_dealt(view, kind, got))
        for h in range(N_HIDDEN):
            seat = spread.seat + 1 + h & 3
            if not allows(bounds, seat, kind, got[h]):
                ways.chances[j] = Number(0, 0)
            for _ in range(got[h]):
                ways.chances[j] = product(ways.chances[j], number(weights[seat, kind]))
        ways.first[j], ways.second[j] = got[0], got[1]


# For Python

@cython.final
cdef class Source:
    """Where worlds come from: an observation, a belief and a seed."""

    def __dealloc__(self):
        free(self.spread.ends)

    cdef bint settle(self, list facts, object weights) except -1:
        """Find the chances under some facts and weights, or None; False where there is no world."""
        cdef Spread* spread = &self.spread
        cdef const View* view = &(<Observation>self.observation).view
        cdef Ways[N_KINDS_OF_CARD] ways
        cdef Bounds bounds
        cdef const double[:, ::1] belief = np.ones((N_SEATS, N_KINDS_OF_CARD)) if weights is None else weights
        cdef int kind, n, i
        free(spread.ends)
        spread.ends = NULL
        spread.n_kinds = spread.n_rest = 0
        read_facts(view, facts, &bounds)
        for kind in range(N_KINDS_OF_CARD):
            if not allows(&bounds, view.seat, kind, copies(&view.hand, bit(kind))):
                return False
            n = copies(&view.unseen, bit(kind))
            if n and not is_given_at_all(view, kind) and is_free(spread, &bounds, belief, kind, n):
                for i in range(n):
                    spread.rest[spread.n_rest] = <uint8_t>kind
                    spread.n_rest += 1
            else:
                # A kind of which there is no card may be asked for all the same.
                for i in range(N_HIDDEN if n == 0 else 0):
                    if bounds.least[view.seat + 1 + i & 3][kind] > 0:
                        return False
                if n:
                    weigh(spread, view, &bounds, belief, kind, n, &ways[spread.n_kinds])
                    spread.kinds[spread.n_kinds] = <uint8_t>kind
                    spread.twice[spread.n_kinds] = n == 2
                    spread.n_kinds += 1
        return count_back(spread, ways)

    cdef int write(self, object numbers, uint64_t* planes) except -1:
        """Write the planes of some samples."""
        cdef Py_ssize_t n = len(numbers), done = 0, end
        cdef uint64_t first = numbers[0] if n else 0, step = numbers.step & ((1 << 64) - 1)
        cdef Rng rng
        while done < n:
            end = min(n, done + BLOCK)
            with nogil:
                while done < end:
                    rng = stream(self.seed, first + <uint64_t>done * step)
                    draw_world(&self.spread, &rng, <Planes*>&planes[done * 2 * N_SEATS])
                    done += 1
            PyErr_CheckSignals()
        return 0

    cdef State state_of(self, uint64_t sample):
        """Make a sample as a State."""
        cdef State state = State.__new__(State)
        cdef Position position = self.spread.position
        cdef const View* view = &(<Observation>self.observation).view
        cdef Rng rng = stream(self.seed, sample)
        if not has_begun(view):
            raise StateError("play has not begun: there are planes of such worlds, but no State yet")
        draw_world(&self.spread, &rng, position.hands)
        state.begin(&position, (<Observation>self.observation).rules)
        if is_known(&view.table):
            state.shown = view.table
        assert is_sound(&state.position)
        return state


@cython.final
cdef class Worlds:
    """A sequence of deals that agree with an Observation; made by `worlds`.

    Each world is made when it is asked for: indexing and iteration give States without a history,
    with table, owner, turn, seats out, level and rules as observed; a slice gives Worlds. What
    play has not begun with gives no State: StateError.
    """

    def __init__(self, *args, **kwargs):
        raise TypeError("Worlds are made by worlds(observation, n, seed)")

    @property
    def observation(self):
        """The Observation."""
        return self.source.observation

    @property
    def planes(self):
        """The hands of seats 0 to 3, read-only uint64 of shape (n, 4, 2): bit k of the first plane
        is set for one or two cards of kind k, of the second for two."""
        cdef uint64_t[:, :, ::1] places
        if self.made is None:
            made = np.empty((len(self.numbers), N_SEATS, 2), np.uint64)
            places = made
            if len(self.numbers):
                self.source.write(self.numbers, &places[0, 0, 0])
            made.flags.writeable = False
            self.made = made
        return self.made

    def __len__(self):
        return len(self.numbers)

    def __getitem__(self, place):
        if isinstance(place, slice):
            return worlds_of(self.source, self.numbers[place])
        index = int_of(place)
        if index is None:
            raise TypeError(f"index={shorten(place)}: want an int or a slice")
        place = index
        if not -len(self.numbers) <= place < len(self.numbers):
            raise IndexError(f"index {shorten(place)} of {len(self.numbers)} worlds")
        return self.source.state_of(self.numbers[place])

    def __iter__(self):
        for sample in self.numbers:
            yield self.source.state_of(sample)

    def __repr__(self):
        return f"<Worlds of seat {self.source.spread.seat}: {len(self.numbers)}>"

    def __reduce__(self):
        return restore, (
            self.source.observation, int(self.source.seed), self.source.weights, self.numbers)


cdef Worlds worlds_of(Source source, object numbers):
    """Some samples of a source."""
    cdef Worlds made = Worlds.__new__(Worlds)
    made.source, made.numbers = source, numbers
    return made


def restore(observation, seed, weights, numbers):
    """Put pickled Worlds together again."""
    return worlds_of(source_of(observation, read_seed(seed), weights), numbers)


def worlds(obs, n, seed, weights=None):
    """Sample n deals that agree with an Observation, as a sequence of States.

    The other hands have the sizes that are seen, and every assignment of the unseen cards that
    agrees with the observation is as likely as any other; each of two copies is a card of its own,
    so a kind that is split over two hands counts for two. With tributes and returns it is the deal
    before them whose assignments count: the second copy of a card lies with who gave it half as
    often as with another, since he was dealt both in one way only. `weights` is a belief, an array of
    numbers of shape (4, 54) by seat and kind, 0 or more: an assignment's chance is then in
    proportion to the product of the weights of its hidden cards. The seat's own row is not used.
    Sampling is exact, in the limits of floating point; sample i is drawn by `stream(seed, i)` of
    `rng.pxd`, whatever n is.

    What an observation says of single cards is what tributes and returns do. Who got a card and has
    not played one of its kind holds one, unless he may have given the very same back. Who paid had
    nothing higher, wilds excepted, but for what he got back; where resisting is forced, who paid a
    big joker had no other. Who returned a card that only the lack of others lets him return lacked
    those, and who returned the kind that he got had both, where the rules ask for that. Why a seat
    chose or passed, and what others do with their cards, is for `weights`; so is a resistance, as
    an observation does not have it. The plays before a State was made are not known: then a seat
    may have played what it got.

    Raises StateError where no deal agrees with the observation, saying what contradicts, or where a
    tribute is known in play and its return is not; ValueError for weights that leave no deal or
    cannot be, and for a number or seed that cannot be; TypeError for arguments of another type.

    >>> from guandan.state import State
    >>> state = State.parse("S3S4/D9HR/D9DT/SB 2 0 - -")
    >>> sampled = worlds(state.observe(0), 1000, seed=1)
    >>> sampled[0].observe(0) == state.observe(0), sampled.planes.shape
    (True, (1000, 4, 2))
    >>> sum("HR" in world.hands[3] for world in sampled)
    199
    """
    count = read_int("n", n, 0, MOST_WORLDS)
    seen = read_observation(obs)
    belief = None if weights is None else read_weights(weights)
    return worlds_of(source_of(seen, read_seed(seed), belief), range(count))


cdef object read_weights(object weights):
    """A belief as an array of its own."""
    try:
        belief = np.array(weights, np.float64, order="C")
    except (TypeError, ValueError):
        raise TypeError(f"weights: want numbers, got {shorten(weights)}") from None
    if belief.shape != (N_SEATS, N_KINDS_OF_CARD):
        raise ValueError(f"weights of shape {belief.shape}: want (4, 54), by seat and kind")
    if not (np.isfinite(belief) & (belief >= 0)).all():
        raise ValueError("weights: want finite numbers, each 0 or more")
    belief.flags.writeable = False
    return belief


cdef Source source_of(Observation seen, uint64_t seed, object weights):
    """The source of an observation's worlds, if there are any."""
    cdef Source source = Source.__new__(Source)
    cdef const View* view = &seen.view
    cdef int h, hidden = 0
    source.observation, source.weights, source.seed = seen, weights, seed
    begin_spread(&source.spread, view)
    apply_rules(&source.spread.position, seen.rules)
    for h in range(N_HIDDEN):
        hidden += source.spread.sizes[h]
    if hidden != size(&view.unseen) or size(&view.hand) != view.left[view.seat]:
        raise StateError(
            f"seats hold {', '.join(map(str, seen.left))} cards: seat {view.seat} sees "
            f"{size(&view.hand)} of its own, and {size(&view.unseen)} are unseen")
    facts = facts_of(seen)
    if not source.settle(facts, weights):
        refuse(source, facts)
    return source


cdef void begin_spread(Spread* spread, const View* view) noexcept:
    """Set what is seen."""
    cdef Position* position = &spread.position
    cdef int h
    memset(spread, 0, sizeof(Spread))
    spread.seat = view.seat
    for h in range(N_HIDDEN):
        spread.sizes[h] = view.left[view.seat + 1 + h & 3]
    position.hands[view.seat] = view.hand
    position.level = view.level
    position.trick.turn, position.trick.owner = view.turn, view.owner
    position.trick.kind, position.trick.rank = PASS, NO_RANK
    if is_known(&view.table):
        position.trick.kind = <uint8_t>kind_of(&view.table)
        position.trick.rank = <uint8_t>rank_of(&view.table)
    memcpy(position.trick.out, view.out, sizeof(view.out))
    position.trick.n_out = view.n_out


cdef int refuse(Source source, list facts) except -1:
    """Raise an error that says why there is no world: facts that contradict, none too many, or weights."""
    cdef list needed = facts
    cdef const uint8_t* sizes = source.spread.sizes
    if source.settle(facts, None):
        rows = [source.spread.seat + 1 + h & 3 for h in range(N_HIDDEN) if sizes[h]]
        held = source.observation.unseen * (source.weights[rows] == 0).all(axis=0)
        nobody = " ".join([CARDS[kind] for kind in np.flatnonzero(held)])
        raise ValueError("weights: no deal that agrees with the observation has a weight above 0"
                         + (f", nobody may hold {nobody}" if nobody else ""))
    for fact in facts:
        rest = [other for other in needed if other is not fact]
        if not source.settle(rest, None):
            needed = rest
    raise StateError("no deal agrees with this: " + "; ".join([fact[0] for fact in needed]))
