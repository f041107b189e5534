"""What the commands share: arguments and options, and how an error ends them."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

__all__ = ["Cards", "Json", "Level", "Preset", "one_line_errors"]

# Hidden from the table of arguments, which would say "list[str]"; the help texts name it.
Cards = Annotated[list[str] | None, typer.Argument(metavar="CARDS", hidden=True)]
Level = Annotated[str, typer.Option(metavar="RANK", help="The level, 2 to 9 or T J Q K A.")]
Preset = Annotated[
    str, typer.Option("--rules", metavar="PRESET", help="The rules, such as opengd or pagat.")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


@contextmanager
def one_line_errors() -> Iterator[None]:
    """Print an error of the package on standard error and exit with status 2."""
    try:
        yield
    except ValueError as error:
        typer.echo(f"guandan: {error}", err=True)
        raise typer.Exit(2) from None
