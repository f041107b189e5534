"""The modules: their order, their files and their length."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FILES = sorted(
    path
    for folder, endings in (("src", (".pyx", ".pxd", ".h")), ("guandan", (".py", ".pyi")))
    for path in (ROOT / folder).iterdir()
    if path.suffix in endings
)
CODE = [path for path in FILES if path.suffix != ".h"]

# A module imports only from groups before its own.
ORDER = (
    "errors",
    "bits rng",
    "cards",
    "combos",
    "holding",
    "lists",
    "census",
    "pick",
    "movegen",
    "movelist",
    "rules",
    "position",
    "setup",
    "state",
    "playouts",
    "__init__",
    "cli",
)
PLACES = {name: place for place, names in enumerate(ORDER) for name in names.split()}
# A stub may name their types: nothing is imported when it runs.
TYPES_FOR_STUBS = {"rules"}
CLI_ONLY = {"typer", "rich"}

LINE = re.compile(
    r"^[ ]*(?:from[ ]+(?P<source>[\w.]+)[ ]+c?import[ ]+(?P<names>\([^)]*\)|.*)"
    r"|c?import[ ]+(?P<modules>.*))$",
    re.MULTILINE,
)


def imported(text: str) -> Iterator[str]:
    """Give the dotted names that the import and cimport lines of a text take modules from."""
    for line in LINE.finditer(text):
        if line["modules"]:
            yield from (part.split()[0] for part in line["modules"].split(","))
        elif line["source"] == "guandan":
            names = re.sub(r"#.*", "", line["names"]).strip("() \n").split(",")
            yield from (f"guandan.{name.split()[0]}" for name in names if name.strip())
        else:
            yield line["source"]


def kernels_used(path: Path) -> set[str]:
    """Give the modules of the package that a file imports; `__init__` for the package's names."""
    names = [name.split(".") for name in imported(path.read_text("utf-8"))]
    modules = {[*name, "__init__"][1] for name in names if name[0] == "guandan"}
    return {module if module in PLACES else "__init__" for module in modules}


def test_import_lines_are_read() -> None:
    text = """
import re, numpy as np
from guandan import cards as _cards  # noqa
from guandan.bits cimport (
    lowest, pop,
)
cimport guandan.movegen as movegen
    from pkgutil import extend_path
from . import rules
from guandan import (
    Hand,  # a name
    Kind,
)
"""
    assert list(imported(text)) == [
        *("re", "numpy", "guandan.cards", "guandan.bits", "guandan.movegen", "pkgutil", "."),
        *("guandan.Hand", "guandan.Kind"),
    ]


@pytest.mark.parametrize("path", CODE, ids=lambda path: path.name)
def test_a_module_imports_only_earlier_ones(path: Path) -> None:
    assert path.stem in PLACES, "give the module its place in ORDER"
    allowed = {name for name, place in PLACES.items() if place < PLACES[path.stem]}
    if path.suffix == ".pyi":
        allowed |= TYPES_FOR_STUBS
    assert kernels_used(path) <= allowed


@pytest.mark.parametrize("path", CODE, ids=lambda path: path.name)
def test_imports_are_absolute_and_the_command_line_alone_takes_its_libraries(path: Path) -> None:
    sources = {name.split(".")[0] for name in imported(path.read_text("utf-8"))}
    assert "" not in sources
    assert path.stem == "cli" or not sources & CLI_ONLY


def test_a_name_with_a_stub_is_a_kernel() -> None:
    stubs = {path.stem for path in FILES if path.suffix == ".pyi"}
    kernels = {path.stem for path in FILES if path.suffix == ".pyx"}
    headers = {path.stem for path in FILES if path.suffix == ".pxd"}
    thin = {path.stem for path in FILES if path.suffix == ".py"}
    assert stubs == kernels
    assert kernels <= headers
    assert thin & (kernels | headers) <= {"__init__"}
    built = re.search(
        r"foreach\(kernel IN ITEMS ([\w ]+)\)", (ROOT / "CMakeLists.txt").read_text("utf-8")
    )
    assert built
    assert set(built[1].split()) == kernels
    assert (ROOT / "guandan" / "py.typed").read_bytes() == b""


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_module_is_short(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= 620
