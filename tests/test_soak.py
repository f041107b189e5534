"""A short run of the soak test, and proof that its checks see what they look for."""

from collections.abc import Callable

import numpy as np
import pytest
import soak
import soak_deals

import guandan as gd

CHUNK = soak.draw_chunk(seed=5, first=0, n=soak.CHUNK, smallest=12, largest=27)


def listed(replies: bool = False) -> soak.Lists:
    return soak.make_lists(CHUNK, replies, CHUNK.suits)


def without(lists: soak.Lists, place: int) -> soak.Lists:
    """Leave out one move."""
    offsets = lists.offsets - (lists.offsets > place)
    return soak.Lists(np.delete(lists.records, place, axis=0), offsets)


def test_soak() -> None:
    summary = soak.soak(20_000, seed=1, threads=2, compared=5)
    assert (summary.hands, summary.compared) == (20_000, 200)
    assert summary.leads > 1_000_000


def test_digest_depends_on_neither_threads_nor_comparisons() -> None:
    assert len({soak.soak(1_200, seed=3, threads=n, compared=n).digest for n in (1, 2, 3)}) == 1


def test_hands_have_the_sizes_and_wilds_asked_for() -> None:
    sizes = np.bitwise_count(CHUNK.hands).sum(axis=1)
    assert (sizes.min(), sizes.max()) == (12, 27)
    wild = soak.WILD[CHUNK.levels][:, None]
    assert set(((CHUNK.hands & wild) != 0).sum(axis=1).tolist()) == {0, 1, 2}


def test_right_lists_pass() -> None:
    soak.check_lists(CHUNK, listed(), False)
    soak.check_lists(CHUNK, listed(replies=True), True)
    soak.check_replies(CHUNK, listed(), listed(replies=True))


@pytest.mark.parametrize(
    ("problem", "change"),
    [
        ("no such kind and rank", lambda records, i: records[i, 0] | np.uint64(17 << 56)),
        ("stray bits", lambda records, i: records[i, 0] | np.uint64(1 << 54)),
        ("cards not held", lambda records, i: records[i, 0] ^ soak.CARD_BITS),
        ("wrong number of cards", lambda records, i: records[i, 0] & ~soak.CARD_BITS),
        ("cards of other ranks", lambda records, i: records[i + 2, 0]),
        ("a move twice", lambda records, i: records[i - 1, 0]),
    ],
)
def test_a_wrong_record_is_found(
    problem: str, change: Callable[[soak.Words, int], np.uint64]
) -> None:
    lists = listed()
    records = lists.records.copy()
    # The second of two singles of one rank, with a single of another rank behind them.
    kinds, ranks = (records >> soak.TAG_SHIFT).T
    plain = (kinds[:-2] == 1) & (kinds[2:] == 1) & (ranks[:-2] < 13)
    twin = plain & (ranks[:-2] == ranks[1:-1]) & (ranks[1:-1] != ranks[2:])
    place = int(np.argmax(twin)) + 1
    records[place, 0] = change(records, place)
    with pytest.raises(SystemExit, match=problem):
        soak.check_lists(CHUNK, soak.Lists(records, lists.offsets), False)


def test_a_wrong_order_is_found() -> None:
    lists = listed()
    hand = int(np.argmax(lists.lengths))
    first, last = lists.offsets[hand : hand + 2]
    records = lists.records.copy()
    records[first:last] = records[first:last][::-1]
    with pytest.raises(SystemExit, match="out of order"):
        soak.check_lists(CHUNK, soak.Lists(records, lists.offsets), False)


def test_a_missing_reply_is_found() -> None:
    replies = listed(replies=True)
    hand = int(np.argmax(replies.lengths))
    with pytest.raises(SystemExit, match="replies, but there are"):
        soak.check_replies(CHUNK, listed(), without(replies, int(replies.offsets[hand]) + 1))


def test_a_missing_lead_is_found() -> None:
    leads = listed()
    hand = int(np.argmin(leads.lengths))
    wrong = without(leads, int(leads.offsets[hand]) + 1).of(hand)
    with pytest.raises(SystemExit, match="1 moves differ; the list lacks"):
        soak.check_reference(CHUNK, hand, False, wrong)


def test_a_failure_says_how_to_repeat_it() -> None:
    with pytest.raises(SystemExit) as failure:
        CHUNK.fail("wrong", 3, replies=True)
    first, call = str(failure.value).splitlines()
    assert first == "FAILED, hand 3: wrong"
    moves = eval(f"gd.{call}", {"gd": gd, "Hand": gd.Hand, "Rules": gd.Rules})
    assert np.array_equal(moves.records, listed(replies=True).of(3))


# What seeds give is a contract: of every random deal, on every platform.
DIGEST_OF_DEALS = "925485f307aada28ec8fa46084ad89b4b63e951e97f010fd3ce7977676d8abdb"


@pytest.mark.parametrize("threads", [1, 3])
def test_deals_are_those_of_their_seeds(threads: int) -> None:
    assert soak_deals.soak(2000, seed=1, threads=threads) == DIGEST_OF_DEALS
