"""The messages of the NJUPT and OpenGuanDan AI platforms: what they ask and what they tell."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from guandan.cards import Hand, read_int, shorten
from guandan.combos import Kind, Move, readings
from guandan.errors import IllegalMoveError, NotationError, StateError
from guandan.gifts import payable_cards, returnable_cards
from guandan.movelist import legal_moves
from guandan.rules import Rules, read_rules
from guandan.tribute import seat_of
from guandan.triples import (
    NJUPT,
    Triple,
    card_of,
    from_cards,
    from_return,
    from_tribute,
    from_triple,
    three_of,
    to_cards,
    to_return,
    to_tribute,
    to_triple,
    what_is_made,
)

__all__ = [
    "Act",
    "Entry",
    "Gift",
    "Notice",
    "from_cards",
    "from_return",
    "from_tribute",
    "from_triple",
    "to_cards",
    "to_return",
    "to_tribute",
    "to_triple",
]

Message = Mapping[str, Any] | str | bytes
Action = tuple[Any, Any, Any]  # a triple as it was received, with tuples for lists
Table = tuple[Move | None, int | None]  # a move and the seat that made it

STAGES = ("play", "tribute", "back")
NOTICES = (
    *("beginning", "play", "tribute", "anti-tribute", "back", "episodeOver", "gameOver"),
    "gameResult",
)
# What OpenGuanDan calls an answer in each stage.
ANSWERS = {"play": "PLAY", "tribute": "TRIBUTE", "back": "PAYTRIBUTE"}

# Messages


class Gift(NamedTuple):
    """A card that has been paid or returned, and the seats that gave and received it."""

    giver: int
    receiver: int
    card: str


@dataclass(frozen=True)
class Entry:
    """An action that may be chosen, and what it is.

    `action` is the triple as it was received, its cards in their order, with tuples for lists.
    In play `move` is its move, in the other stages `card` its card; both are None where it cannot
    be read. `problem` says why this library would not choose it, None where it would.
    """

    action: Action
    move: Move | None = None
    card: str | None = None
    problem: str | None = None

    def triple(self) -> Triple:
        """Return the action as it was received, its cards in the same order."""
        return [list(part) if isinstance(part, tuple) else part for part in self.action]


@dataclass(frozen=True, kw_only=True)
class Act:
    """A message of type `act`, which asks a player for one of the actions it lists.

    `stage` is "play", "tribute" or "back". `hand` and `level` are those of the player asked,
    `own_level` and `other_level` those of the two sides, `counts` the cards left to seats 0-3,
    `seat` the player's own; each None where the message does not say. `table` is the move to beat
    and `owner` its seat, None for a lead; `latest` and `latest_seat` are the move made just before,
    a pass too. `payer` and `paid` are the seat that paid the player and the card, where it is to
    return one and the message says.

    `entries` are the actions in order, one that is listed twice twice. `missing` are the moves, in
    the other stages the cards, that this library would list and the message does not, in the order
    of the list; OpenGuanDan's server leaves out some with wilds. `problems` says what in the rest
    of the message cannot be right.

    What may be returned hangs on whether the payer is the partner and on the card that he paid.
    Where the message or `seat` does not tell, an entry has a problem only if it may not be returned
    in any case, and a card is missing only if it may be in every case.
    """

    stage: str
    hand: Hand
    level: str
    own_level: str | None
    other_level: str | None
    counts: tuple[int, ...] | None
    seat: int | None
    table: Move | None
    owner: int | None
    latest: Move | None
    latest_seat: int | None
    payer: int | None
    paid: str | None
    entries: tuple[Entry, ...]
    missing: tuple[Move | str, ...]
    problems: tuple[str, ...]

    @classmethod
    def read(cls, message: Message, rules: Rules | None = None, seat: int | None = None) -> "Act":
        """Read a message, a dict or JSON text, by the rules (default: njupt1006).

        `seat` is the player's own, which most messages do not tell. Fields that are not known are
        ignored. An action that these rules forbid, or that this library does not know, is told by
        its entry. A message that cannot be read raises NotationError or StateError, naming the
        field, and one with a move to beat that no cards make IllegalMoveError.

        >>> act = Act.read({
        ...     "type": "act", "stage": "play", "handCards": ["S5", "C7", "H9"], "curRank": "9",
        ...     "greaterPos": 1, "greaterAction": ["Single", "5", ["D5"]],
        ...     "actionList": [["PASS", "PASS", "PASS"], ["Single", "7", ["C7"]],
        ...                    ["Single", "5", ["S5"]]],
        ... })
        >>> act.moves
        (Move.parse("pass"), Move.parse("single 7 C7"))
        >>> act.answer("single 7 C7")
        {'actIndex': 1}
        >>> act.entries[2].problem, act.missing
        ('it does not beat single 5 D5', (Move.parse("single 9 H9"),))
        """
        given = Fields.of(message, "act")
        problems: list[str] = []
        rules = NJUPT if rules is None else read_rules(rules)
        stage = given.choice("stage", STAGES)
        hand, level = given.hand("handCards"), given.level("curRank")
        own, counts = given.own_seat(seat), given.counts()
        if not hand:
            raise StateError("handCards: an empty hand has nothing to play")
        if stage == "play" and counts and own is not None and counts[own] != len(hand):
            problems.append(f"publicInfo[{own}].rest {counts[own]}: handCards are {len(hand)}")
        payer, paid = given.seat("tributePos"), given.card("tribute")
        table, owner, latest, latest_seat = None, None, None, None
        missing: tuple[Move | str, ...]
        if stage == "play":
            table, owner = given.table(own, problems)
            latest, latest_seat = given.latest()
            table = checked_table(table, level, rules, problems)
            with naming("greaterAction"):
                legal = dict.fromkeys(legal_moves(hand, level, table, rules=rules))
            entries = [
                play_entry(action, hand, level, table, rules, legal) for action in given.actions()
            ]
            listed = {entry.move for entry in entries}
            missing = tuple(move for move in legal if move not in listed)
        else:
            if stage == "tribute":
                some = every = payable_cards(hand, level)
            else:
                some, every = returnable_kinds(hand, level, rules, (own, payer, paid), problems)
            entries = [gift_entry(stage, action, hand, some) for action in given.actions()]
            cards = {entry.card for entry in entries}
            missing = tuple(card for card in every if card not in cards)
        top = given.whole("indexRange")
        if top is not None and top != len(entries) - 1:
            problems.append(f"indexRange {top}: actionList has {len(entries)} actions")
        return cls(
            stage=stage,
            hand=hand,
            level=level,
            own_level=given.level_if_any("selfRank"),
            other_level=given.level_if_any("oppoRank"),
            counts=counts,
            seat=own,
            table=table,
            owner=owner,
            latest=latest,
            latest_seat=latest_seat,
            payer=payer,
            paid=paid,
            entries=tuple(entries),
            missing=missing,
            problems=tuple(problems),
        )

    @property
    def illegal(self) -> tuple[int, ...]:
        """The indices of the entries that have a problem."""
        return tuple(index for index, entry in enumerate(self.entries) if entry.problem)

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves that are listed and legal, each once, in the order of the message."""
        found = (entry.move for entry in self.entries if not entry.problem)
        return tuple(dict.fromkeys(move for move in found if move is not None))

    @cached_property
    def _indices(self) -> dict[Move | str | None, int]:
        """The first index of each move or card."""
        found: dict[Move | str | None, int] = {}
        for index, entry in enumerate(self.entries):
            found.setdefault(entry.move or entry.card, index)
        return found

    def index_of(self, choice: Move | str) -> int:
        """Return the first index of a move, or of a card to be paid or returned.

        In play `choice` is a Move or a move's text, else a card's text. Raises IllegalMoveError
        where it is not listed, NotationError for text that cannot be read.
        """
        wanted: Move | str
        if self.stage == "play":
            wanted = choice if isinstance(choice, Move) else Move.parse(choice)
        else:
            wanted = read_card("card", choice)
        index = self._indices.get(wanted)
        if index is None:
            legal = ", though it is legal" if wanted in self.missing else ""
            raise IllegalMoveError(f"{choice} is none of the {len(self.entries)} actions{legal}")
        return index

    def answer(self, choice: Move | str) -> dict[str, int]:
        """Return what NJUPT's platform wants to hear: the index; errors as `index_of`."""
        return {"actIndex": self.index_of(choice)}

    def answer_in_room(self, choice: Move | str, room: int, seat: int) -> dict[str, Any]:
        """Return what OpenGuanDan's server wants to hear: the action itself; errors as `index_of`.

        The action is as it was received, the order of its cards too, which the server insists on.
        """
        data: dict[str, Any] = {"roomId": read_int("room", room), "player": read_seat("seat", seat)}
        if self.stage == "back":
            if self.payer is None or self.paid is None:
                raise NotationError("tributePos, tribute: the message lacks these fields")
            data |= {"tributePos": self.payer, "tribute": self.paid}
        data["act"] = self.entries[self.index_of(choice)].triple()
        return {"type": ANSWERS[self.stage], "data": data}


@dataclass(frozen=True, kw_only=True)
class Notice:
    """A message of type `notify`, which tells all players what has happened.

    `stage` is one of "beginning": `hand` and `seat`; "play": `latest` and `latest_seat`, the move
    and who made it, `table` and `owner`; "tribute" and "back": `gifts`; "anti-tribute":
    `resisters`, the seats that hold big jokers; "episodeOver": `order`, `level` and `left`, the
    hands of those who are not out; "gameOver" and "gameResult", of which nothing more is read.
    What a stage does not tell is None or empty. `problems` says what cannot be right.
    """

    stage: str
    hand: Hand | None = None
    seat: int | None = None
    latest: Move | None = None
    latest_seat: int | None = None
    table: Move | None = None
    owner: int | None = None
    gifts: tuple[Gift, ...] = ()
    resisters: tuple[int, ...] = ()
    order: tuple[int, ...] = ()
    level: str | None = None
    left: tuple[tuple[int, Hand], ...] = ()
    problems: tuple[str, ...] = ()

    @classmethod
    def read(cls, message: Message) -> "Notice":
        """Read a message, a dict or JSON text; unknown fields are ignored.

        Of moves only the number of cards is checked: the message does not tell the level. Raises
        NotationError or StateError for what cannot be read, naming the field.

        >>> Notice.read('{"type": "notify", "stage": "tribute", "result": [[0, 3, "S2"]]}').gifts
        (Gift(giver=0, receiver=3, card='S2'),)
        """
        given = Fields.of(message, "notify")
        stage = given.choice("stage", NOTICES)
        problems: list[str] = []
        found: dict[str, Any] = {}
        if stage == "beginning":
            found = {"hand": given.hand("handCards"), "seat": given.seat("myPos", True)}
        elif stage == "play":
            found["latest"], found["latest_seat"] = given.latest(True)
            found["table"], found["owner"] = given.table(None, problems)
        elif stage in ("tribute", "back"):
            found["gifts"] = given.gifts()
        elif stage == "anti-tribute":
            found["resisters"] = given.seats("antiPos")
            # Texts and servers differ in the spelling.
            for name in ("antiNum", "antiNums"):
                n = given.whole(name)
                if n is not None and n != len(found["resisters"]):
                    problems.append(f"{name} {n}: antiPos names {len(found['resisters'])}")
        elif stage == "episodeOver":
            found = {"order": given.seats("order"), "level": given.level_if_any("curRank")}
            found["left"] = given.left()
        return cls(stage=stage, problems=tuple(problems), **found)


def checked_table(table: Move | None, level: str, rules: Rules, problems: list[str]) -> Move | None:
    """Return what there is to beat, without its cards where they do not make it."""
    wrong = table and what_is_made(table, level, rules)
    if not table or not wrong:
        return table
    problems.append(f"greaterAction {table}: {wrong}")
    return Move.parse(f"{table.kind.name.lower()} {table.rank}")


def play_entry(
    action: Action,
    hand: Hand,
    level: str,
    table: Move | None,
    rules: Rules,
    legal: Mapping[Move, None],
) -> Entry:
    """Return the entry of an action in play."""
    try:
        move = from_triple(action)
    except (NotationError, StateError) as error:
        return Entry(action, problem=str(error))
    if move in legal:
        return Entry(action, move)
    lacking = [card for card in move.cards if move.cards.count(card) > hand.count(card)]
    if move.kind is Kind.PASS:
        problem = "the leader may not pass"
    elif lacking:
        problem = f"the hand lacks {' '.join(dict.fromkeys(lacking))}"
    else:
        problem = what_is_made(move, level, rules) or f"it does not beat {table}"
    return Entry(action, move, problem=problem)


def returnable_kinds(
    hand: Hand,
    level: str,
    rules: Rules,
    told: tuple[int | None, int | None, str | None],
    problems: list[str],
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the cards that may be returned in some case, and those that may be in every case.

    `told` is the player's own seat, the payer's and the card that was paid, None for what is not.
    """
    own, payer, paid = told
    partners: tuple[bool, ...] = (False, True)
    if payer is not None and payer == own:
        problems.append(f"tributePos {payer}: it is the player's own seat")
    elif payer is not None and own is not None:
        partners = ((payer ^ own) == 2,)
    kinds = tuple(dict.fromkeys(hand))
    received = kinds if paid is None else (paid,)
    if paid is not None and paid not in hand:
        problems.append(f"tribute {paid}: the hand lacks it")
        received = kinds
    cases = [
        returnable_cards(hand, level, to_partner, rules, card)
        for to_partner in partners
        for card in received
    ]
    some = tuple(card for card in kinds if any(card in case for case in cases))
    return some, tuple(card for card in some if all(card in case for case in cases))


def gift_entry(stage: str, action: Action, hand: Hand, allowed: tuple[str, ...]) -> Entry:
    """Return the entry of an action that pays or returns a card, one of those that are allowed."""
    try:
        card = card_of(stage, action)
    except (NotationError, StateError) as error:
        return Entry(action, problem=str(error))
    if card in allowed:
        return Entry(action, card=card)
    if card not in hand:
        return Entry(action, card=card, problem=f"the hand lacks {card}")
    done = "paid" if stage == "tribute" else "returned"
    want = f"{' or '.join(allowed) or 'no card of the hand'} may be {done}"
    return Entry(action, card=card, problem=f"by these rules {want}, not {card}")


# Reading


class Fields:
    """The fields of a message, read one by one; an error names the field that is wrong."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        """Take the fields as they are."""
        self.fields = fields

    @classmethod
    def of(cls, message: Message, type_: str) -> "Fields":
        """Return the fields of a message of a type, a dict or JSON text."""
        fields: Any = message
        if isinstance(message, (str, bytes)):
            try:
                fields = json.loads(message)
            except (ValueError, RecursionError) as error:
                raise NotationError(f"{message!r:.60} is no JSON: {error}") from None
        if not isinstance(fields, Mapping):
            raise NotationError(f"{message!r:.60}: want a message, a dict or the text of one")
        if fields.get("type", type_) != type_:
            raise NotationError(f'type: want "{type_}", got {fields["type"]!r:.40}')
        return cls(fields)

    def required(self, name: str) -> Any:
        """Return a field that a message cannot do without."""
        if name not in self.fields:
            raise NotationError(f"{name}: the message lacks this field")
        return self.fields[name]

    def choice(self, name: str, words: tuple[str, ...]) -> str:
        """Return one of some words."""
        word = self.required(name)
        if not isinstance(word, str) or word not in words:
            raise NotationError(f"{name}: want one of {', '.join(words)}, got {shorten(word)}")
        return word

    def items(self, name: str) -> list[Any]:
        """Return a list."""
        items = self.required(name)
        if not isinstance(items, (list, tuple)):
            raise NotationError(f"{name}: want a list, got {items!r:.60}")
        return list(items)

    def hand(self, name: str) -> Hand:
        """Return a list of cards as a hand."""
        with naming(name):
            return from_cards(self.required(name))

    def card(self, name: str) -> str | None:
        """Return a card, None where there is none."""
        card = self.fields.get(name)
        return None if card is None else read_card(name, card)

    def level(self, name: str) -> str:
        """Return a level."""
        level: str = self.required(name)
        with naming(name):
            readings((), level)  # without cards it looks at the level alone
        return level

    def level_if_any(self, name: str) -> str | None:
        """Return a level, None where there is none."""
        return None if self.fields.get(name) is None else self.level(name)

    def whole(self, name: str) -> int | None:
        """Return a whole number, None where there is none."""
        number = self.fields.get(name)
        if number is not None and type(number) is not int:
            raise NotationError(f"{name}: want a whole number, got {shorten(number)}")
        return number

    def seat(self, name: str, required: bool = False) -> int | None:
        """Return a seat, None for -1, null or no field."""
        seat = self.required(name) if required else self.fields.get(name)
        return None if is_nobody(seat) and not required else read_seat(name, seat)

    def own_seat(self, seat: int | None) -> int | None:
        """Return the seat that a caller and the message say is the player's own."""
        told = self.seat("myPos")
        if seat is None:
            return told
        if told not in (None, read_seat("seat", seat)):
            raise NotationError(f"myPos: want seat {seat}, got {told}")
        return seat

    def seats(self, name: str) -> tuple[int, ...]:
        """Return a list of different seats."""
        seats = [read_seat(f"{name}[{i}]", seat) for i, seat in enumerate(self.items(name))]
        if len(set(seats)) != len(seats):
            raise NotationError(f"{name}: {seats} names a seat twice")
        return tuple(seats)

    def counts(self) -> tuple[int, ...] | None:
        """Return how many cards each seat has left."""
        if self.fields.get("publicInfo") is None:
            return None
        infos = self.items("publicInfo")
        if len(infos) != 4:
            raise NotationError(f"publicInfo: want an object for each of 4 seats, got {len(infos)}")
        counts = []
        for seat, info in enumerate(infos):
            rest = info.get("rest") if isinstance(info, Mapping) else None
            if type(rest) is not int or not 0 <= rest <= 28:
                raise NotationError(
                    f"publicInfo[{seat}]: want an object whose rest is a number of cards, "
                    f"got {info!r:.60}"
                )
            counts.append(rest)
        return tuple(counts)

    def action(self, name: str, value: Any) -> Move | None:
        """Return the move of an action; None for the nulls and the like that stand for none."""
        if is_nobody(value):
            return None
        if isinstance(value, (list, tuple)) and len(value) == 3 and all(x is None for x in value):
            return None
        with naming(name):
            return from_triple(value)

    def table(self, own: int | None, problems: list[str]) -> Table:
        """Return what there is to beat and its owner; nothing for a lead."""
        table = self.action("greaterAction", self.required("greaterAction"))
        self.required("greaterPos")
        owner = self.seat("greaterPos")
        # All have passed since a player's own move, and he leads.
        if owner is not None and owner == own:
            return None, None
        if table is None or table.kind is Kind.PASS:
            if owner is not None:
                problems.append(f"greaterPos {owner}: greaterAction is none")
            return None, None
        if owner is None:
            problems.append(f"greaterPos: no seat has made greaterAction {table}")
        return table, owner

    def latest(self, required: bool = False) -> Table:
        """Return the move made last and its seat."""
        if required:
            self.required("curAction")
        move = self.action("curAction", self.fields.get("curAction"))
        return move, self.seat("curPos", required)

    def actions(self) -> list[Action]:
        """Return the actions to choose from, with tuples for lists."""
        found = []
        for index, action in enumerate(self.items("actionList")):
            with naming(f"actionList[{index}]"):
                kind, rank, cards = three_of(action)
                if isinstance(cards, (list, tuple)):
                    cards = tuple(cards)
                words = (kind, rank, *(cards if isinstance(cards, tuple) else [cards]))
                # A number or null makes an entry that cannot be read.
                if any(isinstance(word, (list, tuple, Mapping)) for word in words):
                    raise NotationError(f"{action!r:.60}: want texts, the cards in a list")
                found.append((kind, rank, cards))
        return found

    def gifts(self) -> tuple[Gift, ...]:
        """Return the cards that were paid or returned."""
        gifts = []
        for i, item in enumerate(self.items("result")):
            name = f"result[{i}]"
            if not isinstance(item, (list, tuple)) or len(item) != 3:
                raise NotationError(f"{name}: want [giver, receiver, card], got {item!r:.60}")
            giver, receiver = read_seat(name, item[0]), read_seat(name, item[1])
            gifts.append(Gift(giver, receiver, read_card(name, item[2])))
        return tuple(gifts)

    def left(self) -> tuple[tuple[int, Hand], ...]:
        """Return the hands of the seats that are not out."""
        if self.fields.get("restCards") is None:
            return ()
        left = []
        for i, item in enumerate(self.items("restCards")):
            name = f"restCards[{i}]"
            if not isinstance(item, (list, tuple)) or len(item) != 2:
                raise NotationError(f"{name}: want [seat, cards], got {item!r:.60}")
            with naming(name):
                left.append((read_seat(name, item[0]), from_cards(item[1])))
        return tuple(left)


def is_nobody(value: object) -> bool:
    """Whether a value stands for no seat or no action: null, or -1, as the manual has both."""
    return value is None or (type(value) is int and value == -1)


def read_seat(name: str, seat: object) -> int:
    """Return a seat."""
    number = seat_of(seat)
    if number is None:
        raise NotationError(f"{name}: want a seat from 0 to 3, got {shorten(seat)}")
    return number


def read_card(name: str, card: object) -> str:
    """Return a card's text."""
    with naming(name):
        return next(iter(from_cards([card])))


@contextmanager
def naming(name: str) -> Iterator[None]:
    """Put the name of a field before what is wrong with it."""
    try:
        yield
    except NotationError as error:
        raise NotationError(f"{name}: {error}") from None
    except IllegalMoveError as error:
        raise IllegalMoveError(f"{name}: {error}") from None
    except StateError as error:
        raise StateError(f"{name}: {error}") from None
