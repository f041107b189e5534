"""The perft files: counts of move sequences, and what holds at every position on the way."""

import pytest
import reference_deal as ref_deal
from perft_files import PerftPosition, read_positions
from test_movegen import as_tuple

import guandan as gd

POSITIONS = read_positions()
# Sequences that are walked one by one for each position, checking everything at each step.
WALKED = 1500


def state_of(position: PerftPosition) -> gd.State:
    return gd.State.parse(position.state, gd.Rules(**position.rules))


@pytest.mark.parametrize("position", POSITIONS, ids=lambda position: position.name)
def test_counts(position: PerftPosition, perft_nodes: int) -> None:
    state = state_of(position)
    wanted = {depth: count for depth, count in position.counts.items() if count <= perft_nodes}
    assert {depth: state.perft(depth) for depth in wanted} == wanted
    assert state == state_of(position)


class Walk:
    """A walk over all sequences of some length, one by one, that checks what has to hold."""

    def __init__(self, state: gd.State, rules: dict[str, object]) -> None:
        self.state = state
        self.switches = ref_deal.Switches(
            **{name: value for name, value in rules.items() if name in ref_deal.Switches._fields}
        )

    def count(self, depth: int) -> int:
        """Count the sequences of `depth` moves from here."""
        if depth == 0:
            return 1
        moves = self.checked_moves()
        before = str(self.state), self.state.key
        total = 0
        for move in moves:
            self.state.push(move)
            self.check_key()
            total += self.count(depth - 1)
            assert self.state.pop() == move
            assert (str(self.state), self.state.key) == before
        return total

    def checked_moves(self) -> gd.MoveList:
        """List the moves here: as many as are counted, a pass for replies and for no lead."""
        state = self.state
        moves = state.legal_moves()
        if state.turn is None:
            assert len(moves) == 0
            return moves
        hand = state.hands[state.turn]
        assert len(moves) == gd.count_moves(hand, state.level, beat=state.table, rules=state.rules)
        table = state.table and (state.table.kind.name.lower(), state.table.rank)
        cards = tuple(gd.CARDS.index(card) for card in hand)
        wanted = ref_deal.options(cards, state.level, table, self.switches)
        assert (ref_deal.PASS in wanted) is (state.table is not None)
        assert (len(moves) == 1) is (len(wanted) == 1)
        if state.table is not None:
            assert as_tuple(moves[0]) == ref_deal.PASS
        return moves

    def check_key(self) -> None:
        """Hold the key to that of the same position read from its text."""
        again = gd.State.parse(str(self.state), self.state.rules)
        assert (again, again.key) == (self.state, self.state.key)


@pytest.mark.parametrize("position", POSITIONS, ids=lambda position: position.name)
def test_walk(position: PerftPosition) -> None:
    depths = [depth for depth, count in position.counts.items() if count <= WALKED]
    walk = Walk(state_of(position), position.rules)
    for depth in depths[-1:]:
        assert walk.count(depth) == position.counts[depth]
    assert depths or "opening" in position.name
