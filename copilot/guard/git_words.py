"""git's own words before the command: global options, and whose settings git would read.

`git -C FOLDER` changes where the rest is judged; settings given by `-c` and options that name other places
are held, and so is every git that would take its settings from a repository inside the project.
"""

from __future__ import annotations

import dataclasses
import posixpath
import re

import re2

from copilot.core.risk import RiskLevel
from copilot.guard.arguments import Arg
from copilot.guard.budget import COMMAND
from copilot.guard.index import live_submodules
from copilot.guard.repository import Repository, repository_of
from copilot.guard.rule_files import Finding, Scene, high

_GIT_FLAGS = frozenset(
    {"--no-pager", "-P", "--no-optional-locks", "--literal-pathspecs", "--no-replace-objects", "--bare"}
)
_GIT_VALUE_OPTIONS = frozenset(
    {
        "--git-dir",
        "--work-tree",
        "--exec-path",
        "--namespace",
        "--config-env",
        "--super-prefix",
        "--attr-source",
    }
)
_HARMLESS_GIT_SETTING = re2.compile(
    r"(?i)core\.pager=cat|(?:color\.[a-z.]+|core\.quotepath|log\.(?:date|decorate|abbrevcommit|follow)"
    r"|diff\.(?:renames|noprefix|context)|advice\.[a-z]+)(?:=[a-z0-9 #:-]{0,40})?"
)


def git_arguments(args: list[Arg], scene: Scene) -> tuple[list[Arg], Scene, list[Finding]]:
    """`git COMMAND …` without its global options, the scene that `-C` sets, and findings on the options."""
    found: list[Finding] = []
    index = 1
    while index < len(args) and args[index].shown.startswith("-"):
        name, equals, _ = args[index].shown.partition("=")
        following = args[index + 1] if index + 1 < len(args) else Arg("")
        if args[index].text is None:
            return args, scene, [high("an option of git is known only when it runs", "git.option")]
        if name in _GIT_FLAGS:
            index += 1
        elif name == "-C":
            refusal = scene.path_refusal(following, "read")
            if refusal or following.wild or following.pattern:
                found.append(high(refusal or "the folder of git -C is not certain", "path.outside"))
            elif following.text is not None:
                folders = tuple(place.path for place in scene.places(following.text))
                scene = dataclasses.replace(scene, folders=folders)
            index += 2
        elif name == "-c":
            if not _HARMLESS_GIT_SETTING.fullmatch(following.shown):
                found.append(high(f"git -c {following.shown} changes what git does", "git.setting"))
            index += 2
        elif name.startswith("-c") and not name.startswith("--"):
            found.append(high(f"git {name} changes what git does", "git.setting"))
            index += 1
        elif name in ("--version", "--help"):
            break
        else:
            found.append(high(f"git {name} changes what git does", "git.option"))
            index += 2 if name in _GIT_VALUE_OPTIONS and not equals else 1
    return [args[0], *args[index:]], scene, found


GIT_ELSEWHERE = "git.elsewhere"
_ASKS_SUBMODULES = frozenset(
    {
        "status",
        "diff",
        "diff-index",
        "diff-files",
        "show",
        "log",
        "submodule",
        "add",
        "commit",
        "describe",
        "ls-files",
    }
)
_CREDENTIALS = re.compile(rb"://[^/@\s]+@")
_SIGNATURE = re.compile(r"%G|%\(\*?signature")
"""Fields of a format for which git runs gpg, which may ask servers for keys."""
_INCLUDES = re.compile(rb"(?i)\[\s*include")


def _settings(scene: Scene) -> list[bytes]:
    """The settings that name addresses: of the repository, of this worktree of it, of the user."""
    scope, repository = scene.scope, repository_of(scene.scope)
    home = (".gitconfig", ".config/git/config")
    paths = ["/etc/gitconfig", *(posixpath.join(scope.home, name) for name in home)]
    if repository is not None:
        paths += [posixpath.join(one, "config") for one in (repository.common, repository.folder)]
        paths.append(posixpath.join(repository.folder, "config.worktree"))
    scene.budget.spend(20 * len(paths))
    return [scope.disk.read_file(path) or b"" for path in paths]


def _printed_findings(args: list[Arg], scene: Scene) -> list[Finding]:
    """Held where what git prints needs gpg, or may be an address with a password."""
    if any(_SIGNATURE.search(arg.shown) for arg in args[1:]):
        return [high("git asks gpg about a signature of the repository", "git.signature", grantable=True)]
    if [arg.text for arg in args[1:2]] != ["remote"]:
        return []
    settings = _settings(scene)
    if any(map(_CREDENTIALS.search, settings)):
        return [high("an address in the repository's settings holds a password", "git.credentials")]
    if any(map(_INCLUDES.search, settings)) or _has_old_remotes(scene):
        return [high("the repository's remotes are in files that are not looked at", "git.remotes")]
    return []


def _has_old_remotes(scene: Scene) -> bool:
    """Whether remotes are in files of their own, as before there were settings for them."""
    repository, disk = repository_of(scene.scope), scene.scope.disk
    folder = repository.common if repository is not None else posixpath.join(scene.scope.root, ".git")
    return any(disk.list_folder(posixpath.join(folder, name)) for name in ("remotes", "branches"))


def settings_findings(args: list[Arg], scene: Scene) -> list[Finding]:
    """Held where git would read the settings of a repository that lies inside the project."""
    if [arg.text for arg in args[1:2]] == ["--version"]:
        return []
    shown = _printed_findings(args, scene)
    if shown:
        return shown
    repository = repository_of(scene.scope)
    if repository is not None and _adds_outside(args, scene, repository):
        return [high("git adds what lies outside of the project", "git.outside", grantable=True)]
    elsewhere = any(folder not in (scene.scope.cwd, scene.scope.root) for folder in scene.folders)
    for folder in scene.folders:
        scene.budget.spend(COMMAND)
        refusal = scene.own_settings(folder)
        if refusal:
            return [high(refusal, "git.own-settings", grantable=True)]
    if args[1:] and args[1].text in _ASKS_SUBMODULES:
        inner = live_submodules(scene.scope)
        if inner:
            reason = f"git asks {inner}, a repository of its own, whose settings run programs"
            return [high(reason, "git.own-settings", grantable=True)]
    return [Finding(RiskLevel.NONE, "reads the repository", GIT_ELSEWHERE)] if elsewhere else []


def _adds_outside(args: list[Arg], scene: Scene, repository: Repository) -> bool:
    """Whether `git add` also takes what is not in the project: it is a folder of its repository."""
    words = [arg.shown for arg in args[1:]]
    if repository.top == scene.scope.root or words[:1] not in (["add"], ["stage"]):
        return False
    operands = [word for word in words[1:] if not word.startswith("-")]
    everything = not operands and len(words) > 1
    return everything or any(word.startswith(":") for word in operands)
