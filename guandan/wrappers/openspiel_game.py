"""A deal as a game of OpenSpiel: importing this module registers `python_guandan`.

The deal is drawn by explicit chance nodes, one for each card, so that probabilities are there for
algorithms that want them, and a history says what was dealt; a node has at most 54 outcomes, where
one for the whole deal would have more than can be listed.
"""

from typing import Any

import numpy as np

import guandan as gd
from guandan.dealer import HAND_SIZE
from guandan.standing import LEVELS

try:
    import pyspiel
except ModuleNotFoundError as error:
    raise ImportError(
        "guandan.wrappers.openspiel_game needs OpenSpiel: pip install 'guandan-core[openspiel]'"
    ) from error

__all__ = ["GuandanGame", "GuandanObserver", "GuandanState"]

N_SEATS = 4
N_CARDS = N_SEATS * HAND_SIZE
MOST_MOVES = N_SEATS * N_CARDS  # each card by itself, three passes after it
RANKS = LEVELS + "BR-"
DRAWN = 0  # the level, where a chance node draws it

# The outcomes of all chance nodes, so that a number means one thing: cards, who leads, levels.
CHANCES = (
    *gd.CARDS,
    *(f"seat {seat} leads" for seat in range(N_SEATS)),
    *(f"level {level}" for level in LEVELS),
)
FIRST_LEADER = len(gd.CARDS)
FIRST_LEVEL = FIRST_LEADER + N_SEATS

ROW = N_SEATS + len(gd.Kind) + len(RANKS) + len(gd.CARDS)  # of a move in the history

PARAMETERS = {"level": DRAWN, "rules": "jiangsu2023", "seed": -1, "state": ""}


def game_type(chance_mode: Any) -> Any:
    """Return the type of the game, with chance nodes or without."""
    return pyspiel.GameType(
        short_name="python_guandan",
        long_name="Guandan, one deal",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=chance_mode,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=N_SEATS,
        min_num_players=N_SEATS,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=PARAMETERS,
    )


STOCHASTIC = game_type(pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC)
DETERMINISTIC = game_type(pyspiel.GameType.ChanceMode.DETERMINISTIC)


def start_of(params: dict[str, Any], rules: gd.Rules) -> gd.State | None:
    """Return the position that parameters fix, None where chance nodes deal."""
    level, seed, text = params["level"], params["seed"], params["state"]
    if level != DRAWN and not 2 <= level <= len(LEVELS) + 1:
        raise ValueError(f"level={level}: want 2 to 14, 11 to 14 for J to A, or 0 to draw one")
    if text:
        if level != DRAWN or seed >= 0:
            raise ValueError(f"state={text!r:.40}: want neither level nor seed with it")
        return gd.State.parse(text, rules)
    if seed >= 0:
        if level == DRAWN:
            raise ValueError(f"seed={seed}: want a level with it, 2 to 14")
        return gd.State.deal(LEVELS[level - 2], seed, rules=rules)
    return None


class GuandanGame(pyspiel.Game):
    """One deal of Guandan; players are seats 0 to 3, 0 and 2 against 1 and 3.

    Actions are the ids of `ACTIONS`, played as `expand(state, id)[0]`. The returns are the level
    steps won, negative for the side that loses them. Parameters: `level`, 2 to 14 (OpenSpiel reads
    digits as ints: 11 to 14 are J to A), 0 to draw it; `rules`, the name of a preset; `seed`, to
    play the deal of `State.deal(level, seed)`, -1 to draw the cards; `state`, the text of a State
    to begin from, such as an ending small enough for exact algorithms.
    """

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        """Make the game; ValueError for parameters that do not go together."""
        given = {**PARAMETERS, **(params or {})}
        self.rules = gd.Rules.preset(given["rules"])
        self.start = start_of(given, self.rules)
        self.level = None if given["level"] == DRAWN else LEVELS[given["level"] - 2]
        most = float(max(self.rules.steps))
        super().__init__(
            STOCHASTIC if self.start is None else DETERMINISTIC,
            pyspiel.GameInfo(
                num_distinct_actions=len(gd.ACTIONS),
                max_chance_outcomes=len(CHANCES) if self.start is None else 0,
                num_players=N_SEATS,
                min_utility=-most,
                max_utility=most,
                utility_sum=0.0,
                max_game_length=MOST_MOVES,
            ),
            given,
        )

    def new_initial_state(self) -> "GuandanState":
        """Return the state before anything is drawn, or the one that the parameters fix."""
        return GuandanState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return how many draws there are: the level, who leads, and the cards."""
        return 0 if self.start else (self.level is None) + 1 + N_CARDS

    def make_py_observer(
        self, iig_obs_type: Any = None, params: dict[str, Any] | None = None
    ) -> "GuandanObserver | None":
        """Return an observer of what one player knows; None for another kind of observation.

        The parameter `preset` is that of `features.observation`.
        """
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            return None
        return GuandanObserver(kind.perfect_recall, **(params or {}))


class GuandanState(pyspiel.State):
    """A deal being drawn or played: `deal` is its State, None until all cards are dealt."""

    def __init__(self, game: GuandanGame) -> None:
        """Begin; only `new_initial_state` does."""
        super().__init__(game)
        self.deal = game.start.copy() if game.start else None
        self.level = game.level
        self.leader: int | None = None
        self.cards: tuple[int, ...] = ()

    def current_player(self) -> int:
        """Return the seat to move, or the player that stands for chance or the end."""
        if self.deal is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.deal.turn is None else self.deal.turn

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return what may be drawn next: the level, who leads, then card by card."""
        if self.level is None:
            return [(FIRST_LEVEL + place, 1 / len(LEVELS)) for place in range(len(LEVELS))]
        if self.leader is None:
            return [(FIRST_LEADER + seat, 1 / N_SEATS) for seat in range(N_SEATS)]
        left = N_CARDS - len(self.cards)
        copies = 2 - np.bincount(self.cards, minlength=len(gd.CARDS))
        return [(card, n / left) for card, n in enumerate(copies.tolist()) if n]

    def draw(self, outcome: int) -> None:
        """Take what a chance node has drawn; each seat gets 27 cards in turn."""
        if outcome not in dict(self.chance_outcomes()):
            raise ValueError(f"outcome {outcome}: this chance node does not have it")
        if self.level is None:
            self.level = LEVELS[outcome - FIRST_LEVEL]
        elif self.leader is None:
            self.leader = outcome - FIRST_LEADER
        else:
            self.cards += (outcome,)
        if len(self.cards) == N_CARDS:
            hands = [self.cards[seat * HAND_SIZE :][:HAND_SIZE] for seat in range(N_SEATS)]
            rules = self.get_game().rules
            self.deal = gd.State(hands, level=self.level, turn=self.leader, rules=rules)

    def _legal_actions(self, player: int) -> list[int]:
        return np.flatnonzero(gd.action_mask(self.deal)).tolist() if self.deal else []

    def _apply_action(self, action: int) -> None:
        if self.deal is None:
            self.draw(action)
        else:
            self.deal.push(gd.expand(self.deal, action)[0])

    def _action_to_string(self, player: int, action: int) -> str:
        return CHANCES[action] if player == pyspiel.PlayerId.CHANCE else str(gd.ACTIONS[action])

    def is_terminal(self) -> bool:
        """Whether the deal is decided."""
        return self.deal is not None and self.deal.is_over

    def returns(self) -> list[float]:
        """Return the level steps that each player's side has won; 0 before the end."""
        won = float(self.deal.payoff or 0) if self.deal else 0.0
        return [won, -won, won, -won]

    def __str__(self) -> str:
        """Return the text of the deal, or what has been drawn."""
        if self.deal:
            return str(self.deal)
        dealt = " ".join(gd.CARDS[card] for card in self.cards)
        return f"level {self.level}, leader {self.leader}, cards {dealt or '-'}"


class GuandanObserver:
    """What one player knows as a tensor and a text; zeros and no text while cards are dealt.

    The tensor is `features.observation` by `preset`, its blocks by name in `dict`. With perfect
    recall it is that of "planes" and, as "history", a row for each move of the deal: whose it is,
    relative to the observer, then kind, rank and cards.
    """

    def __init__(self, perfect_recall: bool, preset: str = "danzero_like") -> None:
        """Make room for an observation."""
        self.perfect_recall = perfect_recall
        self.preset: Any = "planes" if perfect_recall else preset
        if self.preset not in gd.features.LAYOUTS:
            raise ValueError(f"preset={preset!r:.40}: want one of {', '.join(gd.features.LAYOUTS)}")
        layout = gd.features.LAYOUTS[self.preset]
        self.n_features = max(block.stop for block in layout.values())
        n_history = MOST_MOVES * ROW if perfect_recall else 0
        self.tensor = np.zeros(self.n_features + n_history, np.float32)
        self.dict = {name: self.tensor[block] for name, block in layout.items()}
        if perfect_recall:
            self.dict["history"] = self.tensor[self.n_features :].reshape(MOST_MOVES, ROW)

    def set_from(self, state: GuandanState, player: int) -> None:
        """Write what a player knows into the tensor."""
        self.tensor.fill(0)
        if state.deal is None:
            return
        seen = state.deal.observe(player)
        self.tensor[: self.n_features] = gd.features.observation(seen, self.preset)
        if self.perfect_recall and seen.plays:
            rows = self.dict["history"][: len(seen.plays)]
            for row, (seat, move) in zip(rows, seen.plays, strict=True):
                row[(seat - player) % N_SEATS] = 1
                row[N_SEATS + move.kind] = 1
                row[N_SEATS + len(gd.Kind) + RANKS.index(move.rank)] = 1
            rows[:, -len(gd.CARDS) :] = gd.features.moves(move for _, move in seen.plays)

    def string_from(self, state: GuandanState, player: int) -> str:
        """Return what a player knows as a text, with perfect recall all moves too."""
        if state.deal is None:
            return ""
        seen = state.deal.observe(player)
        parts = [
            f"seat {player}",
            f"level {seen.level}",
            f"hand {seen.hand}",
            f"unseen {seen.unseen_hand}",
            f"left {' '.join(map(str, seen.left))}",
            f"out {' '.join(map(str, seen.out)) or '-'}",
            f"table {f'{seen.owner}: {seen.table}' if seen.table else '-'}",
            f"turn {'-' if seen.turn is None else seen.turn}",
        ]
        if self.perfect_recall:
            moves = ", ".join(f"{seat}: {move}" for seat, move in seen.plays)
            parts.append(f"moves {moves or '-'}")
        return "; ".join(parts)


pyspiel.register_game(STOCHASTIC, GuandanGame)
