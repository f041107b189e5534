"""The command `solve`: it prints what the package solves."""

import json
import re
import sys
from dataclasses import replace

import pytest
from cli_runner import (
    ESCAPES,
    PLAIN,
    TERMINAL,
    interrupt,
    refuse,
    refuse_in_a_line,
    run,
    split_plain,
)
from positions import endgame
from recorded import rows
from typer.testing import CliRunner

import guandan as gd
from guandan.cli import app
from guandan.cli.endgame import answers

FLAGSHIP = "S3C3D3S4D4S6SQDQ/SJDJ/H3/S7 2 0 - -"
LOST = "S3C3S9/S4/HR/D7 2 0 - -"
OUT_FIRST = "-/S4S5/S6C7/S7 2 2 - 0"
OUT_TWO = "-/-/H2C3/S2 9 2 0:pair:2:C2D2 10"
OVER = "-/-/-/S2 9 - - 102"
WILD = "H2S4C5D6S7SB/S9S9/HR/D3 2 0 - -"
STATES = (FLAGSHIP, LOST, OUT_FIRST, OUT_TWO, WILD)
TIMED = re.compile(r"[\d,]+ nodes in [\d.]+ s, [\d,]+ nodes/s")


def terminal(*args, **env):
    """Return what a terminal shows, without colours and stars, its lines stripped."""
    output = ESCAPES.sub("", run(*args, env={**TERMINAL, "COLUMNS": "200", **env}))
    return [line.rstrip() for line in output.replace("*", "").splitlines()]


def run_all(*args, stdin=None):
    """Run a command; return its status, its lines and its errors."""
    result = CliRunner(env=PLAIN).invoke(app, args, input=stdin)
    return result.exit_code, result.stdout.splitlines(), result.stderr.splitlines()


# solve


@pytest.mark.parametrize("text", STATES)
def test_a_solution_is_a_record(text):
    found = gd.solve(gd.State.parse(text))
    lines, other = split_plain(run("solve", text))
    assert lines[0] == text
    state = gd.State.parse(text)
    starts = 0
    for move in lines[1:]:
        starts += state.table is None or not state.history
        state.push(move)
    assert state.payoff == found.payoff
    assert other[0].startswith(
        f"# value {found.value:+} for side {'02'.find(text.split()[2]) < 0:d}: "
    )
    assert other[1] == f"# best {lines[1]}"
    assert [line for line in other if line.startswith("# trick ")] == [
        *(line for line in other[2:-1])
    ]
    assert len(other) == starts + 3
    assert TIMED.fullmatch(other[-1][2:])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (FLAGSHIP, "+1 for side 0: side 0 first, its other player last"),
        (LOST, "+3 for side 0: side 0 first, its other player second"),
        ("S4/S3C3S9/S5/HR 2 1 - -", "+3 for side 1: side 1 first, its other player second"),
        ("S3C4/S5/HR/D7 2 0 - -", "-1 for side 0: side 1 first, its other player last"),
        (OUT_TWO, "-1 for side 0: side 1 first, its other player last"),
        ("S3S4/-/H4/S5C6 2 0 - 1", "-2 for side 0: side 1 first, its other player third"),
    ],
)
def test_values_in_words(text, words):
    found = gd.solve(gd.State.parse(text))
    assert f"# value {words}" in run("solve", text).splitlines()
    assert f"value    {words}  proven" in terminal("solve", text)
    assert f"{found.value:+} for side" in words


@pytest.mark.parametrize("text", STATES)
def test_a_terminal_shows_the_line_trick_by_trick(text):
    lines = terminal("solve", text)
    tricks = [line for line in lines if line.startswith("trick ")]
    at = gd.State.parse(text)
    for number, line in enumerate(tricks, 1):
        assert line.startswith(f"trick {number}  ")
        for place, play in enumerate(re.split("  +", line)[1:]):
            assert (at.table is None) is (place == 0) or not at.history
            found = re.fullmatch(r"(\d) (.*?)(?: \((first|second|third)\))?", play)
            assert found
            seat, move, reached = found.groups()
            assert int(seat) == at.turn
            at.push(move)
            n_out = {"first": 1, "second": 2, "third": 3}.get(reached)
            assert n_out is None or at.out[n_out - 1 :] == (int(seat),)
    assert at.payoff == gd.solve(gd.State.parse(text)).payoff
    assert any(TIMED.search(line) for line in lines)


def test_a_narrow_terminal_breaks_lines():
    output = ESCAPES.sub("", run("solve", FLAGSHIP, env={**TERMINAL, "COLUMNS": "40"}))
    assert max(map(len, output.splitlines())) <= 40
    assert "\x1b" in run("solve", FLAGSHIP, env=TERMINAL)


@pytest.mark.parametrize("text", STATES)
def test_all_moves(text):
    rated = gd.rate_moves(gd.State.parse(text))
    want = [f"{one.move}: {one.value:+}" for one in rated]
    lines, other = split_plain(run("solve", text, "--all"))
    assert lines == [text, *want]
    assert other[0].startswith("# value ")
    shown = terminal("solve", text, "--all")
    assert shown[shown.index("", shown.index("") + 1) + 1 :] == [
        f"{one.value:+}  {one.move}" for one in rated
    ]


def json_of(found, **more):
    return {
        "state": found.state,
        "value": found.value,
        "payoff": found.payoff,
        "best": found.best and str(found.best),
        "line": list(map(str, found.line)),
        "lower": found.lower,
        "upper": found.upper,
        "proven": found.proven,
        "nodes": found.nodes,
        **more,
    }


@pytest.mark.parametrize("env", [PLAIN, TERMINAL])
@pytest.mark.parametrize("text", STATES)
def test_json_of_solve(text, env):
    state = gd.State.parse(text)
    output = run("solve", text, "--json", env=env)
    assert output.count("\n") == 1
    found = json.loads(output)
    assert list(found) == [
        *("state", "value", "payoff", "best", "line", "lower", "upper", "proven", "nodes"),
        "seconds",
    ]
    assert found.pop("seconds") > 0
    assert found == json_of(gd.solve(state))
    found = json.loads(run("solve", text, "--json", "--target", "2"))
    assert found.pop("seconds") >= 0
    want = gd.solve(state, target=2)
    assert found == json_of(want, target=2, reached=want.reached)
    found = json.loads(run("solve", text, "--json", "--all"))
    assert found["moves"] == [
        {**one._asdict(), "move": str(one.move)} for one in gd.rate_moves(state)
    ]


@pytest.mark.parametrize("text", STATES)
def test_a_text_may_be_several_arguments(text):
    def lines(*args, **more):
        return run("solve", *args, **more).rsplit("\n", 2)[0]

    assert lines(*text.split()) == lines(text) == lines("--", text)
    assert lines("-", stdin=f"# a note\n\n{text}\n") == lines(text)


def test_targets_in_words():
    for target, said in (("1", "reached"), ("2", "not reached")):
        found = gd.solve(gd.State.parse(FLAGSHIP), target=int(target))
        output = run("solve", FLAGSHIP, "--target", target)
        assert f"# target +{target} for side 0: {said}\n" in output
        assert f"target  +{target} for side 0: {said}" in terminal(
            "solve", FLAGSHIP, "--target", target
        )
        if found.value is None:
            assert f"# value {found.lower:+} to {found.upper:+} for side 0" in output
        assert "not proven" not in output
    output = run("solve", FLAGSHIP, "--target", "2", "--nodes", "0")
    assert "# target +2 for side 0: not decided\n" in output


def test_what_a_limit_leaves_open_is_said():
    long = str(gd.State.deal("2", 0, turn=0))
    for text, *limit in ((FLAGSHIP, "--nodes", "0"), (long, "--seconds", "0")):
        output = run("solve", text, *limit)
        assert output.splitlines()[:2] == [
            text,
            "# value -3 to +3 for side 0, not proven",
        ]
        assert "# best" not in output
        assert "# trick" not in output
        shown = terminal("solve", text, *limit)
        assert shown[0] == "value  -3 to +3 for side 0, not proven"
        assert "  proven" not in "\n".join(shown)
    assert "+1 to +3 for side 0: side 0 first, not proven" in run(
        "solve", OUT_FIRST, "--nodes", "0"
    )
    output = run("solve", "S3S4/-/S6C7/S7C8 2 0 - 1", "--nodes", "0")
    assert "-3 to -1 for side 0: side 1 first, not proven" in output
    lines, _ = split_plain(run("solve", FLAGSHIP, "--all", "--nodes", "0"))
    assert lines[1] == "single 3 S3: -3..+3 not proven"
    assert json.loads(run("solve", FLAGSHIP, "--json", "--nodes", "0"))["proven"] is False


def test_a_line_that_a_limit_cut_short_has_no_outcome():
    found = gd.solve(gd.State.parse(FLAGSHIP))
    for line in ((), found.line[:-1]):
        cut = replace(found, line=line)
        assert dict(answers(cut, None)) == {"value": "+1 for side 0"}


def test_solve_follows_the_rules():
    state = gd.State.parse(LOST, gd.Rules.preset("pagat"))
    assert gd.solve(state).value == 4
    assert "# value +4 for side 0" in run("solve", LOST, "--rules", "pagat")
    # Who leads after seat 0, which goes out, decides.
    for row in rows("endgames.jsonl"):
        state = endgame(row)
        if row["lead_after_out"] == "next" and len(str(state)) < 40:
            output = run("solve", str(state), "--rules", "seed000", "--json")
            assert json.loads(output)["value"] == row["value"]


# Files of states


@pytest.fixture
def states_file(tmp_path):
    path = tmp_path / "states.txt"
    path.write_text(f"# states\n\n{FLAGSHIP}\n{OUT_TWO}\n  {LOST}  # no note\n{OUT_FIRST}\n")
    return path


def test_a_file_of_states(states_file):
    want = [gd.State.parse(text) for text in (FLAGSHIP, OUT_TWO, OUT_FIRST)]
    for options in ([], ["--threads", "3"], ["--all"]):
        status, lines, errors = run_all("solve", str(states_file), *options)
        assert status == 2
        [error] = errors
        assert error.startswith(f"guandan: {states_file}, line 5: '{LOST}  # no note': want")
        answers = [line for line in lines if not line.startswith(("#", "  "))]
        for line, state in zip(answers, want, strict=True):
            value, text, best = re.split("  +", line)
            found = gd.solve(state)
            assert (value, text) == (f"{found.value:+}", str(state))
            rated = {str(one.move): one.value for one in gd.rate_moves(state)}
            assert rated[best] == found.value
        moves = [line.strip() for line in lines if line.startswith("  ")]
        assert moves == [
            f"{one.move}: {one.value:+}"
            for state in want
            for one in gd.rate_moves(state)
            if options == ["--all"]
        ]
        assert lines[-2] == "# 4 states, 3 proven, 1 with errors"
        assert TIMED.fullmatch(lines[-1][2:])


def test_a_file_as_json(states_file):
    for options in ([], ["--threads", "2"], ["--all"], ["--nodes", "0"], ["--target", "1"]):
        status, lines, errors = run_all("solve", str(states_file), "--json", *options)
        assert (status, len(errors)) == (2, 1)
        found = [json.loads(line) for line in lines]
        assert [one["state"] for one in found] == [FLAGSHIP, OUT_TWO, OUT_FIRST]
        one = json.loads(run("solve", OUT_TWO, "--json", *(options if "2" not in options else [])))
        assert {**found[1], "seconds": 0, "nodes": 0} == {**one, "seconds": 0, "nodes": 0}


def test_states_of_standard_input():
    status, lines, errors = run_all("solve", "-", stdin=f"{LOST}\n{FLAGSHIP}\n")
    assert (status, errors) == (0, [])
    assert [line.split()[0] for line in lines[:2]] == ["+3", "+1"]
    status, lines, _ = run_all("solve", "-", "--target", "2", stdin=f"{LOST}\n{FLAGSHIP}\n")
    assert [line.split()[0] for line in lines[:2]] == ["yes", "no"]
    status, lines, _ = run_all("solve", "-", "--nodes", "0", stdin=f"{OUT_FIRST}\n{FLAGSHIP}\n")
    assert [line.split()[0] for line in lines[:2]] == ["+1..+3", "-3..+3"]
    assert lines[2] == "# 2 states, 0 proven, 0 with errors"
    status, lines, _ = run_all(
        *("solve", "-", "--nodes", "0", "--target", "2"), stdin=f"{OUT_FIRST}\n{FLAGSHIP}\n"
    )
    assert [line.split()[0] for line in lines[:2]] == ["open", "open"]


def test_many_states_are_solved_in_order(tmp_path):
    chosen = [row for row in rows("endgames.jsonl") if sum(map(len, row["hands"])) < 22]
    chosen = [row for row in chosen if row["lead_after_out"] == "partner"]
    assert len(chosen) > 32  # more than are solved in one go
    path = tmp_path / "states"
    path.write_text("\n".join(str(endgame(row)) for row in chosen))
    output = run("solve", str(path), "--json")
    assert [json.loads(line)["value"] for line in output.splitlines()] == [
        row["value"] for row in chosen
    ]


# Errors


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["solve"], 'give a state, such as "S4S5D9/'),
        (["solve", "nothing.txt"], "'nothing.txt' is neither a file nor a state, such as"),
        (["solve", ""], "'' is neither a file nor a state"),
        (["solve", "."], "'.' is neither a file nor a state"),
        (["solve", "S3/S4/S5 2 0 - -"], "want 3 between four hands"),
        (["solve", OVER], "the deal is over, there is nothing to solve"),
        (["solve", OVER, "--all"], "the deal is over"),
        (["solve", "-/S4/S5/S6 2 1 - -"], "seat 0 holds no cards"),
        (["solve", LOST, "--nodes", "-1"], "--nodes -1: want 0 to"),
        (["solve", LOST, "--seconds", "-1"], "--seconds -1.0: want 0 to"),
        (["solve", LOST, "--seconds", "nan"], "--seconds nan: want 0 to"),
        (["solve", LOST, "--threads", "0"], "--threads 0: want 1 to 1024"),
        (["solve", LOST, "--table-mb", "0"], "table_mb"),
        (["solve", LOST, "--target", "nan"], "target=nan: want a finite number"),
        (["solve", LOST, "--target", "1", "--all"], "--target asks less than --all"),
        (["solve", LOST, "--threads", "2", "--all"], "--all works on one thread"),
        (["solve", LOST, "--rules", "house"], "no preset 'house'"),
    ],
)
@pytest.mark.parametrize("env", [PLAIN, TERMINAL])
def test_an_error_is_one_line_and_status_2(args, said, env, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert said in refuse_in_a_line(*args, env=env)


@pytest.mark.parametrize(
    ("stdin", "said"),
    [
        ("", "standard input holds no states"),
        ("# a note\n\n", "standard input holds no states"),
        ("# a note\nS3\n", "standard input, line 2: 'S3' has 0 slashes"),
    ],
)
def test_standard_input_that_is_wrong(stdin, said):
    assert refuse_in_a_line("solve", "-", stdin=stdin).startswith(f"guandan: {said}")


def test_files_that_cannot_be_read(tmp_path, monkeypatch):
    path = tmp_path / "bytes"
    path.write_bytes(b"\xff\xfe\x00")
    assert refuse_in_a_line("solve", str(path)) == f"guandan: {path} is no text in UTF-8\n"

    def forbidden(*args, **more):
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr("builtins.open", forbidden)
        error = refuse_in_a_line("solve", str(path))
    assert error == f"guandan: {path} cannot be read: Permission denied\n"
    path.write_bytes(b"")
    assert "holds no states" in refuse_in_a_line("solve", str(path))


def test_a_usage_error_is_status_2():
    assert "Error" in refuse("solve", LOST, "--node", "3")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
@pytest.mark.parametrize("options", [[], ["--threads", "2"], ["--all"]])
def test_an_interrupt_ends_it_quietly(options, tmp_path):
    path = tmp_path / "states"
    path.write_text("".join(f"{gd.State.deal('2', seed)}\n" for seed in range(4)))
    interrupt("solve", str(path), *options)
