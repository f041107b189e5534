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
from reference_tribute import ORDERS

import guandan as gd
from guandan.referee import CLAUSES, CountsAs, Kind, Points, Referee, Ruling, title
from guandan.rules import Conduct
from guandan.standing import Standing

NAMES: dict[str, Any] = {"Points": Points, "Referee": Referee}
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
# Orders by what they are to side 0.
DOUBLE, SECOND_LAST, FIRST_LAST = (0, 2, 1, 3), (0, 1, 2, 3), (0, 1, 3, 2)
SEED002 = gd.Rules.preset("seed002")


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


def after(order: tuple[int, ...], points: Points | None = None, **fields: Any) -> Points:
    """Give the points after one deal, from a standing with some fields."""
    before = Standing(**fields)
    return (points or Points()).after_deal(before, before.after(order, SEED002), order)


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


# --- Points of deals ---


@pytest.mark.parametrize(("order", "steps"), [(DOUBLE, 3), (SECOND_LAST, 2), (FIRST_LAST, 1)])
def test_each_level_risen_gives_the_winners_one_and_costs_the_losers_one(
    order: tuple[int, ...], steps: int
) -> None:
    assert after(order).totals == (steps, -steps, steps, -steps)
    assert after(order, levels=("5", "9"), declarers=1).totals == (steps, -steps, steps, -steps)


def test_what_a_side_cannot_rise_gives_nothing() -> None:
    assert after(DOUBLE, levels=("K", "9"), declarers=0).totals == (1, -1, 1, -1)
    assert after(DOUBLE, levels=("A", "9"), declarers=1).totals == (0, 0, 0, 0)
    # First and last at A: it is played again.
    assert after(FIRST_LAST, levels=("A", "9"), declarers=0).totals == (0, 0, 0, 0)


@pytest.mark.parametrize("order", [DOUBLE, SECOND_LAST])
def test_the_deal_that_wins_the_match_gives_ten_and_costs_nothing(order: tuple[int, ...]) -> None:
    assert after(order, levels=("A", "9"), declarers=0).totals == (10, 0, 10, 0)
    order = tuple(seat ^ 1 for seat in order)
    if order[0] % 2 == order[1] % 2:
        order = (*order[:2], *sorted(order[2:]))
    assert after(order, levels=("9", "A"), declarers=1).totals == (0, 10, 0, 10)


def test_a_fall_costs_nothing() -> None:
    before = Standing(levels=("A", "9"), declarers=0)
    fallen = before.after(FIRST_LAST, gd.Rules(ace_failures=(1, "any", "2")))
    assert fallen.levels == ("2", "9")
    assert Points().after_deal(before, fallen, FIRST_LAST).totals == (0, 0, 0, 0)


@pytest.mark.parametrize("order", ORDERS)
def test_last_places_are_counted_and_both_losers_of_a_double_are_last(
    order: tuple[int, ...],
) -> None:
    last = order[2:] if order[0] % 2 == order[1] % 2 else order[3:]
    lasts = tuple(int(seat in last) for seat in range(4))
    found = after(order, Points(lasts=(1, 2, 3, 4)))
    assert found.lasts == tuple(n + count for n, count in zip(lasts, (1, 2, 3, 4), strict=True))


def test_from_his_seventh_last_place_on_a_players_points_stay() -> None:
    points = Points()
    standing = Standing(levels=("2", "3"), declarers=0)
    totals = []
    # Seat 3 is last each time; his partner goes on losing.
    for _ in range(8):
        points = points.after_deal(standing, standing.after(SECOND_LAST, SEED002), SECOND_LAST)
        totals.append((points.totals[1], points.totals[3]))
    assert totals[5:] == [(-12, -12), (-14, -12), (-16, -12)]
    assert points.lasts == (0, 0, 0, 8)
    # He wins nothing either, nor do events cost him anything.
    before = Standing(levels=("2", "A"), declarers=1)
    order = (1, 3, 0, 2)
    won = points.after_deal(before, before.after(order, SEED002), order)
    assert won.totals == (16, -6, 16, -12)
    assert points.after_event("dropped", 3, "A") == points
    assert points.after_event("dropped", 1, "A").totals == (16, -26, 16, -12)


@given(
    st.lists(st.sampled_from(ORDERS), max_size=30),
    st.tuples(*[st.integers(-500, 6000)] * 4),
)
def test_points_of_whole_matches(orders: list[tuple[int, ...]], totals: tuple[int, ...]) -> None:
    points, standing = Points(totals=totals), Standing()  # type: ignore[arg-type]
    for order in orders:
        if standing.is_over:
            break
        before, standing = standing, standing.after(order, SEED002)
        old, points = points, points.after_deal(before, standing, order)
        changes = [new - was for new, was in zip(points.totals, old.totals, strict=True)]
        rise = sum(standing.numbers) - sum(before.numbers)
        won, lost = (10, 0) if standing.winner is not None else (rise, -rise)
        for seat, change in enumerate(changes):
            stays = points.lasts[seat] >= 7
            assert change == (0 if stays else won if seat % 2 == order[0] % 2 else lost)


# --- Points of events ---


@pytest.mark.parametrize("level", "23456789TJQKA")
@pytest.mark.parametrize(
    ("name", "low", "high"),
    [
        ("quit", -2, -10),
        ("dropped", -4, -10),
        ("grabbed", -1, -1),
        ("miscount", -1, -1),
        ("illegal_signal", -1, -1),
    ],
)
def test_what_events_cost(name: str, low: int, high: int, level: str) -> None:
    cost = high if level in "KA" else low
    assert Points().after_event(name, 2, level) == Points(totals=(0, 0, cost, 0))
    assert Points(totals=(7, 7, 7, 7)).after_event(name, 0, level).totals == (7 + cost, 7, 7, 7)


def test_what_the_referee_rules_on_points_can_be_charged() -> None:
    points, referee = Points(), Referee(conduct="seed002")
    for name in ("grabbed", "miscount", "illegal_signal", "quit"):
        for _ in range(4):
            referee, rulings = referee.call(name, 1)
            for kind, seat, detail in rulings:
                assert kind == "points"
                assert isinstance(detail, str)
                points = points.after_event(detail, seat, "5")
    assert points.totals == (-1, -1 - 1 - 1 - 8, -1, -1)


# --- Titles ---


def test_titles() -> None:
    steps = [
        ("笨蛋", -(10**9), 0),
        ("坏蛋", 1, 10),
        ("鸡蛋", 11, 100),
        ("活珠", 101, 200),
        ("毛蛋", 201, 500),
        ("铁蛋", 501, 1000),
        ("银蛋", 1001, 2000),
        ("金蛋", 2001, 5000),
        ("超级掼蛋", 5001, 10**9),
    ]
    for name, least, most in steps:
        assert (title(least), title(most)) == (name, name)


@pytest.mark.parametrize("points", [None, "10", 10.0, True, (1, 2, 3, 4)])
def test_titles_of_what_are_no_points(points: Any) -> None:
    with pytest.raises(TypeError, match="want an int") as error:
        title(points)
    assert str(error.value) == f"points={points!r}: want an int"


# --- Values ---


@given(conducts, histories)
def test_referees_are_remade(conduct: Any, history: list[tuple[int, int]]) -> None:
    events = Referee(conduct=conduct).events
    check_remade(noted(conduct, *((events[n % len(events)], seat) for n, seat in history)))


@given(st.tuples(*[st.integers(-30, 6000)] * 4), st.tuples(*[st.integers(0, 9)] * 4))
def test_points_are_remade(totals: Any, lasts: Any) -> None:
    check_remade(Points(totals=totals, lasts=lasts))


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


def test_texts_show_what_differs() -> None:
    assert (repr(Referee()), repr(Points())) == ("Referee()", "Points()")
    assert repr(Referee(conduct="seed002", grabbed=(0, 1, 0, 0))) == (
        "Referee(conduct='seed002', grabbed=(0, 1, 0, 0))"
    )
    assert repr(Points(lasts=(0, 0, 0, 7))) == "Points(lasts=(0, 0, 0, 7))"


def test_values_do_not_change() -> None:
    referee, points = Referee(), Points()
    assert referee.call("warning", 0)[0].warnings == (1, 0, 0, 0)
    assert points.after_event("quit", 0, "2").totals == (-2, 0, 0, 0)
    assert (referee, points) == (Referee(), Points())
    for value in (referee, points):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(value, dataclasses.fields(value)[0].name, (0, 0, 0, 0))
    for make in (Referee, Points):
        with pytest.raises(TypeError, match="positional"):
            make((0, 0, 0, 0))  # type: ignore[misc, operator]


@pytest.mark.parametrize("value", [(0, 0, 0, -1), (0, 0), (0, 0, 0, True), (0.0,) * 4, 0, None])
@pytest.mark.parametrize("make", [*((Referee, name) for name in COUNTS), (Points, "lasts")])
def test_counts_that_there_are_not(make: tuple[Any, str], value: Any) -> None:
    holder, name = make
    with pytest.raises(ValueError, match=name) as error:
        holder(**{name: value})
    assert str(error.value) == f"{name}={value!r}: want four ints by seat, each from 0 to 1000000"


@pytest.mark.parametrize("value", [(0, 0, 0), (0, 0, 0, None), (10**7, 0, 0, 0), "0000"])
def test_totals_that_there_are_not(value: Any) -> None:
    with pytest.raises(ValueError, match="totals") as error:
        Points(totals=value)
    assert str(error.value).startswith(f"totals={value!r}: want four ints by seat, each from -1000")


@pytest.mark.parametrize("conduct", ["seed003", "Seed000", None, 0, ["none"]])
def test_conducts_that_there_are_not(conduct: Any) -> None:
    with pytest.raises(ValueError, match="want one of 'jiangsu2023', 'seed000', 'seed001'"):
        Referee(conduct=conduct)


# --- Calls that there are not ---


@pytest.mark.parametrize("name", ["lost turn", "", None, 3, ["foul"], "x" * 10**6])
def test_names_that_there_are_not(name: Any) -> None:
    shown = repr(name) if len(repr(name)) < 40 else repr(name)[:40] + " ..."
    with pytest.raises(ValueError, match="name=") as error:
        Referee(conduct="seed000").call(name, 0)
    assert str(error.value) == (
        f"name={shown}: events of conduct 'seed000' are 'lost_turn', 'misreport'"
    )
    with pytest.raises(ValueError, match="name=") as error:
        Points().after_event(name, 0, "2")
    assert str(error.value) == (
        f"name={shown}: want one of 'quit', 'dropped', 'grabbed', 'miscount', 'illegal_signal'"
    )


@pytest.mark.parametrize("seat", [4, -1, True, 1.0, "1", None])
def test_seats_that_there_are_not(seat: Any) -> None:
    for call in (
        lambda: Referee().call("foul", seat),
        lambda: Points().after_event("quit", seat, "2"),
    ):
        with pytest.raises(ValueError, match="seat=") as error:
            call()
        assert str(error.value) == f"seat={seat!r}: want one of 0, 1, 2, 3"


@pytest.mark.parametrize(("level", "said"), [("10", 'write "T"'), (13, '"K"'), ("B", "one of")])
def test_levels_that_there_are_not(level: Any, said: str) -> None:
    with pytest.raises(gd.NotationError, match="is not a level") as error:
        Points().after_event("grabbed", 0, level)
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("order", "later"),
    [
        (DOUBLE, Standing()),
        (DOUBLE, Standing().after((1, 3, 0, 2))),
        (DOUBLE, Standing().after(DOUBLE).after(DOUBLE)),
    ],
    ids=["no deal", "another side", "two deals"],
)
def test_standings_without_that_deal_between_them(order: tuple[int, ...], later: Standing) -> None:
    with pytest.raises(ValueError, match=r"after=Standing\(.*: want what Standing\(\) comes to by"):
        Points().after_deal(Standing(), later, order)


def test_arguments_of_other_kinds() -> None:
    with pytest.raises(TypeError, match="before: want a Standing, got None"):
        Points().after_deal(None, Standing(), DOUBLE)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="after: want a Standing, got 'A'"):
        Points().after_deal(Standing(), "A", DOUBLE)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="want each of the seats 0 to 3 once"):
        Points().after_deal(Standing(), Standing().after(DOUBLE), (0, 2, 1))
