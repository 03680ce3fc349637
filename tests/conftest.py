"""What every test gets: a user without settings, keys or run folders, so that none depends on the machine."""

from __future__ import annotations

import gc
import itertools
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

from tests.examples import ALL

pytest_plugins = ["tests.row_outcomes"]

_NUMBERS = itertools.count()
_KEYS = (
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_AUTH_TOKEN",
    "OPENAI_API_KEY",
    "ANTHROPIC_BASE_URL",
    "OPENAI_BASE_URL",
)


# How long an example takes says only how busy the machine is.
hypothesis.settings.register_profile("copilot", deadline=None)
hypothesis.settings.load_profile("copilot")

# A shell in the background or `nohup` has the suite ignore signals, and what tests start would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_xdist_auto_num_workers() -> int:
    """Three for each processor: most of the time of a test of a session is waiting for its child."""
    return 3 * (os.cpu_count() or 1)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what takes minutes unless it is asked for (`-m slow`); begin with what waits longest."""
    items.sort(key=lambda item: item.get_closest_marker("waits") is None)
    slow = [item for item in items if item.get_closest_marker("slow")]
    if slow and not config.option.markexpr:
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if not item.get_closest_marker("slow")]


def pytest_collection() -> None:
    """What is imported and collected lives until the end: it need not be looked through again and again."""
    gc.disable()


def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()
    gc.enable()
    gc.set_threshold(20_000, 20, 20)


def pytest_sessionfinish() -> None:
    """What is left goes with the process: pytest would look through all of it five times."""
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def no_wait_for_the_disk() -> Iterator[None]:
    """Writes reach the disk when the kernel likes: no test cuts the power, and killed processes lose nothing."""
    with pytest.MonkeyPatch.context() as patch:
        if not ALL:
            patch.setattr(os, "fsync", _nothing)
            patch.setattr(os, "fdatasync", _nothing, raising=False)
        yield


def _nothing(descriptor: int) -> None:
    """In place of waiting."""


@pytest.fixture(scope="session")
def users(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the tests' users live: `tmp_path` looks at every folder beside it, which is slow with thousands."""
    return tmp_path_factory.mktemp("users")


@pytest.fixture(autouse=True)
def clean_user(users: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Empty folders for settings and state, and no variable of ours or of a provider. The folder of both.

    Tests that drive a real CLI keep the rest of their environment too: HOME is not touched here.
    """
    folder = users / f"user{next(_NUMBERS)}"
    folder.mkdir()
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
    monkeypatch.setenv("XDG_STATE_HOME", str(folder / "state"))
    for name in list(os.environ):
        if name.startswith("COPILOT_") or name in _KEYS:
            monkeypatch.delenv(name)
    return folder
