"""The messages of the AI platforms: what they ask, what they tell, and the answers."""

import copy
import json
import pickle
import random
import re
from typing import Any

import pytest

import guandan as gd
from guandan.platform import Act, Gift, Notice, from_triple, to_cards, to_triple
from guandan.tribute import payable, returnable

LEVELS = "23456789TJQKA"
PASS = ["PASS", "PASS", "PASS"]
# A bomb of four aces is to be beaten at level 9; one bomb has a wild.
PLAY: dict[str, Any] = {
    "type": "act",
    "stage": "play",
    "handCards": ["S2", "H2", "C2", "D2", "C6", "DT", "H9"],
    "publicInfo": [
        {"rest": 22, "playArea": ["Single", "A", ["SA"]]},
        {"rest": 23, "playArea": ["Bomb", "4", ["H4", "H4", "C4", "D4"]]},
        {"rest": 23, "playArea": ["Bomb", "A", ["HA", "HA", "CA", "DA"]]},
        {"rest": 7, "playArea": None},
    ],
    "selfRank": "K",
    "oppoRank": "9",
    "curRank": "9",
    "curPos": 0,
    "curAction": PASS,
    "greaterPos": 2,
    "greaterAction": ["Bomb", "A", ["HA", "HA", "CA", "DA"]],
    "actionList": [PASS, ["Bomb", "2", ["D2", "H9", "C2", "H2", "S2"]]],
    "indexRange": 1,
}
LEAD = PLAY | {
    "handCards": ["S5", "C5", "H9"],
    "curPos": -1,
    "curAction": None,
    "greaterPos": -1,
    "greaterAction": None,
    "actionList": [
        ["Single", "5", ["C5"]],
        ["Single", "5", ["S5"]],
        ["Single", "9", ["H9"]],
        ["Pair", "5", ["S5", "C5"]],
        ["Pair", "5", ["H9", "C5"]],
        ["Pair", "5", ["H9", "S5"]],
        ["Trips", "5", ["H9", "S5", "C5"]],
    ],
    "indexRange": 6,
}
TRIBUTE: dict[str, Any] = {
    "type": "act",
    "stage": "tribute",
    "handCards": ["D4", "H2", "D2", "C2"],
    "publicInfo": [{"rest": 27, "playArea": None}] * 4,
    "selfRank": "2",
    "oppoRank": "9",
    "curRank": "2",
    "curPos": -1,
    "curAction": None,
    "greaterAction": -1,
    "greaterPos": None,
    "actionList": [["tribute", "tribute", ["D2"]], ["tribute", "tribute", ["C2"]]],
    "indexRange": 1,
}
# As OpenGuanDan has it.
RETURN: dict[str, Any] = {
    "type": "act",
    "stage": "back",
    "handCards": ["H2", "S3", "S3", "SA"],
    "selfRank": "5",
    "oppoRank": "9",
    "curRank": "9",
    "tributePos": 3,
    "tribute": "SA",
    "actionList": [["back", "back", ["H2"]], ["back", "back", ["S3"]]],
    "indexRange": 1,
}


def listed(hand: gd.Hand, level: str, table: gd.Move | None, **more: Any) -> dict[str, Any]:
    """Write the message that asks for one of all legal moves."""
    moves = gd.legal_moves(hand, level, beat=table)
    return {
        "type": "act",
        "stage": "play",
        "handCards": to_cards(hand),
        "curRank": level,
        "greaterPos": -1 if table is None else 1,
        "greaterAction": None if table is None else to_triple(table),
        "actionList": [to_triple(move) for move in moves],
        "indexRange": len(moves) - 1,
    } | more


# --- Questions ---


@pytest.mark.parametrize("form", [dict, json.dumps, lambda one: json.dumps(one).encode()])
def test_play(form: Any) -> None:
    act = Act.read(form(PLAY))
    assert (act.stage, act.level, act.own_level, act.other_level) == ("play", "9", "K", "9")
    assert act.hand == gd.Hand("S2 H2 C2 D2 C6 DT H9")
    assert act.counts == (22, 23, 23, 7)
    assert act.seat is None
    assert (str(act.table), act.owner) == ("bomb4 A HA HA CA DA", 2)
    assert (str(act.latest), act.latest_seat) == ("pass", 0)
    assert [str(move) for move in act.moves] == ["pass", "bomb5 2 S2 H2 C2 D2 H9"]
    assert act.illegal == act.missing == act.problems == ()


def test_lead() -> None:
    act = Act.read(LEAD, seat=1)
    assert (act.table, act.owner, act.latest, act.latest_seat) == (None, None, None, None)
    assert (act.seat, act.illegal, act.missing) == (1, (), ())
    assert set(act.moves) == set(gd.legal_moves("S5 C5 H9", level="9"))


@pytest.mark.parametrize("none", [None, -1, [None, None, None], PASS])
def test_what_stands_for_no_table(none: Any) -> None:
    for nobody in (None, -1):
        act = Act.read(LEAD | {"greaterAction": none, "greaterPos": nobody})
        assert (act.table, act.owner) == (None, None)
        assert act.problems == act.missing == ()


def test_a_seat_leads_after_its_own_move() -> None:
    """The trick is won by whom nobody has beaten, though the message still shows the move."""
    message = LEAD | {"greaterAction": ["Single", "K", ["SK"]], "greaterPos": 1}
    for told in (message | {"myPos": 1}, message):
        act = Act.read(told, seat=1)
        assert (act.table, act.owner) == (None, None)
        assert act.illegal == act.missing == ()
    assert Act.read(message, seat=2).owner == 1
    assert Act.read(message).illegal == (0, 1, 3, 4, 5, 6)


def test_tribute() -> None:
    act = Act.read(TRIBUTE)
    assert (act.stage, act.level, act.counts) == ("tribute", "2", (27,) * 4)
    assert [entry.card for entry in act.entries] == ["D2", "C2"]
    assert act.moves == act.missing == ()
    assert act.illegal == ()
    assert act.problems == ()
    assert act.index_of("C2") == 1
    assert act.answer("D2") == {"actIndex": 0}
    assert act.answer_in_room("D2", room=4, seat=3) == {
        "type": "TRIBUTE",
        "data": {"roomId": 4, "player": 3, "act": ["tribute", "tribute", ["D2"]]},
    }
    for card in ("H2", "D4"):
        with pytest.raises(gd.IllegalMoveError, match=f"{card} is none of the 2 actions"):
            act.index_of(card)
    with pytest.raises(gd.NotationError, match="is not a card"):
        act.index_of("single 2 D2")


def test_return() -> None:
    act = Act.read(RETURN)
    assert (act.stage, act.counts, act.payer, act.paid) == ("back", None, 3, "SA")
    assert act.answer("S3") == {"actIndex": 1}
    assert act.answer_in_room("S3", room=1, seat=0)["data"] == {
        "roomId": 1,
        "player": 0,
        "tributePos": 3,
        "tribute": "SA",
        "act": ["back", "back", ["S3"]],
    }
    plain = Act.read({name: RETURN[name] for name in RETURN if not name.startswith("tribute")})
    assert plain.answer("S3") == {"actIndex": 1}
    with pytest.raises(gd.NotationError, match="tributePos, tribute: the message lacks"):
        plain.answer_in_room("S3", room=1, seat=0)


def test_cards_keep_their_order() -> None:
    act = Act.read(PLAY)
    move = "bomb5 2 S2 H2 C2 D2 H9"
    assert act.index_of(move) == act.index_of(gd.Move.parse(move)) == 1
    assert act.entries[1].triple() == PLAY["actionList"][1]
    assert act.entries[0].triple() == PASS
    assert json.loads(json.dumps(act.answer_in_room(move, room=7, seat=3))) == {
        "type": "PLAY",
        "data": {"roomId": 7, "player": 3, "act": ["Bomb", "2", ["D2", "H9", "C2", "H2", "S2"]]},
    }
    with pytest.raises(gd.NotationError, match="seat: want a seat from 0 to 3, got 4"):
        act.answer_in_room(move, room=7, seat=4)


def test_unknown_fields_are_ignored_and_the_message_is_left_alone() -> None:
    message = copy.deepcopy(PLAY)
    act = Act.read(message | {"done": [3], "version": {"a": [1]}})
    assert act == Act.read(PLAY)
    assert message == PLAY
    assert hash(act) == hash(Act.read(PLAY))
    assert pickle.loads(pickle.dumps(act)) == act


def test_all_moves_of_many_hands_are_found() -> None:
    """Leads and replies at all levels; then one action is left out and one changed."""
    rng = random.Random(5)
    for seed in range(400):
        level = LEVELS[seed % 13]
        hand = gd.Hand(rng.sample(to_cards(gd.deal_hands(seed)[0]), rng.randint(2, 16)))
        other = list(gd.legal_moves(gd.deal_hands(seed)[1], level))
        table = rng.choice([None, rng.choice(other)])
        moves = gd.legal_moves(hand, level, beat=table)
        message = listed(hand, level, table)
        for triple in message["actionList"]:
            if triple != PASS:
                rng.shuffle(triple[2])
        order = rng.sample(range(len(moves)), len(moves))
        message["actionList"] = [message["actionList"][i] for i in order]
        act = Act.read(json.dumps(message))
        assert [entry.move for entry in act.entries] == [moves[i] for i in order] == list(act.moves)
        assert act.illegal == act.missing == act.problems == ()
        assert all(act.index_of(move) == place for place, move in enumerate(act.moves))
        assert [entry.triple() for entry in act.entries] == message["actionList"]

        place = rng.randrange(len(moves))
        left_out = [*message["actionList"][:place], *message["actionList"][place + 1 :]]
        act = Act.read(message | {"actionList": left_out})
        assert act.missing == (moves[order[place]],)
        assert act.illegal == ()
        assert act.problems == (
            f"indexRange {len(moves) - 1}: actionList has {len(left_out)} actions",
        )
        with pytest.raises(gd.IllegalMoveError, match="though it is legal"):
            act.index_of(moves[order[place]])


# --- What is reported ---


@pytest.mark.parametrize(
    ("action", "problem"),
    [
        (["Bomb", "2", ["S2", "H2", "C2", "D2"]], "it does not beat bomb4 A HA HA CA DA"),
        (["Single", "T", ["DT"]], "it does not beat bomb4 A HA HA CA DA"),
        (["Bomb", "7", ["S7", "S7", "C7", "D7", "H9"]], "the hand lacks S7 C7 D7"),
        (["Bomb", "2", ["S2", "H2", "C2", "D2", "H9", "H9"]], "the hand lacks H9"),
        (["Bomb", "2", ["S2", "H2", "C2", "D2", "DT"]], "at level 9 these cards make no move"),
        (["Bomb", "6", ["S2", "H2", "C2", "D2", "H9"]], "at level 9 these cards make bomb5 2"),
        (["Rocket", "B", ["SB"]], "'Rocket' is not a type of move"),
        (["tribute", "tribute", ["DT"]], "'tribute' is not a type of move"),
        (["Single", "10", ["DT"]], "'10' is not a rank"),
        (["Single", "T", ["10D"]], "'10D' is not a card"),
        (["Single", "T", None], "want a list of cards"),
        (["Pair", "T", ["DT", "DT", "DT"]], "3 copies of DT"),
        (["PASS", "PASS", ["DT"]], "a pass is"),
        ([None, None, None], "want [type, rank, cards]"),
        ([5, "5", ["S5"]], "want [type, rank, cards]"),
        (["Single", 10, ["DT"]], "10 is not a rank"),
        (["Single", "T", [10]], "want a list of cards"),
        (["Single", "T", [None]], "want a list of cards"),
        (["Single", "T", 10.5], "want a list of cards"),
        ([True, False, [True]], "want [type, rank, cards]"),
    ],
)
def test_an_action_that_is_not_legal(action: list[Any], problem: str) -> None:
    act = Act.read(PLAY | {"actionList": [*PLAY["actionList"], action], "indexRange": 2})
    assert act.illegal == (2,)
    assert problem in str(act.entries[2].problem)
    assert act.entries[2].triple() == action
    assert act.missing == act.problems == ()
    assert act.moves == Act.read(PLAY).moves
    # The server lists it, and it can be chosen all the same.
    if act.entries[2].move is not None:
        assert act.index_of(act.entries[2].move) == 2


def test_a_leader_may_not_pass() -> None:
    act = Act.read(LEAD | {"actionList": [PASS, *LEAD["actionList"]], "indexRange": 7})
    assert (act.illegal, act.entries[0].problem) == ((0,), "the leader may not pass")
    assert act.index_of("single 9 H9") == 3


def test_actions_that_are_missing() -> None:
    act = Act.read(PLAY | {"actionList": PLAY["actionList"][1:], "indexRange": 0})
    assert act.missing == (gd.Move.parse("pass"),)
    empty = Act.read(LEAD | {"actionList": [], "indexRange": -1})
    assert empty.missing == tuple(gd.legal_moves("S5 C5 H9", level="9"))
    assert (empty.moves, empty.entries, empty.problems) == ((), (), ())
    with pytest.raises(gd.IllegalMoveError, match="single 5 S5 is none of the 0 actions, though"):
        empty.answer("single 5 S5")


def test_actions_that_are_listed_twice() -> None:
    bomb = PLAY["actionList"][1]
    again = ["Bomb", "2", bomb[2][::-1]]
    act = Act.read(PLAY | {"actionList": [PASS, bomb, PASS, again], "indexRange": 3})
    assert len(act.entries) == 4
    assert [str(move) for move in act.moves] == ["pass", "bomb5 2 S2 H2 C2 D2 H9"]
    assert (act.index_of("pass"), act.index_of(act.moves[1])) == (0, 1)
    assert act.entries[3].triple() == again
    assert act.illegal == act.missing == act.problems == ()


def test_readings_of_the_same_cards_are_different_actions() -> None:
    hand = gd.Hand("S4 C5 D6 S7 H2 H2 S8 C8 C7")
    act = Act.read(listed(hand, "2", None))
    cards = ["S4", "C5", "D6", "S7", "H2"]
    low, high = act.index_of("straight 7 S4C5D6S7H2"), act.index_of("straight 8 S4C5D6S7H2")
    assert act.entries[low].triple()[:2] == ["Straight", "3"]
    assert act.entries[high].triple()[:2] == ["Straight", "4"]
    assert (
        sorted(act.entries[low].action[2]) == sorted(act.entries[high].action[2]) == sorted(cards)
    )
    three = {act.index_of(f"{move} S7C7S8C8H2H2") for move in ("tube 8", "tube 9", "plate 8")}
    assert len(three) == 3
    assert {tuple(act.entries[i].action[:2]) for i in three} == {
        ("ThreePair", "6"),
        ("ThreePair", "7"),
        ("TwoTrips", "7"),
    }


def test_rules_decide_what_is_legal() -> None:
    hand = gd.Hand("S2 C2 D2 H2 H2")
    message = listed(hand, "2", None)
    opengd = gd.Rules.preset("opengd")
    act = Act.read(message, rules=opengd)
    assert [str(act.entries[i].move) for i in act.illegal] == ["full_house 2 S2 H2 H2 C2 D2"]
    assert act.missing == ()
    fewer = [to_triple(move) for move in gd.legal_moves(hand, "2", rules=opengd)]
    assert Act.read(message | {"actionList": fewer}).missing == (
        gd.Move.parse("full_house 2 S2 H2 H2 C2 D2"),
    )


def test_a_table_whose_cards_do_not_make_it() -> None:
    act = Act.read(LEAD | {"greaterAction": ["Pair", "4", ["S4", "C6"]], "greaterPos": 0})
    assert str(act.table) == "pair 4"
    assert act.problems == ("greaterAction pair 4 S4 C6: at level 9 these cards make no move",)
    assert act.illegal == (0, 1, 2, 6)
    with pytest.raises(gd.IllegalMoveError, match="greaterAction: bomb9 9 cannot be"):
        Act.read(
            LEAD
            | {
                "greaterAction": [
                    "Bomb",
                    "9",
                    ["S9"] * 2 + ["C9"] * 2 + ["D9"] * 2 + ["H9"] * 2 + ["S3"],
                ],
                "greaterPos": 0,
            }
        )


def test_what_does_not_fit_together_is_told() -> None:
    act = Act.read(PLAY | {"greaterPos": -1})
    assert (act.owner, act.illegal) == (None, ())
    assert act.problems == ("greaterPos: no seat has made greaterAction bomb4 A HA HA CA DA",)
    act = Act.read(LEAD | {"greaterPos": 2})
    assert (act.table, act.owner) == (None, None)
    assert act.problems == ("greaterPos 2: greaterAction is none",)
    act = Act.read(PLAY | {"myPos": 1})
    assert act.problems == ("publicInfo[1].rest 23: handCards are 7",)
    assert Act.read(PLAY | {"myPos": 3}).problems == ()


def test_a_card_that_the_hand_lacks() -> None:
    actions = [*TRIBUTE["actionList"], ["tribute", "tribute", ["SB"]], ["back", "back", ["D2"]]]
    act = Act.read(TRIBUTE | {"actionList": actions, "indexRange": 3})
    assert act.illegal == (2, 3)
    assert (act.entries[2].card, act.entries[2].problem) == ("SB", "the hand lacks SB")
    assert act.entries[3].card is None
    assert act.index_of("D2") == 0


def gifts(message: dict[str, Any], cards: str) -> dict[str, Any]:
    """Write a message that lists other cards."""
    word = message["stage"]
    actions = [[word, word, [card]] for card in cards.split()]
    return message | {"actionList": actions, "indexRange": len(actions) - 1}


def problems_of(act: Act) -> dict[str | None, str | None]:
    return {entry.card: entry.problem for entry in act.entries if entry.problem}


def test_only_the_highest_card_may_be_paid_and_no_wild() -> None:
    act = Act.read(gifts(TRIBUTE, "H2 D4 D2"))
    said = "by these rules C2 or D2 may be paid, not"
    assert problems_of(act) == {"H2": f"{said} H2", "D4": f"{said} D4"}
    assert (act.illegal, act.missing, act.problems) == ((0, 1), ("C2",), ())
    assert act.index_of("H2") == 0  # the server lists it
    with pytest.raises(gd.IllegalMoveError, match="C2 is none of the 3 actions, though it is"):
        act.index_of("C2")
    # No order of deals gives it, and no card may be paid.
    act = Act.read(gifts(TRIBUTE, "H2") | {"handCards": ["H2", "H2"]})
    assert problems_of(act) == {"H2": "by these rules no card of the hand may be paid, not H2"}


@pytest.mark.parametrize(
    ("rules", "told", "wrong", "missing"),
    [
        ("njupt1006", {}, "DJ SA", ""),  # H2 may be the card that was paid
        ("njupt1006", {"tribute": "SA"}, "DJ SA", "H2"),
        ("seed000", {"tribute": "SA"}, "", "H2"),
        ("seed000", {"tribute": "SA", "tributePos": 1, "myPos": 0}, "", "H2"),
        ("seed000", {"tribute": "SA", "tributePos": 2, "myPos": 0}, "", "H2"),
        ("seed000", {"tribute": "SB", "tributePos": 2, "myPos": 0}, "SB", "H2"),
        ("seed000", {"tribute": "SB", "tributePos": 2}, "", "H2"),
        ("seed003", {"tribute": "DJ"}, "DJ SA", "H2"),
    ],
)
def test_what_may_be_returned(rules: str, told: dict[str, Any], wrong: str, missing: str) -> None:
    """By seed000 an opponent is returned any card, a partner neither a joker nor a level card."""
    hand = ["H2", "S3", "S3", "DJ", "SA", "SB"][: 6 if told.get("tribute") == "SB" else 5]
    message = {
        name: value for name, value in RETURN.items() if name not in ("tribute", "tributePos")
    } | {"handCards": hand, **told}
    cards = "S3 DJ SA SB" if "SB" in hand else "S3 DJ SA"
    act = Act.read(gifts(message, cards), gd.Rules.preset(rules))
    assert " ".join(map(str, problems_of(act))) == wrong
    assert " ".join(map(str, act.missing)) == missing
    assert act.problems == ()


def test_a_card_that_may_not_go_back() -> None:
    message = RETURN | {"handCards": ["H2", "S3", "S3", "SA"], "tribute": "H2"}
    act = Act.read(gifts(message, "H2 S3"))
    assert problems_of(act) == {"H2": "by these rules S3 may be returned, not H2"}
    # A kind that is held twice may.
    act = Act.read(gifts(message | {"tribute": "S3"}, "H2 S3"))
    assert act.illegal == act.missing == ()


def test_a_tribute_that_cannot_be() -> None:
    act = Act.read(RETURN | {"tribute": "SK"})
    assert (act.illegal, act.problems) == ((), ("tribute SK: the hand lacks it",))
    act = Act.read(RETURN, seat=3)
    assert (act.illegal, act.problems) == ((), ("tributePos 3: it is the player's own seat",))


@pytest.mark.parametrize("name", gd.Rules.presets())
def test_all_gifts_of_many_hands_are_found(name: str) -> None:
    rng = random.Random(name)
    rules = gd.Rules.preset(name)
    for seed in range(60):
        level = LEVELS[seed % 13]
        hand = gd.Hand(rng.sample(to_cards(gd.deal_hands(seed)[0]), rng.randint(2, 27)))
        kinds = list(dict.fromkeys(hand))
        paid, payer = rng.choice(kinds), rng.randint(1, 3)
        base = {"type": "act", "handCards": to_cards(hand), "curRank": level}
        told = {"tributePos": payer, "tribute": paid}
        for stage, allowed in (
            ("tribute", payable(hand, level)),
            ("back", returnable(hand, level, payer == 2, rules, paid)),
        ):
            act = Act.read(gifts(base | told | {"stage": stage}, " ".join(kinds)), rules, 0)
            assert [entry.card for entry in act.entries if not entry.problem] == list(allowed)
            act = Act.read(gifts(base | told | {"stage": stage}, ""), rules, 0)
            assert act.missing == tuple(allowed)
            # Whoever is told less is told nothing else.
            less = Act.read(gifts(base | {"stage": stage}, ""), rules)
            assert set(less.missing) <= set(allowed)
            less = Act.read(gifts(base | {"stage": stage}, " ".join(kinds)), rules)
            assert set(allowed).isdisjoint(problems_of(less))


def test_unknown_actions_between_deals() -> None:
    none = [None, None, None]
    for message in (TRIBUTE, RETURN):
        act = Act.read(message | {"actionList": [none, *message["actionList"]], "indexRange": 2})
        assert (act.illegal, act.missing, act.problems) == ((0,), (), ())
        assert "want [type, rank, cards]" in str(act.entries[0].problem)
        assert act.entries[0].triple() == none


# --- Messages that cannot be read ---


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"type": "notify"}, "type: want \"act\", got 'notify'"),
        ({"stage": "beginning"}, "stage: want one of play, tribute, back, got 'beginning'"),
        ({"stage": None}, "stage: want one of"),
        ({"stage": ["play"]}, "stage: want one of"),
        ({"handCards": None}, "handCards: None: want a list of cards"),
        ({"handCards": "S2"}, "handCards: 'S2': want a list of cards"),
        ({"handCards": ["S2", "10D"]}, "handCards: '10D' is not a card"),
        ({"handCards": ["S2"] * 3}, "handCards: 3 copies of S2"),
        ({"handCards": []}, "handCards: an empty hand"),
        ({"curRank": None}, "curRank: None is not a level"),
        ({"curRank": 9}, 'curRank: 9 is not a level: levels are texts, write "9"'),
        ({"curRank": "10"}, "curRank: '10' is not a level"),
        ({"selfRank": "B"}, "selfRank: 'B' is not a level"),
        ({"oppoRank": 2}, "oppoRank: 2 is not a level"),
        ({"publicInfo": {}}, "publicInfo: want a list"),
        ({"publicInfo": [{"rest": 1}] * 3}, "publicInfo: want an object for each of 4 seats"),
        ({"publicInfo": [{"rest": 1}, {}, {"rest": 1}, {"rest": 1}]}, "publicInfo[1]: want an"),
        ({"publicInfo": [{"rest": True}] * 4}, "publicInfo[0]: want an"),
        ({"publicInfo": [{"rest": 29}] * 4}, "publicInfo[0]: want an"),
        ({"publicInfo": [5] * 4}, "publicInfo[0]: want an"),
        ({"greaterPos": 4}, "greaterPos: want a seat from 0 to 3, got 4"),
        ({"greaterPos": "2"}, "greaterPos: want a seat from 0 to 3, got '2'"),
        ({"greaterPos": True}, "greaterPos: want a seat from 0 to 3, got True"),
        ({"greaterAction": 5}, "greaterAction: 5: want [type, rank, cards]"),
        ({"greaterAction": ["Bomb", "A"]}, "greaterAction: ['Bomb', 'A']: want [type, rank"),
        ({"greaterAction": ["Bomb", "A", ["HA"]]}, "greaterAction: a Bomb has 4 to 10 cards"),
        ({"curPos": 7}, "curPos: want a seat from 0 to 3, got 7"),
        ({"curAction": ["Solo", "A", ["HA"]]}, "curAction: 'Solo' is not a type of move"),
        ({"actionList": None}, "actionList: want a list, got None"),
        ({"actionList": {"Single": {}}}, "actionList: want a list"),
        ({"actionList": [PASS, "PASS"]}, "actionList[1]: 'PASS': want [type, rank, cards]"),
        ({"actionList": [PASS, None]}, "actionList[1]: None: want [type, rank, cards]"),
        ({"actionList": [["Single", "5", {}]]}, "actionList[0]: ['Single', '5', {}]: want texts"),
        ({"actionList": [["Single", [], []]]}, "actionList[0]: ['Single', [], []]: want texts"),
        ({"actionList": [["Single", "5", [[]]]]}, "actionList[0]: ['Single', '5', [[]]]: want"),
        ({"actionList": [["Single", "5"]]}, "actionList[0]: ['Single', '5']: want [type, rank"),
        ({"indexRange": "1"}, "indexRange: want a whole number, got '1'"),
        ({"indexRange": 1.0}, "indexRange: want a whole number, got 1.0"),
        ({"myPos": 9}, "myPos: want a seat from 0 to 3, got 9"),
        ({"tributePos": "3"}, "tributePos: want a seat from 0 to 3, got '3'"),
        ({"tribute": "AS"}, "tribute: 'AS' is not a card"),
    ],
)
def test_a_field_that_cannot_be_read(change: dict[str, Any], said: str) -> None:
    with pytest.raises((gd.NotationError, gd.StateError), match=re.escape(said)):
        Act.read(PLAY | change)


@pytest.mark.parametrize(
    "name", ["stage", "handCards", "curRank", "greaterPos", "greaterAction", "actionList"]
)
def test_a_field_that_is_missing(name: str) -> None:
    with pytest.raises(gd.NotationError, match=f"{name}: the message lacks this field"):
        Act.read({field: value for field, value in PLAY.items() if field != name})


def test_fields_that_may_be_missing() -> None:
    names = ("type", "publicInfo", "selfRank", "oppoRank", "curPos", "curAction", "indexRange")
    act = Act.read({field: value for field, value in PLAY.items() if field not in names})
    assert act.entries == Act.read(PLAY).entries
    assert (act.counts, act.own_level, act.other_level) == (None, None, None)
    assert (act.latest, act.latest_seat) == (None, None)


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("", "is no JSON"),
        ("{'type': 'act'}", "is no JSON"),
        (b"\xff\xfe\x00", "is no JSON"),
        ("[" * 100_000, "is no JSON"),
        ("[1, 2]", "want a message, a dict or the text of one"),
        ("null", "want a message"),
        (None, "want a message"),
        (5, "want a message"),
    ],
)
def test_no_message(message: Any, said: str) -> None:
    for read in (Act.read, Notice.read):
        with pytest.raises(gd.NotationError, match=said) as error:
            read(message)
        assert len(str(error.value)) < 250


def test_seats_that_differ() -> None:
    with pytest.raises(gd.NotationError, match="myPos: want seat 1, got 2"):
        Act.read(PLAY | {"myPos": 2}, seat=1)
    with pytest.raises(gd.NotationError, match="seat: want a seat from 0 to 3, got 5"):
        Act.read(PLAY, seat=5)
    assert Act.read(PLAY | {"myPos": 3}, seat=3).seat == 3


# --- What is told ---


def told(stage: str, **fields: Any) -> Notice:
    return Notice.read(json.dumps({"type": "notify", "stage": stage} | fields))


def test_beginning() -> None:
    notice = told("beginning", handCards=["S2", "S2", "HR"], myPos=1)
    assert notice == Notice(stage="beginning", hand=gd.Hand("S2 S2 HR"), seat=1)


def test_a_play() -> None:
    plate = ["TwoTrips", "K", ["SA", "CA", "DA", "SK", "CK", "DK"]]
    notice = told("play", curPos=1, curAction=plate, greaterPos=1, greaterAction=plate)
    assert notice.latest == notice.table == from_triple(plate)
    assert (notice.latest_seat, notice.owner) == (1, 1)
    notice = told("play", curPos=2, curAction=PASS, greaterPos=1, greaterAction=plate)
    assert (str(notice.latest), notice.latest_seat, notice.owner) == ("pass", 2, 1)
    notice = told("play", curPos=0, curAction=PASS, greaterPos=-1, greaterAction=None)
    assert (notice.table, notice.owner, notice.latest_seat) == (None, None, 0)


@pytest.mark.parametrize("stage", ["tribute", "back"])
def test_gifts(stage: str) -> None:
    notice = told(stage, result=[[0, 3, "S2"], [2, 1, "HR"]])
    assert notice.gifts == (Gift(0, 3, "S2"), Gift(2, 1, "HR"))


@pytest.mark.parametrize("name", ["antiNum", "antiNums"])
def test_resisting_in_both_spellings(name: str) -> None:
    notice = told("anti-tribute", antiPos=[0, 2], **{name: 2})
    assert (notice.resisters, notice.problems) == ((0, 2), ())
    notice = told("anti-tribute", antiPos=[0], **{name: 2})
    assert (notice.resisters, notice.problems) == ((0,), (f"{name} 2: antiPos names 1",))
    with pytest.raises(gd.NotationError, match=f"{name}: want a whole number, got '2'"):
        told("anti-tribute", antiPos=[0, 2], **{name: "2"})


def test_the_end_of_a_deal() -> None:
    notice = told(
        "episodeOver", order=[0, 2, 1, 3], curRank="A", restCards=[[3, ["C2"]], [1, ["SB"]]]
    )
    assert (notice.order, notice.level) == ((0, 2, 1, 3), "A")
    assert notice.left == ((3, gd.Hand("C2")), (1, gd.Hand("SB")))
    assert told("episodeOver", order=[0, 2]).left == ()


@pytest.mark.parametrize("stage", ["gameOver", "gameResult"])
def test_what_is_not_read(stage: str) -> None:
    assert told(stage, victoryNum=[2, 0, 2, 0], draws=[0] * 4, victory=0) == Notice(stage=stage)


@pytest.mark.parametrize(
    ("stage", "fields", "said"),
    [
        ("over", {}, "stage: want one of beginning, play"),
        ("beginning", {"handCards": ["S2"]}, "myPos: the message lacks this field"),
        ("beginning", {"handCards": ["S2"], "myPos": -1}, "myPos: want a seat from 0 to 3"),
        ("beginning", {"myPos": 1}, "handCards: the message lacks this field"),
        ("play", {"curPos": 1}, "curAction: the message lacks this field"),
        ("play", {"curAction": PASS}, "curPos: the message lacks this field"),
        ("play", {"curAction": PASS, "curPos": 1}, "greaterAction: the message lacks"),
        ("play", {"curAction": PASS, "curPos": 1, "greaterAction": None}, "greaterPos: the"),
        ("tribute", {}, "result: the message lacks this field"),
        ("tribute", {"result": [[0, 3]]}, "result[0]: want [giver, receiver, card]"),
        ("back", {"result": [[0, 3, "S2"], [0, 4, "S2"]]}, "result[1]: want a seat from 0 to 3"),
        ("back", {"result": [[0, 3, "2S"]]}, "result[0]: '2S' is not a card"),
        ("anti-tribute", {"antiNum": 1}, "antiPos: the message lacks this field"),
        ("anti-tribute", {"antiPos": [0, 0]}, "antiPos: [0, 0] names a seat twice"),
        ("anti-tribute", {"antiPos": [4]}, "antiPos[0]: want a seat from 0 to 3"),
        ("episodeOver", {"order": 3}, "order: want a list, got 3"),
        ("episodeOver", {"order": [0], "curRank": 14}, "curRank: 14 is not a level"),
        ("episodeOver", {"order": [0], "restCards": [[1]]}, "restCards[0]: want [seat, cards]"),
        ("episodeOver", {"order": [0], "restCards": [[1, "C2"]]}, "restCards[0]: 'C2': want"),
    ],
)
def test_what_cannot_be_read(stage: str, fields: dict[str, Any], said: str) -> None:
    with pytest.raises(gd.NotationError, match=re.escape(said)):
        told(stage, **fields)
    with pytest.raises(gd.NotationError, match="type: want \"notify\", got 'act'"):
        Notice.read(PLAY)
