"""What happens in a match, entry by entry, and the JSON Lines that keep it.

The first line is `{"guandan": 1, "rules": ..., "seed": ...}`. It has `"deals"` besides where they
are given, each as `[hands, leader or null]`, and `"standing"` and `"order"` where the match began
from another standing or after a deal of that order.

Each line after it is an entry: `{"deal": state}`, the hands as dealt; `{"tribute": [from, to,
card]}`; `{"return": [from, to, card]}`; `{"seat": n, "move": text}`; `{"event": [name, seat]}`,
with more where the event says more; `{"result": ...}`.
"""

import json
from collections.abc import Callable
from dataclasses import asdict
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

from guandan.cards import Hand, shorten
from guandan.combos import Move
from guandan.dealer import Dealer, Given, read_hands, read_seed
from guandan.errors import NotationError, RecordError
from guandan.gifts import read_order
from guandan.rules import Rules
from guandan.standing import Standing
from guandan.tribute import Tribute

__all__ = ["Dealt", "Event", "Played", "Result", "Returned", "Tribute"]

FORMAT = 1


class Dealt(NamedTuple):
    """A deal begins: its text as a State, which leads unless a tribute says who does."""

    state: str


class Returned(NamedTuple):
    """A card given back for a tribute."""

    giver: int
    receiver: int
    card: str


class Played(NamedTuple):
    """A move or a pass."""

    seat: int
    move: Move


class Event(NamedTuple):
    """Anything else, by name.

    "turned": the card that names the first leader, and its holder. "resist" or "pay": what a side
    does that could resist. "left": how many cards a seat says it has left. "order" and "levels":
    how a deal ended and what the levels are then. "time_up": no deal may follow. "extra_deal": the
    levels are equal then, and one deal follows all the same, which its first out wins.

    An event that a referee knows: what he has seen of a seat and, where it lost a deal, the seat
    that leads the next. What comes of it follows. "taken_back": so many moves have gone back, a
    seat's play and all after it. "skipped": the pass before it was a turn that the seat lost.
    "void": a deal has no result, through a seat. "deny": a seat denies the play before it.
    """

    name: str
    seat: int | None = None
    detail: str | int | None = None


class Result(NamedTuple):
    """The end of a match: the side that won, None for a draw, and why the match ended.

    `reason` is "ace", "falls", "minutes", "deals", "extra_deal" or "referee"; `levels` are by side,
    `scores` too, None where the rules have no table of them.
    """

    winner: int | None
    reason: str
    levels: tuple[str, str]
    scores: tuple[int, int] | None


Entry = Dealt | Tribute | Returned | Played | Event | Result


class Header(NamedTuple):
    """What a match begins with."""

    rules: Rules
    dealer: Dealer
    standing: Standing = Standing()
    order: tuple[int, ...] | None = None

    def check(self) -> None:
        """Refuse what no match begins with."""
        standing, order = self.standing, self.order
        if standing.is_over:
            raise ValueError(f"standing={standing!r}: want a match that goes on")
        if order is not None and standing.declarers != order[0] % 2:
            raise ValueError(
                f"order={order!r}: want the declarers' first at its beginning, they are side "
                f"{standing.declarers}"
            )


def line_of(entry: Entry) -> str:
    """Return an entry as JSON."""
    value: dict[str, Any]
    match entry:
        case Dealt(state):
            value = {"deal": state}
        case Tribute():
            value = {"tribute": list(entry)}
        case Returned():
            value = {"return": list(entry)}
        case Played(seat, move):
            value = {"seat": seat, "move": str(move)}
        case Event():
            given = list(entry)
            while len(given) > 2 and given[-1] is None:
                given.pop()
            value = {"event": given}
        case Result():
            value = {"result": entry._asdict()}
    return json.dumps(value)


def header_line(header: Header) -> str:
    """Return a header as JSON."""
    rules, (seed, given), standing, order = header
    value: dict[str, Any] = {"guandan": FORMAT, "rules": rules.changes(), "seed": seed}
    if given is not None:
        value["deals"] = [["/".join(map(str, deal.hands)), deal.leader] for deal in given]
    if standing != Standing():
        value["standing"] = asdict(standing)
    if order is not None:
        value["order"] = order
    return json.dumps(value)


# Reading


def is_seat(value: object) -> bool:
    """Return whether a value is a seat."""
    return type(value) is int and 0 <= value <= 3


def is_card(value: object) -> bool:
    """Return whether a value may be a card's text."""
    return isinstance(value, str) and len(value) == 2


def read_gift(value: object) -> tuple[int, int, str]:
    """Read who gives what to whom."""
    if isinstance(value, list) and len(value) == 3:
        giver, receiver, card = value
        if is_seat(giver) and is_seat(receiver) and is_card(card):
            return giver, receiver, card
    raise ValueError(f"{value!r:.60}: want [seat from, seat to, card]")


def read_deal(value: object) -> Dealt:
    """Read the text of a deal; whether it is one the match will say."""
    if not isinstance(value, str):
        raise ValueError(f"deal {value!r:.60}: want the text of a state")
    return Dealt(value)


def read_event(value: object) -> Event:
    """Read an event."""
    if isinstance(value, list) and 2 <= len(value) <= 3 and isinstance(value[0], str):
        name, seat, *detail = value
        if (seat is None or is_seat(seat)) and all(type(one) in (str, int) for one in detail):
            return Event(name, seat, *detail)
    raise ValueError(f"event {value!r:.60}: want [name, seat or null] and at most one thing more")


def read_result(value: object) -> Result:
    """Read the result of a match."""
    if isinstance(value, dict) and value.keys() == set(Result._fields):
        levels, scores = value["levels"], value["scores"]
        if isinstance(levels, list) and (scores is None or isinstance(scores, list)):
            read = {"levels": tuple(levels), "scores": scores and tuple(scores)}
            return Result(**{**value, **read})
    raise ValueError(f"result {value!r:.60}: want an object of {', '.join(Result._fields)}")


def read_move(value: object) -> Move:
    """Read a move's text."""
    if not isinstance(value, str):
        raise NotationError(f"move {value!r:.60}: want a text")
    return Move.parse(value)


READERS: dict[str, Callable[[Any], Entry]] = {
    "deal": read_deal,
    "tribute": lambda value: Tribute(*read_gift(value)),
    "return": lambda value: Returned(*read_gift(value)),
    "event": read_event,
    "result": read_result,
}


def read_object(line: str) -> dict[str, Any]:
    """Read a line's JSON object."""
    try:
        value = json.loads(line, object_pairs_hook=unique)
    except json.JSONDecodeError as error:
        raise ValueError(f"{line.strip()!r:.60} is no JSON: {error.msg}") from None
    except RecursionError:
        raise ValueError(f"{line.strip()!r:.60} is no JSON: it is nested too deep") from None
    if not isinstance(value, dict):
        raise ValueError(f"{line.strip()!r:.60}: want a JSON object")
    return value


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object in which no name stands twice."""
    value = dict(pairs)
    if len(value) < len(pairs):
        raise ValueError(f"{dict(pairs)!r:.60}: a name stands twice")
    return value


def read_header(line: str) -> Header:
    """Read the first line of a record."""
    value = read_object(line)
    if type(value.get("guandan")) is not int or value["guandan"] != FORMAT:
        raise ValueError(f'{line.strip()!r:.60}: a record begins with {{"guandan": {FORMAT}, ...}}')
    others = ("deals", "standing", "order")
    if not {"rules", "seed"} <= value.keys() <= {"guandan", "rules", "seed", *others}:
        raise ValueError(
            f"{line.strip()!r:.60}: want rules and seed, and no more than {', '.join(others)}"
        )
    rules, standing = value["rules"], value.get("standing", {})
    if not isinstance(rules, dict):
        raise ValueError(f"rules {rules!r:.60}: want an object of fields")
    if not isinstance(standing, dict) or not standing.keys() <= asdict(Standing()).keys():
        raise ValueError(f"standing {standing!r:.60}: want an object of fields of a Standing")
    given = read_deals(value["deals"]) if "deals" in value else None
    order = read_order(read_seats(value["order"])) if "order" in value else None
    dealer = Dealer(read_seed(value["seed"]), given)
    return Header(Rules.from_fields(rules), dealer, Standing(**standing), order)


def read_seats(value: object) -> tuple[int, ...]:
    """Read a list of seats."""
    if not isinstance(value, list) or not all(map(is_seat, value)):
        raise ValueError(f"order {value!r:.60}: want four seats")
    return tuple(value)


def read_deals(value: object) -> tuple[Given, ...]:
    """Read given deals."""
    if not isinstance(value, list) or not value:
        raise ValueError(f"deals {value!r:.60}: want a list of [hands, leader or null]")
    given = []
    for number, deal in enumerate(value, 1):
        if not (isinstance(deal, list) and len(deal) == 2 and isinstance(deal[0], str)):
            raise ValueError(f"deal {number} {deal!r:.60}: want [hands, leader or null]")
        hands, leader = deal
        if not (leader is None or is_seat(leader)):
            raise ValueError(f"deal {number}: leader {leader!r:.60}: want a seat or null")
        given.append(Given(read_hands(f"deal {number}", map(Hand, hands.split("/"))), leader))
    return tuple(given)


def read_entry(line: str) -> Entry:
    """Read any other line."""
    value = read_object(line)
    if value.keys() == {"seat", "move"}:
        if not is_seat(value["seat"]):
            raise ValueError(f"seat {value['seat']!r:.60}: want 0, 1, 2 or 3")
        return Played(value["seat"], read_move(value["move"]))
    if len(value) == 1:
        [(name, given)] = value.items()
        if name in READERS:
            return READERS[name](given)
    raise ValueError(
        f"{line.strip()!r:.60}: want one of {', '.join(READERS)}, or a seat and a move"
    )


class Record(NamedTuple):
    """What a file has, up to a line that cannot be read: `wrong` is its number and why.

    `size` is how many bytes its whole lines take, and `is_cut` whether what is behind them is all
    that is wrong. `path` is that of the file, None for bytes.
    """

    header: Header
    entries: list[Entry]
    wrong: tuple[int, str] | None
    size: int
    is_cut: bool
    path: Path | None


def read_path(record: str | PathLike[str], want: str = "the path of a file") -> Path:
    """Return the path of a record."""
    if not isinstance(record, (str, PathLike)):
        raise TypeError(f"record={shorten(record)}: want {want}")
    return Path(record)


def read_record(record: str | PathLike[str] | bytes) -> Record:
    """Read a file, or what one has; a first line that cannot be read raises RecordError."""
    if isinstance(record, bytes):
        path, data = None, record
    else:
        path = read_path(record, "the path of a file, or as bytes what such a file has")
        data = path.read_bytes()
    *lines, rest = data.split(b"\n")
    is_cut = bool(rest)
    wrong = (len(lines) + 1, f"{rest[:40]!r} is cut short") if is_cut else None
    if not lines:
        raise RecordError(1, wrong[1] if wrong else "the file is empty", None)
    try:
        header = read_header(lines[0].decode())
    except ValueError as error:
        raise RecordError(1, str(error), None) from None
    entries = []
    for number, line in enumerate(lines[1:], 2):
        try:
            entries.append(read_entry(line.decode()))
        except ValueError as error:
            wrong, is_cut = (number, str(error)), False
            break
    return Record(header, entries, wrong, len(data) - len(rest), is_cut, path)


# Writing


class Writer:
    """A record being written: the lines of each choice are with the system before the next one.

    Lines that cannot be written, on a full disk for example, raise OSError and are tried again.
    """

    def __init__(self, path: Path, header: Header | None, size: int | None = None) -> None:
        """Begin a new file with a header; or go on in one that has so many bytes of whole lines."""
        self._file = open(path, "xb" if header else "r+b", buffering=0)  # noqa: SIM115
        self._pending = b""
        if header is not None:
            self.write([header_line(header)])
        elif size is not None:
            self._file.seek(size)
            self._file.truncate()

    def write(self, lines: list[str]) -> None:
        """Write lines."""
        self._pending += "".join(f"{line}\n" for line in lines).encode()
        while self._pending:
            self._pending = self._pending[self._file.write(self._pending) :]

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __del__(self) -> None:
        """Close the file of a match that is given up: every line is in it already."""
        if hasattr(self, "_file"):
            self._file.close()
