"""Scenario files: YAML read strictly, every fault with its file and line. `docs/proving-ground.md`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from copilot.core.reply import Autonomy
from copilot.errors import InputError
from copilot.lab.checks import Check, all_checks
from copilot.lab.launch import known_clis
from copilot.lab.model_server import Playbook, load_playbook
from copilot.lab.model_server.playbook_file import playbook_of
from copilot.lab.scenarios import CheckSpec, Isolation, Scenario, Verdict
from copilot.strict_yaml import Node, read_yaml

_FILE_KEYS = ("feature", "description", "category", "defaults", "scenarios")
_ID = re.compile(r"[a-z0-9][a-z0-9._-]*/[a-z0-9][a-z0-9._-]*/[a-z0-9][a-z0-9._-]*")
_ENDINGS = (".yaml", ".yml")


def find_files(paths: Sequence[Path]) -> list[Path]:
    """The scenario files among these files and below these folders. Raises InputError if there are none.

    Below a folder a YAML file counts if it has the key `scenarios`: playbooks may lie beside them.
    """
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            inside = sorted(one for one in path.rglob("*") if one.suffix in _ENDINGS and _is_scenarios(one))
            if not inside:
                raise InputError(f"{path}: no scenario file (*.yaml with the key `scenarios`) is below it")
            found += inside
        elif path.is_file():
            found.append(path)
        else:
            raise InputError(f"{path}: no such file or folder")
    return list(dict.fromkeys(one.resolve() for one in found))


def _is_scenarios(path: Path) -> bool:
    return re.search(r"^scenarios:", path.read_text(encoding="utf-8", errors="replace"), re.M) is not None


def load_scenarios(path: Path, first_number: int = 1) -> list[Scenario]:
    """The scenarios of one file, numbered on. Raises InputError with file, line, key and fix."""
    document = read_yaml(path)
    entries = document.mapping(_FILE_KEYS)
    if "scenarios" not in entries:
        raise document.wrong("has no `scenarios`")
    feature = entries["feature"].text() if "feature" in entries else ""
    if "description" in entries:
        entries["description"].text()
    category = entries["category"].text() if "category" in entries else path.parent.name
    shared = entries["defaults"].mapping(_READERS) if "defaults" in entries else {}
    nodes = entries["scenarios"].items()
    if not nodes:
        raise entries["scenarios"].wrong("is empty")
    scenarios = [
        _scenario(node, shared, feature, category, first_number + index) for index, node in enumerate(nodes)
    ]
    ids = [scenario.id for scenario in scenarios]
    for node, scenario in zip(nodes, scenarios, strict=True):
        if ids.count(scenario.id) > 1:
            raise node.wrong(f"the id {scenario.id!r} is used twice")
    return scenarios


def scenario_id(category: str, path: Path, name: str) -> str:
    """category/file/name, in small letters, digits and dashes."""
    return "/".join(_slug(part) for part in (category, path.stem, name))


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9._]+", "-", text.lower()).strip("-._") or "unnamed"


def check_id(text: str) -> str:
    """What is wrong with an id, or nothing."""
    if _ID.fullmatch(text):
        return ""
    return "is no id of a scenario; the form is category/file/name in small letters, digits and dashes"


def _scenario(node: Node, shared: dict[str, Node], feature: str, category: str, number: int) -> Scenario:
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
        _READERS[key](entry, given)
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


Reader = Callable[[Node, dict[str, Any]], None]


def _text(key: str) -> Reader:
    def read(node: Node, given: dict[str, Any]) -> None:
        given[key] = node.text()

    return read


def _texts(key: str) -> Reader:
    def read(node: Node, given: dict[str, Any]) -> None:
        given[key] = tuple(item.text() for item in node.items())

    return read


def _one_of(key: str, words: Callable[[], Sequence[str]]) -> Reader:
    def read(node: Node, given: dict[str, Any]) -> None:
        given[key] = node.one_of(words())

    return read


def _files(node: Node, given: dict[str, Any]) -> None:
    files = node.free_mapping()
    for name, text in files.items():
        if not isinstance(text, str):
            raise node.wrong(f"{name}: the content must be a text (put it in quotes)")
        if name.startswith("/") or ".." in name.split("/"):
            raise node.wrong(f"{name}: a file of the project has a path inside it")
    given["files"] = files


def _environment(node: Node, given: dict[str, Any]) -> None:
    entries = node.mapping(("set", "unset"))
    if "set" in entries:
        pairs = entries["set"].free_mapping()
        for name, value in pairs.items():
            if not isinstance(value, str):
                raise entries["set"].wrong(f"{name}: must be a text (put it in quotes)")
        given["set_variables"] = pairs
    if "unset" in entries:
        given["unset_variables"] = tuple(item.text() for item in entries["unset"].items())


def _limits(node: Node, given: dict[str, Any]) -> None:
    entries = node.mapping(("timeout_seconds", "max_steps"))
    if "timeout_seconds" in entries:
        given["timeout_seconds"] = entries["timeout_seconds"].number(0.1)
    if "max_steps" in entries:
        given["max_steps"] = entries["max_steps"].whole(1)


def _playbook(node: Node, given: dict[str, Any]) -> None:
    given["playbook"] = _read_playbook(node)


def _read_playbook(node: Node) -> Playbook:
    if isinstance(node.value, str):
        return load_playbook(node.path.parent / node.text())
    return playbook_of(node)


def _replies(node: Node, given: dict[str, Any]) -> None:
    given["replies"] = tuple(item.free_mapping() for item in node.items())


def _checks(node: Node, given: dict[str, Any]) -> None:
    given["checks"] = tuple(_check(item) for item in node.items())


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
    if not isinstance(node.value, dict) and len(check.needs) == 1:
        key = check.needs[0]
        return {key: _parameter(Node(node.value, node.path, node.line, key), check.parameters[key])}
    entries = node.mapping(check.parameters)
    for key in check.needs:
        if key not in entries:
            raise node.wrong(f"needs {key!r}")
    return {key: _parameter(entry, check.parameters[key]) for key, entry in entries.items()}


def _parameter(node: Node, kind: type) -> Any:
    if kind is int:
        return node.whole()
    if kind is bool:
        return node.flag()
    if kind is list:
        return [item.text() for item in node.items()]
    return node.text()


def _expect(node: Node, given: dict[str, Any]) -> None:
    entries = node.mapping(("verdict", "failing"))
    if "verdict" in entries:
        given["expect"] = Verdict(entries["verdict"].one_of(Verdict))
    if "failing" in entries:
        given["expect_failing"] = tuple(item.text() for item in entries["failing"].items())
        given.setdefault("expect", Verdict.FAIL)


def _twice(node: Node, given: dict[str, Any]) -> None:
    given["twice"] = node.flag()


def _detectors(node: Node, given: dict[str, Any]) -> None:
    given["detectors"] = node.free_mapping()


def _isolation(node: Node, given: dict[str, Any]) -> None:
    given["isolation"] = Isolation(node.one_of(Isolation))


_READERS: dict[str, Reader] = {
    "task": _text("task"),
    "commands": _texts("commands"),
    "allow_commands": _texts("allow_commands"),
    "expected": _text("expected"),
    "criteria": _texts("criteria"),
    "tags": _texts("tags"),
    "cli": _one_of("cli", known_clis),
    "profile": _text("profile"),
    "governing_prompt": _text("governing_prompt"),
    "autonomy": _one_of("autonomy", lambda: tuple(Autonomy)),
    "provider": _one_of("provider", lambda: ("rules", "anthropic", "openai")),
    "replies": _replies,
    "allow": _texts("allow"),
    "files": _files,
    "environment": _environment,
    "isolation": _isolation,
    "limits": _limits,
    "detectors": _detectors,
    "playbook": _playbook,
    "twice": _twice,
    "checks": _checks,
    "expect": _expect,
}
