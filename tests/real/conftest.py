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
    if not any(item.get_closest_marker("real_cli") for item in session.items):
        return
    for cli in install.ALL:
        try:
            _programs[cli.name] = install.installed(cli)
        except install.NotInstallable as error:
            _missing[cli.name] = str(error)


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
    """Skips the test where tmux is missing."""
    if not has_tmux():
        pytest.skip("tmux is not installed")
