"""The demo's project, for sessions on the simulated CLI."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from copilot.demo.project import DemoProject


@pytest.fixture
def project() -> Iterator[DemoProject]:
    made = DemoProject.make()
    yield made
    made.remove()
