"""The command `arena`: bots by name, what is shown, records, refusals."""

import json
import re
import sys

import pytest
from cli_runner import ESCAPES, PLAIN, TERMINAL, refuse_in_a_line, run, spawn

import guandan as gd
from guandan.arena import compare
from guandan.bots import Random
from guandan.cli.arena import read_bot, read_value

OWN = '''
class Nth:
    """Plays the n-th move of a list, of short ones the last."""

    def __init__(self, n=0):
        self.n = n

    def choose(self, obs, moves, rng):
        return moves[min(self.n, len(moves) - 1)]
'''


@pytest.mark.parametrize("env", [PLAIN, TERMINAL], ids=["plain", "terminal"])
def test_what_came_of_it_is_shown(env):
    lines = ESCAPES.sub("", run("arena", "Greedy", "Random", "--deals", "12", env=env)).splitlines()
    assert lines[0] == "Greedy against Random: 12 deals, each played twice,"
    assert lines[1] == "seed 0, levels drawn, rules jiangsu2023"
    assert re.fullmatch(r"wins +\d+\.\d% +\(\d+\.\d% to \d+\.\d%\)", lines[3])
    assert re.fullmatch(r"steps +[+-]\d\.\d\d +\([+-]\d\.\d\d to [+-]\d\.\d\d\)", lines[4].strip())
    assert re.fullmatch(r"[\d.,]+ plays/s", lines[6])


def test_one_deal_has_no_interval():
    lines = run("arena", "Random", "Random", "--deals", "1", "--level", "A").splitlines()
    assert lines[0].startswith("Random against Random: 1 deals")
    assert lines[1] == "seed 0, level A, rules jiangsu2023"
    assert [line.split() for line in lines[3:5]] == [["wins", "50.0%"], ["steps", "+0.00"]]


def test_json_is_the_comparison():
    options = ("--deals", "10", "--seed", "3", "--level", "K", "--rules", "pagat")
    found = json.loads(run("arena", "Greedy", "Random", *options, "--json"))
    rules = gd.Rules.preset("pagat")
    expected = compare(read_bot("Greedy"), Random(), 10, seed=3, level="K", rules=rules)
    assert list(found) == ["first", "second", "deals", "wins", "steps", "payoffs", "seconds"]
    assert (found["first"], found["second"], found["deals"]) == ("Greedy", "Random", 10)
    assert found["payoffs"] == expected.payoffs.tolist()
    assert found["wins"] == expected.wins._asdict()
    assert found["steps"] == expected.steps._asdict()


def test_json_has_null_where_there_is_no_interval():
    found = json.loads(run("arena", "Random", "Random", "--deals", "1", "--json"))
    assert found["wins"] == {"mean": 0.5, "low": None, "high": None}


def test_workers_change_nothing():
    options = ("arena", "Random", "Greedy", "--deals", "6", "--json")
    one, two = (json.loads(run(*options, *more)) for more in ((), ("--workers", "2")))
    assert one["payoffs"] == two["payoffs"]


def test_a_bot_of_your_own_may_play(tmp_path, monkeypatch):
    (tmp_path / "ownbots.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    words = ("ownbots:Nth,n=2", "ownbots:Nth", "--deals", "4", "--json", "--workers", "2")
    done = spawn(sys.executable, "-m", "guandan.cli", "arena", *words)
    assert json.loads(done)["deals"] == 4


def test_errors_of_your_own_bot_take_a_line(tmp_path, monkeypatch):
    (tmp_path / "brokenbots.py").write_text(
        "class Broken:\n    def choose(self, obs, moves, rng):\n        return open('nowhere')\n"
    )
    (tmp_path / "nobots.py").write_text("raise RuntimeError('not today')\n")
    monkeypatch.chdir(tmp_path)
    text = refuse_in_a_line("arena", "brokenbots:Broken", "Random", "--deals", "1")
    assert re.match(r"guandan: Broken, seat \d of deal 1: FileNotFoundError: ", text)
    assert "not today" in refuse_in_a_line("arena", "nobots:Some", "Random")


def test_records_can_be_shown(tmp_path):
    folder = str(tmp_path / "plays")
    run("arena", "Random", "Greedy", "--deals", "1", "--record", folder)
    shown = run("replay", f"{folder}/1-second.jsonl")
    assert "1 given deals" in shown
    text = refuse_in_a_line("arena", "Random", "Greedy", "--record", folder)
    assert f"{folder} is there already" in text


@pytest.mark.parametrize(
    ("text", "value"), [("None", None), ("3", 3), ("0.5", 0.5), ("sign", "sign"), ("", "")]
)
def test_arguments_are_numbers_where_they_read_as_such(text, value):
    assert read_value(text) == value
    assert type(read_value(text)) is type(value)


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["Greed", "Random"], "no bot 'Greed': there are Greedy, Random"),
        (["Random,x=3", "Random"], "'Random,x=3': "),
        (["Random,3", "Random"], "'Random,3': want arguments as name=value, got '3'"),
        (["os:getcwd", "Random"], "'os:getcwd' is no bot"),
        (["nothing:here", "Random"], "'nothing:here' cannot be imported"),
        (["os:nothing", "Random"], "'os:nothing' cannot be imported"),
        ([":", "Random"], "':' cannot be imported"),
        (["Random", "Random", "--deals", "0"], "--deals 0: want 1"),
        (["Random", "Random", "--workers", "0"], "--workers 0: want 1"),
        (["Random", "Random", "--seed", "-1"], "--seed -1: want 0"),
        (["Random", "Random", "--level", "10"], "'10' is not a level"),
        (["Random", "Random", "--rules", "none"], "no preset 'none'"),
    ],
)
def test_refusals_take_a_line(words, text):
    assert text in refuse_in_a_line("arena", *words)
