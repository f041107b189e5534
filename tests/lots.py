"""Matches drawn by one generator, as playouts and batches draw them: rules, dealers, choices."""

import random
from collections.abc import Sequence
from typing import Any, NamedTuple, get_args

from reference_rng import Rng, dealt
from reference_tribute import drawn_fields

import guandan as gd
from guandan import rules as fields

LEVELS = "23456789TJQKA"
HASTY = {"steps": (9, 6, 3)}  # matches of few deals
RULES: dict[str, gd.Rules] = {
    **{name: gd.Rules.preset(name) for name in gd.Rules.presets()},
    **{
        f"2 deals, {tie}": gd.Rules(match_end=("deals", 2, tie))
        for tie in ("first_to_reach", "draw", "extra_deal")
    },
    "falls": gd.Rules(
        win_at_ace="double", ace_failures=(1, "any", "K"), falls_draw=2, streaks=True, **HASTY
    ),
    "choices": gd.Rules.preset("seed002").replace(
        return_same_card=False, return_level_card=True, tribute_tie_leader="last", **HASTY
    ),
}


def any_rules(rng: random.Random) -> gd.Rules:
    """Draw rules of all kinds, under which matches are short."""
    ties = get_args(fields.Tie)
    failures: Any = (rng.randint(1, 3), rng.choice(get_args(fields.Failure)), rng.choice("2TK"))
    return gd.Rules(
        straight_flush_downgrade=rng.choice(get_args(fields.Downgrade)),
        bomb_max=rng.choice((8, 9, 10)),
        lead_after_out=rng.choice(get_args(fields.Leader)),
        **drawn_fields(rng),
        steps=(rng.randint(3, 12), rng.randint(2, 8), rng.randint(1, 4)),
        win_at_ace=rng.choice(get_args(fields.Win)),
        ace_failures=rng.choice((None, failures)),
        falls_draw=rng.choice((None, 1, 3)),
        streaks=rng.random() < 0.5,
        match_end=rng.choice(("at_ace", ("deals", rng.randint(1, 6), rng.choice(ties)))),
        score_table=rng.choice((13, 14, "off")),
    )


class Lots(NamedTuple):
    """A dealer that draws all deals, as many as another has."""

    rng: Rng
    given: Any

    def hands(self, number: int) -> tuple[gd.Hand, ...]:
        """Deal by the generator."""
        return tuple(gd.Hand(cards) for cards in dealt(self.rng))

    def leader(self, number: int) -> None:
        """Leave it to a card who leads."""

    def turn_up(self, number: int, hands: Sequence[gd.Hand], level: str) -> tuple[int, str]:
        """Draw one of the cards until it is neither joker nor wild."""
        while True:
            place = self.rng.below(108)
            card = gd.CARDS[place // 2]
            if card not in ("SB", "HR", f"H{level}"):
                holders = [seat for seat in range(4) for _ in range(hands[seat].count(card))]
                return holders[place % 2], card


def choose(rng: Rng, options: Sequence[Any]) -> Any:
    """Draw one of some options; where there is but one, none is drawn."""
    return options[rng.below(len(options)) if len(options) > 1 else 0]
