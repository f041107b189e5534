"""What the commands share: arguments and options, and how an error ends them."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import PurePath
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

import guandan as gd

__all__ = [
    "EXAMPLE",
    "Cards",
    "FileWords",
    "Json",
    "Level",
    "Nodes",
    "RulesName",
    "Seconds",
    "StateCommand",
    "StateWords",
    "TableMb",
    "check_limits",
    "check_number",
    "file_of",
    "is_file",
    "lines_of",
    "one_line_errors",
    "per_second",
    "read_bytes",
    "read_lines",
    "read_rules",
    "title",
    "writing",
]

EXAMPLE = "S4S5D9/SBHR/-/C2C2H3 7 0 3:pair:2 2"
READERS = {".toml": gd.Rules.from_toml, ".json": gd.Rules.from_json}

# Hidden from the table of arguments, which would say "list[str]"; the help texts name it.
Cards = Annotated[list[str] | None, typer.Argument(metavar="CARDS", hidden=True)]
StateWords = Annotated[list[str] | None, typer.Argument(metavar="STATE", hidden=True)]
FileWords = Annotated[list[str] | None, typer.Argument(metavar="FILE", hidden=True)]
Level = Annotated[str, typer.Option(metavar="RANK", help="The level, 2 to 9 or T J Q K A.")]
RulesName = Annotated[
    str,
    typer.Option(
        "--rules",
        metavar="NAME",
        help="The rules: a preset such as opengd, or a .toml or .json file.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Nodes = Annotated[
    int | None,
    typer.Option(metavar="N", help="Stop a search at so many nodes.", show_default=False),
]
Seconds = Annotated[
    float | None,
    typer.Option(metavar="S", help="Stop a search after so many seconds.", show_default=False),
]
TableMb = Annotated[
    float, typer.Option("--table-mb", metavar="MIB", help="The most memory of a thread's table.")
]


class StateCommand(TyperCommand):
    """A command with a state's text: that of a deal in which seat 0 is out begins with "-/"."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Take such a text for no option: what begins with a space is none."""
        return super().parse_args(ctx, [f" {arg}" if arg[:2] == "-/" else arg for arg in args])


@contextmanager
def one_line_errors() -> Iterator[None]:
    """Print an error of the package on standard error and exit with status 2."""
    try:
        yield
    except (ValueError, gd.BotError) as error:
        typer.echo(f"guandan: {error}", err=True)
        raise typer.Exit(2) from None


def check_number(option: str, number: float, least: int, most: int) -> None:
    """Raise ValueError unless an option's number is in its range."""
    if not least <= number <= most:
        raise ValueError(f"{option} {number}: want {least} to {most}")


def check_limits(nodes: int | None, seconds: float | None) -> None:
    """Raise ValueError for a limit that is negative or none."""
    if nodes is not None:
        check_number("--nodes", nodes, 0, 10**18)
    if seconds is not None:
        check_number("--seconds", seconds, 0, 10**9)


def per_second(number: int, seconds: float) -> float:
    """Return a speed, also where no time could be measured."""
    return number / max(seconds, 1e-9)


def is_file(words: list[str]) -> bool:
    """Whether arguments are a file, - for standard input, and not a state's text."""
    return words == ["-"] or (len(words) == 1 and os.path.isfile(words[0]))


def title(name: str) -> str:
    """Return what a file is called in an error."""
    return "standard input" if name == "-" else name


def file_of(words: list[str] | None, want: str) -> str:
    """Return the one file of the arguments; ValueError says what is wanted of it."""
    if not words or not is_file(words):
        what = f"{' '.join(words)!r:.60} is no file" if words else "give a file"
        raise ValueError(f"{what}: want {want}")
    return words[0]


def read_bytes(name: str) -> bytes:
    """Return what a file holds, - for standard input."""
    try:
        if name == "-":
            return sys.stdin.buffer.read()
        with open(name, "rb") as file:
            return file.read()
    except OSError as error:
        raise ValueError(f"{title(name)} cannot be read: {error.strerror}") from None


def decode(name: str, data: bytes) -> str:
    """Return the text of what a file holds."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError(f"{title(name)} is no text in UTF-8") from None


def read_lines(name: str) -> list[tuple[str, str]]:
    """Return the lines of a file, - for standard input; see `lines_of`."""
    return lines_of(name, read_bytes(name))


def lines_of(name: str, data: bytes) -> list[tuple[str, str]]:
    """Return the lines of what a file holds, each after the name of its place.

    Lines that are empty or begin with # are left out.
    """
    return [
        (f"{title(name)}, line {number}", line.strip())
        for number, line in enumerate(decode(name, data).splitlines(), 1)
        if line.strip() and not line.strip().startswith("#")
    ]


def read_rules(name: str) -> gd.Rules:
    """Return the rules of a preset's name, or of the path of a .toml or .json file of fields."""
    if name in gd.Rules.presets():
        return gd.Rules.preset(name)
    reader = READERS.get(PurePath(name).suffix.lower())
    if reader is None:
        raise ValueError(
            f"no preset {name!r:.40}: there are {', '.join(gd.Rules.presets())}; "
            "a file's name ends in .toml or .json"
        )
    text = decode(name, read_bytes(name))
    try:
        return reader(text)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


@contextmanager
def writing(name: str | None) -> Iterator[None]:
    """Raise ValueError for a record that cannot be written, a file or a folder."""
    try:
        yield
    except FileExistsError:
        raise ValueError(f"{name} is there already: want the name of a new one") from None
    except OSError as error:
        raise ValueError(f"{name} cannot be written: {error.strerror}") from None
