"""The command `review`: it prints what the package reviews."""

import json
import random
import re

import pytest
from cli_runner import ESCAPES, PLAIN, TERMINAL, refuse, refuse_in_a_line, run, split_plain

import guandan as gd

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


# Errors


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["review"], "give a file: want one with a state, then a move on each line"),
        (["review", LOST], f"'{LOST}' is no file: want"),
        (["review", "nothing.txt"], "'nothing.txt' is no file"),
        (["review", "nothing.txt", "--nodes", "-1"], "--nodes -1: want 0 to"),
    ],
)
@pytest.mark.parametrize("env", [PLAIN, TERMINAL])
def test_an_error_is_one_line_and_status_2(args, said, env, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
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
