"""Reads the project's git state and scripts, for the environment part of a prompt.

The repository is not trusted: no hook, fsmonitor, pager, external diff, textconv or filter of it runs, no
submodule is entered, nothing is fetched or written. Each reading is bounded in time and size, runs in other
processes and threads, and is cached for a few seconds. A note says what was not ready in time.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from copilot.core.provider_keys import without_keys
from copilot.documents import parse_json, parse_toml
from copilot.errors import InputError
from copilot.plain_files import KIB, read_plain, reason_of
from copilot.prompting.environment import FIRST_LINES, LAST_LINES, EnvironmentSnapshot

TIME_LIMIT_SECONDS = 0.3
DIFF_LIMIT_SECONDS = 2.0
"""For `changes_since`, which is called once, at the end of a run."""
KEPT_SECONDS = 5.0
_END_SECONDS = 2.0
"""How long to wait for a killed git to end."""
_MAX_OUTPUT_BYTES = 1_000_000
_MAX_MANIFEST_BYTES = 512 * KIB
_MAX_SCRIPTS = 40

_SAFE_GIT = (
    "--no-optional-locks",
    "--no-pager",
    "--literal-pathspecs",
    *("-c", "core.fsmonitor=false"),
    *("-c", "core.hooksPath=/dev/null"),
    *("-c", "core.pager=cat"),
    *("-c", "core.askPass="),
    *("-c", "core.sshCommand=false"),
    *("-c", "diff.external="),
    *("-c", "diff.autoRefreshIndex=false"),
    *("-c", "diff.ignoreSubmodules=all"),
    *("-c", "submodule.recurse=false"),
    *("-c", "status.submoduleSummary=false"),
    *("-c", "protocol.allow=never"),
    *("-c", "credential.helper="),
)
_GIT_ENVIRONMENT = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_PAGER": "cat",
    "LC_ALL": "C.UTF-8",
}
_STATUS = (
    "status",
    "--porcelain=v1",
    "--branch",
    "-z",
    "--untracked-files=normal",
    "--ignore-submodules=all",
)
_SHORTSTAT = ("diff", "--shortstat", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all", "HEAD")
_DIFF = ("diff", "--no-color", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all")
_COMMIT = re.compile("[0-9a-f]{40}([0-9a-f]{24})?")
_FILTERS = ("config", "--show-scope", "--name-only", "-z", "--get-regexp", r"^filter\.")


class _Output(NamedTuple):
    """Exit code and output of one git call."""

    code: int
    text: str


class ProjectProbe:
    """Reads one folder. `clock` returns seconds; `git` is the program, by default the one on PATH."""

    def __init__(
        self,
        cwd: Path,
        *,
        clock: Callable[[], float],
        environment: Mapping[str, str] | None = None,
        kept_seconds: float = KEPT_SECONDS,
        limit_seconds: float = TIME_LIMIT_SECONDS,
        git: str | None = None,
    ) -> None:
        self._cwd = cwd
        self._clock = clock
        self._environment = _clean_environment(os.environ if environment is None else environment)
        self._kept_seconds = kept_seconds
        self._limit_seconds = limit_seconds
        self._git = git if git is not None else _find_git(self._environment)
        self._last: tuple[float, EnvironmentSnapshot] | None = None
        self._running: asyncio.Task[EnvironmentSnapshot] | None = None

    async def snapshot(self) -> EnvironmentSnapshot:
        """The state of the project, at most `kept_seconds` old. Faults of the project become notes."""
        if self._last is not None and self._clock() - self._last[0] < self._kept_seconds:
            return self._last[1]
        if self._running is None or self._running.done():
            self._running = asyncio.create_task(self._read())
        found = await asyncio.shield(self._running)
        self._last = (self._clock(), found)
        return found

    async def _read(self) -> EnvironmentSnapshot:
        scripts = asyncio.create_task(asyncio.to_thread(read_scripts, self._cwd))
        git = await self._read_git()
        found, problems = await scripts
        return EnvironmentSnapshot(
            branch=git.branch,
            changed=git.changed,
            changed_total=git.changed_total,
            shortstat=git.shortstat,
            scripts=found,
            notes=(*git.notes, *problems),
        )

    async def _read_git(self) -> EnvironmentSnapshot:
        if self._git is None:
            return EnvironmentSnapshot(notes=("git is not installed",))
        deadline = asyncio.get_running_loop().time() + self._limit_seconds
        try:
            overrides = await self._filter_overrides(deadline)
            status, shortstat = await asyncio.gather(
                self._run(_STATUS, overrides, deadline), self._run(_SHORTSTAT, overrides, deadline)
            )
        except TimeoutError:
            return EnvironmentSnapshot(notes=(f"git took longer than {self._limit_seconds:g} s",))
        except OSError as problem:
            return EnvironmentSnapshot(notes=(f"git cannot be run: {problem.strerror}",))
        if status.code != 0:
            return EnvironmentSnapshot(notes=("not a git repository",))
        branch, changed = parse_status(status.text)
        summary = shortstat.text.strip() if shortstat.code == 0 else ""
        return EnvironmentSnapshot(branch, _first_and_last(changed), len(changed), summary)

    async def changes_since(self, commit: str) -> str:
        """The diff from `commit` to the working tree, and a line for each untracked file.

        Empty outside a repository, or if git does not answer in time.
        """
        if self._git is None or not _COMMIT.fullmatch(commit):
            return ""
        deadline = asyncio.get_running_loop().time() + DIFF_LIMIT_SECONDS
        try:
            overrides = await self._filter_overrides(deadline)
            diff, status = await asyncio.gather(
                self._run((*_DIFF, commit, "--"), overrides, deadline),
                self._run(_STATUS, overrides, deadline),
            )
        except (TimeoutError, OSError):
            return ""
        new = [line[3:] for line in status.text.split("\0") if line.startswith("?? ")]
        untracked = "".join(f"new file, not added: {name}\n" for name in new)
        return (diff.text if diff.code == 0 else "") + untracked

    async def _filter_overrides(self, deadline: float) -> dict[str, str]:
        """Environment variables that switch off the content filters of the repository's own configuration.

        `git status` runs a filter's program on files that look changed, and a repository from an archive
        brings its own configuration. Filters of the person's configuration stay. Variables are used because
        `-c NAME=VALUE` splits at the first `=`, which the name of a filter may hold.
        Raises OSError if the filters cannot all be listed.
        """
        listed = await self._run(_FILTERS, {}, deadline)
        if listed.code not in (0, 1) or len(listed.text) >= _MAX_OUTPUT_BYTES:
            raise OSError(0, "its configuration cannot be read")
        fields = listed.text.split("\0")
        names = {
            key.split(".", 1)[1].rpartition(".")[0]
            for scope, key in zip(fields[::2], fields[1::2], strict=False)
            if scope not in ("system", "global")
        }
        switches = (("clean", ""), ("smudge", ""), ("process", ""), ("required", "false"))
        pairs = [(f"filter.{name}.{key}", value) for name in sorted(names) for key, value in switches]
        variables = {"GIT_CONFIG_COUNT": str(len(pairs))}
        for index, (key, value) in enumerate(pairs):
            variables[f"GIT_CONFIG_KEY_{index}"] = key
            variables[f"GIT_CONFIG_VALUE_{index}"] = value
        return variables

    async def _run(self, arguments: tuple[str, ...], extra: Mapping[str, str], deadline: float) -> _Output:
        """One git call. Raises TimeoutError at `deadline` (of the loop's clock); leaves no process behind."""
        assert self._git is not None
        process = await asyncio.create_subprocess_exec(
            self._git,
            *_SAFE_GIT,
            *arguments,
            cwd=self._cwd,
            env={**self._environment, **extra},
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            start_new_session=True,
        )
        assert process.stdout is not None
        try:
            async with asyncio.timeout_at(deadline):
                output = await _read_bounded(process.stdout)
                code = await process.wait() if len(output) < _MAX_OUTPUT_BYTES else 0
        finally:
            if process.returncode is None:
                await _kill(process, process.stdout)
        return _Output(code, output.decode("utf-8", "replace"))


async def _kill(process: asyncio.subprocess.Process, output: asyncio.StreamReader) -> None:
    """Kill the session of `process`, and wait for the end.

    The rest of the output is read first: asyncio's `wait()` also waits for the pipe to close, which it does
    not notice while the pipe is paused by a full buffer.
    """
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    with suppress(TimeoutError):
        async with asyncio.timeout(_END_SECONDS):
            while await output.read(65_536):
                pass
            await process.wait()


def _first_and_last(lines: list[str]) -> tuple[str, ...]:
    """`lines`, of a long list the first and last ones only."""
    first, last = FIRST_LINES, LAST_LINES
    return tuple(lines) if len(lines) <= first + last else (*lines[:first], *lines[-last:])


async def _read_bounded(stream: asyncio.StreamReader) -> bytes:
    pieces: list[bytes] = []
    size = 0
    while size < _MAX_OUTPUT_BYTES and (piece := await stream.read(65_536)):
        pieces.append(piece)
        size += len(piece)
    return b"".join(pieces)


def parse_status(output: str) -> tuple[str | None, list[str]]:
    """Branch and changed files in the output of `git status --porcelain=v1 --branch -z`."""
    branch: str | None = None
    changed: list[str] = []
    fields = iter(output.split("\0"))
    for field in fields:
        if field.startswith("## "):
            branch = _branch(field[3:])
        elif len(field) > 3:
            changed.append(field)
            if field[0] in "RC":
                next(fields, None)
    return branch, changed


def _branch(text: str) -> str:
    name = text.removeprefix("No commits yet on ")
    if text.startswith("HEAD (no branch)"):
        return "(no branch)"
    return name.split("...", 1)[0]


def read_scripts(cwd: Path) -> tuple[tuple[tuple[str, str, str], ...], tuple[str, ...]]:
    """Scripts of `package.json` and `pyproject.toml` as (file, name, command); notes on faults."""
    found: list[tuple[str, str, str]] = []
    problems: list[str] = []
    for name, sections in (
        ("package.json", (("scripts",),)),
        ("pyproject.toml", (("project", "scripts"), ("tool", "poe", "tasks"), ("tool", "pdm", "scripts"))),
    ):
        try:
            text = read_plain(cwd / name, _MAX_MANIFEST_BYTES, follow=False).decode()
            data: object = parse_json(text) if name.endswith(".json") else parse_toml(text, name)
        except FileNotFoundError:
            continue
        except OSError as problem:
            problems.append(f"{name} cannot be read ({reason_of(problem)})")
            continue
        except (ValueError, InputError):
            problems.append(f"{name} is not {name.rpartition('.')[2].upper()}")
            continue
        for section in sections:
            found += [(name, key, command) for key, command in _commands(data, section)]
    return tuple(found[:_MAX_SCRIPTS]), tuple(problems)


def _commands(data: object, section: tuple[str, ...]) -> list[tuple[str, str]]:
    for key in section:
        data = data.get(key) if isinstance(data, dict) else None
    if not isinstance(data, dict):
        return []
    return [(str(name), command) for name, command in data.items() if isinstance(command, str)]


def _clean_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment without the variables that configure git, and without keys: git asks no model."""
    kept = {name: value for name, value in without_keys(environment).items() if not name.startswith("GIT_")}
    return {**kept, **_GIT_ENVIRONMENT}


def _find_git(environment: Mapping[str, str]) -> str | None:
    """git in the absolute folders of PATH, so that the project cannot provide its own."""
    folders = environment.get("PATH", os.defpath).split(os.pathsep)
    return shutil.which(
        "git", path=os.pathsep.join(folder for folder in folders if Path(folder).is_absolute())
    )
