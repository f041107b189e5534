"""The command line: `guandan` and its commands.

A terminal gets colours and columns; anything else gets plain text that other programs can read.
"""

from typing import Annotated

import typer

import guandan as gd
from guandan.cli import arena, deals, endgame, matches, moves, review, rules

__all__ = ["main"]

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
app.add_typer(moves.commands)
app.add_typer(deals.commands)
app.add_typer(matches.commands)
app.add_typer(endgame.commands)
app.add_typer(review.commands)
app.add_typer(arena.commands)
app.add_typer(rules.commands)


def show_version(wanted: bool) -> None:
    """Print the version and exit, if wanted."""
    if wanted:
        typer.echo(f"guandan {gd.__version__}")
        raise typer.Exit


@app.callback(no_args_is_help=True)
def guandan(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=show_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """Legal moves, deals, solved endgames and bots of the card game Guandan."""


def main() -> None:
    """Run the command line."""
    app(prog_name="guandan")
