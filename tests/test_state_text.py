"""The text of positions: read, written, and 10,000 lines that are nearly such."""

import itertools
import random
import re
from typing import Any

import pytest
import reference as ref
import reference_deal as ref_deal
from mutations import MUTATIONS
from positions import LARGE_TEXT, attempt
from recorded import rows
from test_state import walk

import guandan as gd

LEVELS = "23456789TJQKA"
EXAMPLE = "S4S5D9/SBHR/-/C2C2H3 7 0 3:pair:2 2"


# --- Text ---


def test_positions_of_played_deals_round_trip() -> None:
    names = ["jiangsu2023", "seed000", "opengd", "pagat"]
    tables = set()
    for seed, rules in enumerate(map(gd.Rules.preset, names)):
        for played in walk(seed, rules, deals=12):
            text = str(played)
            again = gd.State.parse(text, rules=rules)
            assert again == played
            assert again.key == played.key
            assert str(again) == text
            assert again.table == played.table
            assert again.history == ()
            assert repr(again) == repr(played)
            if played.table is not None:
                assert len(played.table.cards) == played.table.size
                tables.add(played.table.kind)
    assert tables >= set(gd.Kind) - {
        gd.Kind.PASS,
        *list(gd.Kind)[gd.Kind.BOMB8 : gd.Kind.JOKER_BOMB],
    }


def test_repr_evaluates_back() -> None:
    names = {"State": gd.State, "Rules": gd.Rules}
    for rules in map(gd.Rules.preset, gd.Rules.presets()):
        one = gd.State.parse(EXAMPLE, rules)
        assert eval(repr(one), names) == one
        assert eval(repr(one), names).rules == rules


def test_order_of_cards_and_spaces_are_free() -> None:
    rng = random.Random(3)
    for played in itertools.islice(walk(3, deals=4), 0, None, 5):
        text = str(played)
        *hands, rest = text.split("/")
        last, level, turn, table, out = rest.split()
        if table.count(":") == 3:
            head, _, cards = table.rpartition(":")
            table = f"{head}:{loose(cards, rng)}"
        mixed = "/".join(f" {loose(hand, rng)} " for hand in [*hands, last])
        again = gd.State.parse(f"{mixed} {level}  {turn} {table}\t{out}\n")
        assert (str(again), again.table) == (text, played.table)


def loose(cards: str, rng: random.Random) -> str:
    """The same cards in another order, with spaces here and there."""
    texts = [cards[i : i + 2] for i in range(0, len(cards), 2)]
    rng.shuffle(texts)
    return "".join(text + rng.choice(["", "", " ", "  "]) for text in texts).strip()


@pytest.mark.parametrize(
    "text",
    [
        EXAMPLE,
        EXAMPLE.replace("pair:2", "pair:2:S2D2"),
        "S3/S4/S5/S6 2 0 3:joker_bomb:- -",
        "S3/S4/S5/S6 2 0 3:joker_bomb:-:SBSBHRHR -",
        "S3/S4/S5/S6 2 0 3:bomb10:9:H2H2S9S9H9H9C9C9D9D9 -",
        "S3/S4/S5/S6 2 0 3:straight:5:S2S3C4S5SA -",
        "-/S4/S5/S6 2 1 0:single:R:HR 0",
        "-/S4/-/S6 2 - - 20",
        "-/-/-/S6 2 - - 012",
        "S6/-/-/- A - - 231",
        f"{LARGE_TEXT} A 3 - -",
    ],
)
def test_text_round_trips(text: str) -> None:
    assert str(gd.State.parse(text)) == text


def test_a_joker_bomb_may_leave_its_key_out() -> None:
    text = "S3/S4/S5/S6 2 0 3:joker_bomb -"
    assert str(gd.State.parse(text)) == text.replace("bomb", "bomb:-")


def test_what_a_text_does_not_carry() -> None:
    one = gd.State.parse(EXAMPLE)
    assert one != gd.State.parse(EXAMPLE, gd.Rules(bomb_max=9))
    assert str(one) == str(gd.State.parse(EXAMPLE, gd.Rules(bomb_max=9)))
    one.push("pass")
    assert gd.State.parse(str(one)) == one
    assert gd.State.parse(str(one)).history == ()


MALFORMED = [
    ("", "'' has 0 slashes, want 3"),
    ("pair 3 S3 C3", "'pair 3 S3 C3' has 0 slashes, want 3 .* such as S4S5D9/SBHR"),
    ("S3/S4/S5 2 0 - -", "has 2 slashes, want 3"),
    ("S3/S4/S5/S6/S7 2 0 - -", "has 4 slashes, want 3"),
    ("/" * 10000, "/ \\.\\.\\. has 10000 slashes"),
    ("///", "table and out, not 0: such as"),
    (
        "S3/S4/S5/S6",
        "want four words after the hands, level, turn, table and out, not 0: such as S4S5",
    ),
    ("S3/S4/S5/S6 2 0 -", "table and out, not 3: such as"),
    ("S3/S4/S5/S6 0 - -", "table and out, not 3: such as"),
    ("S3/S4/S5/ 2 0 - -", "table and out, not 3: such as"),
    ("/S4/S5/S6 2 0 - -", 'seat 0: a hand without cards is written "-"'),
    ("S3/ /S5/S6 2 0 - -", 'seat 1: a hand without cards is written "-"'),
    ("--/S4/S5/S6 2 0 - -", "seat 0: '--' is not a card"),
    ("S3/S4/S5/- S6 2 0 - -", "seat 3: '-' is not a card"),
    ("S3/S4/S5S/S6 2 0 - -", "seat 2: 'S' is not a card"),
    ("S3/S4/s5/S6 2 0 - -", "seat 2: 's5' is not a card: write \"S5\""),
    ("S3/4S/S5/S6 2 0 - -", "seat 1: '4S' is not a card: write \"S4\""),
    ("♠3/S4/S5/S6 2 0 - -", "seat 0: '♠3' is not a card: write \"S3\""),
    ("S10/S4/S5/S6 2 0 - -", "seat 0: 'S10' is not a card: write \"ST\""),
    ("S3/S4/S5/S10 2 0 - -", "seat 3: 'S10' is not a card: write \"ST\""),
    ("BJ/S4/S5/S6 2 0 - -", 'seat 0: .*the small joker is "SB", the big one "HR"'),
    ("S3/S4/S5/S6 10 0 - -", "'10' is not a level: write \"T\""),
    ("S3/S4/S5/S6 j 0 - -", "'j' is not a level: write \"J\""),
    ("S3/S4/S5/S6 1 0 - -", "'1' is not a level: a level is one of 2 3 4"),
    ("S3/S4/S5/S6 - 0 - -", "'-' is not a level: a level is one of 2 3 4"),
    ("S3/S4/S5/S6 2 4 - -", "turn '4': want a seat, 0 to 3, or \"-\" for none"),
    ("S3/S4/S5/S6 2 -1 - -", "turn '-1': want a seat"),
    ("S3/S4/S5/S6 2 00 - -", "turn '00': want a seat"),
    ("S3/S4/S5/S6 2 ０ - -", "turn '０': want a seat"),
    ("S3/S4/S5/S6 2 None - -", "turn 'None': want a seat"),
    ("S3/S4/S5/S6 2 0 - 4", "out '4': want a seat"),
    ("S3/S4/S5/S6 2 0 - 0,1", "out ',': want a seat"),
    ("S3/S4/S5/S6 2 0 - --", "out '-': want a seat"),
    ("S3/S4/S5/S6 2 0 - 0 1", "table and out, not 5: such as"),
    ("S3/S4/S5/S6 2 0 - - -", "table and out, not 5: such as"),
    ("S3/S4/S5/S6 2 0 -- -", "table '--': want seat:kind:key"),
    ("S3/S4/S5/S6 2 0 1 -", "table '1': want seat:kind:key"),
    ("S3/S4/S5/S6 2 0 pair:9 -", "table: owner 'pair': want a seat"),
    ("S3/S4/S5/S6 2 0 4:pair:9 -", "table: owner '4': want a seat"),
    ("S3/S4/S5/S6 2 0 1: -", "table '1:': want seat:kind:key"),
    ("S3/S4/S5/S6 2 0 1::pair:9 -", "table '1::pair:9': want seat:kind:key"),
    ("S3/S4/S5/S6 2 0 1:pair:9: -", "table '1:pair:9:': want seat:kind:key"),
    ("S3/S4/S5/S6 2 0 1:pair:9:S9:C9 -", "table '1:pair:9:S9:C9': want seat:kind:key"),
    ("S3/S4/S5/S6 2 0 1:pair 9 -", "table '1:pair 9': want seat:kind:key"),
    ("S3/S4/S5/S6 2 0 1:pair:9 S9 C9 -", "table '1:pair:9 S9 C9': want seat:kind:key"),
    ("S3/S4/S5/S6 2 0 1 :pair:9 -", "table and out, not 5: such as"),
    ("S3/S4/S5/S6 2 0 1:pass -", "a pass is no table"),
    ("S3/S4/S5/S6 2 0 1:pair -", "'pair' lacks its key: write such as \"pair 2\""),
    ("S3/S4/S5/S6 2 0 1:pair:x -", "'x' is not a key of a pair: its keys are 2 3"),
    ("S3/S4/S5/S6 2 0 1:pair:10 -", "'10' is not a key of a pair: write T for the ten"),
    ("S3/S4/S5/S6 2 0 1:Pair:9 -", "'Pair' is not a kind of move: write \"pair\""),
    ("S3/S4/S5/S6 2 0 1:bomb:9 -", "'bomb' is not a kind of move: say its size"),
    ("S3/S4/S5/S6 2 0 1:straight:4 -", "'4' is not a key of a straight: its keys are 5 6"),
    ("S3/S4/S5/S6 2 0 1:pair:9:S9 -", "'pair 9 S9': a pair has 2 cards, not 1"),
    ("S3/S4/S5/S6 2 0 1:pair:9:S9x9 -", "'x9' is not a card"),
    ("S3/S4/S5/S6 2 0 1:joker_bomb:SBSBHRHR -", "'SBSBHRHR' is not a key of a joker_bomb"),
]


@pytest.mark.parametrize(("text", "message"), MALFORMED)
def test_malformed_text(text: str, message: str) -> None:
    with pytest.raises(gd.NotationError, match=message) as error:
        gd.State.parse(text)
    # However long the text is, the message can be read.
    assert len(str(error.value)) < 200


@pytest.mark.parametrize("text", [None, 5, b"S3/S4/S5/S6 2 0 - -", ["S3"], gd.Hand("S3")])
def test_what_is_no_text(text: Any) -> None:
    with pytest.raises(gd.NotationError, match="is not a state's text, such as S4S5D9/SBHR/-/C2C2"):
        gd.State.parse(text)


# --- Mutated lines ---


def lines() -> list[str]:
    """Texts of positions to be mutated: of whole deals, endgames and finished deals."""
    found = [str(one) for one in walk(8, deals=3, suits="all")][::3]
    for row in rows("endgames.jsonl"):
        kind, key, owner = row["table"] or (None, None, None)
        table = f"{owner}:{kind}:{key}" if kind else "-"
        hands = "/".join(hand.replace(" ", "") or "-" for hand in row["hands"])
        out = "".join(map(str, row["out"])) or "-"
        found.append(f"{hands} {row['level']} {row['turn']} {table} {out}")
    # Short texts, where a change is more often still a position.
    small = ["S3/H4/C5/D6", "S3S3/SB/HR/H2", "-/S4/S5/-"]
    for hands, table, level in itertools.product(small, ["-", "0:single:9", "0:pair:9:H9D9"], "2A"):
        out, turn = ("03", "1") if hands[0] == "-" else ("-", "1")
        found.append(
            f"{hands} {level} {turn} {table} {out}".replace("0:", "0:" if out == "-" else "3:")
        )
    return [*found, "-/S4/-/S6 2 - - 20", "S6/-/-/- A - - 231", EXAMPLE]


def signs(text: str) -> list[str]:
    """What a text says, whatever the order of the cards: its signs that are no separators."""
    return sorted(sign for sign in text if sign != "-" and not sign.isspace())


def holds(one: gd.State) -> bool:
    """Whether the reference finds nothing wrong, the table's cards included."""
    deal = ref_deal.parse_deal(str(one))
    shown = [ref.NUMBERS[card] for card in one.table.cards] if one.table else []
    if shown and deal.table not in ref.readings(shown, one.level):
        return False
    held = list(itertools.chain(shown, *deal.hands))
    return max(map(held.count, held)) <= 2 and not ref_deal.problems(deal)


def test_mutated_lines() -> None:
    rng = random.Random(20)
    sources = lines()
    outcomes = {"State": 0, "NotationError": 0, "StateError": 0}
    for _ in range(10_000):
        source = text = rng.choice(sources)
        for _ in range(rng.choice([1, 1, 1, 2, 2, 4])):
            text = rng.choice(MUTATIONS)(text or "-", rng)
        one = attempt(gd.State.parse, text)
        outcomes[type(one).__name__] += 1
        assert str(one)
        if isinstance(one, ValueError):
            continue
        where = f"{source!r} -> {text!r}"
        # Nothing has been lost, added or moved to another hand.
        full = re.sub(r"(joker_bomb)(?=\s)", r"\1:", text)  # the key, a dash, may be missing
        assert signs(str(one)) == signs(full), where
        for part, hand in zip(text.split("/")[:3], one.hands, strict=False):
            assert signs(part) == signs(str(hand)), where
        again = gd.State.parse(str(one))
        assert (again, str(again)) == (one, str(one)), where
        assert holds(one), where
    # Every outcome is common, or the lines are not worth their name.
    assert min(outcomes.values()) > 500, outcomes


@pytest.mark.parametrize(
    "text",
    [
        "S3" * 100_000 + "/S4/S5/S6 2 0 - -",
        "S3/S4/S5/S6 2 0 - -" + " " * 100_000,
        "S3/S4/S5/" + "S6 " * 100_000 + "2 0 - -",
        "S3/S4/S5/S6 " + "2 " * 100_000,
        "S3/S4/S5/S6 2 0 - " + "0" * 100_000,
        "S3/S4/S5/S6 2 " + "0" * 100_000 + " - -",
        "S3/S4/S5/S6 2 0 3:pair:9:" + "S9" * 100_000 + " -",
        "S3/S4/S5/S6 2 0 " + "3:" * 100_000 + "pair:9 -",
        "x" * 1_000_000,
        "/" * 1_000_000,
    ],
)
def test_huge_text(text: str) -> None:
    one = attempt(gd.State.parse, text)
    if isinstance(one, gd.State):
        assert str(one) == text.strip()
    else:
        assert len(str(one)) < 250
