"""Tribute and return: what may be given, and the course of the choices."""

from collections.abc import Iterable, Mapping, Set

from guandan.cards import CARDS
from guandan.errors import IllegalMoveError, StateError

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memset

cimport cython

from guandan.bits cimport lowest, pop
from guandan.cards cimport (
    ACE, BIG_JOKER, N_SEATS, RANK_BIG, SMALL_JOKER, Hand, Planes, copies, int_of, minus, natural_bits,
    plus, read_cards, read_level, shorten, wild_bit,
)
from guandan.combos cimport SINGLE, key_of, rank_at
from guandan.state cimport read_rules

__all__ = ["Exchange", "owing", "pairing", "payable_cards", "resists", "returnable_cards"]

cdef tuple _texts = CARDS
cdef dict _kinds = {text: kind for kind, text in enumerate(CARDS)}
cdef dict RETURNABLE = {"ten_or_less": TEN_OR_LESS, "below_level": BELOW_LEVEL, "any": ANY_CARD}
cdef dict TIE_LEADERS = {
    "payer_to_first": PAYER_TO_FIRST,
    "next_of_first": NEXT_OF_FIRST,
    "previous_of_first": PREVIOUS_OF_FIRST,
    "last": LAST,
}


cdef Customs read_customs(object rules) except *:
    """What a Rules says of tribute and returns."""
    cdef Customs customs
    rules = read_rules(rules)
    customs.may_pay = rules.resist == "optional"
    customs.by_seat = rules.double_tribute_pairing == "by_seat"
    customs.first_paid = rules.tribute_tie_pairing == "first_paid"
    customs.tie_leader = TIE_LEADERS[rules.tribute_tie_leader]
    customs.returnable[0] = RETURNABLE[rules.return_to_opponent]
    customs.returnable[1] = RETURNABLE[rules.return_to_partner]
    customs.level_card = rules.return_level_card
    customs.any_when_none = rules.return_when_none == "any"
    customs.same_card = rules.return_same_card
    return customs


# What may be given

cdef inline uint64_t rank_bits(int rank) noexcept nogil:
    """The kinds of card of a rank below the jokers'."""
    return <uint64_t>15 << 4 * rank


cdef inline uint64_t ten_or_less() noexcept nogil:
    """The kinds of card of the ranks 2 to T."""
    return (<uint64_t>1 << 4 * 9) - 1


cdef inline uint64_t bits_at(int key, int level) noexcept nogil:
    """The kinds of card at a place 0..14 of the level order."""
    return rank_bits(rank_at(key, level)) if key <= ACE else <uint64_t>1 << SMALL_JOKER + key - ACE - 1


cdef inline int card_key(int kind, int level) noexcept nogil:
    """The place of a kind of card in the level order."""
    return key_of(SINGLE, RANK_BIG if kind == BIG_JOKER else kind >> 2, level)


cdef uint64_t payable(const Planes* hand, int level) noexcept nogil:
    """The kinds that a payer chooses among, those of his highest rank; 0 for a hand of wilds alone."""
    cdef uint64_t kinds = hand.once & ~wild_bit(level)
    cdef int key = RANK_BIG
    while key > 0 and not kinds & bits_at(key, level):
        key -= 1
    return kinds & bits_at(key, level)


cdef inline uint64_t low_enough(int level, bint to_partner, const Customs* customs) noexcept nogil:
    """The kinds that the rules let a receiver return if he has any of them."""
    cdef uint8_t which = customs.returnable[to_partner]
    if which == ANY_CARD:
        return ~<uint64_t>0
    if which == BELOW_LEVEL:
        return natural_bits() & ~rank_bits(level)
    return ten_or_less() & ~(0 if customs.level_card else rank_bits(level))


cdef uint64_t returnable(
    const Planes* hand, int level, bint to_partner, int received, const Customs* customs
) noexcept nogil:
    """The kinds that a receiver may return; his hand, not empty, has what he `received`, or NO_CARD."""
    cdef uint64_t kinds = hand.once
    cdef uint64_t same = <uint64_t>1 << received
    cdef uint64_t found
    cdef int key = 0
    if received != NO_CARD and not customs.same_card and copies(hand, same) == 1 and kinds != same:
        kinds &= ~same
    found = kinds & low_enough(level, to_partner, customs)
    if found:
        return found
    if customs.any_when_none:
        return kinds
    while not kinds & bits_at(key, level):
        key += 1
    return kinds & bits_at(key, level)


# Who pays whom

cdef int payers(const uint8_t* order, uint8_t* seats) noexcept nogil:
    """Write the seats that owe tribute, from the first's next seat on; return how many they are."""
    cdef uint8_t first = order[0]
    if order[1] ^ first == 2:
        seats[0] = first + 1 & 3
        seats[1] = first + 3 & 3
        return 2
    seats[0] = order[3]
    return 1


cdef bint can_resist(const Planes* hands, const uint8_t* order) noexcept nogil:
    """Whether those who owe tribute hold both big jokers."""
    cdef uint8_t[2] seats
    cdef int jokers = 0
    cdef int i
    for i in range(payers(order, seats)):
        jokers += copies(&hands[seats[i]], <uint64_t>1 << BIG_JOKER)
    return jokers == 2


cdef Pairing paired(
    const uint8_t* order, const uint8_t* cards, int first_paid, int level, const Customs* customs
) noexcept nogil:
    """Who pays the first, and who leads, by the cards of the payers' seats and who paid first."""
    cdef uint8_t[2] seats
    cdef uint8_t following, previous, to_first
    cdef int ahead             # of the next seat's card
    if payers(order, seats) == 1:
        return Pairing(seats[0], seats[0])
    following, previous = seats[0], seats[1]
    ahead = card_key(cards[following], level) - card_key(cards[previous], level)
    to_first = following
    if not customs.by_seat:
        if ahead < 0:
            to_first = previous
        elif ahead == 0 and customs.first_paid:
            to_first = <uint8_t>first_paid
    if ahead:
        return Pairing(to_first, following if ahead > 0 else previous)
    if customs.tie_leader == PAYER_TO_FIRST:
        return Pairing(to_first, to_first)
    if customs.tie_leader == LAST:
        return Pairing(to_first, order[3])
    return Pairing(to_first, following if customs.tie_leader == NEXT_OF_FIRST else previous)


# The course of the choices

cdef void offer(Choices* choices, uint8_t seat, uint64_t kinds) noexcept nogil:
    """Ask a seat for one of some kinds; where there is but one it is given."""
    if kinds & (kinds - 1):
        choices.due[choices.n_due] = seat
        choices.among[choices.n_due] = kinds
        choices.n_due += 1
    else:
        made(choices, seat, lowest(kinds))


cdef void made(Choices* choices, uint8_t seat, int card) noexcept nogil:
    """Enter what a seat gives."""
    choices.made[choices.n_made] = seat
    choices.cards[seat] = <uint8_t>card
    choices.n_made += 1


cdef inline void move_card(Gifts* gifts, int giver, int receiver, int card) noexcept nogil:
    """Move a card from one hand to another."""
    cdef Planes moved = Planes(<uint64_t>1 << card, 0)
    gifts.hands[giver] = minus(&gifts.hands[giver], &moved)
    gifts.hands[receiver] = plus(&gifts.hands[receiver], &moved)


cdef void begin(Gifts* gifts, const Customs* customs) noexcept nogil:
    """Ask whether a side resists, or for the tribute; hands, order and level are set."""
    memset(&gifts.paid, 0, sizeof(Choices))
    memset(&gifts.returned, 0, sizeof(Choices))
    gifts.leader = gifts.order[0]
    gifts.n = <uint8_t>payers(gifts.order, gifts.payers)
    gifts.stage = RESISTING
    if not can_resist(gifts.hands, gifts.order):
        answer(gifts, False, customs)
    elif not customs.may_pay:
        answer(gifts, True, customs)


cdef void answer(Gifts* gifts, bint resists, const Customs* customs) noexcept nogil:
    """Resist, which ends it, or ask for the tribute."""
    cdef int i
    if resists:
        gifts.n = 0
        gifts.stage = DONE
        return
    gifts.stage = PAYING
    for i in range(gifts.n):
        offer(&gifts.paid, gifts.payers[i], payable(&gifts.hands[gifts.payers[i]], gifts.level))
    if gifts.paid.n_due == 0:
        pay(gifts, customs)


cdef void give(Gifts* gifts, int place, int card, const Customs* customs) noexcept nogil:
    """Let the seat at a place of those that are asked give a card."""
    cdef bint paying = gifts.stage == PAYING
    cdef Choices* choices = &gifts.paid if paying else &gifts.returned
    made(choices, choices.due[place], card)
    choices.due[place] = choices.due[1]            # of two the other one is left
    choices.among[place] = choices.among[1]
    choices.n_due -= 1
    if choices.n_due == 0:
        if paying:
            pay(gifts, customs)
        else:
            give_back(gifts)


cdef void pay(Gifts* gifts, const Customs* customs) noexcept nogil:
    """Move what is paid, and ask for the returns."""
    cdef Pairing pairing = paired(gifts.order, gifts.paid.cards, gifts.paid.made[0], gifts.level, customs)
    cdef uint8_t payer, receiver, card
    cdef int i
    gifts.leader = pairing.leader
    if gifts.n == 2 and gifts.payers[0] != pairing.to_first:
        gifts.payers[0], gifts.payers[1] = gifts.payers[1], gifts.payers[0]
    gifts.stage = RETURNING
    for i in range(gifts.n):
        payer, receiver = gifts.payers[i], gifts.order[i]
        card = gifts.paid.cards[payer]
        move_card(gifts, payer, receiver, card)
        offer(&gifts.returned, receiver, returnable(
            &gifts.hands[receiver], gifts.level, not (payer ^ receiver) & 1, card, customs))
    if gifts.returned.n_due == 0:
        give_back(gifts)


cdef void give_back(Gifts* gifts) noexcept nogil:
    """Move what is returned, all at once."""
    cdef int i
    for i in range(gifts.n):
        move_card(gifts, gifts.order[i], gifts.payers[i], gifts.returned.cards[gifts.order[i]])
    gifts.stage = DONE


# For Python

cdef tuple card_names(uint64_t kinds):
    """The texts of some kinds of card, in their order."""
    cdef list names = []
    while kinds:
        names.append(_texts[pop(&kinds)])
    return tuple(names)


cpdef tuple read_order(object order, str name="order"):
    """The four seats of an order that a deal can end in."""
    if not isinstance(order, Iterable) or isinstance(order, (str, bytes, Set, Mapping)):
        raise TypeError(f"{name}={shorten(order)}: want four seats, such as (0, 2, 1, 3)")
    seats = [int_of(seat) for seat in order]
    if None in seats:
        raise TypeError(f"{name}={shorten(order)}: want four seats, such as (0, 2, 1, 3)")
    if sorted(seats) != [0, 1, 2, 3]:
        raise ValueError(f"{name}={shorten(order)}: want each of the seats 0 to 3 once")
    first, second, third, last = seats
    if first ^ 2 == second and third > last:
        raise ValueError(f"{name}={shorten(order)}: want {(first, second, last, third)}, after a double "
                         "the last two are in ascending seat number")
    return first, second, third, last


cdef int read_seats(object order, uint8_t* seats) except -1:
    """Take the four seats of an order."""
    seats[0], seats[1], seats[2], seats[3] = read_order(order)
    return 0


cdef int read_hands(object hands, Planes* held) except -1:
    """Take four hands."""
    if not isinstance(hands, (tuple, list)) or len(hands) != N_SEATS:
        raise TypeError(f"hands={shorten(hands)}: want those of seats 0 to 3, in their order")
    for seat, hand in enumerate(hands):
        held[<int>seat] = read_cards(hand)
    return 0


def owing(order):
    """Return the seats that owe tribute."""
    cdef uint8_t[4] seats
    cdef uint8_t[2] found
    read_seats(order, seats)
    return tuple([int(found[i]) for i in range(payers(seats, found))])


def resists(hands, order):
    """Return whether those who owe tribute can resist."""
    cdef Planes[N_SEATS] held
    cdef uint8_t[4] seats
    read_seats(order, seats)
    read_hands(hands, held)
    return bool(can_resist(held, seats))


def payable_cards(hand, level):
    """Return the kinds that a payer chooses among; none for a hand of wilds alone."""
    cdef int at = read_level(level)
    cdef Planes held = read_cards(hand)
    return card_names(payable(&held, at))


def returnable_cards(hand, level, to_partner, rules, received):
    """Return the kinds that a receiver may return; a hand that is not empty has what he received."""
    cdef int at = read_level(level)
    cdef Planes held = read_cards(hand)
    cdef Customs customs = read_customs(rules)
    cdef int card = NO_CARD
    cdef Planes given
    if held.once == 0:
        raise StateError(f"hand={shorten(hand)}: want one with a card to return")
    if received is not None:
        given = read_cards([received])
        card = lowest(given.once)
    return card_names(returnable(&held, at, to_partner, card, &customs))


def pairing(order, paid, level, rules):
    """Return who pays whom, the first at the beginning, and who leads.

    `paid` has the cards of the payers by seat, as they have chosen one after the other.
    """
    cdef Customs customs = read_customs(rules)
    cdef uint8_t[4] seats
    cdef uint8_t[4] cards
    cdef uint8_t[2] owed
    cdef Pairing found
    cdef int n, other
    read_seats(order, seats)
    for seat, card in paid.items():
        cards[<int>seat & 3] = <uint8_t>_kinds[card]
    found = paired(seats, cards, next(iter(paid)), read_level(level), &customs)
    n = payers(seats, owed)
    other = owed[0] ^ owed[1] ^ found.to_first if n == 2 else 0
    pairs = (int(found.to_first), int(seats[0])), (other, int(seats[1]))
    return pairs[:n], int(found.leader)


@cython.final
cdef class Exchange:
    """Tribute and return before a deal, choice by choice.

    `hands` are four of 27 cards, `order` is that of the deal before, `level` that of the deal to
    come. What leaves no choice happens by itself; `stage` is what comes next: "resist", "tribute",
    "return" or "done".
    """

    def __init__(self, hands, order, level, rules):
        read_hands(hands, self.gifts.hands)
        read_seats(order, self.gifts.order)
        self.gifts.level = <uint8_t>read_level(level)
        self.customs = read_customs(rules)
        begin(&self.gifts, &self.customs)
        self.begun = hands, order, level, rules
        self.past = ()

    def copy(self):
        """Return a copy that goes its own way."""
        cdef Exchange made = Exchange.__new__(Exchange)
        made.gifts, made.customs = self.gifts, self.customs
        made.begun, made.past = self.begun, self.past
        return made

    def __reduce__(self):
        return replay, (self.begun, self.past)

    @property
    def stage(self):
        """What comes next."""
        return ("resist", "tribute", "return", "done")[self.gifts.stage]

    @property
    def hands(self):
        """The hands as they are now, a tuple of Hand."""
        return tuple([Hand.wrap(self.gifts.hands[seat]) for seat in range(N_SEATS)])

    @property
    def leader(self):
        """Who leads; until all have paid, the first."""
        return int(self.gifts.leader)

    @property
    def resisted(self):
        """Whether nothing is paid."""
        return self.gifts.n == 0

    @property
    def choices(self):
        """What each of the seats that must choose may choose, by seat."""
        cdef Choices* choices = &self.gifts.paid if self.gifts.stage == PAYING else &self.gifts.returned
        if self.gifts.stage == RESISTING:
            return {int(self.gifts.payers[0]): ("resist", "pay")}
        return {int(choices.due[i]): card_names(choices.among[i]) for i in range(choices.n_due)}

    @property
    def chosen(self):
        """What each of the seats that have chosen gives or, where all have, has given; by seat."""
        cdef Choices* choices = &self.gifts.paid if self.gifts.stage == PAYING else &self.gifts.returned
        return {int(choices.made[i]): _texts[choices.cards[choices.made[i]]] for i in range(choices.n_made)}

    @property
    def tributes(self):
        """Who has paid whom which card, as all may see: in the order in which they chose."""
        cdef dict receivers
        if self.gifts.stage < RETURNING:
            return ()
        receivers = {self.gifts.payers[i]: self.gifts.order[i] for i in range(self.gifts.n)}
        return tuple([
            (int(seat), receivers[seat], _texts[self.gifts.paid.cards[seat]])
            for seat in self.gifts.paid.made[:self.gifts.n]
        ])

    @property
    def returns(self):
        """Who has returned whom which card, as all may see: that of the first at its beginning."""
        if self.gifts.stage != DONE:
            return ()
        return tuple([
            (int(self.gifts.order[i]), int(self.gifts.payers[i]),
             _texts[self.gifts.returned.cards[self.gifts.order[i]]])
            for i in range(self.gifts.n)
        ])

    def choose(self, seat, choice):
        """Let a seat choose one of its `choices`."""
        cdef Choices* choices = &self.gifts.paid if self.gifts.stage == PAYING else &self.gifts.returned
        cdef dict among = self.choices
        if choice not in among.get(int_of(seat), ()):
            raise IllegalMoveError(f"seat {shorten(seat)}, {shorten(choice)}: want one of {among}")
        if self.gifts.stage == RESISTING:
            answer(&self.gifts, choice == "resist", &self.customs)
        else:
            give(&self.gifts, choices.due[0] != seat, _kinds[choice], &self.customs)
        self.past += ((int_of(seat), choice),)


def replay(begun, choices):
    """Put a pickled Exchange together again."""
    exchange = Exchange(*begun)
    for seat, choice in choices:
        exchange.choose(seat, choice)
    return exchange
