"""The installed headers, as other Cython projects use them."""

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import guandan as gd
import guandan.cards

INSTALLED = Path(guandan.cards.__file__).parent

SOURCE = """
from libc.stdint cimport uint8_t, uint64_t
from libc.stdlib cimport free, malloc

from guandan.actions cimport N_ACTIONS, id_of, set_mask
from guandan.cards cimport HAND_SIZE, N_SEATS, Hand, Planes, deal, size
from guandan.combos cimport BOMB4, PASS, Move, Record, Table, beats, cards_of, kind_of, rank_of
from guandan.features cimport DANZERO_SIZE, PLANES_SIZE, write_observation, write_planes
from guandan.movegen cimport OVERRUN, SUITS_ONE, count, draw, moves, nth
from guandan.movelist cimport MoveList
from guandan.observation cimport View, look, note, show
from guandan.position cimport (
    NO_SEAT, Position, Trick, is_legal, key, pass_forced, perft, play, table_of, undo,
)
from guandan.rng cimport Rng, stream
from guandan.splits cimport fewest
from guandan.state cimport State
from guandan.samples cimport Worlds, draw_world


def leads(uint64_t seed, int level, int options=0):
    cdef Planes[N_SEATS] hands
    cdef Table table = Table(PASS, 0)
    cdef Record* begin
    cdef Record* end
    cdef Record* move
    cdef Planes cards
    cdef uint64_t bombs = 0, total = 0
    cdef Record middle
    cdef int n
    cdef Rng rng = Rng(seed)
    deal(&rng, hands)
    assert size(&hands[0]) == HAND_SIZE
    n = count(&hands[0], level, table, options)
    begin = <Record*>malloc((n + OVERRUN) * sizeof(Record))
    with nogil:
        end = moves(&hands[0], level, table, options, begin)
        move = begin
        while move < end:
            cards = cards_of(move)
            total += size(&cards)
            bombs += kind_of(move) >= BOMB4
            move += 1
        middle = nth(&hands[0], level, table, options, n // 2)
    assert end - begin == n
    made = Hand.wrap(hands[0]), Move.wrap(&middle)
    free(begin)
    return n, bombs, total, *made


def first(MoveList listed):
    return kind_of(listed.records_begin), rank_of(listed.records_begin)


def one_of_each(uint64_t seed, int level):
    return leads(seed, level, SUITS_ONE)[0]


def mask_and_id(uint64_t seed, int level, Move move):
    cdef Planes[N_SEATS] hands
    cdef uint8_t[N_ACTIONS] mask
    cdef Rng rng = Rng(seed)
    deal(&rng, hands)
    set_mask(&hands[0], level, Table(PASS, 0), 0, mask)
    return [place for place in range(N_ACTIONS) if mask[place]], id_of(&move.record, level)


def plays(uint64_t seed, int level):
    cdef Planes[N_SEATS] hands
    cdef Rng rng = Rng(seed)
    cdef int n
    deal(&rng, hands)
    with nogil:
        n = fewest(&hands[0], level, 0)
    return n


def beaten(Move a, Move b, int level):
    return beats(Table(kind_of(&a.record), rank_of(&a.record)),
                 Table(kind_of(&b.record), rank_of(&b.record)), level)


def walk(State state, uint64_t seed):
    # Plays a copy of the position to its end, then undoes all: the moves and their keys.
    cdef Position position = state.position
    cdef Rng rng = Rng(seed)
    cdef Record[512] played
    cdef Trick[512] tricks
    cdef int n = 0, choices
    cdef uint64_t start = key(&position)
    found = []
    assert sizeof(Position) <= 128
    while position.trick.turn != NO_SEAT:
        played[n] = draw(&position.hands[position.trick.turn], position.level, table_of(&position),
                         position.options, &rng, &choices)
        assert choices == count(&position.hands[position.trick.turn], position.level,
                                table_of(&position), position.options)
        tricks[n] = position.trick
        assert is_legal(&position, &played[n])
        play(&position, &played[n])
        found.append((Move.wrap(&played[n]), key(&position)))
        n += 1
    for n in range(n - 1, -1, -1):
        undo(&position, &played[n], tricks[n])
        assert key(&position) == (found[n - 1][1] if n else start)
    return found


def views(State state, list moves, int seat):
    # The features of a seat after some moves, from a View that is kept along them.
    cdef Position position = state.position
    cdef uint8_t[PLANES_SIZE] planes
    cdef uint8_t[DANZERO_SIZE] values
    cdef Record table
    cdef View view
    cdef Move move
    cdef int turn
    look(&view, &position, seat, &state.shown)
    for move in moves:
        turn = position.trick.turn
        if kind_of(&move.record) != PASS:
            table = move.record
        play(&position, &move.record)
        note(&view, turn, &move.record)
        show(&view, &position, &table)
    with nogil:
        write_observation(&view, values)
        write_planes(&view, planes)
    return [value for value in values], [value for value in planes]


def world(Worlds sampled, uint64_t seed, uint64_t number):
    # The hands of a sample, drawn anew.
    cdef Planes[N_SEATS] hands
    cdef Rng rng = stream(seed, number)
    with nogil:
        draw_world(&sampled.source.spread, &rng, hands)
    return tuple([Hand.wrap(hands[seat]) for seat in range(N_SEATS)])


def skipped(State state):
    # Passes for the seats that can do nothing else: how many, and the key then.
    cdef Position position = state.position
    return pass_forced(&position), key(&position)


def sequences(State state, int depth):
    cdef Position position = state.position
    return perft(&position, depth), key(&position) == key(&state.position)
"""

SETUP = """
import sys
from Cython.Build import cythonize
from setuptools import setup

root = sys.argv.pop()
setup(
    name="downstream",
    ext_modules=cythonize("downstream.pyx", include_path=[root], language_level=3),
)
"""


@pytest.fixture(scope="module")
def downstream(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    folder = tmp_path_factory.mktemp("downstream")
    (folder / "downstream.pyx").write_text(SOURCE)
    (folder / "setup.py").write_text(SETUP)
    build = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
    done = subprocess.run(
        [*build, str(INSTALLED.parent)], cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    # Else builds that are not cythonize's would need an include path of this package.
    assert "lanes.h" not in (folder / "downstream.c").read_text("utf-8")
    (library,) = [*folder.glob("downstream.*.so"), *folder.glob("downstream.*.pyd")]
    spec = importlib.util.spec_from_file_location("downstream", library)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("seed", [0, 7, 2**64 - 1])
@pytest.mark.parametrize(("level", "code"), [("2", 0), ("T", 8), ("A", 12)])
def test_lists_are_those_of_python(
    downstream: ModuleType, seed: int, level: str, code: int
) -> None:
    hand = gd.deal_hands(seed)[0]
    listed = gd.legal_moves(hand, level)
    n = len(listed)
    bombs = np.count_nonzero(listed.kinds >= gd.Kind.BOMB4)
    total = int(listed.counts().sum())
    assert downstream.leads(seed, code) == (n, bombs, total, hand, listed[n // 2])
    mask, action = downstream.mask_and_id(seed, code, listed[n // 2])
    assert (mask, action) == (sorted(set(listed.action_ids)), listed.action_ids[n // 2])
    assert downstream.plays(seed, code) == gd.fewest_plays(hand, level).count
    assert downstream.one_of_each(seed, code) == gd.count_moves(hand, level, suits="one")


def test_classes_are_those_of_python(downstream: ModuleType) -> None:
    assert downstream.first(gd.legal_moves("S4 C4", "2")) == (gd.Kind.SINGLE, 2)
    a, b = gd.Move.parse("pair 2"), gd.Move.parse("pair A")
    assert downstream.beaten(a, b, 0)
    assert not downstream.beaten(a, b, 1)


@pytest.mark.parametrize("seed", range(4))
def test_positions_play_as_states(downstream: ModuleType, seed: int) -> None:
    state = gd.State.deal("2", seed, rules=gd.Rules(lead_after_out="next"))
    start = state.copy()
    moves = downstream.walk(state, seed)
    # The key of a State has its rules in it besides; what they add is always the same.
    rules = state.key ^ downstream.skipped(state)[1]
    for move, key in moves:
        assert state.push(move) == move
        assert state.key ^ key == rules
    assert state.is_over
    while state.history:
        passed, key = downstream.skipped(state)
        ahead = state.copy()
        for _ in range(passed):
            assert [str(move) for move in ahead.legal_moves()] == ["pass"]
            ahead.push("pass")
        assert ahead.table is None or len(ahead.legal_moves()) > 1
        assert ahead.key ^ key == rules
        state.pop()
    assert state == start
    assert downstream.sequences(state, 2) == (state.perft(2), True)


def test_views_are_kept_along_moves(downstream: ModuleType) -> None:
    start = gd.State.deal("7", 5)
    state = start.copy()
    moves = downstream.walk(start, 5)
    for place, (move, _) in enumerate(moves):
        state.push(move)
        if place % 20 == 0 or state.is_over:
            for seat in range(4):
                want = [
                    gd.features.observation(state.observe(seat), "danzero_like").tolist(),
                    gd.features.observation(state.observe(seat), "planes").tolist(),
                ]
                assert [*downstream.views(start, list(state.history), seat)] == want


def test_worlds_are_those_of_python(downstream: ModuleType) -> None:
    sampled = gd.worlds(gd.State.deal("2", 7).observe(1), 4, seed=3)
    assert [downstream.world(sampled, 3, number) for number in range(4)] == [
        one.hands for one in sampled
    ]


def test_every_header_is_installed() -> None:
    source = Path(__file__).parents[1] / "src"
    for ending in ("*.pxd", "*.h"):
        installed = {path.name for path in INSTALLED.glob(ending)}
        assert installed == {path.name for path in source.glob(ending)}
