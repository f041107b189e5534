"""The transcript of a whole deal: it is what the package does, and the reference agrees."""

import difflib
import random
import re

import pytest
import reference as ref
import reference_deal as ref_deal
import transcript


def test_the_transcript_is_what_the_package_does() -> None:
    kept = transcript.FILE.read_text("utf-8")
    diff = difflib.unified_diff(kept.splitlines(), list(transcript.lines()), "kept", "now", n=2)
    assert not list(diff)
    assert kept == transcript.transcript()


def test_the_reference_plays_the_same_deal() -> None:
    text = transcript.FILE.read_text("utf-8")
    start, end = re.findall(r"^  (\S+/\S+ .*)$", text, re.MULTILINE)
    deal = ref_deal.parse_deal(start)
    hands = re.findall(r"^  seat (\d)  27  (.*)$", text, re.MULTILINE)
    assert [(str(seat), hand) for seat, hand in enumerate(deal.hands)] == [
        (seat, ref.parse(hand)) for seat, hand in hands
    ]
    for trick in text.split("Trick ")[1:]:
        assert deal.table is None
        for line in re.findall(r"^  seat .*$", trick, re.MULTILINE):
            seat, *words = line.replace("*", "").split()[1:]
            assert seat == str(deal.turn)
            if words == ["pass"]:
                deal.play(ref_deal.PASS)
                continue
            kind, key, *cards, left = words
            deal.play((kind, key, tuple(sorted(ref.parse(" ".join(cards))))))
            assert left == str(len(deal.hands[int(seat)]))
        leader = re.search(r"seat (\d),? leads\.\s*$", trick)
        assert deal.is_over if leader is None else leader[1] == str(deal.turn)
    assert deal.is_over
    assert ref_deal.text(deal) == end
    assert f"Order: {', '.join(map(str, deal.order() or []))}." in text
    assert f"Payoff (the rise of side 0): {deal.payoff():+}." in text


@pytest.mark.parametrize("seed", range(20))
def test_other_deals_can_be_written(seed: int) -> None:
    # A double, a lead by the partner of a seat that is out, and whatever else the one has not.
    state = random.getstate()
    text = "\n".join(transcript.lines(seed))
    assert re.search(r"^The deal is over: .*\nOrder: .*\n.* rises [123]\.\nPayoff", text, re.M)
    assert "None" not in text
    # There is no global random state.
    assert random.getstate() == state
