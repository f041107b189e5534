"""What is done for each deal of a batch, piece by piece on several threads."""

import os
from threading import RLock
from time import sleep

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

cimport cython

cimport guandan.movegen as movegen
from guandan.actions cimport set_mask
from guandan.bits cimport pop
from guandan.cards cimport Planes
from guandan.expansion cimport best_move
from guandan.features cimport DANZERO_SIZE, PLANES_SIZE, write_observation, write_planes
from guandan.movegen cimport OVERRUN
from guandan.movelist cimport list_within
from guandan.observation cimport View
from guandan.pasts cimport MOST_PLAYS
from guandan.places cimport count_moves, see, step
from guandan.position cimport Position, table_of
from guandan.rooms cimport LINE, free_room, prefetch, resize

cdef extern from "lanes.h" nogil:
    int lanes_at_least(const uint8_t* counts, int least)

__all__ = []                   # names to cimport only

cdef enum:
    PIECE = 256                # deals that are worth a thread
    FAR = 4                    # places ahead
    N_WORDS = N_ACTIONS + 63 >> 6


def work_on(Crew crew not None):
    """Take pieces of what a crew is at, while there are any; on a thread that helps."""
    crew.take_pieces()


@cython.final
cdef class Gate:
    """Lets one call in at a time: those of other threads wait, one from within is refused."""

    def __cinit__(self):
        self.lock = RLock()

    def __enter__(self):
        self.lock.acquire()
        if self.is_passed:
            self.lock.release()
            raise RuntimeError("this batch is at work: it cannot be called from what interrupts its "
                               "calls, such as a signal handler")
        self.is_passed = True

    def __exit__(self, *error):
        self.is_passed = False
        self.lock.release()


cdef class Crew:
    """The places of a batch, and the threads that work on them."""

    def __dealloc__(self):
        free_room(&self.room)
        free(self.betweens)
        free(self.plays)
        free(self.chosen)
        free(self.begins)
        free(self.counts)

    cdef int allocate(self, Py_ssize_t n) except -1:
        """Have room for so many deals."""
        cdef Py_ssize_t i
        self.plays = <Record*>calloc(n, MOST_PLAYS * sizeof(Record))
        self.chosen = <Record*>malloc(n * sizeof(Record))
        self.begins = <int64_t*>malloc(n * sizeof(int64_t))
        self.counts = <int64_t*>malloc(n * sizeof(int64_t))
        self.betweens = <Between*>calloc(n, sizeof(Between))
        if (self.plays == NULL or self.chosen == NULL or self.begins == NULL or self.counts == NULL
                or self.betweens == NULL or not resize(&self.room, LINE, 0, n * sizeof(Place))):
            raise MemoryError
        self.places = <Place*>self.room.at
        memset(self.places, 0, n * sizeof(Place))
        for i in range(n):
            self.join(i)
        self.n = n
        self.lock = Gate()
        return 0

    cdef void join(self, Py_ssize_t i) noexcept:
        """Give a place its parts that lie elsewhere."""
        self.places[i].past.plays = self.plays + i * MOST_PLAYS
        self.places[i].between = &self.betweens[i]
        self.betweens[i].finished.past.plays = self.places[i].past.plays

    cdef bint work_at(
        self, const Task* task, Py_ssize_t i, Py_ssize_t first, Py_ssize_t last
    ) noexcept nogil:
        """Do a task for a deal of those from first to last - 1; False where it cannot be done."""
        cdef Place* place = &self.places[i]
        cdef const Position* position = &place.position
        cdef const Planes* hand = &position.hands[position.trick.turn]
        if task.work == STEP:
            step(place, &self.plan, &self.chosen[i])
        elif task.work == COUNT:
            count_moves(place)
        elif task.work == LIST:
            return self.list_moves(task, i, last)
        elif task.work == TAKE:
            return self.take(task, i)
        elif task.work == TAKE_IDS:
            return 0 <= task.choices[i] < N_ACTIONS and best_move(
                hand, position.level, table_of(position), position.options, <int>task.choices[i],
                &self.chosen[i])
        elif task.work == MASK:
            set_mask(hand, position.level, table_of(position), position.options,
                     task.values + i * N_ACTIONS)
        elif task.work == NAME:
            self.name_actions(task, i, first)
        else:
            self.write_features(task, i)
        return True

    cdef bint list_moves(self, const Task* task, Py_ssize_t i, Py_ssize_t last) noexcept nogil:
        """List the moves of a deal; beyond the last deal of a piece there may be another thread's."""
        cdef const Position* position = &self.places[i].position
        cdef int64_t end = task.offsets[i + 1]
        cdef int64_t limit = task.room if last == self.n else task.offsets[last]
        return list_within(
            &position.hands[position.trick.turn], position.level, table_of(position), position.options,
            task.records + task.offsets[i], end - task.offsets[i], end + OVERRUN > limit)

    cdef bint take(self, const Task* task, Py_ssize_t i) noexcept nogil:
        """Choose the move at a place of a deal's list; False where there is none."""
        cdef Place* place = &self.places[i]
        cdef const Position* position = &place.position
        cdef int64_t choice = task.choices[i]
        if not 0 <= choice < count_moves(place):
            return False
        if task.listed != NULL:
            self.chosen[i] = task.listed[task.offsets[i] + choice]
        else:
            self.chosen[i] = movegen.nth(
                &position.hands[position.trick.turn], position.level, table_of(position),
                position.options, <int>choice)
        return True

    cdef void name_actions(self, const Task* task, Py_ssize_t i, Py_ssize_t first) noexcept nogil:
        """Write the ids of a deal's actions after those of the deal before, and count them.

        Those of the first deal of a piece begin where they would if all deals had all actions.
        """
        cdef const Position* position = &self.places[i].position
        cdef uint8_t[N_WORDS * 64] flags
        cdef int64_t begin = self.begins[i - 1] + self.counts[i - 1] if i > first else first * N_ACTIONS
        cdef uint16_t* end = task.ids + begin
        cdef uint64_t found
        cdef int word, row
        memset(&flags[N_ACTIONS], 0, sizeof(flags) - N_ACTIONS)
        set_mask(&position.hands[position.trick.turn], position.level, table_of(position),
                 position.options, flags)
        for word in range(N_WORDS):        # of 64, as the end of each inner loop is a guess
            found = 0
            for row in range(4):
                found |= <uint64_t>lanes_at_least(&flags[64 * word + 16 * row], 1) << 16 * row
            while found:
                end[0] = <uint16_t>(64 * word + pop(&found))
                end += 1
        self.begins[i], self.counts[i] = begin, end - task.ids - begin

    cdef void write_features(self, const Task* task, Py_ssize_t i) noexcept nogil:
        """Write what the turn knows."""
        cdef View view
        see(&view, &self.places[i], &self.plan, task.work == OBSERVE_PLANES)
        if task.work == OBSERVE_PLANES:
            write_planes(&view, task.values + i * PLANES_SIZE)
        else:
            write_observation(&view, task.values + i * DANZERO_SIZE)

    cdef Py_ssize_t work(self, const Task* task, Py_ssize_t first, Py_ssize_t last) noexcept nogil:
        """Do a task for the deals first to last - 1; return the first that refuses, or ALL_DONE."""
        cdef const Place* ahead
        cdef Py_ssize_t i
        for i in range(first, last):
            if task.work == STEP:          # its moves are far from those of the place before
                ahead = &self.places[min(i + FAR, last - 1)]
                prefetch(&ahead.past.plays[ahead.past.n_plays])
            if not self.work_at(task, i, first, last):
                return i
        return ALL_DONE

    cdef int take_pieces(self) except -1:
        """Do pieces of the task until all are taken."""
        cdef int piece
        cdef Py_ssize_t refused
        while True:
            with cython.critical_section(self):
                piece = self.n_taken
                if piece == self.n_pieces:
                    return 0
                self.n_taken += 1
            with nogil:
                refused = self.work(&self.task, self.n * piece // self.n_pieces,
                                    self.n * (piece + 1) // self.n_pieces)
            with cython.critical_section(self):
                if refused != ALL_DONE and (self.refused == ALL_DONE or refused < self.refused):
                    self.refused = refused
                self.n_done += 1

    cdef Py_ssize_t run(self, const Task* task) except -2:
        """Do a task for all deals; return the first that refuses, or ALL_DONE.

        What interrupts it, such as Ctrl-C, or a thread that cannot start, is raised when all is done:
        threads write what the caller has, and half a step would be none.
        """
        cdef int pieces = <int>min(self.threads, self.n // PIECE)
        cdef Py_ssize_t refused
        if pieces < 2:
            with nogil:
                refused = self.work(task, 0, self.n)
            return refused
        interrupt = None
        with cython.critical_section(self):
            self.task, self.refused = task[0], ALL_DONE
            self.n_taken, self.n_done, self.n_pieces = 0, 0, pieces
        try:
            for _ in range(pieces - 1):
                self.helpers().submit(work_on, self)
        except BaseException as error:
            interrupt = error
        self.take_pieces()
        while self.n_done < pieces:
            try:
                sleep(2e-5)
            except BaseException as error:
                interrupt = error
        if interrupt is not None:
            raise interrupt
        return self.refused

    cdef object helpers(self):
        """The threads that help; a process that was forked has none of its parent's."""
        if self.pool is None or self.pool_process != os.getpid():
            from concurrent.futures import ThreadPoolExecutor  # a tenth of the package's import time

            self.pool, self.pool_process = ThreadPoolExecutor(self.threads - 1), os.getpid()
        return self.pool
