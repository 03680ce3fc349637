"""The second parser as a process: `shfmt --to-json`, from this very environment and never from the PATH.

It is a function of the text alone, as tree-sitter is; that it happens in a process is why this is the one
module of the guard that starts any (`docs/decisions/2026-11-21-second-shell-parser.md`).
"""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

from copilot.safety.shell_tree import ShellProblem

_PACKAGE = "shfmt-py"
DEADLINE_SECONDS = 1.0
MAX_REMEMBERED = 256
"""Texts whose tree is kept: the same prompt is judged at every look at the screen."""


@functools.lru_cache(maxsize=MAX_REMEMBERED)
def shfmt_tree(text: str) -> dict[str, Any]:
    """The syntax tree of bash text as shfmt prints it (positions are byte offsets in UTF-8).

    Raises ShellProblem if shfmt refuses the text, is not installed, or does not answer in time.
    """
    import subprocess

    try:
        done = subprocess.run(
            [shfmt_program(), "-ln=bash", "--to-json"],
            input=text.encode("utf-8"),
            capture_output=True,
            timeout=DEADLINE_SECONDS,
            check=False,
            cwd="/",
            env={},
        )
    except UnicodeEncodeError as error:
        raise ShellProblem("not UTF-8") from error
    except subprocess.TimeoutExpired as error:
        raise ShellProblem(f"shfmt gave no answer in {DEADLINE_SECONDS:g} s") from error
    except OSError as error:
        raise ShellProblem(f"shfmt does not start ({error.strerror}); install {_PACKAGE} anew") from error
    if done.returncode != 0:
        raise ShellProblem("shfmt cannot parse it")
    try:
        tree = json.loads(done.stdout)
    except (ValueError, RecursionError) as error:
        raise ShellProblem("shfmt's answer cannot be read") from error
    if not isinstance(tree, dict):
        raise ShellProblem("shfmt's answer cannot be read")
    return tree


@functools.cache
def shfmt_program() -> str:
    """The path of the binary that the pinned package put into this environment. Raises ShellProblem."""
    from importlib import metadata

    try:
        files = metadata.files(_PACKAGE) or []
    except metadata.PackageNotFoundError as error:
        raise ShellProblem(
            f"the package {_PACKAGE} is not installed; install copilot-terminal anew"
        ) from error
    for file in files:
        path = Path(str(file.locate())).resolve()
        if file.name in ("shfmt", "shfmt.exe") and path.is_file():
            return str(path)
    raise ShellProblem(f"the package {_PACKAGE} has no shfmt in it; install it anew")
