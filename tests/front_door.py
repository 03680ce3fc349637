"""The command line in this process: exit code and output as a user gets them, without a new interpreter."""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from copilot import cli


@dataclass(frozen=True, slots=True)
class Ended:
    """What a command left on its streams."""

    code: int
    out: str
    err: str

    @property
    def last(self) -> str:
        """The last line of stdout; stderr if there is none."""
        return (self.out.strip().splitlines() or [self.err])[-1]


def copilot(*words: str | Path, cwd: Path, environment: Mapping[str, str] | None = None) -> Ended:
    """Run `copilot WORDS` in the folder `cwd`, with `environment` added to this process's own."""
    out, err = io.StringIO(), io.StringIO()
    streams = contextlib.redirect_stdout(out), contextlib.redirect_stderr(err)
    with streams[0], streams[1], contextlib.chdir(cwd), patch.dict(os.environ, environment or {}):
        code = cli.main([str(word) for word in words])
    return Ended(code, out.getvalue(), err.getvalue())
