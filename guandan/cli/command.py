"""What the commands share: arguments and options, and how an error ends them."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

__all__ = [
    "Cards",
    "Json",
    "Level",
    "Preset",
    "StateCommand",
    "StateWords",
    "check_number",
    "one_line_errors",
]

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


def check_number(option: str, number: int, least: int, most: int) -> None:
    """Raise ValueError unless an option's number is in its range."""
    if not least <= number <= most:
        raise ValueError(f"{option} {number}: want {least} to {most}")
