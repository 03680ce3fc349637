"""Whether what is appended to a file is certainly small: `seq 1 inf >> big` fills the disk.

Only programs of which the output is bounded by their words, or by files of a known size, may feed an append.
"""

from __future__ import annotations

import posixpath

import re2

from copilot.guard.arguments import Arg, words
from copilot.guard.grammar import is_one_word
from copilot.guard.rule_files import Scene

MAX_BYTES = 16 * 1024 * 1024
_BY_WORDS = frozenset(
    {
        "echo",
        "printf",
        "date",
        "pwd",
        "whoami",
        "hostname",
        "uname",
        "basename",
        "dirname",
        "seq",
        "true",
        "nproc",
        "id",
        "[",
    }
)
_PASSES = frozenset(
    {
        "sort",
        "uniq",
        "head",
        "wc",
        "cut",
        "tr",
        "tee",
        "grep",
        "sed",
        "nl",
        "rev",
        "tac",
        "column",
        "fold",
        "tail",
        "shasum",
        "sha256sum",
    }
)
_LISTS = frozenset({"ls", "find", "du", "tree", "stat", "file", "which"})
_GIT = frozenset({"status", "rev-parse", "log", "diff", "show", "ls-files", "branch", "describe", "shortlog"})
_WIDE = re2.compile(r"%[-+ 0#']*(?:[0-9]{4,}|\*)|%[^a-zA-Z%]*\.[0-9]{4,}")


def growth_refusal(pipe: list[tuple[Arg, ...]], scene: Scene, *, fed: bool) -> str:
    """Why the output of a pipe may be too large to append, or "". `fed`: a here-document feeds it.

    `pipe` are its commands in order; the last may be `tee`.
    """
    if scene.in_loop and any(
        command and command[0].shown in ("cat", "tail", "tac", "git", *_LISTS) for command in pipe
    ):
        return "appends what it reads again and again"
    if scene.unbounded:
        return "appends in a loop without a known end"
    for index, command in enumerate(pipe):
        refusal = _command(command, scene, first=index == 0 and not fed)
        if refusal:
            return refusal
    return ""


_RUNNERS = frozenset(
    words(
        "pytest py.test npm pnpm yarn bun make cargo go tox nox mypy ruff black flake8 pylint isort "
        "pyright eslint tsc jest vitest mocha mvn mvnw gradle gradlew dotnet uv poetry pdm hatch "
        "pipenv cmake ctest ninja bazel rspec rubocop phpunit bundle composer pre-commit coverage "
        "turbo nx lerna npx meson swift mix python python3 just task"
    )
)
"""Checks and builds, which print as much as the project makes them."""
_LOG = re2.compile(r"(?:\./)?(?:[A-Za-z0-9_-]+/)*[A-Za-z0-9_.-]+\.(?:log|txt|out)")


def new_log_refusal(pipe: list[tuple[Arg, ...]], scene: Scene, *, fed: bool) -> str:
    """Why the output of a pipe may be too large for a new log, or "". Test runners may print anything."""
    if scene.unbounded or scene.in_loop:
        return growth_refusal(pipe, scene, fed=fed) or "writes in a loop"
    for index, command in enumerate(pipe):
        refusal = _command(command, scene, first=index == 0 and not fed)
        name = command[0].shown.rpartition("/")[2] if command else ""
        if refusal and name not in _RUNNERS:
            return refusal
    return "" if pipe else "writes what it is fed"


def is_new_log(target: Arg, scene: Scene) -> bool:
    """Whether a target is a log that is certainly not there yet: its folder can be seen and holds none."""
    if target.text is None or target.wild or not _LOG.fullmatch(target.text):
        return False
    for place in scene.places(target.text):
        names = {one.name for one in scene.scope.disk.list_folder(posixpath.dirname(place.path))}
        scene.budget.spend(len(names))
        if not names or posixpath.basename(place.path) in names:
            return False
    return True


def _command(command: tuple[Arg, ...], scene: Scene, *, first: bool) -> str:
    name = command[0].shown if command else ""
    if name in _BY_WORDS:
        wide = any(arg.text is None or _WIDE.search(arg.text) for arg in command[1:])
        long = any(
            arg.text is None and (not is_one_word(arg) or "$(" in arg.raw or "`" in arg.raw)
            for arg in command[1:]
        )
        refusal = f"{name} with a width" if name == "printf" and wide else ""
        return f"appends what {name} is given, of which the size is not known" if long else refusal
    if name in _LISTS or (name == "git" and len(command) > 1 and command[1].shown in _GIT):
        return ""
    files = [arg for arg in command[1:] if not arg.shown.startswith("-")]
    files = files[1:] if name in ("grep", "sed") else files
    refusal = ""
    if name not in (*_PASSES, "cat"):
        refusal = f"appends what {name or 'nothing'} prints, of which the size is not known"
    elif name == "tail" and any(arg.shown.startswith(("-f", "-F", "--f")) for arg in command[1:]):
        refusal = "appends what a file gets, without end"
    elif first and not files and name != "tee":
        refusal = f"appends what {name} is fed"
    elif name not in ("wc", "tee", "tr"):
        refusal = _files(files, scene)
    return refusal


def _files(files: list[Arg], scene: Scene) -> str:
    total = 0
    for arg in files:
        for place in scene.places(arg.shown) if arg.text not in (None, "-") and not arg.wild else []:
            size = scene.scope.disk.size_of(place.path)
            if size is None:
                return f"appends {arg.shown}, of which the size is not known"
            total += size
        if arg.text is None or arg.wild:
            return f"appends {arg.shown}, of which the size is not known"
    return "" if total <= MAX_BYTES else "appends more than 16 MiB"
