"""Deal after deal at one place."""

from libc.stdint cimport int8_t, uint8_t, uint64_t
from libc.string cimport memcpy, memset

cimport guandan.movegen as movegen
from guandan.cards cimport N_SEATS, NO_RANK, plus
from guandan.combos cimport PASS, cards_of, kind_of, tag
from guandan.gifts cimport Gifts
from guandan.ledger cimport NO_SIDE, ahead, is_over
from guandan.observation cimport N_RECENT, Play, look
from guandan.pasts cimport keep, write_past
from guandan.position cimport (
    NO_SEAT, deal_position, pass_on, payoff, play, table_of, write_order,
)
from guandan.rng cimport Rng, next_bits, shuffle, stream
from guandan.rounds cimport count, deal_first, deal_next, exchange, start

__all__ = []                   # names to cimport only


# Deals

cdef void lead(Place* place, Position position) noexcept nogil:
    """Begin the play of a deal of which no move is known."""
    cdef int seat
    # Part by part: the bytes between them stay 0, so that equal places have equal pickles.
    memcpy(place.position.hands, position.hands, sizeof(position.hands))
    place.position.trick = position.trick
    place.position.options = position.options
    place.position.level = position.level
    place.position.lead_next = position.lead_next
    place.shown = tag(PASS, NO_RANK)
    place.n_moves = UNCOUNTED
    place.past.n = place.past.n_plays = place.past.passers = 0
    memset(place.played, 0, sizeof(place.played))
    memset(place.last, 0, sizeof(place.last))
    for seat in range(N_SEATS):
        place.between.tributes[seat] = place.between.returns[seat] = Gift(NO_SEAT, 0)


cdef void enter_gifts(Place* place, const Gifts* gifts) noexcept nogil:
    """Enter who has given what to whom before a deal that is about to be led."""
    cdef uint8_t first, payer
    cdef int i
    for i in range(gifts.n):
        first, payer = gifts.order[i], gifts.payers[i]
        place.between.tributes[payer] = Gift(first, gifts.paid.cards[payer])
        place.between.returns[first] = Gift(payer, gifts.returned.cards[first])


cdef void draw_order(Rng* rng, uint8_t* order) noexcept nogil:
    """Draw an order of four seats; after a double the last two are in ascending order."""
    cdef int place
    for place in range(N_SEATS):
        order[place] = <uint8_t>place
    shuffle(rng, order, N_SEATS)
    if order[0] ^ order[1] == 2 and order[2] > order[3]:
        order[2], order[3] = order[3], order[2]


cdef bint follows(Place* place, const Plan* plan, uint8_t* order) noexcept nogil:
    """Set the order of the deal that one by itself follows; False: it follows none."""
    if plan.after == AFTER_NONE:
        return False
    if plan.after == AFTER_DRAWN:
        draw_order(&place.between.round.rng, order)
        return True
    memcpy(order, place.between.round.order, N_SEATS)
    if plan.after == AFTER_GIVEN:
        memcpy(order, place.between.before, N_SEATS)
    return order[0] != order[1]            # all 0 before a place's first deal has ended


cdef void deal_alone(Place* place, const Plan* plan) noexcept nogil:
    """Deal a deal by itself, as `State.deal` does, by a seed that the place draws."""
    cdef Position position
    cdef Gifts gifts
    cdef uint8_t[N_SEATS] order
    place.between.deal_seed = next_bits(&place.between.round.rng)
    position = deal_position(place.between.deal_seed)
    position.options = plan.law.like.options
    position.lead_next = plan.law.like.lead_next
    if place.between.level != DRAWN_LEVEL:
        position.level = <uint8_t>place.between.level
    if not follows(place, plan, order):
        lead(place, position)
        return
    memcpy(gifts.hands, position.hands, sizeof(gifts.hands))
    exchange(&place.between.round, &plan.law, &gifts, order, position.level)
    memcpy(position.hands, gifts.hands, sizeof(gifts.hands))
    position.trick.turn = gifts.leader
    lead(place, position)
    enter_gifts(place, &gifts)


cdef void begin_match(Place* place, const Plan* plan) noexcept nogil:
    """Deal the first deal of a match."""
    place.between.round.ledger = plan.fresh
    place.extra = False
    lead(place, deal_first(&place.between.round, &plan.law))


cdef void go_on(Place* place, const Plan* plan) noexcept nogil:
    """Deal after another deal of the match."""
    cdef Gifts gifts
    deal_next(&place.between.round, &plan.law, &gifts)
    lead(place, start(&place.between.round, &plan.law, gifts.hands, gifts.leader))
    enter_gifts(place, &gifts)


cdef void end_match(Place* place, const Plan* plan, int winner) noexcept nogil:
    """Note who has won a match, and begin another."""
    place.winner = <int8_t>winner
    begin_match(place, plan)


cdef void follow(Place* place, const Plan* plan) noexcept nogil:
    """Count a deal of a match that has ended, and deal the next."""
    cdef const Ledger* ledger = &place.between.round.ledger
    cdef int winner
    if place.extra:
        end_match(place, plan, place.position.trick.out[0] & 1)
        return
    count(&place.between.round, &plan.law, &place.position.trick)
    if not is_over(ledger) and (plan.limit == 0 or ledger.deals < plan.limit):
        go_on(place, plan)
        return
    winner = ahead(ledger, plan.first_to_reach)
    if winner == NO_SIDE and plan.extra_deal and not is_over(ledger):
        place.extra = True
        lead(place, deal_first(&place.between.round, &plan.law))
    else:
        end_match(place, plan, winner)


cdef Deal in_play(const Place* place) noexcept nogil:
    """The deal in play, as it would be kept if it ended."""
    cdef Deal now
    memset(&now, 0, sizeof(now))           # the bytes between its parts too
    memcpy(&now.position, &place.position, sizeof(now.position))
    now.ledger = place.between.round.ledger
    memcpy(now.tributes, place.between.tributes, sizeof(now.tributes))
    memcpy(now.returns, place.between.returns, sizeof(now.returns))
    now.past.plays, now.past.n = place.past.plays, place.past.n
    now.past.n_plays, now.past.passers = place.past.n_plays, place.past.passers
    return now


cdef void end_deal(Place* place, const Plan* plan) noexcept nogil:
    """Note how a deal has ended, and deal anew."""
    place.ended = True
    place.between.finished = in_play(place)
    place.payoff = 0 if place.extra else <int8_t>payoff(&place.position.trick, plan.steps)
    write_order(&place.position.trick, place.between.round.order)
    if plan.matches:
        follow(place, plan)
    else:
        deal_alone(place, plan)


cdef void begin(Place* place, const Plan* plan, uint64_t seed, uint64_t number) noexcept nogil:
    """Deal the first deal of the place of a number."""
    place.between.round.rng = stream(seed, number)
    place.between.round.ledger = plan.fresh
    place.winner = NO_MATCH
    if plan.matches:
        begin_match(place, plan)
    else:
        deal_alone(place, plan)


# Moves

cdef inline void enter(Place* place, const Record* move) noexcept nogil:
    """Keep what is known of a move."""
    cdef int seat = place.position.trick.turn
    cdef Planes cards = cards_of(move)
    keep(&place.past, move, seat)
    place.last[seat] = move[0]
    if kind_of(move) != PASS:
        place.played[seat] = plus(&place.played[seat], &cards)
        place.shown = move[0]


cdef int count_moves(Place* place) noexcept nogil:
    """How many moves the turn has."""
    cdef const Position* position = &place.position
    if place.n_moves == UNCOUNTED:
        place.n_moves = movegen.count(&position.hands[position.trick.turn], position.level,
                                      table_of(position), position.options)
    return place.n_moves


cdef inline void pass_forced(Place* place) noexcept nogil:
    """Pass for each seat that can do nothing else, up to one that can."""
    cdef Record forced = tag(PASS, NO_RANK)
    while place.position.trick.kind != PASS and count_moves(place) == 1:
        enter(place, &forced)
        pass_on(&place.position)
        place.n_moves = UNCOUNTED


cdef void step(Place* place, const Plan* plan, const Record* move) noexcept nogil:
    """Play a legal move, and deal anew where it ends the deal."""
    place.ended = False
    place.payoff = 0
    place.winner = NO_MATCH
    enter(place, move)
    play(&place.position, move)
    place.n_moves = UNCOUNTED
    if place.position.trick.turn == NO_SEAT or place.extra and place.position.trick.n_out:
        end_deal(place, plan)
    elif plan.auto_pass:
        pass_forced(place)


# What is seen

cdef void see(View* view, const Place* place, const Plan* plan, bint recent) noexcept nogil:
    """Set the View of the seat to move, with its recent moves if they are wanted."""
    cdef Play[N_RECENT] entries
    cdef int i, side
    look(view, &place.position, place.position.trick.turn, &place.shown)
    memcpy(view.played, place.played, sizeof(view.played))
    memcpy(view.last, place.last, sizeof(view.last))
    if plan.matches:
        for side in range(2):
            view.levels[side] = <uint8_t>place.between.round.ledger.levels[side]
    memcpy(view.tributes, place.between.tributes, sizeof(view.tributes))
    memcpy(view.returns, place.between.returns, sizeof(view.returns))
    if recent:
        for i in range(write_past(&place.past, N_RECENT, entries)):
            view.recent[i] = entries[i].move
            view.movers[i] = <uint8_t>entries[i].seat
