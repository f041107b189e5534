"""What is paid and returned between two deals, and who leads after it."""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import NamedTuple, SupportsIndex

from guandan.cards import Hand, check_bool, int_of, shorten
from guandan.combos import readings
from guandan.errors import IllegalMoveError, NotationError, StateError
from guandan.gifts import owing, pairing, payable_cards, read_order, resists, returnable_cards
from guandan.rules import Rules, read_rules

__all__ = [
    "Payment",
    "Tribute",
    "TributePlan",
    "can_resist",
    "pair",
    "payable",
    "payers",
    "returnable",
    "tribute_plan",
]


class Payment(NamedTuple):
    """A tribute that is due: who pays whom, and the kinds of card that the payer chooses among.

    `cards` holds each kind once, in the order of kinds; all are of one rank.
    """

    payer: int
    receiver: int
    cards: tuple[str, ...]


class Tribute(NamedTuple):
    """A tribute that is paid: who paid whom, and the card."""

    payer: int
    receiver: int
    card: str


@dataclass(frozen=True, kw_only=True)
class TributePlan:
    """What is paid before a deal, and who leads it.

    `payments` has that to the first at its beginning, and is empty where the tribute is
    `resisted`. Each receiver returns a card to the seat that paid him; see `returnable`.
    """

    resisted: bool
    payments: tuple[Payment, ...]
    leader: int


def tribute_plan(
    hands: Sequence[Hand | str],
    level: str,
    order: Sequence[int],
    rules: Rules | None = None,
    resist: bool = True,
) -> TributePlan:
    """Return what is paid before a deal: from new hands, by the order of the deal before.

    `hands` are those of seats 0 to 3 before any tribute, of whatever size; `level` is that of the
    deal to come, `rules` a Rules (default: jiangsu2023). `resist` is the choice of a side that can
    resist and need not; for others it does not matter. Where rules say `first_paid`, payments are
    taken to be made in seat order from the first's next seat; see `pair` for another order.

    Raises ValueError for an order that is none and for `resist=False` where resisting is forced,
    StateError for hands that no deal can give, NotationError for text that cannot be read,
    TypeError for what is of another type.

    >>> hands = ["S3 S4", "SK HQ", "S5 S6", "SA CA"]
    >>> for payment in tribute_plan(hands, "2", order=(0, 2, 1, 3)).payments:
    ...     print(payment)
    Payment(payer=3, receiver=0, cards=('SA', 'CA'))
    Payment(payer=1, receiver=2, cards=('SK',))
    >>> tribute_plan(["S3", "HR SK", "S5", "HR SA"], "2", order=(0, 2, 1, 3))
    TributePlan(resisted=True, payments=(), leader=0)
    """
    held = read_hands(hands)
    order = read_order(order)
    readings("", level)  # a level that is none, also where nobody pays
    rules = read_rules(rules)
    check_bool("resist", resist)
    if resists(held, order):
        if rules.resist == "forced" and not resist:
            raise ValueError(
                f"resist={resist!r}: seats that hold both big jokers resist under resist='forced', "
                "want True, or rules with resist='optional'"
            )
        if resist:
            return TributePlan(resisted=True, payments=(), leader=order[0])
    choices = {seat: payable(held[seat], level) for seat in owing(order)}
    paid = {seat: cards[0] for seat, cards in choices.items()}
    pairs, leader = pairing(order, paid, level, rules)
    payments = tuple([Payment(payer, receiver, choices[payer]) for payer, receiver in pairs])
    return TributePlan(resisted=False, payments=payments, leader=leader)


def payers(order: Sequence[int]) -> tuple[int, ...]:
    """Return the seats that owe tribute after a deal's order: the last, or both after a double.

    In seat order from the first's next seat: where rules leave it to the side whether it resists,
    that is for the earlier one to say.

    >>> payers((0, 1, 3, 2)), payers((3, 1, 0, 2))
    ((2,), (0, 2))
    """
    return owing(order)


def can_resist(hands: Sequence[Hand | str], order: Sequence[int]) -> bool:
    """Return whether the seats that owe tribute hold both big jokers together.

    >>> can_resist(["S3", "HR", "S4", "HR"], order=(0, 2, 1, 3))
    True
    >>> can_resist(["S3", "HR", "S4", "HR"], order=(0, 1, 2, 3))
    False
    """
    return resists(read_hands(hands), order)


def payable(hand: Hand | str, level: str) -> tuple[str, ...]:
    """Return the kinds of card that a payer chooses among: his highest rank, wilds excepted.

    Each once, in the order of kinds. Raises StateError for a hand without another card than
    wilds.

    >>> payable("H5 S5 D5 SA", "5"), payable("H5 H5 SA SA CA", "5")
    (('S5', 'D5'), ('SA', 'CA'))
    """
    cards = payable_cards(hand, level)
    if not cards:
        raise StateError(
            f"{shorten(hand)}: want a hand with a card that is not wild at level {level}"
        )
    return cards


def pair(
    order: Sequence[int], paid: Mapping[int, str], level: str, rules: Rules | None = None
) -> tuple[list[Tribute], int]:
    """Return who receives each card that is paid, and the leader.

    The tribute to the first comes first. `paid` maps each of the `payers` to his card, in the
    order in which they acted, which counts where the cards are equal and the rules say
    `first_paid`. Whether he holds the card, and none higher, is not looked at: see `payable`.
    Ours: under `by_seat` equal cards go by the seat too, and the payer of the greater one leads
    although the first may not receive it.

    Raises ValueError where others pay than owe tribute, IllegalMoveError for a wild.

    >>> pair((0, 2, 1, 3), {1: "SK", 3: "SA"}, "2")
    ([Tribute(payer=3, receiver=0, card='SA'), Tribute(payer=1, receiver=2, card='SK')], 3)
    >>> rules = Rules(tribute_tie_pairing="first_paid")
    >>> pair((0, 2, 1, 3), {3: "SA", 1: "CA"}, "2", rules)
    ([Tribute(payer=3, receiver=0, card='SA'), Tribute(payer=1, receiver=2, card='CA')], 3)
    """
    order = read_order(order)
    rules = read_rules(rules)
    cards = read_paid(paid, owing(order))
    readings("", level)  # a level that is none
    for seat, card in cards.items():
        if card == f"H{level}":
            raise IllegalMoveError(
                f"seat {seat} cannot pay {card}: it is wild at level {level}, want his highest "
                "card that is not"
            )
    pairs, leader = pairing(order, cards, level, rules)
    return [Tribute(payer, receiver, cards[payer]) for payer, receiver in pairs], leader


def returnable(
    hand: Hand | str,
    level: str,
    to_partner: bool,
    rules: Rules | None = None,
    received: str | None = None,
) -> list[str]:
    """Return the kinds of card that a receiver may return: each once, in the order of kinds.

    `hand` holds the card `received` too; None for it leaves `return_same_card` out of account.
    `to_partner` says whether the payer is the receiver's partner; `rules` is a Rules (default:
    jiangsu2023). The wild goes by its printed rank, the level's.

    There is always a card to return. Ours: where the received kind may not go back,
    `return_when_none` chooses among the other cards, so `lowest` is the lowest rank of those; and
    a hand that is the received card alone returns it.

    Raises StateError for an empty hand, ValueError for a received card that is not in the hand,
    NotationError for text that cannot be read, TypeError for what is of another type.

    >>> returnable("S3 S5 D8 CT SQ SB", "5", to_partner=False)
    ['S3', 'D8', 'CT']
    >>> returnable("SQ DJ CJ HR", "5", to_partner=False)
    ['CJ', 'DJ']
    """
    rules = read_rules(rules)
    check_bool("to_partner", to_partner)
    readings("", level)  # a level that is none, also where there are no cards
    held = Hand(hand)
    if not held:
        raise StateError(f"{shorten(hand)}: want a hand with a card to return")
    if received is not None:
        card = read_card(received)
        if card not in held:
            raise ValueError(f"received={shorten(received)}: want a card of the hand, {held}")
        received = card
    return list(returnable_cards(held, level, to_partner, rules, received))


# Arguments


def seat_of(value: object) -> int | None:
    """Return the seat that a value is, None for one that is no seat; a bool is none."""
    seat = int_of(value)
    return seat if seat in range(4) else None


def read_seat(name: str, value: SupportsIndex) -> int:
    """Return the seat that an argument names."""
    seat = seat_of(value)
    if seat is None:
        raise ValueError(f"{name}={shorten(value)}: want one of 0, 1, 2, 3")
    return seat


def read_hands(hands: Sequence[Hand | str]) -> list[Hand]:
    """Return four hands that two decks can give, none of them empty."""
    if not isinstance(hands, Iterable) or isinstance(hands, (str, bytes, Hand, Set, Mapping)):
        raise TypeError(f"hands={shorten(hands)}: want those of seats 0 to 3, in their order")
    given = tuple(hands)
    if len(given) != 4:
        raise StateError(f"{len(given)} hands: want those of seats 0 to 3, one by one")
    held = []
    for seat, hand in enumerate(given):
        try:
            held.append(Hand(hand))
        except (NotationError, StateError) as error:
            raise type(error)(f"seat {seat}: {error}") from None
        if not held[seat]:
            raise StateError(f"seat {seat} holds no cards: want a hand as it is dealt")
    try:
        held[0] + held[1] + held[2] + held[3]
    except StateError:
        # Say which cards are too many.
        Hand.from_counts(map(sum, zip(*(hand.counts() for hand in held), strict=True)))
    return held


def read_card(card: str) -> str:
    """Return a card's text."""
    return str(Hand([card]))


def read_paid(paid: Mapping[int, str], due: tuple[int, ...]) -> dict[int, str]:
    """Return the cards by the seats that pay them."""
    want = f"a card of {' and of '.join(f'seat {seat}' for seat in due)}"
    if not isinstance(paid, Mapping):
        raise TypeError(f"paid={shorten(paid)}: want a mapping with {want}")
    if set(paid) != set(due):
        raise ValueError(f"paid={shorten(paid)}: want {want}, and no other")
    return {int(seat): read_card(card) for seat, card in paid.items()}
