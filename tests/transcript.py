"""A whole seeded deal written down move by move, to be read by somebody who knows the rules.

    python tests/transcript.py

writes it anew to `tests/data/transcript.txt`. It is the same wherever it is run: the deal is that
of a seed, and which move of the list is played is drawn by a generator with a seed of its own.
"""

import random
from collections.abc import Iterator
from pathlib import Path

import guandan as gd

FILE = Path(__file__).parent / "data" / "transcript.txt"
SEED = 1464
PLACES = ("first", "second", "third")

NOTE = """\
A whole deal of Guandan, to check the rules of play by hand.

Written by `python tests/transcript.py` from the seed {seed}; a test compares it with what the
package does now. The moves are drawn at random from the lists of legal ones: nobody plays well
here. Each line gives the seat, the kind of its move, the rank that is compared (of a run the top
one), the cards, with * after the wild ones, and how many cards the seat has left.

Seats 0 to 3 play in this order; 0 and 2 are side 0, 1 and 3 are side 1.
"""


def draw(moves: gd.MoveList, rng: random.Random) -> int:
    """Give the index of the move to play; a seat that could reply passes one time in four."""
    if moves[0].kind != gd.Kind.PASS:
        return rng.randrange(len(moves))
    return 0 if len(moves) == 1 or rng.random() < 0.25 else rng.randrange(1, len(moves))


def seats(numbers: tuple[int, ...]) -> str:
    """Name some seats."""
    return f"seat{'s' if len(numbers) > 1 else ''} {' and '.join(map(str, numbers))}"


def marked(move: gd.Move, level: str) -> str:
    """Write a move with a star after each wild card."""
    return str(move).replace(f"H{level}", f"H{level}*")


def end_of_trick(state: gd.State, winner: int) -> str:
    """Say who leads next and why."""
    if state.turn == winner:
        return f"All others have passed: seat {winner} leads."
    role = "its partner" if state.turn == (winner + 2) % 4 else "the next seat that has cards"
    return f"All have passed, and seat {winner} is out: {role}, seat {state.turn}, leads."


def lines(seed: int = SEED) -> Iterator[str]:
    """Give the lines of the deal of a seed."""
    rng = random.Random(seed)
    state = gd.State.deal(level="2", seed=seed)
    yield from NOTE.format(seed=seed).splitlines()
    yield ""
    yield f"Level {state.level}: H{state.level} is wild. Seat {state.turn} leads. At the start:"
    yield ""
    yield from (f"  seat {seat}  {len(hand)}  {hand}" for seat, hand in enumerate(state.hands))
    yield ""
    yield f"  {state}"
    trick = 0
    while not state.is_over:
        if state.table is None:
            trick += 1
            yield from ("", f"Trick {trick}")
        seat, winner = state.turn, state.owner
        assert seat is not None
        moves = state.legal_moves(suits="flush")
        move = state.push(moves[draw(moves, rng)])
        text = f"  seat {seat}  {marked(move, state.level)}"
        left = len(state.hands[seat])
        yield f"{text:<60}{left:>2}" if move.kind != gd.Kind.PASS else text
        if not left:
            yield f"          Seat {seat} is out, the {PLACES[state.out.index(seat)]}."
        if state.table is None and not state.is_over:
            assert winner is not None
            yield f"          {end_of_trick(state, winner)}"
    yield ""
    yield from end(state)


def end(state: gd.State) -> Iterator[str]:
    """Say how a deal ended."""
    order, payoff = state.order, state.payoff
    assert order is not None
    assert payoff is not None
    place = order.index((order[0] + 2) % 4)
    partner = "last" if place == 3 else PLACES[place]
    if len(state.out) == 2:
        yield f"The deal is over: {seats(state.out)}, one side, are first and second."
        yield f"Order: {order[0]}, {order[1]}; {order[2]} and {order[3]} last together."
    else:
        yield "The deal is over: three seats are out."
        yield f"Order: {', '.join(map(str, order))}."
    yield f"The partner of seat {order[0]} is {partner}: side {order[0] % 2} rises {abs(payoff)}."
    yield f"Payoff (the rise of side 0): {payoff:+}."
    yield ""
    yield f"  {state}"


def transcript() -> str:
    """Give the whole text."""
    return "".join(f"{line}\n" for line in lines())


if __name__ == "__main__":
    FILE.write_text(transcript(), "utf-8", newline="\n")
