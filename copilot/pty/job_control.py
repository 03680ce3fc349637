"""Whether a shell waits behind us that could bring us back after a stop (`fg`)."""

from __future__ import annotations

import os

from copilot.supervision import process_tree


def shell_behind() -> bool:
    """Whether our job was started by a shell with job control.

    Without one a stop would be for good: whoever leads our process group must have a parent in the same
    session but in another group (POSIX calls the group orphaned if there is none).
    """
    one = process_tree.process(os.getpid())
    while one is not None:
        parent = process_tree.process(one.parent)
        if parent is None or parent.session != one.session:
            return False
        if parent.group != one.group:
            return True
        one = parent
    return False
