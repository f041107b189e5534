"""Settings of all tests."""

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


@pytest.fixture
def perft_nodes(request: pytest.FixtureRequest) -> int:
    nodes: int = request.config.getoption("--perft-nodes")
    return nodes
