"""The command `rules`: presets listed, shown and compared, and rules read from files."""

import json
import re
from dataclasses import asdict, fields

import pytest
from cli_runner import ESCAPES, PLAIN, TERMINAL, refuse, refuse_in_a_line, run, split_plain

import guandan as gd
from guandan.cli.command import read_rules
from guandan.cli.rules import field_text

FIELDS = [field.name for field in fields(gd.Rules)]
ENVIRONMENTS = pytest.mark.parametrize("env", [PLAIN, TERMINAL], ids=["plain", "terminal"])
HOUSE = gd.Rules.preset("seed003").replace(bomb_max=8)


def cells(line):
    """Return the cells of a line: two spaces at least stand between them."""
    return re.split("  +", line.strip())


def written(rules):
    """Return what a JSON object holds of rules."""
    return json.loads(json.dumps(asdict(rules)))


@pytest.fixture
def house(tmp_path):
    """Write the same rules into a file of each kind, and return the folder."""
    (tmp_path / "house.toml").write_text('# ours\npreset = "seed003"\nbomb_max = 8\n')
    (tmp_path / "house.json").write_text('{"preset": "seed003", "bomb_max": 8}')
    return tmp_path


# The list


@ENVIRONMENTS
def test_the_list_counts_the_fields_that_differ(env):
    heading, *lines = ESCAPES.sub("", run("rules", env=env)).splitlines()
    assert "26 fields" in heading
    expected = [[name, str(len(gd.Rules.preset(name).changes()))] for name in gd.Rules.presets()]
    assert expected[0] == ["jiangsu2023", "0"]
    assert list(map(cells, lines)) == [["jiangsu2023", "the default"], *expected[1:]]
    assert ["seed003", "7"] in expected


def test_json_of_the_list():
    found = json.loads(run("rules", "--json"))
    assert list(found) == ["presets", "fields"]
    assert list(found["presets"]) == list(gd.Rules.presets())
    for name, count in found["presets"].items():
        assert count == len(gd.Rules.preset(name).changes())
    assert found["fields"] == len(FIELDS)


# One preset


@ENVIRONMENTS
@pytest.mark.parametrize("name", gd.Rules.presets())
def test_a_preset_shows_each_field_with_its_value_and_source(name, env):
    heading, *lines = ESCAPES.sub("", run("rules", name, env=env)).splitlines()
    rules, sources = gd.Rules.preset(name), gd.Rules.sources(name)
    changes = rules.changes()
    assert heading.lstrip("# ") == f"{name}: {len(changes)} of 26 fields differ from the default"
    assert [cells(line.removeprefix("*")) for line in lines] == [
        [field, field_text(getattr(rules, field)), sources[field]] for field in FIELDS
    ]
    assert {cells(line)[1] for line in lines if line.startswith("*")} == changes.keys()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("any", "any"),
        (10, "10"),
        (True, "true"),
        (False, "false"),
        (None, "none"),
        ((3, 2, 1), "3 2 1"),
        ((10, True, False), "10 true false"),
        ((None, 40, 1, 0), "- 40 1 0"),
        (("minutes", 60, "draw"), "minutes 60 draw"),
    ],
)
def test_values_in_words(value, text):
    assert field_text(value) == text


def test_headings_alone_begin_with_a_hash():
    for args in (["rules"], ["rules", "seed000"], ["rules", "--diff", "seed000", "pagat"]):
        lines, headings = split_plain(run(*args))
        assert len(headings) == 1
        assert lines


def test_what_differs_is_bold_on_a_terminal_only():
    heading, *lines = run("rules", "seed001", env=TERMINAL).splitlines()
    assert heading.startswith("\x1b[1m")
    for line in lines:
        assert line.startswith("\x1b[1m*") == ("*" in line)
    assert any("*" in line for line in lines)
    assert "\x1b" not in run("rules", "seed001")


def test_lines_fit_a_terminal():
    for name in gd.Rules.presets():
        lines = ESCAPES.sub("", run("rules", name, env=TERMINAL)).splitlines()
        assert max(map(len, lines)) <= 72


@pytest.mark.parametrize("name", gd.Rules.presets())
def test_json_of_a_preset_is_read_back(name):
    output = run("rules", name, "--json")
    assert output.count("\n") == 1
    rules = gd.Rules.preset(name)
    found = json.loads(output)
    assert found == {
        "rules": name,
        "fields": written(rules),
        "changes": list(rules.changes()),
        "sources": gd.Rules.sources(name),
    }
    assert list(found) == ["rules", "fields", "changes", "sources"]
    assert gd.Rules.from_json(json.dumps(found["fields"])) == rules


@ENVIRONMENTS
@pytest.mark.parametrize("name", gd.Rules.presets())
def test_toml_is_read_back(name, env, tmp_path):
    rules = gd.Rules.preset(name)
    output = run("rules", name, "--toml", env=env)
    assert output == rules.to_toml() + "\n"
    assert gd.Rules.from_toml(output) == rules
    path = tmp_path / "again.toml"
    path.write_text(output)
    assert run("rules", str(path), "--toml", env=env) == output


# Two rules


@ENVIRONMENTS
@pytest.mark.parametrize(
    ("left", "right"), [("jiangsu2023", "seed000"), ("seed000", "seed001"), ("pagat", "opengd")]
)
def test_diff_shows_both_values_of_what_differs(left, right, env):
    heading, *lines = ESCAPES.sub("", run("rules", "--diff", left, right, env=env)).splitlines()
    pairs = {
        field: [getattr(gd.Rules.preset(name), field) for name in (left, right)] for field in FIELDS
    }
    expected = {field: pair for field, pair in pairs.items() if pair[0] != pair[1]}
    assert heading.lstrip("# ") == f"{left}, {right}: {len(expected)} of 26 fields differ"
    assert list(map(cells, lines)) == [
        [field, *map(field_text, pair)] for field, pair in expected.items()
    ]
    found = json.loads(run("rules", "--diff", left, right, "--json", env=env))
    assert found == {"rules": [left, right], "differ": json.loads(json.dumps(expected))}
    assert list(found) == ["rules", "differ"]


def test_diff_of_two_texts_that_are_nearly_one():
    lines, _ = split_plain(run("rules", "--diff", "seed000", "seed001"))
    assert list(map(cells, lines)) == [
        ["lead_after_out", "next", "partner"],
        ["return_to_partner", "below_level", "any"],
        ["streaks", "true", "false"],
        ["report_cards", "10 false true", "6 true true"],
        ["match_end", "at_ace", "minutes 60 first_to_reach"],
        ["seconds", "- - - -", "- 40 30 30"],
        ["conduct", "seed000", "seed001"],
    ]


@ENVIRONMENTS
def test_diff_of_what_is_equal(env):
    output = ESCAPES.sub("", run("rules", "--diff", "pagat", "pagat", env=env))
    assert output.lstrip("# ") == "pagat, pagat: 0 of 26 fields differ\n"
    assert json.loads(run("rules", "--diff", "pagat", "pagat", "--json"))["differ"] == {}


# Files


@pytest.mark.parametrize("file", ["house.toml", "house.json"])
def test_a_file_is_read(file, house):
    path = str(house / file)
    assert read_rules(path) == HOUSE
    heading, *lines = run("rules", path).splitlines()
    assert heading == f"# {path}: 8 of 26 fields differ from the default"
    # No text is at hand that could state a field.
    assert [cells(line.removeprefix("*")) for line in lines] == [
        [field, field_text(getattr(HOUSE, field))] for field in FIELDS
    ]
    assert {cells(line)[1] for line in lines if line[0] == "*"} == HOUSE.changes().keys()
    found = json.loads(run("rules", path, "--json"))
    assert (found["fields"], found["sources"]) == (written(HOUSE), None)
    assert run("rules", path, "--toml") == HOUSE.to_toml() + "\n"
    lines, _ = split_plain(run("rules", "--diff", "seed003", path))
    assert list(map(cells, lines)) == [["bomb_max", "10", "8"]]


def test_a_file_may_have_a_byte_order_mark_and_an_ending_in_capitals(tmp_path):
    path = tmp_path / "HOUSE.TOML"
    path.write_text("bomb_max = 8", encoding="utf-8-sig")
    assert read_rules(str(path)) == gd.Rules(bomb_max=8)


def test_a_preset_goes_before_a_file_of_its_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pagat").write_text("bomb_max = 8")
    assert read_rules("pagat") == gd.Rules.preset("pagat")


# Errors


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["nope"], "no preset 'nope': there are jiangsu2023, seed000"),
        (["nope"], "a file's name ends in .toml or .json"),
        (["seed004"], "no preset 'seed004'"),
        ([""], "no preset ''"),
        (["Pagat"], "no preset 'Pagat'"),
        (["--diff", "pagat", "nope"], "no preset 'nope'"),
        (["--diff", "nope", "pagat"], "no preset 'nope'"),
        (["nope", "--toml"], "no preset 'nope'"),
        (["nope", "--json"], "no preset 'nope'"),
        (["absent.toml"], "absent.toml cannot be read: No such file"),
        (["pagat", "--diff", "pagat", "opengd"], "give no NAME with it"),
        (["--diff", "pagat", "opengd", "--toml"], "give no --toml with it"),
        (["--toml"], "give NAME and no --json"),
        (["pagat", "--toml", "--json"], "give NAME and no --json"),
    ],
)
@ENVIRONMENTS
def test_an_error_is_one_line_and_status_2(args, said, env):
    assert said in refuse_in_a_line("rules", *args, env=env)


@pytest.mark.parametrize(
    ("file", "content", "said"),
    [
        ("a.toml", b"bomb_max = 7", "bomb_max=7: want one of 8, 9, 10"),
        ("a.toml", b"bomb_max", "Expected '='"),
        ("a.toml", b"jokers = 1", "no field 'jokers' of Rules: there are preset, straight"),
        ("a.toml", b'preset = "house"', "no preset 'house'"),
        ("a.toml", b"\xff", "is no text in UTF-8"),
        ("a.json", b'{"bomb_max": 7}', "bomb_max=7: want one of 8, 9, 10"),
        ("a.json", b"[]", "want a JSON object of fields"),
        ("a.json", b"", "Expecting value"),
        ("a.json", b"\xff", "is no text in UTF-8"),
    ],
)
def test_a_file_that_is_wrong(file, content, said, tmp_path):
    path = tmp_path / file
    path.write_bytes(content)
    for args in ([str(path)], ["--diff", "pagat", str(path)]):
        error = refuse_in_a_line("rules", *args)
        assert error.startswith(f"guandan: {path}")
        assert said in error


def test_a_folder_is_no_file(tmp_path):
    (tmp_path / "a.toml").mkdir()
    assert "a.toml cannot be read" in refuse_in_a_line("rules", str(tmp_path / "a.toml"))


@pytest.mark.parametrize("args", [["--diff"], ["--diff", "pagat"], ["pagat", "opengd"], ["--no"]])
def test_a_usage_error_is_status_2(args):
    assert "Error" in refuse("rules", *args)


def test_help_names_all_and_its_examples_work():
    text = run("rules", "--help")
    for word in ("NAME", "--diff A B", "--toml", "--json", ".toml or .json"):
        assert word in text
    examples = re.findall(r"^ +guandan (.*)$", text, re.MULTILINE)
    assert len(examples) == 4
    for example in examples:
        assert run(*example.split())
