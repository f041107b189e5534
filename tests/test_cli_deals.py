"""The commands on deals: they show, count and play what the package's states are."""

import io
import json
import re
import sys
import time
from collections import Counter

import numpy as np
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

import guandan as gd
from guandan.cli import deals, progress

ENDGAME = "S4S5D9/SBHR/-/C2C2H3 7 0 3:pair:2 2"
SMALL = "S3C3H5SB/S4C4/HR/D2 5 0 - -"
PASSED = "C2D2H4HT/-/H2H3SJHK/S2C3HJ 9 3 1:pair:5:S5D5 1"
OUT_FIRST = "-/-/H2/S2 9 2 0:pair:2:C2D2 10"
OVER = "-/-/-/S2 9 - - 102"
DOUBLE = "S3/-/C4/- 9 - - 31"

CARD = re.compile(r"\b(?:[SHCD][2-9TJQKA]|SB|HR)\b")
PICTURE = """\
                       seat 2  side 0  27 cards
          S3  S4  S5  C6  S7  S8  H9  ST  HJ  HQ  SK  SA  C2
          H3  C4  S5      H7      D9      HJ  DQ  HK  CA  D2
          C3      C5                      CJ
                                          CJ

seat 3  to move                                       seat 1
side 1  27 cards                                      side 1  27 cards
H3 C3 D3                                              S3 D3
H4 C4                                                 D4 D4
H5 H5                                                 D5
H7                        +----------------+          S6 H6 C6
H8 H8 C8 D8               |    level 2     |          C7
S9 H9                     |    wild H2*    |          S9 C9 D9
HT CT                     |                |          HT
SJ SJ DJ                  |  seat 3 leads  |          DJ
SQ HQ CQ                  +----------------+          SQ
DK                                                    SK HK CK CK DK
HA CA                                                 DA
H2* H2*                                               S2 S2 C2
                                                      SB
                                                      HR HR

                       seat 0  side 0  27 cards
              S4  C5  S6  S7  S8  C9  ST  CQ  SA  D2  SB
              H4  D5  H6  C7  C8      CT  DQ  HA
                      D6  D7  D8      DT      DA
                      D6  D7          DT
"""


def plain_picture(*args):
    """Return the lines of the picture that is not for a terminal."""
    lines, picture = split_plain(run("deal", *args))
    assert len(lines) == 1
    return [line[2:] for line in picture]


def picture_on_terminal(*args, columns=72, **env):
    """Return the lines of the picture on a terminal, without colour."""
    output = run("deal", *args, env={**TERMINAL, "COLUMNS": str(columns), **env})
    picture, text = ESCAPES.sub("", output).rstrip("\n").rsplit("\n\n", 1)
    assert "\n" not in text
    return [line.rstrip() for line in picture.splitlines()]


def hands_shown(lines, width):
    """Return the cards that a picture of a known width shows in the places of seats 0 to 3."""
    heading = next(line for line in lines if line.startswith("seat 3"))
    top = lines.index(heading)
    bottom = max(i for i, line in enumerate(lines) if "seat 0" in line and "side 0" in line)
    right = heading.index("seat 1")
    parts = (
        lines[bottom:],
        [line[right:] for line in lines[top:bottom]],
        lines[:top],
        [line[: width - right] for line in lines[top:bottom]],
    )
    return [Counter(CARD.findall("\n".join(part))) for part in parts]


def states_on_the_way(seed, level):
    """Yield states of a random deal until it is over."""
    state = gd.State.deal(level, seed)
    rng = np.random.default_rng(seed)
    while not state.is_over:
        yield state
        for _ in range(5):
            if not state.is_over:
                moves = state.legal_moves()
                state.push(moves[int(rng.integers(len(moves)))])
    yield state


# deal


def test_deal_shows_the_hands_round_the_table():
    assert plain_picture("--seed", "7", "--level", "2") == PICTURE.splitlines()


@pytest.mark.parametrize("level", ["2", "9", "A"])
@pytest.mark.parametrize("seed", range(3))
def test_the_picture_shows_every_card_in_its_place(seed, level):
    for state in states_on_the_way(seed, level):
        hands = [Counter(hand) for hand in state.hands]
        assert hands_shown(plain_picture(str(state)), 70) == hands
        for columns, width in ((40, 72), (72, 72), (80, 80), (120, 88)):
            lines = picture_on_terminal(str(state), columns=columns)
            assert hands_shown(lines, width) == hands
            assert max(map(len, lines)) <= width


def test_the_picture_has_room_for_the_widest_hands():
    # Eight cards of a rank on both sides, wilds among them, and a table of ten cards.
    hands = [
        gd.Hand("S3"),
        gd.Hand("S2 S2 H2 H2 C2 C2 D2 D2"),
        gd.Hand("SB SB HR HR S4 S5 S6 S7 S8 S9 ST SJ SQ SK SA"),
        gd.Hand("SA C5 H5 D5 S5 C5 D5"),
    ]
    state = gd.State(hands, level="2", turn=3, table="straight_flush T", owner=2)
    lines = plain_picture(str(state))
    assert hands_shown(lines, 70) == [Counter(hand) for hand in hands]
    assert "straight_flush T" in " ".join(" ".join(lines).replace("|", " ").split())


def test_the_last_line_is_the_state():
    for args in (["--seed", "7"], [ENDGAME], ENDGAME.split(), [OUT_FIRST], OUT_FIRST.split()):
        state = gd.State.deal("2", 7) if args[0] == "--seed" else gd.State.parse(" ".join(args))
        assert run("deal", *args).splitlines()[-1] == str(state)
        assert run("deal", *args, env=TERMINAL).splitlines()[-1] == str(state)


def test_deal_of_standard_input():
    output = run("deal", ENDGAME)
    assert run("deal", "-", stdin=ENDGAME) == run("deal", "-", stdin=output) == output


def test_level_is_2_if_not_given():
    assert run("deal", "--seed", "3") == run("deal", "--seed", "3", "--level", "2")
    assert run("deal", "--seed", "3") != run("deal", "--seed", "3", "--level", "5")


def test_what_is_on_the_table():
    words = " ".join(" ".join(plain_picture(PASSED)).replace("|", " ").split())
    assert re.search(r"level 9 .*seat 1 played .*pair 5 .*S5 D5 .*seat 3 to reply", words)
    assert "wild" not in words
    lines = plain_picture(ENDGAME)
    assert any("pair 2" in line for line in lines)
    assert any("seat 0 to reply" in line for line in lines)
    assert any("seat 0 leads" in line for line in plain_picture(SMALL))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (ENDGAME, {"seat 0": "to move", "seat 1": "", "seat 2": "first", "seat 3": ""}),
        (SMALL, {"seat 0": "to move", "seat 1": "", "seat 2": "", "seat 3": ""}),
        (PASSED, {"seat 0": "", "seat 1": "first", "seat 2": "passed", "seat 3": "to move"}),
        (OUT_FIRST, {"seat 0": "second", "seat 1": "first", "seat 2": "to move", "seat 3": ""}),
        (OVER, {"seat 0": "second", "seat 1": "first", "seat 2": "third", "seat 3": "last"}),
        (DOUBLE, {"seat 0": "last", "seat 1": "second", "seat 2": "last", "seat 3": "first"}),
    ],
)
def test_what_each_seat_is_about(text, said):
    for lines in (plain_picture(text), picture_on_terminal(text)):
        names = re.findall(
            r"(seat \d)(?:  (to move|passed|first|second|third|last))?(?=  |$)",
            "\n".join(lines),
            re.MULTILINE,
        )
        assert dict(names) == said


def test_cards_are_counted():
    lines = "\n".join(plain_picture(OUT_FIRST))
    assert re.findall(r"side \d(?:  \d+ cards?)?", lines) == [
        *("side 0  1 card", "side 1  1 card", "side 1", "side 0")
    ]


def test_a_deal_that_is_over():
    for text, payoff in ((OVER, "-1"), (DOUBLE, "-3")):
        lines = "\n".join(plain_picture(text))
        assert "the deal is over" in lines
        assert f"payoff {payoff} for side 0" in lines
    assert "payoff -4 for side 0" in run("deal", DOUBLE, "--rules", "pagat")


def test_wilds_are_marked_and_coloured():
    output = run("deal", SMALL, env=TERMINAL)
    assert "\x1b[1;4;31mH5\x1b[0m*" in output
    assert "wild H5*" in ESCAPES.sub("", output)
    assert "\x1b" not in run("deal", SMALL)
    assert "H5*" in "\n".join(picture_on_terminal(SMALL, NO_COLOR="1"))


@pytest.mark.parametrize("text", [ENDGAME, SMALL, OUT_FIRST, OVER])
@pytest.mark.parametrize("env", [PLAIN, TERMINAL])
def test_json_of_deal(text, env):
    state = gd.State.parse(text)
    output = run("deal", text, "--json", env=env)
    assert output.count("\n") == 1
    found = json.loads(output)
    assert found == {
        "state": text,
        "level": state.level,
        "turn": state.turn,
        "table": state.table and str(state.table),
        "owner": state.owner,
        "out": list(state.out),
        "hands": [str(hand) for hand in state.hands],
        "counts": [len(hand) for hand in state.hands],
    }
    assert list(found) == [
        *("state", "level", "turn", "table", "owner", "out", "hands", "counts"),
    ]


# perft


def sums(state, depth):
    """Return what `perft` is to find: the split, and the nodes."""
    counts = {}
    for move in state.legal_moves() if depth and not state.is_over else ():
        state.push(move)
        counts[str(move)] = state.perft(depth - 1)
        state.pop()
    return counts, sum(state.perft(d) for d in range(1, depth + 1))


@pytest.mark.parametrize("text", [ENDGAME, SMALL, PASSED, OUT_FIRST, OVER])
@pytest.mark.parametrize("depth", [0, 1, 3, 8, 40])
def test_perft(text, depth):
    state = gd.State.parse(text)
    counts, nodes = sums(state, depth)
    total = state.perft(depth)
    args = ["perft", text, "--depth", str(depth)]
    found = json.loads(run(*args, "--json"))
    assert list(found) == ["total", "split", "nodes", "seconds", "depth"]
    assert found.pop("seconds") >= 0
    assert found == {"total": total, "split": counts, "nodes": nodes, "depth": depth}
    assert total == (sum(counts.values()) if depth else 1)
    lines, other = split_plain(run(*args))
    assert lines == [f"{move}: {count}" for move, count in counts.items()]
    assert other[:2] == [f"# depth {depth} from {text}", f"# total: {total}"]
    assert re.fullmatch(rf"# nodes: {nodes} in [\d.]+ s, [\d,]+ nodes/s", other[2])
    assert len(other) == 3
    *rows, last, nodes_line = ESCAPES.sub("", run(*args, env=TERMINAL)).splitlines()
    assert [row.replace("*", "").split("  ")[0] for row in rows] == list(counts)
    assert [int(row.split()[-1].replace(",", "")) for row in rows] == list(counts.values())
    assert last == f"total  {total:,}"
    assert nodes_line.startswith(f"nodes  {nodes:,} in ")


def test_perft_of_a_dealt_state():
    for level in ("2", "J"):
        found = json.loads(
            run("perft", "--seed", "8", "--level", level, "--depth", "2", "--json"),
        )
        assert found["total"] == gd.State.deal(level, 8).perft(2)
    piped = run("deal", "--seed", "8", "--level", "J")
    assert (
        json.loads(run("perft", "-", "--depth", "2", "--json", stdin=piped))["split"]
        == found["split"]
    )


def test_perft_follows_the_rules():
    text = "S2C2D2H2H2S3/S4/HR/D5 2 0 - -"
    for name in ("jiangsu2023", "opengd"):
        state = gd.State.parse(text, rules=gd.Rules.preset(name))
        found = json.loads(run("perft", text, "--rules", name, "--json"))
        assert found["total"] == state.perft(3)
        assert len(found["split"]) == len(state.legal_moves())
    assert len(found["split"]) < len(gd.State.parse(text).legal_moves())


@pytest.mark.parametrize("text", [ENDGAME, OUT_FIRST, SMALL])
def test_a_state_may_be_several_arguments(text):
    def lines(*args):
        return run("perft", "--depth", "2", *args).rsplit("\n", 2)[0]

    assert lines(*text.split()) == lines(text)
    assert lines("--", *text.split()) == lines("--", text) == lines(text)


# simulate

MEASURED = ("deals_per_second", "decisions_per_second", "seconds")


def simulated(*args):
    """Return what `simulate --json` prints, without what depends on the time."""
    found = json.loads(run("simulate", *args, "--json"))
    assert all(found.pop(name) > 0 for name in MEASURED)
    return found


def spread(values):
    """Return mean, percentiles and maximum of a list of numbers of moves."""
    values = sorted(values)
    n = len(values)
    # The smallest value with at least that share at or below it.
    shares = {f"p{p}": values[(n * p + 99) // 100 - 1] for p in (50, 90, 99)}
    return {"mean": sum(values) / n, **shares, "max": values[-1]}


def test_simulate_sums_up_playouts():
    found = json.loads(run("simulate", "--deals", "300", "--seed", "5", "--json"))
    assert list(found) == [
        *("deals", "decisions", "forced_passes", "deals_per_second", "decisions_per_second"),
        *("seconds", "payoffs", "legal_moves"),
    ]
    tally = gd.Tally()
    played = gd.playouts(range(5, 305), tally=tally)
    assert found["deals"] == 300
    assert found["decisions"] == played.decisions.sum()
    assert found["decisions"] + found["forced_passes"] == played.lengths.sum()
    assert found["deals_per_second"] == pytest.approx(300 / found["seconds"])
    assert found["decisions_per_second"] == pytest.approx(found["decisions"] / found["seconds"])
    shares = Counter(map(str, played.payoffs.tolist()))
    assert found["payoffs"] == {p: shares[p] / 300 for p in ("3", "2", "1", "-1", "-2", "-3")}
    numbers = {
        name: np.repeat(np.arange(len(histogram)), histogram).tolist()
        for name, histogram in vars(tally).items()
    }
    numbers["all"] = numbers["leads"] + numbers["replies"]
    assert len(numbers["all"]) == found["decisions"]
    assert found["legal_moves"] == {name: spread(values) for name, values in numbers.items()}
    assert list(found["legal_moves"]) == ["all", "leads", "replies", "openings"]


def test_results_do_not_depend_on_threads_or_chunks(monkeypatch):
    whole = simulated("--deals", "1000", "--seed", "3")
    assert simulated("--deals", "1000", "--seed", "3", "--threads", "3") == whole
    monkeypatch.setattr(deals, "CHUNK", 77)
    assert simulated("--deals", "1000", "--seed", "3") == whole
    assert simulated("--deals", "1000", "--seed", "3", "--threads", "2") == whole
    assert simulated("--deals", "1000", "--seed", "4") != whole


def test_simulate_at_a_level_by_a_preset():
    at_9 = simulated("--deals", "50", "--level", "9", "--rules", "pagat")
    played = gd.playouts(range(50), level="9", rules=gd.Rules.preset("pagat"))
    shares = Counter(map(str, played.payoffs.tolist()))
    assert at_9["payoffs"] == {p: shares[p] / 50 for p in ("4", "2", "1", "-1", "-2", "-4")}
    assert at_9["decisions"] == played.decisions.sum()
    assert at_9 != simulated("--deals", "50", "--rules", "pagat")


def test_the_last_seed_may_be_the_greatest():
    assert simulated("--deals", "2", "--seed", str(2**64 - 2))["deals"] == 2


def test_what_was_simulated_is_said():
    assert run("simulate", "--deals", "1", "--seed", "3").startswith(
        "seed 3, levels drawn by the seeds, rules jiangsu2023\n"
    )


@pytest.mark.parametrize("env", [PLAIN, TERMINAL])
def test_simulate_prints_its_numbers(env):
    found = simulated("--deals", "2000", "--level", "5", "--seed", "1")
    head, speed, payoffs, moves = (
        ESCAPES.sub("", run("simulate", "--deals", "2000", "--level", "5", "--seed", "1", env=env))
        .rstrip()
        .split("\n\n")
    )
    assert head == "seeds 1 to 2000, level 5, rules jiangsu2023"
    assert re.search(r"^deals +2,000 +[\d,]+$", speed, re.MULTILINE)
    assert re.search(rf"^decisions +{found['decisions']:,} +[\d,]+$", speed, re.MULTILINE)
    assert re.search(rf"^forced passes +{found['forced_passes']:,}$", speed, re.MULTILINE)
    assert [row.split("  ")[0] for row in payoffs.splitlines()] == [
        *("payoff for side 0", "share of deals")
    ]
    assert payoffs.split()[4:10] == ["+3", "+2", "+1", "-1", "-2", "-3"]
    assert payoffs.split()[-6:] == [f"{share:.1%}" for share in found["payoffs"].values()]
    rows = [row.split() for row in moves.splitlines()]
    assert rows[0] == ["legal", "moves", "per", "decision", "mean", "p50", "p90", "p99", "max"]
    for (name, mean, *others), (kind, numbers) in zip(
        rows[1:], found["legal_moves"].items(), strict=True
    ):
        assert name == kind
        assert mean == f"{numbers['mean']:,.1f}"
        assert others == [f"{numbers[key]:,}" for key in ("p50", "p90", "p99", "max")]
    lines = "\n".join([head, speed, payoffs, moves]).splitlines()
    assert max(map(len, lines)) <= 72


def test_percentiles():
    def histogram(values):
        return np.bincount(values, minlength=12).astype(np.int64)

    assert deals.spread(histogram([3])) == {"mean": 3, "p50": 3, "p90": 3, "p99": 3, "max": 3}
    for values in ([1, 2], [1, 2, 3], list(range(1, 11)), [1] * 99 + [9], [1] * 98 + [8, 9]):
        assert deals.spread(histogram(values)) == spread(values)
    nothing = deals.spread(histogram([]))
    assert set(nothing.values()) == {None}
    assert deals.number_text(None) == "-"


# Errors


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["deal"], 'give a state, such as "S4S5D9/'),
        (["deal", ENDGAME, "--seed", "7"], "not both"),
        (["deal", ENDGAME, "--level", "7"], "--level is that of a deal by --seed"),
        (["deal", "--level", "7"], "--level is that of a deal by --seed"),
        (["deal", "--seed", "-1"], "seed=-1"),
        (["deal", "--seed", "7", "--level", "10"], "'10' is not a level: write \"T\""),
        (["deal", "--seed", "7", "--rules", "house"], "no preset 'house'"),
        (["deal", "S3/S4/S5 2 0 - -"], "want 3 between four hands"),
        (["deal", "S3/S4/S5/S6 2 0 - 1", "--json"], "seat 1 is in out, but holds cards"),
        (["deal", "-/S4/S5/S6 2 1 - -"], "seat 0 holds no cards"),
        (["perft"], 'give a state, such as "S4S5D9/'),
        (["perft", SMALL, "--depth", "-1"], "--depth -1: want 0 to 1000"),
        (["perft", SMALL, "--depth", str(10**12)], "want 0 to 1000"),
        (["perft", SMALL, "--seed", "1"], "not both"),
        (["perft", "S3", "2"], "0 slashes"),
        (["simulate", "--deals", "0"], "--deals 0: want 1 to 1000000000000"),
        (["simulate", "--deals", str(2**70)], "want 1 to 1000000000000"),
        (["simulate", "--threads", "0"], "--threads 0: want 1 to 1024"),
        (["simulate", "--seed", "-1"], "--seed -1: want 0 to"),
        (["simulate", "--seed", str(2**64), "--deals", "1"], f"want 0 to {2**64 - 1}"),
        (["simulate", "--deals", "1", "--level", "1"], "'1' is not a level"),
        (["simulate", "--rules", "house"], "no preset 'house'"),
    ],
)
@pytest.mark.parametrize("env", [PLAIN, TERMINAL])
def test_an_error_is_one_line_and_status_2(args, said, env):
    assert said in refuse_in_a_line(*args, env=env)


@pytest.mark.parametrize(
    ("stdin", "said"),
    [
        ("", "standard input holds 0 states"),
        ("# a note\n\n", "standard input holds 0 states"),
        (f"{ENDGAME}\n{SMALL}\n", "standard input holds 2 states"),
        ("S3", "0 slashes"),
    ],
)
def test_standard_input_without_a_state(stdin, said):
    assert said in refuse_in_a_line("perft", "-", stdin=stdin)


@pytest.mark.parametrize(
    "args", [["perft", SMALL, "--dept", "3"], ["perft", SMALL, "-x"], ["simulate", SMALL]]
)
def test_a_usage_error_is_status_2(args):
    assert "Error" in refuse(*args)


# The bar


class FakeTerminal(io.StringIO):
    def isatty(self):
        return True


def set_up(monkeypatch, stderr, patience, **env):
    """Make a bar appear after some patience on some file."""
    for name, value in {**PLAIN, "TERM": "xterm", "COLUMNS": "72", **env}.items():
        if value is None:
            monkeypatch.delenv(name, raising=False)
        else:
            monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "stderr", stderr)
    monkeypatch.setattr(progress, "PATIENCE", patience)


def bar(monkeypatch, stderr, patience, **env):
    """Return what a bar writes that is advanced from 0 to 4 of 10."""
    set_up(monkeypatch, stderr, patience, **env)
    with progress.progress_bar(10, "deals") as advance:
        time.sleep(0.2)
        advance(3)
        advance(1)
    return stderr.getvalue()


def test_a_terminal_gets_a_bar(monkeypatch):
    assert "4 of 10 deals" in bar(monkeypatch, FakeTerminal(), 0.0)


def test_no_bar_for_what_is_quick(monkeypatch):
    assert bar(monkeypatch, FakeTerminal(), 60.0) == ""


def test_no_bar_for_what_is_no_terminal(monkeypatch):
    assert bar(monkeypatch, io.StringIO(), 0.0) == ""
    assert bar(monkeypatch, io.StringIO(), 0.0, FORCE_COLOR="1") == ""
    assert bar(monkeypatch, FakeTerminal(), 0.0, TERM="dumb") == ""


@pytest.mark.parametrize("terminal", [False, True])
def test_lines_beside_a_bar(monkeypatch, terminal):
    stdout = FakeTerminal() if terminal else io.StringIO()
    stderr = FakeTerminal()
    monkeypatch.setattr(sys, "stdout", stdout)
    set_up(monkeypatch, stderr, 0.0)
    with progress.progress_bar(10, "deals"):
        time.sleep(0.2)
        print("a line")
    assert ("a line" in stderr.getvalue()) is terminal  # above the bar
    assert stdout.getvalue() == ("" if terminal else "a line\n")
    assert "0 of 10 deals" in stderr.getvalue()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
@pytest.mark.parametrize(
    "args",
    [
        ["simulate", "--deals", "1000000000"],
        ["simulate", "--deals", "1000000000", "--threads", "2"],
        ["perft", "--seed", "7", "--depth", "9"],
    ],
)
def test_an_interrupt_ends_it_quietly(args):
    interrupt(*args)
