"""Snapshots go to the fixed top-level folder, and nothing of the machine shows in them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import pytest_textual_snapshot as plugin  # type: ignore[import-untyped]

FOLDER = Path(__file__).resolve().parents[2] / "snapshots"


class TopLevelSvg(plugin.SVGImageExtension):  # type: ignore[misc]
    """SVGs in `snapshots/`, whatever test made them."""

    @classmethod
    def dirname(cls, *, test_location: object) -> str:
        return str(FOLDER / "replay" if _of_replay(test_location) else FOLDER)

    @classmethod
    def _get_file_basename(cls, *, test_location: Any, index: Any) -> str:
        """`test_state[busy-80x24-dark]` becomes `state-busy-80x24-dark`."""
        name = str(test_location.snapshot_name).removeprefix("test_").replace("[", "-").rstrip("]")
        name = name.replace("_", "-")
        if _of_replay(test_location):
            return name.removeprefix("replay-")
        return name


def _of_replay(test_location: Any) -> bool:
    """Pictures of the replay have a folder of their own."""
    return Path(test_location.filepath).stem == "test_replay_snapshots"


plugin.SVGImageExtension = TopLevelSvg


def pytest_configure(config: pytest.Config) -> None:
    """Our folder is not beside the tests, and that is meant."""
    config.addinivalue_line("filterwarnings", "ignore:[\\s\\S]*Can not relate snapshot")


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "COPILOT_LEADER", "COPILOT_THEME", "COLORFGBG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLORTERM", "truecolor")
