"""The checked parameters of a test run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from copilot.errors import InputError
from copilot.timebox.box import inside
from copilot.timebox.runners import Runner, Scope, runner_named

MAX_MILLISECONDS = 3_600_000
"""One hour."""
_MAX_CHARACTERS = 4_096
REQUIRED = ("runner", "scope", "timeout_ms", "no_output_timeout_ms", "max_output_bytes")
OPTIONAL = ("target", "report_dir")


@dataclass(frozen=True, slots=True)
class TestRequest:
    """A test run that may start. Paths are relative to `root`; No `report_dir` means the default folder."""

    __test__ = False

    root: Path
    runner: Runner
    scope: Scope
    target: str
    hard_seconds: float
    silence_seconds: float
    max_output_bytes: int
    report_dir: str | None

    @property
    def arguments(self) -> tuple[str, ...]:
        """The arguments after the program. Raises InputError for a target that the runner cannot take."""
        return self.runner.arguments(self.scope, self.target)


def parse_request(given: Mapping[str, object], roots: Sequence[Path]) -> TestRequest:
    """Check the parameters. `cwd` must be one of `roots`; the first is the default.

    Raises InputError that names the parameter and what it takes.
    """
    known = {*REQUIRED, *OPTIONAL, *(["cwd"] if len(roots) > 1 else [])}
    for name in given:
        if name not in known:
            raise InputError(f"{name[:80]}: is not a parameter; known are: {', '.join(sorted(known))}")
    for name in REQUIRED:
        if given.get(name) is None:
            raise InputError(f"{name}: is missing")
    runner = runner_named(given["runner"])
    scope = _scope(given["scope"])
    root = _root(given.get("cwd"), roots)
    request = TestRequest(
        root=root,
        runner=runner,
        scope=scope,
        target=_target(given.get("target"), scope, runner, root),
        hard_seconds=_milliseconds(given, "timeout_ms") / 1000,
        silence_seconds=_milliseconds(given, "no_output_timeout_ms") / 1000,
        max_output_bytes=_positive_integer(given, "max_output_bytes"),
        report_dir=_report_dir(given.get("report_dir"), root),
    )
    _ = request.arguments
    return request


def _scope(value: object) -> Scope:
    if not isinstance(value, str) or value not in set(Scope):
        raise InputError(f"scope: {value!r:.80} is not one of: {', '.join(Scope)}")
    return Scope(value)


def _root(value: object, roots: Sequence[Path]) -> Path:
    if value is None:
        return roots[0]
    for root in roots:
        if value == str(root):
            return root
    raise InputError(f"cwd: {value!r:.80} is not one of: {', '.join(map(str, roots))}")


def _positive_integer(given: Mapping[str, object], name: str) -> int:
    value = given[name]
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise InputError(f"{name}: {value!r:.80} is not a whole number of 1 or more")
    return value


def _milliseconds(given: Mapping[str, object], name: str) -> int:
    value = _positive_integer(given, name)
    if value > MAX_MILLISECONDS:
        raise InputError(f"{name}: {value} is more than {MAX_MILLISECONDS} (an hour)")
    return value


def _target(value: object, scope: Scope, runner: Runner, root: Path) -> str:
    if scope is Scope.ALL:
        return ""
    if value is None or value == "":
        raise InputError(f"target: is missing; scope {scope} needs one")
    if not isinstance(value, str) or not value.strip() or len(value) > _MAX_CHARACTERS:
        raise InputError(f"target: give a text of at most {_MAX_CHARACTERS} characters")
    if any(char < " " or char == "\x7f" for char in value) or not _encodable(value):
        raise InputError("target: contains a control character; take it out")
    if value.lstrip().startswith("-"):
        raise InputError(f"target: {value[:80]!r} begins with a dash, as an option does; leave the dash out")
    if scope is Scope.PATTERN:
        return value
    path, separator, inner = value.partition("::") if runner.node_ids else (value, "", "")
    found = inside(path, root, "target")
    if not (root / found).exists():
        raise InputError(f"target: {path[:80]}: no such file in {root}")
    return found + separator + inner


def _report_dir(value: object, root: Path) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str) or not _encodable(value):
        raise InputError("report_dir: give a path inside the project")
    return inside(value, root, "report_dir")


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
