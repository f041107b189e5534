"""Deals played out at random, many in one call and without the GIL."""

from collections.abc import Iterable
from threading import Lock
from typing import NamedTuple

import numpy as np

from libc.stdint cimport int8_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport free, malloc

cimport cython
from cpython.exc cimport PyErr_CheckSignals

from guandan.cards cimport read_int, read_level, read_seed, shorten
from guandan.position cimport (
    MOST_COUNTED, Counters, Course, Position, deal_position, payoff, play_out,
)
from guandan.rng cimport Rng, stream
from guandan.state cimport State, apply_rules, read_rules, read_steps

__all__ = ["Playouts", "Tally", "playouts"]

cdef enum:
    BLOCK = 256                # deals that a thread takes at a time


class Playouts(NamedTuple):
    """What came of deals played out at random, three arrays with an item for each deal.

    `payoffs`, int8: the level steps for side 0. `lengths`, uint16: its moves, passes included.
    `decisions`, uint16: those of its moves whose list was not the pass alone.
    """

    payoffs: np.ndarray
    lengths: np.ndarray
    decisions: np.ndarray


class Tally:
    """How many decisions of random deals had how many legal moves, summed over calls of `playouts`.

    Three int64 arrays of shape (65536,): item i counts the decisions among i moves, the last item
    those among so many or more. `leads` and `replies` are all decisions, turns that can only pass
    are none; `openings` are those of them that began a deal. A call that is interrupted adds
    nothing; one that adds takes some 0.3 ms longer.
    """

    def __init__(self):
        self.leads = np.zeros(MOST_COUNTED + 1, np.int64)
        self.replies = np.zeros(MOST_COUNTED + 1, np.int64)
        self.openings = np.zeros(MOST_COUNTED + 1, np.int64)

    def add(self, other):
        """Add another tally's counts."""
        read_tally("other", other)
        with _adding:
            self.leads += other.leads
            self.replies += other.replies
            self.openings += other.openings


cdef object _adding = Lock()   # numpy lets other threads in between reading and writing


cdef struct Start:             # of a deal to be played out
    Position position
    int[3] steps


@cython.final
cdef class Plan:
    """The deals of one call, and their results; threads take block after block of them."""

    cdef Py_ssize_t n
    cdef Py_ssize_t n_taken
    cdef uint64_t seed         # of the first deal, or of all where they start from states
    cdef uint64_t step         # from a deal's seed to the next one's
    cdef Start like            # of dealt hands: level, options and steps
    cdef bint draws_level
    cdef Start* starts         # NULL: deals are dealt
    cdef int8_t[::1] payoffs
    cdef uint16_t[::1] lengths
    cdef uint16_t[::1] decisions
    cdef bint counts
    cdef object lock

    def __dealloc__(self):
        free(self.starts)

    cdef Start start(self, Py_ssize_t i, Rng* rng) noexcept nogil:
        """The i-th deal, and the generator of its moves."""
        cdef Start start
        cdef uint64_t seed
        if self.starts != NULL:
            rng[0] = stream(self.seed, i)
            return self.starts[i]
        seed = self.seed + <uint64_t>i * self.step
        rng[0] = stream(seed, 0)
        start.steps = self.like.steps
        start.position = deal_position(seed)
        start.position.options = self.like.position.options
        start.position.lead_next = self.like.position.lead_next
        if not self.draws_level:
            start.position.level = self.like.position.level
        return start

    cdef void play(self, Py_ssize_t first, Py_ssize_t last, const Counters* counters) noexcept nogil:
        """Play the deals first to last - 1."""
        cdef Rng rng
        cdef Start start
        cdef Course course
        cdef Py_ssize_t i
        for i in range(first, last):
            start = self.start(i, &rng)
            course = play_out(&start.position, &rng, counters)
            self.payoffs[i] = <int8_t>payoff(&start.position.trick, start.steps)
            self.lengths[i] = <uint16_t>course.length
            self.decisions[i] = <uint16_t>course.decisions

    def take(self):
        """Return the next block of deals, first and last."""
        with self.lock:
            first = self.n_taken
            self.n_taken = min(self.n, first + BLOCK)
            return first, self.n_taken

    def run(self):
        """Play blocks of deals until there are no more; return a Tally of them if one is wanted."""
        cdef Counters room
        cdef Counters* counters = NULL
        cdef int64_t[::1] leads, replies, openings
        cdef Py_ssize_t first, last
        tally = None
        try:
            if self.counts:
                tally = Tally()
                leads, replies, openings = tally.leads, tally.replies, tally.openings
                room = Counters(&leads[0], &replies[0], &openings[0])
                counters = &room
            first, last = self.take()
            while first < last:
                with nogil:
                    self.play(first, last, counters)
                PyErr_CheckSignals()
                first, last = self.take()
        except BaseException:
            self.stop()
            raise
        return tally

    def stop(self):
        """Leave no more deals to take."""
        with self.lock:
            self.n_taken = self.n

    cdef list run_threads(self, int threads):
        """Play all deals on some threads; what interrupts the wait stops them."""
        from concurrent.futures import ThreadPoolExecutor      # a tenth of the package's import time

        with ThreadPoolExecutor(threads) as pool:
            try:
                runs = [pool.submit(self.run) for _ in range(threads)]
                return [run.result() for run in runs]
            finally:
                self.stop()


cdef int read_tally(str name, object tally) except -1:
    """Raise TypeError for what is no Tally."""
    if not isinstance(tally, Tally):
        raise TypeError(f"{name}: want a Tally, got {shorten(tally)}")
    return 0


cdef int plan_seeds(Plan plan, object seeds, object level, object rules) except -1:
    """Take one deal for each seed of a range."""
    chosen = read_rules(rules)
    try:
        plan.n = len(seeds)
    except OverflowError:
        raise ValueError(f"deals {seeds}: too many to keep what comes of them") from None
    if seeds:
        plan.seed = read_seed(seeds[0])
        read_seed(seeds[plan.n - 1])
    plan.step = seeds.step & ((1 << 64) - 1)
    plan.draws_level = level is None
    plan.like.position.level = 0 if level is None else <uint8_t>read_level(level)
    apply_rules(&plan.like.position, chosen)
    return read_steps(chosen, plan.like.steps)


cdef int plan_states(Plan plan, object states, object seed) except -1:
    """Take one deal for each state."""
    cdef list given = list(states)
    cdef Py_ssize_t i
    plan.n = len(given)
    for i in range(plan.n):
        if not isinstance(given[i], State):
            raise TypeError(f"deals[{i}]: want a State, got {shorten(given[i])}; "
                            "seeds are given as a range")
    if seed is None:
        raise ValueError("seed: states need one, an int, to be played out")
    plan.seed = read_seed(seed)
    plan.starts = <Start*>malloc((plan.n + 1) * sizeof(Start))
    if plan.starts == NULL:
        raise MemoryError
    for i in range(plan.n):
        plan.starts[i].position = (<State>given[i]).position
        read_steps((<State>given[i]).rules, plan.starts[i].steps)
    return 0


def playouts(deals, seed=None, level=None, rules=None, threads=1, tally=None):
    """Play many deals to their ends by uniform random legal moves, without the GIL.

    `deals` is a range of seeds: each deals as `State.deal` does, at `level` or, where that is
    None, at a level that the seed draws, under `rules`; or it is an iterable of States, and `seed`
    tells how they go on. `tally`, a Tally, is added to. The results do not depend on `threads`;
    deal s of a range is `State.deal(level, s).playout(s)`, and no state is changed. Returns
    Playouts: three arrays.

    Raises ValueError for a seed or a number of threads that cannot be, for `seed` beside a range
    and for `level` or `rules` beside states; NotationError for a level that is none; TypeError for
    deals, rules or a tally of another type.

    >>> from guandan import State
    >>> payoffs, lengths, decisions = playouts(range(7, 9), level="2")
    >>> payoffs.tolist() == [State.deal("2", seed=s).playout(s) for s in (7, 8)]
    True
    """
    cdef Plan plan = Plan.__new__(Plan)
    n_threads = read_int("threads", threads, 1)
    if tally is not None:
        read_tally("tally", tally)
    if isinstance(deals, range):
        if seed is not None:
            raise ValueError("seed: a range of seeds needs no other")
        plan_seeds(plan, deals, level, rules)
    elif isinstance(deals, State) or not isinstance(deals, Iterable):
        raise TypeError(f"deals: want a range of seeds, or States, got {shorten(deals)}")
    else:
        plan_states(plan, deals, seed)
        if level is not None or rules is not None:
            raise ValueError("level, rules: states have their own")
    results = Playouts(np.empty(plan.n, np.int8), np.empty(plan.n, np.uint16), np.empty(plan.n, np.uint16))
    plan.payoffs, plan.lengths, plan.decisions = results
    plan.counts, plan.lock = tally is not None, Lock()
    n_threads = min(n_threads, (plan.n + BLOCK - 1) // BLOCK)
    tallies = [plan.run()] if n_threads <= 1 else plan.run_threads(n_threads)
    for counted in tallies if tally is not None else ():
        tally.add(counted)
    return results
