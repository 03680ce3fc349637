"""The pytest plugin: the fixture `coding_cli`, which starts harnesses and disposes of them.

Every pytest run where copilot is installed loads it, so it loads nothing of ours before the fixture is used.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from copilot.testing import Harness

_FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Remember whether the test itself failed: its failure is reported rather than unused turns."""
    report = yield
    if call.when == "call":
        item.stash[_FAILED] = report.failed
    return report


@pytest.fixture
def coding_cli(request: pytest.FixtureRequest) -> Iterator[Callable[..., Harness]]:
    """`coding_cli(turns, **options)` starts a harness; after the test it is closed, its playbook checked."""
    from copilot.testing import Harness

    started: list[Harness] = []

    def start(script: Any, **options: Any) -> Harness:
        harness = Harness(script, name=request.node.name, **options)
        started.append(harness)
        return harness.__enter__()

    yield start
    for harness in started:
        harness.close()
    if not request.node.stash.get(_FAILED, False):
        for harness in started:
            harness.check()
