"""Deals in play: in lockstep with the reference, over perft figures, and what a State promises."""

import copy
import itertools
import pickle
import random
from collections.abc import Iterator
from typing import Any

import pytest
import reference as ref
import reference_deal as ref_deal
from positions import endgame, values_of
from recorded import cases, rows
from test_movegen import as_tuple

import guandan as gd

LEVELS = "23456789TJQKA"
RULES = [
    gd.Rules(),
    gd.Rules.preset("opengd"),
    gd.Rules.preset("pagat"),
    gd.Rules(lead_after_out="next"),
    gd.Rules(straight_flush_downgrade="forbid", full_house_joker_pair=False, bomb_max=8),
    gd.Rules(lead_after_out="next", steps=(12, 5, 1), bomb_max=9),
]


def mirror(state: gd.State) -> ref_deal.Deal:
    """The same position in the reference."""
    switches = {name: getattr(state.rules, name) for name in ref.Switches._fields}
    return ref_deal.parse_deal(
        str(state), state.rules.lead_after_out, state.rules.steps, **switches
    )


def assert_alike(state: gd.State, deal: ref_deal.Deal) -> None:
    """Compare all that both say of a position."""
    table = state.table and (state.table.kind.name.lower(), state.table.rank)
    assert [[gd.CARDS.index(card) for card in hand] for hand in state.hands] == deal.hands
    assert (state.turn, state.owner, table) == (deal.turn, deal.owner, deal.table)
    assert (list(state.out), state.is_over) == (deal.out, deal.is_over)
    assert (state.order and list(state.order), state.payoff) == (deal.order(), deal.payoff())
    moves = [as_tuple(move) for move in state.legal_moves()]
    assert len(moves) == len(set(moves))
    assert set(moves) == deal.moves()
    if state.table is not None and state.turn is not None:
        assert len(moves) == gd.count_moves(
            state.hands[state.turn], state.level, beat=state.table, rules=state.rules
        )


def random_state(rng: random.Random, rules: gd.Rules) -> gd.State:
    """A lead of few cards that go together: some ranks, some suits, wilds and jokers."""
    level = rng.choice(LEVELS)
    ranks = rng.sample(LEVELS, rng.randint(2, 6))
    cards = [card for card in gd.CARDS if card[1] in ranks or card in ("SB", "HR")]
    deck = [*cards, *cards, *rng.sample(gd.CARDS, 8), "H" + level, "H" + level]
    deck = [card for place, card in enumerate(deck) if deck[:place].count(card) < 2]
    rng.shuffle(deck)
    sizes = [rng.randint(1, min(9, len(deck) // 4)) for _ in range(4)]
    ends = [0, *itertools.accumulate(sizes)]
    hands = [deck[a:b] for a, b in itertools.pairwise(ends)]
    return gd.State(hands, level=level, turn=rng.randrange(4), rules=rules)


def walk(
    seed: int, rules: gd.Rules | None = None, deals: int = 1, suits: Any = "one"
) -> Iterator[gd.State]:
    """Every position of some deals played at random; the states are not copies."""
    rng = random.Random(seed)
    for _ in range(deals):
        deal = gd.State.deal(rng.choice(LEVELS), rng.getrandbits(64), rules=rules)
        yield deal
        while not deal.is_over:
            deal.push(rng.choice(deal.legal_moves(suits)))
            yield deal


def play_along(state: gd.State, rng: random.Random) -> None:
    """Play a deal at random beside the reference, then take all of it back."""
    deal = mirror(state)
    seen = [(state.key, str(state))]
    assert_alike(state, deal)
    while not state.is_over:
        if rng.random() < 0.1:
            deal.skip()
            assert state.skip() == gd.Move.parse("pass")
            assert_alike(state, deal)
            assert pickle.loads(pickle.dumps(state)).history == state.history
            seen.append((state.key, str(state)))
            continue
        move = rng.choice(list(state.legal_moves()))
        assert state.is_legal(move)
        assert state.push(move if rng.random() < 0.5 else str(move)) == move
        deal.play(as_tuple(move))
        assert_alike(state, deal)
        assert gd.State.parse(str(state), state.rules) == state
        seen.append((state.key, str(state)))
    assert len(state.history) == len(seen) - 1
    while state.history:
        assert (state.key, str(state)) == seen.pop()
        assert state.history[-1] == state.pop()
    assert [(state.key, str(state))] == seen


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_deals_of_few_cards_go_as_in_the_reference(rules: gd.Rules) -> None:
    rng = random.Random(1)
    for _ in range(60):
        play_along(random_state(rng, rules), rng)


@pytest.mark.parametrize("seed", range(24))
def test_whole_deals_go_as_in_the_reference(seed: int) -> None:
    rng = random.Random(seed)
    play_along(gd.State.deal(rng.choice(LEVELS), seed, rules=RULES[seed % len(RULES)]), rng)


# --- Figures of others ---


@pytest.mark.parametrize("row", rows("endgames.jsonl"), ids=lambda row: "/".join(row["hands"]))
def test_perft_of_endgames(row: dict[str, Any]) -> None:
    state = endgame(row)
    assert [state.perft(depth) for depth in range(1, len(row["perft"]) + 1)] == row["perft"]
    assert sorted(map(str, state.legal_moves())) == sorted(map(str, values_of(row)))


@pytest.mark.parametrize("row", cases("leader_after_trick"))
def test_who_leads_after_a_trick(row: dict[str, Any]) -> None:
    winner, out = row["last_player"], row.get("out", [])
    earlier = [seat for seat in out if seat != winner]
    hands = ["" if seat in earlier else f"{'SHCD'[seat]}3" for seat in range(4)]
    hands[winner] = "SA" if row["last_player_out"] else "SA S4"
    rules = gd.Rules.preset(row["rules"])
    state = gd.State(hands, level=row["level"], turn=winner, out=earlier, rules=rules)
    state.push("SA")
    while state.table:
        state.push("pass")
    assert list(state.out) == out
    assert state.turn == row["expected"]["leader"]


@pytest.mark.parametrize("row", cases("hand_over?"))
def test_when_a_deal_is_over(row: dict[str, Any]) -> None:
    *earlier, last = row["out"]
    hands = ["" if seat in earlier else f"{'SHCD'[seat]}3" for seat in range(4)]
    state = gd.State(hands, level=row["level"], turn=last, out=earlier)
    state.push(hands[last])
    assert list(state.out) == row["out"]
    assert state.is_over is row["expected"]


@pytest.mark.parametrize("row", cases("default reading"))
def test_cards_shown_alone(row: dict[str, Any]) -> None:
    hands = [row["cards"], "SA", "CA", "DA"]
    state = gd.State(hands, level=row["level"], turn=0, rules=gd.Rules.preset(row["rules"]))
    if row["expected"] == "must_declare":
        with pytest.raises(gd.AmbiguousMoveError, match=r"full_house 6 .*, full_house K "):
            state.push(row["cards"])
        return
    played = state.push(" ".join(row["cards"]))
    assert played.kind.name.lower() == row["expected"]["type"]
    assert played.rank == row["expected"]["rank"]


@pytest.mark.parametrize("row", cases("following prev"))
def test_cards_shown_on_a_table_that_leaves_one_reading(row: dict[str, Any]) -> None:
    rules = gd.Rules.preset(row["rules"])
    hands = [[*row["prev"], "SA"], row["cards"], "CA", "DA"]
    state = gd.State(hands, level=row["level"], turn=0, rules=rules)
    state.push(f"full_house Q {' '.join(row['prev'])}")
    (want,) = row["expected"]
    played = state.push(row["cards"])
    assert (played.kind.name.lower(), played.rank) == (want["type"], want["rank"])


# --- Cards shown alone ---


@pytest.mark.parametrize("fields", [*itertools.product(("ask", "low", "high"), repeat=2)])
def test_readings_that_the_rules_choose(fields: tuple[Any, Any]) -> None:
    rng = random.Random(5)
    rules = gd.Rules(straight_reading=fields[0], full_house_reading=fields[1])
    several = 0
    for _ in range(150):
        state = random_state(rng, rules)
        if rng.random() < 0.5:
            state.push(rng.choice(list(state.legal_moves())))
        if state.is_over:
            continue
        hand = state.hands[state.turn]
        table = state.table and (state.table.kind.name.lower(), state.table.rank)
        for move in {move.cards for move in state.legal_moves() if move.size > 3}:
            cards = [gd.CARDS.index(card) for card in move]
            want = ref.default_reading(cards, state.level, table, *fields)
            several += len(gd.readings(move, state.level)) > 1
            if want == "ask":
                assert not state.is_legal(move)
                with pytest.raises(gd.AmbiguousMoveError):
                    state.push(move)
            else:
                assert want is not None
                played = state.push(move)
                assert (played.kind.name.lower(), played.rank) == want
                assert state.pop() == played
        assert state.hands[state.turn] == hand
    assert several > 10


# --- Keys ---


def test_keys_are_equal_however_a_position_is_reached() -> None:
    hands = ["S3 C3 D4", "S5 C5", "S6 C6", "S7 C7"]
    a = gd.State(hands, level="2", turn=0)
    b = gd.State(hands, level="2", turn=0)
    for move in ("S3", "pass", "pass", "pass", "C3", "pass", "pass", "pass"):
        a.push(move)
    for move in ("C3", "pass", "pass", "pass", "S3", "pass", "pass", "pass"):
        b.push(move)
    assert a == b
    assert a.key == b.key
    assert a.history != b.history
    shown = gd.State.parse("D4/S5C5/S6C6/S7C7 2 1 0:single:3:S3 -")
    unknown = gd.State.parse("D4/S5C5/S6C6/S7C7 2 1 0:single:3 -")
    assert shown == unknown
    assert shown.key == unknown.key
    assert str(shown) != str(unknown)


def variants() -> list[gd.State]:
    """States that differ in one thing each."""
    text = "S3D4/S5C5/S6C6/S7C7 2 1 0:single:3 -"
    texts = [
        *(
            text,
            text.replace(" 2 1", " 3 1"),
            text.replace(" 1 0", " 2 0"),
            text.replace("S3", "C3"),
        ),
        *(text.replace("0:single", "2:single"), text.replace(":3 ", ":4 "), text.replace("D4", "")),
        text.replace("single:3", "pair:3"),
        text.replace("0:single:3", "-"),
        text.replace("S3D4", "S3S3"),
        text.replace("S3D4", "-").replace(" -", " 0"),
        "S3D4/S5C5/S6C6/- 2 1 0:single:3 3",
        "-/S5C5/S6C6/- 2 1 0:single:3 30",
        "-/S5C5/S6C6/- 2 1 3:single:3 03",
    ]
    states = [gd.State.parse(text) for text in texts]
    fields: list[dict[str, Any]] = [
        *({"bomb_max": 8}, {"lead_after_out": "next"}, {"steps": (4, 2, 1)}),
        *({"straight_reading": "low"}, {"full_house_reading": "low"}),
    ]
    return states + [gd.State.parse(text, gd.Rules(**change)) for change in fields]


def test_keys_differ_where_states_do() -> None:
    states = variants()
    for a, b in itertools.combinations(states, 2):
        assert a != b
    assert len({state.key for state in states}) == len(states)
    assert states[0] != str(states[0])


def test_keys_are_well_mixed() -> None:
    rng = random.Random(2)
    keys = set()
    changed = []
    n = 0
    for seed in range(40):
        state = gd.State.deal("2", seed)
        while not state.is_over:
            before = state.key
            state.push(rng.choice(state.legal_moves()))
            keys.add(state.key)
            n += 1
            changed.append((before ^ state.key).bit_count())
    assert len(keys) == n
    for bit in range(64):
        assert 0.45 < sum(key >> bit & 1 for key in keys) / n < 0.55
    assert 31 < sum(changed) / n < 33


def test_keys_are_the_same_everywhere() -> None:
    assert gd.State.deal("2", 7).key == 0xAECE8224A7D99C89
    assert gd.State.deal(None, 7) == gd.State.deal("J", 7)
    assert variants()[0].key == 0x86E91E1BC7FAAAB0


# --- What a State promises ---


def test_a_state_plays_and_takes_back() -> None:
    state = gd.State(["S3 C3", "S4 C4 HR", "D9", "SB"], level="2", turn=0)
    start = state.copy()
    assert str(state.push("pair 3 S3 C3")) == "pair 3 S3 C3"
    assert (state.table, state.owner, state.out) == (gd.Move.parse("pair 3 S3 C3"), 0, (0,))
    assert [str(move) for move in state.legal_moves()] == ["pass", "pair 4 S4 C4"]
    state.push(gd.Hand("S4 C4"))
    state.push("pass")
    state.push("pass")
    assert (state.turn, state.table, state.owner) == (1, None, None)
    assert str(state) == "-/HR/D9/SB 2 1 - 0"
    state.push(["HR"])
    assert not state.is_over
    for _ in range(2):
        state.push("pass")
    assert (state.turn, state.out) == (3, (0, 1))
    state.push("SB")
    assert (state.is_over, state.turn, state.table) == (True, None, None)
    assert (state.order, state.payoff) == ((0, 1, 3, 2), 1)
    assert len(state.legal_moves()) == 0
    assert str(state) == "-/-/D9/- 2 - - 013"
    while state.history:
        state.pop()
    assert state == start
    with pytest.raises(IndexError, match="no move has been played"):
        state.pop()


def test_a_turn_that_is_lost() -> None:
    state = gd.State(["S3", "S4 C4", "S5 C5", "S6"], level="2", turn=3)
    assert (state.skip(), state.turn, state.table) == (gd.Move.parse("pass"), 0, None)
    state.push("S3")
    state.skip()
    assert (state.turn, state.owner, state.out) == (2, 0, (0,))
    for seat in (3, 2):  # the partner of who is out has the lead, and may lose it too
        state.skip()
        assert (state.turn, state.table is None) == (seat, seat == 2)
    state.skip()
    assert (state.turn, state.table) == (3, None)
    again = pickle.loads(pickle.dumps(state))
    assert (again, again.history) == (state, state.history)
    moves = state.history
    while state.history:
        state.pop()
    assert str(state) == "S3/S4C4/S5C5/S6 2 3 - -"
    assert [len(move.cards or ()) for move in moves] == [0, 1, 0, 0, 0, 0]
    over = gd.State.parse("-/-/-/S3 2 - - 012")
    with pytest.raises(gd.IllegalMoveError, match="the deal is over, no seat has a turn to lose"):
        over.skip()


def test_copies_go_their_own_way() -> None:
    state = gd.State.deal("5", 3)
    for _ in range(40):
        state.push(state.legal_moves()[-1])
    for twin in (
        state.copy(),
        copy.copy(state),
        copy.deepcopy(state),
        pickle.loads(pickle.dumps(state)),
    ):
        assert twin == state
        assert twin.history == state.history
        assert str(twin) == str(state)
        twin.pop()
        assert twin != state
        assert len(state.history) == 40
    bare = state.copy(history=False)
    assert bare == state
    assert bare.history == ()
    bare.push(bare.legal_moves()[0])
    assert bare != state
    assert len(state.history) == 40


def test_a_history_replays_to_the_state() -> None:
    state = gd.State.deal("A", 11, rules=gd.Rules.preset("seed000"))
    rng = random.Random(3)
    while not state.is_over:
        state.push(rng.choice(state.legal_moves()))
    again = gd.State.deal("A", 11, rules=gd.Rules.preset("seed000"))
    for move in state.history:
        again.push(str(move))
    assert again == state
    assert again.history == state.history
    kept = pickle.loads(pickle.dumps(state))
    assert kept.rules == state.rules
    while kept.history:
        kept.pop()
    assert kept == gd.State.deal("A", 11, rules=gd.Rules.preset("seed000"))


def test_repr_evaluates_back() -> None:
    names = {"State": gd.State, "Rules": gd.Rules}
    for state in variants():
        assert eval(repr(state), names) == state


def test_deals_are_those_of_the_seed() -> None:
    state = gd.State.deal("9", 12)
    assert state.hands == gd.deal_hands(12)
    assert (state.level, state.table, state.out, state.history) == ("9", None, (), ())
    assert gd.State.deal("9", 12) == state
    assert [gd.State.deal("9", 12, turn=seat).turn for seat in range(4)] == [0, 1, 2, 3]
    turns = [gd.State.deal("2", seed).turn for seed in range(400)]
    assert all(70 < turns.count(seat) < 130 for seat in range(4))


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (("1", 7), gd.NotationError, "'1' is not a level"),
        (("2", -1), ValueError, "seed=-1: want"),
        (("2", "7"), TypeError, "seed='7': want an int from 0"),
        (("2", 7, 4), gd.StateError, "turn 4 is no seat: want 0, 1, 2 or 3"),
        (("2", 7, 0, "pagat"), TypeError, "rules: want a Rules"),
    ],
)
def test_deals_that_there_are_not(arguments: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        gd.State.deal(*arguments)


def test_suits_are_those_of_legal_moves() -> None:
    state = gd.State.deal("2", 7)
    assert state.turn is not None
    for suits in ("all", "flush", "one"):
        assert state.legal_moves(suits=suits) == gd.legal_moves(
            state.hands[state.turn], "2", suits=suits
        )
    with pytest.raises(ValueError, match="suits 'some'"):
        state.legal_moves(suits="some")  # type: ignore[arg-type]


def test_a_state_is_not_hashable_and_takes_no_positions() -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(gd.State.deal("2", 7))
    with pytest.raises(TypeError, match="positional"):
        gd.State(["S3", "S4", "S5", "S6"], "2", 0)
    with pytest.raises(TypeError, match="level"):
        gd.State(["S3", "S4", "S5", "S6"])


# --- perft ---


def test_perft_of_a_deal_that_ends() -> None:
    state = gd.State(["S3", "S4 S5", "S6", "S7 S8"], level="2", turn=0)
    assert state.perft(0) == 1
    assert state.perft(1) == 1
    # S3; S4, S5 or pass; S6, which ends the deal, or pass; ...
    assert [state.perft(depth) for depth in (2, 3)] == [3, 6]
    over = gd.State.parse("-/S4/-/S7 2 - - 02")
    assert [over.perft(depth) for depth in range(3)] == [1, 0, 0]
    with pytest.raises(ValueError, match="depth=-1: want an int, 0 or more"):
        state.perft(-1)


def test_perft_leaves_the_state() -> None:
    state = gd.State.deal("2", 7)
    before = str(state), state.key, state.history
    state.perft(2)
    assert (str(state), state.key, state.history) == before
