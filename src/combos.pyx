"""Kinds of move, moves and their text, readings, and what beats what."""

from enum import IntEnum

from guandan.errors import IllegalMoveError, NotationError, StateError

cimport cython

from guandan.bits cimport lowest, popcount
from guandan.cards cimport (
    N_RANKS, NO_RANK, RANK_BIG, SMALL_JOKER, Hand, card_texts, copies, natural_bits, read_cards,
    read_level, shorten, size, wild_bit,
)

__all__ = ["Kind", "Move", "readings"]

cdef str RANKS = "23456789TJQKABR-"


class Kind(IntEnum):
    """The kinds of move in the order of every list: from BOMB4 on bombs, each beating those before.

    A number that is no kind raises ValueError.
    """

    PASS = 0
    SINGLE = 1
    PAIR = 2
    TRIPLE = 3
    FULL_HOUSE = 4
    STRAIGHT = 5
    TUBE = 6
    PLATE = 7
    BOMB4 = 8
    BOMB5 = 9
    STRAIGHT_FLUSH = 10
    BOMB6 = 11
    BOMB7 = 12
    BOMB8 = 13
    BOMB9 = 14
    BOMB10 = 15
    JOKER_BOMB = 16


cdef tuple _kinds = tuple(Kind)
cdef tuple _kind_words = tuple(kind.name.lower() for kind in Kind)
cdef dict _kind_of_word = {word: int(kind) for kind, word in zip(_kinds, _kind_words, strict=True)}


# Keys

cdef uint64_t keys(int kind) noexcept nogil:
    """The rank codes that a kind can have, as bits."""
    cdef uint64_t ranks = (<uint64_t>1 << N_RANKS) - 1
    if kind == SINGLE or kind == PAIR:
        return ranks | ranks << 2
    if kind == STRAIGHT or kind == STRAIGHT_FLUSH:
        return ranks & ~<uint64_t>7
    if kind == TUBE:
        return ranks & ~<uint64_t>1
    if kind == PASS or kind == JOKER_BOMB:
        return <uint64_t>1 << NO_RANK
    return ranks


cdef bint is_key(int kind, int rank) noexcept nogil:
    """Whether a move of a kind can have a rank."""
    return keys(kind) >> rank & 1


cdef int cards_in(int kind) noexcept nogil:
    """How many cards a move of a kind has."""
    if kind >= BOMB4 and kind != STRAIGHT_FLUSH and kind != JOKER_BOMB:
        return bomb_size(kind)
    if kind == FULL_HOUSE or kind == STRAIGHT or kind == STRAIGHT_FLUSH:
        return 5
    if kind == TUBE or kind == PLATE:
        return 6
    return 4 if kind == JOKER_BOMB else kind


# Readings

cdef struct Selection:
    Planes natural         # without wilds and jokers
    int level
    int size
    int wilds
    int ranks              # bits of the ranks held
    int[N_RANKS] held      # natural cards of each rank
    uint64_t jokers        # the two bits of the jokers held
    bint joker_pair        # its jokers are two, and alike


cdef Selection select(const Planes* cards, int level) noexcept nogil:
    """Count a selection of cards by rank."""
    cdef Selection chosen
    cdef uint64_t wild = wild_bit(level)
    cdef int rank
    chosen.natural.once = cards.once & natural_bits() & ~wild
    chosen.natural.twice = cards.twice & natural_bits() & ~wild
    chosen.level = level
    chosen.size = size(cards)
    chosen.wilds = copies(cards, wild)
    chosen.ranks = 0
    for rank in range(N_RANKS):
        chosen.held[rank] = (popcount(chosen.natural.once >> 4 * rank & 15)
                             + popcount(chosen.natural.twice >> 4 * rank & 15))
        chosen.ranks |= (chosen.held[rank] > 0) << rank
    chosen.jokers = cards.once >> SMALL_JOKER
    chosen.joker_pair = chosen.jokers != 0 and cards.twice >> SMALL_JOKER == chosen.jokers != 3
    return chosen


cdef Record* read_equal(const Selection* chosen, int switches, Record* out) noexcept nogil:
    """Write the reading as cards of one rank: a single, pair, triple or bomb, if there is one."""
    cdef int n = chosen.size
    cdef int rank
    if chosen.jokers:
        if n == 4 and chosen.jokers == 3 and chosen.natural.once == 0 and chosen.wilds == 0:
            out[0] = tag(JOKER_BOMB, NO_RANK)
            return out + 1
        if not (n == 1 or n == 2 and chosen.joker_pair):
            return out
        rank = RANK_BIG - (chosen.jokers == 1)
    elif chosen.ranks == 0:
        rank = chosen.level
    elif chosen.ranks & chosen.ranks - 1:
        return out
    else:
        rank = lowest(chosen.ranks)
    if n <= largest_bomb(switches):
        out[0] = tag(n if n < 4 else bomb_kind(n), rank)
        out += 1
    return out


cdef Record* read_full_houses(const Selection* chosen, int switches, Record* out) noexcept nogil:
    """Write the readings of five cards as full houses, by rising key."""
    cdef int key, rank, others
    cdef bint pair
    for key in range(N_RANKS):
        rank = rank_at(key, chosen.level)
        if not chosen.ranks >> rank & 1 or chosen.held[rank] > 3:
            continue
        others = chosen.ranks & ~(1 << rank)
        if chosen.jokers:
            pair = chosen.joker_pair and others == 0 and not switches & NO_JOKER_PAIR
        elif others == 0:
            pair = chosen.held[rank] == 3 and not (switches & NO_LEVEL_FULL_HOUSE
                                                   and rank == chosen.level)
        else:
            pair = not others & others - 1 and chosen.held[lowest(others)] <= 2
        if pair:
            out[0] = tag(FULL_HOUSE, rank)
            out += 1
    return out


cdef Record* read_runs(
    const Selection* chosen, int kind, int length, int each, Record* out
) noexcept nogil:
    """Write the readings as a run of so many ranks with so many cards of each, by rising key."""
    cdef int top, rank, step, window
    if chosen.jokers:
        return out
    for rank in range(N_RANKS):
        if chosen.held[rank] > each:
            return out
    for top in range(length - 2, N_RANKS):
        window = 0
        for step in range(length):
            window |= 1 << (top - step if top >= step else ACE)
        if not chosen.ranks & ~window:
            out[0] = tag(kind, top)
            out += 1
    return out


cdef int read_all(const Planes* cards, int level, int switches, Record* out) noexcept nogil:
    """Write the readings of a selection, at most MAX_READINGS records without cards, in list order."""
    cdef Selection chosen = select(cards, level)
    cdef Record* end = out
    cdef bint one_suit, straight
    if chosen.size == 5:
        end = read_full_houses(&chosen, switches, end)
        one_suit = chosen.natural.once != 0 and is_one_suit(chosen.natural.once)
        straight = not one_suit or may_be_straight(chosen.natural.once, chosen.wilds > 0, switches)
        if straight:
            end = read_runs(&chosen, STRAIGHT, 5, 1, end)
        end = read_equal(&chosen, switches, end)
        if one_suit:
            end = read_runs(&chosen, STRAIGHT_FLUSH, 5, 1, end)
    elif chosen.size == 6:
        end = read_runs(&chosen, TUBE, 3, 2, end)
        end = read_runs(&chosen, PLATE, 2, 3, end)
        end = read_equal(&chosen, switches, end)
    elif chosen.size > 0:
        end = read_equal(&chosen, switches, end)
    return <int>(end - out)


cdef bint is_reading(const Planes* cards, int level, int switches, Table table) noexcept nogil:
    """Whether a selection can be a kind and rank."""
    cdef Record[MAX_READINGS] found
    cdef int n = read_all(cards, level, switches, found)
    cdef int i
    for i in range(n):
        if kind_of(&found[i]) == table.kind and rank_of(&found[i]) == table.rank:
            return True
    return False


def readings(cards, level, rules=None):
    """Return every reading of a selection of cards at a level, a list of Move in list order.

    `cards` is a Hand, a text or an iterable of cards, `rules` a Rules (default: jiangsu2023).
    Cards that make nothing, and no cards, give an empty list. Rules: the combos
    of the Jiangsu rules of 2023. Raises NotationError for text that cannot be read, StateError for a
    third copy of a card, TypeError for `rules` that are no Rules.

    >>> readings("S9 C9 D9 H2 H2", level="2")
    [Move.parse("full_house 9 H2 H2 S9 C9 D9"), Move.parse("bomb5 9 H2 H2 S9 C9 D9")]
    """
    cdef Planes chosen = read_cards(cards)
    cdef Record[MAX_READINGS] found
    cdef int n = read_all(&chosen, read_level(level), switches_of(rules), found)
    cdef list moves = []
    for i in range(n):
        found[i].once |= chosen.once
        found[i].twice |= chosen.twice
        moves.append(Move.wrap(&found[i]))
    return moves


cdef int switches_of(object rules) except -1:
    """The switches of a Rules; none for the default rules."""
    if rules is None:
        return 0
    switches = getattr(rules, "switches", None)
    if not isinstance(switches, int) or not 0 <= switches < SWITCHES_END:
        raise TypeError(
            f"rules: want a Rules, such as Rules.preset(\"opengd\"), got {shorten(rules)}")
    return switches


# Moves

@cython.final
cdef class Move:
    """A play or a pass: a kind of move, a rank and the cards; immutable and hashable.

    Made by `Move.parse`, by lists of moves and by readings. Two moves are the same exactly when
    kind, rank and cards are the same. A move without cards says only what there is to beat.

    >>> move = Move.parse("pair 3 S3 H2")
    >>> move.kind.name, move.rank, move.size, str(move.cards), move.wilds("2")
    ('PAIR', '3', 2, 'H2 S3', 1)
    """

    def __cinit__(self, *args, **kwargs):
        self.record = tag(PASS, NO_RANK)

    def __init__(self, *args, **kwargs):
        raise TypeError('a Move is made from text: Move.parse("pair 3 S3 C3")')

    @staticmethod
    cdef Move wrap(const Record* record):
        cdef Move move
        if (kind_of(record) >= N_KINDS or not is_key(kind_of(record), rank_of(record))
                or record.twice & ~record.once & card_bits()):
            raise StateError("a record is no move: has its buffer been written over?")
        move = Move.__new__(Move)
        move.record = record[0]
        return move

    @staticmethod
    def parse(text):
        """Read a move's text: `pass`, or a kind, a key and the cards, which may be missing.

        Checks the words, that the kind has the key, and the number of cards; whether these cards
        make the move is checked where a level is known. Raises NotationError, and StateError for
        a third copy of a card.
        """
        if not isinstance(text, str):
            raise NotationError(f'{shorten(text)} is not a move\'s text, such as "pair 3 S3 C3"')
        words = str(text).split(maxsplit=2)
        if not words:
            raise NotationError('an empty text is no move: write "pass", or such as "pair 3 S3 C3"')
        cdef int kind = read_kind(words[0])
        if kind == PASS and len(words) > 1:
            raise NotationError(f'{shorten(text)}: a pass has no key and no cards, write "pass"')
        cdef int rank = NO_RANK if len(words) == 1 else read_rank(kind, words[1])
        cdef Planes cards = Planes(0, 0)
        if len(words) == 1 and not is_key(kind, NO_RANK):
            raise NotationError(f"{shorten(text)} lacks its key: write such as "
                                f'"{words[0]} {RANKS[lowest(keys(kind))]}"')
        if len(words) == 3:
            cards = read_cards(words[2])
            if size(&cards) != cards_in(kind):
                raise NotationError(f"{shorten(text)}: a {words[0]} has {cards_in(kind)} "
                                    f"card{'s' if kind != SINGLE else ''}, not {size(&cards)}")
        cdef Record record = tag(kind, rank)
        record.once |= cards.once
        record.twice |= cards.twice
        return Move.wrap(&record)

    @property
    def kind(self):
        """The Kind of the move."""
        return _kinds[kind_of(&self.record)]

    @property
    def rank(self):
        """The rank that is compared, a text: of a run its top; "B", "R" jokers; "-" if it has none."""
        return RANKS[rank_of(&self.record)]

    @property
    def size(self):
        """How many cards a move of this kind has, whether they are given or not."""
        return cards_in(kind_of(&self.record))

    @property
    def cards(self):
        """The cards, a Hand; empty for a pass and where only kind and rank are given."""
        return Hand.wrap(cards_of(&self.record))

    def wilds(self, level):
        """Return how many of the cards are wild at a level; NotationError if it is none."""
        cdef Planes cards = cards_of(&self.record)
        return copies(&cards, wild_bit(read_level(level)))

    def beats(self, other, level):
        """Return whether this move, by its kind and rank, beats another, a Move or its text.

        A pass neither beats nor is beaten. Raises NotationError for text or a level that cannot
        be read.

        >>> Move.parse("bomb4 3").beats("straight A", level="2")
        True
        """
        cdef Move theirs = other if isinstance(other, Move) else Move.parse(other)
        return beats(Table(kind_of(&self.record), rank_of(&self.record)),
                     Table(kind_of(&theirs.record), rank_of(&theirs.record)), read_level(level))

    def __eq__(self, other):
        if not isinstance(other, Move):
            return NotImplemented
        cdef Move theirs = <Move>other
        return same(&self.record, &theirs.record)

    def __hash__(self):
        return hash((self.record.once, self.record.twice))

    def __str__(self):
        cdef int kind = kind_of(&self.record)
        cdef Planes cards = cards_of(&self.record)
        if kind == PASS:
            return "pass"
        text = f"{_kind_words[kind]} {RANKS[rank_of(&self.record)]}"
        return f"{text} {card_texts(&cards, ' ')}" if cards.once else text

    def __repr__(self):
        return f'Move.parse("{self}")'

    def __reduce__(self):
        return Move.parse, (str(self),)


cdef int read_kind(str word) except -1:
    """The number of a kind's word."""
    cdef object kind = _kind_of_word.get(word)
    if kind is None:
        hint = f"the kinds are {' '.join(_kind_words)}"
        if word.lower() in _kind_of_word:
            hint = f'write "{word.lower()}"'
        elif word == "bomb":
            hint = "say its size: bomb4 to bomb10"
        raise NotationError(f"{shorten(word)} is not a kind of move: {hint}")
    return kind


cdef int read_rank(int kind, str word) except -1:
    """The rank code of a key's text, if a kind has it."""
    cdef int rank = <int>RANKS.find(word) if len(word) == 1 else -1
    if rank < 0 or not is_key(kind, rank):
        hint = " ".join(RANKS[code] for code in range(len(RANKS)) if is_key(kind, code))
        raise NotationError(f"{shorten(word)} is not a key of a {_kind_words[kind]}: "
                            f"{'write T for the ten; ' if word == '10' else ''}its keys are {hint}")
    return rank


cdef Table read_table(object beat, int level, int switches) except *:
    """The kind and rank to beat: of a Move, of a move's text, or of None for a lead.

    Cards, where given, must make the move; without cards some cards of the two decks must.
    """
    cdef Move move
    cdef Table table = Table(PASS, NO_RANK)
    if beat is None:
        return table
    move = beat if isinstance(beat, Move) else Move.parse(beat)
    table = Table(kind_of(&move.record), rank_of(&move.record))
    if table.kind == PASS:
        raise NotationError('a pass is nothing to beat: leave `beat` out to list the leads')
    cdef Planes cards = cards_of(&move.record)
    cdef Record[MAX_READINGS] found
    cdef int n
    if cards.once:
        if is_reading(&cards, level, switches, table):
            return table
        n = read_all(&cards, level, switches, found)
        made = ", ".join(str(Move.wrap(&found[i])) for i in range(n)) or "no move"
        raise IllegalMoveError(
            f"{move} cannot be: at level {RANKS[level]} these cards make {made}")
    check_table(table, level, switches)
    return table


cdef int check_table(Table table, int level, int switches) except -1:
    """Raise IllegalMoveError for a kind and rank that no cards of the two decks make."""
    cdef int most = largest_bomb(switches)
    cdef int held = 8 if table.rank == level else 10       # with both wilds
    if table.kind < BOMB4 or table.kind == STRAIGHT_FLUSH or table.kind == JOKER_BOMB:
        return 0
    if bomb_size(table.kind) > min(most, held):
        where = "by these rules" if most <= held and most < 10 else f"at level {RANKS[level]}"
        raise IllegalMoveError(
            f"{_kind_words[table.kind]} {RANKS[table.rank]} cannot be: {where} "
            f"a bomb of {RANKS[table.rank]} has at most {min(most, held)} cards")
    return 0
