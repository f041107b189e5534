"""The positions of the perft files, each with its numbers of move sequences by depth.

A file is blocks between blank lines. The first holds comments on the whole file, each other one a
position: a comment with its name, then its lines, such as

    # the partner of a seat that is out leads
    state S4S5D9/SBHR/-/C2C2H3 7 0 3:pair:2 2
    rules lead_after_out=next bomb_max=8
    perft 1 12
    perft 2 57

`rules` may be missing, and names what differs from the default rules.
"""

from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "perft"

RuleValue = bool | int | str | tuple[int, ...]


@dataclass(frozen=True)
class PerftPosition:
    """A position's text, its rules by name, and how many sequences each depth has."""

    name: str
    state: str
    rules: dict[str, RuleValue]
    counts: dict[int, int]


def read_rule(text: str) -> RuleValue:
    """Read a value such as `true`, `8`, `4,2,1` or `next`."""
    if text in ("true", "false"):
        return text == "true"
    if "," in text:
        return tuple(map(int, text.split(",")))
    return int(text) if text.isdecimal() else text


def read_block(lines: list[str], file: str) -> PerftPosition:
    """Read the lines of one position."""
    name = state = ""
    rules: dict[str, RuleValue] = {}
    counts: dict[int, int] = {}
    for line in lines:
        word, _, rest = line.partition(" ")
        if word == "#":
            name = name or f"{file}: {rest}"
        elif word == "state" and not state:
            state = rest
        elif word == "rules":
            pairs = (pair.split("=") for pair in rest.split())
            rules |= {key: read_rule(value) for key, value in pairs}
        elif word == "perft":
            depth, count = map(int, rest.split())
            counts[depth] = count
        else:
            raise ValueError(f"{file}.perft: {line}")
    if not (name and state and counts):
        raise ValueError(f"{file}.perft: no name, no state or no count: {lines}")
    return PerftPosition(name, state, rules, counts)


def read_file(path: Path) -> list[PerftPosition]:
    """Read the positions of one file."""
    head, *blocks = path.read_text("utf-8").strip().split("\n\n")
    if not all(line.startswith("#") for line in head.splitlines()):
        raise ValueError(f"{path.name}: wants comments and a blank line first")
    return [read_block(block.splitlines(), path.stem) for block in blocks]


def read_positions() -> list[PerftPosition]:
    """Read the positions of all files, by name of file."""
    return [position for path in sorted(FOLDER.glob("*.perft")) for position in read_file(path)]
