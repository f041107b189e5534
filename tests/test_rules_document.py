"""The document on rules: its tables say what the code says, and its examples work."""

import doctest
import re
from dataclasses import fields
from importlib import import_module
from pathlib import Path

import pytest
from cli_runner import run

import guandan as gd
from guandan.cli.rules import field_text
from guandan.referee import Referee

DOCUMENT = Path(__file__).parents[1] / "docs" / "rules.md"
TEXT = DOCUMENT.read_text("utf-8")
DEFAULT, *PRESETS = gd.Rules.presets()
TEXTS = [name for name in PRESETS if name.startswith("seed")]
OTHERS = [name for name in PRESETS if name not in TEXTS]
FIELDS = [field.name for field in fields(gd.Rules)]


def table(heading: str) -> list[list[str]]:
    """Return the rows of cells of the table below a heading."""
    section = TEXT.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def blocks(language: str) -> list[str]:
    """Return the lines of the code blocks in a language."""
    found = re.findall(rf"^```{language}\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    assert found
    return "".join(found).splitlines()


def named(cells: list[str]) -> set[str]:
    """Return what stands in backticks in some cells."""
    return {name for cell in cells for name in re.findall(r"`([^`]+)`", cell)}


def value_cell(name: str, field: str) -> str:
    """Return a preset's value, a dot for the default, in brackets where its text is silent."""
    changes = gd.Rules.preset(name).changes()
    text = field_text(changes[field]) if field in changes else "."
    return text if gd.Rules.sources(name)[field] == "stated" else f"({text})"


def others_cell(field: str) -> str:
    """Return the values of the presets without a column that are not the default."""
    by_value: dict[str, list[str]] = {}
    for name in OTHERS:
        changes = gd.Rules.preset(name).changes()
        if field in changes:
            by_value.setdefault(field_text(changes[field]), []).append(name)
    return "; ".join(f"{', '.join(names)} {value}" for value, names in by_value.items())


def words_of(field: str) -> set[str]:
    """Return the words that a field takes, as its error names them."""
    with pytest.raises(ValueError, match=field) as error:
        gd.Rules(**{field: ()})
    return set(re.findall(r"'([a-z_]+)'", str(error.value).partition(": want ")[2]))


def test_the_table_of_fields_is_that_of_the_code() -> None:
    found = table("Fields")
    assert [[name, *values] for name, _, *values in found] == [
        [
            f"`{field}`",
            field_text(getattr(gd.Rules(), field)),
            *(value_cell(name, field) for name in TEXTS),
            others_cell(field),
        ]
        for field in FIELDS
    ]
    for name, meaning, *_ in found:
        assert meaning[0].isupper(), name
        assert meaning.endswith("."), name


def test_every_word_that_a_field_takes_is_explained() -> None:
    explained = {row[0].strip("`"): named([row[1]]) for row in table("Fields")}
    lacking = {name: words_of(name) - explained[name] for name in FIELDS}
    assert {name: words for name, words in lacking.items() if words} == {}
    assert words_of("resist") == {"forced", "optional"}


def test_examples() -> None:
    result = doctest.testfile(str(DOCUMENT), module_relative=False, encoding="utf-8")
    assert result.attempted > 5
    assert result.failed == 0


def test_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for line in blocks("sh"):
        words, _, file = line.partition("#")[0].removeprefix("guandan ").partition(" > ")
        output = run(*words.split())
        assert output
        if file:
            Path(file.strip()).write_text(output, "utf-8")
    assert [path.name for path in tmp_path.iterdir()] == ["house.toml"]


def test_the_file_of_rules() -> None:
    rules = gd.Rules.from_toml("\n".join(blocks("toml")))
    assert rules.changes().keys() > {"bomb_max", "ace_failures", "seconds"}


def test_presets_are_named() -> None:
    assert named([row[0] for row in table("Presets")]) == set(gd.Rules.presets())


@pytest.mark.parametrize("name", TEXTS)
def test_every_field_that_a_text_states_has_its_clause(name: str) -> None:
    found = named([row[2] for row in table(name)])
    stated = {field for field, source in gd.Rules.sources(name).items() if source == "stated"}
    assert stated - found == set()


@pytest.mark.parametrize("name", TEXTS)
def test_every_event_of_a_text_has_its_clause(name: str) -> None:
    found = named([row[2] for row in table(name)])
    assert set(Referee(conduct=gd.Rules.preset(name).conduct).events) - found == set()


@pytest.mark.parametrize("name", TEXTS)
def test_code_places_exist(name: str) -> None:
    events = set(Referee(conduct=gd.Rules.preset(name).conduct).events)
    for clause, said, code in table(name):
        assert clause
        assert said.endswith((".", ")"))
        assert code
        for place in named([code]) - events - set(FIELDS):
            module, *names = place.split(".")
            found = import_module(f"guandan.{module}")
            for part in names:
                found = getattr(found, part)


def test_fields_named_anywhere_exist() -> None:
    for name in re.findall(r"Rules\.(\w+)", TEXT):
        assert hasattr(gd.Rules, name), name
