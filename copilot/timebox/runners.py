"""The test runners that may be run, each as fixed argv templates. Nothing else is ever started, and no shell.

A target is one argument in a place of its own: joined to its option where the runner has one, and never with
a dash in front, so it cannot become an option. A program of the project itself (its virtual environment, its
`node_modules`) comes before one on PATH; nothing is fetched from a network.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path, PurePosixPath

from copilot.errors import InputError


class Scope(StrEnum):
    """What is run: everything, one file, or the tests whose name fits."""

    ALL = "all"
    FILE = "file"
    PATTERN = "pattern"


Template = Callable[[str], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Runner:
    """One test runner.

    `everything` are the arguments for all tests, `file` and `pattern` make those for a target. `places` are
    folders of the project where its program may be. `junit` makes the arguments that have it write a
    JUnit file. `exit_reasons` say what an exit code other than 0 and 1 means.
    """

    name: str
    programs: tuple[str, ...]
    everything: tuple[str, ...]
    file: Template
    pattern: Template
    places: tuple[str, ...] = ()
    junit: Template | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    exit_reasons: Mapping[int, str] = field(default_factory=dict)
    node_ids: bool = False
    """A file target may name a test in the file, after `::`."""

    def arguments(self, scope: Scope, target: str) -> tuple[str, ...]:
        """The arguments after the program. `target` is a path inside the project, or a pattern."""
        match scope:
            case Scope.ALL:
                return self.everything
            case Scope.FILE:
                return self.file(target)
            case Scope.PATTERN:
                return self.pattern(target)

    def program(self, root: Path, environment: Mapping[str, str]) -> str:
        """Its program: the project's own, else a name to be looked up on PATH."""
        for place in self.places:
            for name in self.programs:
                own = root / place / name
                if own.is_file() and os.access(own, os.X_OK):
                    return str(own)
        path = environment.get("PATH", os.defpath).split(os.pathsep)
        on_path = (name for name in self.programs for folder in path if (Path(folder) / name).is_file())
        return next(on_path, self.programs[0])


_VENV = (".venv/bin", "venv/bin")
_NODE = ("node_modules/.bin",)
_UNBUFFERED = {"PYTHONUNBUFFERED": "1"}
_PYTEST_EXITS = {
    2: "the run was interrupted, or collecting the tests failed",
    3: "pytest itself failed",
    4: "pytest was used wrongly: an option or a file that it does not know",
    5: "no tests were collected",
}


def _explicit(path: str) -> str:
    """A path that no runner takes for anything else: `@file` is a list of arguments to argparse."""
    return path if path[0].isalnum() or path.startswith(("./", "_")) else f"./{path}"


def _no_option(path: str) -> str:
    """A path that is no option: `./-x.js` comes here as `-x.js`, and a file may be called `--config=...`."""
    return f"./{path}" if path.startswith("-") else path


def _unittest_file(path: str) -> tuple[str, ...]:
    """What does not end in `.py` would be imported as a module of any name."""
    if not path.endswith(".py"):
        raise InputError(f"target: {path}: unittest runs files that end in .py; use scope pattern")
    return ("-m", "unittest", "-v", _no_option(path))


def _cargo_file(path: str) -> tuple[str, ...]:
    """Cargo knows test targets, not files: `tests/NAME.rs` and `tests/NAME/main.rs` are NAME."""
    parts = PurePosixPath(path).parts
    if len(parts) == 2 and parts[0] == "tests" and parts[1].endswith(".rs"):
        return ("test", f"--test={parts[1].removesuffix('.rs')}")
    if len(parts) == 3 and parts[0] == "tests" and parts[2] == "main.rs":
        return ("test", f"--test={parts[1]}")
    raise InputError(f"target: {path}: cargo test runs files directly under tests/; use scope pattern")


def _go_file(path: str) -> tuple[str, ...]:
    """A Go file is tested with its package, which is its folder."""
    folder = PurePosixPath(path).parent if path.endswith(".go") else PurePosixPath(path)
    return ("test", "-v", f"./{folder}")


def _node_file(path: str) -> tuple[str, ...]:
    """From Node 21 on the path is a glob, before it is not: a name that would differ is no file for both."""
    if any(char in path for char in "*?[{("):
        raise InputError(f"target: {path}: node --test may take * ? [ {{ ( for a pattern; use scope pattern")
    return ("--test", _no_option(path))


def _node_junit(path: str) -> tuple[str, ...]:
    return (
        *("--test-reporter=spec", "--test-reporter-destination=stdout"),
        *("--test-reporter=junit", f"--test-reporter-destination={path}"),
    )


RUNNERS: dict[str, Runner] = {
    runner.name: runner
    for runner in (
        Runner(
            name="pytest",
            programs=("pytest",),
            everything=(),
            file=lambda path: (_explicit(path),),
            pattern=lambda words: (f"-k={words}",),
            places=_VENV,
            junit=lambda path: (f"--junit-xml={path}",),
            environment=_UNBUFFERED,
            exit_reasons=_PYTEST_EXITS,
            node_ids=True,
        ),
        Runner(
            name="unittest",
            programs=("python3", "python"),
            everything=("-m", "unittest", "discover", "-v"),
            file=_unittest_file,
            pattern=lambda words: ("-m", "unittest", "discover", "-v", f"-k={words}"),
            places=_VENV,
            environment=_UNBUFFERED,
            exit_reasons={5: "no tests were found"},
        ),
        Runner(
            name="vitest",
            programs=("vitest",),
            everything=("run",),
            file=lambda path: ("run", _no_option(path)),
            pattern=lambda words: ("run", f"--testNamePattern={words}"),
            places=_NODE,
            junit=lambda path: ("--reporter=default", "--reporter=junit", f"--outputFile.junit={path}"),
        ),
        Runner(
            name="jest",
            programs=("jest",),
            everything=(),
            file=lambda path: ("--runTestsByPath", _no_option(path)),
            pattern=lambda words: (f"--testNamePattern={words}",),
            places=_NODE,
        ),
        Runner(
            name="node",
            programs=("node",),
            everything=("--test",),
            file=_node_file,
            pattern=lambda words: ("--test", f"--test-name-pattern={words}"),
            junit=_node_junit,
        ),
        Runner(
            name="cargo",
            programs=("cargo",),
            everything=("test",),
            file=_cargo_file,
            pattern=lambda words: ("test", words),
            exit_reasons={101: "tests failed, or the code does not compile"},
        ),
        Runner(
            name="go",
            programs=("go",),
            everything=("test", "-v", "./..."),
            file=_go_file,
            pattern=lambda words: ("test", "-v", f"-run={words}", "./..."),
            exit_reasons={2: "the code does not compile, or go was used wrongly"},
        ),
        Runner(
            name="flutter",
            programs=("flutter",),
            everything=("test",),
            file=lambda path: ("test", _no_option(path)),
            pattern=lambda words: ("test", "--name", words),
        ),
    )
}
"""By name. `flutter` is that of the source document; the others follow its form."""


def runner_named(name: object) -> Runner:
    """The runner. Raises InputError that names the parameter."""
    runner = RUNNERS.get(name) if isinstance(name, str) else None
    if runner is None:
        raise InputError(f"runner: {_shown(name)} is not one of: {', '.join(RUNNERS)}")
    return runner


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:79]}…"
