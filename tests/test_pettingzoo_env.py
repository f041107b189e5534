"""A deal as an environment of PettingZoo."""

import pickle
import warnings
from typing import Any

import numpy as np
import pytest
from learners_page import failures_of

import guandan as gd

wrapper = pytest.importorskip("guandan.wrappers.pettingzoo_env", exc_type=ImportError)
pettingzoo_test = pytest.importorskip("pettingzoo.test")

ENDING = "S3C3S4/S4D5/HR/D2 5 0 - -"
AGENTS = ["seat_0", "seat_1", "seat_2", "seat_3"]
DRAWN_BY_7 = (11530976094092348043, "J", 1)


def play(env: Any, rng: np.random.Generator) -> None:
    """Play an episode at random to its end."""
    while not any(env.terminations.values()):
        seen = env.observe(env.agent_selection)
        env.step(int(rng.choice(np.flatnonzero(seen["action_mask"]))))


@pytest.mark.parametrize("make", [wrapper.env, wrapper.raw_env], ids=["env", "raw_env"])
@pytest.mark.parametrize("preset", ["danzero_like", "planes"])
def test_the_tests_of_the_library(make: Any, preset: str) -> None:
    with warnings.catch_warnings():
        # It names the environments of its own that may have dicts with masks.
        warnings.filterwarnings("ignore", "Observation (is not a NumPy array|space for each agent)")
        pettingzoo_test.api_test(make(preset=preset), num_cycles=100)
    pettingzoo_test.seed_test(lambda: make(preset=preset), num_cycles=50)
    pettingzoo_test.render_test(lambda render_mode: make(preset=preset, render_mode=render_mode))


@pytest.mark.parametrize("preset", ["danzero_like", "planes"])
def test_what_agents_see(preset: Any) -> None:
    env = wrapper.raw_env(level="7", rules=gd.Rules.preset("pagat"), preset=preset)
    env.reset(seed=3)
    assert (env.deal.level, env.deal.rules) == ("7", gd.Rules.preset("pagat"))
    rng = np.random.default_rng(3)
    while True:
        for seat, agent in enumerate(AGENTS):
            seen = env.observe(agent)
            want = gd.features.observation(env.deal.observe(seat), preset)
            assert np.array_equal(seen["observation"], want)
            mask = gd.action_mask(env.deal) if seat == env.deal.turn else np.zeros(393)
            assert np.array_equal(seen["action_mask"], mask)
            assert seen in env.observation_space(agent)
        if env.deal.is_over:
            break
        assert env.agent_selection == AGENTS[env.deal.turn]
        action = int(rng.choice(np.flatnonzero(gd.action_mask(env.deal))))
        move = gd.expand(env.deal, action)[0]
        env.step(action)
        assert env.deal.history[-1] == move


def test_rewards_are_those_of_the_state() -> None:
    env = wrapper.raw_env()
    rng = np.random.default_rng(1)
    for seed in range(20):
        env.reset(seed=seed)
        assert set(env.rewards.values()) == {0}
        play(env, rng)
        won = env.deal.payoff
        assert env.rewards == dict(zip(AGENTS, (won, -won, won, -won), strict=True))
        for agent in env.agent_iter():
            assert env.last()[1:3] == (won if agent in ("seat_0", "seat_2") else -won, True)
            env.step(None)
        assert env.agents == []


def test_deals_of_a_seed() -> None:
    env, other = wrapper.raw_env(), wrapper.raw_env()
    deals = []
    for seed in (7, *[None] * 39):
        env.reset(seed=seed)
        other.reset(seed=seed)
        assert env.deal == other.deal
        deals.append(env.deal)
    assert len({deal.key for deal in deals}) == 40
    assert len({deal.level for deal in deals}) > 8
    # What a seed gives is a contract.
    drawn = np.random.PCG64(7).random_raw()
    assert deals[0] == gd.State.deal(None, drawn)
    assert (drawn, deals[0].level, deals[0].turn) == DRAWN_BY_7
    env.reset(seed=8)
    assert env.deal != deals[0]


def test_an_episode_from_a_state() -> None:
    env = wrapper.raw_env()
    env.reset(options={"state": ENDING})
    assert str(env.deal) == ENDING
    state = gd.State.parse(ENDING, gd.Rules(bomb_max=8))
    state.push("single 4 S4")
    env.reset(options={"state": state})
    assert env.deal == state
    assert env.agent_selection == "seat_1"
    env.step(0)
    assert len(state.history) == 1
    with pytest.raises(ValueError, match="over"):
        env.reset(options={"state": "-/S4/-/D2 5 - - 02"})


@pytest.mark.parametrize(
    ("action", "error", "text"),
    [
        (0, gd.IllegalMoveError, "action 0, pass: seat 0 has no such legal move"),
        (392, gd.IllegalMoveError, "action 392, joker_bomb: seat 0 has no such legal move"),
        (393, IndexError, "393"),
        (None, ValueError, "seat_0 has a move to make"),
    ],
)
def test_actions_that_are_not_legal(action: Any, error: type[Exception], text: str) -> None:
    env = wrapper.raw_env()
    env.reset(options={"state": ENDING})
    before = pickle.dumps(env.__dict__)
    with pytest.raises(error, match=text):
        env.step(action)
    assert pickle.dumps(env.__dict__) == before


def test_an_illegal_action_ends_the_episode_under_the_usual_wrappers() -> None:
    env = wrapper.env()
    env.reset(options={"state": ENDING})
    env.step(392)
    assert all(env.terminations.values())
    assert env.rewards == {"seat_0": -1, "seat_1": 0, "seat_2": 0, "seat_3": 0}


def test_rendering(capsys: pytest.CaptureFixture[str]) -> None:
    env = wrapper.raw_env(render_mode="ansi")
    env.reset(options={"state": ENDING})
    text = env.render()
    assert "seat 0  to move" in text
    assert "S3 C3" not in text  # ranks side by side, suits one below the other
    assert capsys.readouterr().out == ""
    env = wrapper.raw_env(render_mode="human")
    env.reset(options={"state": ENDING})
    assert capsys.readouterr().out == text + "\n\n"
    env.step(1 + "23456789TJQKA".index("4"))
    assert "seat 1 to reply" in capsys.readouterr().out
    env.close()


def test_rendering_without_a_mode() -> None:
    env = wrapper.raw_env()
    env.reset()
    with pytest.warns(UserWarning, match="render_mode"):
        assert env.render() is None


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"level": 2}, 'write "2"'),
        ({"preset": "floats"}, "danzero_like"),
        ({"render_mode": "rgb_array"}, "ansi"),
    ],
)
def test_options_that_are_none(options: Any, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        wrapper.env(**options)


def test_pickling() -> None:
    env = wrapper.raw_env()
    env.reset(seed=3)
    env.step(int(np.flatnonzero(gd.action_mask(env.deal))[0]))
    copy = pickle.loads(pickle.dumps(env))
    for one in (env, copy):
        play(one, np.random.default_rng(1))
        one.reset()
    assert copy.deal == env.deal


def test_the_page() -> None:
    assert not failures_of("PettingZoo")


@pytest.mark.parametrize(
    ("options", "error", "text"),
    [
        ({"state": "garbage"}, ValueError, "garbage"),
        ({"state": 5}, TypeError, r"options\['state'\]: want a State or its text, got 5"),
        ({"state": None}, TypeError, "got None"),
    ],
)
def test_options_that_cannot_be_change_nothing(options, error, text):
    env = wrapper.raw_env(level="2")
    env.reset(seed=5)
    before = str(env.deal), env.agent_selection
    with pytest.raises(error, match=text):
        env.reset(seed=6, options=options)
    assert (str(env.deal), env.agent_selection) == before
    env.reset()
    other = wrapper.raw_env(level="2")
    other.reset(seed=5)
    other.reset()
    assert str(env.deal) == str(other.deal)
