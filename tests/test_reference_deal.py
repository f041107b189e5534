"""The reference's trick rules against the test data, the perft files and hand-made positions."""

import random
from pathlib import Path
from typing import Any

import perft_files
import pytest
import reference as ref
import reference_deal as ref_deal
from recorded import cases, deal_of, rows
from reference_deal import parse_move as move

POSITIONS = perft_files.read_positions()
# Counts up to here are verified: the reference has no time for all.
MOST_SEQUENCES = 2000
LEAD_AFTER_OUT = {"seed000": "next"}
STEPS = {"pagat": (4, 2, 1)}


def played(state: str, *moves: str, **rules: Any) -> ref_deal.Deal:
    deal = ref_deal.parse_deal(state, **rules)
    assert ref_deal.problems(deal) == []
    for one in moves:
        deal.play(move(one))
        assert ref_deal.problems(deal) == []
    return deal


# --- The test data ---


def test_endgames_perft() -> None:
    for row in rows("endgames.jsonl"):
        deal = deal_of(row)
        assert ref_deal.problems(deal) == [], row
        counts = [ref_deal.perft(deal, depth + 1) for depth in range(len(row["perft"]))]
        assert counts == row["perft"], row


@pytest.mark.parametrize("case", cases("leader_after_trick"))
def test_leader_cases(case: dict[str, Any]) -> None:
    out, winner = case.get("out", []), case["last_player"]
    assert (winner in out) is case["last_player_out"]
    after = [(winner + step) % 4 for step in (1, 2, 3)]
    others = [seat for seat in after if seat not in out]
    deal = ref_deal.Deal(
        hands=[[] if seat in out else ref.parse("S3 S4") for seat in range(4)],
        level=case["level"],
        turn=others[0],
        table=("single", "9"),
        owner=winner,
        out=out,
        lead_after_out=LEAD_AFTER_OUT.get(case["rules"], "partner"),
    )
    for seat in others:
        assert (deal.turn, deal.table) == (seat, ("single", "9"))
        deal.play(ref_deal.PASS)
    assert (deal.turn, deal.table, deal.owner) == (case["expected"]["leader"], None, None)


@pytest.mark.parametrize("case", cases("hand_over?"))
def test_end_cases(case: dict[str, Any]) -> None:
    *before, last = case["out"]
    hands = ["-" if seat in before else "S3" if seat == last else "S4S5" for seat in range(4)]
    out = "".join(map(str, before)) or "-"
    deal = played(f"{'/'.join(hands)} {case['level']} {last} - {out}", "single 3 S3")
    assert deal.is_over is case["expected"]


def level_ups() -> list[Any]:
    """The cases of `level_up` below the ace, which has rules of its own."""
    found = []
    for case in cases("level_up"):
        (row,) = case.values
        if "A" not in row["levels_before"] + row["expected"].get("levels", ["A"]):
            found.append(case)
    return found


@pytest.mark.parametrize("case", level_ups())
def test_payoff_is_the_rise_in_level(case: dict[str, Any]) -> None:
    deal = finished(case["finish_order"], STEPS.get(case["rules"], (3, 2, 1)))
    before, after = (
        [ref.RANKS.index(level) for level in levels]
        for levels in (case["levels_before"], case["expected"]["levels"])
    )
    assert deal.payoff() == (after[0] - before[0]) - (after[1] - before[1])


def finished(order: list[int], steps: ref_deal.Steps = (3, 2, 1)) -> ref_deal.Deal:
    """Play a deal in which the seats run out in this order."""
    hands = [["S3", "S4", "S5", "S6 S7"][order.index(seat)] for seat in range(4)]
    deal = ref_deal.Deal([ref.parse(hand) for hand in hands], "2", order[0], steps=steps)
    while not deal.is_over:
        # The seat whose turn it is to run out plays, all others pass.
        alone = [one for one in deal.moves() if len(one[2]) == 1]
        wanted = order[len(deal.out)]
        deal.play(alone[0] if deal.turn == wanted and alone else ref_deal.PASS)
    return deal


# --- The perft files ---


@pytest.mark.parametrize("position", POSITIONS, ids=lambda position: position.name)
def test_perft_files(position: perft_files.PerftPosition) -> None:
    deal = ref_deal.parse_deal(position.state, **position.rules)
    assert ref_deal.problems(deal) == []
    for depth, count in position.counts.items():
        if count <= MOST_SEQUENCES:
            assert ref_deal.perft(deal, depth) == count, depth


def test_perft_names_and_depths() -> None:
    assert len({position.name for position in POSITIONS}) == len(POSITIONS) > 100
    for position in POSITIONS:
        assert list(position.counts) == list(range(1, len(position.counts) + 1)), position.name


def test_perft_files_are_read_in_full(tmp_path: Path) -> None:
    path = tmp_path / "some.perft"
    path.write_text(
        "# What it is about.\n\n"
        "# one\n# and why\nstate S3/S4/S5/S6 2 0 - -\n"
        "rules lead_after_out=next bomb_max=8 full_house_joker_pair=false steps=4,2,1\n"
        "perft 1 1\nperft 2 2\n\n"
        "# two\nstate S3/S4/S5/S6 2 1 - -\nperft 1 1\n"
    )
    one, two = perft_files.read_file(path)
    assert (one.name, one.state) == ("some: one", "S3/S4/S5/S6 2 0 - -")
    assert one.rules == {
        "lead_after_out": "next",
        "bomb_max": 8,
        "full_house_joker_pair": False,
        "steps": (4, 2, 1),
    }
    assert (one.counts, two.counts, two.rules) == ({1: 1, 2: 2}, {1: 1}, {})


@pytest.mark.parametrize("text", ["state -\nperft 1 1", "# a\n\n# b\nperft 1 1", "# a\n\nstates -"])
def test_what_is_no_perft_file(tmp_path: Path, text: str) -> None:
    path = tmp_path / "some.perft"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"some\.perft"):
        perft_files.read_file(path)


# --- The rules one by one ---


def test_a_leader_may_not_pass() -> None:
    deal = played("S3/S4S5/S6/S7 2 0 - -")
    assert deal.moves() == {move("single 3 S3")}
    with pytest.raises(ValueError, match="no legal move"):
        deal.play(ref_deal.PASS)


def test_a_reply_beats_the_table_or_passes() -> None:
    deal = played("S3/S4S5/S6S6/S7S8 2 2 1:single:5 -")
    assert deal.moves() == {ref_deal.PASS, move("single 6 S6")}
    with pytest.raises(ValueError, match="no legal move"):
        deal.play(move("pair 6 S6 S6"))


def test_a_pass_does_not_lock_a_seat_out() -> None:
    deal = played("S3S4/S6S7/S5S9/S8S9 2 0 - -", "single 3 S3", "pass", "single 5 S5", "pass")
    deal.play(ref_deal.PASS)
    assert deal.turn == 1
    assert move("single 6 S6") in deal.moves()


def test_a_trick_ends_when_all_others_have_passed() -> None:
    deal = played("S3S4/S5S6/S7S8/S9ST 2 0 - -", "single 3 S3", "pass", "single 7 S7", "pass")
    assert (deal.turn, deal.table, deal.owner) == (0, ("single", "7"), 2)
    deal.play(ref_deal.PASS)
    assert (deal.turn, deal.table, deal.owner) == (1, ("single", "7"), 2)
    deal.play(ref_deal.PASS)
    assert (deal.turn, deal.table, deal.owner) == (2, None, None)


def test_seats_that_are_out_are_left_out() -> None:
    deal = played("S3S4/-/S7S8/S9ST 2 0 - 1", "single 3 S3")
    assert deal.turn == 2
    deal.play(ref_deal.PASS)
    deal.play(ref_deal.PASS)
    assert (deal.turn, deal.table) == (0, None)


@pytest.mark.parametrize(
    ("state", "passes", "by_partner", "by_next"),
    [
        ("-/S5S6/S7S8/S9ST 2 1 0:single:A 0", 3, 2, 1),
        ("S5S6/-/S7S8/S9ST 2 2 1:single:A 1", 3, 3, 2),
        ("S5S6/S7S8/S9ST/- 2 0 3:single:A 3", 3, 1, 0),
        ("-/-/S7S8/S9ST 2 2 1:single:A 01", 2, 3, 2),
        ("-/-/S7S8/S9ST 2 2 0:single:A 10", 2, 2, 2),
        ("-/S7S8/S9ST/- 2 1 0:single:A 30", 2, 2, 1),
        ("-/S7S8/S9ST/- 2 1 3:single:A 03", 2, 1, 1),
    ],
)
def test_lead_after_out(state: str, passes: int, by_partner: int, by_next: int) -> None:
    leaders = []
    for rule in ("partner", "next"):
        deal = played(state, *["pass"] * (passes - 1), lead_after_out=rule)
        assert deal.table is not None
        deal.play(ref_deal.PASS)
        assert (deal.table, deal.owner) == (None, None)
        leaders.append(deal.turn)
    assert leaders == [by_partner, by_next]


def test_the_last_card_can_still_be_beaten() -> None:
    deal = played("S3/S5S6/S7S8/S9ST 2 0 - -", "single 3 S3", "pass", "pass", "single 9 S9")
    # The owner is in again, so the trick goes round past the seat that is out.
    assert (deal.turn, deal.owner, deal.out) == (1, 3, [0])
    deal.play(ref_deal.PASS)
    deal.play(ref_deal.PASS)
    assert (deal.turn, deal.table) == (3, None)


def test_a_double_ends_the_deal_at_once() -> None:
    deal = played("S3/S5S6/S7/S9ST 2 0 - -", "single 3 S3", "pass", "single 7 S7")
    assert ref_deal.text(deal) == "-/S5S6/-/S9ST 2 - - 02"
    assert (deal.is_over, deal.moves(), deal.order(), deal.payoff()) == (
        True,
        set(),
        [0, 2, 1, 3],
        3,
    )


def test_the_third_out_ends_the_deal() -> None:
    deal = played("S3/S5/S7S7/S9ST 2 0 - -", "single 3 S3", "single 5 S5", "pass")
    assert (deal.is_over, deal.order(), deal.payoff()) == (False, None, None)
    deal = played("-/-/S7S7/S9ST 2 2 - 01", "pair 7 S7 S7")
    assert ref_deal.text(deal) == "-/-/-/S9ST 2 - - 012"
    assert (deal.is_over, deal.moves(), deal.order(), deal.payoff()) == (
        True,
        set(),
        [0, 1, 2, 3],
        2,
    )


def test_second_and_third_of_a_side_go_on() -> None:
    deal = played("-/S5/S7S7/S9ST 2 1 - 0", "single 5 S5", "pass")
    assert deal.turn == 3
    assert not deal.is_over


@pytest.mark.parametrize(
    ("order", "steps"),
    [
        ([0, 2, 1, 3], 3),
        ([2, 0, 1, 3], 3),
        ([0, 1, 2, 3], 2),
        ([2, 3, 0, 1], 2),
        ([0, 1, 3, 2], 1),
        ([2, 1, 3, 0], 1),
        ([1, 3, 0, 2], -3),
        ([3, 1, 0, 2], -3),
        ([1, 2, 3, 0], -2),
        ([3, 0, 1, 2], -2),
        ([1, 2, 0, 3], -1),
        ([3, 0, 2, 1], -1),
    ],
)
def test_order_and_payoff(order: list[int], steps: int) -> None:
    deal = finished(order)
    assert (deal.order(), deal.payoff()) == (order, steps)
    assert len(deal.out) == (2 if abs(steps) == 3 else 3)
    other = finished(order, steps=(4, 2, 1))
    assert other.payoff() == {3: 4, -3: -4}.get(steps, steps)


def test_switches_reach_the_moves() -> None:
    hands = "S4S5S6S7H2/S3/C3/D3 2 0 - -"
    straight = move("straight 7 S4 S5 S6 S7 H2")
    assert straight in played(hands).moves()
    assert straight not in played(hands, straight_flush_downgrade="forbid").moves()


# --- Copies, counts and text ---


def test_a_copy_stands_alone() -> None:
    deal = played("S3S4/S5S6/S7S8/S9ST 2 0 - -")
    before = ref_deal.text(deal)
    other = deal.copy()
    assert other == deal
    other.play(move("single 3 S3"))
    assert ref_deal.text(deal) == before != ref_deal.text(other)


def test_perft_by_hand() -> None:
    # Over S3 seat 1 may play or pass, over S5 only pass. S4 comes round to seat 0, which may pass
    # or play; when all pass it leads what it has left.
    deal = ref_deal.parse_deal("S3S5/S4/S2/S2 7 0 - -")
    assert [ref_deal.perft(deal, depth) for depth in range(6)] == [1, 2, 3, 3, 3, 4]
    # Seat 1 runs out, seat 2 passes or plays either card, seat 3 passes or ends the deal; a pass
    # leaves one card, led by seat 2, or, where it passed too, by the partner of seat 1.
    deal = ref_deal.parse_deal("-/S4/S5S6/S7 7 1 - 0")
    assert [ref_deal.perft(deal, depth) for depth in range(6)] == [1, 1, 3, 6, 3, 0]


def test_perft_counts_every_sequence() -> None:
    def count(deal: ref_deal.Deal, depth: int) -> int:
        if depth == 0:
            return 1
        return sum(count(after, depth - 1) for after in ref_deal.positions_after(deal).values())

    for row in rows("endgames.jsonl")[::10]:
        deal = deal_of(row)
        for depth in range(4):
            assert count(deal, depth) == ref_deal.perft(deal, depth)


def test_text_round_trips() -> None:
    for row in rows("endgames.jsonl"):
        deal = deal_of(row)
        text = ref_deal.text(deal)
        assert ref_deal.parse_deal(text, deal.lead_after_out) == deal
        assert ref_deal.text(ref_deal.parse_deal(text)) == text


def test_text_by_example() -> None:
    state = "S4S5D9/SBHR/-/C2C2H3 7 0 3:pair:2 2"
    deal = ref_deal.parse_deal(state, "next", (4, 2, 1), bomb_max=8)
    assert deal == ref_deal.Deal(
        hands=[ref.parse("S4 S5 D9"), ref.parse("SB HR"), [], ref.parse("C2 C2 H3")],
        level="7",
        turn=0,
        table=("pair", "2"),
        owner=3,
        out=[2],
        switches=ref.Switches(bomb_max=8),
        lead_after_out="next",
        steps=(4, 2, 1),
    )
    assert ref_deal.text(deal) == state
    with_cards = state.replace("pair:2", "pair:2:S2D2")
    assert ref_deal.text(ref_deal.parse_deal(with_cards)) == state


def test_whole_deals() -> None:
    for seed in range(5):
        rng = random.Random(seed)
        deck = rng.sample([*range(54)] * 2, 108)
        deal = ref_deal.Deal([deck[seat::4] for seat in range(4)], rng.choice(ref.NATURAL_RANKS), 0)
        deal.lead_after_out = rng.choice(["partner", "next"])
        while not deal.is_over:
            assert ref_deal.problems(deal) == []
            deal.play(rng.choice(sorted(deal.moves())))
        assert ref_deal.problems(deal) == []
        order = deal.order()
        assert order is not None
        assert sorted(order) == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("state", "problem"),
    [
        ("S3S3/S3/S4/S5 2 0 - -", "too many S3"),
        ("S3/S4/S5/- 2 0 - -", "out is not the seats without cards"),
        ("S3/S4/S5/S6 2 0 - 3", "out is not the seats without cards"),
        ("S3/S4/S5/- 2 3 - 3", "the turn is out"),
        ("S3/S4/S5/S6 2 0 0:single:A -", "the owner is to play"),
        ("-/S3/S4/- 2 1 0:single:A 03", "the owner is out, but not as the last"),
        ("-/S3/-/S4 2 1 - 02", "over by out, turn or table, but not by all three"),
        ("-/S3/S5/S4 2 - - 0", "over by out, turn or table, but not by all three"),
        ("-/S3/-/S4 2 - 2:single:3 02", "over by out, turn or table, but not by all three"),
        ("-/-/-/S4 2 - - 021", "a seat went out after the end"),
        ("HRHR/S3/S4/S5 2 0 1:single:R -", "too few cards are gone to make the table"),
        ("H2/SASACACADADAHAHA/S4/S5 2 0 1:triple:A -", "too few cards are gone to make the table"),
        ("S5S6/S3/S4H7/S5H7 7 0 1:straight_flush:5 -", None),
    ],
)
def test_problems(state: str, problem: str | None) -> None:
    found = ref_deal.problems(ref_deal.parse_deal(state))
    assert found == ([problem] if problem else [])


def test_problems_of_large_hands() -> None:
    hands = [list(range(start, start + 26)) for start in (0, 26)]
    deal = ref_deal.Deal([*hands, [52], [53]], "2", 1, ("single", "3"), 0)
    assert ref_deal.problems(deal) == []
    deal.table = ("pair", "3")
    assert ref_deal.problems(deal) == ["the owner had too many"]
    deal.hands[1] = [*range(20, 48)]
    assert ref_deal.problems(deal) == ["seat 1 holds too many", "the owner had too many"]
