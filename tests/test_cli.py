"""The command line: what it prints is what the package lists, and errors are one line."""

import json
import re
import subprocess
import sys
import sysconfig
from collections import Counter
from pathlib import Path

import pytest
from cli_runner import (
    ESCAPES,
    PLAIN,
    TERMINAL,
    plain_environ,
    refuse,
    refuse_in_a_line,
    run,
    spawn,
    split_plain,
)

import guandan as gd

FLAGSHIP = "S3 C3 D3 S4 D4 H5 C6 D7 H2 H2 SB HR"


def texts(moves):
    return list(map(str, moves))


def word_counts(moves):
    return Counter(gd.Kind(kind).name.lower() for kind in moves.kinds)


def read_columns(output):
    """Return the header, the moves' texts and the headings' counts of what a terminal gets."""
    header, *blocks = ESCAPES.sub("", output).split("\n\n")
    found, counts = [], {}
    for block in blocks:
        heading, *rows = block.splitlines()
        word, number = heading.split()
        counts[word] = int(number)
        if word == "pass":
            found.append("pass")
        key = None
        for row in rows:
            key = row[:4].strip() or key
            found += [f"{word} {key} {cell.replace('*', '')}" for cell in re.split("  +", row[4:])]
    return header.splitlines(), found, counts


# moves


def test_moves_lists_what_the_package_lists():
    listed, other = split_plain(run("moves", FLAGSHIP, "--level", "2"))
    moves = gd.legal_moves(FLAGSHIP, level="2")
    assert listed == texts(moves)
    assert len(listed) == gd.count_moves(FLAGSHIP, level="2") == 226
    assert other == [
        f"# level 2, 12 cards: {gd.Hand(FLAGSHIP)}",
        *(f"# {word}: {n}" for word, n in word_counts(moves).items()),
        "# total: 226",
    ]


def test_each_kind_stands_after_its_heading():
    kind = None
    for line in run("moves", FLAGSHIP).splitlines()[1:-1]:
        if line.startswith("# "):
            kind = line[2:].split(":")[0]
        else:
            assert line.split()[0] == kind


@pytest.mark.parametrize("level", ["2", "5", "T", "A"])
def test_level(level):
    listed, _ = split_plain(run("moves", FLAGSHIP, "--level", level))
    assert listed == texts(gd.legal_moves(FLAGSHIP, level=level))


def test_level_is_2_if_not_given():
    assert run("moves", FLAGSHIP) == run("moves", FLAGSHIP, "--level", "2")


def test_cards_may_be_several_arguments():
    assert run("moves", *FLAGSHIP.split()) == run("moves", FLAGSHIP)
    assert run("moves", "S3C3", "H2") == run("moves", "S3 C3 H2")


@pytest.mark.parametrize("beat", ["full_house 3", "single K", "pair 3 S3 C3", "joker_bomb"])
def test_replies_begin_with_the_pass(beat):
    listed, other = split_plain(run("moves", FLAGSHIP, "--beat", beat))
    assert listed[0] == "pass"
    assert listed == texts(gd.legal_moves(FLAGSHIP, level="2", beat=beat))
    assert other[1:3] == [f"# to beat: {beat}", "# pass: 1"]


@pytest.mark.parametrize("suits", ["all", "flush", "one"])
def test_suits(suits):
    moves = gd.legal_moves(FLAGSHIP, level="2", suits=suits)
    assert split_plain(run("moves", FLAGSHIP, "--suits", suits))[0] == texts(moves)
    assert run("moves", FLAGSHIP, "--suits", suits, "--count") == f"{len(moves)}\n"


def test_rules():
    selection = "S2 C2 D2 H2 H2"
    for name in ("jiangsu2023", "opengd"):
        moves = gd.legal_moves(selection, level="2", rules=gd.Rules.preset(name))
        assert split_plain(run("moves", selection, "--rules", name))[0] == texts(moves)
    assert run("moves", selection) != run("moves", selection, "--rules", "opengd")


def test_rules_of_a_file(tmp_path):
    path = tmp_path / "house.toml"
    path.write_text("bomb_max = 8")
    rules = gd.Rules(bomb_max=8)
    cards = "S3 S3 H3 H3 C3 C3 D3 D3 H2"
    listed, _ = split_plain(run("moves", cards, "--rules", str(path)))
    assert listed == texts(gd.legal_moves(cards, level="2", rules=rules))
    assert not any(text.startswith("bomb9") for text in listed)
    assert "bomb9" in run("moves", cards)
    for args in (
        *(["readings", cards], ["deal", "--seed", "1"], ["solve", "S3C3S9/S4/HR/D7 2 0 - -"]),
        *(["perft", "--seed", "1", "--depth", "1"], ["simulate", "--deals", "9"]),
    ):
        assert run(*args, "--rules", str(path))
        path.rename(tmp_path / "gone.toml")
        assert f"{path} cannot be read: No such" in refuse_in_a_line(*args, "--rules", str(path))
        (tmp_path / "gone.toml").rename(path)


def test_count():
    assert run("moves", FLAGSHIP, "--count") == "226\n"
    assert json.loads(run("moves", FLAGSHIP, "--count", "--json")) == {"count": 226}
    replies = gd.count_moves(FLAGSHIP, level="2", beat="full_house 3")
    assert run("moves", FLAGSHIP, "--beat", "full_house 3", "--count") == f"{replies}\n"


@pytest.mark.parametrize("beat", [None, "full_house 3"])
def test_json(beat):
    output = run("moves", FLAGSHIP, "--json", *(["--beat", beat] if beat else []))
    moves = gd.legal_moves(FLAGSHIP, level="2", beat=beat)
    assert json.loads(output) == {
        "moves": texts(moves),
        "count": len(moves),
        "kinds": word_counts(moves),
    }
    assert list(json.loads(output)) == ["moves", "count", "kinds"]
    assert output.count("\n") == 1


@pytest.mark.parametrize("seat", [0, 1, 2, 3])
def test_deal(seat):
    moves = gd.legal_moves(gd.deal_hands(7)[seat], level="2")
    assert split_plain(run("moves", "--deal", "7", "--seat", str(seat)))[0] == texts(moves)


def test_seat_is_0_if_not_given():
    assert run("moves", "--deal", "7") == run("moves", "--deal", "7", "--seat", "0")


# moves, on a terminal


@pytest.mark.parametrize("beat", [None, "full_house 3", "bomb4 3"])
@pytest.mark.parametrize("level", ["2", "5", "9"])
def test_columns_show_every_move_in_order(level, beat):
    args = ["--level", level, *(["--beat", beat] if beat else [])]
    _, found, counts = read_columns(run("moves", FLAGSHIP, *args, env=TERMINAL))
    moves = gd.legal_moves(FLAGSHIP, level=level, beat=beat)
    assert found == texts(moves)
    assert counts == {**word_counts(moves), "total": len(moves)}


@pytest.mark.parametrize("seed", range(5))
def test_columns_of_a_deal_fit_the_width(seed):
    output = run("moves", "--deal", str(seed), env={**TERMINAL, "COLUMNS": "90"})
    _, found, _ = read_columns(output)
    assert found == texts(gd.legal_moves(gd.deal_hands(seed)[0], level="2"))
    assert max(map(len, ESCAPES.sub("", output).splitlines())) <= 90


def test_header_shows_the_hand_in_level_order():
    header, _, _ = read_columns(
        run("moves", "S5 HR SA H5 C3 SB", "--level", "5", "--beat", "single K", env=TERMINAL)
    )
    assert header == [
        "level 5, 6 cards",
        "C3 SA S5 H5 SB HR",
        "* marks a wild: H5",
        "to beat: single K",
    ]


def test_wilds_are_marked_without_colour_too():
    output = run("moves", "S3 H2", env={**TERMINAL, "NO_COLOR": "1"})
    assert "H2* S3" in ESCAPES.sub("", output)
    codes = {code for codes in ESCAPES.findall(output) for code in codes.split(";")}
    assert "4" in codes
    assert not {str(code) for code in range(30, 38)} & codes


def test_no_legend_without_wilds():
    assert "*" not in run("moves", "S3 C3 H2", "--level", "3", env=TERMINAL)


def test_suits_are_coloured_on_a_terminal_only():
    assert "\x1b[31mH5" in run("moves", FLAGSHIP, env=TERMINAL)
    assert "\x1b" not in run("moves", FLAGSHIP)


# readings


@pytest.mark.parametrize("cards", ["S4 C5 D6 S7 H2", "S9 C9 D9 H2 H2", "S3", "SB SB HR HR"])
@pytest.mark.parametrize("env", [PLAIN, TERMINAL])
def test_readings(cards, env):
    expected = texts(gd.readings(cards, level="2"))
    assert expected
    assert ESCAPES.sub("", run("readings", cards, env=env)).splitlines() == expected
    assert run("readings", *cards.split(), env=env) == run("readings", cards, env=env)
    assert json.loads(run("readings", cards, "--json", env=env)) == {"readings": expected}


def test_readings_of_cards_that_are_no_move():
    assert run("readings", "S4 C7") == "Together these cards are no move at level 2.\n"
    assert json.loads(run("readings", "S4 C7", "--json")) == {"readings": []}


def test_readings_at_a_level_by_a_preset():
    cards = "S5 C5 D5 H5 H5"
    for name in ("jiangsu2023", "opengd"):
        expected = texts(gd.readings(cards, level="5", rules=gd.Rules.preset(name)))
        assert run("readings", cards, "--level", "5", "--rules", name).splitlines() == expected
    assert gd.readings(cards, "5") != gd.readings(cards, "5", gd.Rules.preset("opengd"))


# split


SPLIT = "S3 C3 D3 S4 C4 D4 S5 C5 D5 H5 SB SB"


def test_split_shows_the_fewest_plays():
    split = gd.fewest_plays(SPLIT, "2")
    assert run("split", SPLIT).splitlines() == [
        f"# level 2, 12 cards: {gd.Hand(SPLIT)}",
        "# plays: 3",
        *texts(split.moves),
    ]
    assert run("split", *SPLIT.split()) == run("split", SPLIT)
    assert json.loads(run("split", SPLIT, "--json")) == {
        "count": 3,
        "cost": 3,
        "moves": texts(split.moves),
    }


@pytest.mark.parametrize("bombs", ["count", "apart"])
def test_split_shows_all_best_splits(bombs):
    found = gd.best_splits(SPLIT, "2", bombs=bombs)
    listed, other = split_plain(run("split", SPLIT, "--all", "--bombs", bombs))
    assert listed == [text for split in found.splits for text in texts(split.moves)]
    assert other == [
        f"# level 2, 12 cards: {gd.Hand(SPLIT)}",
        "# plays: 3" + (", 1 of them bombs" if bombs == "apart" else ""),
        *(f"# split {number}" for number in range(1, len(found.splits) + 1)),
    ]
    assert json.loads(run("split", SPLIT, "--all", "--bombs", bombs, "--json")) == {
        "count": 3,
        "cost": 3 if bombs == "count" else 2,
        "splits": [texts(split.moves) for split in found.splits],
        "complete": True,
    }


def test_split_says_that_there_are_more():
    cut = ["split", SPLIT, "--all", "--limit", "7"]
    assert split_plain(run(*cut))[1][-2:] == ["# split 7", "# there are more: --limit"]
    fields = json.loads(run(*cut, "--json"))
    assert (len(fields["splits"]), fields["complete"]) == (7, False)


def test_split_by_a_level_a_preset_and_a_deal():
    rules = gd.Rules.preset("opengd")
    split = gd.fewest_plays(gd.deal_hands(7)[3], "9", rules)
    args = ["--deal", "7", "--seat", "3", "--level", "9", "--rules", "opengd"]
    assert split_plain(run("split", *args))[0] == texts(split.moves)


def test_split_marks_wilds_on_a_terminal():
    output = run("split", "H2 C3 D3", env=TERMINAL)
    assert ESCAPES.sub("", output).splitlines() == [
        "level 2, 3 cards: H2 C3 D3",
        "plays: 1",
        "triple 3 H2* C3 D3",
    ]
    assert "\x1b[31mD3" in output


# Errors


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["moves", "S3 10H"], "'10H' is not a card: write \"HT\""),
        (["moves", "S3 S3 S3"], "3 copies of S3"),
        (["moves", ""], "an empty hand has no moves"),
        (["moves", "S3", "--level", "10"], "'10' is not a level: write \"T\""),
        (["moves", "S3", "--beat", "bomb 9"], "say its size"),
        (["moves", "S3", "--beat", "pass"], "a pass is nothing to beat"),
        (["moves", "S3", "--beat", "pair 3 S3 C4"], "at level 2 these cards make no move"),
        (["moves", "S3", "--beat", "bomb9 2"], "at most 8 cards"),
        (["moves", "S3", "--suits", "few"], 'want "all", "flush" or "one"'),
        (["moves", "S3", "--rules", "house"], "no preset 'house'"),
        (["moves", "S3 10H", "--count", "--json"], "is not a card"),
        (["moves"], "give the cards of a hand"),
        (["moves", "S3", "--deal", "7"], "not both"),
        (["moves", "S3", "--seat", "0"], "give --deal too"),
        (["moves", "--seat", "0"], "give --deal too"),
        (["moves", "--deal", "7", "--seat", "4"], "there is no seat 4"),
        (["moves", "--deal", "7", "--seat", "-1"], "there is no seat -1"),
        (["moves", "--deal", "-1"], "seed=-1"),
        (["readings"], "give the cards"),
        (["readings", "X3"], "'X3' is not a card"),
        (["readings", "S3", "--level", "1"], "'1' is not a level"),
        (["readings", "S3", "--rules", "house"], "no preset 'house'"),
        (["split"], "give the cards of a hand"),
        (["split", "S3", "--bombs", "few"], 'want "count" or "apart"'),
        (["split", "S3", "--all", "--limit", "0"], "limit=0"),
        (["split", "S3", "--rules", "house"], "no preset 'house'"),
    ],
)
@pytest.mark.parametrize("env", [PLAIN, TERMINAL])
def test_an_error_is_one_line_and_status_2(args, said, env):
    assert said in refuse_in_a_line(*args, env=env)


@pytest.mark.parametrize(
    "args", [["move"], ["moves", "--level"], ["moves", "S3", "--deep"], ["moves", "--deal", "x"]]
)
def test_a_usage_error_is_status_2(args):
    error = refuse(*args)
    assert "Error" in error
    assert "Traceback" not in error


# The program


def test_help_shows_examples_that_work(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("states.txt").write_text("S3C3S9/S4/HR/D7 2 0 - -\nS3/S4/HR/D7 2 0 - -\n")
    Path("record.txt").write_text("S3C3S9/S4/HR/D7 2 0 - -\nS9\npass\n")
    commands = re.findall(r"^  (\w+)  ", run("--help").partition("Commands:")[2], re.MULTILINE)
    assert commands == [
        *("moves", "readings", "split", "deal", "perft", "simulate", "match", "replay", "solve"),
        *("review", "arena", "rules"),
    ]
    for command in commands:
        examples = re.findall(r"^ +(guandan .*)$", run(command, "--help"), re.MULTILINE)
        assert examples
        for example in examples:
            assert f"{example} ".startswith(f"guandan {command} ")
            output = None
            for step in example.split(" | "):
                words = [word.strip('"') for word in re.findall(r'"[^"]*"|\S+', step)]
                output = run(*words[1:], stdin=output)
                assert output
    assert "..." not in run("--help").partition("Commands:")[2]
    assert "[default: 2]" in run("moves", "--help")
    assert "completion" not in run("--help")


@pytest.mark.parametrize("command", ["script", "module"])
def test_installed_program(command):
    script = Path(sysconfig.get_path("scripts"), "guandan")
    program = [str(script)] if command == "script" else [sys.executable, "-m", "guandan.cli"]
    assert spawn(*program, "--version") == f"guandan {gd.__version__}\n"
    assert spawn(*program, "moves", FLAGSHIP) == run("moves", FLAGSHIP)
    assert "Usage: guandan moves" in spawn(*program, "moves", "--help")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no broken pipes")
@pytest.mark.parametrize("settings", [{}, {"FORCE_COLOR": "1"}])
@pytest.mark.parametrize("options", [[], ["--json"]])
def test_a_reader_that_leaves_is_no_error(options, settings):
    # 5,190 moves: more than a pipe holds.
    args = ["moves", "--deal", "2408", "--seat", "3", *options]
    with subprocess.Popen(
        [sys.executable, "-m", "guandan.cli", *args],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=plain_environ() | settings,
    ) as process:
        assert process.stdout.read(10)
        process.stdout.close()
        assert process.stderr.read() == b""


def test_the_package_alone_imports_neither_typer_nor_rich():
    code = "import guandan, sys; assert not {'typer', 'rich'} & set(sys.modules)"
    assert spawn(sys.executable, "-c", code) == ""
