"""Programs that start a project's own: `uv run pytest`, `pnpm --filter web test`, `make -C sub test`.

Takes away what only says where (workspaces, folders, environments), so that what is left is judged as written
plainly, and reads the script or target that is named where that is cheap. What does not fit is left as it is:
no rule allows it then.
"""

from __future__ import annotations

import dataclasses
import posixpath
import re

import re2

from copilot.core.risk import RiskLevel
from copilot.guard.arguments import Arg, words
from copilot.guard.budget import CHARACTERS
from copilot.guard.grammar import option_refusal, read_options
from copilot.guard.index import is_committed, tracks_below
from copilot.guard.recipes import recipe_text, script_names
from copilot.guard.rule_files import Finding, Scene, high
from copilot.guard.task_names import OUTWARD, is_task

_ENVIRONMENTS: dict[str, tuple[str, ...]] = {
    "uv": words(
        "--frozen --locked --no-sync --all-extras --dev --no-dev -q --quiet --group:word "
        "--extra:word --all-groups"
    ),
    "poetry": words("-q"),
    "pdm": (),
    "pipenv": (),
    "hatch": (),
    "rye": (),
}
_SCRIPTED = frozenset({"hatch", "pdm", "rye", "pipenv"})
_WORKSPACES: dict[str, tuple[str, ...]] = {
    "npm": words(
        "--prefix:read -C:read -w:package --workspace:package --workspaces -ws --if-present --silent -s"
    ),
    "pnpm": words(
        "-r --recursive --filter:package -F:package -C:read --dir:read -w --workspace-root "
        "--parallel --stream --if-present --silent -s --no-bail"
    ),
    "yarn": words("--cwd:read --silent -s"),
    "bun": words("--filter:package --cwd:read --silent"),
    "make": words("-C:read --directory:read"),
    "gmake": words("-C:read --directory:read"),
}
_FOLDER_OPTIONS = frozenset({"--prefix", "-C", "--dir", "--cwd", "--directory"})
_YARN_EACH = read_options(
    words(
        "-A -p -t -i -v -W -R --all --parallel --topological --topological-dev --interlaced "
        "--verbose --worktree --recursive --include:package --from:package --exclude:package -pt "
        "-pi -ptv -piv -ptiv"
    )
)
_PACKAGE_NAME = re2.compile(r"@?[A-Za-z0-9_][A-Za-z0-9_.@/-]*")
_MODULES = frozenset(
    words("pytest mypy ruff black flake8 pylint isort pyright unittest tox nox bandit coverage pre_commit")
)
_ASKS = frozenset(
    {"--version", "-V", "--help", "-h", "-VV", "--markers", "--fixtures", "--co", "--collect-only"}
)
_PYTHON = re2.compile(r"(?:python|pypy)[0-9.]*")
_MAX_TARGETS = 40


def module_arguments(args: list[Arg]) -> list[Arg]:
    """`python -m pytest …` as `pytest …`; another as `python-module …`, `manage.py` as `python-manage`."""
    if not _PYTHON.fullmatch(args[0].shown) or len(args) < 2:
        return args
    if args[1].text in ("manage.py", "./manage.py"):
        return [Arg("python-manage"), *args[2:]]
    if args[1].text != "-m" or len(args) < 3:
        return args
    known = args[2].text in _MODULES and not any(arg.text in _ASKS for arg in args[3:])
    name = (args[2].text or "").replace("_", "-") if known else ""
    return [*([Arg(name)] if known else [Arg("python-module"), args[2]]), *args[3:]]


def module_findings(args: list[Arg], scene: Scene) -> list[Finding]:
    """Held if a file or folder of the project shadows the module of `python -m`."""
    if not _PYTHON.fullmatch(args[0].shown) or len(args) < 3 or args[1].text != "-m" or not args[2].text:
        return []
    name = args[2].text.partition(".")[0]
    for folder in scene.folders:
        entries = {one.name for one in scene.scope.disk.list_folder(folder)}
        scene.budget.spend(len(entries))
        if name in entries or f"{name}.py" in entries:
            reason = f"the project's own {name} shadows the module"
            return [high(reason, "run.shadowed", grantable=True)]
    return []


def inner_command(args: list[Arg]) -> list[Arg] | None:
    """The command behind `uv run` and the like, and behind `coverage run -m`; None if it is none."""
    name = args[0].shown
    if name == "coverage" and [arg.text for arg in args[1:3]] == ["run", "-m"]:
        return [Arg("python"), *args[2:]]
    if name not in _ENVIRONMENTS or len(args) < 3 or args[1].text != "run":
        return None
    options, index = read_options(_ENVIRONMENTS[name]), 2
    while index < len(args) and args[index].shown.startswith("-"):
        following = args[index + 1] if index + 1 < len(args) else None
        why, takes_next = option_refusal(args[index].shown, following, options, lambda arg, mode: "no path")
        if (why and args[index].text != "--") or args[index].text is None:
            return None
        index += 2 if takes_next else 1
        if args[index - 1].text == "--":
            break
    inner = args[index:]
    if name in _SCRIPTED and len(inner) == 1 and is_task(inner[0].text or ""):
        return [Arg("make"), inner[0]]
    return inner or None


def script_findings(args: list[Arg], inner: list[Arg], scene: Scene) -> list[Finding]:
    """Held if `uv run ls` and the like start a script of the project of that name, and no program."""
    word = inner[0].shown
    if args[0].shown not in _ENVIRONMENTS or (len(inner) == 2 and word == "make"):
        return []
    for folder in scene.folders:
        if word in script_names(scene, args[0].shown, folder):
            return [high(f"{word} is a script of the project", "run.script", grantable=True)]
    return []


def plain_form(args: list[Arg], scene: Scene) -> tuple[list[Arg], Scene, list[Finding]]:
    """The command without the selectors of its workspaces, the scene in the folder it names, and findings."""
    name = args[0].shown
    args = _without_yarn_workspace(args)
    if name not in _WORKSPACES:
        return args, scene, []
    options = read_options(_WORKSPACES[name])
    kept, index, folders = [args[0]], 1, []
    while index < len(args):
        word = args[index]
        if word.text == "--":
            break
        following = args[index + 1] if index + 1 < len(args) else None
        known = (word.text or "").partition("=")[0] in options
        why, takes_next = (
            option_refusal(word.shown, following, options, scene.path_refusal) if known else ("other", False)
        )
        uncertain = word.pattern or (takes_next and following is not None and following.pattern)
        if why or uncertain:
            kept.append(word)
            index += 1
            continue
        option, equals, value = word.shown.partition("=")
        if option in _FOLDER_OPTIONS:
            folders.append(value if equals else following.shown if following else "")
        index += 2 if takes_next else 1
    kept += args[index:]
    for folder in folders:
        scene = dataclasses.replace(scene, folders=tuple(place.path for place in scene.places(folder)))
    return kept, scene, []


def _without_yarn_workspace(args: list[Arg]) -> list[Arg]:
    """`yarn workspace web test` and `yarn workspaces foreach -A run test` as `yarn test`."""
    texts = [arg.text or "" for arg in args]
    if texts[0] != "yarn":
        return args
    if texts[1:2] == ["workspace"] and len(args) > 3 and _PACKAGE_NAME.fullmatch(texts[2]):
        return [args[0], *args[3:]]
    if texts[1:2] != ["workspaces"]:
        return args
    index = 3 if texts[2:3] == ["foreach"] else 2
    while index < len(args) and texts[index].startswith("-"):
        following = args[index + 1] if index + 1 < len(args) else None
        why, takes_next = option_refusal(texts[index], following, _YARN_EACH, lambda arg, mode: "no path")
        if why:
            return args
        index += 2 if takes_next else 1
    return [args[0], *args[index:]]


def target_findings(args: list[Arg], scene: Scene, *, everywhere: bool = False) -> list[Finding]:
    """Held if the script or target that is named leaves the machine or removes beyond the project.

    `everywhere`: a selector of workspaces stood in the command, so the packages below count too.
    """
    name = args[0].shown
    named = [arg.text or "" for arg in args[1:] if not arg.shown.startswith("-")][:_MAX_TARGETS]
    if name in ("tox", "nox"):
        named = [part for arg in args[1:] for part in arg.shown.split(",")] or [name]
    if name == "bundle":
        name, named = "rake", named[2:]
    words = [one for one in named if one not in ("exec", "run")]
    if name in _STARTS_TOOLS and words[:1] and words[0] in _WORKSPACE_TOOLS:
        name = words[0]
    if name in _WORKSPACE_TOOLS:
        values = [arg.shown.partition("=")[2] for arg in args[1:] if arg.shown.startswith("-")]
        named = [
            part for one in (*named, *values) for word in one.split(",") for part in (word, *word.split(":"))
        ]
        everywhere = True
    for folder in scene.folders:
        text = recipe_text(scene, name, folder, named, everywhere=everywhere)
        match = OUTWARD.search(text) if text else None
        if match:
            return [
                high(f"{' '.join(named)[:40]} does {match.group().strip()!r}", "run.target", grantable=True)
            ]
    return []


_STARTS_TOOLS = frozenset({"npx", "bunx", "pnpm", "yarn", "bun"})
_WORKSPACE_TOOLS = frozenset({"turbo", "nx", "lerna"})
"""Tools that start the scripts of all packages."""
_CARGO_SETTINGS = (".cargo/config.toml", ".cargo/config")


def alias_findings(args: list[Arg], scene: Scene) -> list[Finding]:
    """Held if the project's settings of cargo say what this command is: an alias goes before it."""
    if args[0].shown != "cargo" or len(args) < 2:
        return []
    for folder in scene.folders:
        for place in dict.fromkeys((folder, scene.scope.root)):
            for name in _CARGO_SETTINGS:
                data = scene.scope.disk.read_file(posixpath.join(place, name)) or b""
                scene.budget.spend(4 + len(data) // CHARACTERS)
                text = data.decode("utf-8", "replace")
                if re.search(rf"(?m)^\s*(?:alias\s*\.\s*)?[\"']?{re.escape(args[1].shown)}[\"']?\s*=", text):
                    return [
                        high(f"cargo {args[1].shown} is an alias of the project", "run.alias", grantable=True)
                    ]
    return []


def fetched_findings(args: list[Arg], scene: Scene) -> list[Finding]:
    """`npx NAME` is held unless NAME is installed in the project, and not committed."""
    if args[0].shown not in ("npx", "bunx") or not args[1:] or args[1].text in _ASKS:
        return []
    name = next((arg.shown for arg in args[1:] if not arg.shown.startswith("-")), "")
    for folder in scene.folders:
        program = _installed(name, folder, scene)
        if not program:
            return [
                high(
                    f"{name} is not installed in the project: it would be fetched",
                    "run.fetched",
                    grantable=True,
                )
            ]
        if is_committed(scene.scope, program):
            return [high(f"{name} was committed to the repository", "run.committed", grantable=True)]
    return []


def local_findings(args: list[Arg], scene: Scene) -> list[Finding]:
    """Held if the tool that `pnpm exec` and the like start came with the repository."""
    if args[0].shown not in ("pnpm", "yarn", "bun") or len(args) < 2:
        return []
    tool = args[2].shown if args[1].text == "exec" and len(args) > 2 else args[1].shown
    for folder in scene.folders:
        program = _installed(tool, folder, scene)
        if program and is_committed(scene.scope, program):
            return [high(f"{tool} was committed to the repository", "run.committed", grantable=True)]
    return []


def _installed(name: str, folder: str, scene: Scene) -> str:
    paths = (posixpath.join(one, "node_modules/.bin", name) for one in scene.scope.folders_up(folder))
    return next(filter(scene.scope.is_file, paths), "")


def environment_finding(scene: Scene, program: str) -> Finding:
    """A program in `.venv/bin` and the like: medium, but high if it came with the repository."""
    for folder in scene.folders:
        path = posixpath.join(folder, program)
        if is_committed(scene.scope, path) or tracks_below(scene.scope, posixpath.dirname(path)):
            return high(f"{program} was committed to the repository", "run.committed", grantable=True)
    return Finding(RiskLevel.MEDIUM, "a program of the project's own environment", "run.environment")
