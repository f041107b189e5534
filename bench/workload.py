"""What is timed: the hands, what they are to beat, and loops over the kernels built for the clock.

Everything is seeded, so the answers are fixed: MOVES says how many moves each workload has.
"""

import importlib.util
import sysconfig
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

import guandan as gd
from guandan import cards

HERE = Path(__file__).parent
LEVELS = "23456789TJQKA"
KEYS = {
    "single": (0, 15),
    "pair": (0, 15),
    "triple": (0, 13),
    "full_house": (0, 13),
    "straight": (3, 13),
}

# Of the leads, limit.cpp says the same; of the replies, tests hold lists and counts to the rules.
MOVES = {
    ("leads", 27): 3_118_924,
    ("leads", 12): 114_620,
    ("single", 27): 96_002,
    ("single", 12): 24_209,
    ("pair", 27): 98_040,
    ("pair", 12): 14_683,
    ("triple", 27): 84_634,
    ("triple", 12): 7_937,
    ("full_house", 27): 605_693,
    ("full_house", 12): 12_203,
    ("straight", 27): 596_027,
    ("straight", 12): 13_346,
}

# Of the masks of leads, the flag of action i % 393 of each hand i: how many are set.
MASKED = {27: 1083, 12: 189}


@dataclass(frozen=True)
class Workload:
    """Hands with levels and what they are to beat, as the arrays of `legal_moves_batch`."""

    planes: NDArray[np.uint64]
    levels: NDArray[np.uint8]
    beats: NDArray[np.uint8]
    moves: int

    @property
    def arrays(self) -> tuple[NDArray[np.uint64], NDArray[np.uint8], NDArray[np.uint8]]:
        """The three arrays in the order that the loops take them."""
        return self.planes, self.levels, self.beats

    @property
    def hands(self) -> list[gd.Hand]:
        """The hands as objects."""
        return [gd.Hand.from_planes(*map(int, row)) for row in self.planes]

    @property
    def level_texts(self) -> list[str]:
        """The levels as texts."""
        return [LEVELS[code] for code in self.levels]


@cache
def dealt() -> tuple[NDArray[np.uint8], list[list[str]]]:
    """The levels and cards of hands4096.txt: random hands of 27 at random levels."""
    lines = [line.split() for line in (HERE / "hands4096.txt").read_text("utf-8").splitlines()]
    return np.array([LEVELS.index(line[0]) for line in lines], np.uint8), [
        line[1:] for line in lines
    ]


@cache
def workload(kind: str, size: int) -> Workload:
    """The leads of all hands (kind "leads"), or their replies to a random key of a kind of move.

    `size` 27 takes the hands whole, a smaller one that many random cards of each.
    """
    rng = np.random.default_rng([size, *kind.encode()])
    levels, hands = dealt()
    planes = np.array(
        [gd.Hand(list(rng.permutation(hand)[:size])).planes for hand in hands], np.uint64
    )
    beats = np.zeros((len(hands), 2), np.uint8)
    if kind != "leads":
        beats[:, 0] = gd.Kind[kind.upper()]
        beats[:, 1] = rng.integers(*KEYS[kind], len(hands))
    return Workload(planes, levels, beats, MOVES[kind, size])


@cache
def loops() -> ModuleType:
    """The module loops.pyx, built against the installed package, as any other project would."""
    from Cython.Build import cythonize
    from setuptools import Distribution, Extension

    package = Path(cards.__file__).parent
    build = Path(tempfile.mkdtemp(prefix="guandan-bench-"))
    extension: Any = Extension(
        "loops",
        [str(HERE / "loops.pyx")],
        include_dirs=[str(package)],
        extra_compile_args=["-O3"],
    )
    extensions = cythonize(
        [extension],
        build_dir=str(build),
        include_path=[str(package.parent)],
        compiler_directives={"language_level": 3, "boundscheck": False, "wraparound": False},
        quiet=True,
    )
    command = Distribution({"ext_modules": extensions}).get_command_obj("build_ext")
    command.build_lib = command.build_temp = str(build)
    command.ensure_finalized()
    command.run()
    built = build / f"loops{sysconfig.get_config_var('EXT_SUFFIX')}"
    spec = importlib.util.spec_from_file_location("loops", built)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
