"""The command `rules`: presets listed, shown and compared, rules read from files."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import fields
from itertools import repeat
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

import guandan as gd
from guandan.cli.command import Json, one_line_errors, read_rules

__all__ = ["commands", "field_text", "preset_of", "rules_text"]

FIELDS = tuple(field.name for field in fields(gd.Rules))
GAP = "  "

commands = typer.Typer()


@commands.command(
    epilog="""\b
Examples:
  guandan rules
  guandan rules seed000
  guandan rules seed003 --toml
  guandan rules --diff seed000 seed001 --json
"""
)
@one_line_errors()
def rules(
    name: Annotated[str | None, typer.Argument(metavar="NAME", hidden=True)] = None,
    diff: Annotated[
        tuple[str, str] | None,
        typer.Option(
            metavar="A B", help="Show the fields in which two rules differ.", show_default=False
        ),
    ] = None,
    toml: Annotated[
        bool, typer.Option("--toml", help="Print the fields that differ as lines of TOML.")
    ] = False,
    as_json: Json = False,
) -> None:
    """List the presets of rules, or show the fields of NAME.

    NAME, and each of A and B, is a preset or the path of a .toml or .json file of
    fields, which may name a preset to start from: preset = "seed003".

    A star marks a field that differs from the default, the preset jiangsu2023. After
    the value stands whether the text of the preset states it, is silent, or was not
    at hand. In what is not for a terminal the headings begin with #.
    """
    if diff is not None and (name is not None or toml):
        raise ValueError(
            f"--diff compares two rules: give no {'NAME' if name else '--toml'} with it"
        )
    if toml and (name is None or as_json):
        raise ValueError("--toml prints one rules: give NAME and no --json")
    if diff is not None:
        print_diff(*diff, as_json)
    elif name is None:
        print_presets(as_json)
    elif toml:
        typer.echo(read_rules(name).to_toml())
    else:
        print_fields(name, as_json)


def field_text(value: object) -> str:
    """Return a field's value in words; among others in a row None is a dash."""
    if isinstance(value, tuple):
        return " ".join("-" if one is None else field_text(one) for one in value)
    if value is None or isinstance(value, bool):
        return str(value).lower()
    return str(value)


def differing(left: gd.Rules, right: gd.Rules) -> dict[str, tuple[Any, Any]]:
    """Return the fields in which two rules differ, with both values."""
    values = {name: (getattr(left, name), getattr(right, name)) for name in FIELDS}
    return {name: (one, other) for name, (one, other) in values.items() if one != other}


def preset_of(rules: gd.Rules) -> str | None:
    """Return the name of the preset that rules are for a single deal, None for no preset."""
    for name in gd.Rules.presets():
        if differing(rules, gd.Rules.preset(name)).keys() <= {"match_end"}:
            return name
    return None


def rules_text(rules: gd.Rules) -> str:
    """Return the name of the preset that rules are nearest to, and what is not as in it."""
    others = {name: differing(rules, gd.Rules.preset(name)) for name in gd.Rules.presets()}
    name = min(others, key=lambda name: len(others[name]))
    changes = (f"{field} {field_text(ours)}" for field, (ours, _) in others[name].items())
    return ", ".join([name, *changes])


def print_presets(as_json: bool) -> None:
    """Print how many fields of each preset differ from the default."""
    counts = {name: len(gd.Rules.preset(name).changes()) for name in gd.Rules.presets()}
    if as_json:
        typer.echo(json.dumps({"presets": counts, "fields": len(FIELDS)}))
        return
    heading = f"{len(FIELDS)} fields, how many differ from the default"
    rows = [(name, str(count) if count else "the default") for name, count in counts.items()]
    print_rows(heading, rows)


def print_fields(name: str, as_json: bool) -> None:
    """Print every field of some rules, and of a preset what its text has to do with it."""
    shown = read_rules(name)
    changes = shown.changes()
    sources = gd.Rules.sources(name) if name in gd.Rules.presets() else None
    if as_json:
        values = {field: getattr(shown, field) for field in FIELDS}
        result = {"rules": name, "fields": values, "changes": list(changes), "sources": sources}
        typer.echo(json.dumps(result))
        return
    rows = [
        (
            "*" if field in changes else " ",
            field,
            field_text(getattr(shown, field)),
            sources[field] if sources else "",
        )
        for field in FIELDS
    ]
    heading = f"{name}: {len(changes)} of {len(FIELDS)} fields differ from the default"
    print_rows(heading, rows, bold=[field in changes for field in FIELDS])


def print_diff(left: str, right: str, as_json: bool) -> None:
    """Print the fields in which two rules differ, with the value of each."""
    found = differing(read_rules(left), read_rules(right))
    if as_json:
        typer.echo(json.dumps({"rules": [left, right], "differ": found}))
        return
    rows = [(field, *map(field_text, values)) for field, values in found.items()]
    print_rows(f"{left}, {right}: {len(found)} of {len(FIELDS)} fields differ", rows)


def print_rows(
    heading: str, rows: Sequence[Sequence[str]], bold: Iterable[bool] = repeat(False)
) -> None:
    """Print a heading and rows of cells in columns, some of them in bold on a terminal."""
    console = Console(highlight=False, soft_wrap=True)
    console.print(Text(heading, "bold") if console.is_terminal else Text(f"# {heading}"))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row, strong in zip(rows, bold, strict=False):
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
        console.print(Text(GAP.join(cells).rstrip(), "bold" if strong else ""))
