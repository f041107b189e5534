"""The deals of a match, of a seed or given ones, and the card that names the first leader."""

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import NamedTuple, SupportsIndex

from guandan.cards import CARDS, Hand, deal_hands, read_int, shorten
from guandan.rounds import turned_up
from guandan.state import State

__all__ = ["Dealer", "Given", "Hands"]

Hands = tuple[Hand, Hand, Hand, Hand]

HAND_SIZE = 27
MOST_SEED = 2**64 - 1


class Given(NamedTuple):
    """A deal that is given, and who leads it if it is a match's first; None to draw that."""

    hands: Hands
    leader: int | None


class Dealer(NamedTuple):
    """What the deals of a match come from.

    Deal n of a seed has the hands of `deal_hands(d)`, where d are the first 8 bytes, the highest
    first, of the SHA-256 of the text "seed n deal", such as "3 1 deal". The card that is turned up
    is drawn in the same way with "card 0", "card 1", .. in the place of "deal", until it is neither
    joker nor wild: the number modulo 108 is twice its kind, and one more for the second copy, that
    of the later seat where two seats hold one each.
    """

    seed: int
    given: tuple[Given, ...] | None = None

    def has(self, number: int) -> bool:
        """Return whether there is a deal of a number, from 1; a seed has them all."""
        return self.given is None or number <= len(self.given)

    def hands(self, number: int) -> Hands:
        """Return the hands of a deal; after given ones, as a seed has it."""
        if self.given is not None and self.has(number):
            return self.given[number - 1].hands
        return deal_hands(self._draw(number, "deal"))

    def leader(self, number: int) -> int | None:
        """Return who leads a deal if that is given."""
        return self.given[number - 1].leader if self.given and self.has(number) else None

    def turn_up(self, number: int, hands: Hands, level: str) -> tuple[int, str]:
        """Draw one of a deal's cards, no joker and no wild; return its holder and the card."""
        tries = 0
        while True:
            found = turned_up(hands, level, self._draw(number, f"card {tries}") % 108)
            if found is not None:
                return found
            tries += 1

    def _draw(self, number: int, what: str) -> int:
        """Draw 64 bits for a deal."""
        text = f"{self.seed} {number} {what}"
        return int.from_bytes(sha256(text.encode()).digest()[:8], "big")


def read_seed(seed: SupportsIndex) -> int:
    """Return the seed that an argument is."""
    return read_int("seed", seed, 0, MOST_SEED, ValueError)


def read_given(deals: Iterable[State | Sequence[Hand | str]]) -> tuple[Given, ...]:
    """Return given deals, at least one: of a State hands and turn, otherwise four hands."""
    if not isinstance(deals, Iterable) or isinstance(deals, (str, bytes)):
        raise TypeError(f"deals={shorten(deals)}: want States, or four hands for each deal")
    given = tuple(read_deal(f"deal {number}", deal) for number, deal in enumerate(deals, 1))
    if not given:
        raise ValueError("deals: want one or more")
    return given


def read_deal(name: str, deal: State | Sequence[Hand | str]) -> Given:
    """Return a given deal: all 108 cards, 27 in each hand."""
    if isinstance(deal, State):
        return Given(read_hands(name, deal.hands), deal.turn)
    if not isinstance(deal, Iterable) or isinstance(deal, (str, bytes)):
        raise TypeError(f"{name}: want a State or four hands, got {shorten(deal)}")
    return Given(read_hands(name, deal), None)


def read_hands(name: str, hands: Iterable[Hand | str]) -> Hands:
    """Return the hands of a whole deal."""
    try:
        held = [hand if isinstance(hand, Hand) else Hand(hand) for hand in hands]
    except ValueError as error:
        raise type(error)(f"{name}: {error}") from None
    if len(held) != 4:
        raise ValueError(f"{name}: want the hands of four seats, got {len(held)}")
    sizes = [len(hand) for hand in held]
    if sizes != [HAND_SIZE] * 4:
        raise ValueError(f"{name}: want {HAND_SIZE} cards in each hand, got {sizes}")
    for card in CARDS:
        if (copies := sum(hand.count(card) for hand in held)) != 2:
            raise ValueError(f"{name}: want two of each card, there are {copies} of {card}")
    first, second, third, fourth = held
    return first, second, third, fourth
