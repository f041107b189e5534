"""What events cost by each text's table, event by event, and the points of players."""

import copy
import dataclasses
import itertools
import json
import pickle
from collections.abc import Iterable
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

import guandan as gd
from guandan.referee import CLAUSES, CountsAs, Kind, Referee, Ruling
from guandan.rules import Conduct

NAMES: dict[str, Any] = {"Referee": Referee}
COUNTS = [field.name for field in dataclasses.fields(Referee)][1:]
EVENTS = {
    "none": [],
    "seed000": ["lost_turn", "misreport"],
    "seed001": ["lost_turn", "misreport", "foul", "forfeit"],
    "seed002": [
        *("grabbed", "miscount", "illegal_signal", "hidden_cards", "quit", "dropped", "forfeit"),
    ],
    "jiangsu2023": ["warning", "violation", "grave", "foul", "forfeit"],
}
ORDERS = [
    order
    for order in itertools.permutations(range(4))
    if order[0] % 2 != order[1] % 2 or order[2] < order[3]
]
# Orders by what they are to side 0.
DOUBLE, SECOND_LAST, FIRST_LAST = (0, 2, 1, 3), (0, 1, 2, 3), (0, 1, 3, 2)


# --- Helpers ---


def called(conduct: Any, *calls: tuple[str, int]) -> list[list[Any]]:
    """Give what follows from each of some events: kind, seat, and what more is said."""
    referee = Referee(conduct=conduct)
    found = []
    for name, seat in calls:
        referee, rulings = referee.call(name, seat)
        found.append([tuple(one for one in ruling if one is not None) for ruling in rulings])
    return found


def times(conduct: Any, name: str, seats: Iterable[int]) -> list[list[Any]]:
    """Give what follows from each of some events of one name."""
    return called(conduct, *((name, seat) for seat in seats))


def noted(conduct: Any, *calls: tuple[str, int]) -> Referee:
    """Give what a referee has noted after some events."""
    referee = Referee(conduct=conduct)
    for name, seat in calls:
        referee, _ = referee.call(name, seat)
    return referee


# --- The table ---


@pytest.mark.parametrize("conduct", get_args(Conduct))
def test_events_by_conduct(conduct: Any) -> None:
    referee = Referee(conduct=conduct)
    assert list(referee.events) == EVENTS[conduct]
    for name in {name for names in EVENTS.values() for name in names} - set(referee.events):
        with pytest.raises(ValueError, match=f"name={name!r}: ") as error:
            referee.call(name, 0)
        for known in referee.events:
            assert repr(known) in str(error.value)


def test_every_preset_has_its_table() -> None:
    assert CLAUSES.keys() == set(get_args(Conduct)) == EVENTS.keys()
    for name in gd.Rules.presets():
        conduct = gd.Rules.preset(name).conduct
        assert conduct == (name if name in EVENTS else "none")
    assert Referee().conduct == gd.Rules().conduct


def test_the_table_names_what_there_is() -> None:
    kinds, counts = set(), set()
    for clauses in CLAUSES.values():
        for follows, count, _ in clauses.values():
            counts |= {count}
            others = {one.event for one in follows if isinstance(one, CountsAs)}
            kinds |= {one.kind for one in follows if not isinstance(one, CountsAs)}
            assert others <= clauses.keys()
    assert kinds == set(get_args(Kind))
    assert counts == {None, *COUNTS}


# --- seed000 ---


@pytest.mark.parametrize("seat", range(4))
@pytest.mark.parametrize("conduct", ["seed000", "seed001"])
def test_a_wrong_play_loses_a_turn_each_time(conduct: str, seat: int) -> None:
    assert times(conduct, "lost_turn", [seat] * 5) == [[("skip_turn", seat)]] * 5
    assert noted(conduct, ("lost_turn", seat)) == Referee(conduct=conduct)  # type: ignore[arg-type]


def test_misreports_of_seed000_are_taken_back_and_cost_no_more() -> None:
    assert times("seed000", "misreport", [3] * 5) == [[("take_back", 3)]] * 5


# --- seed001 ---


def test_a_first_misreport_is_a_warning_and_each_later_one_a_foul() -> None:
    referee = Referee(conduct="seed001")
    fouls = []
    for _ in range(3):
        referee, rulings = referee.call("misreport", 1)
        assert rulings == (Ruling("take_back", 1),)
        fouls.append(referee.fouls)
    assert fouls == [(0, 0, 0, 0), (0, 1, 0, 0), (0, 2, 0, 0)]
    referee, rulings = referee.call("misreport", 1)
    assert rulings == (Ruling("take_back", 1), Ruling("match_lost", 1))
    assert referee == Referee(conduct="seed001", misreports=(0, 4, 0, 0), fouls=(0, 3, 0, 0))


def test_each_player_is_warned_of_misreports() -> None:
    referee = noted("seed001", *(("misreport", seat) for seat in range(4)))
    assert referee == Referee(conduct="seed001", misreports=(1, 1, 1, 1))


@pytest.mark.parametrize("seats", [(0, 0, 0), (2, 0, 2), (1, 3, 3)])
def test_the_third_foul_of_a_side_loses_the_match(seats: tuple[int, ...]) -> None:
    assert times("seed001", "foul", seats) == [[], [], [("match_lost", seats[2])]]


def test_fouls_of_two_sides_are_not_counted_together() -> None:
    assert times("seed001", "foul", (0, 1, 2, 3)) == [[]] * 4
    assert times("seed001", "foul", (0, 1, 2, 3, 1)) == [[]] * 4 + [[("match_lost", 1)]]


# --- seed002 ---


def test_the_third_card_grabbed_costs_a_point_once() -> None:
    found = times("seed002", "grabbed", [2] * 7)
    assert found == [[], [], [("points", 2, "grabbed")], [], [], [], []]
    # His partner's are his own.
    assert times("seed002", "grabbed", (2, 0, 2, 0)) == [[]] * 4


def test_the_third_miscount_of_a_match_costs_everybody_a_point() -> None:
    everybody = [("points", seat, "miscount") for seat in range(4)]
    assert times("seed002", "miscount", (0, 1, 2, 3)) == [[], [], everybody, []]
    assert times("seed002", "miscount", [3] * 6) == [[], [], everybody, [], [], []]


def test_more_than_three_signals_cost_a_point_once() -> None:
    costs = [("points", 1, "illegal_signal")]
    assert times("seed002", "illegal_signal", [1] * 8) == [[], [], [], costs, [], [], [], []]
    assert times("seed002", "illegal_signal", (1, 3, 1, 3, 1, 3, 1)) == [[]] * 6 + [costs]


@pytest.mark.parametrize(
    ("seats", "scores"), [((0, 2, 0), (0, 28)), ((3, 3, 3), (28, 0)), ((1, 1, 3), (28, 0))]
)
def test_hidden_cards_make_a_deal_void_and_then_lose_the_match(
    seats: tuple[int, ...], scores: tuple[int, int]
) -> None:
    first, second, third = seats
    assert times("seed002", "hidden_cards", seats) == [
        [("deal_void", first)],
        [("deal_void", second)],
        [("match_lost", third, scores)],
    ]


def test_hidden_cards_of_two_sides_are_not_counted_together() -> None:
    found = times("seed002", "hidden_cards", (0, 1, 2, 3))
    assert found == [[("deal_void", seat)] for seat in range(4)]


@pytest.mark.parametrize("name", ["quit", "dropped"])
def test_leaving_costs_points_each_time(name: str) -> None:
    assert times("seed002", name, (0, 3, 0)) == [[("points", seat, name)] for seat in (0, 3, 0)]


# --- jiangsu2023 ---


def test_every_second_warning_is_a_violation() -> None:
    assert times("jiangsu2023", "warning", [2] * 4) == [
        [],
        [("may_deny", 2)],
        [],
        [("deal_lost", 2)],
    ]
    assert times("jiangsu2023", "warning", (2, 0, 1, 3)) == [[]] * 4
    assert noted("jiangsu2023", *[("warning", 2)] * 4) == Referee(
        warnings=(0, 0, 4, 0), violations=(0, 0, 2, 0), fouls=(0, 0, 1, 0)
    )


def test_every_second_violation_is_a_foul_and_no_play_is_denied_for_it() -> None:
    assert times("jiangsu2023", "violation", [1] * 4) == [
        [("may_deny", 1)],
        [("deal_lost", 1)],
        [("may_deny", 1)],
        [("match_lost", 1)],
    ]
    assert times("jiangsu2023", "violation", (1, 3)) == [[("may_deny", 1)], [("may_deny", 3)]]


def test_a_grave_violation_is_a_foul_at_once_and_no_violation() -> None:
    assert called("jiangsu2023", ("grave", 0), ("violation", 0)) == [
        [("deal_lost", 0)],
        [("may_deny", 0)],
    ]
    assert noted("jiangsu2023", ("grave", 0)) == Referee(fouls=(1, 0, 0, 0))


@pytest.mark.parametrize("names", list(itertools.product(["grave", "foul"], repeat=2)))
def test_the_second_foul_of_a_side_loses_the_match(names: tuple[str, str]) -> None:
    one, two = names
    assert called("jiangsu2023", (one, 1), (two, 3)) == [[("deal_lost", 1)], [("match_lost", 3)]]
    assert called("jiangsu2023", (one, 1), (two, 2)) == [[("deal_lost", 1)], [("deal_lost", 2)]]


# --- Forfeits ---


@pytest.mark.parametrize("seat", range(4))
@pytest.mark.parametrize(
    ("conduct", "late", "early"),
    [("jiangsu2023", 17, 17), ("seed001", None, None), ("seed002", 20, 28)],
)
def test_a_forfeit_loses_the_match(
    conduct: Any, late: int | None, early: int | None, seat: int
) -> None:
    referee = Referee(conduct=conduct)
    for begun, won in ((True, late), (False, early)):
        scores = won if won is None else (0, won) if seat % 2 == 0 else (won, 0)
        assert referee.call("forfeit", seat, begun) == (
            referee,
            (Ruling("match_lost", seat, scores),),
        )
    assert referee.call("forfeit", seat) == referee.call("forfeit", seat, True)


# --- All tables ---

histories = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 3)), max_size=25)
conducts = st.sampled_from(get_args(Conduct)[:-1])


@given(conducts, histories)
def test_calls_are_counted_by_seat_and_concern_the_side(
    conduct: Any, history: list[tuple[int, int]]
) -> None:
    referee = Referee(conduct=conduct)
    for number, seat in history:
        name = referee.events[number % len(referee.events)]
        before, (referee, rulings) = referee, referee.call(name, seat)
        for field in COUNTS:
            old, new = getattr(before, field), getattr(referee, field)
            # Nobody else's counts change, and no count by more than one.
            assert new in (old, tuple(count + (one == seat) for one, count in enumerate(old)))
        kinds = [ruling.kind for ruling in rulings]
        assert len(set(kinds)) <= 2
        assert not {"match_lost", "deal_lost", "deal_void"} & set(kinds[:-1])
        assert all(ruling.seat == seat for ruling in rulings if ruling.detail != "miscount")


@given(conducts, histories)
def test_seats_are_counted_alike_all_round_the_table(
    conduct: Any, history: list[tuple[int, int]]
) -> None:
    events = Referee(conduct=conduct).events
    calls = [(events[number % len(events)], seat) for number, seat in history]
    turned = called(conduct, *((name, (seat + 1) % 4) for name, seat in calls))
    for found, other in zip(called(conduct, *calls), turned, strict=True):
        back = [
            (kind, (seat - 1) % 4, *(one[::-1] if isinstance(one, tuple) else one for one in more))
            for kind, seat, *more in other
        ]
        assert sorted(back) == sorted(found)


# --- Values ---


@given(conducts, histories)
def test_referees_are_remade(conduct: Any, history: list[tuple[int, int]]) -> None:
    events = Referee(conduct=conduct).events
    check_remade(noted(conduct, *((events[n % len(events)], seat) for n, seat in history)))


def check_remade(value: Any) -> None:
    """Check that a value comes back from its text, its fields, JSON and copies."""
    for other in (
        eval(repr(value), NAMES),
        type(value)(**json.loads(json.dumps(dataclasses.asdict(value)))),
        pickle.loads(pickle.dumps(value)),
        copy.deepcopy(value),
    ):
        assert other == value
        assert (hash(other), repr(other)) == (hash(value), repr(value))


@pytest.mark.parametrize("conduct", ["seed003", "Seed000", None, 0, ["none"]])
def test_conducts_that_there_are_not(conduct: Any) -> None:
    with pytest.raises(ValueError, match="want one of 'jiangsu2023', 'seed000', 'seed001'"):
        Referee(conduct=conduct)
