"""A second searcher that prunes nothing, to check what the first one says."""

from guandan.combos import Move
from guandan.errors import ProofError
from guandan.scale import Scale, outcome_of
from guandan.search import Search
from guandan.state import State

__all__ = ["check_test"]


def check_test(state: State, scale: Scale, test: int, holds: bool, search: Search) -> int:
    """Prove that a test holds or fails, and return the number of positions that it took.

    Of the search only moves are taken, for the side that it says wins the test: one in each
    position. For the other side all moves are tried, and every line of play goes on to the end of
    the deal. Raises ProofError with the first line that ends otherwise.

    All moves are those of `suits="flush"`: they leave out only what gives a game that is equal,
    as the README proves.
    """
    winner = 0 if holds else 1
    at = state.copy(history=False)
    seen: set[object] = set()

    def visit() -> None:
        if at.turn is None:
            if (scale.rank(at) >= test) != holds:
                side, place = outcome_of(at)
                line = ", ".join(map(str, at.history))
                raise ProofError(
                    f"side {winner} does not get what is claimed from {state}: the line {line} "
                    f"makes side {side} first and its other player number {place}"
                )
            return
        table = at.table and (at.table.kind, at.table.rank)
        # The whole position and no hash of it: no proof may rest on two being taken for one.
        position = (at.hands, at.turn, at.owner, table, at.out)
        if position in seen:
            return
        seen.add(position)
        moves = [named(at)] if at.turn % 2 == winner else list(at.legal_moves(suits="flush"))
        for move in moves:
            at.push(move)
            visit()
            at.pop()

    def named(position: State) -> Move:
        move = search.test(position, scale.ranks, test, None, None)[1]
        # There is none where the search thinks the test lost: then every move shows it wrong.
        return move or position.legal_moves()[0]

    visit()
    return len(seen)
