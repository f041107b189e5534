"""A deal as an environment of PettingZoo: four agents in turn, abstract actions with masks."""

from typing import Any, Literal, SupportsIndex

import numpy as np
from numpy.typing import NDArray

import guandan as gd
from guandan.cli.diagram import plain_lines

try:
    from gymnasium import logger
    from gymnasium.spaces import Box, Dict, Discrete
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ModuleNotFoundError as error:
    raise ImportError(
        "guandan.wrappers.pettingzoo_env needs PettingZoo: pip install 'guandan-core[pettingzoo]'"
    ) from error

__all__ = ["GuandanEnv", "env", "raw_env"]

AGENTS = ("seat_0", "seat_1", "seat_2", "seat_3")


class GuandanEnv(AECEnv[str, dict[str, NDArray[Any]], SupportsIndex | None]):
    """One deal an episode; agents seat_0 and seat_2 play against seat_1 and seat_3.

    An action is an id of `ACTIONS`, played as `expand(deal, id)[0]`. What an agent observes is a
    dict: "observation", the features of its seat by `preset`, and "action_mask", what it may do:
    all 0 out of its turn. Rewards come at the end: the level steps won, negative for the side that
    loses them, 0 before. A seat that has run out waits for the end.

    `level` is a text, None to draw one for each deal; `rules` a Rules (default: jiangsu2023).
    `deal` is the State in play, for reading.

    An action that is not legal raises IllegalMoveError, an id that is none IndexError; nothing is
    changed then. Under `env` it ends the episode instead, as in PettingZoo's own games.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - as the base class has it
        "name": "guandan_v0",
        "render_modes": ["human", "ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        level: str | None = None,
        rules: gd.Rules | None = None,
        preset: Literal["danzero_like", "planes"] = "danzero_like",
        render_mode: Literal["human", "ansi"] | None = None,
    ) -> None:
        """Make an environment; `reset` deals."""
        super().__init__()
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise ValueError(f"render_mode={render_mode!r:.40}: want 'human', 'ansi' or None")
        self.level, self.rules, self.preset = level, rules, preset
        self.render_mode = render_mode
        self.generator = np.random.PCG64()
        self.draw(0)  # refuses what is no level or Rules
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        values = Box(0, 2, self.features(0).shape, np.uint8)
        mask = Box(0, 1, (len(gd.ACTIONS),), np.int8)
        self.observation_spaces = {
            agent: Dict({"observation": values, "action_mask": mask}) for agent in AGENTS
        }
        self.action_spaces = {agent: Discrete(len(gd.ACTIONS)) for agent in AGENTS}

    def draw(self, seed: int) -> None:
        """Deal by a seed, which draws the level too where it is not given."""
        self.deal = gd.State.deal(self.level, seed, rules=self.rules)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal anew; a seed begins a sequence of deals, which goes on where none is given.

        options["state"], a State or its text, is where the episode begins instead.
        """
        given = self.read_options(options or {})
        if seed is not None:
            self.generator = np.random.PCG64(seed)
        self.draw(self.generator.random_raw())
        if given is not None:
            self.deal = given
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.select()
        self.show()

    def read_options(self, options: dict[str, Any]) -> gd.State | None:
        """Return the deal of the option "state", None without it; others are left alone."""
        if "state" not in options:
            return None
        given = options["state"]
        if not isinstance(given, (str, gd.State)):
            raise TypeError(f"options['state']: want a State or its text, got {given!r:.40}")
        deal = gd.State.parse(given, self.rules) if isinstance(given, str) else given.copy()
        if deal.is_over:
            raise ValueError(f"state {deal}: the deal is over")
        return deal

    def select(self) -> None:
        """Let the seat to move be the agent to act."""
        if self.deal.turn is not None:
            self.agent_selection = AGENTS[self.deal.turn]

    def step(self, action: SupportsIndex | None) -> None:
        """Play an action for the agent to move; None for one whose episode is over."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"action None: {self.agent_selection} has a move to make")
        self.deal.push(gd.expand(self.deal, action)[0])
        self.select()
        if self.deal.payoff is not None:
            self.finish(float(self.deal.payoff))
        self.show()

    def finish(self, won: float) -> None:
        """End the episode with what side 0 has won: the only reward, so none has to be cleared."""
        self.rewards = dict(zip(AGENTS, (won, -won, won, -won), strict=True))
        self.terminations = dict.fromkeys(AGENTS, True)
        self._accumulate_rewards()
        self._deads_step_first()

    def features(self, seat: int) -> NDArray[np.uint8]:
        """Return the features of what a seat knows."""
        return gd.features.observation(self.deal.observe(seat), self.preset)

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """Return what an agent knows and may do."""
        seat = AGENTS.index(agent)
        mask = np.zeros(len(gd.ACTIONS), np.uint8)
        if seat == self.deal.turn:
            gd.action_mask(self.deal, out=mask)
        return {"observation": self.features(seat), "action_mask": mask.view(np.int8)}

    def observation_space(self, agent: str) -> Dict:
        """Return the space of what an agent observes."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def show(self) -> None:
        """Render after a reset or a step, for people who watch."""
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """Return the picture of all hands and the table, or print it in the mode "human"."""
        if self.render_mode is None:
            logger.warn('render: make the environment with render_mode="human" or "ansi"')
            return None
        text = "\n".join(plain_lines(self.deal))
        if self.render_mode == "ansi":
            return text
        print(text, end="\n\n")
        return None

    def close(self) -> None:
        """Do nothing: there is nothing to release."""


raw_env = GuandanEnv


def env(**options: Any) -> AECEnv[str, dict[str, NDArray[Any]], SupportsIndex | None]:
    """Make a GuandanEnv of some options in PettingZoo's usual wrappers.

    An action that is not legal ends the episode with -1 for who chose it, 0 for the others.
    """
    wrapped = wrappers.TerminateIllegalWrapper(GuandanEnv(**options), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))
