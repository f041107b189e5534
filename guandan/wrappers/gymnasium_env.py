"""Many deals as a vector environment of Gymnasium, and one: the seat to move acts, whoever it is.

Importing this module registers `guandan/Deal-v0`.
"""

from typing import Any, Literal, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

import guandan as gd
from guandan.cli.diagram import plain_lines

try:
    import gymnasium
    from gymnasium import logger
    from gymnasium.error import ResetNeeded
    from gymnasium.spaces import Box, Dict, Discrete
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError as error:  # AutoresetMode is missing before 1.1
    raise ImportError(
        "guandan.wrappers.gymnasium_env needs Gymnasium 1.1 or later: "
        "pip install 'guandan-core[gymnasium]'"
    ) from error

__all__ = ["GuandanEnv", "GuandanVectorEnv"]

ENV_ID = "guandan/Deal-v0"
RENDERING = {"render_modes": ["ansi"], "render_fps": 1}

_Seen = dict[str, NDArray[Any]]
_Info = dict[str, Any]


class GuandanVectorEnv(VectorEnv[_Seen, ArrayLike, NDArray[Any]]):
    """A DealBatch as a vector environment: an episode is a deal, another follows at its place.

    An action is an id of `ACTIONS`, played as `expand(deal, id)[0]`, for the seat to move. What is
    observed is that seat's: "observation", its features by `preset`, and "action_mask"; `info` has
    "seat", who it is. A reward belongs to the seat that has moved: 0, but at the end of a deal the
    level steps that its side has won, negative if lost.

    The step that ends a deal deals the next one (AutoresetMode.SAME_STEP). For the deal that has
    ended info["final_obs"] has what the seat knows that moved last, with a mask of 0s, and
    info["final_info"] that "seat", "payoff", the level steps for side 0, from which the other
    seats' rewards follow, "order", the seats by place, and in matches "winner" as in DealBatch.

    `level`, `rules`, `threads`, `matches`, `auto_pass` and `after` are those of DealBatch. `deals`
    is the DealBatch in play, for reading. An action that is not legal raises IllegalMoveError,
    naming the deal, and changes nothing.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - as the base class has it
        **RENDERING,
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }

    def __init__(
        self,
        num_envs: int = 1,
        *,
        level: Any = None,
        rules: gd.Rules | None = None,
        preset: Literal["danzero_like", "planes"] = "danzero_like",
        threads: int = 1,
        matches: bool = False,
        auto_pass: bool = True,
        after: Any = None,
        render_mode: Literal["ansi"] | None = None,
    ) -> None:
        """Make an environment of `num_envs` deals; `reset` deals."""
        super().__init__()
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise ValueError(f"render_mode={render_mode!r:.40}: want 'ansi' or None")
        self.asked = {"rules": rules, "threads": threads, "level": level}
        self.asked |= {"matches": matches, "auto_pass": auto_pass, "after": after}
        self.num_envs, self.preset, self.matches = num_envs, preset, matches
        self.render_mode = render_mode
        self.deals = self.dealt(0)  # refuses what is no level, Rules or preset
        self.begun = False
        values = Box(0, 2, self.deals.observe(preset=preset).shape[1:], np.uint8)
        mask = Box(0, 1, (len(gd.ACTIONS),), np.int8)
        self.single_observation_space = Dict({"observation": values, "action_mask": mask})
        self.single_action_space = Discrete(len(gd.ACTIONS))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def dealt(self, seed: int) -> gd.DealBatch:
        """Return the deals of a seed."""
        return gd.DealBatch(self.num_envs, seed=seed, **self.asked)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[_Seen, _Info]:
        """Deal everywhere anew: the deals of `DealBatch(num_envs, seed=seed)`.

        Without a seed one is drawn, by the generator of the last seed given. There are no options,
        and no places are reset alone: ValueError for any.
        """
        if options:
            raise ValueError(f"options={options!r:.60}: want none; all deals begin anew")
        super().reset(seed=seed)
        self.deals = self.dealt(drawn_by(self.np_random) if seed is None else seed)
        self.begun = True
        return self.look()

    def look(self) -> tuple[_Seen, _Info]:
        """Return what the seats to move know and may do, and who they are."""
        seen = self.deals.observe(preset=self.preset)
        mask = self.deals.masks(np.empty((self.num_envs, len(gd.ACTIONS)), np.uint8))
        everywhere = np.ones(self.num_envs, np.bool_)
        info = {"seat": self.deals.turns, "_seat": everywhere}
        return {"observation": seen, "action_mask": mask.view(np.int8)}, info

    def step(
        self, actions: ArrayLike
    ) -> tuple[_Seen, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], _Info]:
        """Play an action for every deal."""
        if not self.begun:
            raise ResetNeeded("there are no deals yet: call reset()")
        chosen = np.asarray(actions)
        turns = self.deals.turns
        self.deals.step_ids(chosen)
        ended, payoffs = self.deals.ended, self.deals.payoffs
        rewards = np.where(turns % 2, -payoffs, payoffs).astype(np.float64)
        final: _Info = {}
        if ended.any():
            final = self.final_info(turns, payoffs, ended)
            for place in np.flatnonzero(ended).tolist():
                final["final_obs"][place] = self.last_look(place, turns[place])
        seen, info = self.look()
        return seen, rewards, ended, np.zeros(self.num_envs, np.bool_), info | final

    def last_look(self, place: int, seat: SupportsIndex) -> _Seen:
        """Return what the seat that has ended a deal knows then."""
        known = self.deals.observation(place, seat, ended=True)
        seen = gd.features.observation(known, self.preset)
        return {"observation": seen, "action_mask": np.zeros(len(gd.ACTIONS), np.int8)}

    def final_info(
        self, turns: NDArray[np.uint8], payoffs: NDArray[np.int8], ended: NDArray[np.bool_]
    ) -> _Info:
        """Return what info says of deals that have ended, with room for what is seen then."""
        told: dict[str, NDArray[Any]] = {
            "seat": turns,
            "payoff": payoffs,
            "order": self.deals.orders,
        }
        if self.matches:
            told["winner"] = self.deals.winners
        for values in told.values():
            values[~ended] = 0
        final = {
            "final_obs": np.full(self.num_envs, None, object),
            "final_info": told | {f"_{name}": ended.copy() for name in told},
        }
        return final | {f"_{name}": ended.copy() for name in final}

    def render(self) -> tuple[str, ...] | None:
        """Return the pictures of all deals, as texts."""
        if self.render_mode is None:
            logger.warn('render: make the environment with render_mode="ansi"')
            return None
        states = map(self.deals.state, range(self.num_envs))
        return tuple("\n".join(plain_lines(state)) for state in states)


def drawn_by(generator: np.random.Generator) -> int:
    """Draw the seed of other deals."""
    return int(generator.integers(2**63))


def row(batched: dict[str, Any]) -> dict[str, Any]:
    """Return the only row of what is batched, without the marks of where there is something."""
    return {name: values[0] for name, values in batched.items() if not name.startswith("_")}


class GuandanEnv(gymnasium.Env[_Seen, SupportsIndex]):
    """One deal an episode: a GuandanVectorEnv of one deal without its resets.

    An action that is not legal ends the episode with `illegal_reward`; where that is None, it
    raises IllegalMoveError and changes nothing. All else is as there; what `final_obs` and
    `final_info` have there is returned by the step that ends the deal.
    """

    metadata: dict[str, Any] = RENDERING

    def __init__(self, *, illegal_reward: float | None = -1.0, **options: Any) -> None:
        """Make an environment of some options of GuandanVectorEnv; `reset` deals."""
        self.vector = GuandanVectorEnv(1, **options)
        self.render_mode = self.vector.render_mode
        self.observation_space = self.vector.single_observation_space
        self.action_space = self.vector.single_action_space
        self.illegal_reward = illegal_reward
        self.over = True
        self.following: tuple[_Seen, _Info] | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[_Seen, _Info]:
        """Deal anew; after the end of a deal, and without a seed, go on with the next one.

        Matches go on like that; they begin anew where a deal is broken off.
        """
        super().reset(seed=seed)
        begun = self.following
        if seed is not None or options or begun is None:
            drawn = drawn_by(self.np_random) if seed is None else seed
            begun = self.vector.reset(seed=drawn, options=options)
        self.over, self.following = False, None
        seen, info = begun
        return row(seen), row(info)

    def step(self, action: SupportsIndex) -> tuple[_Seen, float, bool, bool, _Info]:
        """Play an action for the seat to move."""
        if self.over:
            raise ResetNeeded("the deal is over, or there is none yet: call reset()")
        try:
            seen, rewards, ended, _, info = self.vector.step(np.array([action]))
        except gd.IllegalMoveError:
            if self.illegal_reward is None:
                raise
            return self.end_illegally(self.illegal_reward)
        self.over = bool(ended[0])
        if self.over:
            self.following = (seen, {"seat": info["seat"]})
            return info["final_obs"][0], float(rewards[0]), True, False, row(info["final_info"])
        return row(seen), float(rewards[0]), False, False, row(info)

    def end_illegally(self, reward: float) -> tuple[_Seen, float, bool, bool, _Info]:
        """End the episode where it is; who moves knows what it knew."""
        self.over = True
        seen, info = self.vector.look()
        seen["action_mask"][:] = 0
        return row(seen), reward, True, False, row(info)

    def render(self) -> str | None:
        """Return the picture of the deal, as text."""
        pictures = self.vector.render()
        return pictures[0] if pictures else None


gymnasium.register(
    ENV_ID,
    entry_point=f"{__name__}:GuandanEnv",
    vector_entry_point=f"{__name__}:GuandanVectorEnv",
)
