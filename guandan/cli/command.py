"""What the commands share: arguments and options, and how an error ends them."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

__all__ = [
    "EXAMPLE",
    "Cards",
    "Json",
    "Level",
    "Preset",
    "StateCommand",
    "StateWords",
    "check_number",
    "is_file",
    "one_line_errors",
    "per_second",
    "read_lines",
    "title",
]

EXAMPLE = "S4S5D9/SBHR/-/C2C2H3 7 0 3:pair:2 2"

# Hidden from the table of arguments, which would say "list[str]"; the help texts name it.
Cards = Annotated[list[str] | None, typer.Argument(metavar="CARDS", hidden=True)]
StateWords = Annotated[list[str] | None, typer.Argument(metavar="STATE", hidden=True)]
Level = Annotated[str, typer.Option(metavar="RANK", help="The level, 2 to 9 or T J Q K A.")]
Preset = Annotated[
    str, typer.Option("--rules", metavar="PRESET", help="The rules, such as opengd or pagat.")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


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
    except ValueError as error:
        typer.echo(f"guandan: {error}", err=True)
        raise typer.Exit(2) from None


def check_number(option: str, number: float, least: int, most: int) -> None:
    """Raise ValueError unless an option's number is in its range."""
    if not least <= number <= most:
        raise ValueError(f"{option} {number}: want {least} to {most}")


def per_second(number: int, seconds: float) -> float:
    """Return a speed, also where no time could be measured."""
    return number / max(seconds, 1e-9)


def is_file(words: list[str]) -> bool:
    """Whether arguments are a file, - for standard input, and not a state's text."""
    return words == ["-"] or (len(words) == 1 and os.path.isfile(words[0]))


def title(name: str) -> str:
    """Return what a file is called in an error."""
    return "standard input" if name == "-" else name


def read_lines(name: str) -> list[tuple[str, str]]:
    """Return the lines of a file, - for standard input, each after the name of its place.

    Lines that are empty or begin with # are left out.
    """
    try:
        if name == "-":
            lines = sys.stdin.read().splitlines()
        else:
            with open(name, encoding="utf-8-sig") as file:
                lines = file.read().splitlines()
    except UnicodeDecodeError:
        raise ValueError(f"{title(name)} is no text in UTF-8") from None
    except OSError as error:
        raise ValueError(f"{title(name)} cannot be read: {error.strerror}") from None
    return [
        (f"{title(name)}, line {number}", line.strip())
        for number, line in enumerate(lines, 1)
        if line.strip() and not line.strip().startswith("#")
    ]
