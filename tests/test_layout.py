"""The modules: their order, their files and their length."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FILES = sorted(
    path
    for folder, endings in (("src", (".pyx", ".pxd", ".h")), ("guandan", (".py", ".pyi")))
    for path in (ROOT / folder).rglob("*")
    if path.suffix in endings
)
CODE = [path for path in FILES if path.suffix != ".h"]

# A module imports only from groups before its own.
ORDER = (
    "errors",
    "bits rng rooms",
    "cards",
    "combos",
    "holding",
    "lists",
    "census",
    "pick",
    "movegen",
    "actions arrays",
    "expansion",
    "movelist",
    "prices",
    "groups",
    "splits",
    "partitions",
    "presets",
    "rules",
    "position",
    "setup",
    "observation",
    "state",
    "features",
    "choices",
    "playout gifts ledger",
    "rounds facts",
    "samples",
    "pasts",
    "places",
    "crew",
    "outlines",
    "subhands outcomes clock proofs",
    "nodes sureruns",
    "relations",
    "patterns",
    "frames",
    "collect",
    "limits",
    "prover",
    "search",
    "scale",
    "checker",
    "endgame",
    "batch",
    "analysis",
    "tribute",
    "standing",
    "dealbatch",
    "referee",
    "dealer",
    "record",
    "course",
    "ending",
    "calls replay",
    "match",
    "triples",
    "platform",
    "bots",
    "arena",
    "__init__",
    "cli.command cli.paint cli.progress",
    "cli.diagram cli.rules",
    "cli.tricks cli.history",
    "cli.moves cli.deals cli.matches cli.endgame cli.review cli.arena",
    "cli",
    "cli.__main__",
    "wrappers",
    "wrappers.gymnasium_env wrappers.openspiel_game wrappers.pettingzoo_env",
)
PLACES = {name: place for place, names in enumerate(ORDER) for name in names.split()}
# A stub may name their types: nothing is imported when it runs.
TYPES_FOR_STUBS = {"rules", "standing"}
# The folders of modules, and the libraries that only one of them takes.
PACKAGES = {"guandan", "guandan.cli", "guandan.wrappers"}
TAKEN_BY = {
    "typer": "cli",
    "rich": "cli",
    "gymnasium": "wrappers",
    "pettingzoo": "wrappers",
    "pyspiel": "wrappers",
}

LINE = re.compile(
    r"^[ ]*(?:from[ ]+(?P<source>[\w.]+)[ ]+c?import[ ]+(?P<names>\([^)]*\)|.*)"
    r"|c?import[ ]+(?P<modules>.*))$",
    re.MULTILINE,
)


def file_name(path: Path) -> str:
    """Give a file's name below the root, for the names of tests."""
    return path.relative_to(ROOT).as_posix()


def module(path: Path) -> str:
    """Give the name of a file's module in the package; `__init__` for the package itself."""
    *folders, name = path.with_suffix("").parts[len(ROOT.parts) + 1 :]
    return ".".join(folders if folders and name == "__init__" else [*folders, name])


def imported(text: str) -> Iterator[str]:
    """Give the dotted names that the import and cimport lines of a text take modules from."""
    for line in LINE.finditer(text):
        if line["modules"]:
            yield from (part.split()[0] for part in line["modules"].split(","))
        elif line["source"] in PACKAGES:
            names = re.sub(r"#.*", "", line["names"]).strip("() \n").split(",")
            yield from (f"{line['source']}.{name.split()[0]}" for name in names if name.strip())
        else:
            yield line["source"]


def modules_used(path: Path) -> set[str]:
    """Give the modules of the package that a file imports; `__init__` for the package's names."""
    names = [name.split(".") for name in imported(path.read_text("utf-8"))]
    return {place_of(name[1:]) for name in names if name[0] == "guandan"}


def place_of(name: list[str]) -> str:
    """Give the module that holds a name of the package: `cli` for `["cli", "main"]`."""
    while name and ".".join(name) not in PLACES:
        name = name[:-1]
    return ".".join(name) or "__init__"


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
from guandan.cli import main, moves
"""
    assert list(imported(text)) == [
        *("re", "numpy", "guandan.cards", "guandan.bits", "guandan.movegen", "pkgutil", "."),
        *("guandan.Hand", "guandan.Kind", "guandan.cli.main", "guandan.cli.moves"),
    ]
    assert place_of(["cli", "main"]) == "cli"
    assert place_of(["cli", "moves"]) == "cli.moves"
    assert place_of(["Hand"]) == place_of([]) == "__init__"


def test_names_of_modules() -> None:
    assert module(ROOT / "src" / "cards.pyx") == "cards"
    assert module(ROOT / "guandan" / "__init__.py") == "__init__"
    assert module(ROOT / "guandan" / "cli" / "__init__.py") == "cli"
    assert module(ROOT / "guandan" / "cli" / "paint.py") == "cli.paint"


@pytest.mark.parametrize("path", CODE, ids=file_name)
def test_a_module_imports_only_earlier_ones(path: Path) -> None:
    name = module(path)
    assert name in PLACES, "give the module its place in ORDER"
    allowed = {earlier for earlier, place in PLACES.items() if place < PLACES[name]}
    if path.suffix == ".pyi":
        allowed |= TYPES_FOR_STUBS
    assert modules_used(path) <= allowed


@pytest.mark.parametrize("path", CODE, ids=file_name)
def test_imports_are_absolute_and_libraries_have_their_places(path: Path) -> None:
    sources = {name.split(".")[0] for name in imported(path.read_text("utf-8"))}
    assert "" not in sources
    assert {TAKEN_BY[name] for name in sources & TAKEN_BY.keys()} <= {module(path).split(".")[0]}


def test_a_name_with_a_stub_is_a_kernel() -> None:
    stubs, kernels, headers, thin = (
        {module(path) for path in FILES if path.suffix == ending}
        for ending in (".pyi", ".pyx", ".pxd", ".py")
    )
    assert stubs == kernels
    assert kernels <= headers
    assert thin & (kernels | headers) <= {"__init__"}
    built = re.search(
        r"foreach\(kernel IN ITEMS ([\w ]+)\)", (ROOT / "CMakeLists.txt").read_text("utf-8")
    )
    assert built
    assert set(built[1].split()) == kernels
    assert (ROOT / "guandan" / "py.typed").read_bytes() == b""


@pytest.mark.parametrize("path", FILES, ids=file_name)
def test_a_module_is_short(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= 620
