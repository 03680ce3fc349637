"""The demo's project, for sessions on the simulated CLI; and checkpoints that may take their time."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from copilot.core.reactions import checkpoints
from copilot.demo.project import DemoProject

PATIENCE_SECONDS = 60.0


@pytest.fixture(autouse=True)
def _patient_checkpoints(monkeypatch: pytest.MonkeyPatch) -> None:
    """How long one takes says how busy the machine is; that a late one holds is shown in `tests/core`."""
    monkeypatch.setattr(checkpoints, "CHECKPOINT_SECONDS", PATIENCE_SECONDS)


@pytest.fixture
def project() -> Iterator[DemoProject]:
    made = DemoProject.make()
    yield made
    made.remove()
