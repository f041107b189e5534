"""The command `arena`: bots set against each other."""

import importlib
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import isnan
from time import perf_counter
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from guandan import bots
from guandan.arena import Bot, Comparison, Estimate, compare
from guandan.cli.command import (
    Json,
    RulesName,
    check_number,
    one_line_errors,
    per_second,
    read_rules,
    writing,
)
from guandan.cli.progress import progress_bar

__all__ = ["commands"]

commands = typer.Typer()


@commands.command(
    epilog="""\b
Examples:
  guandan arena Greedy Random --deals 50 --seed 1
  guandan arena Sampling,samples=20 Greedy --deals 4 --workers 2 --json
  guandan arena Random Greedy --deals 2 --level A --record games
"""
)
@one_line_errors()
def arena(
    first: Annotated[str, typer.Argument(metavar="FIRST", hidden=True)],
    second: Annotated[str, typer.Argument(metavar="SECOND", hidden=True)],
    deals: Annotated[int, typer.Option(metavar="N", help="The number of deals.")] = 100,
    seed: Annotated[
        int, typer.Option(metavar="SEED", help="The seed of the deals and of all choices.")
    ] = 0,
    level: Annotated[
        str | None,
        typer.Option(
            metavar="RANK", help="The level of all deals; drawn if not given.", show_default=False
        ),
    ] = None,
    rules: RulesName = "jiangsu2023",
    workers: Annotated[int, typer.Option(metavar="N", help="The number of processes.")] = 1,
    record: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER",
            help="Write the record of each play to a new folder.",
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Let two bots play the same deals, each twice with seats exchanged.

    FIRST and SECOND are Random, Greedy or Sampling, or a class of your own as
    module:Class; arguments may follow, as in Sampling,samples=50. A bot plays both
    seats of a side.

    Wins are the plays in which a seat of the first bot was the first to go out;
    steps the levels that it rose in a play, less those that the other rose. In
    brackets stand intervals at 95 %. A seed gives the same plays with any number
    of workers, unless a bot looks at the time.
    """
    check_number("--seed", seed, 0, 2**64 - 1)
    check_number("--deals", deals, 1, 10**9)
    check_number("--workers", workers, 1, 1024)
    chosen = read_rules(rules)
    pair = (read_bot(first), read_bot(second))
    start = perf_counter()
    with progress_bar(deals, "deals") as advance, mapping(workers) as played, writing(record):
        found = compare(
            *pair,
            deals,
            seed=seed,
            rules=chosen,
            level=level,
            record=record,
            progress=lambda done, total: advance(1),
            map=played,
        )
    seconds = perf_counter() - start
    if as_json:
        typer.echo(json.dumps({"first": first, "second": second, **found_object(found, seconds)}))
        return
    console = Console(highlight=False)
    at = f"level {level}" if level else "levels drawn"
    console.print(f"{first} against {second}: {deals:,} deals, each played twice,")
    console.print(f"seed {seed}, {at}, rules {rules}")
    console.print()
    print_found(console, found, seconds)


# Bots


def read_bot(text: str) -> Bot:
    """Return the bot of a name and its arguments."""
    name, *given = text.split(",")
    made = bot_class(name)
    arguments: dict[str, Any] = {}
    for word in given:
        key, equals, value = word.partition("=")
        if not (equals and key.isidentifier()):
            raise ValueError(f"{text!r:.60}: want arguments as name=value, got {word!r:.40}")
        arguments[key] = read_value(value)
    try:
        return made(**arguments)
    except Exception as error:
        raise ValueError(f"{text!r:.60}: {error}") from None


def bot_class(name: str) -> Callable[..., Bot]:
    """Return the class of a bot, of the package or module:Class."""
    module, colon, attribute = name.partition(":")
    if not colon:
        if name not in bots.__all__:
            raise ValueError(
                f"no bot {name!r:.40}: there are {', '.join(bots.__all__)}; "
                "one of your own is module:Class"
            )
        found: Callable[..., Bot] = getattr(bots, name)
        return found
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        found = getattr(importlib.import_module(module), attribute)
    except Exception as error:  # whatever is wrong with somebody's module
        raise ValueError(f"{name!r:.60} cannot be imported: {error}") from None
    if not callable(getattr(found, "choose", None)):
        raise ValueError(f"{name!r:.60} is no bot: want a class with a method `choose`")
    return found


def read_value(text: str) -> int | float | str | None:
    """Return an argument: None or a number where it reads as one."""
    if text == "None":
        return None
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


@contextmanager
def mapping(workers: int) -> Iterator[Callable[..., Any] | None]:
    """Give the map of so many processes, None for this one alone."""
    if workers == 1:
        yield None
        return
    # Slow to import.
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    # A process that begins anew is the same everywhere, and safe beside the bar's thread.
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        try:
            yield pool.map
        finally:
            pool.shutdown(cancel_futures=True)


# What is shown


def found_object(found: Comparison, seconds: float) -> dict[str, Any]:
    """Return what --json prints of a comparison."""
    return {
        "deals": len(found.payoffs),
        "wins": estimate_object(found.wins),
        "steps": estimate_object(found.steps),
        "payoffs": found.payoffs.tolist(),
        "seconds": seconds,
    }


def estimate_object(estimate: Estimate) -> dict[str, float | None]:
    """Return what --json prints of an estimate; JSON has no NaN."""
    return {name: None if isnan(part) else part for name, part in estimate._asdict().items()}


def print_found(console: Console, found: Comparison, seconds: float) -> None:
    """Print what came of a comparison."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="bold")
    grid.add_column(justify="right")
    grid.add_row("wins", *cells(found.wins, "{:.1%}"))
    grid.add_row("steps", *cells(found.steps, "{:+.2f}"))
    console.print(grid)
    console.print()
    console.print(Text(f"{per_second(2 * len(found.payoffs), seconds):,.1f} plays/s", "dim"))


def cells(estimate: Estimate, form: str) -> tuple[str, str]:
    """Return the cells of an estimate: the mean, and the interval if there is one."""
    mean, low, high = estimate
    return form.format(mean), "" if isnan(low) else f"({form.format(low)} to {form.format(high)})"
