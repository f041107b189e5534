"""A deal as a game of OpenSpiel."""

import random
from typing import Any

import numpy as np
import pytest
from learners_page import failures_of

import guandan as gd

wrapper = pytest.importorskip("guandan.wrappers.openspiel_game", exc_type=ImportError)
pyspiel = pytest.importorskip("pyspiel")
api_test = pytest.importorskip("open_spiel.integration_tests.api_test")
observation = pytest.importorskip("open_spiel.python.observation")

ENDING = "S3C3S4/S4D5/HR/D2 5 0 - -"
TREE = "S3S4/S4D5/HR/D2 5 0 - -"
SEATS = range(4)
PERFECT_RECALL = pyspiel.IIGObservationType(perfect_recall=True)


def dealt(game: Any, hands: Any, leader: int = 0) -> Any:
    """Give the state after chance has dealt some hands."""
    state = game.new_initial_state()
    state.apply_action(len(gd.CARDS) + leader)
    for hand in hands:
        for card in hand:
            state.apply_action(gd.CARDS.index(card))
    return state


def drawn(game: Any, rng: random.Random) -> Any:
    """Give a state after all chance nodes, drawn at random."""
    state = game.new_initial_state()
    while state.is_chance_node():
        outcomes, weights = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(rng.choices(outcomes, weights)[0])
    return state


# The tests of the library


@pytest.mark.parametrize(
    "name",
    [
        "python_guandan",
        "python_guandan(level=14,rules=pagat)",
        "python_guandan(level=2,seed=7)",
        f"python_guandan(rules=opengd,state={ENDING})",
    ],
)
def test_random_simulation(name: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=3, serialize=True, verbose=False)


class TestPartOfTheTree(api_test.EnforceAPIOnPartialTreeBase):  # type: ignore[misc, name-defined]
    game_name = "python_guandan"
    game = pyspiel.load_game(game_name)


class TestTreeOfAnEnding(api_test.EnforceAPIOnFullTreeBase):  # type: ignore[misc, name-defined]
    game_name = f"python_guandan(state={TREE})"
    game = pyspiel.load_game(game_name)


def count_nodes(state: gd.State) -> tuple[int, int]:
    """Count the nodes of players and the ends below a state, itself included."""
    if state.is_over:
        return 0, 1
    inner, ends = 1, 0
    for action in set(state.legal_moves().action_ids.tolist()):
        child = state.copy()
        child.push(gd.expand(state, action)[0])
        below = count_nodes(child)
        inner, ends = inner + below[0], ends + below[1]
    return inner, ends


# With all hands fixed there is an information set for each node of a player, none of chance.
NODES = count_nodes(gd.State.parse(TREE))
api_test.TOTAL_NUM_STATES[TestTreeOfAnEnding.game_name] = (0, *NODES)
api_test.PERFECT_RECALL_NUM_STATES[TestTreeOfAnEnding.game_name] = NODES[0]


# The game


def test_the_deal_is_drawn_card_by_card() -> None:
    game = pyspiel.load_game("python_guandan")
    assert game.get_type().chance_mode == pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
    rng = random.Random(5)
    state = game.new_initial_state()
    drawn: list[str] = []
    while state.is_chance_node():
        outcomes = dict(state.chance_outcomes())
        assert sum(outcomes.values()) == pytest.approx(1)
        texts = {state.action_to_string(outcome): odds for outcome, odds in outcomes.items()}
        cards = drawn[2:]
        if len(drawn) >= 2:
            assert texts == {
                card: pytest.approx((2 - cards.count(card)) / (108 - len(cards)))
                for card in gd.CARDS
                if cards.count(card) < 2
            }
        else:
            assert len(texts) == (13, 4)[len(drawn)]
            assert set(texts.values()) == {1 / len(texts)}
        drawn.append(rng.choice(list(texts)))
        state.apply_action(state.string_to_action(drawn[-1]))
    assert len(drawn) == game.max_chance_nodes_in_history() == 110
    hands = [gd.Hand(drawn[2:][27 * seat :][:27]) for seat in SEATS]
    want = gd.State(hands, level=drawn[0].removeprefix("level "), turn=int(drawn[1].split()[1]))
    assert state.deal == want
    assert str(state) == str(want)


def test_play_is_that_of_a_state() -> None:
    rules = gd.Rules.preset("pagat")  # other steps
    game = pyspiel.load_game("python_guandan", {"level": 10, "rules": "pagat", "seed": 7})
    assert game.get_type().chance_mode == pyspiel.GameType.ChanceMode.DETERMINISTIC
    assert (game.min_utility(), game.max_utility()) == (-4, 4)
    for seed in range(10):
        rng = random.Random(seed)
        state, deal = game.new_initial_state(), gd.State.deal("T", 7, rules=rules)
        while not deal.is_over:
            assert state.current_player() == deal.turn
            ids = np.flatnonzero(gd.action_mask(deal)).tolist()
            assert state.legal_actions() == ids
            assert state.returns() == [0] * 4
            action = rng.choice(ids)
            assert state.action_to_string(action) == str(gd.ACTIONS[action])
            deal.push(gd.expand(deal, action)[0])
            state.apply_action(action)
        assert state.is_terminal()
        assert state.deal.history == deal.history
        assert deal.payoff is not None
        assert state.returns() == [deal.payoff, -deal.payoff, deal.payoff, -deal.payoff]


def test_clones_go_their_own_way() -> None:
    state = drawn(pyspiel.load_game("python_guandan"), random.Random(1))
    for _ in range(5):
        state.apply_action(state.legal_actions()[-1])
    clone = state.clone()
    _, read = pyspiel.deserialize_game_and_state(
        pyspiel.serialize_game_and_state(state.get_game(), state)
    )
    for other in (clone, read):
        assert other.deal.history == state.deal.history
        assert other.information_state_string(0) == state.information_state_string(0)
    clone.apply_action(clone.legal_actions()[-1])
    assert len(state.deal.history) == 5
    assert len(clone.deal.history) == 6


def test_an_illegal_action_changes_nothing() -> None:
    state = pyspiel.load_game(f"python_guandan(state={ENDING})").new_initial_state()
    with pytest.raises(gd.IllegalMoveError, match="action 0, pass: seat 0"):
        state.apply_action(0)
    assert str(state) == ENDING
    assert state.history() == []


@pytest.mark.parametrize(
    ("params", "error", "text"),
    [
        ({"level": 1}, ValueError, "2 to 14"),
        ({"level": 15}, ValueError, "2 to 14"),
        ({"seed": 7}, ValueError, "level"),
        ({"level": 2, "state": ENDING}, ValueError, "neither"),
        ({"seed": 7, "state": ENDING}, ValueError, "neither"),
        ({"state": "S3"}, gd.NotationError, "want 3 between four hands"),
        ({"rules": "none"}, ValueError, "jiangsu2023"),
        ({"colour": 1}, pyspiel.SpielError, "colour"),
    ],
)
def test_parameters_that_do_not_go_together(params: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        pyspiel.load_game("python_guandan", params)


# Observers


def test_nothing_hidden_leaks() -> None:
    game = pyspiel.load_game("python_guandan(level=2)")
    hands = gd.deal_hands(3)
    states = [
        dealt(game, [hands[seat] for seat in order]) for order in ((0, 1, 2, 3), (0, 3, 1, 2))
    ]
    for _ in range(2):
        one, other = states
        assert one.information_state_string(0) == other.information_state_string(0)
        assert one.information_state_tensor(0) == other.information_state_tensor(0)
        assert one.observation_string(0) == other.observation_string(0)
        assert one.observation_tensor(0) == other.observation_tensor(0)
        assert one.observation_string(1) != other.observation_string(1)
        assert one.observation_tensor(1) != other.observation_tensor(1)
        for state in states:
            state.apply_action(state.legal_actions()[0])


def test_tensors_are_features_and_the_history() -> None:
    game = pyspiel.load_game("python_guandan(level=2)")
    state = drawn(game, random.Random(2))
    recall = observation.make_observation(game, PERFECT_RECALL)
    planes = observation.make_observation(game, None, {"preset": "planes"})
    rng = random.Random(2)
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
    for seat in SEATS:
        seen = state.deal.observe(seat)
        for preset, tensor in (
            ("danzero_like", state.observation_tensor(seat)),
            ("planes", state.information_state_tensor(seat)[:4314]),
        ):
            assert tensor == gd.features.observation(seen, preset).tolist()
        planes.set_from(state, seat)
        recall.set_from(state, seat)
        assert np.array_equal(planes.dict["hand"], gd.features.observation(seen)[:54])
        assert np.array_equal(recall.tensor[:4314], planes.tensor)
        assert [read_row(row, seat) for row in recall.dict["history"] if row.any()] == [
            (mover, move.kind, move.rank, move.cards) for mover, move in seen.plays
        ]


def read_row(row: Any, seat: int) -> tuple[int, int, str, gd.Hand]:
    """Read a move of the history back."""
    who, kind, rank, cards = np.split(row.astype(int), [4, 21, 37])
    assert who.sum() == kind.sum() == rank.sum() == 1
    return (
        (int(who.argmax()) + seat) % 4,
        int(kind.argmax()),
        "23456789TJQKABR-"[rank.argmax()],
        gd.Hand.from_counts(cards),
    )


def test_texts_of_observations() -> None:
    state = pyspiel.load_game(f"python_guandan(state={ENDING})").new_initial_state()
    state.apply_action(gd.action_id("single 4 S4", "5"))
    text = (
        "seat 1; level 5; hand S4 D5; unseen D2 S3 C3 HR; left 2 2 1 1; out -; "
        "table 0: single 4 S4; turn 1"
    )
    assert state.observation_string(1) == text
    assert state.information_state_string(1) == text + "; moves 0: single 4 S4"


def test_observations_that_are_not_supported() -> None:
    game = pyspiel.load_game("python_guandan")
    for private in (pyspiel.PrivateInfoType.NONE, pyspiel.PrivateInfoType.ALL_PLAYERS):
        kind = pyspiel.IIGObservationType(perfect_recall=False, private_info=private)
        assert observation.make_observation(game, kind) is None
    with pytest.raises(ValueError, match="danzero_like"):
        observation.make_observation(game, None, {"preset": "floats"})


def test_while_cards_are_dealt_nobody_knows_anything() -> None:
    state = pyspiel.load_game("python_guandan").new_initial_state()
    assert state.observation_string(0) == state.information_state_string(0) == ""
    assert not any(state.observation_tensor(0))
    assert str(state) == "level None, leader None, cards -"


def test_the_page() -> None:
    assert not failures_of("OpenSpiel")


def test_outcomes_that_a_chance_node_does_not_have_are_refused():
    state = pyspiel.load_game("python_guandan").new_initial_state()
    with pytest.raises(ValueError, match="outcome 57"):
        state.apply_action(57)  # a leader, where the level is drawn
    with pytest.raises(ValueError, match="outcome 3"):
        state.apply_action(3)
    state.apply_action(58)
    assert "level 2" in str(state)
