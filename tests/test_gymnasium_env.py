"""Deals as environments of Gymnasium."""

from typing import Any

import numpy as np
import pytest
from learners_page import failures_of
from lots import RULES
from test_dealbatch import SEED, Alone, InMatch

import guandan as gd

wrapper = pytest.importorskip("guandan.wrappers.gymnasium_env", exc_type=ImportError)
gymnasium = pytest.importorskip("gymnasium")
vector = pytest.importorskip("gymnasium.wrappers.vector")
checker = pytest.importorskip("gymnasium.utils.env_checker")

ID = "guandan/Deal-v0"
PRESETS = ("danzero_like", "planes")
EXTRA_DEAL = gd.Rules(match_end=("deals", 2, "extra_deal"))
KINDS: list[dict[str, Any]] = [
    {},
    {"level": "A", "preset": "planes", "auto_pass": False},
    {"matches": True, "preset": "planes"},
    {"matches": True, "rules": EXTRA_DEAL},
]


def drawn(seen: Any, rng: np.random.Generator) -> Any:
    """Draw an action for every deal."""
    return np.array([rng.choice(np.flatnonzero(mask)) for mask in seen["action_mask"]])


@pytest.mark.parametrize("options", KINDS)
@pytest.mark.parametrize("illegal_reward", [-1.0, 0.0])
def test_the_checker_of_the_library(options: Any, illegal_reward: float) -> None:
    env = gymnasium.make(ID, illegal_reward=illegal_reward, **options)
    checker.check_env(env.unwrapped)


@pytest.mark.parametrize("options", KINDS)
def test_it_is_what_the_library_makes_of_one_deal(options: Any) -> None:
    mode = gymnasium.vector.AutoresetMode.SAME_STEP
    other = gymnasium.vector.SyncVectorEnv(
        [lambda: gymnasium.make(ID, illegal_reward=None, **options)], autoreset_mode=mode
    )
    env = gymnasium.make_vec(ID, 1, **options)
    assert env.metadata["autoreset_mode"] == mode
    for name in ("single_observation_space", "observation_space", "action_space"):
        assert getattr(env, name) == getattr(other, name)
    rng = np.random.default_rng(1)
    ended = 0
    for seed in (3, None, None, 2**64 - 1):
        seen, info = env.reset(seed=seed)
        assert checker.data_equivalence((seen, info), other.reset(seed=seed), exact=True)
        for _ in range(300):
            actions = drawn(seen, rng)
            seen, _, ends, truncations, _ = found = env.step(actions)
            assert checker.data_equivalence(found, other.step(actions), exact=True)
            assert not truncations.any()
            ended += ends.sum()
    assert ended > 4


class Followed:
    """A place of a DealBatch, with what is known at the end of its last deal."""

    def __init__(self, place: Any, preset: str) -> None:
        self.place, self.preset = place, preset

    def play(self, action: int) -> bool:
        """Play an action; tell whether it has ended the deal."""
        state, seen = self.place.state.copy(), self.place.see()
        self.seat = state.turn
        move = gd.expand(state, action)[0]
        state.push(move)
        last = state.observe(self.seat).in_match(seen.standing, seen.tributes, seen.returns)
        self.final = gd.features.observation(last, self.preset)
        ended: bool = self.place.play(move)
        return ended

    @property
    def reward(self) -> int:
        """The last move's."""
        payoff: int = self.place.payoff
        return payoff if self.seat in (0, 2) else -payoff


def follow(options: Any, preset: Any, places: list[Any], deals: int) -> None:
    """Play an environment and its places side by side until so many deals have ended."""
    env = gymnasium.make_vec(ID, len(places), preset=preset, **options)
    followed = [Followed(place, preset) for place in places]
    rng = np.random.default_rng(1)
    seen, info = env.reset(seed=SEED)
    ended = 0
    while ended < deals:
        assert seen in env.observation_space
        for i, place in enumerate(places):
            want = gd.features.observation(place.see(), preset)
            assert np.array_equal(seen["observation"][i], want)
            assert np.array_equal(seen["action_mask"][i], gd.action_mask(place.state))
        assert info["seat"].tolist() == [place.state.turn for place in places]
        actions = drawn(seen, rng)
        seen, rewards, ends, _, info = env.step(actions)
        assert ends.tolist() == [f.play(a) for f, a in zip(followed, actions, strict=True)]
        assert rewards.tolist() == [f.reward for f in followed]
        assert ("final_obs" in info) == ends.any()
        for i in np.flatnonzero(ends):
            final = info["final_obs"][i]
            assert final in env.single_observation_space
            assert np.array_equal(final["observation"], followed[i].final)
            assert not final["action_mask"].any()
            told = info["final_info"]
            assert told["seat"][i] == followed[i].seat
            assert told["payoff"][i] == places[i].payoff
            assert tuple(told["order"][i]) == places[i].order
            assert ("winner" in told) == env.unwrapped.matches
            assert "winner" not in told or told["winner"][i] == places[i].winner
        ended += ends.sum()


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("auto_pass", [True, False])
def test_deals_by_themselves(preset: str, auto_pass: bool) -> None:
    rules = gd.Rules.preset("pagat")
    options = {"rules": rules, "level": "7", "auto_pass": auto_pass}
    follow(options, preset, [Alone(i, rules, "7", auto_pass) for i in range(3)], 8)
    follow(options, preset, [Alone(0, rules, "7", auto_pass)], 3)


@pytest.mark.parametrize("after", ["drawn", "last", (0, 2, 1, 3)])
def test_tribute_before_deals_by_themselves(after: Any) -> None:
    places = [Alone(i, gd.Rules(), None, True, after) for i in range(2)]
    follow({"after": after}, "planes", places, 8)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("name", [*RULES, "extra deal"])
def test_matches(preset: str, name: str) -> None:
    rules = RULES.get(name, EXTRA_DEAL)
    options = {"rules": rules, "matches": True}
    follow(options, preset, [InMatch(i, rules, True) for i in range(2)], 8)


def test_the_deals_of_a_seed() -> None:
    env, other = (gymnasium.make_vec(ID, 3, threads=n) for n in (1, 2))
    hands = []
    for seed in (7, None, None, 7, None):
        env.reset(seed=seed)
        other.reset(seed=seed)
        assert np.array_equal(env.unwrapped.deals.hands, other.unwrapped.deals.hands)
        hands.append(env.unwrapped.deals.hands)
    assert np.array_equal(hands[0], gd.DealBatch(3, seed=7).hands)
    assert np.array_equal(hands[:2], hands[3:])
    assert len({each.tobytes() for each in hands}) == 3
    env.action_space.seed(1)
    assert env.action_space.sample().shape == (3,)


def test_wrappers_of_the_library() -> None:
    counted = vector.RecordEpisodeStatistics(gymnasium.make_vec(ID, 4))
    listed = vector.DictInfoToList(gymnasium.make_vec(ID, 4))
    clipped = vector.ClipReward(gymnasium.make_vec(ID, 4), -1, 1)
    envs = (gymnasium.make_vec(ID, 4), counted, listed, clipped)
    (seen, _), *_ = [env.reset(seed=1) for env in envs]
    rng = np.random.default_rng(1)
    returns: list[float] = []
    while len(returns) < 6:
        actions = drawn(seen, rng)
        (seen, rewards, ends, _, info), *others = (env.step(actions) for env in envs)
        returns += rewards[ends].tolist()
        assert np.array_equal(others[2][1], np.sign(rewards))
        for i in range(4):
            assert others[1][4][i]["seat"] == info["seat"][i]
            assert ("final_info" in others[1][4][i]) == ends[i]
            if ends[i]:
                assert others[0][4]["episode"]["r"][i] == rewards[i]
                assert others[1][4][i]["final_info"]["payoff"] in (rewards[i], -rewards[i])
    assert list(counted.return_queue) == returns


@pytest.mark.parametrize(
    ("actions", "error", "text"),
    [
        ([0, 0], gd.IllegalMoveError, r"choices\[0\] is 0, .*pass.*of deal 0 has"),
        ([-1, 2**40], gd.IllegalMoveError, "of deal 0 has"),
        ([393, 0], gd.IllegalMoveError, "is 393: seat . of deal 0"),
        ([1, 2, 3], ValueError, "want 2 ints"),
        ([0.5, 1], ValueError, "want 2 ints"),
        (1, ValueError, "want 2 ints"),
        (None, ValueError, "want 2 ints"),
    ],
)
def test_actions_that_are_not_legal(actions: Any, error: type[Exception], text: str) -> None:
    env = gymnasium.make_vec(ID, 2)
    env.reset(seed=1)
    before = env.unwrapped.deals.copy()
    with pytest.raises(error, match=text):
        env.step(actions)
    assert env.unwrapped.deals.__reduce__() == before.__reduce__()


def test_an_illegal_action_for_one_deal() -> None:
    env = wrapper.GuandanEnv(illegal_reward=-2)
    first, _ = env.reset(seed=1)
    seen, *others = env.step(0)
    assert others == [-2, True, False, {"seat": env.vector.deals.turns[0]}]
    assert np.array_equal(seen["observation"], first["observation"])
    assert not seen["action_mask"].any()
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)
    assert not np.array_equal(env.reset()[0]["observation"], first["observation"])
    env = wrapper.GuandanEnv(illegal_reward=None)
    seen, _ = env.reset(seed=1)
    for action in (0, 393, -1):
        with pytest.raises(gd.IllegalMoveError, match="of deal 0 has"):
            env.step(action)
    assert env.step(int(seen["action_mask"].argmax()))[1:4] == (0.0, False, False)


def test_one_deal_goes_on_with_the_next() -> None:
    env, deals = wrapper.GuandanEnv(matches=True), gd.DealBatch(1, seed=4, matches=True)
    seen, _ = env.reset(seed=4)
    ended = 0
    while ended < 3:
        assert np.array_equal(seen["observation"], deals.observe()[0])
        action, seat = int(seen["action_mask"].nonzero()[0][-1]), int(deals.turns[0])
        deals.step_ids([action])
        seen, reward, over, _, info = env.step(action)
        if over:
            assert (info["payoff"], info["winner"]) == (deals.payoffs[0], deals.winners[0])
            assert reward == (-deals.payoffs[0] if seat % 2 else deals.payoffs[0])
            assert info["seat"] == seat
            ended += 1
            seen, info = env.reset()
        assert info["seat"] == deals.turns[0]


def test_rendering() -> None:
    env = gymnasium.make_vec(ID, 2, render_mode="ansi")
    env.reset(seed=1)
    pictures = env.render()
    assert len(pictures) == 2
    assert all("to move" in text for text in pictures)
    one = gymnasium.make(ID, render_mode="ansi")
    one.reset(seed=1)
    assert one.render() == pictures[0]
    env = gymnasium.make_vec(ID)
    with pytest.warns(UserWarning, match="render_mode"):
        assert env.render() is None
    env.close()
    assert env.closed


@pytest.mark.parametrize(
    ("options", "error", "text"),
    [
        ({"level": 2}, gd.NotationError, 'write "2"'),
        ({"preset": "floats"}, ValueError, "danzero_like"),
        ({"render_mode": "human"}, ValueError, "ansi"),
        ({"matches": True, "level": "2"}, ValueError, "matches have their own"),
        ({"num_envs": 0}, ValueError, "n=0: want an int from 1"),
        ({"threads": 0}, ValueError, "threads"),
        ({"after": "first"}, ValueError, "after='first': want the order"),
    ],
)
def test_options_that_are_none(options: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        wrapper.GuandanVectorEnv(**options)


def test_resets_that_are_none() -> None:
    env = gymnasium.make_vec(ID, 2)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step([0, 0])
    for one in (env, gymnasium.make(ID)):
        one.reset(options={})
        with pytest.raises(ValueError, match="reset_mask"):
            one.reset(options={"reset_mask": np.array([True, False])})


def test_the_page() -> None:
    assert not failures_of("Gymnasium")
