"""Whether what is appended to a file is certainly small: `seq 1 inf >> big` fills the disk.

Only programs of which the output is bounded by their words, or by files of a known size, may feed an append.
"""

from __future__ import annotations

import posixpath

import re2

from copilot.guard.arguments import Arg, words
from copilot.guard.below import expand
from copilot.guard.grammar import is_one_word
from copilot.guard.rule_files import Scene
from copilot.guard.text import folded

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
_MANY_DIGITS = re2.compile(r"[0-9]{6}")
"""A number that long may be the width of a field: of `find -printf`, `stat --printf`, `nl -w`."""
_LONG_SCRIPT = 60
"""Characters of a sed script: each `p` prints the line once more."""
_WIDE = re2.compile(r"%[-+ 0#']*(?:[0-9]{4,}|\*)|%[^a-zA-Z%]*\.[0-9]{4,}")


MOST_ROUNDS = 1_000
"""How often a line may be appended in loops, one inside the other."""


def growth_refusal(pipe: list[tuple[Arg, ...]], scene: Scene, target: Arg, *, fed: bool) -> str:
    """Why the output of a pipe may be too large to append to `target`, or "". `fed`: by a here-document.

    `pipe` are its commands in order; the last may be `tee`.
    """
    if scene.in_loop and reads_files(pipe):
        return "appends what it reads again and again"
    if scene.unbounded or scene.rounds > MOST_ROUNDS:
        return "appends in a loop without a known end"
    if reads_files(pipe) and _reads(pipe, target, scene):
        return "reads what it appends to"
    for index, command in enumerate(pipe):
        refusal = _command(command, scene, first=index == 0 and not fed)
        if refusal:
            return refusal
    return ""


def reads_files(pipe: list[tuple[Arg, ...]]) -> bool:
    """Whether a command of a pipe prints more than its own words say."""
    return any(command and command[0].shown not in (*_BY_WORDS, "tee") for command in pipe)


def _reads(pipe: list[tuple[Arg, ...]], target: Arg, scene: Scene) -> bool:
    written = {place.path for place in scene.places(target.shown)}
    read = (
        place.path
        for command in pipe
        for arg in command[1:]
        if arg.text and not arg.text.startswith("-")
        for place in scene.places(arg.text)
    )
    return any(path == one or one.startswith(path.rstrip("/") + "/") for path in read for one in written)


_IGNORE_LINES = re2.compile(r"(?:[A-Za-z0-9_./*# +@-]|\\n|\n)*")


def ignoring_refusal(pipe: list[tuple[Arg, ...]], target: Arg, document: str | None) -> str:
    """Why lines for a list of ignored files may take a name out of it again (`!.env`), or ""."""
    name = target.shown.rpartition("/")[2].casefold()
    if not name.endswith("ignore"):
        return ""
    if document is not None and len(pipe) == 1 and pipe[0][0].shown in ("cat", "tee"):
        texts: list[str | None] = [document]
    elif len(pipe) == 1 and pipe[0][0].shown in ("echo", "printf"):
        texts = [arg.text for arg in pipe[0][1:]]
    else:
        return f"what it adds to {target.shown} is not certain"
    sure = all(
        text is not None
        and _IGNORE_LINES.fullmatch(text)
        and not any(line.strip("*/. ") == "" and line.strip() for line in re2.split(r"\n|\\n", text))
        for text in texts
    )
    return "" if sure else f"what it adds to {target.shown} may take a name out of it"


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
        return growth_refusal(pipe, scene, Arg("-"), fed=fed) or "writes in a loop"
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
        # Names that differ in case only are one file on some systems.
        names = {folded(one.name) for one in scene.scope.disk.list_folder(posixpath.dirname(place.path))}
        scene.budget.spend(len(names))
        if not names or folded(posixpath.basename(place.path)) in names:
            return False
    if target.pattern:
        return not any(expand(scene.scope, target.pattern, one, scene.budget) for one in scene.folders)
    return True


def _command(command: tuple[Arg, ...], scene: Scene, *, first: bool) -> str:
    name = command[0].shown if command else ""
    if name != "echo" and any(_MANY_DIGITS.search(arg.shown) for arg in command[1:]):
        return f"{name} with a width"
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
    if name == "sed" and any(len(arg.shown) > _LONG_SCRIPT for arg in command[1:]):
        return "appends what a long script of sed prints"
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
