"""Fast, complete and exact legal moves for the card game Guandan (掼蛋).

The names below are the public ones; each is documented where it is defined.
"""

from importlib.util import find_spec as _find_spec
from pkgutil import extend_path as _extend_path

if _find_spec("guandan.cards") is None:
    # A clone's root holds this folder without kernels: take those of an installed package.
    __path__ = _extend_path(__path__, __name__)
    if _find_spec("guandan.cards") is None:
        raise ImportError(
            "the kernels of guandan are not built for this Python: run `pip install .`"
        )

from guandan import arena, bots, features
from guandan.actions import ACTIONS, Action, action_id
from guandan.analysis import AnalysedMove, Analysis, analyse
from guandan.batch import solve_many
from guandan.cards import CARDS, Hand, deal_hands
from guandan.choices import action_mask, action_masks, expand
from guandan.combos import Kind, Move, readings
from guandan.dealbatch import ActionBatch, DealBatch
from guandan.endgame import (
    RatedMove,
    Review,
    Solution,
    Solver,
    rate_moves,
    review,
    solve,
)
from guandan.errors import (
    AmbiguousMoveError,
    BotError,
    IllegalMoveError,
    NotationError,
    ProofError,
    RecordError,
    SolveError,
    StateError,
)
from guandan.match import Match
from guandan.movelist import (
    MoveBatch,
    MoveList,
    count_moves,
    legal_moves,
    legal_moves_batch,
    nth_move,
)
from guandan.observation import Observation
from guandan.partitions import Split, Splits, best_splits, fewest_plays, fewest_plays_batch
from guandan.playout import Playouts, Tally, playouts
from guandan.referee import Points, Referee, Ruling, title
from guandan.rules import Rules
from guandan.samples import Worlds, worlds
from guandan.standing import Standing, score
from guandan.state import State
from guandan.tribute import Payment, TributePlan, returnable, tribute_plan

__all__ = [
    "ACTIONS",
    "CARDS",
    "Action",
    "ActionBatch",
    "AmbiguousMoveError",
    "AnalysedMove",
    "Analysis",
    "BotError",
    "DealBatch",
    "Hand",
    "IllegalMoveError",
    "Kind",
    "Match",
    "Move",
    "MoveBatch",
    "MoveList",
    "NotationError",
    "Observation",
    "Payment",
    "Playouts",
    "Points",
    "ProofError",
    "RatedMove",
    "RecordError",
    "Referee",
    "Review",
    "Rules",
    "Ruling",
    "Solution",
    "SolveError",
    "Solver",
    "Split",
    "Splits",
    "Standing",
    "State",
    "StateError",
    "Tally",
    "TributePlan",
    "Worlds",
    "action_id",
    "action_mask",
    "action_masks",
    "analyse",
    "arena",
    "best_splits",
    "bots",
    "count_moves",
    "deal_hands",
    "expand",
    "features",
    "fewest_plays",
    "fewest_plays_batch",
    "legal_moves",
    "legal_moves_batch",
    "nth_move",
    "playouts",
    "rate_moves",
    "readings",
    "returnable",
    "review",
    "score",
    "solve",
    "solve_many",
    "title",
    "tribute_plan",
    "worlds",
]

__version__ = "0.1.0"
