"""The workloads of all benches."""

from types import ModuleType

import pytest
import workload


@pytest.fixture(scope="session")
def loops() -> ModuleType:
    return workload.loops()
