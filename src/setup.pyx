"""Positions as they are given: read, checked, written."""

from collections.abc import Iterable, Mapping, Set

from guandan.cards import CARDS as _CARDS
from guandan.errors import IllegalMoveError, NotationError, StateError

from libc.stdint cimport uint8_t, uint16_t, uint64_t
from libc.stdlib cimport free, malloc

cimport guandan.movegen as movegen
from guandan.cards cimport (
    HAND_SIZE, NO_RANK, Hand, Planes, card_texts, copies, count_cards, int_of, level_text, read_level,
    shorten,
)
from guandan.combos cimport (
    PASS, SUITS, Move, Table, cards_in, cards_of, kind_of, rank_of, read_table, tag,
)
from guandan.movegen cimport OVERRUN, SUITS_ONE
from guandan.position cimport NO_SEAT, Trick, is_decided

cdef str EXAMPLE = "S4S5D9/SBHR/-/C2C2H3 7 0 3:pair:2 2"


# Arguments

cdef int read_seat(str name, object seat) except -1:
    """The number of a seat, NO_SEAT for None."""
    if seat is None:
        return NO_SEAT
    number = int_of(seat)
    if number is None:
        raise TypeError(f"{name} {shorten(seat)} is no seat: want 0, 1, 2 or 3")
    if not 0 <= number < N_SEATS:
        raise StateError(f"{name} {shorten(number)} is no seat: want 0, 1, 2 or 3")
    return number


cdef tuple read_out(object out):
    """The seats that are out, in their order."""
    if not isinstance(out, Iterable) or isinstance(out, (str, bytes, Set, Mapping)):
        raise TypeError(f"out {shorten(out)}: want the seats that are out, in their order")
    cdef list seats = [read_seat("out:", seat) for seat in out]
    if NO_SEAT in seats:
        raise TypeError("out: None is no seat: want 0, 1, 2 or 3")
    return tuple(seats)


cdef Record read_shown(object table) except *:
    """The kind, the rank and perhaps the cards of what is on the table, if anything is."""
    cdef Move move
    if table is None:
        return tag(PASS, NO_RANK)
    move = table if isinstance(table, Move) else Move.parse(table)
    if kind_of(&move.record) == PASS:
        raise NotationError("a pass is no table: the table is the last play, None if the turn leads")
    return move.record


cdef Setup read_setup(
    object hands, object level, object turn, object table, object owner, int options
) except *:
    """Read the arguments of a position, each for itself."""
    cdef Setup setup
    cdef int seat
    setup.level = read_level(level)
    setup.turn = read_seat("turn", turn)
    setup.owner = read_seat("owner", owner)
    setup.table = read_shown(table)
    setup.options = options
    # Neither one hand of four cards is four hands, nor what has no order.
    if not isinstance(hands, Iterable) or isinstance(hands, (Set, Mapping)):
        raise TypeError(f"hands {shorten(hands)}: want those of seats 0 to 3, in their order")
    given = () if isinstance(hands, (str, bytes, Hand)) else tuple(hands)
    if len(given) != N_SEATS:
        raise StateError(f"{shorten(hands)}: want the hands of seats 0 to 3, one by one")
    for seat in range(N_SEATS):
        try:
            count_cards(given[seat], setup.counts[seat])
        except NotationError as error:
            raise NotationError(f"seat {seat}: {error}") from None
    return setup


# What is wrong

cdef Py_ssize_t held_by(const Setup* setup, int seat) noexcept:
    """How many cards a seat is given."""
    cdef Py_ssize_t held = 0
    cdef int kind
    for kind in range(N_KINDS_OF_CARD):
        held += setup.counts[seat][kind]
    return held


cdef Py_ssize_t copies_in_hands(const Setup* setup, int kind) noexcept:
    """How many copies of a kind of card the seats are given together."""
    cdef Py_ssize_t held = 0
    cdef int seat
    for seat in range(N_SEATS):
        held += setup.counts[seat][kind]
    return held


cdef str seats_text(object seats):
    """Name some seats."""
    *others, last = map(str, seats)
    return f"seats {', '.join(others)} and {last}" if others else f"seat {last}"


cdef list card_problems(const Setup* setup):
    """A kind of card more than twice, a hand larger than it is dealt."""
    cdef Planes shown = cards_of(&setup.table)
    cdef list problems = []
    cdef list places
    cdef Py_ssize_t total
    cdef int kind, seat
    for kind in range(N_KINDS_OF_CARD):
        total = copies_in_hands(setup, kind) + copies(&shown, <uint64_t>1 << kind)
        if total > 2:
            places = [f"seat {seat}" for seat in range(N_SEATS) if setup.counts[seat][kind]]
            if shown.once >> kind & 1:
                places.append("the table")
            problems.append(f"{total} copies of {_CARDS[kind]} ({', '.join(places)}), two decks hold 2")
    for seat in range(N_SEATS):
        total = held_by(setup, seat)
        if total > HAND_SIZE:
            problems.append(f"seat {seat} holds {total} cards, {HAND_SIZE} are dealt")
    return problems


cdef list out_problems(const Setup* setup, tuple out):
    """Seats that are out and should not be, or the other way round; a deal that is over or not.

    No seat is twice in `out`.
    """
    cdef Trick trick = trick_of(setup, ())
    cdef list problems = []
    cdef int seat
    for seat in out:
        if is_decided(&trick):
            over = seats_text(trick.out[:trick.n_out])
            problems.append(f"seat {seat} is in out, but with {over} out the deal was over")
        else:
            trick.out[trick.n_out] = <uint8_t>seat
            trick.n_out += 1
    for seat in range(N_SEATS):
        if seat in out and held_by(setup, seat):
            problems.append(f"seat {seat} is in out, but holds cards")
        elif seat not in out and not held_by(setup, seat):
            problems.append(f"seat {seat} holds no cards, but is not in out")
    if is_decided(&trick):
        if setup.turn != NO_SEAT or kind_of(&setup.table) != PASS:
            over = seats_text(trick.out[:trick.n_out])
            problems.append(f"with {over} out the deal is over: no turn, no table")
    elif setup.turn == NO_SEAT:
        problems.append("there is no turn, but the deal is not over")
    return problems


cdef list table_problems(const Setup* setup, tuple out):
    """A turn, a table or an owner that cannot be."""
    cdef str table = str(Move.wrap(&setup.table))
    cdef int owner = setup.owner
    cdef int played = cards_in(kind_of(&setup.table))
    cdef list problems = []
    if setup.turn in out:
        problems.append(f"it is the turn of seat {setup.turn}, which is out")
    if kind_of(&setup.table) == PASS:
        if owner != NO_SEAT:
            problems.append(f"seat {owner} owns the table, but nothing is on it")
        return problems
    if owner == NO_SEAT:
        problems.append(f"{table} is on the table, but no seat owns it")
    else:
        if owner == setup.turn:
            problems.append(f"seat {owner} owns the table and cannot have the turn")
        if owner in out and out.index(owner) < len(out) - 1:
            problems.append(f"seat {owner} owns the table, but seats ran out after it")
        if held_by(setup, owner) + played > HAND_SIZE:
            problems.append(f"seat {owner} holds {held_by(setup, owner)} cards and owns a table of "
                            f"{played}, {HAND_SIZE} are dealt")
    try:
        read_table(Move.wrap(&setup.table), setup.level, setup.options)
    except IllegalMoveError as error:
        problems.append(str(error))
    else:
        if not cards_of(&setup.table).once and not is_outside(setup):
            problems.append(f"the cards in no hand do not make the table's {table}")
    return problems


cdef bint is_outside(const Setup* setup) except -1:
    """Whether the cards that are in no hand make the kind and rank of the table."""
    cdef int options = setup.options & ~SUITS | SUITS_ONE      # the shortest list that has every rank
    cdef Planes outside = Planes(0, 0)
    cdef Record* moves
    cdef bint found = False
    cdef int i, n, kind
    for kind in range(N_KINDS_OF_CARD):
        outside.once |= <uint64_t>(copies_in_hands(setup, kind) < 2) << kind
        outside.twice |= <uint64_t>(copies_in_hands(setup, kind) < 1) << kind
    if outside.once == 0:
        return False
    n = movegen.count(&outside, setup.level, Table(PASS, NO_RANK), options)
    moves = <Record*>malloc((n + OVERRUN) * sizeof(Record))
    if moves == NULL:
        raise MemoryError
    movegen.leads(&outside, setup.level, options, moves)
    for i in range(n):
        found |= (kind_of(&moves[i]) == kind_of(&setup.table)
                  and rank_of(&moves[i]) == rank_of(&setup.table))
    free(moves)
    return found


cdef list problems_of(const Setup* setup, tuple out):
    """All that is wrong with a position; nothing is, where a deal can come to it.

    `out` are the seats that ran out, in their order.
    """
    # A seat that is named again has run out where it is named first.
    cdef tuple once = tuple(dict.fromkeys(out))
    cdef list problems = card_problems(setup)
    problems += [f"seat {seat} is {out.count(seat)} times in out" for seat in once if out.count(seat) > 1]
    return problems + out_problems(setup, once) + table_problems(setup, once)


cdef bint is_sound(const Position* position) except -1:
    """Whether nothing is wrong with a position, else AssertionError; for assertions."""
    cdef const Trick* trick = &position.trick
    cdef Setup setup
    cdef int seat, kind
    for seat in range(N_SEATS):
        for kind in range(N_KINDS_OF_CARD):
            setup.counts[seat][kind] = copies(&position.hands[seat], <uint64_t>1 << kind)
    setup.level = position.level
    setup.turn = trick.turn
    setup.owner = trick.owner
    setup.table = tag(trick.kind, trick.rank)
    setup.options = position.options
    problems = problems_of(&setup, tuple(trick.out[:trick.n_out]))
    if problems:
        raise AssertionError("; ".join(problems))
    return True


# Positions

cdef Trick trick_of(const Setup* setup, tuple out) noexcept:
    """The trick of a setup, with up to three seats out."""
    cdef Trick trick = Trick(<uint8_t>setup.turn, <uint8_t>setup.owner, <uint8_t>kind_of(&setup.table),
                             <uint8_t>rank_of(&setup.table), <uint8_t>len(out), [0, 0, 0])
    cdef int place
    for place in range(trick.n_out):
        trick.out[place] = <uint8_t>out[place]
    return trick


cdef Position position_of(const Setup* setup, tuple out) noexcept:
    """The position of a setup with which nothing is wrong."""
    cdef Position position
    cdef int seat, kind
    for seat in range(N_SEATS):
        position.hands[seat] = Planes(0, 0)
        for kind in range(N_KINDS_OF_CARD):
            position.hands[seat].once |= <uint64_t>(setup.counts[seat][kind] > 0) << kind
            position.hands[seat].twice |= <uint64_t>(setup.counts[seat][kind] > 1) << kind
    position.trick = trick_of(setup, out)
    position.level = <uint8_t>setup.level
    position.options = <uint16_t>setup.options
    position.lead_next = False
    return position


# Text

cdef dict read_text(object text):
    """The arguments of the position that a text describes."""
    if not isinstance(text, str):
        raise NotationError(f"{shorten(text)} is not a state's text, such as {EXAMPLE}")
    cdef list parts = str(text).split("/")
    if len(parts) != N_SEATS:
        raise NotationError(f"{shorten(text)} has {len(parts) - 1} slashes, want 3 between four hands: "
                            f"such as {EXAMPLE}")
    cdef list words = parts[3].split()
    cdef int n = 1
    # The last hand may have spaces between its cards; a level is one letter, a card two.
    while n < len(words) and len(words[n]) > 1 and words[n] != "10":
        n += 1
    parts[3] = " ".join(words[:n])
    words = words[n:]
    if len(words) < 4 or len(words) > 4 and ":" not in words[2]:
        raise NotationError(f"{shorten(text)}: want four words after the hands, level, turn, table and "
                            f"out, not {len(words)}: such as {EXAMPLE}")
    level, turn, *table, out = words
    owner, table = read_table_text(" ".join(table))
    return {
        "hands": [read_hand_text(seat, part.strip()) for seat, part in enumerate(parts)],
        "level": level,
        "turn": None if turn == "-" else read_digit("turn", turn),
        "table": table,
        "owner": owner,
        "out": [] if out == "-" else [read_digit("out", seat) for seat in out],
    }


cdef str read_hand_text(int seat, str text):
    """A hand's cards."""
    if not text:
        raise NotationError(f'seat {seat}: a hand without cards is written "-"')
    return "" if text == "-" else text


cdef int read_digit(str name, str text) except -1:
    """A seat's number."""
    if text not in ("0", "1", "2", "3"):
        raise NotationError(f'{name} {shorten(text)}: want a seat, 0 to 3, or "-" for none')
    return int(text)


cdef tuple read_table_text(str text):
    """The owner and the move of a table, each None where there is none."""
    if text == "-":
        return None, None
    cdef list words = text.split(":")
    # Spaces may part the cards alone.
    if not 2 <= len(words) <= 4 or not all(words) or " " in "".join(words[:3]):
        raise NotationError(f'table {shorten(text)}: want seat:kind:key or seat:kind:key:cards, or "-"')
    try:
        return read_digit("owner", words[0]), Move.parse(" ".join(words[1:]))
    except NotationError as error:
        raise NotationError(f"table: {error}") from None


cdef str text_of(const Position* position, const Record* shown):
    """A position's text, with the table's cards where they are known."""
    cdef const Trick* trick = &position.trick
    cdef list hands = [card_texts(&position.hands[seat], "") or "-" for seat in range(N_SEATS)]
    cdef str table = "-"
    if trick.kind != PASS:
        words = str(Move.wrap(shown)).split(maxsplit=2)
        table = ":".join([str(trick.owner), *words]).replace(" ", "")
    return " ".join([
        "/".join(hands),
        level_text(position.level),
        "-" if trick.turn == NO_SEAT else str(trick.turn),
        table,
        "".join(map(str, trick.out[:trick.n_out])) or "-",
    ])
