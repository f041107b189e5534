"""The command `review`: it prints what the package reviews, of states and of matches."""

import json
import random
import re
from dataclasses import replace

import pytest
from cli_runner import ESCAPES, PLAIN, TERMINAL, refuse, refuse_in_a_line, run, split_plain
from test_cli_matches import extra_deal
from test_match_events import random_match
from typer.testing import CliRunner

import guandan as gd
from guandan.cli import app

FLAGSHIP = "S3C3D3S4D4S6SQDQ/SJDJ/H3/S7 2 0 - -"
LOST = "S3C3S9/S4/HR/D7 2 0 - -"
OUT_FIRST = "-/S4S5/S6C7/S7 2 2 - 0"
OUT_TWO = "-/-/H2C3/S2 9 2 0:pair:2:C2D2 10"
WILD = "H2S4C5D6S7SB/S9S9/HR/D3 2 0 - -"
STATES = (FLAGSHIP, LOST, OUT_FIRST, OUT_TWO, WILD)


def random_record(seed, text):
    """Return a state played on from at random, with its history."""
    rng = random.Random(seed)
    state = gd.State.parse(text)
    while not state.is_over:
        state.push(rng.choice(state.legal_moves()))
    return state


def record_text(state):
    start = state.copy()
    while start.history:
        start.pop()
    return "\n".join([str(start), *map(str, state.history)])


# A state and its moves


@pytest.mark.parametrize("text", STATES)
@pytest.mark.parametrize("seed", range(2))
def test_review_prints_each_play(text, seed):
    state = random_record(seed, text)
    plays = gd.review(state)
    record = record_text(state)
    lines, other = split_plain(run("review", "-", stdin=f"# a note\n{record}\n\n"))
    assert other[0] == f"# {text}"
    assert re.split("  +", other[1][2:]) == [
        *("ply", "seat", "before", "after", "lost", "move", "best")
    ]
    shown = run("review", "-", stdin=record, env={**TERMINAL, "COLUMNS": "400"})
    shown = ESCAPES.sub("", shown).replace("*", "").splitlines()
    assert len(shown) == 1 + len(plays) + 2
    for line, seen, play in zip(lines, shown[1:], plays, strict=False):
        best = "; ".join(map(str, play.best[:3])) if play.loss else ""
        more = f" and {len(play.best) - 3} more" if play.loss and len(play.best) > 3 else ""
        cells = [
            *(str(play.ply), str(play.seat), f"{play.before:+}", f"{play.after:+}"),
            *(f"{play.loss}" if play.loss else "-", str(play.move)),
            *([best + more] if best else []),
        ]
        assert re.split("  +", line) == re.split("  +", seen.strip()) == cells
    assert len(lines) == len(plays)
    for side in (0, 1):
        lost = [play.loss for play in plays if play.seat % 2 == side and play.loss]
        plural = "" if len(lost) == 1 else "s"
        said = f"side {side} lost {sum(lost)} in {len(lost)} play{plural}"
        assert f"# {said}" in other
        assert said in shown


def test_json_of_review(tmp_path):
    state = random_record(5, FLAGSHIP)
    path = tmp_path / "record"
    path.write_text(record_text(state))
    for env in (PLAIN, TERMINAL):
        found = json.loads(run("review", str(path), "--json", env=env))
        assert list(found) == ["state", "plays"]
        assert found["state"] == FLAGSHIP
        assert found["plays"] == [
            {
                "ply": play.ply,
                "seat": play.seat,
                "move": str(play.move),
                "before": play.before,
                "after": play.after,
                "loss": play.loss,
                "best": list(map(str, play.best)),
                "proven": True,
                "before_lower": play.before,
                "before_upper": play.before,
                "after_lower": play.after,
                "after_upper": play.after,
            }
            for play in gd.review(state)
        ]


def test_review_of_cards_alone_under_rules():
    text = "S4C5D6S7H2SB/S9S9/HR/D3 2 0 - -\nS4 C5 D6 S7 H2\n"
    assert "line 2: H2 S4 C5 D6 S7 can be several moves" in refuse_in_a_line(
        "review", "-", stdin=text
    )
    assert "straight 7 H2 S4 C5 D6 S7" in run("review", "-", "--rules", "seed001", stdin=text)


def test_review_marks_what_is_not_proven():
    record = f"{FLAGSHIP}\nS3\npass\npass\n"
    lines, other = split_plain(run("review", "-", "--nodes", "0", stdin=record))
    assert [re.split("  +", line)[2:5] for line in lines] == [["-3..+3?", "-3..+3?", "?"]] * 3
    assert other[-1] == "# 3 of 3 plays are not proven"
    plays = json.loads(run("review", "-", "--nodes", "0", "--json", stdin=record))["plays"]
    assert [(play["loss"], play["proven"], play["best"]) for play in plays] == [
        (None, False, [])
    ] * 3
    shown = ESCAPES.sub("", run("review", "-", "--nodes", "0", stdin=record, env=TERMINAL))
    assert "-3..+3?" in shown
    assert "3 of 3 plays are not proven" in shown


def test_what_solve_prints_loses_nothing():
    for text in STATES:
        lines, other = split_plain(run("review", "-", stdin=run("solve", text)))
        assert lines
        assert other[-2:] == ["# side 0 lost 0 in 0 plays", "# side 1 lost 0 in 0 plays"]


# The record of a match

HEADINGS = ["deal", "ply", "seat", "before", "after", "lost", "move", "best"]
FIRST_OUT = {(side, place): 1 - 2 * side for side in (0, 1) for place in (2, 3, 4)}


def play(path, rules, seed, most=10**9):
    """Record a match between random movers, or so many choices of it."""
    rng = random.Random(seed)
    match = gd.Match(rules, seed=seed, record=path)
    while match.phase != "over" and most:
        seat = rng.choice(match.to_act)
        match.act(rng.choice(match.options(seat)), seat)
        most -= 1
    return match


def cards_of(state):
    return sum(map(len, state.hands))


def ending(state, cards):
    """Return the end of a deal with few cards as a state with a history, and the plies before."""
    at = state.copy()
    moves = []
    while at.history:
        moves.insert(0, at.pop())
        if cards_of(at) > cards:
            at.push(moves.pop(0))
            break
    at = at.copy(history=False)
    for move in moves:
        at.push(move)
    return at, len(state.history) - len(moves)


def reviewed(state, cards, **options):
    """Return the reviews of the end of a deal, by their plies in the deal."""
    at, before = ending(state, cards)
    return [replace(play, ply=play.ply + before) for play in gd.review(at, **options)]


def json_of(play):
    names = ("ply", "seat", "move", "before", "after", "loss", "best", "proven")
    bounds = ("before_lower", "before_upper", "after_lower", "after_upper")
    found = {name: getattr(play, name) for name in (*names, *bounds)}
    return {**found, "move": str(play.move), "best": list(map(str, play.best))}


def lines_of(number, plays):
    """Return the cells of the lines of a deal."""
    rows = []
    for play in plays:
        if not play.loss:
            continue
        more = f" and {len(play.best) - 3} more" if len(play.best) > 3 else ""
        best = "; ".join(map(str, play.best[:3])) + more
        values = [f"{play.before:+}", f"{play.after:+}", str(play.loss)]
        rows.append([str(number), str(play.ply), str(play.seat), *values, str(play.move), best])
    return rows


@pytest.fixture(scope="module", params=["jiangsu2023", "seed000", "pagat"])
def recorded(request, tmp_path_factory):
    """Return the path of a record of three deals, and the match."""
    path = tmp_path_factory.mktemp("records") / "m.jsonl"
    rules = gd.Rules.preset(request.param).replace(match_end=("deals", 3, "draw"))
    return path, play(path, rules, 4)


@pytest.mark.parametrize("cards", [None, 12])
def test_review_of_a_match_is_that_of_its_deals(recorded, cards):
    path, match = recorded
    options = [] if cards is None else ["--cards", str(cards)]
    found = [reviewed(state, cards or 24) for state in match.deals]
    lines, other = split_plain(run("review", str(path), *options))
    rows = [lines_of(number, plays) for number, plays in enumerate(found, 1)]
    assert [re.split("  +", line) for line in lines] == [row for some in rows for row in some]
    said = []
    for state, plays, lost in zip(match.deals, found, rows, strict=True):
        number = len(said) + 1
        heads = [line for line in other if line.startswith(f"# deal {number}, ")]
        said.append(
            f"# deal {number}, level {state.level}: {len(lost)} of {len(plays)} plays from ply "
            f"{plays[0].ply} on lost something"
        )
        assert heads == said[-1:]
    headings = [line for line in other if line.startswith("# deal  ")]
    assert len(headings) == sum(map(bool, rows)) > 0
    assert all(re.split("  +", line[2:]) == HEADINGS for line in headings)
    everything = [play for plays in found for play in plays]
    for side in (0, 1):
        lost = [play.loss for play in everything if play.seat % 2 == side and play.loss]
        plural = "" if len(lost) == 1 else "s"
        assert f"# side {side} lost {sum(lost)} in {len(lost)} play{plural}" in other[-2:]


def test_a_terminal_shows_the_review_of_a_match(recorded):
    path, _ = recorded
    plain = run("review", str(path))
    output = run("review", str(path), env={**TERMINAL, "COLUMNS": "200"})
    assert "\x1b" in output
    lines = [line.rstrip() for line in ESCAPES.sub("", output).replace("*", "").splitlines()]
    # The number of a deal is in its heading.
    expected = [
        re.sub(r"^(# )?(deal|\d+)  +", "", line).removeprefix("# ") for line in plain.splitlines()
    ]
    assert [re.split("  +", line) for line in lines] == [re.split("  +", e) for e in expected]
    narrow = ESCAPES.sub("", run("review", str(path), env=TERMINAL))
    tables = [line for line in narrow.splitlines() if "deal" not in line]
    assert max(map(len, tables)) <= 72


def test_json_of_the_review_of_a_match(recorded):
    path, match = recorded
    found = [reviewed(state, 16) for state in match.deals]
    for env in (PLAIN, TERMINAL):
        output = run("review", str(path), "--cards", "16", "--json", env=env)
        assert output.count("\n") == 1
        result = json.loads(output)
        assert list(result) == ["cards", "deals", "lost", "not_proven"]
        assert (result["cards"], result["not_proven"]) == (16, 0)
        for number, deal in enumerate(result["deals"], 1):
            state, plays = match.deals[number - 1], found[number - 1]
            at, before = ending(state, 16)
            while at.history:
                at.pop()
            assert list(deal) == ["deal", "level", "state", "plays"]
            assert (deal["deal"], deal["level"]) == (number, state.level)
            assert gd.State.parse(deal["state"], match.rules) == at
            assert cards_of(at) <= 16
            assert deal["plays"][0]["ply"] == before + 1
            assert deal["plays"] == list(map(json_of, plays))
        assert result["lost"] == [
            sum(play.loss for plays in found for play in plays if play.seat % 2 == side)
            for side in (0, 1)
        ]
        assert any(result["lost"])


def test_a_review_begins_where_so_few_cards_are_left(recorded):
    path, match = recorded
    for cards in (3, 8, 20):
        # No search is made, but each play has its place.
        options = ("--cards", str(cards), "--nodes", "0", "--json")
        for deal, state in zip(
            json.loads(run("review", str(path), *options))["deals"], match.deals, strict=True
        ):
            at = state.copy()
            held = [cards_of(at)]
            while at.history:
                at.pop()
                held.insert(0, cards_of(at))
            plies = [ply for ply, left in enumerate(held[:-1], 1) if left <= cards]
            assert [play["ply"] for play in deal["plays"]] == plies


def test_deals_with_nothing_to_review(recorded):
    path, match = recorded
    lines, other = split_plain(run("review", str(path), "--cards", "0"))
    assert lines == []
    for number, state in enumerate(match.deals, 1):
        left = cards_of(state)
        plural = "" if left == 1 else "s"
        said = f"deal {number}, level {state.level}: {left} card{plural} at its end, nothing to"
        assert other[number - 1] == f"# {said} review"
    assert other[-2:] == ["# side 0 lost 0 in 0 plays", "# side 1 lost 0 in 0 plays"]
    found = json.loads(run("review", str(path), "--cards", "0", "--json"))
    assert [(deal["state"], deal["plays"]) for deal in found["deals"]] == [(None, [])] * 3
    assert found["lost"] == [0, 0]


def test_what_a_limit_leaves_open_in_a_match(recorded):
    path, match = recorded
    options = ("--nodes", "3", "--cards", "16")
    plays = [play for state in match.deals for play in reviewed(state, 16, nodes=3)]
    lines, other = split_plain(run("review", str(path), *options))
    unproven = sum(not play.proven for play in plays)
    assert other[-1] == f"# {unproven} of {len(plays)} plays are not proven"
    sure = [play for play in plays if play.before_lower > play.after_upper]
    assert [re.split("  +", line)[1] for line in lines] == [str(play.ply) for play in sure]
    assert json.loads(run("review", str(path), *options, "--json"))["not_proven"] == unproven


def test_an_extra_deal_is_for_the_first_out(tmp_path):
    rules = gd.Rules(match_end=("deals", 1, "extra_deal"))
    standing = gd.Standing(levels=("5", "4"), declarers=0)
    for seed in range(50):
        path = tmp_path / f"{seed}.jsonl"
        rng = random.Random(seed)
        match = gd.Match(rules, seed=seed, record=path, standing=standing)
        while match.phase != "over":
            seat = rng.choice(match.to_act)
            match.act(rng.choice(match.options(seat)), seat)
        if match.result.reason != "extra_deal":
            continue
        cards = cards_of(match.deals[-1]) + 4
        [_, deal] = json.loads(run("review", str(path), "--json", "--cards", str(cards)))["deals"]
        expected = reviewed(match.deals[-1], cards, utility=FIRST_OUT)
        assert deal["plays"] == list(map(json_of, expected))
        if any(play["loss"] for play in deal["plays"]):
            assert {play["before"] for play in deal["plays"]} <= {1, -1}
            return
    pytest.fail("no extra deal in which something was lost")


def test_an_extra_deal_of_given_ones_is_for_the_first_out(tmp_path):
    """Given states say who leads, so no card is turned up."""
    path = tmp_path / "m.jsonl"
    match = extra_deal(path, "deals")
    cards = cards_of(match.deals[-1]) + 4
    found = json.loads(run("review", str(path), "--json", "--cards", str(cards)))["deals"]
    expected = reviewed(match.deals[-1], cards, utility=FIRST_OUT)
    assert expected
    assert found[-1]["plays"] == list(map(json_of, expected))
    assert {play["before"] for play in found[-1]["plays"]} <= {1, -1}


def test_a_match_that_goes_on_is_reviewed_as_far_as_it_went(tmp_path):
    path = tmp_path / "m.jsonl"
    match = play(path, gd.Rules(), 3, 200)
    found = json.loads(run("review", str(path), "--cards", "108", "--nodes", "0", "--json"))
    assert [len(deal["plays"]) for deal in found["deals"]] == [
        len(state.history) for state in match.deals
    ]
    match = play(tmp_path / "new.jsonl", gd.Rules(), 3, 0)
    lines, other = split_plain(run("review", "-", stdin=(tmp_path / "new.jsonl").read_text()))
    assert lines == []
    assert other[0] == "# deal 1, level 2: 108 cards at its end, nothing to review"


@pytest.mark.parametrize("conduct", ["jiangsu2023", "seed000", "seed002"])
def test_turns_that_were_lost_and_plays_taken_back_are_not_reviewed(conduct, tmp_path):
    checked = 0
    for seed in range(4):
        path = tmp_path / f"{seed}.jsonl"
        *_, match = random_match(conduct, seed, path, 600)
        deals = json.loads(run("review", str(path), "--cards", "12", "--json"))["deals"]
        assert len(deals) == match.deal_number
        for deal, state in zip(deals, match.deals, strict=False):
            number = str(deal["deal"])
            output = run("replay", str(path), "--deal", number)
            plays = json.loads(run("replay", str(path), "--deal", number, "--json"))["plays"]
            lost = {ply for ply, play in enumerate(plays, 1) if play["turn_lost"]}
            assert not lost & {play["ply"] for play in deal["plays"]}
            for play in deal["plays"]:
                assert play["move"] == str(state.history[play["ply"] - 1])
            if deal["state"] is None or match.rules.match_end != "at_ace":
                continue
            # The same from a state's record of that ending.
            start, *lines = split_plain(output)[0]
            at = gd.State.parse(start, match.rules)
            while str(at) != deal["state"]:
                line = lines.pop(0)
                at.skip() if line == "skip" else at.push(line)
            rules = tmp_path / "rules.json"
            rules.write_text(match.rules.to_json())
            text = "\n".join([deal["state"], *lines])
            alone = json.loads(run("review", "-", "--json", "--rules", str(rules), stdin=text))
            values = ("seat", "move", "before", "after", "best")
            assert [[play[name] for name in values] for play in alone["plays"]] == [
                [play[name] for name in values] for play in deal["plays"]
            ]
            checked += 1
    assert checked


def test_a_damaged_record_is_reviewed_up_to_the_damage(recorded):
    path, _ = recorded
    lines = path.read_text("utf-8").splitlines()
    number = 1 + [i for i, line in enumerate(lines) if '"deal"' in line][1]
    whole = run("review", str(path), "--cards", "12")
    lines[number - 1] = "hello"
    stdin = "\n".join(lines) + "\n"
    result = CliRunner(env=PLAIN).invoke(app, ["review", "-", "--cards", "12"], input=stdin)
    assert result.exit_code == 2
    assert result.stderr == (
        f"guandan: standard input, line {number}: 'hello' is no JSON: Expecting value\n"
    )
    first = whole[: whole.index("# deal 2")]
    assert result.stdout.startswith(first)
    assert result.stdout[len(first) :].startswith("# side 0 lost ")


# Errors


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["review"], "give a file: want one with a state, then a move on each line"),
        (["review", LOST], f"'{LOST}' is no file: want"),
        (["review", "nothing.txt"], "'nothing.txt' is no file"),
        (["review", "nothing.txt", "--nodes", "-1"], "--nodes -1: want 0 to"),
        (["review", "state", "--cards", "24"], "--cards is for the record of a match"),
        (["review", "state", "--rules", "house"], "no preset 'house'"),
        (["review", "match", "--rules", "pagat"], "--rules is for a state's record"),
        (["review", "match", "--cards", "-1"], "--cards -1: want 0 to 108"),
        (["review", "match", "--cards", "109"], "--cards 109: want 0 to 108"),
        (["review", "match", "--table-mb", "0"], "table_mb"),
        (["review", "cut"], "cut, line 1: b'{' is cut short"),
        (["review", "other"], "other, line 2: "),
        (["review", "marked"], "is no JSON: Unexpected UTF-8 BOM"),
    ],
)
@pytest.mark.parametrize("env", [PLAIN, TERMINAL])
def test_an_error_is_one_line_and_status_2(args, said, env, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "state").write_text(LOST)
    play(tmp_path / "match", gd.Rules(match_end=("deals", 1, "draw")), 3)
    (tmp_path / "cut").write_text("{")
    (tmp_path / "other").write_text(f"# a match\n{LOST[1:]}\n")
    (tmp_path / "marked").write_text("{}\n", "utf-8-sig")
    assert said in refuse_in_a_line(*args, env=env)


@pytest.mark.parametrize(
    ("stdin", "said"),
    [
        ("", "standard input is empty: want a state, then a move on each line"),
        ("S3\n", "standard input, line 1: 'S3' has 0 slashes"),
        (f"#\n{LOST}\nS3\n\nS9\n", "standard input, line 5: S9: seat 1 lacks S9"),
        (f"{LOST}\nS3\nhello\n", "standard input, line 3: "),
    ],
)
def test_standard_input_that_is_wrong(stdin, said):
    assert refuse_in_a_line("review", "-", stdin=stdin).startswith(f"guandan: {said}")


def test_files_that_cannot_be_read(tmp_path):
    path = tmp_path / "bytes"
    path.write_bytes(b"\xff\xfe\x00")
    assert refuse_in_a_line("review", str(path)) == f"guandan: {path} is no text in UTF-8\n"
    path.write_bytes(b"")
    assert "is empty" in refuse_in_a_line("review", str(path))


def test_a_usage_error_is_status_2():
    assert "Error" in refuse("review", "--all", "x")
