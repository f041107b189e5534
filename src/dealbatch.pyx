"""Many deals in play at once in plain memory, stepped together: a loop for learners without objects."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from guandan.actions import ACTIONS
from guandan.errors import IllegalMoveError
from guandan.features import LAYOUTS
from guandan.standing import Standing, known

from libc.stdint cimport int8_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memcpy, memmove

cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize

from guandan.actions cimport N_ACTIONS, set_mask
from guandan.arrays cimport Rows, read_levels, rows_of
from guandan.cards cimport (
    N_RANKS, N_SEATS, NO_RANK, Planes, check_bool, int_of, plus, read_int, read_seed, shorten, size,
)
from guandan.combos cimport PASS, Record, cards_of, kind_of
from guandan.crew cimport (
    ALL_DONE, COUNT, LIST, MASK, NAME, OBSERVE, OBSERVE_PLANES, STEP, TAKE, TAKE_IDS, Task,
)
from guandan.gifts cimport read_order
from guandan.ledger cimport NO_SIDE, fields_of, read_ledger
from guandan.movegen cimport OVERRUN
from guandan.movelist cimport MoveBatch, MoveList
from guandan.observation cimport Play, gifts_of
from guandan.pasts cimport MOST_PAST, MOST_PLAYS, Past, play_of, write_past
from guandan.places cimport (
    AFTER_DRAWN, AFTER_GIVEN, AFTER_LAST, AFTER_NONE, DRAWN_LEVEL, UNCOUNTED, Between, Deal, Place, begin,
    count_moves, in_play, last_past,
)
from guandan.position cimport NO_SEAT, Position, Trick, play, table_of
from guandan.rounds cimport read_law
from guandan.state cimport State, read_rules, read_steps

__all__ = ["ActionBatch", "DealBatch"]

cdef object MOST = 2**31 - 1
cdef dict AFTER = {"drawn": AFTER_DRAWN, "last": AFTER_LAST}


class ActionBatch(NamedTuple):
    """The abstract actions of many deals: their ids one deal after another, and where each begins.

    `ids`, uint16; `offsets`, int64 of shape (n + 1,), the last one the end.
    """

    ids: np.ndarray
    offsets: np.ndarray


@cython.final
cdef class DealBatch(Crew):
    """Many deals in play at once; a deal that ends is followed by another at its place.

    `n` deals under `rules` (a Rules, default: jiangsu2023). Each place draws what it needs from its
    own stream of `seed`, so that `threads` change nothing. By default a place has deals by
    themselves: `deal_seeds` has the seed with which `State.deal` deals the same, `level` is a text
    for all, a sequence of texts or a uint8 array of codes by place, or None: drawn by the deal's
    seed. With `matches` it has matches: levels by the standing, who leads the first deal by a card
    turned up, tributes and returns drawn among what the rules allow, and a new match when one is
    over, by a win, a draw, or the number of deals in the rules; minutes are not counted.

    `after` has tribute and returns before deals by themselves too, drawn in the same way: the order
    of four seats in which a deal before them ended, for all or one for each place, "drawn": one for
    each deal, all ways to shuffle the seats alike, or "last": that of the deal before it at its place,
    the first follows none.

    `auto_pass`, by default, passes for seats that can do nothing else, so that each turn is a
    decision, as learners want it: nothing is learned where nothing is chosen. Without it every turn
    is asked, as by State and Match.

    `turns` says who is asked, `legal`, `actions` or `masks` what may be chosen, `observe` what is
    known; `step` plays a choice for every deal. Calls of several threads follow one another. An
    error changes nothing. Pickles have all of a batch, threads at work left out; they are for the same
    version of the package and the same kind of machine, and are not checked: load none that you do
    not trust.

    Raises ValueError for an `n` or `threads` below 1, another seed, another number of levels or
    orders, an order that no deal can end in, and both of matches, NotationError for what is no level,
    TypeError for what is no int, bool, order or Rules.

    >>> batch = DealBatch(3, seed=1, level="2")
    >>> moves = batch.legal()
    >>> batch.step([0, 0, len(moves[2]) - 1])  # by places in the lists
    >>> batch.step(batch.masks().argmax(axis=1), ids=True)  # by ids of actions
    >>> batch, batch.ended
    (<DealBatch of 3 deals, seed 1>, array([False, False, False]))
    >>> DealBatch(2, level="5", after=(0, 2, 1, 3)).observation(0).tributes
    ((1, 2, 'C5'), (3, 0, 'SB'))
    """

    def __init__(self, n, rules=None, seed=0, threads=1, level=None, matches=False, auto_pass=True,
                 after=None):
        cdef Rows levels
        cdef uint64_t drawn_by = read_seed(seed)
        cdef Py_ssize_t i
        cdef int place
        if self.places != NULL:
            raise TypeError("a DealBatch begins once")
        self.rules = read_rules(rules)
        self.seed = drawn_by
        self.threads = read_int("threads", threads, 1, MOST)
        wanted = read_int("n", n, 1, MOST)
        mode, orders = read_after(after, wanted)
        self.plan_for(matches, auto_pass, mode)
        if matches and (level is not None or after is not None):
            raise ValueError(f"{'after' if level is None else 'level'}: matches have their own")
        if level is not None:
            levels = read_levels("level", level, wanted)
            for i in range(wanted):
                if (<uint8_t*>levels.data)[i] >= N_RANKS:
                    raise ValueError(f"level[{i}] is {(<uint8_t*>levels.data)[i]}: want a rank code "
                                     "from 0 to 12")
        self.allocate(wanted)
        for i in range(self.n):
            self.betweens[i].level = DRAWN_LEVEL if level is None else (<int8_t*>levels.data)[i]
            for place in range(N_SEATS if orders else 0):
                self.betweens[i].before[place] = orders[i % len(orders)][place]
            begin(&self.places[i], &self.plan, drawn_by, i)

    cdef int plan_for(self, object matches, object auto_pass, int after) except -1:
        """Set what all places have in common."""
        self.plan.law = read_law(self.rules)
        read_steps(self.rules, self.plan.steps)
        self.plan.matches = check_bool("matches", matches)
        self.plan.auto_pass = check_bool("auto_pass", auto_pass)
        self.plan.after = after
        self.plan.fresh = read_ledger(Standing())
        end = self.rules.match_end
        if end[0] == "deals":
            self.plan.limit = end[1]
            self.plan.first_to_reach = end[2] == "first_to_reach"
            self.plan.extra_deal = end[2] == "extra_deal"
        return 0

    # What may be chosen

    def legal(self, out=None):
        """List the moves of the turn of every deal, a MoveBatch.

        `out`, uint64 of shape (m, 2) and contiguous, receives the records, rows after the last one
        may be overwritten too; ValueError where it is too small. Without it the memory is new each
        time, and `step` takes the moves from it.
        """
        cdef Task task
        cdef Rows rows, counted
        cdef MoveBatch listed
        with self.lock:
            offsets = np.empty(self.n + 1, np.uint64)
            counted = rows_of("offsets", offsets, "uint64", 0, self.n + 1, True)
            task.offsets = <const int64_t*>counted.data
            self.count_all(<int64_t*>counted.data)
            records = np.empty((task.offsets[self.n] + OVERRUN, 2), np.uint64) if out is None else out
            rows = rows_of("out", records, "uint64", 2, -1, True)
            if rows.n < task.offsets[self.n]:
                raise ValueError(f"out: {rows.n} rows are too few, these deals need {task.offsets[self.n]}")
            task.work, task.records, task.room = LIST, <Record*>rows.data, rows.n
            if self.run(&task) != ALL_DONE:
                raise MemoryError
            levels = self.field(&self.places.position.level, sizeof(Place), 1).tobytes()
            listed = MoveBatch.of(MoveList.view(task.records, task.offsets[self.n], 0, records), levels,
                                  offsets.view(np.int64))
            if out is None:
                self.held, self.listed, self.offsets = (listed, counted), task.records, task.offsets
            return listed

    cdef int count_all(self, int64_t* offsets) except -1:
        """Set where the moves of each deal begin, and the end of the last."""
        cdef Task task
        cdef Py_ssize_t i
        task.work = COUNT
        self.run(&task)
        offsets[0] = 0
        for i in range(self.n):
            offsets[i + 1] = offsets[i] + self.places[i].n_moves
        return 0

    def masks(self, out=None):
        """Return which abstract actions the turn of every deal has, a bool array of shape (n, 393).

        `out`, bool or uint8 of that shape and contiguous, is written and returned instead.
        """
        cdef Task task
        cdef Rows rows
        with self.lock:
            if out is None:
                out = np.empty((self.n, N_ACTIONS), np.bool_)
            rows = rows_of("out", out, "bool or uint8", N_ACTIONS, self.n, True)
            task.work, task.values = MASK, <uint8_t*>rows.data
            self.run(&task)
            return out

    def actions(self):
        """Return the ids of what `masks` flags, an ActionBatch: one is drawn sooner from these."""
        cdef Task task
        cdef uint16_t[::1] ids
        cdef int64_t[::1] offsets
        cdef Py_ssize_t i
        with self.lock:
            named = np.empty(self.n * N_ACTIONS, np.uint16)
            ends = np.zeros(self.n + 1, np.int64)
            ids, offsets = named, ends
            task.work, task.ids = NAME, &ids[0]
            self.run(&task)
            for i in range(self.n):
                offsets[i + 1] = offsets[i] + self.counts[i]
                if offsets[i] != self.begins[i]:
                    memmove(task.ids + offsets[i], task.ids + self.begins[i],
                            self.counts[i] * sizeof(uint16_t))
            return ActionBatch(named[:offsets[self.n]], ends)

    # Steps

    def step(self, choices, ids=False):
        """Play a move for every deal: by their places in its list or, with `ids`, by ids of actions.

        `choices` are n ints. Of an action `expand(state, id)[0]` is played. Where that ends a deal,
        the next one is dealt, and `ended`, `payoffs`, `orders` and `winners` tell how it ended.

        Raises ValueError for another shape or dtype, IndexError for a place that is none,
        IllegalMoveError for an action that the turn has not, naming the deal. Nothing is played then.
        What interrupts threads at work, such as Ctrl-C, is raised when all deals have moved or, if it
        comes while choices are looked up, before any has: `lengths` tells.
        """
        cdef Task task
        cdef const int64_t[::1] places
        given = np.asarray(choices)
        if given.dtype.kind not in "iu" or given.shape != (self.n,):
            raise ValueError(f"choices: want {self.n} ints, one for each deal, got {given.dtype} of "
                             f"shape {given.shape}")
        places = np.array(given, np.int64)
        by_id = check_bool("ids", ids)
        with self.lock:
            task.work, task.choices = TAKE_IDS if by_id else TAKE, &places[0]
            task.listed, task.offsets = self.listed, self.offsets
            refused = self.run(&task)
            if refused != ALL_DONE:
                self.refuse(refused, int(given[refused]), by_id)
            self.held, self.listed, self.offsets = None, NULL, NULL
            task.work = STEP
            self.run(&task)

    def step_ids(self, ids):
        """Play a move for every deal by ids of actions, as `step(ids, ids=True)`."""
        self.step(ids, True)

    cdef int refuse(self, Py_ssize_t i, object choice, bint by_id) except -1:
        """Raise the error of a choice that a deal does not have."""
        cdef Place* place = &self.places[i]
        cdef const Position* position = &place.position
        cdef int turn = position.trick.turn
        cdef uint8_t[::1] mask
        if not by_id:
            raise IndexError(f"choices[{i}] is {shorten(choice)}: seat {turn} of deal {i} has "
                             f"{count_moves(place)} moves, want 0 to {place.n_moves - 1}")
        flags = np.empty(N_ACTIONS, np.uint8)
        mask = flags
        set_mask(&position.hands[turn], position.level, table_of(position), position.options, &mask[0])
        may = ", ".join(map(str, np.flatnonzero(flags)))
        what = f"{choice}, {ACTIONS[choice]}" if 0 <= choice < N_ACTIONS else shorten(choice)
        raise IllegalMoveError(f"choices[{i}] is {what}: seat {turn} of deal {i} has the actions {may}")

    # What is known

    def observe(self, out=None, preset="danzero_like"):
        """Return what the turn of every deal knows, uint8 of shape (n, size).

        Each row is `features.observation` of `observation` there. `out`, of that dtype and shape and
        contiguous, is written and returned instead. Raises ValueError for another preset or `out`.
        """
        cdef Task task
        cdef Rows rows
        if not isinstance(preset, str) or preset not in LAYOUTS:
            raise ValueError(f"preset {shorten(preset)}: want {' or '.join(map(repr, LAYOUTS))}")
        task.work = OBSERVE_PLANES if preset == "planes" else OBSERVE
        width = LAYOUTS[preset]["level"].stop
        with self.lock:
            if out is None:
                out = np.empty((self.n, width), np.uint8)
            rows = rows_of("out", out, "uint8", width, self.n, True)
            task.values = <uint8_t*>rows.data
            self.run(&task)
            return out

    cdef object field(self, const void* first, Py_ssize_t apart, Py_ssize_t width):
        """A new array of some bytes of each place; those of the first, and how far apart they are."""
        whole = np.asarray(<uint8_t[:self.n, :apart]><uint8_t*>first)
        return whole[:, :width].copy()

    @property
    def turns(self):
        """The seats to move, uint8 of shape (n,)."""
        with self.lock:
            return self.field(&self.places.position.trick.turn, sizeof(Place), 1)[:, 0]

    @property
    def levels(self):
        """The rank codes of the deals' levels, uint8 of shape (n,)."""
        with self.lock:
            return self.field(&self.places.position.level, sizeof(Place), 1)[:, 0]

    @property
    def beats(self):
        """What the turns have to beat, uint8 of shape (n, 2): kind and rank code, kind 0 for a lead."""
        with self.lock:
            return self.field(&self.places.position.trick.kind, sizeof(Place), 2)

    @property
    def owners(self):
        """The seats that have played that, uint8 of shape (n,); 4 where the turn leads."""
        with self.lock:
            return self.field(&self.places.position.trick.owner, sizeof(Place), 1)[:, 0]

    @property
    def hands(self):
        """The hands of seats 0 to 3 as bit planes, uint64 of shape (n, 4, 2)."""
        with self.lock:
            planes = self.field(self.places.position.hands, sizeof(Place), N_SEATS * sizeof(Planes))
        return planes.view(np.uint64).reshape(self.n, N_SEATS, 2)

    @property
    def left(self):
        """The numbers of cards that seats 0 to 3 hold, uint8 of shape (n, 4)."""
        cdef uint8_t[:, ::1] counts = np.empty((self.n, N_SEATS), np.uint8)
        cdef Py_ssize_t i
        cdef int seat
        with self.lock:
            for i in range(self.n):
                for seat in range(N_SEATS):
                    counts[i, seat] = <uint8_t>size(&self.places[i].position.hands[seat])
        return np.asarray(counts)

    @property
    def lengths(self):
        """The moves of the deals so far, passes included, int32 of shape (n,)."""
        with self.lock:
            return self.field(&self.places.past.n, sizeof(Place), sizeof(int)).view(np.int32)[:, 0]

    @property
    def deal_seeds(self):
        """The seeds by which `State.deal` deals the same, uint64 of shape (n,); all 0 in matches.

        `State.deal(None, seed)` draws the level too. Its hands are those before a tribute.
        """
        with self.lock:
            return self.field(&self.betweens.deal_seed, sizeof(Between), 8).view(np.uint64)[:, 0]

    @property
    def ended(self):
        """Whether the last step has ended a deal, bool of shape (n,); turns are of the next one then."""
        with self.lock:
            return self.field(&self.places.ended, sizeof(Place), 1).view(np.bool_)[:, 0]

    @property
    def payoffs(self):
        """The level steps for side 0 of the deals that the last step has ended, int8 of shape (n,).

        Elsewhere 0, as for an extra deal, which ends when its first seat is out and counts no levels.
        """
        with self.lock:
            return self.field(&self.places.payoff, sizeof(Place), 1).view(np.int8)[:, 0]

    @property
    def orders(self):
        """The seats by place of the last deals that have ended, uint8 of shape (n, 4); 0 before."""
        with self.lock:
            return self.field(self.betweens.round.order, sizeof(Between), N_SEATS)

    @property
    def winners(self):
        """The sides that have won a match with the last step, int8 of shape (n,): 2 a draw, -1 none."""
        with self.lock:
            return self.field(&self.places.winner, sizeof(Place), 1).view(np.int8)[:, 0]

    @property
    def side_levels(self):
        """The rank codes of both sides' levels, uint8 of shape (n, 2); of deals by themselves twice theirs."""
        if not self.plan.matches:
            return np.repeat(self.levels[:, None], 2, axis=1)
        with self.lock:
            found = self.field(self.betweens.round.ledger.levels, sizeof(Between), 2 * sizeof(int))
        return found.view(np.int32).astype(np.uint8)

    @property
    def declarers(self):
        """The sides of the last deals' firsts, uint8 of shape (n,); 2: none, as in Match.declarers."""
        with self.lock:
            found = self.field(&self.betweens.round.ledger.declarers, sizeof(Between), sizeof(int))
            extra = self.field(&self.places.extra, sizeof(Place), 1)[:, 0]
        return np.where(extra, NO_SIDE, found.view(np.int32)[:, 0]).astype(np.uint8)

    def standing(self, deal):
        """Return where the match of a deal stood before it, a Standing; None for a deal by itself."""
        cdef Deal shown
        with self.lock:
            shown = self.shown(deal, False)
            return self.standing_of(&shown)

    cdef object standing_of(self, const Deal* shown):
        """Where a match stood before a deal; None for a deal by itself."""
        return known(fields_of(&shown.ledger)) if self.plan.matches else None

    def state(self, deal, ended=False):
        """Return a State of a deal with its moves; with `ended` of the one that the last step has ended.

        What was given before its play it does not tell; `observation` does. An extra deal, which ends
        when its first seat is out, is not over for State. Raises IndexError for a number that is none,
        ValueError where the last step has not ended a deal.
        """
        cdef Deal shown
        with self.lock:
            shown = self.shown(deal, ended)
            return self.state_of(&shown)

    cdef State state_of(self, const Deal* shown):
        """A State of a deal with its moves."""
        cdef State state = State.__new__(State)
        cdef Position first = before_moves(shown)
        cdef Play[MOST_PAST] moves
        cdef const Record* move
        cdef int i
        state.begin(&first, self.rules)
        for i in range(write_past(&shown.past, MOST_PAST, moves) - 1, -1, -1):
            move = &moves[i].move
            state.keep(move)
            if kind_of(move) != PASS:
                state.shown = move[0]
            play(&state.position, move)
        return state

    def observation(self, deal, seat=None, ended=False):
        """Return what a seat of a deal knows, an Observation: the seat to move, or another.

        In matches it has the standing, and wherever cards were given these. With `ended` it is of the
        deal that the last step has ended, and the seat must be given. Raises the errors of `state` and
        of State.observe.
        """
        cdef Deal shown
        cdef State state
        with self.lock:
            shown = self.shown(deal, ended)
            state = self.state_of(&shown)
        seen = state.observe(state.turn if seat is None and not ended else seat)
        return seen.in_match(self.standing_of(&shown), gifts_of(shown.tributes), gifts_of(shown.returns))

    cdef Deal shown(self, object deal, object ended) except *:
        """A deal as it is or, if the last step has ended one there, as that one was."""
        cdef Place* place = self.place_of(deal)
        if check_bool("ended", ended) and not place.ended:
            raise ValueError(f"deal {shorten(deal)}: the last step has not ended one there")
        return place.between.finished if ended else in_play(place)

    cdef Place* place_of(self, object deal) except NULL:
        """The place of a number."""
        place = read_int("deal", deal)
        if not -self.n <= place < self.n:
            raise IndexError(f"deal {shorten(place)} of a batch of {self.n}")
        return &self.places[<Py_ssize_t>(place if place >= 0 else place + self.n)]

    # Copies

    def copy(self):
        """Return a copy that goes its own way."""
        return restore(*self.__reduce__()[1])

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def __repr__(self):
        matches = " of matches" if self.plan.matches else ""
        return f"<DealBatch of {self.n} deals{matches}, seed {self.seed}>"

    def __reduce__(self):
        cdef Py_ssize_t i
        cdef Place* places
        cdef Between* betweens
        cdef const Past* past
        with self.lock:
            kept = PyBytes_FromStringAndSize(<const char*>self.places, self.n * sizeof(Place))
            others = PyBytes_FromStringAndSize(<const char*>self.betweens, self.n * sizeof(Between))
            places = <Place*>PyBytes_AS_STRING(kept)
            betweens = <Between*>PyBytes_AS_STRING(others)
            pasts = []
            for i in range(self.n):
                places[i].between = NULL
                places[i].past.plays = betweens[i].finished.past.plays = NULL
                places[i].n_moves = UNCOUNTED
                past = last_past(&self.places[i])
                pasts.append(PyBytes_FromStringAndSize(<const char*>past.plays,
                                                       past.n_plays * sizeof(Record)))
        asked = (self.n, self.rules, self.seed, self.threads, bool(self.plan.matches),
                 bool(self.plan.auto_pass), self.plan.after)
        return restore, (asked, kept, others, pasts)


cdef Position before_moves(const Deal* shown) noexcept:
    """A deal before its first move."""
    cdef Position position = shown.position
    cdef Play entry
    cdef Planes cards
    cdef int i
    for i in range(shown.past.n_plays - 1, -1, -1):
        entry = play_of(&shown.past.plays[i])
        cards = cards_of(&entry.move)
        position.hands[entry.seat] = plus(&position.hands[entry.seat], &cards)
    if shown.past.n_plays:
        position.trick = Trick(<uint8_t>entry.seat, NO_SEAT, PASS, NO_RANK, 0, [0, 0, 0])
    return position


def restore(asked, kept, others, pasts):
    """Put a copied or pickled DealBatch together again."""
    cdef DealBatch batch = DealBatch.__new__(DealBatch)
    cdef bytes past
    cdef int n_plays
    cdef Py_ssize_t i
    n, batch.rules, batch.seed, batch.threads, matches, auto_pass, after = asked
    if (len(kept), len(others), len(pasts)) != (n * sizeof(Place), n * sizeof(Between), n):
        raise ValueError("another version of the package has pickled this DealBatch")
    batch.plan_for(matches, auto_pass, after)
    batch.allocate(n)
    memcpy(batch.places, <const char*>kept, n * sizeof(Place))
    memcpy(batch.betweens, <const char*>others, n * sizeof(Between))
    for i in range(n):
        past = pasts[i]
        batch.join(i)
        n_plays = last_past(&batch.places[i]).n_plays
        if len(past) != n_plays * sizeof(Record) or n_plays > MOST_PLAYS:
            raise ValueError("another version of the package has pickled this DealBatch")
        memcpy(batch.places[i].past.plays, <const char*>past, len(past))
    return batch


def read_after(after, n):
    """Return how the argument names the deal before, and the orders, one for all or n, if it has any."""
    if after is None:
        return AFTER_NONE, []
    if isinstance(after, str) and after in AFTER:
        return AFTER[after], []
    is_text = isinstance(after, (str, bytes))
    given = list(after) if not is_text and (isinstance(after, Sequence) or np.ndim(after)) else []
    if len(given) == N_SEATS and None not in [int_of(seat) for seat in given]:
        return AFTER_GIVEN, [read_order(given, "after")]
    if len(given) != n:
        raise ValueError(f"after={shorten(after)}: want the order of four seats in which a deal ended, "
                         f"{n} such orders, 'drawn' or 'last'")
    return AFTER_GIVEN, [read_order(order, f"after[{i}]") for i, order in enumerate(given)]
