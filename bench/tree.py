"""Deals in play to time: random play, counts of sequences, moves to and fro, with their answers."""

import random

import guandan as gd

LEVELS = "23456789TJQKA"
SEED = 1
DECISIONS = 74_513  # of 1,024 deals played out with SEED
DECISIONS_OF_SEEDS = 74_913  # of the deals of seeds 0 to 1,023
PLAYED = 53_259  # moves that play_in_python plays
MOVE = 5
PAIRS = 1000

# The openings of tests/perft/openings.perft, and their sequences of three moves.
OPENINGS = {
    ("2", 1, 0): 21_411_227,
    ("T", 2, 3): 284_996,
    ("A", 3, 1): 4_988_183,
    ("7", 4, 2): 9_277_195,
}
SEQUENCES = sum(OPENINGS.values())
OPENING = str(gd.State.deal("2", 1, turn=0))


def deals() -> list[gd.State]:
    """1,024 deals at all levels."""
    return [gd.State.deal(LEVELS[seed % 13], seed) for seed in range(1024)]


def perft_of_openings() -> int:
    """Count the sequences of three moves of all openings."""
    return sum(gd.State.deal(*opening).perft(3) for opening in OPENINGS)


def play_in_python() -> int:
    """Play 400 deals by random moves of their lists; return the number of moves."""
    rng = random.Random(SEED)
    moves = 0
    for seed in range(400):
        state = gd.State.deal("2", seed)
        while not state.is_over:
            legal = state.legal_moves()
            state.push(legal[int(rng.random() * len(legal))])
            moves += 1
    return moves


def push_and_pop(state: gd.State, move: gd.Move) -> None:
    """Play a move and take it back, PAIRS times."""
    push, pop = state.push, state.pop
    for _ in range(PAIRS):
        push(move)
        pop()


def copy(state: gd.State) -> None:
    """Copy a state PAIRS times."""
    copied = state.copy
    for _ in range(PAIRS):
        copied(history=False)
