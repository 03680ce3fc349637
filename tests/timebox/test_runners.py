"""Each runner's templates with the real program: all, one file, a pattern; passing and failing; counts.

What is not on this machine is skipped with its reason (flutter has a test of its templates only). The node
runners come from npm, once per session.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from copilot.redaction.redact import Redactor
from copilot.timebox.counts import Counts
from copilot.timebox.runners import RUNNERS, Scope
from copilot.timebox.summary import TestResult
from copilot.timebox.testing import run_test
from tests.timebox.conftest import USUAL

_GO_BAD = 'package a\nimport "testing"\nfunc TestBad(t *testing.T) { t.Fatal("broken") }\n'
_JS = "{ test('NAME', () => { if (BAD) throw new Error('broken'); }); }\n"


def _js(head: str, name: str, bad: bool) -> str:
    return head + _JS.replace("NAME", name).replace("BAD", str(bad).lower())


def _node_files(head: str) -> dict[str, str]:
    return {
        "good.test.js": _js(head, "adds up", False),
        "bad.test.js": _js(head, "breaks down", True),
        "[id].test.js": _js(head, "in brackets", False),
    }


@dataclass(frozen=True)
class Case:
    """A project with one good and one bad test, and the targets that name the good one."""

    files: Mapping[str, str]
    file: str
    pattern: str
    bracketed: str = ""
    all_counts: Counts = field(default_factory=lambda: Counts(1, 1, 0))


CASES = {
    "pytest": Case(
        {
            "test_good.py": "import pytest\n@pytest.mark.parametrize('n', ['a/b', 'c'])\ndef test_adds(n): pass\n",
            "test_bad.py": "def test_breaks(): assert False\n",
            "@list.txt": "--help\n",
        },
        file="test_good.py",
        pattern="adds and not breaks",
        bracketed="test_good.py::test_adds[a/b]",
        all_counts=Counts(2, 1, 0),
    ),
    "unittest": Case(
        {
            "test_good.py": "import unittest\nclass A(unittest.TestCase):\n    def test_adds(self): pass\n",
            "test_bad.py": "import unittest\nclass B(unittest.TestCase):\n    def test_breaks(self): self.fail('broken')\n",
        },
        file="test_good.py",
        pattern="adds",
    ),
    "node": Case(
        _node_files("const test = require('node:test');\n"),
        file="good.test.js",
        pattern="adds up",
        all_counts=Counts(2, 1, 0),
    ),
    "vitest": Case(
        {**_node_files("import { test } from 'vitest';\n"), "package.json": '{"type": "module"}'},
        file="good.test.js",
        pattern="adds up",
        bracketed="[id].test.js",
        all_counts=Counts(2, 1, 0),
    ),
    "jest": Case(
        {**_node_files(""), "package.json": "{}"},
        file="good.test.js",
        pattern="adds up",
        bracketed="[id].test.js",
        all_counts=Counts(2, 1, 0),
    ),
    "cargo": Case(
        {
            "Cargo.toml": '[package]\nname = "small"\nversion = "0.1.0"\nedition = "2021"\n',
            "src/lib.rs": "",
            "tests/good.rs": "#[test]\nfn adds() {}\n",
            "tests/bad.rs": '#[test]\nfn breaks() { panic!("broken") }\n',
        },
        file="tests/good.rs",
        pattern="adds",
        all_counts=Counts(0, 1, 0),  # cargo stops after the first test target that fails
    ),
    "go": Case(
        {
            "go.mod": "module small\n\ngo 1.19\n",
            "a/bad_test.go": _GO_BAD,
            "b/good_test.go": 'package b\nimport "testing"\nfunc TestGood(t *testing.T) {}\n',
        },
        file="b/good_test.go",
        pattern="^TestGood$",
    ),
}
SLOW = {"vitest", "jest", "cargo", "go"}


def run(root: Path, runner: str, **given: Any) -> TestResult:
    """One call, with the interpreter of these tests first on PATH."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "GOFLAGS": "-mod=mod", "GOPROXY": "off"}
    environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # none is needed, and all take a second
    for name in ("PYTEST_ADDOPTS", "PYTEST_CURRENT_TEST"):
        environment.pop(name, None)
    limits = {"timeout_ms": 600_000, "no_output_timeout_ms": 600_000}
    request = {**USUAL, **limits, "runner": runner, **given}
    return asyncio.run(run_test(request, [root], Redactor(), environment=environment))


@pytest.fixture
def small_project(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """The files of the case, and its program from npm where it comes from there."""
    runner = request.getfixturevalue("runner")
    root = (tmp_path / "small").resolve()
    for name, text in CASES[runner].files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    if runner in ("vitest", "jest"):
        if shutil.which("npm") is None:
            pytest.skip("npm is not installed")
        shared = request.getfixturevalue("npm_programs")
        (root / "node_modules").symlink_to(shared / "node_modules")
    elif shutil.which(RUNNERS[runner].programs[0]) is None:
        pytest.skip(f"{RUNNERS[runner].programs[0]} is not installed")
    return root


@pytest.fixture(scope="session")
def npm_programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("npm")
    (folder / "package.json").write_text("{}")
    command = ("npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "vitest@3", "jest@30")
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=500)
    if done.returncode != 0:
        pytest.skip(f"vitest and jest cannot be had from npm: {done.stderr[-200:]}")
    return folder


_PARAMETERS = [
    pytest.param(name, marks=[pytest.mark.slow, pytest.mark.timeout(900)] if name in SLOW else [])
    for name in CASES
]


@pytest.mark.row("TB-5", "TB-6", "TB-15", "TB-16", "TB-17", "TB-21", "TB-57")
@pytest.mark.parametrize("runner", _PARAMETERS)
def test_the_real_runner_runs_all_a_file_and_a_pattern(runner: str, small_project: Path) -> None:
    case = CASES[runner]
    everything = run(small_project, runner)
    assert everything.status == "fail", everything
    assert everything.counts == case.all_counts, everything
    assert "broken" in everything.excerpt or "assert False" in everything.excerpt
    one = run(small_project, runner, scope="file", target=case.file)
    assert one.status == "pass" and one.counts is not None and one.counts.failed == 0, one
    named = run(small_project, runner, scope="pattern", target=case.pattern)
    assert named.status == "pass" and named.counts is not None and named.counts.failed == 0, named
    if case.bracketed:
        bracketed = run(small_project, runner, scope="file", target=case.bracketed)
        assert bracketed.status == "pass" and bracketed.counts is not None, bracketed
        assert bracketed.counts.passed == 1, bracketed


@pytest.mark.row("TB-27")
@pytest.mark.parametrize("runner", ["pytest"])
def test_pytest_says_what_its_exit_codes_mean(runner: str, small_project: Path) -> None:
    nothing = run(small_project, runner, scope="pattern", target="no_such_name")
    assert nothing.exit_code == 5 and "no tests were collected" in nothing.error_message
    wrong = run(small_project, runner, scope="pattern", target="@list.txt")
    assert wrong.exit_code == 4 and "wrongly" in wrong.error_message, "a list of arguments is not read"
    listed = run(small_project, runner, scope="file", target="@list.txt")
    assert listed.exit_code in (4, 5) and "usage:" not in listed.excerpt, "neither for a file"


def test_a_name_that_node_may_take_for_a_pattern_is_refused(tmp_path: Path) -> None:
    (tmp_path / "[id].test.js").touch()
    result = run(tmp_path.resolve(), "node", scope="file", target="[id].test.js")
    assert result.status == "error" and result.error_message.startswith("target: ")


def test_flutter_has_the_templates_of_the_source_document() -> None:
    flutter = RUNNERS["flutter"]
    assert flutter.arguments(Scope.ALL, "") == ("test",)
    assert flutter.arguments(Scope.FILE, "test/a_test.dart") == ("test", "test/a_test.dart")
    assert flutter.arguments(Scope.PATTERN, "adds up") == ("test", "--name", "adds up")


def test_every_runner_is_shown_with_its_program_or_by_its_templates() -> None:
    assert {*CASES, "flutter"} == {*RUNNERS}
