"""What tributes and returns tell of the cards that seats hold."""

from guandan.cards import CARDS
from guandan.errors import StateError

from libc.stdint cimport uint64_t

from guandan.cards cimport BIG_JOKER, HAND_SIZE, Planes, copies, plus, size
from guandan.gifts cimport Customs, payable, read_customs, returnable
from guandan.observation cimport Gift

__all__ = []                   # names to cimport only


# Single gifts

cdef uint64_t not_held_by_payer(int card, int level) noexcept nogil:
    """The kinds beside which a card is not what must be paid; of a card never paid, itself too."""
    cdef uint64_t kinds = 0
    cdef Planes held
    cdef int kind
    for kind in range(N_KINDS_OF_CARD):
        held = Planes(bit(card) | bit(kind), 0)
        if not payable(&held, level) & bit(card):
            kinds |= bit(kind)
    return kinds


cdef uint64_t not_held_by_giver(
    int card, int received, int level, bint to_partner, const Customs* customs
) noexcept nogil:
    """The kinds beside which a card may not be returned; of a card that never may, itself too.

    Of the kind received it is a second copy that is asked for. Where that kind itself is returned,
    and that takes another copy, both are held.
    """
    cdef uint64_t kinds = 0
    cdef Planes held, more
    cdef int kind
    held = Planes(bit(card) | bit(received), 0)
    if card == received and not customs.same_card:
        held.twice = bit(card)
    for kind in range(N_KINDS_OF_CARD):
        more = Planes(0 if kind == card else bit(kind), 0)
        more = plus(&held, &more)
        if not returnable(&more, level, to_partner, received, customs) & bit(card):
            kinds |= bit(kind)
    return kinds


cdef int received_by(const Gift* gifts, int seat) noexcept nogil:
    """The card that a seat has got; NO_CARD for none."""
    cdef int giver
    for giver in range(N_SEATS):
        if gifts[giver].receiver == seat:
            return gifts[giver].card
    return NO_CARD


cdef list facts_of(Observation seen):
    """What tributes and returns tell of a hand as it begins to play: why, seat, kinds, least and most.

    Of each of the kinds, given as bits, that hand had at least and at most so many. Raises StateError
    for gifts that no hands allow.
    """
    cdef const View* view = &seen.view
    cdef Customs rules = read_customs(seen.rules)
    cdef const Customs* customs = &rules
    cdef list facts = []
    cdef int seat, n_jokers = 0
    for seat in range(N_SEATS):
        if view.tributes[seat].receiver != NO_SEAT:
            n_jokers += view.tributes[seat].card == BIG_JOKER
            facts += facts_of_tribute(view, seat, customs)
        if view.returns[seat].receiver != NO_SEAT:
            facts += facts_of_return(view, seat, customs)
    if n_jokers == 2 and not customs.may_pay:
        raise StateError("tributes: both big jokers are paid, but who holds them resists")
    return facts


cdef list facts_of_tribute(const View* view, int payer, const Customs* customs):
    """What a tribute tells of who paid it, and of who got it."""
    cdef int card = view.tributes[payer].card, receiver = view.tributes[payer].receiver
    cdef int back = received_by(view.returns, payer)
    cdef uint64_t higher = not_held_by_payer(card, view.level)
    cdef bint gone = view.returns[receiver].receiver != NO_SEAT and view.returns[receiver].card == card
    what = f"seat {payer} paid {CARDS[card]}"
    if higher & bit(card):
        raise StateError(f"tributes: {what}, which is wild: want its highest card that is not")
    if back == NO_CARD and has_begun(view):
        raise StateError(f"tributes: {what}, but what it got back is not known: want the returns too")
    cdef list facts = [(f"{what}, and had nothing higher", payer, higher & ~bit(back), 0, 0)]
    if higher & bit(back):
        why = f"{what}, and of what is higher had the {CARDS[back]} that it got back alone"
        facts.append((why, payer, bit(back), 0, 1))
    if card == BIG_JOKER and not customs.may_pay:
        facts.append((f"{what} and did not resist, so it had one", payer, bit(card), 0, int(back == card)))
    if not (gone and customs.same_card):
        why = f"seat {receiver} got {CARDS[card]} from seat {payer}, and has it or has played it"
        facts.append((why, receiver, bit(card), 1, 2))
    return facts


cdef list facts_of_return(const View* view, int giver, const Customs* customs):
    """What a return tells of who gave it, and of who got it."""
    cdef int card = view.returns[giver].card, receiver = view.returns[giver].receiver
    cdef int received = received_by(view.tributes, giver)
    cdef uint64_t barred = not_held_by_giver(
        card, received, view.level, not (giver ^ receiver) & 1, customs)
    what = f"seat {giver} returned {CARDS[card]}"
    if barred & bit(card):
        raise StateError(f"returns: {what}, which the rules do not let it return for {CARDS[received]}")
    why = f"seat {receiver} got {CARDS[card]} back, and has it or has played it"
    cdef list facts = [(why, receiver, bit(card), 1, 2)]
    if barred & ~bit(received):
        facts.append((f"{what}, and had nothing to return before it", giver, barred & ~bit(received), 0, 0))
    if barred & bit(received):
        facts.append((f"{what}, and had one {CARDS[received]} only", giver, bit(received), 0, 1))
    return facts


cdef int read_facts(const View* view, list facts, Bounds* bounds) except -1:
    """Set what facts leave open, by what has been played since."""
    cdef int seat, kind, least, most, played, lost
    cdef uint64_t kinds
    for seat in range(N_SEATS):
        for kind in range(N_KINDS_OF_CARD):
            bounds.least[seat][kind], bounds.most[seat][kind] = 0, 2
    for _, seat, kinds, least, most in facts:
        lost = 0
        if has_begun(view):    # a State made in mid-deal does not know of earlier plays
            lost = max(0, HAND_SIZE - view.left[seat] - size(&view.played[seat]))
        for kind in range(N_KINDS_OF_CARD):
            if kinds >> kind & 1:
                played = copies(&view.played[seat], bit(kind))
                bounds.least[seat][kind] = max(bounds.least[seat][kind], least - played - lost)
                bounds.most[seat][kind] = min(bounds.most[seat][kind], most - played)
    return 0
