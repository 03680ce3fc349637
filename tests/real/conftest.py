"""Tests with real CLIs run only when asked for (`-m real_cli`, `make test-real`)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.real import install
from tests.real.tmux import has_tmux

REQUIRED = "REAL_CLI_REQUIRED"
"""Set to 1 where a CLI that cannot be installed must fail the tests, not skip them (`.ci/run`)."""

_programs: dict[str, Path] = {}
_missing: dict[str, str] = {}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the real CLIs out of the ordinary run."""
    if "real_cli" in (config.option.markexpr or ""):
        return
    real = [item for item in items if item.get_closest_marker("real_cli")]
    if real:
        config.hook.pytest_deselected(items=real)
        items[:] = [item for item in items if item not in real]


def pytest_collection_finish(session: pytest.Session) -> None:
    """Install what the chosen tests need, outside of any test's deadline."""
    needed = {name for item in session.items for name in _clis_of(item)}
    programs, missing = install.install_all(needed)
    _programs.update(programs)
    _missing.update(missing)


def _clis_of(item: pytest.Item) -> set[str]:
    """The CLIs that a test drives: its parameter `name`, else what `@pytest.mark.real_cli` names."""
    marker = item.get_closest_marker("real_cli")
    if marker is None:
        return set()
    parameters = (
        item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
    )
    name = parameters.get("name")
    return {str(name)} if name in install.BY_NAME else {*marker.args} or {"claude", "codex"}


def programs_of(name: str) -> Path:
    """The folder for PATH with the CLI of this name; skips the test when it cannot be had."""
    if name not in _programs:
        reason = f"{name}: {_missing.get(name, 'not installed')}"
        if os.environ.get(REQUIRED) == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    return _programs[name]


@pytest.fixture
def tmux_needed() -> None:
    if not has_tmux():
        pytest.skip("tmux is not installed")
