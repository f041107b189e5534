"""The examples in the docstrings of the package."""

import doctest
from importlib import import_module
from types import ModuleType

import pytest

MODULES = [
    *("guandan", "guandan.rules", "guandan.cards", "guandan.combos", "guandan.movelist"),
    "guandan.partitions",
    *("guandan.actions", "guandan.observation", "guandan.state"),
    *("guandan.features", "guandan.choices", "guandan.playout", "guandan.samples"),
    *("guandan.endgame", "guandan.batch", "guandan.analysis"),
    *("guandan.tribute", "guandan.standing", "guandan.referee", "guandan.record", "guandan.match"),
    "guandan.dealbatch",
    *("guandan.triples", "guandan.platform", "guandan.arena"),
]


def examples(module: ModuleType) -> dict[str, doctest.DocTest]:
    """Find the docstrings with examples of a module; one that is found twice counts once."""
    found = doctest.DocTestFinder(exclude_empty=True).find(module)
    # Cython keeps the docstrings of functions in `__test__` too, under names with a line number.
    return {test.docstring: test for test in found if test.examples}


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    failures: list[str] = []
    runner = doctest.DocTestRunner()
    for test in examples(import_module(name)).values():
        runner.run(test, out=failures.append)
    assert not failures, "\n".join(failures)


def test_examples_of_kernels_are_found() -> None:
    found = {
        test.name.split()[0].removeprefix("__test__.").rsplit(".", 1)[-1]
        for name in MODULES
        for test in examples(import_module(name)).values()
    }
    assert found >= {"Hand", "Move", "MoveList", "beats", "deal_hands", "legal_moves", "readings"}
    assert found >= {"State", "deal", "perft", "playouts", "push"}
    assert found >= {"Solver", "rate_moves", "review", "solve", "solve_many", "verify"}
