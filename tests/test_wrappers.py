"""The wrappers for learners' libraries where these are missing; each has tests of its own."""

import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

PYPROJECT = Path(__file__).parents[1] / "pyproject.toml"
WRAPPERS = {
    "gymnasium_env": ("gymnasium", "gymnasium"),
    "openspiel_game": ("pyspiel", "openspiel"),
    "pettingzoo_env": ("pettingzoo", "pettingzoo"),
}


def test_the_package_imports_no_library_of_learners() -> None:
    libraries = (*(library for library, _ in WRAPPERS.values()), "guandan.wrappers")
    code = f"import sys, guandan; sys.exit(any(name in sys.modules for name in {libraries}))"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(("module", "library", "extra"), [(k, *v) for k, v in WRAPPERS.items()])
def test_a_missing_library(
    module: str, library: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = tomllib.loads(PYPROJECT.read_text("utf-8"))["project"]
    assert extra in project["optional-dependencies"]
    monkeypatch.setitem(sys.modules, library, None)
    monkeypatch.delitem(sys.modules, f"guandan.wrappers.{module}", raising=False)
    with pytest.raises(ImportError, match=rf"pip install '{project['name']}\[{extra}\]'"):
        import_module(f"guandan.wrappers.{module}")
