"""Environments of trials: a short list of the host's variables, and nothing that could be a key."""

from __future__ import annotations

import os
import threading
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager

from copilot.errors import CopilotError

ALLOWED = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "PYTHONPATH", "COLORTERM")
"""What is taken over from the host."""

MARK = "CODING_CLI_TRIAL"
"""Set to 1 in every trial, so that programs can tell."""

_one_at_a_time = threading.Lock()


def base_variables(host: Mapping[str, str]) -> dict[str, str]:
    """The host's allowed variables, with the mark of a trial."""
    return {name: host[name] for name in ALLOWED if name in host} | {MARK: "1"}


def adjusted(base: Mapping[str, str], settings: Mapping[str, str], unset: Collection[str]) -> dict[str, str]:
    """`base` with these settings and without those names."""
    return {name: value for name, value in {**base, **settings}.items() if name not in unset}


@contextmanager
def swapped_environment(environment: Mapping[str, str]) -> Iterator[None]:
    """This process has just this environment inside the block, HOME and all; then its own again.

    The environment belongs to the whole process: a second block at the same time raises CopilotError.
    """
    if not _one_at_a_time.acquire(blocking=False):
        raise CopilotError("one harness runs at a time in a process; run the other after it, or elsewhere")
    before = dict(os.environ)
    try:
        _replace(environment)
        yield
    finally:
        _replace(before)
        _one_at_a_time.release()


def _replace(environment: Mapping[str, str]) -> None:
    for name in set(os.environ) - set(environment):
        del os.environ[name]
    os.environ.update(environment)
