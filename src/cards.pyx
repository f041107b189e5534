"""Kinds of card, hands, their text, and seeded deals."""

import operator
import re
from collections.abc import Iterable

import numpy as np

from guandan.errors import NotationError, StateError

cimport cython

from libc.stdint cimport uint8_t, uint64_t

from guandan.bits cimport pop
from guandan.rng cimport Rng, shuffle

cdef extern from "lanes.h" nogil:
    void lanes_counts(uint64_t once, uint64_t twice, uint8_t* out)

__all__ = ["CARDS", "Hand", "deal_hands"]

cdef object MOST_SEED = 2**64 - 1

cdef str SUITS = "SHCD"
cdef str RANKS = "23456789TJQKA"

CARDS = tuple(suit + rank for rank in RANKS for suit in SUITS) + ("SB", "HR")

cdef tuple _texts = CARDS
cdef dict _kinds = {text: kind for kind, text in enumerate(CARDS)}
cdef dict _suit_signs = dict(zip("♠♤♥♡♣♧♦♢", "SSHHCCDD", strict=True))


# Arguments

cpdef str shorten(object what):
    """The repr of an offending value, cut to what fits into a message."""
    if isinstance(what, int) and what.bit_length() > 128:
        return f"an int of {what.bit_length()} bits"
    cdef str text = repr(what[:60]) if isinstance(what, (str, bytes, list, tuple)) else repr(what)
    return text if len(text) <= 44 else text[:40] + " ..."


cpdef object int_of(object number):
    """The int that a number is, one of numpy's too; None for what is none, and for a bool."""
    if type(number) is int:
        return number
    if isinstance(number, bool):
        return None
    try:
        return operator.index(number)
    except TypeError:
        return None


cpdef object read_int(str name, object number, object least=None, object most=None, other=TypeError):
    """The int that an argument is; ValueError for one out of its range, `other` for what is none."""
    found = int_of(number)
    if found is not None and (least is None or found >= least) and (most is None or found <= most):
        return found
    cdef str want = "an int"
    if most is not None:
        want = f"an int from {least} to {'2**64 - 1' if most == MOST_SEED else most}"
    elif least is not None:
        want = f"an int, {least} or more"
    raise (other if found is None else ValueError)(f"{name}={shorten(number)}: want {want}")


cpdef bint check_bool(str name, object given) except -1:
    """The bool that an argument is; TypeError for what is none."""
    if not isinstance(given, bool):
        raise TypeError(f"{name}={shorten(given)}: want True or False")
    return given


# Text

cdef str card_hint(str token):
    """What to write instead of a token that is not a card."""
    cdef str text = "".join(_suit_signs.get(sign, sign) for sign in token).upper()
    cdef str form
    for form in (text[:3].replace("10", "T"), text[:2], text[1::-1], text.replace("10", "T")[1::-1]):
        if form in _kinds:
            return f'write "{form}"'
    if "JOKER" in text or text in ("B", "R", "BJ", "RJ", "LJ"):
        return 'the small joker is "SB", the big one "HR"'
    if "10" in text:
        return 'the tens are "ST" "HT" "CT" "DT"'
    return 'a card is one of S H C D and one of 2 3 4 5 6 7 8 9 T J Q K A, or "SB" or "HR"'


cdef int kind_at(str text, Py_ssize_t place) except -1:
    """The kind of card whose two letters begin at a place of a text."""
    cdef object kind = _kinds.get(text[place:place + 2])
    if kind is None:
        token = re.compile(r"\S{1,12}").match(text, place)[0]
        raise NotationError(f"{shorten(token)} is not a card: {card_hint(token)}")
    return kind


cdef int kind_of_item(object item) except -1:
    """The kind of card of one item of an iterable: a text or a number."""
    if isinstance(item, str):
        if item not in _kinds:
            hint = card_hint(item.strip()) if len(item) < 4 else "each item is one card"
            raise NotationError(f"{shorten(item)} is not a card: {hint}")
        return _kinds[item]
    kind = int_of(item)
    if kind is None:
        raise NotationError(
            f"{shorten(item)} is not a card: give its text or its number from 0 to 53")
    if not 0 <= kind < N_KINDS_OF_CARD:
        raise NotationError(f"{shorten(kind)} is not a kind of card: they are 0 to 53")
    return kind


cdef Planes planes_of_counts(const Py_ssize_t* counts) except *:
    """A hand of so many copies of each kind."""
    cdef Planes planes = Planes(0, 0)
    cdef int kind
    cdef list problems = []
    for kind in range(N_KINDS_OF_CARD):
        if counts[kind] > 2:
            problems.append(f"{counts[kind]} copies of {_texts[kind]}, two decks hold 2")
        planes.once |= <uint64_t>(counts[kind] > 0) << kind
        planes.twice |= <uint64_t>(counts[kind] > 1) << kind
    if problems:
        raise StateError(problems)
    return planes


cdef int count_cards(object cards, Py_ssize_t* counts) except -1:
    """Count the copies of each kind in a Hand, a text, or an iterable of texts and numbers."""
    cdef Py_ssize_t place = 0
    cdef str text
    for kind in range(N_KINDS_OF_CARD):
        counts[kind] = 0
    if isinstance(cards, Hand):
        for kind in range(N_KINDS_OF_CARD):
            counts[kind] = copies(&(<Hand>cards).cards, <uint64_t>1 << kind)
        return 0
    if isinstance(cards, str):
        text = str(cards)
        while place < len(text):
            if text[place].isspace():
                place += 1
            else:
                counts[kind_at(text, place)] += 1
                place += 2
        return 0
    try:
        items = iter(() if isinstance(cards, (bytes, bytearray)) else cards)
    except TypeError:
        items = None
    if items is None or isinstance(cards, (bytes, bytearray)):
        raise NotationError(
            f"{shorten(cards)} is not a hand: give a text like \"S3 C3 HR\", or its cards one by one"
        )
    for item in items:
        counts[kind_of_item(item)] += 1
    return 0


cdef Planes read_cards(object cards) except *:
    """The cards of a Hand, of a text, or of an iterable, no kind more than twice."""
    cdef Py_ssize_t[N_KINDS_OF_CARD] counts
    if isinstance(cards, Hand):
        return (<Hand>cards).cards
    count_cards(cards, counts)
    return planes_of_counts(counts)


cdef str card_texts(const Planes* hand, str between):
    """The text of a hand's cards in the order of kinds; empty for no card."""
    cdef uint64_t rest = hand.once
    cdef list texts = []
    cdef int kind
    while rest:
        kind = pop(&rest)
        texts.append(_texts[kind])
        if hand.twice >> kind & 1:
            texts.append(_texts[kind])
    return between.join(texts)


cdef int check_planes(const Planes* planes) except -1:
    """Raise StateError for planes that no hand has."""
    cdef list problems = []
    cdef uint64_t lone = planes.twice & ~planes.once & card_bits()
    if (planes.once | planes.twice) & ~card_bits():
        problems.append("bits above the 54 kinds of card are set")
    if lone:
        problems.append(f"{_texts[pop(&lone)]} is in the plane of second copies alone")
    if problems:
        raise StateError(problems)
    return 0


cdef int read_level(object level) except -1:
    """The rank code 0..12 of a level's text."""
    cdef str hint, text
    if isinstance(level, str) and len(level) == 1 and level in RANKS:
        return <int>RANKS.index(level)
    hint = f"a level is one of {' '.join(RANKS)}"
    if isinstance(level, str):
        text = str(level)
        if text == "10" or len(text) == 1 and text.upper() in RANKS:
            hint = f'write "{text.upper().replace("10", "T")}"'
    elif isinstance(level, int) and 2 <= level <= 14:
        hint = f'levels are texts, write "{RANKS[level - 2]}"'
    raise NotationError(f"{shorten(level)} is not a level: {hint}")


cdef str level_text(int level):
    """The text of a level."""
    return RANKS[level]


# Hands

cdef void write_counts(const Planes* hand, uint8_t* counts) noexcept nogil:
    """Write how many copies of each of the 54 kinds a hand holds."""
    lanes_counts(hand.once, hand.twice, counts)


@cython.final
cdef class Hand:
    """Cards of two decks: each kind once, twice or not at all; immutable and hashable.

    Made from a text, or from an iterable of texts and of numbers 0..53. `in`, `count`, `+`, `-`
    and `<=` are those of a multiset; iteration gives the cards' texts in the order of kinds.
    What cannot be read raises NotationError, more than two copies of a kind StateError.

    >>> hand = Hand("S3 C3 H2H2 HR")
    >>> len(hand), "C3" in hand, hand.count("H2"), hand - Hand("S3 HR")
    (5, True, 2, Hand("H2 H2 C3"))
    """

    def __init__(self, cards=()):
        if self.made:
            raise TypeError("a Hand does not change: make another")
        self.cards = read_cards(cards)
        self.made = True

    @staticmethod
    cdef Hand wrap(Planes cards):
        cdef Hand hand = Hand.__new__(Hand)
        hand.cards = cards
        hand.made = True
        return hand

    @staticmethod
    def from_counts(counts):
        """Make a hand from 54 numbers of copies, each 0, 1 or 2, in the order of kinds.

        Another number of counts, or a negative one, raises ValueError; more than 2, StateError.
        """
        cdef Py_ssize_t[N_KINDS_OF_CARD] copies
        numbers = [int_of(count) for count in counts] if isinstance(counts, Iterable) else [None]
        if None in numbers:
            raise TypeError(f"counts={shorten(counts)}: want {N_KINDS_OF_CARD} numbers of 0 to 2")
        if len(numbers) != N_KINDS_OF_CARD or min(numbers) < 0:
            raise ValueError(f"counts: want {N_KINDS_OF_CARD} numbers of 0 to 2, got {shorten(numbers)}")
        for kind in range(N_KINDS_OF_CARD):
            copies[kind] = min(numbers[kind], DECK_SIZE)
        return Hand.wrap(planes_of_counts(copies))

    @staticmethod
    def from_planes(once, twice):
        """Make a hand from its two planes: bit i of `once` for at least one copy, of `twice` for both.

        A bit of `twice` that is not in `once`, or one above 53, raises StateError.
        """
        cdef Planes planes
        once, twice = read_int("once", once), read_int("twice", twice)
        for name, plane in (("once", once), ("twice", twice)):
            if not 0 <= plane <= MOST_SEED:
                raise StateError(f"{name}: {shorten(plane)} is not a plane: want 54 bits")
        planes = Planes(once, twice)
        check_planes(&planes)
        return Hand.wrap(planes)

    @property
    def planes(self):
        """The two planes as ints: kinds held at least once, and kinds held twice."""
        return self.cards.once, self.cards.twice

    def counts(self):
        """Return the copies of each kind, a new uint8 array of shape (54,)."""
        cdef bytearray copies = bytearray(N_KINDS_OF_CARD)
        write_counts(&self.cards, <uint8_t*><char*>copies)
        return np.frombuffer(copies, np.uint8)

    def count(self, card):
        """Return how many copies of a card are held, given as text or number; else NotationError."""
        return copies(&self.cards, <uint64_t>1 << kind_of_item(card))

    def __len__(self):
        return size(&self.cards)

    def __contains__(self, card):
        return copies(&self.cards, <uint64_t>1 << kind_of_item(card)) > 0

    def __iter__(self):
        return iter(card_texts(&self.cards, " ").split())

    def __add__(self, other):
        if not isinstance(self, Hand) or not isinstance(other, Hand):
            return NotImplemented
        cdef Planes a = (<Hand>self).cards
        cdef Planes b = (<Hand>other).cards
        if not fits(&a, &b):
            raise StateError(f"{self!r} and {other!r} together hold a card more than twice")
        return Hand.wrap(plus(&a, &b))

    def __sub__(self, other):
        if not isinstance(self, Hand) or not isinstance(other, Hand):
            return NotImplemented
        cdef Planes a = (<Hand>self).cards
        cdef Planes b = (<Hand>other).cards
        if not contains(&a, &b):
            raise StateError(f"{self!r} does not hold all of {other!r}")
        return Hand.wrap(minus(&a, &b))

    def __eq__(self, other):
        if not isinstance(other, Hand):
            return NotImplemented
        cdef Planes theirs = (<Hand>other).cards
        return self.cards.once == theirs.once and self.cards.twice == theirs.twice

    def __le__(self, other):
        if not isinstance(other, Hand):
            return NotImplemented
        cdef Planes theirs = (<Hand>other).cards
        return contains(&theirs, &self.cards)

    def __lt__(self, other):
        if not isinstance(other, Hand):
            return NotImplemented
        return self <= other and self != other

    def __ge__(self, other):
        if not isinstance(other, Hand):
            return NotImplemented
        cdef Planes theirs = (<Hand>other).cards
        return contains(&self.cards, &theirs)

    def __gt__(self, other):
        if not isinstance(other, Hand):
            return NotImplemented
        return self >= other and self != other

    def __hash__(self):
        return hash((self.cards.once, self.cards.twice))

    def __str__(self):
        return card_texts(&self.cards, " ")

    def __repr__(self):
        return f'Hand("{self}")'

    def __reduce__(self):
        return Hand.from_planes, self.planes


# Deals

cdef void deal(Rng* rng, Planes* hands) noexcept nogil:
    """Deal four hands of 27: the seat s gets the cards 27 s to 27 s + 26 of the shuffled decks."""
    cdef uint8_t[DECK_SIZE] deck
    cdef Planes hand
    cdef uint64_t card
    cdef int seat, place
    for place in range(DECK_SIZE):
        deck[place] = <uint8_t>(place % N_KINDS_OF_CARD)
    shuffle(rng, deck, DECK_SIZE)
    for seat in range(N_SEATS):
        hand = Planes(0, 0)
        for place in range(seat * HAND_SIZE, (seat + 1) * HAND_SIZE):
            card = <uint64_t>1 << deck[place]
            hand.twice |= hand.once & card
            hand.once |= card
        hands[seat] = hand


cdef uint64_t read_seed(object seed) except? 0:
    """The number of a seed."""
    return read_int("seed", seed, 0, MOST_SEED)


def deal_hands(seed):
    """Return the four hands of 27 of a seeded deal, seats 0 to 3: the same on every platform.

    The decks are the kinds 0..53 twice over, shuffled by the package's generator (`rng.pxd`);
    each seat takes 27 in turn. A seed is an int from 0 to 2**64 - 1; another raises ValueError,
    what is no int TypeError.

    >>> [len(hand) for hand in deal_hands(7)]
    [27, 27, 27, 27]
    """
    cdef Planes[N_SEATS] hands
    cdef Rng rng = Rng(read_seed(seed))
    deal(&rng, hands)
    return tuple(Hand.wrap(hands[seat]) for seat in range(N_SEATS))
