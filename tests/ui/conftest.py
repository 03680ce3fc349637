"""Snapshots go to the fixed top-level folder, and nothing of the machine shows in them."""

from __future__ import annotations

from pathlib import Path

import pytest
import pytest_textual_snapshot as plugin

_FOLDER = Path(__file__).resolve().parents[2] / "snapshots"


class TopLevelSvg(plugin.SVGImageExtension):  # type: ignore[misc, name-defined]
    """SVGs in `snapshots/`, whatever test made them."""

    @classmethod
    def dirname(cls, *, test_location: object) -> str:
        return str(_FOLDER)


plugin.SVGImageExtension = TopLevelSvg


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "COPILOT_LEADER", "COPILOT_THEME", "COLORFGBG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLORTERM", "truecolor")
