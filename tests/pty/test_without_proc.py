"""The other way, for systems without /proc and without adopted orphans (macOS): `ps`, walked, and the group killed.

On Linux, with both taken away: what cannot be shown here is only that `ps` prints the same elsewhere.
"""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest

from copilot.supervision import process_tree, supervised
from tests.pty import faults
from tests.pty.terminal_drive import PATIENCE_SECONDS, changed

_BOOT = (
    "import sys; sys.path.append(sys.argv.pop(1)); "
    "from copilot.supervision import process_tree, supervisor; "
    "process_tree.has_proc = lambda: False; process_tree._children = lambda pid: None; "
    "supervisor._become_reaper = lambda: False; supervisor.main(sys.argv[1:])"
)
PROMISED = ["child and grandchild", "ignores TERM, INT and HUP", "own groups, all stopped"]


@pytest.fixture(autouse=True)
def without_proc(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing under /proc is looked at, by copilot and by its supervisors."""
    if shutil.which("ps") is None:
        pytest.skip("there is no ps")
    monkeypatch.setattr(supervised, "_BOOT", _BOOT)
    monkeypatch.setattr(supervised, "_ANSWER_SECONDS", 2 * PATIENCE_SECONDS)
    monkeypatch.setattr(process_tree, "has_proc", lambda: False)
    monkeypatch.setattr(process_tree, "_children", lambda pid: None)


@pytest.mark.parametrize("kind", faults.KINDS)
@pytest.mark.parametrize("name", PROMISED)
async def test_the_tree_is_ended_by_walking_and_by_its_group(name: str, kind: str) -> None:
    assert (await faults.ended_by_limit(kind, name, limit=0.1)).survivors == 0


async def test_it_is_ended_too_when_copilot_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    name = "ignores TERM, INT and HUP"
    assert (await faults.copilot_killed("pipes", name, PATIENCE_SECONDS)).survivors == 0


def test_a_process_is_known_by_its_number_and_its_start() -> None:
    with subprocess.Popen(["sleep", "1000"], start_new_session=True) as sleeper:
        one = process_tree.process(sleeper.pid)
        assert one is not None
        assert (one.parent, one.group, one.dead) == (os.getpid(), sleeper.pid, False)
        assert one in process_tree.descendants(os.getpid())
        assert not process_tree.signal_process(changed(one, started="then"), 9)
        assert process_tree.signal_process(one, 9)
        assert sleeper.wait() == -9
    assert process_tree.process(sleeper.pid) is None
