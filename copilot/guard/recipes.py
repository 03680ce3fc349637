"""What a named script, target or environment would run, as text: read from the project's own files.

Only to hold what leaves the machine or removes beyond the project (`OUTWARD`). Needs, scripts that a script
names, and variables are followed; each file is read once for a verdict, and costs by its size.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Callable, Mapping
from typing import Any

from copilot.documents import parse_json, parse_toml
from copilot.errors import InputError
from copilot.guard.below import expand
from copilot.guard.budget import CHARACTERS
from copilot.guard.disk import Unread
from copilot.guard.families import has_wildcard
from copilot.guard.rule_files import Scene

Texts = dict[str, str]
"""The text of each script or target by its name; names in it are followed."""
ALWAYS = ""
"""The name of a text that counts whatever is named."""
_MAX_FOLLOWED = 40
_MOST_PACKAGES = 60
_LONGEST_TEXT, _LONGEST_VALUE, _MOST_VALUES = 100_000, 2_000, 200
"""Characters of a recipe that values are put into, and of a value: values may name each other, and grow."""
_INSTALLS = ("preinstall", "install", "postinstall", "prepublish", "preprepare", "prepare", "postprepare")
_WORDS = re.compile(r"[A-Za-z0-9_:.@/-]+")


def recipe_text(scene: Scene, program: str, folder: str, words: list[str], *, everywhere: bool) -> str:
    """The text of all that these words start in a folder; `everywhere`: in the packages below it too."""
    read = _READERS.get(program)
    if read is None:
        return ""
    here = _upwards(scene, folder, read) if program in _LOOKS_UP else folder
    folders = [here, *(_packages(scene, folder) if everywhere else ())]
    return "\n".join(_followed(_once(scene, one, read), words) for one in folders)


def script_names(scene: Scene, program: str, folder: str) -> frozenset[str]:
    """The names that `PROGRAM run` takes for scripts of the project before it looks for programs."""
    read = _READERS.get(program, _entry_points)
    return frozenset(_once(scene, folder, read)) | frozenset(_once(scene, folder, _entry_points))


def _upwards(scene: Scene, folder: str, read: Callable[[Scene, str], Texts]) -> str:
    """The folder whose file counts: these programs look above, up to the project at least."""
    root, here = scene.scope.root, scene.scope.resolve(folder)
    while here.startswith(root + "/") and not _once(scene, here, read):
        here = posixpath.dirname(here)
    above = posixpath.dirname(root)
    while here == root and above != "/" and not _once(scene, here, read):
        if _once(scene, above, read):
            raise Unread(f"{posixpath.basename(above)} above the project says what is run")
        above = posixpath.dirname(above)
    return here


def _once(scene: Scene, folder: str, read: Callable[[Scene, str], Texts]) -> Texts:
    key = (read.__name__, folder)
    if key not in scene.recipes:
        scene.recipes[key] = read(scene, folder)
    return scene.recipes[key]


def _followed(texts: Mapping[str, str], words: list[str]) -> str:
    found: list[str] = [texts.get(ALWAYS, "")]
    waiting, seen = list(words), set(words)
    while waiting and len(found) < _MAX_FOLLOWED:
        text = texts.get(waiting.pop(), "")
        found.append(text)
        named = [word for word in dict.fromkeys(_WORDS.findall(text)) if word in texts and word not in seen]
        seen.update(named)
        waiting += named
    return "\n".join(found)


def _text(scene: Scene, folder: str, *names: str) -> str:
    for name in names:
        data = scene.scope.disk.read_file(posixpath.join(folder, name))
        scene.budget.spend(20 + len(data or b"") // CHARACTERS)
        if data is not None:
            return data.decode("utf-8", "replace")
    return ""


def _packages(scene: Scene, folder: str) -> list[str]:
    """The folders below, two deep, that hold a `package.json`."""
    found: list[str] = []
    waiting = [(folder, 0)]
    while waiting and len(found) < _MOST_PACKAGES:
        here, depth = waiting.pop()
        for entry in scene.scope.disk.list_folder(here):
            scene.budget.spend(1)
            path = posixpath.join(here, entry.name)
            if entry.kind == "folder" and depth < 2 and entry.name not in ("node_modules", ".git"):
                waiting.append((path, depth + 1))
            elif entry.name in ("package.json", "project.json") and here != folder and here not in found:
                found.append(here)
    return found


def _scripts(scene: Scene, folder: str, file: str = "package.json") -> Texts:
    """Scripts with what runs before and after them, and those of an install."""
    try:
        data = parse_json(_text(scene, folder, file) or "{}")
    except ValueError as error:
        raise Unread(f"{file} cannot be looked at: it is not JSON ({error})") from None
    scripts = data.get("scripts") if isinstance(data, dict) else None
    if not isinstance(scripts, dict):
        return {}
    plain = {str(name): str(text) for name, text in scripts.items()}
    found = {
        name: "\n".join(plain.get(one, "") for one in (f"pre{name}", name, f"post{name}")) for name in plain
    }
    short = {"t": "test", "tst": "test"}
    found |= {name: found[full] for name, full in short.items() if full in found}
    return found | dict.fromkeys(
        ("ci", "clean-install", "install", "i"), "\n".join(plain.get(one, "") for one in _INSTALLS)
    )


def _workspace(scene: Scene, folder: str) -> Texts:
    """Scripts, and the targets of nx."""
    found = _scripts(scene, folder)
    try:
        data = parse_json(_text(scene, folder, "project.json") or "{}")
    except ValueError as error:
        raise Unread(f"project.json cannot be looked at: it is not JSON ({error})") from None
    targets = data.get("targets") if isinstance(data, dict) else None
    for name, target in targets.items() if isinstance(targets, dict) else ():
        found[str(name)] = f"{found.get(str(name), '')}\n{json.dumps(target)}"
    return found


def _composer(scene: Scene, folder: str) -> Texts:
    return _scripts(scene, folder, "composer.json")


_ASSIGNS = re.compile(r"(?:export |override )*([A-Za-z_][A-Za-z0-9_.-]*) *(?:::?|\+|\?|!)?= *(.*)")


def _makefile(scene: Scene, folder: str) -> Texts:
    """Recipes with their needs; a line that begins with a tab belongs to the last rule."""
    text = _with_included(scene, folder, _text(scene, folder, "GNUmakefile", "makefile", "Makefile"))
    found: Texts = {}
    variables: Texts = {
        name: body for name, body in re.findall(r"(?ms)^define +([\w.-]+)[^\n]*\n(.*?)^endef", text)
    }
    text = re.sub(r"(?ms)^define .*?^endef[^\n]*$", "", text)
    always = "\n".join(line for line in text.split("\n") if _RUN_WHEN_READ.search(line))
    current: list[str] = []
    for line in text.split("\n"):
        if line.startswith("\t"):
            for target in current:
                found[target] += f"\n{line}"
        elif not line.strip() or line.startswith("#"):
            continue
        elif assigned := _ASSIGNS.fullmatch(line.strip()):
            variables[assigned.group(1)] = assigned.group(2)
        elif ":" in line and not line.startswith(" "):
            targets, _, rest = line.partition(":")
            current = targets.split()[:20]
            for target in current:
                found[target] = f"{found.get(target, '')}\n{rest.partition('#')[0].lstrip(':')}"
    return {target: _with_values(f"{always}\n{recipe}", variables) for target, recipe in found.items()}


_RUN_WHEN_READ = re.compile(r"^[^\t#].*\$[({]shell\b|^[\w.-]+ *!=")
"""Lines that make runs when it reads the file, whatever target is named."""
_INCLUDES = re.compile(r"(?m)^ *(?:-include|sinclude|include)[ \t]+([^\n#]+)")
_MOST_INCLUDED = 20


def _with_included(scene: Scene, folder: str, text: str) -> str:
    """A Makefile with those that it includes. Raises Unread where their names are computed."""
    found: list[str] = []
    waiting, seen = [text.replace("\\\n", " ")], set[str]()
    while waiting and len(found) < _MOST_INCLUDED:
        found.append(waiting.pop())
        for name in (word for line in _INCLUDES.findall(found[-1]) for word in line.split()):
            if "$" in name:
                raise Unread(f"the Makefile includes {name}, which is known only when it runs")
            wild = has_wildcard(name)
            for one in expand(scene.scope, name, folder, scene.budget) if wild else [name]:
                if one not in seen:
                    seen.add(one)
                    waiting.append(_text(scene, folder, one).replace("\\\n", " "))
    return "\n".join(found)


def _with_values(text: str, variables: Mapping[str, str]) -> str:
    for _ in range(3):
        if "$" not in text or len(text) > _LONGEST_TEXT:
            break
        text = re.sub(
            r"\$[({](?:call )?([A-Za-z0-9_.-]+)(?:,[^()]*)?[)}]",
            lambda match: variables.get(match.group(1), " ")[:_LONGEST_VALUE],
            text,
            count=_MOST_VALUES,
        )
    return text


def _cased(scene: Scene, folder: str, *names: str) -> list[str]:
    """The names of files there that are one of these but for their case, in this order."""
    there = [one.name for one in scene.scope.disk.list_folder(folder)]
    scene.budget.spend(len(there) // 4)
    return [name for wanted in names for name in sorted(there) if name.casefold() == wanted]


def _blocks(text: str, head: str) -> Texts:
    """Texts that begin with a line that fits `head` (its group: the name) and go on while indented."""
    found: Texts = {}
    name, depth = "", 0
    for line in text.split("\n"):
        match = re.match(head, line[:400])
        indent = len(line) - len(line.lstrip())
        if match and (not name or indent <= depth):
            name, depth = match.group(1), indent
            found[name] = line
        elif (
            name and line.strip() and indent <= depth and not line.lstrip().startswith(("#", "end", "}", ")"))
        ):
            name = ""
        elif name:
            found[name] += f"\n{line}"
    return found


def _justfile(scene: Scene, folder: str) -> Texts:
    text = _text(scene, folder, *_cased(scene, folder, "justfile", ".justfile"))
    return _blocks(text, r"@?([A-Za-z_][A-Za-z0-9_-]*)\b[^:=]*:(?!=)")


def _taskfile(scene: Scene, folder: str) -> Texts:
    names = (f"taskfile{part}.{ending}" for part in ("", ".dist") for ending in ("yml", "yaml"))
    text = _text(scene, folder, *_cased(scene, folder, *names))
    return _blocks(text.partition("tasks:")[2], r"[ \t]+([A-Za-z0-9_:-]+):")


def _rakefile(scene: Scene, folder: str) -> Texts:
    text = _text(scene, folder, "Rakefile", "rakefile", "Rakefile.rb")
    return _blocks(text, r"\s*task[ (]+['\":]?([A-Za-z0-9_-]+)")


def _noxfile(scene: Scene, folder: str) -> Texts:
    """Functions; sessions also by the name that they are given; `nox` alone runs those of its list."""
    text = _text(scene, folder, "noxfile.py")
    found = _blocks(text, r"def ([A-Za-z0-9_]+)\(")
    for options, function in re.findall(r"(?m)^@nox\.session([^\n]*)\n(?:@[^\n]*\n)*def (\w+)\(", text):
        for name in re.findall(r"name *= *[\"']([^\"'\n]+)[\"']", options):
            found[name] = found.get(function, "")
    listed = re.search(r"(?ms)^nox\.options\.sessions *= *[\[(](.*?)[\])]", text)
    names = _WORDS.findall(listed.group(1)) if listed else []
    every = "\n".join(found.get(name, "") for name in names or tuple(found))
    return {**found, "nox": every if all(name in found for name in names) else "\n".join(found.values())}


def _tox(scene: Scene, folder: str) -> Texts:
    """Environments with what all of them run; `tox` alone stands for those of its list."""
    tables = _toml(scene, folder, "pyproject.toml").get("tool", {}).get("tox") or {}
    legacy = tables.get("legacy_tox_ini", "") if isinstance(tables, dict) else ""
    text = _text(scene, folder, "tox.ini") or legacy or _text(scene, folder, "setup.cfg")
    always = json.dumps([_toml(scene, folder, "tox.toml"), tables])
    parts = re.split(r"(?m)^\[([^\]\n]*)\][^\n]*$", text)
    sections = dict(zip(parts[1::2], parts[2::2], strict=False))
    common = sections.get("testenv", "")
    found = {
        name.removeprefix("testenv:"): common + body
        for name, body in sections.items()
        if name.startswith("testenv:")
    }
    settings = sections.get("tox", "") or sections.get("tox:tox", "")
    listed = re.search(r"(?m)^env_?list\s*=([^\n]*(?:\n[ \t][^\n]*)*)", settings)
    names = _WORDS.findall(listed.group(1)) if listed else []
    every = f"{common}\n{always}"
    return {ALWAYS: every, **dict.fromkeys(names, common), **found, "tox": " ".join([common, *names])}


def _toml(scene: Scene, folder: str, name: str) -> dict[str, Any]:
    try:
        return parse_toml(_text(scene, folder, name), name)
    except InputError as error:
        raise Unread(f"{name} cannot be looked at: {error}") from None


def _table(value: Any, *keys: str) -> dict[str, Any]:
    """The table at these keys; empty if there is none."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def _pipfile(scene: Scene, folder: str) -> Texts:
    found = _table(_toml(scene, folder, "Pipfile"), "scripts")
    return {str(name): json.dumps(value) for name, value in found.items()}


def _entry_points(scene: Scene, folder: str) -> Texts:
    """Programs that the project itself installs."""
    data = _toml(scene, folder, "pyproject.toml")
    return {
        str(name): json.dumps(value)
        for keys in (("project", "scripts"), ("tool", "poetry", "scripts"))
        for name, value in _table(data, *keys).items()
    }


def _pyproject(scene: Scene, folder: str) -> Texts:
    """The scripts of hatch, pdm and rye."""
    tools = _table(_toml(scene, folder, "pyproject.toml"), "tool")
    found: Texts = {}
    environments = _table(tools, "hatch", "envs") | _table(_toml(scene, folder, "hatch.toml"), "envs")
    tables = [_table(tools, name, "scripts") for name in ("pdm", "rye")]
    tables += [_table(one, "scripts") for one in environments.values()]
    for table in tables:
        for name, value in table.items():
            found[str(name)] = f"{found.get(str(name), '')}\n{json.dumps(value)}"
    for name, one in environments.items():
        for script in _table(one, "scripts"):
            found[f"{name}:{script}"] = found[str(script)]
    return found


_LOOKS_UP = frozenset({"npm", "pnpm", "yarn", "bun", "just", "task", "rake", "hatch", "pdm", "rye", "pipenv"})
_READERS: dict[str, Callable[[Scene, str], Texts]] = {
    **dict.fromkeys(("npm", "pnpm", "yarn", "bun"), _scripts),
    **dict.fromkeys(("turbo", "nx", "lerna"), _workspace),
    "composer": _composer,
    **dict.fromkeys(("make", "gmake"), _makefile),
    "just": _justfile,
    "task": _taskfile,
    "rake": _rakefile,
    "nox": _noxfile,
    "tox": _tox,
    **dict.fromkeys(("hatch", "pdm", "rye"), _pyproject),
    "pipenv": _pipfile,
}
