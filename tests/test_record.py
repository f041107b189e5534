"""Records of matches: written as they happen, replayed and checked line by line."""

import json
import os
import pickle
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import guandan as gd
from guandan.record import Dealt, Event, Played, Result, Returned, line_of, read_entry
from guandan.tribute import Tribute

PRESETS = gd.Rules.presets()


def play(path: Path, name: str, seed: int, most: int = 10**9, **arguments: Any) -> gd.Match:
    """Record so many choices of a match between random movers."""
    rng = random.Random(f"{name} {seed}")
    now = [0.0]
    arguments.setdefault("rules", gd.Rules.preset(name))
    match = gd.Match(seed=seed, record=path, clock=lambda: now[0], **arguments)
    for _ in range(most):
        if match.phase == "over":
            break
        seat = rng.choice(match.to_act)
        match.act(rng.choice(match.options(seat)), seat)
        now[0] += 3
    return match


def same(one: gd.Match, two: gd.Match) -> bool:
    """Whether two matches have come to the same."""
    return all(
        getattr(one, name) == getattr(two, name)
        for name in (
            *("rules", "seed", "phase", "to_act", "standing", "level", "deal_number", "hands"),
            *("state", "result", "history", "deals"),
        )
    )


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("seed", [0, 1])
def test_records_are_read_back(name: str, seed: int, tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    match = play(path, name, seed)
    assert match.phase == "over"
    again = gd.Match.load(path)
    assert same(match, again)
    lines = path.read_text("utf-8").splitlines()
    assert json.loads(lines[0]) == {
        "guandan": 1,
        "rules": json.loads(match.rules.to_json()),
        "seed": seed,
    }
    assert [read_entry(line) for line in lines[1:]] == list(match.history)
    assert "result" in json.loads(lines[-1])


def test_what_lines_look_like() -> None:
    for entry, line in (
        (Dealt("S3/S4/HR/D2 5 0 - -"), '{"deal": "S3/S4/HR/D2 5 0 - -"}'),
        (Tribute(3, 0, "SA"), '{"tribute": [3, 0, "SA"]}'),
        (Returned(0, 3, "D3"), '{"return": [0, 3, "D3"]}'),
        (Played(1, gd.Move.parse("pair 3 S3 C3")), '{"seat": 1, "move": "pair 3 S3 C3"}'),
        (Played(2, gd.Move.parse("pass")), '{"seat": 2, "move": "pass"}'),
        (Event("resist", 1), '{"event": ["resist", 1]}'),
        (Event("left", 1, 6), '{"event": ["left", 1, 6]}'),
        (Event("time_up"), '{"event": ["time_up", null]}'),
        (
            Result(1, "ace", ("K", "A"), (11, 15)),
            '{"result": {"winner": 1, "reason": "ace", "levels": ["K", "A"], "scores": [11, 15]}}',
        ),
    ):
        assert line_of(entry) == line
        assert read_entry(line) == entry


@pytest.mark.parametrize("most", [0, 1, 57, 140, 141, 142, 143, 300])
def test_a_match_goes_on_from_its_record(most: int, tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    match = play(path, "seed002", 3, most)
    again = gd.Match.load(path)
    # A return that is not shown yet is not written either.
    if match.phase == "return":
        assert set(again.to_act) >= set(match.to_act)
        return
    assert same(match, again)
    rng, other = random.Random(1), random.Random(1)
    for one, source in ((match, rng), (again, other)):
        while one.phase != "over":
            seat = source.choice(one.to_act)
            one.act(source.choice(one.options(seat)), seat)
    assert same(match, again)


def test_records_of_given_deals_and_other_beginnings(tmp_path: Path) -> None:
    given = [gd.State.deal("2", seed=seed) for seed in range(3)]
    path = tmp_path / "given.jsonl"
    match = play(path, "opengd", 1, deals=given)
    deals = json.loads(path.read_text("utf-8").splitlines()[0])["deals"]
    assert [leader for _, leader in deals] == [state.turn for state in given]
    assert same(gd.Match.load(path), match)
    path = tmp_path / "later.jsonl"
    standing = gd.Standing(levels=("A", "Q"), declarers=0, failures=(1, 0))
    match = play(path, "njupt1006", 1, standing=standing, order=(2, 1, 0, 3))
    assert same(gd.Match.load(path), match)


@pytest.mark.parametrize("leads", [True, False])
def test_a_record_of_given_deals_cut_after_any_line(leads: bool, tmp_path: Path) -> None:
    given: list[Any] = [gd.State.deal("2", seed=seed) for seed in range(3)]
    if not leads:
        given = [state.hands for state in given]
    path = tmp_path / "given.jsonl"
    match = play(path, "opengd", 1, deals=given)
    assert match.deal_number == 3
    assert same(gd.Match.load(path), match)
    lines = path.read_bytes().splitlines(keepends=True)
    for end in range(1, len(lines), 5):
        path.write_bytes(b"".join(lines[:end]))
        again = gd.Match.load(path)
        assert again.history[: end - 1] == match.history[: end - 1]
        while again.phase != "over":
            seat = again.to_act[0]
            again.act(again.options(seat)[0], seat)
        assert again.deal_number == 3


def test_a_record_of_limited_time(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    match = play(path, "seed001", 2)
    assert match.result is not None
    assert match.result.reason == "minutes"
    assert Event("time_up") in match.history
    assert same(gd.Match.load(path), match)


def test_a_file_that_is_there_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    path.write_text("mine", "utf-8")
    with pytest.raises(FileExistsError):
        gd.Match(seed=1, record=path)
    assert path.read_text("utf-8") == "mine"


# --- Damage ---


def damaged(tmp_path: Path, edit: Callable[[list[str]], None], most: int = 500) -> gd.RecordError:
    """Edit the lines of a record, and return the error of loading it."""
    path = tmp_path / "match.jsonl"
    play(path, "seed002", 5, most)
    lines = path.read_text("utf-8").splitlines(keepends=True)
    edit(lines)
    path.write_text("".join(lines), "utf-8", newline="")
    with pytest.raises(gd.RecordError) as error:
        gd.Match.load(path)
    assert str(error.value) == f"line {error.value.line}: {error.value.reason}"
    match = error.value.match
    if match is not None:
        # What is before the line is kept.
        kept = [line_of(entry) + "\n" for entry in match.history]
        assert kept[: error.value.line - 2] == lines[1 : error.value.line - 1]
    return error.value


def test_every_cut_is_found(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    match = play(path, "jiangsu2023", 5, 12)
    data = path.read_bytes()
    for end in range(len(data)):
        path.write_bytes(data[:end])
        whole = data[:end].count(b"\n")
        if data[:end].endswith(b"\n"):
            assert match.history[: whole - 1] == gd.Match.load(path).history[: whole - 1]
            continue
        with pytest.raises(gd.RecordError, match=r"cut short|is empty") as error:
            gd.Match.load(path)
        assert error.value.line == whole + 1
        if whole:
            assert error.value.match.history[: whole - 1] == match.history[: whole - 1]


def line_with(lines: list[str], text: str, number: int = 0) -> int:
    """Return the index of a line that has a text."""
    return [i for i, line in enumerate(lines) if text in line][number]


@pytest.mark.parametrize(
    ("text", "new", "said"),
    [
        ('"move"', '{"seat": 0, "move": "pair B SB SB"}\n', "lacks|to act|does not beat"),
        ('"move"', '{"seat": 5, "move": "pass"}\n', "seat 5: want 0, 1, 2 or 3"),
        ('"move"', '{"seat": 0, "move": "hello"}\n', "hello"),
        ('"move"', '{"seat": 0, "move": 3}\n', "move 3: want a text"),
        ('"move"', "hello\n", "is no JSON"),
        ('"move"', "[1, 2]\n", "want a JSON object"),
        ('"move"', "\n", "is no JSON"),
        ('"move"', '{"played": 1}\n', "want one of deal, tribute, return, event, result"),
        (
            '"tribute"',
            '{"tribute": [0, 1, "SA"]}\n',
            "the match has|does not give SA now|out of place",
        ),
        ('"tribute"', '{"tribute": [0, 1]}\n', "want \\[seat from, seat to, card\\]"),
        ('"tribute"', '{"tribute": [0, 9, "SA"]}\n', "want \\[seat from, seat to, card\\]"),
        ('"return"', '{"return": [3, 3, "HR"]}\n', "does not give HR now|may choose"),
        ('"deal"', '{"deal": "S3/S4/HR/D2 5 0 - -"}\n', "the match has"),
        ('"deal"', '{"deal": 7}\n', "deal 7: want the text of a state"),
        ('"turned"', '{"event": ["turned", 0, "S3"]}\n', "the match has"),
        ('"turned"', '{"event": ["turned"]}\n', "want \\[name, seat or null\\]"),
        ('"turned"', '{"event": ["turned", 7]}\n', "want \\[name, seat or null\\]"),
        ('"order"', '{"event": ["order", 0, "0 1 2 3"]}\n', "the match has"),
        ('"levels"', '{"event": ["levels", null, "A A"]}\n', "the match has"),
        ('"levels"', '{"event": ["levels", null, true]}\n', "want \\[name, seat or null\\]"),
        ('"move"', '{"seat": 1, "seat": 1, "move": "pass"}\n', "a name stands twice"),
        ('"move"', "[" * 100_000 + "\n", "is no JSON"),
        ('"move"', '{"seat": true, "move": "pass"}\n', "seat True: want 0, 1, 2 or 3"),
    ],
)
def test_lines_that_are_edited_are_found(text: str, new: str, said: str, tmp_path: Path) -> None:
    numbers = []

    def edit(lines: list[str]) -> None:
        number = line_with(lines, text, 2 if text == '"move"' else 0)
        assert lines[number] != new
        lines[number] = new
        numbers.append(number + 1)

    error = damaged(tmp_path, edit)
    assert error.line == numbers[0]
    assert re.search(said, error.reason), error.reason


def error_of(data: bytes, **arguments: Any) -> gd.RecordError:
    """Return the error of loading what a file has."""
    with pytest.raises(gd.RecordError) as error:
        gd.Match.load(data, **arguments)
    return error.value


def test_errors_are_pickled(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    match = play(path, "seed002", 5, 20)
    data = path.read_bytes()
    for broken in (b"x\n", data[:-3], data + b"x\n", data.replace(b'"seat"', b'"chair"', 1)):
        error = error_of(broken)
        again = pickle.loads(pickle.dumps(error))
        assert (str(again), again.line, again.reason) == (str(error), error.line, error.reason)
        if error.match is None:
            assert again.match is None
        else:
            assert same(again.match, error.match)
            assert again.match.history == match.history[: len(again.match.history)]


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[:-3],
        lambda data: data + b"x\n",
        lambda data: data + b'{"seat": 0, "move": "pair B SB SB"}\n',
        lambda data: data.replace(b'"turned", ', b'"turned", 4', 1),
    ],
)
def test_a_match_before_a_wrong_line_has_the_clock_that_is_given(
    damage: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    path = tmp_path / "match.jsonl"
    play(path, "seed001", 7, 20)
    now = [50.0]
    match = error_of(damage(path.read_bytes()), clock=lambda: now[0], elapsed=3500.0).match
    assert (match.seconds, match.overrun) == (30, 0.0)
    now[0] += 35.0
    assert match.overrun == 5.0
    rng = random.Random(1)
    now[0] = 151.0
    while match.phase != "over" and match.deal_number < 3:
        seat = rng.choice(match.to_act)
        match.act(rng.choice(match.options(seat)), seat)
    assert (match.deal_number, match.result.reason) == (1, "minutes")


@pytest.mark.parametrize("line", [1, 2, 5, 9])
def test_lines_that_are_missing_are_found(line: int, tmp_path: Path) -> None:
    error = damaged(tmp_path, lambda lines: lines.__delitem__(line))
    assert error.line >= line


@pytest.mark.parametrize(
    ("new", "said"),
    [
        ("", "the file is empty"),
        ("{}\n", 'a record begins with {"guandan": 1, ...}'),
        ('{"guandan": 2, "rules": {}, "seed": 1}\n', "a record begins with"),
        ('{"guandan": 1, "rules": [], "seed": 1}\n', "rules []: want an object of fields"),
        ('{"guandan": 1, "rules": {"x": 1}, "seed": 1}\n', "no field 'x' of Rules"),
        ('{"guandan": 1, "rules": {}, "seed": "1"}\n', "seed='1': want an int from 0"),
        ('{"guandan": 1, "rules": {}, "seed": 1, "deals": 0}\n', "deals 0: want a list"),
        ('{"guandan": 1, "rules": {}, "seed": 1, "deals": 2}\n', "deals 2: want a list"),
        ('{"guandan": 1, "rules": {}, "seed": 1, "standing": {"x": 1}}\n', "standing {'x': 1}"),
        ('{"guandan": 1, "rules": {}, "seed": 1, "standing": {"winner": 0}}\n', "goes on"),
        ('{"guandan": 1, "rules": {}, "seed": 1, "order": 3}\n', "order 3: want four seats"),
        ('{"guandan": 1, "rules": {}, "seed": 1, "order": [0, 1]}\n', "order=(0, 1)"),
        ('{"guandan": true, "rules": {}, "seed": 1}\n', "a record begins with"),
        ('{"guandan": 1.0, "rules": {}, "seed": 1}\n', "a record begins with"),
        ('{"guandan": 1, "rules": {}}\n', "want rules and seed"),
        ('{"guandan": 1, "rules": {}, "seed": 1, "x": 1}\n', "want rules and seed"),
        ('{"guandan": 1, "rules": {}, "seed": null}\n', "seed=None: want an int"),
        ('{"guandan": 1, "rules": {}, "seed": true}\n', "seed=True: want an int"),
        ('{"guandan": 1, "rules": {}, "seed": 1, "seed": 2}\n', "a name stands twice"),
        ('{"guandan": 1, "rules": {}, "seed": 1, "order": ["a", 1, 2, 3]}\n', "order ['a', 1,"),
        ('{"guandan": 1, "rules": {}, "seed": 1, "order": [false, 2, true, 3]}\n', "order [False"),
        ('{"guandan": 1, "rules": {}, "seed": 1, "order": [0, 2, 3, 1]}\n', "ascending"),
        (
            '{"guandan": 1, "rules": {}, "seed": 1, "deals": [["S3", 0]]}\n',
            "deal 1: want the hands",
        ),
        ('{"guandan": 1, "rules": {}, "seed": 1, "deals": [["x", 0]]}\n', "'x'"),
        ('{"guandan": 1, "rules": {}, "seed": 1, "deals": [["S3", 7]]}\n', "leader 7: want a seat"),
        ('{"guandan": 1, "rules": {}, "seed": 1, "deals": []}\n', "deals []: want a list"),
        ("[" * 100_000 + "\n", "is no JSON"),
        ("hello\n", "is no JSON"),
    ],
)
def test_first_lines_that_are_none(new: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    path.write_text(new, "utf-8")
    with pytest.raises(gd.RecordError) as error:
        gd.Match.load(path)
    assert (error.value.line, error.value.match) == (1, None)
    assert said in str(error.value)


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    play(path, "seed002", 5, 3)
    path.write_bytes(path.read_bytes() + b"\xff\xfe\n")
    with pytest.raises(gd.RecordError, match="utf-8"):
        gd.Match.load(path)
    path.write_bytes(b"\xff\n")
    with pytest.raises(gd.RecordError, match="line 1: "):
        gd.Match.load(path)


def test_a_tribute_is_no_return(tmp_path: Path) -> None:
    def edit(lines: list[str]) -> None:
        number = line_with(lines, '"return"')
        lines[number] = lines[number].replace("return", "tribute")

    assert "out of place" in damaged(tmp_path, edit).reason
    path = tmp_path / "match.jsonl"
    lines = path.read_text("utf-8").splitlines(keepends=True)
    number = line_with(lines, '"tribute"')
    path.write_text("".join(lines[:number]) + lines[number].replace("tribute", "return"), "utf-8")
    with pytest.raises(gd.RecordError) as error:
        gd.Match.load(path)
    assert error.value.line == number + 1


def test_numbers_of_a_result_are_ints(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    match = play(path, "jiangsu2023", 1)
    assert match.result is not None
    text = path.read_text("utf-8")
    winner = match.result.winner
    for other in ("true", "0.0", "1.0"):
        path.write_text(text.replace(f'"winner": {winner}', f'"winner": {other}'), "utf-8")
        with pytest.raises(gd.RecordError, match=r"the match has|result"):
            gd.Match.load(path)


@pytest.mark.parametrize("cut", [b"", b'{"seat": 0, "mo'])
def test_a_match_is_resumed_in_its_file(cut: bytes, tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    play(path, "seed002", 7, 300)
    path.write_bytes(path.read_bytes() + cut)
    if cut:
        with pytest.raises(gd.RecordError, match="cut short"):
            gd.Match.load(path)
    match = gd.Match.load(path, resume=True)
    rng = random.Random(5)
    while match.phase != "over":
        seat = rng.choice(match.to_act)
        match.act(rng.choice(match.options(seat)), seat)
    assert same(gd.Match.load(path), match)
    assert path.read_bytes().count(b"\n") == len(match.history) + 1
    assert gd.Match.load(path, resume=True).phase == "over"


def test_a_resumed_match_writes_what_was_lost(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    match = play(path, "jiangsu2023", 7, 150)
    lines = path.read_bytes().splitlines(keepends=True)
    end = next(i for i, line in enumerate(lines) if b'"order"' in line)
    path.write_bytes(b"".join(lines[:end]))  # the order, the levels, the next deal are missing
    again = gd.Match.load(path, resume=True)
    assert path.read_bytes().splitlines(keepends=True)[end] == lines[end]
    assert again.deal_number == match.deal_number == 2


@pytest.mark.parametrize("name", PRESETS)
def test_a_match_is_resumed_from_any_of_its_last_bytes(name: str, tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    arguments = {"rules": gd.Rules.preset(name).replace(match_end=("deals", 1, "draw"))}
    match = play(path, name, 3, **arguments)
    assert match.phase == "over"
    data = path.read_bytes()
    last = data.rindex(b'"move"')
    end = data.index(b"\n", last) + 1
    for size in {*range(end, len(data), 7), end, len(data) - 5, len(data) - 1, len(data)}:
        path.write_bytes(data[:size])
        again = gd.Match.load(path, resume=True)
        assert again._writer is None
        assert path.read_bytes() == data
        assert same(gd.Match.load(path), again)
        assert again.history == match.history


def test_a_whole_record_is_not_opened_for_writing(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    rules = gd.Rules(match_end=("deals", 1, "draw"))
    match = play(path, "opengd", 3, rules=rules)
    path.chmod(0o400)
    before = path.stat().st_mtime_ns
    assert same(gd.Match.load(path, resume=True), match)
    assert path.stat().st_mtime_ns == before


def test_a_return_that_is_cut_off_its_partner_is_written_once(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    standing = gd.Standing(levels=("5", "2"), declarers=0, deals=1)
    match = play(path, "jiangsu2023", 1, 6, standing=standing, order=(0, 2, 1, 3))
    assert [type(entry) for entry in match.history].count(Returned) == 2
    lines = path.read_bytes().splitlines(keepends=True)
    end = next(i for i, line in enumerate(lines) if b'"return"' in line) + 1
    path.write_bytes(b"".join(lines[:end]))
    again = gd.Match.load(path, resume=True)
    _, second = (entry for entry in match.history if isinstance(entry, Returned))
    assert again.to_act == (second.giver,)
    again.act(second.card)
    assert again.history == match.history[: len(again.history)]
    assert path.read_bytes() == b"".join(lines[: end + 1])
    assert same(gd.Match.load(path), again)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full disk here")
def test_the_last_lines_that_a_full_disk_refuses_are_written_by_a_load(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    match = gd.Match(gd.Rules(match_end=("deals", 1, "draw")), 3, record=path)
    while (ahead := match.copy()).act(ahead.options()[-1]) and ahead.phase != "over":
        match.act(match.options()[-1])
    writer = match._writer
    assert writer is not None
    writer._file.close()
    with open("/dev/full", "r+b", buffering=0) as full:
        writer._file = full
        with pytest.raises(OSError, match="No space"):
            match.act(match.options()[-1])
    assert match.history == ahead.history
    last = gd.Match.load(path, resume=True)
    last.act(last.options()[-1])
    assert same(gd.Match.load(path), ahead)


def test_time_goes_on_after_a_load(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    play(path, "seed001", 7, 100)
    for elapsed, deals in ((0.0, 3), (3600.5, 1)):
        now = [50.0]
        match = gd.Match.load(path, clock=lambda now=now: now[0], elapsed=elapsed)
        rng = random.Random(1)
        while match.phase != "over" and match.deal_number < 3:
            seat = rng.choice(match.to_act)
            match.act(rng.choice(match.options(seat)), seat)
        assert match.deal_number == deals


@pytest.mark.parametrize("tie", ["first_to_reach", "extra_deal"])
def test_what_a_record_no_longer_tells_of_time_is_asked_of_the_clock(
    tie: str, tmp_path: Path
) -> None:
    path = tmp_path / "match.jsonl"
    rules = gd.Rules.preset("seed001").replace(match_end=("minutes", 10, tie))
    match = play(path, "seed001", 2, rules=rules)
    lines = path.read_bytes().splitlines(keepends=True)
    time_up = next(i for i, line in enumerate(lines) if b'"time_up"' in line)
    orders = [i for i, line in enumerate(lines) if b'"order"' in line]
    assert len(orders) == 2
    for end in range(time_up - 2, len(lines) + 1):
        path.write_bytes(b"".join(lines[:end]))
        again = gd.Match.load(path, elapsed=700.0, resume=True)
        assert again.history == match.history[: len(again.history)]
        assert len(again.history) >= time_up + 1
        path.write_bytes(b"".join(lines[:end]))
        assert gd.Match.load(path).deal_number == match.deal_number + (end <= time_up)
    path.write_bytes(b"".join(lines[: orders[0]]))
    assert gd.Match.load(path, elapsed=500.0).deal_number == 2
    assert gd.Match.load(path, elapsed=700.0).deal_number == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full disk here")
def test_a_disk_that_is_full(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    match = play(path, "jiangsu2023", 1, 20)
    writer = match._writer
    assert writer is not None
    file = writer._file
    with open("/dev/full", "r+b", buffering=0) as full:
        writer._file = full
        for _ in range(3):
            with pytest.raises(OSError, match="No space"):
                match.act(match.options()[0])
        writer._file = file
    match.act(match.options()[0])
    assert same(gd.Match.load(path), match)


WRITER = """
import random, sys
import guandan as gd
rng = random.Random(1)
match = gd.Match(seed=1, record=sys.argv[1])
print("begun", flush=True)
while True:
    seat = rng.choice(match.to_act)
    match.act(rng.choice(match.options(seat)), seat)
    if match.phase == "over":
        break
"""


@pytest.mark.skipif(sys.platform == "win32", reason="it has no SIGKILL")
def test_writing_survives_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        time.sleep(0.01)
        os.kill(process.pid, signal.SIGKILL)
    match = gd.Match.load(path)
    n_lines = path.read_bytes().count(b"\n")
    assert len(match.history) >= n_lines - 1 >= 2
