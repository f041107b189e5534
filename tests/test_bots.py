"""Bots: what they choose, that it is legal, and that each beats the one before."""

from random import Random as Rng

import numpy as np
import pytest

import guandan as gd
from guandan.arena import compare
from guandan.bots import Greedy, Random, Sampling, rests

MANY = "D7D8D9DTDJDKDAC4C6C7C8"  # more cards than a seat about to run out has
ENDING = "S3C3S9/S4/HR/D7 2 0 - -"


def chosen(bot, text, seed=1):
    """The text of what a bot chooses at its turn."""
    state = gd.State.parse(text)
    move = bot.choose(state.observe(state.turn), state.legal_moves(), Rng(seed))
    assert state.is_legal(move)
    return str(move)


@pytest.mark.parametrize("preset", gd.Rules.presets())
def test_bots_choose_legal_moves(preset):
    rules = gd.Rules.preset(preset)
    compare(Greedy(), Random(), deals=6, seed=3, rules=rules)
    compare(Sampling(samples=4), Greedy(), deals=3, seed=4, rules=rules)


def test_random_draws_all_moves_alike():
    state = gd.State.parse("S3S4S5S6/D9/C9/H9 2 0 - -")
    obs, moves, rng = state.observe(0), state.legal_moves(), Rng(5)
    drawn = [moves.index(Random().choose(obs, moves, rng)) for _ in range(4000)]
    counts = np.bincount(drawn, minlength=len(moves))
    assert len(moves) == 4
    assert (abs(counts - 1000) < 130).all()  # five standard deviations


@pytest.mark.parametrize(
    ("text", "move"),
    [
        # Goes out where it can, with a bomb too, over its partner too.
        ("S3C3/S4S6/HRH6/D7D8 2 0 - -", "pair 3 S3 C3"),
        ("S3C3D3H3/S4S6/HRH6/D7D8 2 0 3:single:A -", "bomb4 3 S3 H3 C3 D3"),
        ("S5/S4S6/HRH6/D7D8 2 0 2:single:4 -", "single 5 S5"),
        # Leads what goes in the fewest plays, the lowest first and of equal ones the longest.
        ("S3C3S9/S4S4S5/HRHRHT/D7D8D9 2 0 - -", "pair 3 S3 C3"),
        ("S3C4H5D6S7SK/S4S8S9/H8H9HT/D8D9DT 2 0 - -", "straight 7 S3 C4 H5 D6 S7"),
        # Keeps a pair rather than break it.
        (f"S9C9CT/{MANY}/HR/S6 2 0 1:single:8 -", "single T CT"),
        # Breaks a full house only when an opponent is about to run out.
        (f"S9C9S5C5D5/{MANY}/HR/- 2 0 1:single:8 3", "pass"),
        ("S9C9S5C5D5/S3S4/HR/- 2 0 1:single:8 3", "single 9 S9"),
        # Leaves a good play of its partner alone.
        ("S3C4CA/S4S8S9/H8H9HT/D8D9DT 2 0 2:single:K -", "pass"),
        # Bombs what goes out next.
        ("S3C3D3H3S8C9/S4S6S8/HRH6H7/D7 2 0 3:single:A -", "bomb4 3 S3 H3 C3 D3"),
        (f"S3C3D3H3S8C9STDQ/{MANY}/HRH6/- 2 0 1:single:A 3", "pass"),
    ],
)
def test_greedy_chooses(text, move):
    assert chosen(Greedy(), text) == move


def test_rests_are_what_plays_leave():
    hand = gd.Hand("S3 S3 C3 D4 H2 H2 SB SB HR")
    moves = gd.legal_moves(hand, level="2")
    assert [tuple(map(int, rest)) for rest in rests(hand, moves.planes)] == [
        (hand - move.cards).planes for move in moves
    ]


def test_sampling_solves_what_is_left():
    assert chosen(Sampling(), ENDING) == "pair 3 S3 C3"


def test_sampling_is_greedy_before_the_end():
    state = gd.State.deal("2", 7)
    obs, moves = state.observe(state.turn), state.legal_moves()
    assert Sampling().choose(obs, moves, Rng(1)) == Greedy().choose(obs, moves, Rng(1))
    assert Sampling(cards=0).choose(obs, moves, Rng(1)) == Greedy().choose(obs, moves, Rng(1))


def test_a_wide_margin_leaves_greedy():
    wide = compare(Sampling(margin=100), Greedy(), deals=5, seed=2)
    assert (wide.payoffs.sum(axis=1) == 0).all()


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ({"cards": -1}, ValueError, "cards"),
        ({"samples": 0}, ValueError, "samples"),
        ({"nodes": -1}, ValueError, "nodes"),
        ({"seconds": -1.0}, ValueError, "seconds"),
        ({"margin": "x"}, TypeError, "margin"),
        ({"objective": "points"}, ValueError, "objective='points': want"),
    ],
)
def test_arguments_that_cannot_be_are_refused(arguments, error, text):
    with pytest.raises(error, match=text):
        Sampling(**arguments)


def test_greedy_beats_random_in_nineteen_of_twenty_plays():
    assert compare(Greedy(), Random(), deals=100, seed=1).wins.mean > 0.95


def test_sampling_beats_greedy():
    assert compare(Sampling(), Greedy(), deals=100, seed=5).steps.low > 0
