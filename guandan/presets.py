"""What each published rule text says where texts differ, as fields of Rules.

What a preset leaves out is as in the default, the Jiangsu rules of 2023.
"""

from typing import Any

__all__ = ["PRESETS", "SOURCES"]

# Without a score table, limits of time and events of a referee, which few texts have.
_PLAIN: dict[str, Any] = {
    "score_table": "off",
    "seconds": (None, None, None, None),
    "conduct": "none",
}

PRESETS: dict[str, dict[str, Any]] = {
    "jiangsu2023": {"conduct": "jiangsu2023"},
    "seed000": {
        **_PLAIN,
        "straight_reading": "low",
        "lead_after_out": "next",
        "tribute_tie_leader": "next_of_first",
        "return_to_opponent": "any",
        "return_to_partner": "below_level",
        "return_same_card": True,
        "streaks": True,
        "report_cards": (10, False, True),
        "conduct": "seed000",
    },
    "seed001": {
        **_PLAIN,
        "straight_reading": "low",
        "tribute_tie_leader": "next_of_first",
        "return_to_opponent": "any",
        "return_to_partner": "any",
        "return_same_card": True,
        "report_cards": (6, True, True),
        "match_end": ("minutes", 60, "first_to_reach"),
        "seconds": (None, 40, 30, 30),
        "conduct": "seed001",
    },
    "seed002": {
        **_PLAIN,
        "resist": "optional",
        "tribute_tie_pairing": "first_paid",
        "tribute_tie_leader": "next_of_first",
        "return_to_opponent": "any",
        "return_to_partner": "any",
        "return_same_card": True,
        "score_table": 14,
        "conduct": "seed002",
    },
    "seed003": {
        **_PLAIN,
        "full_house_reading": "low",
        "tribute_tie_leader": "previous_of_first",
        "ace_failures": (3, "any", "2"),
        "report_cards": (6, False, True),
        "seconds": (None, None, 40, 20),
    },
    "huaian2017": {
        **_PLAIN,
        "full_house_reading": "high",
        "return_to_opponent": "any",
        "score_table": 13,
    },
    "njupt1006": {
        **_PLAIN,
        "win_at_ace": "double",
        "ace_failures": (2, "any", "2"),
        "falls_draw": 50,
        "report_cards": (27, True, True),
    },
    "opengd": {
        **_PLAIN,
        "straight_flush_downgrade": "other_suit",
        "level_full_house_by_wilds": False,
        "double_tribute_pairing": "by_seat",
        "tribute_tie_leader": "last",
        "ace_failures": (4, "won_last", "2"),
        "report_cards": (27, True, True),
    },
    "pagat": {
        **_PLAIN,
        "return_to_opponent": "any",
        "return_to_partner": "any",
        "steps": (4, 2, 1),
        "ace_failures": (3, "any", "2"),
        "report_cards": (10, False, True),
    },
}

# What all four texts below state, then what each of them does besides.
_STATED = (
    "lead_after_out",
    "double_tribute_pairing",
    "tribute_tie_pairing",
    "tribute_tie_leader",
    "steps",
)
_RETURNS = ("return_to_opponent", "return_to_partner")

# The fields that a text states; of presets that are not here no text was at hand.
SOURCES: dict[str, tuple[str, ...]] = {
    "seed000": (
        *_STATED,
        *_RETURNS,
        "straight_reading",
        "return_same_card",
        "win_at_ace",
        "ace_failures",
        "streaks",
        "report_cards",
        "match_end",
        "conduct",
    ),
    "seed001": (
        *_STATED,
        *_RETURNS,
        "straight_reading",
        "return_same_card",
        "win_at_ace",
        "ace_failures",
        "report_cards",
        "match_end",
        "seconds",
        "conduct",
    ),
    "seed002": (
        *_STATED,
        *_RETURNS,
        "bomb_max",
        "return_same_card",
        "score_table",
        "resist",
        "conduct",
    ),
    "seed003": (
        *_STATED,
        *_RETURNS,
        "bomb_max",
        "full_house_reading",
        "resist",
        "win_at_ace",
        "ace_failures",
        "report_cards",
        "seconds",
    ),
}
