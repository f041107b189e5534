"""Settings and fixtures of all tests."""

import signal
from collections.abc import Callable, Iterator

import pytest
from hypothesis import settings

# Time limits of single examples say nothing on a busy machine.
settings.register_profile("guandan", deadline=None)
settings.load_profile("guandan")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--perft-nodes",
        type=int,
        default=10_000_000,
        metavar="N",
        help="check the counts of the perft files up to so many sequences",
    )
    parser.addoption(
        "--endgame-cards",
        type=int,
        default=16,
        metavar="N",
        help="search endings of up to so many cards to their ends",
    )


@pytest.fixture
def perft_nodes(request: pytest.FixtureRequest) -> int:
    nodes: int = request.config.getoption("--perft-nodes")
    return nodes


@pytest.fixture
def endgame_cards(request: pytest.FixtureRequest) -> int:
    cards: int = request.config.getoption("--endgame-cards")
    return cards


@pytest.fixture
def alarm() -> Iterator[Callable[[], None]]:
    """Give a call after which a signal raises KeyboardInterrupt before long."""
    if not hasattr(signal, "setitimer"):
        pytest.skip("needs a timer that sends a signal")

    def ring(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, ring)
    yield lambda: signal.setitimer(signal.ITIMER_REAL, 0.1)
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)
