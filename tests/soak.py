"""Leads and replies of random hands by the million, checked against what every list promises.

    python tests/soak.py --hands 10000000 --seed 1 --threads 2 --cards 1-27

Hands of every size and level, plain and rich in combos, with no, one or two wilds, are listed
with every `suits` word and every switch of the rules. Arrays are checked as a whole; a share of
the hands is also compared with `reference.py` and with the calls for one hand. The summary's
digest is over all records: two builds that list alike print the same.

The first failure ends the run with exit status 1 and a call that repeats it. Where a kernel takes
the whole process down, `--progress 0` shows how many hands went well, and `--trace` with that
number (and the same seed and cards) prints the calls one by one up to the last.
"""

import argparse
import hashlib
import sys
import time
from dataclasses import dataclass
from itertools import product
from typing import Any, NoReturn

import numpy as np
import reference as ref
from numpy.typing import NDArray

import guandan as gd

Words = NDArray[np.uint64]

CHUNK = 500  # hands that share their rules and `suits`, and are listed in one call
CARD_BITS = np.uint64((1 << 54) - 1)
TAG_SHIFT = np.uint64(56)
SUITS = ("all", "flush", "one")
KIND_WORDS = [kind.name.lower() for kind in gd.Kind]
NO_RANK = 15
N_TAGS = len(KIND_WORDS) * 16  # a tag is kind * 16 + rank code
RULES = [
    gd.Rules(
        straight_flush_downgrade=downgrade,
        level_full_house_by_wilds=by_wilds,
        full_house_joker_pair=joker_pair,
        bomb_max=bomb_max,
    )
    for downgrade, by_wilds, joker_pair, bomb_max in product(
        ("any", "other_suit", "forbid"), (True, False), (True, False), (8, 9, 10)
    )
]
# The sizes of hands: most are small, where combos meet their limits; the large ones cost the time.
SIZES = np.arange(1, 109)
WEIGHTS = np.select([SIZES < 13, SIZES < 20, SIZES < 27, SIZES == 27], [500, 300, 150, 300], 0.5)


# What a tag promises, as tables over all tags


def sizes_of_tags() -> NDArray[np.uint8]:
    """Give the number of cards of each kind and rank code, 255 where no move has them."""
    sizes = np.full(N_TAGS, 255, np.uint8)
    for kind, rank, groups in ref.SHAPES:
        size = sum(size for _, size in groups)
        sizes[tag(kind, rank)] = size
        if kind == "straight":
            sizes[tag("straight_flush", rank)] = size
    sizes[tag("pass", "-")] = 0
    return sizes


def ranks_of_tags() -> Words:
    """Give the kinds of card that may stand in a move of each kind and rank code beside wilds."""
    kinds = np.zeros(N_TAGS, np.uint64)
    for kind, rank, groups in ref.SHAPES:
        bits = 0
        for group, _ in groups:
            bits |= 15 << 4 * group if group < ref.SMALL_JOKER else 1 << (39 + group)
        kinds[tag(kind, rank)] |= np.uint64(bits)
        if kind == "straight":
            kinds[tag("straight_flush", rank)] |= np.uint64(bits)
    return kinds


def places_of_tags() -> NDArray[np.uint16]:
    """Give the place of each tag among moves of its kind at each level, as list order has it."""
    places = np.zeros((13, N_TAGS), np.uint16)
    for kind, rank, _ in ref.SHAPES:
        for level in range(13):
            place = ref.key_order(rank, ref.RANKS[level], kind)
            places[level, tag(kind, rank)] = place
            if kind == "straight":
                places[level, tag("straight_flush", rank)] = place
    return places


def tag(kind: str, rank: str) -> int:
    """Give the tag of a kind's word and a rank's text."""
    return KIND_WORDS.index(kind) * 16 + (ref.RANKS + "-").index(rank)


SIZE = sizes_of_tags()
ALLOWED = ranks_of_tags()
PLACE = places_of_tags()
TAGS_OF_KIND = [[t for t in range(16 * k, 16 * k + 16) if SIZE[t] < 255] for k in range(17)]
WILD = np.uint64(1) << np.arange(1, 53, 4, dtype=np.uint64)  # by level


# Hands


@dataclass
class Chunk:
    """Hands to be listed in one call."""

    first: int
    hands: Words
    levels: NDArray[np.uint8]
    beats: NDArray[np.uint8]
    suits: str
    rules: gd.Rules

    def call(self, hand: int, replies: bool) -> dict[str, Any]:
        """Give the arguments of `legal_moves` for one hand."""
        call: dict[str, Any] = {
            "hand": gd.Hand.from_planes(*self.hands[hand].tolist()),
            "level": ref.RANKS[self.levels[hand]],
        }
        if replies:
            kind, rank = self.beats[hand].tolist()
            call["beat"] = f"{KIND_WORDS[kind]} {(ref.RANKS + '-')[rank]}"
        return call | {"suits": self.suits, "rules": self.rules}

    def fail(self, problem: str, hand: int, replies: bool = False) -> NoReturn:
        """End the run with a line that repeats the failure."""
        arguments = ", ".join(f"{k}={v!r}" for k, v in self.call(hand, replies).items())
        sys.exit(f"FAILED, hand {self.first + hand}: {problem}\nlegal_moves({arguments})")


def draw_keys(rng: np.random.Generator, n: int) -> NDArray[np.uint32]:
    """Draw an order of the 108 cards for each of n hands; a hand takes the cards of its least keys.

    The low bits hold the card, so keys differ. A card whose random bits are shifted down comes
    early: so hands get many cards of a few ranks, of a window of ranks, or of one suit's window.
    """
    keys = rng.integers(1 << 32, size=(n, 2, 54), dtype=np.uint32) >> np.uint32(8)
    ranks, suits = np.divmod(np.arange(54), 4)
    style = rng.integers(5, size=(n, 1, 1))
    start = rng.integers(13, size=(n, 1, 1))
    suit = rng.integers(4, size=(n, 1, 1))
    few = rng.integers(13, size=(n, 3))[:, :, None, None] == ranks
    window = (ranks - start) % 13 < 5 + start % 3
    early = np.select(
        [style == 1, style == 2, style == 3, style == 4],
        [few.any(axis=1), window, window & (suits == suit), ranks == 13],
        False,
    )
    keys >>= early * rng.integers(1, 9, size=(n, 1, 1)).astype(np.uint32)
    return keys << np.uint32(7) | np.arange(108, dtype=np.uint32).reshape(2, 54)


def draw_hands(
    rng: np.random.Generator, sizes: NDArray[np.int64], levels: NDArray[np.uint8]
) -> Words:
    """Draw the planes of hands of these sizes, a third each with no, one and two wilds."""
    n = len(sizes)
    keys = draw_keys(rng, n)
    wild = 4 * levels.astype(np.int64) + 1
    wilds = rng.integers(3, size=n)
    for copy in range(2):
        held = copy < wilds
        keys[np.arange(n), copy, wild] = np.where(held, copy, np.uint32(0xFFFFFFFE) + copy)
    last = np.sort(keys.reshape(n, 108), axis=1)[np.arange(n), sizes - 1]
    taken = keys <= last[:, None, None]
    cards = np.zeros((n, 2, 64), bool)
    cards[:, 0, :54] = taken.any(axis=1)
    cards[:, 1, :54] = taken.all(axis=1)
    return np.packbits(cards, axis=2, bitorder="little").view("<u8")[:, :, 0].astype(np.uint64)


def draw_beats(
    rng: np.random.Generator, levels: NDArray[np.uint8], rules: gd.Rules
) -> NDArray[np.uint8]:
    """Draw what each hand is to beat: some kind and rank that some cards make."""
    plain = rng.random(len(levels)) < 0.7
    kinds = np.where(plain, rng.integers(1, 8, len(levels)), rng.integers(8, 17, len(levels)))
    tags = np.array([TAGS_OF_KIND[kind][0] for kind in range(17)])[kinds]
    for kind in range(1, 17):
        of_kind = kinds == kind
        # Low ranks leave more to list.
        ranks = np.minimum(*rng.integers(len(TAGS_OF_KIND[kind]), size=(2, int(of_kind.sum()))))
        tags[of_kind] = np.array(TAGS_OF_KIND[kind])[ranks]
    size = np.where(kinds > gd.Kind.STRAIGHT_FLUSH, SIZE[tags], 0)
    most = np.where(tags % 16 == levels, 8, rules.bomb_max)
    tags = np.where(size > most, gd.Kind.BOMB4 * 16 + tags % 16, tags)
    return np.stack([tags // 16, tags % 16], axis=1).astype(np.uint8)


def draw_chunk(seed: int, first: int, n: int, smallest: int, largest: int) -> Chunk:
    """Draw the chunk whose first hand has this number; it depends on nothing else."""
    rng = np.random.default_rng([seed, first])
    rules = RULES[rng.integers(len(RULES))] if rng.random() < 0.6 else gd.Rules()
    suits = SUITS[rng.integers(len(SUITS))]
    weights = np.where((smallest <= SIZES) & (largest >= SIZES), WEIGHTS, 0)
    sizes = rng.choice(SIZES, CHUNK, p=weights / weights.sum())
    levels = rng.integers(13, size=CHUNK, dtype=np.uint8)
    hands = draw_hands(rng, sizes, levels)
    beats = draw_beats(rng, levels, rules)
    return Chunk(first, hands[:n], levels[:n], beats[:n], suits, rules)


# Checks


def mix(words: Words) -> Words:
    """Scramble 64-bit words one to one."""
    words = (words ^ words >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    return (words ^ words >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)


def hash_moves(records: Words, owners: NDArray[np.int64]) -> Words:
    """Give one word for each hand's move; equal for equal moves of one hand."""
    salts = owners.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    return mix(mix(records[:, 0] + salts) ^ records[:, 1])


@dataclass
class Lists:
    """The lists of a chunk's hands."""

    records: Words
    offsets: NDArray[np.int64]

    @property
    def lengths(self) -> NDArray[np.int64]:
        """How many moves each hand has."""
        return np.diff(self.offsets)

    @property
    def owners(self) -> NDArray[np.int64]:
        """The hand of each move."""
        return np.repeat(np.arange(len(self.offsets) - 1), self.lengths)

    def of(self, hand: int) -> Words:
        """Give the records of a hand."""
        return self.records[self.offsets[hand] : self.offsets[hand + 1]]


def make_lists(chunk: Chunk, replies: bool, suits: str, threads: int = 1) -> Lists:
    """List the leads or replies of a chunk."""
    batch = gd.legal_moves_batch(
        chunk.hands,
        chunk.levels,
        chunk.beats if replies else None,
        suits=suits,
        rules=chunk.rules,
        threads=threads,
    )
    return Lists(batch.records, batch.offsets)


def check_lists(chunk: Chunk, lists: Lists, replies: bool) -> None:
    """Check each list by itself: its cards, its tags, its order, no move twice."""
    records, offsets, lengths, owners = lists.records, lists.offsets, lists.lengths, lists.owners

    def require(right: NDArray[np.bool_], problem: str) -> None:
        if not right.all():
            place = int(np.argmin(right))
            move = f"{records[place, 0]:#x} {records[place, 1]:#x}"
            index = place - int(offsets[owners[place]])
            chunk.fail(f"{problem}: move {index} of the list, {move}", int(owners[place]), replies)

    if offsets[0] != 0 or offsets[-1] != len(records) or lengths.min() < 1:
        chunk.fail("offsets do not fit the records", int(np.argmin(lengths)), replies)
    once, twice = records[:, 0] & CARD_BITS, records[:, 1] & CARD_BITS
    kinds, ranks = records[:, 0] >> TAG_SHIFT, records[:, 1] >> TAG_SHIFT
    tags = np.minimum(kinds << np.uint64(4) | ranks, np.uint64(N_TAGS - 1)).astype(np.int64)
    levels = chunk.levels[owners]
    wild = WILD[levels]
    has_wild, has_both = (once & wild) != 0, (twice & wild) != 0
    require((kinds < 17) & (ranks < 16) & (SIZE[tags] < 255), "no such kind and rank")
    require(((records[:, 0] | records[:, 1]) >> np.uint64(54) & np.uint64(3)) == 0, "stray bits")
    held = chunk.hands[owners]
    require(((once & ~held[:, 0]) | (twice & ~held[:, 1]) | (twice & ~once)) == 0, "cards not held")
    size = np.bitwise_count(once) + np.bitwise_count(twice)
    require(size == SIZE[tags], "wrong number of cards")
    require((once & ~wild & ~ALLOWED[tags]) == 0, "cards of other ranks")
    bombs = (kinds >= gd.Kind.BOMB4) & (kinds != gd.Kind.STRAIGHT_FLUSH)
    require(~bombs | (size <= chunk.rules.bomb_max), "a bomb larger than the rules allow")
    place = kinds << np.uint64(8) | PLACE[levels, tags].astype(np.uint64) << np.uint64(2)
    place |= has_wild.astype(np.uint64) + has_both
    rising = (place[1:] >= place[:-1]) | (owners[1:] != owners[:-1])
    require(np.append(True, rising), "out of order")
    is_pass = kinds == 0
    first = np.zeros(len(records), bool)
    first[offsets[:-1]] = replies
    require(is_pass == first, "a pass that is not first, or a first reply that is no pass")
    names = np.sort(hash_moves(records, owners))
    if (names[1:] == names[:-1]).any():
        order = np.lexsort((records[:, 1], records[:, 0], owners))
        rows = np.column_stack([records, owners.astype(np.uint64)])[order]
        again = np.zeros(len(rows), bool)
        again[order[1:]] = (rows[1:] == rows[:-1]).all(axis=1)
        require(~again, "a move twice")


def check_replies(chunk: Chunk, leads: Lists, replies: Lists) -> None:
    """Check that the replies are the pass and, in order, the leads that beat the table."""
    owners = leads.owners
    kinds, ranks = (leads.records >> TAG_SHIFT).astype(np.int64).T
    table = chunk.beats.astype(np.int64)
    table_kinds = table[owners, 0]
    table_places = PLACE[chunk.levels, table[:, 0] * 16 + table[:, 1]][owners]
    higher = PLACE[chunk.levels[owners], kinds * 16 + ranks] > table_places
    beating = np.where(
        kinds == table_kinds, higher, (kinds >= gd.Kind.BOMB4) & (kinds > table_kinds)
    )
    expected = np.bincount(owners[beating], minlength=len(chunk.hands)) + 1
    lengths = replies.lengths
    if (expected != lengths).any():
        hand = int(np.argmax(expected != lengths))
        chunk.fail(f"{lengths[hand]} replies, but there are {expected[hand]}", hand, True)
    plays = np.ones(len(replies.records), bool)
    plays[replies.offsets[:-1]] = False
    same = (replies.records[plays] == leads.records[beating]).all(axis=1)
    if not same.all():
        hand = int(owners[beating][np.argmin(same)])
        chunk.fail("the replies are not the leads that beat it", hand, True)


def check_choice(chunk: Chunk, leads: Lists) -> None:
    """Check that shortened lists choose from the exact ones."""
    exact = make_lists(chunk, False, "all")
    names = np.sort(hash_moves(exact.records, exact.owners))
    chosen = hash_moves(leads.records, leads.owners)

    def are_listed(moves: Words) -> NDArray[np.bool_]:
        return names[np.minimum(np.searchsorted(names, moves), len(names) - 1)] == moves

    # Sorted, the search is several times faster.
    if not are_listed(np.sort(chosen)).all():
        hand = int(leads.owners[np.argmin(are_listed(chosen))])
        chunk.fail("a move that the exact list lacks", hand)


def check_single(chunk: Chunk, hand: int, replies: bool, records: Words) -> None:
    """Compare a hand's list with the calls for one hand."""
    call = chunk.call(hand, replies)
    moves = gd.legal_moves(**call)
    if not np.array_equal(moves.records, records):
        chunk.fail("legal_moves lists other moves than legal_moves_batch", hand, replies)
    if gd.count_moves(**call) != len(moves):
        chunk.fail("count_moves counts other moves than legal_moves lists", hand, replies)
    for index in {0, len(moves) // 3, len(moves) // 2, len(moves) - 1}:
        if gd.nth_move(**call, index=index) != moves[index]:
            chunk.fail(f"nth_move {index} is not the move that is listed", hand, replies)


def check_reference(chunk: Chunk, hand: int, replies: bool, records: Words) -> None:
    """Compare a hand's list, as a set, with the reference's."""
    call = chunk.call(hand, replies)
    switches = ref.Switches(*(getattr(chunk.rules, name) for name in ref.Switches._fields))
    cards = [ref.NUMBERS[text] for text in call["hand"]]
    level = call["level"]
    expected = ref.leads(cards, level, switches)
    if chunk.suits != "all":
        shorten = ref.flush if chunk.suits == "flush" else ref.one
        expected = shorten(cards, level, switches, expected)
    if replies:
        kind, rank = call["beat"].split()
        expected = {move for move in expected if ref.beats(move[:2], (kind, rank), level)}
    found = set()
    for once, twice in records[replies:].tolist():
        held = [card for card in range(54) for plane in (once, twice) if plane >> card & 1]
        found.add((KIND_WORDS[once >> 56], (ref.RANKS + "-")[twice >> 56], tuple(held)))
    if found != expected:
        sample = sorted(found ^ expected)[0]
        whose = "reference lacks" if sample in found else "list lacks"
        text = " ".join([*sample[:2], *(ref.CARDS[card] for card in sample[2])])
        chunk.fail(f"{len(expected ^ found)} moves differ; the {whose} {text}", hand, replies)


def trace(chunk: Chunk) -> None:
    """List hand by hand, each call printed before it is made."""
    for hand in range(len(chunk.hands)):
        for replies in (False, True):
            call = chunk.call(hand, replies)
            print(", ".join(f"{k}={v!r}" for k, v in call.items()), flush=True)
            gd.legal_moves(**call)


def check_chunk(chunk: Chunk, threads: int, n_compared: int) -> tuple[Lists, Lists]:
    """List the leads and replies of a chunk and check them."""
    leads = make_lists(chunk, False, chunk.suits, threads)
    replies = make_lists(chunk, True, chunk.suits, threads)
    check_lists(chunk, leads, False)
    check_lists(chunk, replies, True)
    check_replies(chunk, leads, replies)
    if chunk.suits != "all":
        check_choice(chunk, leads)
    for hand in range(0, len(chunk.hands), 50):
        check_single(chunk, hand, False, leads.of(hand))
        check_single(chunk, hand, True, replies.of(hand))
    # Of the hands that the reference lists in reasonable time, some.
    for hand in np.flatnonzero(leads.lengths <= 400)[:n_compared].tolist():
        check_reference(chunk, hand, False, leads.of(hand))
        check_reference(chunk, hand, True, replies.of(hand))
    return leads, replies


# Runs


@dataclass
class Summary:
    """What a run has listed."""

    hands: int = 0
    leads: int = 0
    replies: int = 0
    compared: int = 0
    digest: str = ""

    def __str__(self) -> str:
        """Say it in one line."""
        return (
            f"{self.hands} hands, {self.leads} leads, {self.replies} replies, "
            f"{self.compared} compared with the reference, sha256 {self.digest}"
        )


def soak(
    hands: int,
    seed: int,
    threads: int = 1,
    cards: tuple[int, int] = (1, 108),
    compared: int = 1,
    progress: float | None = None,
) -> Summary:
    """List and check so many hands; the first failure raises SystemExit.

    `compared` is how many hands of each 500 are compared with the reference, `progress` after
    how many seconds to say how far the run is (None: never).
    """
    summary = Summary()
    digest = hashlib.sha256()
    begin = said = time.monotonic()
    # What fails in a kernel that cannot raise is reported here only.
    unraisable: list[object] = []
    old_hook, sys.unraisablehook = sys.unraisablehook, unraisable.append
    try:
        for first in range(0, hands, CHUNK):
            chunk = draw_chunk(seed, first, min(CHUNK, hands - first), *cards)
            leads, replies = check_chunk(chunk, threads, compared)
            if unraisable:
                last = first + len(chunk.hands) - 1
                sys.exit(f"FAILED, one of the hands {first} to {last}: {unraisable[0]}")
            digest.update(leads.records.tobytes())
            digest.update(replies.records.tobytes())
            summary.hands += len(chunk.hands)
            summary.leads += len(leads.records)
            summary.replies += len(replies.records)
            summary.compared += compared
            now = time.monotonic()
            if progress is not None and now - said >= progress:
                said = now
                print(f"{summary.hands} of {hands} hands, {now - begin:.0f} s", flush=True)
    finally:
        sys.unraisablehook = old_hook
    summary.digest = digest.hexdigest()
    return summary


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hands", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--cards", default="1-108", metavar="MIN-MAX", help="sizes of the hands")
    parser.add_argument("--compared", type=int, default=1, help="of each 500, with the reference")
    parser.add_argument("--progress", type=float, default=10, metavar="SECONDS")
    parser.add_argument("--trace", type=int, metavar="HAND", help="print each call from a hand on")
    options = parser.parse_args()
    smallest, _, largest = options.cards.partition("-")
    cards = int(smallest), int(largest or smallest)
    if options.trace is not None:
        trace(draw_chunk(options.seed, options.trace // CHUNK * CHUNK, CHUNK, *cards))
        return
    begin = time.monotonic()
    summary = soak(
        options.hands,
        options.seed,
        options.threads,
        cards,
        options.compared,
        options.progress,
    )
    print(f"passed in {time.monotonic() - begin:.0f} s: {summary}")


if __name__ == "__main__":
    main()
