"""Scenario files: YAML read strictly, every fault with its file and line. `docs/proving-ground.md`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from copilot.core.provider_registry import MODEL_PROVIDERS
from copilot.core.reply import Autonomy
from copilot.errors import InputError
from copilot.lab.checks import Check, all_checks
from copilot.lab.clis.extras import McpServer
from copilot.lab.launch import known_clis
from copilot.lab.model_server import Playbook, load_playbook
from copilot.lab.model_server.playbook_file import playbook_of
from copilot.lab.scenarios import CheckSpec, Scenario, Verdict
from copilot.lab.scenarios.command_agent import COMMAND_AGENT
from copilot.plain_files import is_folder, not_read, read_start, real_path
from copilot.strict_yaml import MOST_BYTES, Node, Readers, fields, read_yaml, texts

_FILE_KEYS = ("feature", "description", "category", "defaults", "scenarios")
_ID = re.compile(r"[a-z0-9][a-z0-9._-]*/[a-z0-9][a-z0-9._-]*/[a-z0-9][a-z0-9._-]*")
_ENDINGS = (".yaml", ".yml")


@dataclass(frozen=True, slots=True)
class Choice:
    """Which scenarios are meant: by tag, by number, by a part of the id. Nothing given means all."""

    tags: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    numbers: frozenset[int] = frozenset()
    names: tuple[str, ...] = ()

    def takes(self, scenario: Scenario) -> bool:
        return (
            (not self.tags or bool(set(self.tags) & set(scenario.tags)))
            and not set(self.without) & set(scenario.tags)
            and (not self.numbers or scenario.number in self.numbers)
            and (not self.names or any(name in scenario.id for name in self.names))
        )


def gather(paths: Sequence[Path], choice: Choice) -> list[Scenario]:
    """The chosen scenarios of these files and folders, in order. Raises InputError, also for none."""
    found: list[Scenario] = []
    for path in find_files(paths):
        found += load_scenarios(path, len(found) + 1)
    ids: dict[str, Scenario] = {}
    for scenario in found:
        first = ids.setdefault(scenario.id, scenario)
        if first is not scenario:
            raise InputError(
                f"{scenario.source}, line {scenario.line}: the id {scenario.id!r} is that of "
                f"{first.source}, line {first.line}; give one of them another `name` or `category`"
            )
    chosen = [scenario for scenario in found if choice.takes(scenario)]
    if not chosen:
        raise InputError(f"none of {len(found)} scenarios is chosen; running nothing is not a pass")
    return chosen


def numbers_of(text: str) -> frozenset[int]:
    """`1,3-5` as numbers. Raises InputError."""
    found: set[int] = set()
    for part in text.split(","):
        first, dash, last = part.strip().partition("-")
        if not first.isdigit() or (dash and not last.isdigit()):
            raise InputError(f"--scenarios {text!r}: {part!r} is no number and no range like 3-5")
        found |= set(range(int(first), int(last or first) + 1))
    return frozenset(found)


def find_files(paths: Sequence[Path]) -> list[Path]:
    """The scenario files among these files and below these folders. Raises InputError if there are none.

    Below a folder a YAML file counts if it has the key `scenarios`: playbooks may lie beside them.
    """
    found: list[Path] = []
    for path in paths:
        if is_folder(path):
            inside = sorted(one for one in path.rglob("*") if _is_scenarios(one))
            if not inside:
                raise InputError(f"{path}: no scenario file (*.yaml with the key `scenarios`) is below it")
            found += inside
        else:
            # Whatever is no plain file is told when it is read.
            found.append(path)
    once: dict[Path, Path] = {}
    for one in found:
        once.setdefault(real_path(one), one.absolute())
    return list(once.values())


def _is_scenarios(path: Path) -> bool:
    if path.suffix not in _ENDINGS or is_folder(path):
        return False
    try:
        return re.search(rb"^scenarios:", read_start(path, MOST_BYTES), re.M) is not None
    except OSError as error:
        raise not_read(path, error) from None


def load_scenarios(path: Path, first_number: int = 1) -> list[Scenario]:
    """The scenarios of one file, numbered on. Raises InputError with file, line, key and fix."""
    document = read_yaml(path)
    entries = document.mapping(_FILE_KEYS)
    if "scenarios" not in entries:
        raise document.wrong("has no `scenarios`")
    words = {key: entries[key].text() for key in ("feature", "description", "category") if key in entries}
    shared = entries["defaults"].mapping(_READERS) if "defaults" in entries else {}
    nodes = entries["scenarios"].items()
    if not nodes:
        raise entries["scenarios"].wrong("is empty")
    feature, category = words.get("feature", ""), words.get("category", path.parent.name)
    scenarios = [
        _scenario(node, shared, feature, category, number) for number, node in enumerate(nodes, first_number)
    ]
    ids = [scenario.id for scenario in scenarios]
    for node, one in zip(nodes, ids, strict=True):
        if ids.count(one) > 1:
            raise node.wrong(f"the id {one!r} is used twice")
    return scenarios


def scenario_id(category: str, path: Path, name: str) -> str:
    """category/file/name, in small letters, digits and dashes."""
    return "/".join(_slug(part) for part in (category, path.stem, name))


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9._]+", "-", text.lower()).strip("-._") or "unnamed"


def check_id(text: str) -> str:
    if _ID.fullmatch(text):
        return ""
    return "is no id of a scenario; the form is category/file/name in small letters, digits and dashes"


def _scenario(node: Node, shared: Mapping[str, Node], feature: str, category: str, number: int) -> Scenario:
    entries = {**shared, **node.mapping(("name", "id", *_READERS))}
    if "name" not in entries:
        raise node.wrong("has no `name`")
    name = entries.pop("name").text()
    identity = scenario_id(category, node.path, name)
    if "id" in entries:
        own = entries.pop("id")
        identity = own.text()
        if wrong := check_id(identity):
            raise own.wrong(f"{identity!r} {wrong}")
    given: dict[str, Any] = {}
    for key, entry in entries.items():
        value = _READERS[key](entry)
        given |= value if key in _OF_SEVERAL_FIELDS else {key: value}
    _check_whole(node, given)
    return Scenario(
        id=identity,
        name=name,
        source=node.path,
        line=node.line,
        number=number,
        feature=feature,
        category=category,
        **given,
    )


def _check_whole(node: Node, given: Mapping[str, Any]) -> None:
    if bool(given.get("task")) == bool(given.get("commands")):
        raise node.wrong("needs either a `task` or `commands`")
    if "task" in given and "playbook" not in given:
        raise node.wrong("has no `playbook`: what the scripted model says")
    if not given.get("checks"):
        raise node.wrong("has no `checks`: nothing could fail it")
    names = {spec.name for spec in given["checks"]}
    for failing in given.get("expect_failing", ()):
        if failing not in names:
            raise node.wrong(f"expects {failing!r} to fail, which is none of its checks")


def _named(node: Node) -> dict[str, Node]:
    return {name: Node(value, node.path, node.line, name) for name, value in node.free_mapping().items()}


def _mcp_server(node: Node) -> McpServer:
    """`command: [program, argument…]` with `env`, or `url`."""
    given = fields(node, {"command": texts, "env": _text_values, "url": Node.text})
    if bool(given.get("command")) == bool(given.get("url")):
        raise node.wrong("needs either a `command` (a list: program and arguments) or a `url`")
    return McpServer(given.get("command", ()), given.get("env", {}), given.get("url", ""))


def _text_values(node: Node, what: str = "must be a text") -> dict[str, str]:
    values = node.free_mapping()
    for name, value in values.items():
        if not isinstance(value, str):
            raise node.wrong(f"{name}: {what} (put it in quotes)")
    return values


def _files(node: Node) -> dict[str, str]:
    files = _text_values(node, "the content must be a text")
    for name in files:
        if name.startswith("/") or ".." in name.split("/"):
            raise node.wrong(f"{name}: a file of the project has a path inside it")
    return files


def _environment(node: Node) -> dict[str, Any]:
    given = fields(node, {"set": _text_values, "unset": texts})
    return {f"{key}_variables": value for key, value in given.items()}


def _limits(node: Node) -> dict[str, Any]:
    return fields(
        node, {"timeout_seconds": lambda one: one.number(0.1), "max_steps": lambda one: one.whole(1)}
    )


def _playbook(node: Node) -> Playbook:
    if isinstance(node.value, str):
        return load_playbook(node.path.parent / node.text())
    return playbook_of(node)


def _check(node: Node) -> CheckSpec:
    known = all_checks()
    if isinstance(node.value, str):
        entries = {node.text(): Node({}, node.path, node.line, node.text())}
    else:
        entries = node.mapping(known)
    if len(entries) != 1:
        raise node.wrong("is one check: its name, or its name with its parameters")
    name, inside = next(iter(entries.items()))
    if name not in known:
        raise node.wrong(f"unknown check {name!r}; known are {', '.join(sorted(known))}")
    return CheckSpec(name, _parameters(inside, known[name]), node.line)


def _parameters(node: Node, check: Check) -> dict[str, Any]:
    readers = {key: _PARAMETERS[kind] for key, kind in check.parameters.items()}
    if not isinstance(node.value, dict) and len(check.needs) == 1:
        key = check.needs[0]
        return {key: readers[key](Node(node.value, node.path, node.line, key))}
    entries = node.mapping(readers)
    for key in check.needs:
        if key not in entries:
            raise node.wrong(f"needs {key!r}")
    return {key: readers[key](entry) for key, entry in entries.items()}


def _expect(node: Node) -> dict[str, Any]:
    given = fields(node, {"verdict": lambda one: Verdict(one.one_of(Verdict)), "failing": texts})
    usual = Verdict.FAIL if "failing" in given else Verdict.PASS
    return {"expect": given.get("verdict", usual), "expect_failing": given.get("failing", ())}


_PARAMETERS: Mapping[type, Any] = {
    int: Node.whole,
    bool: Node.flag,
    list: lambda node: list(texts(node)),
    str: Node.text,
}
_LIMITS: Readers = {"timeout_seconds": lambda node: node.number(0.1), "max_steps": lambda node: node.whole(1)}
_OF_SEVERAL_FIELDS = ("environment", "limits", "expect")
_READERS: Readers = {
    "task": Node.text,
    "commands": texts,
    "allow_commands": texts,
    "expected": Node.text,
    "criteria": texts,
    "tags": texts,
    "cli": lambda node: node.one_of((*known_clis(), COMMAND_AGENT)),
    "mcp_servers": lambda node: {name: _mcp_server(one) for name, one in _named(node).items()},
    "profile": Node.text,
    "governing_prompt": Node.text,
    "autonomy": lambda node: node.one_of(Autonomy),
    "provider": lambda node: node.one_of(("rules", *MODEL_PROVIDERS)),
    "replies": lambda node: tuple(item.free_mapping() for item in node.items()),
    "allow": texts,
    "files": _files,
    "environment": _environment,
    "isolation": lambda node: node.one_of(("scenario", "command")),
    "limits": _limits,
    "detectors": Node.free_mapping,
    "playbook": _playbook,
    "twice": Node.flag,
    "checks": lambda node: tuple(_check(item) for item in node.items()),
    "expect": _expect,
}
