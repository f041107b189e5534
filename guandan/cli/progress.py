"""A bar on standard error while a command works, for a terminal and after a second only."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from threading import Timer

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

__all__ = ["progress_bar"]

PATIENCE = 1.0


@contextmanager
def progress_bar(total: int, unit: str) -> Iterator[Callable[[int], None]]:
    """Show how much of a total is done; the function that it gives adds to that."""
    console = Console(stderr=True)
    # FORCE_COLOR makes rich take any file for a terminal, and a file wants no bar.
    if not (console.is_interactive and sys.stderr.isatty()):
        yield lambda done: None
        return
    bar = Progress(
        BarColumn(),
        TextColumn(f"{{task.completed:,.0f}} of {{task.total:,.0f}} {unit}"),
        TimeRemainingColumn(elapsed_when_finished=True),
        console=console,
        transient=True,
        # On one terminal with it, lines go above the bar; a file gets them as they are.
        redirect_stdout=sys.stdout.isatty(),
    )
    task = bar.add_task(unit, total=total)
    # A thread starts the bar: the work may be long in one call, and takes no heed of it.
    starter = Timer(PATIENCE, bar.start)
    starter.start()
    try:
        yield partial(bar.advance, task)
    finally:
        starter.cancel()
        starter.join()
        bar.stop()
