"""The commands `match` and `replay`: they print what the package plays and what a record holds."""

import json
import random
import re
from itertools import pairwise

import pytest
from cli_runner import ESCAPES, PLAIN, TERMINAL, refuse, refuse_in_a_line, run, split_plain
from test_match_events import random_match
from typer.testing import CliRunner

import guandan as gd
from guandan.cli import app
from guandan.cli.history import DealSummary, result_text, split_deals, summaries, words
from guandan.record import Dealt, Event, Played, Result, Returned
from guandan.tribute import Tribute

PRESETS = gd.Rules.presets()
HEADINGS = ["deal", "level", "declarers", "leader", "order", "levels", "moves", "tribute"]
PLACES = ["first", "second", "third"]
ENVIRONMENTS = pytest.mark.parametrize("env", [PLAIN, TERMINAL], ids=["plain", "terminal"])


def cells(line):
    """Return the cells of a line: two spaces at least stand between them."""
    return re.split("  +", line.strip())


def wide(columns):
    """Return the environment of a terminal of a width."""
    return {**TERMINAL, "COLUMNS": str(columns)}


def play(rules=None, seed=3, most=10**9, **arguments):
    """Play a match, or so many choices of it, as the command does."""
    rng = random.Random(seed)
    match = gd.Match(rules, seed=seed, **arguments)
    while match.phase != "over" and most:
        seat = rng.choice(match.to_act)
        match.act(rng.choice(match.options(seat)), seat)
        most -= 1
    return match


def extra_deal(path, limit):
    """Play a match of given deals whose third is an extra one: the two before it are void."""
    now = 0.0
    end = (limit, {"minutes": 1, "deals": 2}[limit], "extra_deal")
    rules = gd.Rules(match_end=end, conduct="seed002")
    given = [gd.State.deal("2", seed) for seed in range(1, 9)]
    match = gd.Match(rules, 1, deals=given, clock=lambda: now, record=path)
    match.event("hidden_cards", 0)
    assert match.declarers == 1
    now = 100.0
    match.event("hidden_cards", 1)
    assert (match.deal_number, match.declarers) == (3, None)
    rng = random.Random(1)
    while match.phase != "over":
        match.act(rng.choice(match.options()))
    return match


def run_all(*args, env=PLAIN, stdin=None):
    """Run a command; return its status, what it prints and its errors."""
    result = CliRunner(env=env).invoke(app, args, input=stdin)
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result.exit_code, result.stdout, result.stderr


def tributes_of(history):
    """Return what the column of the tribute holds for each deal."""
    said = []
    for entry in history:
        if isinstance(entry, Dealt):
            said.append("-")
        elif isinstance(entry, Event) and entry.name == "resist":
            said[-1] = "resisted"
        elif isinstance(entry, Tribute):
            gift = f"{entry.payer}>{entry.receiver} {entry.card}"
            said[-1] = gift if said[-1] == "-" else f"{said[-1]}; {gift}"
        elif isinstance(entry, Returned):
            gifts = said[-1].split("; ")
            [number] = [
                i
                for i, gift in enumerate(gifts)
                if gift.startswith(f"{entry.receiver}>{entry.giver} ")
            ]
            gifts[number] += f", back {entry.card}"
            said[-1] = "; ".join(gifts)
    return said


def expected_rows(match):
    """Return the cells of the lines of a match, by its deals and where they left it standing."""
    standing = gd.Standing()
    rows = []
    tributes = tributes_of(match.history)
    for number, (state, tribute) in enumerate(zip(match.deals, tributes, strict=True), 1):
        start = state.copy()
        while start.history:
            start.pop()
        declarers = "-" if standing.declarers is None else str(standing.declarers)
        row = [str(number), state.level, declarers, str(start.turn)]
        standing = standing.after(state.order, match.rules)
        order, levels = (" ".join(map(str, some)) for some in (state.order, standing.levels))
        rows.append([*row, order, levels, str(len(state.history)), tribute])
    return rows


# A line for each deal


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("seed", [0, 1])
def test_match_prints_a_line_for_each_deal(name, seed):
    match = play(gd.Rules.preset(name), seed)
    lines, other = split_plain(run("match", "--seed", str(seed), "--rules", name))
    assert list(map(cells, lines)) == expected_rows(match)
    head, headings, end = other
    assert head == f"# seed {seed}, rules {name}"
    assert cells(headings[1:]) == HEADINGS
    assert end == f"# {result_text(match.result)}"


def test_columns_stand_below_their_headings():
    lines = run("match", "--rules", "seed000").splitlines()[1:-1]
    places = [lines[0].index(heading) for heading in HEADINGS[1:]]
    for line in lines[1:]:
        for place in places:
            assert line[place - 2 : place] == "  "
            assert line[place] != " "
        assert line == line.rstrip()


@pytest.mark.parametrize("columns", [40, 72, 80, 120])
def test_a_terminal_shows_the_same(columns):
    args = ("match", "--seed", "3", "--rules", "seed000")
    plain = [line.removeprefix("# ") for line in run(*args).splitlines()]
    output = run(*args, env=wide(columns))
    assert "\x1b" in output
    lines = [line.rstrip() for line in ESCAPES.sub("", output).splitlines()]
    if columns < 88:
        # The second of two tributes is below the first.
        assert any(line.startswith(" ") for line in lines)
        lines = "\n".join(lines)
        lines = re.sub("\n +", " ", lines).splitlines()
    assert list(map(cells, lines)) == list(map(cells, plain))
    assert max(map(len, ESCAPES.sub("", output).splitlines())) <= max(columns, 72)


def test_a_tribute_is_in_colour():
    output = run("match", "--seed", "3", "--rules", "seed000", env=wide(120))
    assert "0>1 \x1b[1;31mHR\x1b[0m, back S2" in output


def test_a_seed_gives_the_same_match():
    assert run("match", "--seed", "5") == run("match", "--seed", "5")
    assert run("match", "--seed", "5") != run("match", "--seed", "6")
    assert run("match") == run("match", "--seed", "0")


@pytest.mark.parametrize("name", ["jiangsu2023", "seed000", "seed002", "opengd"])
def test_match_and_replay_print_the_same(name, tmp_path):
    path = tmp_path / "m.jsonl"
    args = ("--seed", "4", "--rules", name)
    output = run("match", *args, "--record", str(path))
    assert output == run("replay", str(path))
    assert run("replay", "-", stdin=path.read_text("utf-8")) == output
    assert run("match", *args, "--json") == run("replay", str(path), "--json")
    for columns in (60, 90):
        assert run("match", *args, env=wide(columns)) == run("replay", str(path), env=wide(columns))
    assert gd.Match.load(path).history == play(gd.Rules.preset(name), 4).history


def test_json_of_a_match():
    for env in (PLAIN, TERMINAL):
        output = run("match", "--rules", "seed002", "--json", env=env)
        assert output.count("\n") == 1
        found = json.loads(output)
        assert list(found) == ["seed", "rules", "deals", "result"]
        match = play(gd.Rules.preset("seed002"), 0)
        assert found["seed"] == 0
        assert found["rules"] == json.loads(match.rules.to_json())
        result = match.result
        assert found["result"] == {
            "winner": result.winner,
            "reason": "ace",
            "levels": list(result.levels),
            "scores": list(result.scores),
        }
        for deal, row in zip(found["deals"], expected_rows(match), strict=True):
            assert list(deal) == [
                *("deal", "level", "declarers", "turned", "resisted", "tributes", "returns"),
                *("leader", "order", "levels", "moves", "events"),
            ]
            tribute = "resisted" if deal["resisted"] else "-"
            backs = {(back["receiver"], back["giver"]): back["card"] for back in deal["returns"]}
            if deal["tributes"]:
                tribute = "; ".join(
                    f"{payer}>{receiver} {card}, back {backs[payer, receiver]}"
                    for payer, receiver, card in (one.values() for one in deal["tributes"])
                )
            declarers = "-" if deal["declarers"] is None else str(deal["declarers"])
            shown = [str(deal["deal"]), deal["level"], declarers, str(deal["leader"])]
            shown += [" ".join(map(str, deal["order"])), " ".join(deal["levels"])]
            assert [*shown, str(deal["moves"]), tribute] == row
        turned = [deal["turned"] for deal in found["deals"]]
        assert turned == [match.history[0].detail] + [None] * (len(turned) - 1)


# How a match ends


@pytest.mark.parametrize("deals", [1, 3])
def test_so_many_deals(deals):
    lines, other = split_plain(run("match", "--deals", str(deals), "--seed", "5"))
    assert len(lines) == deals
    assert other[0] == f"# seed 5, rules jiangsu2023, match_end deals {deals} draw"
    match = play(gd.Rules(match_end=("deals", deals, "draw")), 5)
    assert list(map(cells, lines)) == expected_rows(match)


def test_so_many_deals_by_rules_with_a_tie_of_their_own():
    found = json.loads(run("match", "--deals", "2", "--rules", "seed001", "--json"))
    assert found["rules"]["match_end"] == ["deals", 2, "first_to_reach"]
    _, other = split_plain(run("match", "--deals", "2", "--rules", "seed001"))
    assert other[0] == "# seed 0, rules seed001, match_end deals 2 first_to_reach"


def test_rules_of_a_file(tmp_path):
    path = tmp_path / "house.toml"
    path.write_text('preset = "pagat"\nbomb_max = 8\n')
    rules = gd.Rules.preset("pagat").replace(bomb_max=8)
    lines, other = split_plain(run("match", "--rules", str(path)))
    assert list(map(cells, lines)) == expected_rows(play(rules, 0))
    assert other[0] == "# seed 0, rules pagat, bomb_max 8"


def test_an_extra_deal_counts_for_no_level(tmp_path):
    path = tmp_path / "house.toml"
    path.write_text('match_end = ["deals", 2, "extra_deal"]\n')
    rules = gd.Rules(match_end=("deals", 2, "extra_deal"))
    found = 0
    for seed in range(30):
        match = play(rules, seed)
        if match.result.reason != "extra_deal":
            continue
        found += 1
        lines, other = split_plain(run("match", "--rules", str(path), "--seed", str(seed)))
        state = match.deals[-1]
        row = cells(lines[-1])
        assert row[:3] == ["3", match.level, "-"]
        assert row[4:] == [str(state.out[0]), "-", str(len(state.history)), "-"]
        assert other[-1].startswith(f"# side {state.out[0] % 2} wins: it won the extra deal")
        deal = json.loads(run("match", "--rules", str(path), "--seed", str(seed), "--json"))[
            "deals"
        ][-1]
        assert (deal["declarers"], deal["levels"]) == (None, None)
        assert deal["order"] == list(state.out)
        assert deal["turned"] is not None
    assert found


@pytest.mark.parametrize("limit", ["minutes", "deals"])
def test_an_extra_deal_of_given_ones(limit, tmp_path):
    """Given states say who leads, so no card is turned up."""
    path = tmp_path / "m.jsonl"
    match = extra_deal(path, limit)
    assert match.result.reason == "extra_deal"
    lines, other = split_plain(run("replay", str(path)))
    assert [cells(line)[2] for line in lines] == ["-", "1", "-"]
    assert cells(lines[-1])[4:6] == [str(match.deals[-1].out[0]), "-"]
    assert other[-1].endswith("it won the extra deal; levels 3 3; scores 13 13")
    deal = json.loads(run("replay", str(path), "--deal", "3", "--json"))
    assert (deal["declarers"], deal["turned"], deal["levels"]) == (None, None, None)
    _, other = split_plain(run("replay", str(path), "--deal", "3"))
    assert other[0] == "# deal 3, level 3, nobody declares"
    assert "# an extra deal: the side of the first out wins the match" in other
    shown = run("replay", str(path), "--deal", "3", env=TERMINAL)
    assert "an extra deal: the side of the first out wins the match" in ESCAPES.sub("", shown)


@pytest.mark.parametrize(
    ("result", "said"),
    [
        (Result(1, "ace", ("9", "A"), (7, 19)), "side 1 wins at level A; levels 9 A; scores 7 19"),
        (Result(0, "ace", ("A", "K"), None), "side 0 wins at level A; levels A K"),
        (
            Result(None, "falls", ("2", "A"), None),
            "a draw: a side has fallen from A too often; levels 2 A",
        ),
        (
            Result(0, "minutes", ("9", "8"), None),
            "side 0 wins: the time is up, its level is higher; levels 9 8",
        ),
        (
            Result(1, "minutes", ("9", "9"), None),
            "side 1 wins: the time is up, it came to its level first; levels 9 9",
        ),
        (
            Result(None, "minutes", ("9", "9"), (13, 13)),
            "a draw: the time is up, the levels are equal; levels 9 9; scores 13 13",
        ),
        (
            Result(1, "deals", ("2", "8"), None),
            "side 1 wins: all deals are played, its level is higher; levels 2 8",
        ),
        (
            Result(0, "extra_deal", ("4", "4"), (13, 13)),
            "side 0 wins: it won the extra deal; levels 4 4; scores 13 13",
        ),
        (
            Result(1, "referee", ("2", "8"), (0, 28)),
            "side 1 wins: the referee has ruled so; levels 2 8; scores 0 28",
        ),
    ],
)
def test_results_in_words(result, said):
    assert result_text(result) == words(result) == said


# Summaries


def test_the_parts_of_a_history_are_the_deals():
    match = play(gd.Rules(match_end=("deals", 3, "extra_deal")), 5)
    parts = list(split_deals(match.history))
    assert sum(parts, ()) == match.history
    for part in parts:
        assert len([entry for entry in part if isinstance(entry, Dealt)]) == 1
    for before, after in pairwise(parts):
        assert not any(isinstance(entry, Played) for entry in after[:1])
        assert isinstance(before[-1], Event)
    # A card turned up without hands is no deal yet.
    assert list(split_deals([Event("turned", 1, "S3")])) == []


def test_a_summary_of_a_deal_that_has_just_begun():
    match = gd.Match(seed=3)
    [deal] = summaries(split_deals(match.history))
    assert deal == DealSummary(number=1, declarers=None, entries=match.history)
    assert (deal.leader, deal.order, deal.levels, deal.is_extra) == (None, (), None, False)
    assert deal.dealt.hands == match.hands


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        (Tribute(3, 0, "SA"), "seat 3 pays SA to seat 0"),
        (Returned(0, 3, "D3"), "seat 0 returns D3 to seat 3"),
        (Event("turned", 2, "S6"), "S6 is turned up: seat 2 leads"),
        (Event("resist", 1), "the tribute is resisted"),
        (Event("pay", 1), "seat 1 could resist, and does not"),
        (Event("left", 1, 6), "seat 1 has 6 cards left"),
        (Event("left", 1, 1), "seat 1 has 1 card left"),
        (Event("order", 0, "0 2 1 3"), "order 0 2 1 3"),
        (Event("levels", None, "5 2"), "levels 5 2"),
        (Event("time_up"), "the time is up"),
        (Event("extra_deal"), "an extra deal: the side of the first out wins the match"),
    ],
)
def test_entries_in_words(entry, said):
    assert words(entry) == said


def test_a_move_has_no_words():
    with pytest.raises(TypeError, match="want an entry that is no move"):
        words(Played(0, gd.Move.parse("pass")))


# Records


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """Return the path of a record and its match; players say how many cards they have left."""
    path = tmp_path_factory.mktemp("records") / "m.jsonl"
    return path, play(gd.Rules.preset("seed002"), 3, record=path)


def test_records_of_given_deals_and_other_beginnings(tmp_path):
    given = [gd.State.deal("2", seed=seed) for seed in range(3)]
    path = tmp_path / "given.jsonl"
    match = play(gd.Rules.preset("opengd"), None, deals=given, record=path)
    lines, other = split_plain(run("replay", str(path)))
    assert list(map(cells, lines)) == expected_rows(match)
    assert other[0] == "# 3 given deals, rules opengd"
    assert json.loads(run("replay", str(path), "--json"))["seed"] == match.seed
    path = tmp_path / "later.jsonl"
    standing = gd.Standing(levels=("A", "Q"), declarers=0)
    match = play(seed=1, standing=standing, order=(2, 1, 0, 3), record=path)
    lines, other = split_plain(run("replay", str(path)))
    assert other[0] == "# seed 1, rules jiangsu2023, from levels A Q"
    assert cells(lines[0])[:3] == ["1", "A", "0"]
    assert cells(lines[0])[-1].startswith("3>2 ")


@pytest.mark.parametrize("most", [0, 1, 57, 300])
def test_a_match_that_goes_on(most, tmp_path):
    path = tmp_path / "m.jsonl"
    match = play(gd.Rules.preset("seed002"), 3, most, record=path)
    lines, other = split_plain(run("replay", str(path)))
    assert len(lines) == match.deal_number
    *_, order, levels, moves, _ = cells(lines[-1])
    assert match.phase == "play"
    assert order == (" ".join(map(str, match.state.out)) or "-")
    assert levels == "-"
    assert moves == str(len(match.state.history))
    assert other[-1] == (f"# not over: in deal {match.deal_number} seat {match.to_act[0]} to move")
    assert json.loads(run("replay", str(path), "--json"))["result"] is None


def test_a_match_that_goes_on_with_tribute(tmp_path):
    path = tmp_path / "m.jsonl"
    seen = set()
    match = gd.Match(gd.Rules.preset("seed000"), seed=4, record=path)
    rng = random.Random(4)
    while match.phase != "over":
        if match.phase != "play" and (match.phase, len(match.to_act)) not in seen:
            seen.add((match.phase, len(match.to_act)))
            seats = " and ".join(map(str, match.to_act))
            plural = "s" if len(match.to_act) > 1 else ""
            what = {"tribute": "pay", "return": "return"}[match.phase]
            said = f"# not over: in deal {match.deal_number} seat{plural} {seats} to {what}"
            again = gd.Match.load(path)
            if again.to_act == match.to_act:
                lines = run("replay", str(path)).splitlines()
                assert lines[-1] == said
                tribute = cells(lines[-2])[-1]
                assert "back" not in tribute
                assert (tribute == "-") == (match.phase == "tribute")
                full = run("replay", str(path), "--deal", str(match.deal_number))
                assert all(line.startswith("# ") for line in full.splitlines())
        seat = rng.choice(match.to_act)
        match.act(rng.choice(match.options(seat)), seat)
    assert {phase for phase, _ in seen} == {"tribute", "return"}


# One deal in full


@pytest.mark.parametrize("number", [1, 2, -1])
@pytest.mark.parametrize("name", ["jiangsu2023", "seed000", "njupt1006"])
def test_a_deal_in_full_is_a_state_and_its_moves(name, number, tmp_path):
    path = tmp_path / "m.jsonl"
    match = play(gd.Rules.preset(name), 3, record=path)
    number %= match.deal_number + 1
    output = run("replay", str(path), "--deal", str(number))
    text, *moves = split_plain(output)[0]
    state = match.deals[number - 1]
    at = gd.State.parse(text, match.rules)
    for move in moves:
        at.push(move)
    assert (at, at.history) == (state, state.history)
    # What is between them: whose moves they are, who is out, and all else that happened.
    at = gd.State.parse(text, match.rules)
    part = list(split_deals(match.history))[number - 1]
    entries = [entry for entry in part if not isinstance(entry, Dealt)]
    lines = output.splitlines()
    side = expected_rows(match)[number - 1][2]
    who = "nobody" if side == "-" else f"side {side}"
    assert lines.pop(0) == f"# deal {number}, level {at.level}, {who} declares"
    assert lines.pop(0).startswith("# rules ")
    hands = [line for line in lines if re.match(r"# seat \d  ", line)]
    dealt = next(entry for entry in part if isinstance(entry, Dealt))
    for seat, (line, hand) in enumerate(zip(hands, gd.State.parse(dealt.state).hands, strict=True)):
        assert line.startswith(f"# seat {seat}  ")
        cards = line[10:].split()
        assert gd.Hand(cards) == hand
        ranks = [card[1] for card in cards if card not in ("SB", "HR")]
        order = "23456789TJQKA".replace(at.level, "") + at.level
        assert ranks == sorted(ranks, key=order.index)
        lines.remove(line)
    numbers, seats = [], []
    for line in lines:
        if line == text:
            continue
        if heading := re.fullmatch(r"# trick (\d+), seats ([\d ]+)", line):
            assert seats == []
            assert at.table is None
            numbers.append(int(heading[1]))
            seats = list(map(int, heading[2].split()))
        elif place := re.fullmatch(r"# seat (\d) is (first|second|third)", line):
            assert at.out[PLACES.index(place[2]) :] == (int(place[1]),)
        elif line.startswith("#"):
            assert line == f"# {words(entries.pop(0))}"
        else:
            assert entries.pop(0) == (at.turn, gd.Move.parse(line))
            assert at.turn == seats.pop(0)
            at.push(line)
    assert entries == []
    assert numbers == list(range(1, len(numbers) + 1))
    assert ("cards left" in output) == match.rules.report_cards[1]


@pytest.mark.parametrize("name", PRESETS)
def test_a_deal_in_full_says_which_rules_its_review_needs(name, tmp_path):
    path = tmp_path / "m.jsonl"
    limit = () if name == "seed001" else (("match_end", ("deals", 1, "draw")),)
    match = play(gd.Rules.preset(name).replace(**dict(limit)), 3, record=path)
    output = run("replay", str(path), "--deal", "1")
    line = output.splitlines()[1]
    assert line == f"# rules {name}: for guandan review - --rules {name}"
    found = run("review", "-", "--nodes", "0", "--json", *line.split()[-2:], stdin=output)
    assert len(json.loads(found)["plays"]) == len(match.deals[0].history)


def test_a_deal_in_full_has_the_file_of_rules_that_are_no_preset(tmp_path):
    path = tmp_path / "m.jsonl"
    rules = gd.Rules.preset("seed000").replace(lead_after_out="partner", bomb_max=8)
    play(rules, 3, 200, record=path)
    output = run("replay", str(path), "--deal", "1")
    _, line, *others = output.splitlines()
    assert line.startswith("# rules of no preset: for guandan review - --rules r.toml, ")
    text = "\n".join(other[4:] for other in others if other.startswith("#   "))
    assert gd.Rules.from_toml(text) == rules
    (tmp_path / "r.toml").write_text(text)
    run("review", "-", "--nodes", "0", "--rules", str(tmp_path / "r.toml"), stdin=output)


def test_a_deal_in_full_without_a_play_needs_no_rules(tmp_path):
    play(gd.Rules.preset("opengd"), 3, 0, record=tmp_path / "m.jsonl")
    assert "rules" not in run("replay", str(tmp_path / "m.jsonl"), "--deal", "1")


def test_a_double_is_in_the_notes(recorded):
    _, match = recorded
    doubles = [
        number
        for number, state in enumerate(match.deals, 1)
        if state.order[0] % 2 == state.order[1] % 2
    ]
    for number in doubles:
        output = run("replay", str(recorded[0]), "--deal", str(number))
        first, second, *_ = match.deals[number - 1].order
        assert f"# seat {first} is first\n" in output
        assert f"# seat {second} is second\n" in output
        assert "third" not in output
    assert doubles


@pytest.mark.parametrize("columns", [72, 100])
def test_a_terminal_shows_a_deal_trick_by_trick(recorded, columns):
    path, match = recorded
    for number, row in enumerate(expected_rows(match), 1):
        output = ESCAPES.sub("", run("replay", str(path), "--deal", str(number), env=wide(columns)))
        lines = [line.rstrip() for line in output.replace("*", "").splitlines()]
        assert max(map(len, lines)) <= columns
        shown = {}
        name = None
        for line in lines[1:]:
            label = re.match(r"(seat \d|leader|tribute|trick \d+|order|levels|result)  ", line)
            name = label[1] if label else name
            place = re.match(r"\S+( \d+)?  +|  +", line).end()
            shown.setdefault(name, []).append(line[place:])
        dealt = [entry for entry in match.history if isinstance(entry, Dealt)][number - 1]
        for seat, hand in enumerate(gd.State.parse(dealt.state).hands):
            assert gd.Hand(" ".join(shown[f"seat {seat}"])) == hand
        if number == 1:
            turned = next(entry for entry in match.history if isinstance(entry, Event))
            assert shown["leader"] == [f"seat {row[3]}, {turned.detail} is turned up"]
        else:
            assert " ".join(shown["tribute"]) == row[-1]
        assert (shown["order"], shown["levels"]) == ([row[4]], [row[5]])
        assert ("result" in shown) == (number == match.deal_number)
        state = match.deals[number - 1]
        at = state.copy()
        while at.history:
            at.pop()
        tricks = [(name, found) for name, found in shown.items() if name.startswith("trick ")]
        assert [name for name, _ in tricks] == [f"trick {i + 1}" for i in range(len(tricks))]
        said = []
        for _, found in tricks:
            assert at.table is None
            for play in (play for line in found for play in line.split("  ")):
                seat, move, _, note = re.fullmatch(r"(\d) (.*?)( \((.*)\))?", play).groups()
                assert int(seat) == at.turn
                n_out = len(at.out)
                at.push(move)
                place = PLACES[n_out] if len(at.out) > n_out else None
                if note is None or note in PLACES:
                    assert note == place
                else:
                    said.append((int(seat), note))
        assert at == state
        part = list(split_deals(match.history))[number - 1]
        left = [entry for entry in part if isinstance(entry, Event) and entry.name == "left"]
        assert said == [(seat, f"{count} left") for _, seat, count in left]
        assert said


def test_json_of_a_deal(recorded):
    path, match = recorded
    deals = json.loads(run("replay", str(path), "--json"))["deals"]
    for number in (1, 2, match.deal_number):
        output = run("replay", str(path), "--deal", str(number), "--json")
        assert output.count("\n") == 1
        found = json.loads(output)
        assert list(found) == [*deals[0], "hands", "state", "plays"]
        assert {name: found[name] for name in deals[0]} == deals[number - 1]
        part = list(split_deals(match.history))[number - 1]
        dealt = next(entry for entry in part if isinstance(entry, Dealt))
        assert tuple(map(gd.Hand, found["hands"])) == gd.State.parse(dealt.state).hands
        at = gd.State.parse(found["state"], match.rules)
        said = []
        for play in found["plays"]:
            assert list(play) == ["seat", "move", "left", "turn_lost"]
            assert not play["turn_lost"]
            assert play["seat"] == at.turn
            at.push(play["move"])
            if play["left"] is not None:
                said.append(Event("left", play["seat"], play["left"]))
                assert play["left"] == len(at.hands[play["seat"]])
        assert at == match.deals[number - 1]
        assert said == [
            entry for entry in part if isinstance(entry, Event) and entry.name == "left"
        ]


def test_paying_though_one_could_resist(tmp_path):
    path = tmp_path / "m.jsonl"
    seed = next(
        seed
        for seed in range(100)
        if sum(hand.count("HR") for hand in gd.deal_hands(seed)[1::2]) == 2
    )
    match = gd.Match(
        gd.Rules.preset("seed002"),
        deals=[gd.deal_hands(seed)],
        standing=gd.Standing(levels=("5", "2"), declarers=0),
        order=(0, 2, 1, 3),
        record=path,
    )
    assert match.options() == ("resist", "pay")
    assert "in deal 1 seat 1 to pay" in run("replay", str(path))
    match.act("pay")
    while match.phase == "tribute":
        match.act(match.options(match.to_act[0])[0], match.to_act[0])
    assert "# seat 1 could resist, and does not\n" in run("replay", str(path), "--deal", "1")
    assert cells(split_plain(run("replay", str(path)))[0][0])[-1].count("HR") >= 1


# Damage


def damage(path, number, line):
    """Return a copy of a record in which a line, from 1, is another."""
    lines = path.read_text("utf-8").splitlines()
    lines[number - 1] = line
    copy = path.with_name(f"damaged{number}.jsonl")
    copy.write_text("\n".join(lines) + "\n", "utf-8")
    return copy


def test_what_comes_before_a_damaged_line_is_shown(recorded):
    path, match = recorded
    whole, other = split_plain(run("replay", str(path)))
    n_lines = len(match.history) + 1
    starts = [i + 2 for i, entry in enumerate(match.history) if isinstance(entry, Dealt)]
    ends = [
        i + 2
        for i, entry in enumerate(match.history)
        if isinstance(entry, Event) and entry.name == "levels"
    ]
    numbers = {2, 3, 4, n_lines, *starts[1:3], *(n + 1 for n in starts[1:3]), *ends[:2]}
    numbers |= {n + 1 for n in ends[:2]} | set(random.Random(1).sample(range(2, n_lines), 4))
    for number in numbers:
        copy = damage(path, number, '{"seat": 3')
        status, output, error = run_all("replay", str(copy))
        assert status == 2
        assert error.startswith(f"guandan: {copy}, line {number}: ")
        assert "is no JSON" in error
        assert error.count("\n") == 1
        lines, marked = split_plain(output)
        n_whole = sum(end < number for end in ends)
        assert lines[:n_whole] == whole[:n_whole]
        assert len(lines) == sum(start < number for start in starts)
        assert marked == other[:2]
        if len(lines) > n_whole:
            first, rest = starts[n_whole] - 1, number - 2
            played = [e for e in match.history[first:rest] if isinstance(e, Played)]
            row = cells(lines[-1])
            assert row[5:7] == ["-", str(len(played))]
            assert row[:3] == cells(whole[n_whole])[:3]
            assert row[-1] == tributes_of(match.history[:rest])[-1]
            if not played:
                assert row[3] == "-"
        for options in (["--json"], ["--deal", "1"], ["--deal", "1", "--json"]):
            status, output, error = run_all("replay", str(copy), *options)
            assert status == 2
            assert error.count("\n") == 1
            assert f"line {number}: " in error
            assert bool(output) == (bool(lines) or options == ["--json"])
        if lines:
            _, output, _ = run_all("replay", str(copy), "--deal", str(len(lines)))
            moves = [
                e.move
                for e in match.history[starts[len(lines) - 1] - 1 : number - 2]
                if isinstance(e, Played)
            ]
            assert split_plain(output)[0][1:] == list(map(str, moves))
        found = json.loads(run_all("replay", str(copy), "--json")[1])
        assert found["result"] is None
        assert len(found["deals"]) == len(lines)


@pytest.mark.parametrize(
    ("name", "line", "said"),
    [
        ("order", '{"event": ["order", 0, "0 1 2 3"]}', "the match has"),
        ("levels", '{"event": ["levels", null, "A A"]}', "the match has"),
        ("left", '{"event": ["left", 0, 27]}', "the match has"),
        ("turned", '{"event": ["turned", 0, "S3"]}', "the match has"),
    ],
)
def test_what_a_line_claims_is_not_shown(recorded, name, line, said):
    path, match = recorded
    number = 2 + next(
        i for i, entry in enumerate(match.history) if isinstance(entry, Event) and entry[0] == name
    )
    status, output, error = run_all("replay", str(damage(path, number, line)))
    assert status == 2
    assert f"line {number}: {said}" in error
    assert "wins" not in output
    assert len(split_plain(output)[0]) == (name != "turned")


def test_a_result_that_is_edited(recorded):
    path, match = recorded
    line = path.read_text("utf-8").splitlines()[-1].replace('"ace"', '"falls"')
    status, output, error = run_all("replay", str(damage(path, len(match.history) + 1, line)))
    assert (status, error.count("\n")) == (2, 1)
    assert output == run("replay", str(path)).rpartition("# side")[0]


def test_bytes_that_are_changed_never_end_in_a_traceback(recorded):
    path, _ = recorded
    data = path.read_bytes()
    rng = random.Random(2)
    copy = path.with_name("bytes.jsonl")
    failed = 0
    for _ in range(25):
        place = rng.randrange(len(data))
        copy.write_bytes(data[:place] + rng.randbytes(1) + data[place + 1 :])
        status, _, error = run_all("replay", str(copy))
        assert status in (0, 2)
        assert error.count("\n") == (status == 2)
        failed += status == 2
    assert failed > 15


def test_a_record_that_is_cut_short(recorded):
    path, _ = recorded
    data = path.read_bytes()
    data = data[: data.index(b"\n", len(data) // 2) + 9]
    status, output, error = run_all("replay", "-", stdin=data)
    assert status == 2
    number = data.count(b"\n") + 1
    assert error.startswith(f"guandan: standard input, line {number}: ")
    assert "is cut short" in error
    assert split_plain(output)[0]


# Errors


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["match", "--seed", "-1"], "--seed -1: want 0 to"),
        (["match", "--seed", str(2**64)], f"--seed {2**64}: want 0 to"),
        (["match", "--deals", "0"], "--deals 0: want 1 to"),
        (["match", "--rules", "house"], "no preset 'house': there are jiangsu2023"),
        (["match", "--rules", "house.toml"], "house.toml cannot be read: No such file"),
        (["match", "--record", "there"], "there is there already: want the name of a new one"),
        (["match", "--record", "none/m"], "none/m cannot be written: No such file"),
        (["match", "--json", "--record", "there"], "there is there already"),
        (["replay"], "give a file: want the record of a match"),
        (["replay", "none"], "'none' is no file: want the record of a match"),
        (["replay", "there", "none"], "'there none' is no file"),
        (["replay", "there"], "there, line 1: 'S3' is no JSON"),
        (["replay", "empty"], "empty, line 1: the file is empty"),
        (["replay", "there", "--deal", "1"], "there, line 1: 'S3' is no JSON"),
        (["replay", "m", "--deal", "0"], "--deal 0: want 1 to 1"),
        (["replay", "m", "--deal", "2"], "--deal 2: want 1 to 1"),
        (["replay", "m", "--deal", "2", "--json"], "--deal 2: want 1 to 1"),
    ],
)
@ENVIRONMENTS
def test_an_error_is_one_line_and_status_2(args, said, env, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there").write_text("S3\n")
    (tmp_path / "empty").write_text("")
    play(gd.Rules(match_end=("deals", 1, "draw")), record=tmp_path / "m")
    assert said in refuse_in_a_line(*args, env=env)
    assert (tmp_path / "there").read_text() == "S3\n"


def test_a_deal_behind_the_damage(recorded):
    copy = damage(recorded[0], 20, "hello")
    error = refuse_in_a_line("replay", str(copy), "--deal", "2")
    assert f"{copy}, line 20: 'hello' is no JSON" in error


@pytest.mark.parametrize("args", [["match", "--seed", "x"], ["match", "S3"], ["replay", "--all"]])
def test_a_usage_error_is_status_2(args):
    assert "Error" in refuse(*args)


def test_a_record_that_cannot_be_finished(tmp_path, monkeypatch):
    written = []

    def write(self, lines):
        written.extend(lines)
        if len(written) > 200:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr("guandan.record.Writer.write", write)
    path = tmp_path / "m.jsonl"
    status, output, error = run_all("match", "--seed", "3", "--record", str(path))
    assert status == 2
    assert error == f"guandan: {path} cannot be written: No space left on device\n"
    assert len(split_plain(output)[0]) == 1


# A referee's events


@pytest.fixture(scope="module", params=["jiangsu2023", "seed000", "seed001", "seed002"])
def called(request, tmp_path_factory):
    """Return the path of a record of a match with many events, and the match."""
    for seed in range(100):
        path = tmp_path_factory.mktemp("called") / "m.jsonl"
        *_, match = random_match(request.param, seed, path, 500)
        names = {entry.name for entry in match.history if isinstance(entry, Event)}
        wanted = {"seed002": {"void", "quit"}, "jiangsu2023": {"deny", "grave"}}
        if names >= wanted.get(request.param, {"taken_back", "skipped"}) and len(match.deals) > 2:
            return path, match
    raise AssertionError


def parts_of(match):
    """Return what is about each deal that was led to, its number and its state."""
    parts = list(split_deals(match.history))[: len(match.deals)]
    return zip(range(1, 1000), parts, match.deals, strict=False)


def test_replay_shows_what_a_referee_called(called):
    path, match = called
    lines, other = split_plain(run("replay", str(path)))
    standing = gd.Standing()
    for number, part, state in parts_of(match):
        row = cells(lines[number - 1])
        who = "-" if standing.declarers is None else str(standing.declarers)
        assert (row[1], row[2]) == (state.level, who)
        plays = [move for move in state.history if move.size]
        assert (row[3] == "-") == (not plays)
        assert row[6] == str(len(state.history))
        names = {entry.name: entry for entry in part if isinstance(entry, Event)}
        if void := names.get("void"):
            standing = standing.after_void(1 - void.seat % 2)
        elif order := names.get("order"):
            assert row[4] == order.detail
            standing = standing.after(tuple(map(int, order.detail.split())), match.rules)
        for entry in part:
            if isinstance(entry, Event) and entry.name in (*match.referee.events, "deny"):
                assert f"# deal {number}: {words(entry)}" in other
    assert standing == match.standing


def test_a_deal_with_events_is_a_state_and_its_moves(called):
    path, match = called
    for number, part, state in parts_of(match):
        output = run("replay", str(path), "--deal", str(number))
        denied = [entry for entry in part if entry[0] == "deny"]
        for before, entry in zip((None, *part), part, strict=False):
            if isinstance(entry, Event) and before not in denied:
                assert f"# {words(entry)}\n" in output
        found = split_plain(output)[0]
        plays = json.loads(run("replay", str(path), "--deal", str(number), "--json"))["plays"]
        assert len(plays) == len(state.history)
        if not plays:
            assert found == []
            continue
        at = gd.State.parse(found[0], match.rules)
        for line, play in zip(found[1:], plays, strict=True):
            assert (line == "skip") == play["turn_lost"]
            assert play["seat"] == at.turn
            at.skip() if line == "skip" else at.push(line)
        assert (at, at.history) == (state, state.history)
        backs = [entry.detail for entry in part if entry[0] == "taken_back"]
        assert output.count(", and takes it back\n") == len(backs) - len(denied)
        assert output.count(" denies it\n") == len(denied)
        assert output.count(", which goes back too\n") == sum(backs) - len(backs)
        n_skipped = sum(play["turn_lost"] for play in plays)
        shown = ESCAPES.sub("", run("replay", str(path), "--deal", str(number), env=wide(200)))
        assert shown.count("pass (turn lost)") == n_skipped
        assert shown.count("(taken back)") == len(backs) - len(denied)
        assert shown.count("(denied by seat ") == len(denied)
        assert shown.count("(went back too)") == sum(backs) - len(backs)
        assert shown.count("the referee calls ") == sum(
            entry[0] in match.referee.events for entry in part
        )


def in_full(path, number, env=PLAIN):
    """Return the lines of a deal in full, without colour."""
    shown = ESCAPES.sub("", run("replay", str(path), "--deal", str(number), env=env))
    return [line.rstrip() for line in shown.splitlines()]


def test_a_play_that_is_denied_has_its_place(tmp_path):
    path = tmp_path / "m.jsonl"
    match = gd.Match(seed=3, record=path)  # seat 3 leads
    match.event("violation", 3)
    match.act("single 4 H4")
    match.deny()
    match.act(match.options()[0])
    lead = match.state.history[-1]
    plain = in_full(path, 1)
    place = plain.index("# seat 3 plays single 4 H4, and seat 0 denies it")
    assert plain[place - 1] == "# the referee calls violation of seat 3"
    assert plain[place + 1] == "# seat 0 denies the play"
    assert not any("takes" in line for line in plain)
    shown = in_full(path, 1, wide(100))
    place = shown.index("referee  the referee calls violation of seat 3")
    assert shown[place + 1 : place + 4] == [
        "trick 1  3 single 4 H4 (denied by seat 0)",
        "referee  seat 0 denies the play",
        f"         3 pass (turn lost)  0 {lead}",
    ]


def test_a_referee_in_words():
    for event, said in (
        (Event("foul", 1, 2), "the referee calls foul of seat 1, seat 2 leads the next deal"),
        (Event("quit", 3), "the referee calls quit of seat 3"),
        (Event("taken_back", 2, 1), "seat 2 takes its play back"),
        (Event("taken_back", 2, 3), "seat 2 takes its play back, and 2 more go back"),
        (Event("skipped", 0), "seat 0 has lost its turn"),
        (Event("void", 0), "the deal is void: side 1 rises 1 and declares"),
        (Event("deny", 0), "seat 0 denies the play"),
    ):
        assert words(event) == said
