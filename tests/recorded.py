"""The answers recorded in `data/`, as rows and as parameters of tests."""

import json
from pathlib import Path
from typing import Any

import pytest
import reference as ref
import reference_deal as ref_deal

DATA = Path(__file__).parent / "data"


def rows(name: str) -> list[dict[str, Any]]:
    """Read the rows of a file of JSON lines."""
    return [json.loads(line) for line in (DATA / name).read_text("utf-8").splitlines()]


def cases(*beginnings: str) -> list[Any]:
    """Give the rows of cases.jsonl whose questions begin so, each under its id."""
    return [
        pytest.param(row, id=row["id"])
        for row in rows("cases.jsonl")
        if row["question"].startswith(beginnings)
    ]


def deal_of(row: dict[str, Any]) -> ref_deal.Deal:
    """Give the position of a row of endgames.jsonl."""
    *reading, owner = row["table"] or (None,)
    return ref_deal.Deal(
        hands=[ref.parse(hand) for hand in row["hands"]],
        level=row["level"],
        turn=row["turn"],
        table=(reading[0], reading[1]) if reading else None,
        owner=owner,
        out=row["out"],
        lead_after_out=row["lead_after_out"],
    )
