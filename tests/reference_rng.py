"""The random generator and seeded deals in plain Python, as `rng.pxd` and `deal_hands` say."""

MASK = (1 << 64) - 1


class Rng:
    """SplitMix64, with numbers below n by multiply, shift and reject."""

    def __init__(self, state: int) -> None:
        self.state = state

    def bits(self) -> int:
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        x = self.state
        x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & MASK
        x = (x ^ x >> 27) * 0x94D049BB133111EB & MASK
        return x ^ x >> 31

    def below(self, n: int) -> int:
        while True:
            product = (self.bits() >> 32) * n
            if product % 2**32 >= 2**32 % n:
                return product >> 32

    @classmethod
    def stream(cls, seed: int, number: int) -> "Rng":
        """Give one of many generators of a seed."""
        return cls(cls(cls(seed).bits() ^ number).bits())


def dealt(rng: Rng) -> list[list[int]]:
    """Deal four sorted hands of numbers of cards."""
    deck = [*range(54), *range(54)]
    for place in range(107, 0, -1):
        other = rng.below(place + 1)
        deck[place], deck[other] = deck[other], deck[place]
    return [sorted(deck[i : i + 27]) for i in (0, 27, 54, 81)]
