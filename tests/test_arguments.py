"""What is said of a wrong argument: which one it is, and what would be right."""

import random
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import guandan as gd
from guandan import arena, bots, features, gifts, platform, tribute

WRONG: dict[str, Any] = {
    "None": None,
    "True": True,
    "1.5": 1.5,
    "-1": -1,
    "2**70": 2**70,
    "text": "x",
    "bytes": b"x",
    "list": [],
    "dict": {},
    "object": object(),
    "float64": np.float64(1),
    "array": np.array([1]),
}

# Which of these are right for an argument of a name, or for one of a callable.
NUMBERS = "1.5 2**70 float64"
RIGHT = {
    "rules": "None",
    "weights": "None dict",
    "utility": "None",
    "nodes": "None 2**70",
    "seconds": f"None {NUMBERS}",
    "target": f"None -1 {NUMBERS}",
    "margin": f"-1 {NUMBERS}",
    "table_mb": "1.5 float64",
    "threads": "2**70",
    "chunksize": "2**70",
    "confidence": "None",
    "progress": "None",
    "map": "None",
    "out": "None",
    "tally": "None",
    "winner": "None",
    "history": "True",
    "begun": "True",
    "resume": "True",
    "resist": "True",
    "to_partner": "True",
    "received": "None",
    "cards": "2**70",
    "hand": "array",
    "depth": "2**70",
    "points": "-1 2**70",
    "room": "-1 2**70",
    "elapsed": NUMBERS,
    "tributes": "list dict",
    "returns": "list dict",
    "MoveList[] index": "-1 list array",
    "MoveBatch[] hand": "-1",
    "Worlds[] index": "-1",
    "State turn": "None",
    "Match seed": "None",
    "Match order": "None",
    "Match.options seat": "None",
    "Match.act seat": "None",
    "Act.read seat": "None",
    "compare level": "None",
    "compare record": "None text",
    "in_match standing": "None",
    "playouts level": "None",
    "observation levels": "None",
    "readings cards": "list dict array",
    "fewest_plays hand": "list dict array",
    "from_fields given": "dict",
    "solve_many states": "list dict",
    "nth_move beat": "None",
    "from_triple level": "None",
    "playouts of states deals": "list dict",
    "Match deals": "None",
    "Match.act choice": "array",
    "moves moves": "list dict",
    "compare first": "float64 array",  # which have a method choose
    "compare second": "float64 array",
    "Match.load record": "text",
}

# What a message may name instead of the argument.
THINGS = {
    "beat": "move",
    "other": "move|other",
    "action_id": "action",
    "deals": "deal",
    "moves": "move",
    "owner": "owner|owns",
    "record": "record|line",
    "received": "card|received",
    "weight": "weights",
    "move": "move|seat",
    "text": "move|hands",
    "hand": "hand|card",
    "cards": "hand|card",
    "levels": "level",
    "hands": "hand|seat",
    "table": "table|move",
    "choice": "move|seat|card",
    "triple": "type, rank, cards",
    "message": "message|JSON",
    "name": "name|preset",
}

BARE = re.compile(
    "cannot be interpreted|is required|has no (len|attribute)|not (iterable|callable|subscriptable)"
    "|[Ee]xpected|only integer|incorrect type|unhashable|must be|NoneType|ambiguous"
)
HELPS = re.compile(
    r"want|give|write|such as|(they|there|kinds) are|(level|card) is one of|states need|to act is"
    r"|may choose|no moves|index .* of \d|hand .* of a batch|events of|JSON|owns|lacks|cut short"
)

TEXT = "S3C3S9/S4/HR/D7 2 0 - -"
STATE, RULES = gd.State.parse(TEXT), gd.Rules()
SEEN, HAND = STATE.observe(0), gd.Hand("S3 C3 H2")
PLANES, BELIEF = np.array([[3, 1], [3, 0]], np.uint64), np.ones((4, 54))
MOVES, BATCH = gd.legal_moves(HAND, "2"), gd.legal_moves_batch(PLANES, "2")
SOLVER, SOLUTION = gd.Solver(16), gd.solve(STATE)
ORDER, HANDS = (0, 2, 1, 3), ["S3 S4", "SK HQ", "S5 S6", "SA CA"]
DEALT = gd.deal_hands(1)
UTILITY = {(side, place): 1 - side for side in (0, 1) for place in (2, 3, 4)}
LIMITS = {"nodes": 9, "seconds": 1.0, "utility": UTILITY}
MATCH = gd.Match(seed=3)
RNG = random.Random(1)
ASKED = {
    "type": "act",
    "stage": "play",
    "handCards": ["S5", "C7"],
    "curRank": "9",
    "greaterPos": -1,
    "greaterAction": None,
    "actionList": [["Single", "7", ["C7"]]],
}
ACT = platform.Act.read(ASKED)
BEFORE = gd.Standing(levels=("T", "9"), declarers=1)

# By name: what is called, and its arguments when all is right.
CALLS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "Hand": (lambda card: gd.Hand([card]), {"card": "S3"}),
    "Hand.count": (HAND.count, {"card": 4}),
    "Hand.from_counts": (gd.Hand.from_counts, {"counts": [0] * 54}),
    "Hand.from_planes": (gd.Hand.from_planes, {"once": 3, "twice": 1}),
    "deal_hands": (gd.deal_hands, {"seed": 1}),
    "Move.parse": (gd.Move.parse, {"text": "pass"}),
    "Move.beats": (gd.Move.parse("pair 3").beats, {"other": "single 3", "level": "2"}),
    "readings": (gd.readings, {"cards": "S3", "level": "2", "rules": RULES}),
    "nth_move": (
        gd.nth_move,
        {"hand": "S3", "level": "2", "index": 0, "beat": "single 2", "suits": "all"},
    ),
    "legal_moves_batch": (
        gd.legal_moves_batch,
        {"planes": PLANES, "levels": "2", "suits": "all", "threads": 1},
    ),
    "MoveList[]": (lambda index: MOVES[index], {"index": 0}),
    "MoveList.index": (MOVES.index, {"move": "single 3 S3"}),
    "MoveBatch[]": (lambda hand: BATCH[hand], {"hand": 1}),
    "action_id": (gd.action_id, {"move": "single 3", "level": "2"}),
    "action_mask": (gd.action_mask, {"state": STATE, "out": np.empty(393, np.uint8)}),
    "expand": (gd.expand, {"state": STATE, "action_id": 2, "suits": "one"}),
    "fewest_plays": (
        gd.fewest_plays,
        {"hand": "S3", "level": "2", "bombs": "count", "weights": {"pair": 1}},
    ),
    "best_splits": (lambda limit: gd.best_splits("S3", "2", limit=limit), {"limit": 3}),
    "a weight": (
        lambda weight: gd.fewest_plays("S3", "2", weights={"pair": weight}),
        {"weight": 3},
    ),
    "fewest_plays_batch": (gd.fewest_plays_batch, {"planes": PLANES, "levels": "2", "threads": 1}),
    "State": (
        gd.State,
        {
            "hands": ["S3", "S4", "S5", "S6"],
            "level": "2",
            "turn": 1,
            "owner": 0,
            "table": "single 9",
        },
    ),
    "State.parse": (gd.State.parse, {"text": TEXT, "rules": RULES}),
    "State.observe": (STATE.observe, {"seat": 1}),
    "State.legal_moves": (STATE.legal_moves, {"suits": "all"}),
    "State.push": (lambda move: STATE.copy().push(move), {"move": "S3"}),
    "State.copy": (STATE.copy, {"history": True}),
    "State.perft": (STATE.perft, {"depth": 1}),
    "State.playout": (STATE.playout, {"seed": 1}),
    "in_match": (SEEN.in_match, {"standing": None, "tributes": [(0, 1, "S3")], "returns": []}),
    "a giver": (lambda giver: SEEN.in_match(None, [(giver, 1, "S3")]), {"giver": 0}),
    "playouts": (
        lambda **given: gd.playouts(range(3), **given),
        {"level": "2", "rules": RULES, "threads": 1, "tally": None},
    ),
    "playouts of states": (gd.playouts, {"deals": [STATE], "seed": 1}),
    "Tally.add": (gd.Tally().add, {"other": gd.Tally()}),
    "worlds": (gd.worlds, {"obs": SEEN, "n": 2, "seed": 1, "weights": BELIEF}),
    "Worlds[]": (lambda index: gd.worlds(SEEN, 2, 1)[index], {"index": 1}),
    "analyse": (
        gd.analyse,
        {
            "obs": SEEN,
            "samples": 1,
            "seed": 1,
            "threads": 1,
            "objective": "sign",
            "weights": BELIEF,
            "confidence": 0.9,
            "table_mb": 16,
            **LIMITS,
        },
    ),
    "solve": (gd.solve, {"state": STATE, "table_mb": 16, "target": 1, **LIMITS}),
    "Solver": (gd.Solver, {"table_mb": 16}),
    "rate_moves": (SOLVER.rate_moves, {"state": STATE, "mode": "best", **LIMITS}),
    "review": (SOLVER.review, {"state": STATE, **LIMITS}),
    "verify": (SOLUTION.verify, {"table_mb": 16}),
    "solve_many": (
        gd.solve_many,
        {
            "states": [STATE],
            "threads": 1,
            "table_mb": 16,
            "target": 1,
            "rules": RULES,
            "progress": None,
            "map": None,
            "chunksize": 1,
            **LIMITS,
        },
    ),
    "Standing.after": (gd.Standing().after, {"order": ORDER, "rules": RULES}),
    "Standing.after_void": (gd.Standing().after_void, {"side": 1}),
    "Standing.ahead": (gd.Standing().ahead, {"tie": "draw"}),
    "score": (gd.score, {"standing": gd.Standing(), "rules": RULES, "winner": 1}),
    "tribute_plan": (
        gd.tribute_plan,
        {"hands": HANDS, "level": "2", "order": ORDER, "rules": RULES, "resist": True},
    ),
    "returnable": (
        gd.returnable,
        {"level": "5", "to_partner": True, "rules": RULES, "received": "S3", "hand": "S3"},
    ),
    "pair": (
        tribute.pair,
        {"order": ORDER, "paid": {1: "SK", 3: "SA"}, "level": "2", "rules": RULES},
    ),
    "Exchange": (
        gifts.Exchange,
        {"hands": DEALT, "order": ORDER, "level": "2", "rules": RULES},
    ),
    "title": (gd.title, {"points": 3}),
    "Referee.call": (gd.Referee().call, {"name": "foul", "seat": 1, "begun": True}),
    "Points.after_deal": (
        gd.Points().after_deal,
        {"before": BEFORE, "after": BEFORE.after(ORDER), "order": ORDER},
    ),
    "Points.after_event": (gd.Points().after_event, {"name": "quit", "seat": 1, "level": "2"}),
    "Rules.preset": (gd.Rules.preset, {"name": "pagat"}),
    "from_fields": (gd.Rules.from_fields, {"given": {}}),
    "Match": (gd.Match, {"seed": 1, "deals": [DEALT], "order": None}),
    "Match.observe": (MATCH.observe, {"seat": 1}),
    "Match.report": (MATCH.report, {"seat": 1, "asker": 2}),
    "Match.options": (MATCH.options, {"seat": 3}),
    "Match.act": (
        lambda **given: MATCH.copy().act(**given),
        {"choice": "single 4 H4", "seat": 3},
    ),
    "Match.event": (
        lambda **given: MATCH.copy().event(**given),
        {"name": "foul", "seat": 0, "leader": 1},
    ),
    "Match.playout": (MATCH.playout, {"seed": 1}),
    "Match.load": (
        gd.Match.load,
        {
            "record": b'{"guandan": 1, "rules": {}, "seed": 3}\n',
            "clock": lambda: 0.0,
            "elapsed": 0.0,
            "resume": False,
        },
    ),
    "observation": (
        features.observation,
        {"obs": SEEN, "preset": "planes", "out": None, "levels": ("2", "2")},
    ),
    "moves": (features.moves, {"moves": MOVES}),
    "Sampling": (
        bots.Sampling,
        {"cards": 20, "samples": 2, "objective": "sign", "margin": 0, "nodes": 9},
    ),
    "Random": (bots.Random().choose, {"obs": SEEN, "moves": MOVES, "rng": RNG}),
    "Greedy": (bots.Greedy().choose, {"obs": SEEN, "moves": MOVES, "rng": RNG}),
    "compare": (
        arena.compare,
        {
            "first": bots.Random(),
            "second": bots.Random(),
            "deals": 1,
            "seed": 1,
            "rules": RULES,
            "level": "2",
            "record": None,
            "progress": None,
            "map": None,
        },
    ),
    "Comparison": (arena.Comparison, {"payoffs": np.zeros((1, 2), np.int8)}),
    "to_cards": (platform.to_cards, {"hand": HAND}),
    "to_triple": (platform.to_triple, {"move": gd.Move.parse("pass")}),
    "from_triple": (platform.from_triple, {"triple": ["PASS"] * 3, "level": "2", "rules": RULES}),
    "Act.read": (platform.Act.read, {"message": ASKED, "rules": RULES, "seat": 2}),
    "Act.index_of": (ACT.index_of, {"choice": "single 7 C7"}),
    "answer_in_room": (ACT.answer_in_room, {"choice": "single 7 C7", "room": 1, "seat": 2}),
}

ARGUMENTS = [(name, argument) for name, (_, right) in CALLS.items() for argument in right]


def right_values(name: str, argument: str) -> list[str]:
    return RIGHT.get(f"{name} {argument}", RIGHT.get(argument, "")).split()


@pytest.mark.parametrize("name", CALLS)
def test_right_arguments(name: str) -> None:
    call, right = CALLS[name]
    call(**right)


@pytest.mark.parametrize(("name", "argument"), ARGUMENTS, ids=lambda part: part.replace(" ", "_"))
def test_wrong_arguments(name: str, argument: str) -> None:
    call, right = CALLS[name]
    whose = repr(getattr(call, "__self__", None))
    for word, value in WRONG.items():
        if word in right_values(name, argument):
            continue
        with pytest.raises((TypeError, ValueError, IndexError)) as error:
            call(**{**right, argument: value})
        said = str(error.value)
        assert re.search(rf"\b({argument}|{THINGS.get(argument, argument)})", said), said
        assert HELPS.search(said), said
        assert not BARE.search(said), said
        assert len(said) < 400
    assert repr(getattr(call, "__self__", None)) == whose


INTS = [(name, argument) for name, argument in ARGUMENTS if type(CALLS[name][1][argument]) is int]


@pytest.mark.parametrize(("name", "argument"), INTS, ids=lambda part: part.replace(" ", "_"))
def test_ints_of_numpy_are_ints(name: str, argument: str) -> None:
    call, right = CALLS[name]
    call(**{**right, argument: np.uint8(right[argument])})


def test_fields_keep_ints_of_numpy_as_ints() -> None:
    rules = gd.Rules(bomb_max=np.int64(8), steps=np.array([4, 2, 1]).tolist())
    assert rules.to_json() == '{"bomb_max": 8, "steps": [4, 2, 1]}'
    standing = gd.Standing(declarers=np.int8(1), since=(np.int64(1), np.int64(2)))  # type: ignore[arg-type]
    assert repr(standing) == "Standing(declarers=1, since=(1, 2))"
    assert gd.score(gd.Standing(), winner=np.int64(1)) == gd.score(gd.Standing(), winner=1)  # type: ignore[arg-type]


HANDS_OF_EXCHANGES: list[Any] = [[], (), DEALT[:3], [*DEALT, DEALT[0]], None, "S3", {}]


@pytest.mark.parametrize("hands", HANDS_OF_EXCHANGES, ids=lambda hands: repr(hands)[:8])
def test_exchanges_of_other_hands_do_not_end_the_process(hands: Any) -> None:
    for call in (
        lambda: gifts.Exchange(hands, ORDER, "2", RULES),
        lambda: gifts.resists(hands, ORDER),
    ):
        with pytest.raises(TypeError, match=r"hands=.*: want those of seats 0 to 3"):
            call()
    with pytest.raises(gd.StateError, match=r"hand=\[\]: want one with a card to return"):
        gifts.returnable_cards([], "2", True, RULES, None)  # type: ignore[arg-type]
    exchange = gifts.Exchange(DEALT, ORDER, "2", RULES)
    for seat, choice in (
        (9, "S3"),
        (None, "S3"),
        (True, "S3"),
        (next(iter(exchange.choices)), "x"),
    ):
        with pytest.raises(gd.IllegalMoveError, match=f"seat {seat}, '{choice}': want one of"):
            exchange.choose(seat, choice)  # type: ignore[arg-type]
