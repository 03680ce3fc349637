"""Where a path is: inside the project or not, a secret, or a file that only the person may change.

Paths are resolved as the system will resolve them (symbolic links, `..`, `~`) by `ProjectScope.resolve`,
so that a link inside the project that leads out of it counts as outside.
"""

from __future__ import annotations

import fnmatch
import os
import posixpath
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from copilot.guard.disk import Disk
from copilot.guard.families import has_wildcard, is_autoload_path, is_secret_path, is_unknown_dot

_PROTECTED_FOLDERS = frozenset(
    {
        *(
            ".git",
            ".ssh",
            ".gnupg",
            ".aws",
            ".kube",
            ".claude",
            ".codex",
            ".gemini",
            ".cursor",
            ".copilot",
            ".qwen",
        ),
        *(
            ".opencode",
            ".aider",
            ".continue",
            ".windsurf",
            "autostart",
            "launchagents",
            "launchdaemons",
            "systemd",
        ),
    }
)
_PROTECTED_FILES = frozenset(
    {
        *(
            ".bashrc",
            ".bash_profile",
            ".bash_login",
            ".bash_logout",
            ".bash_aliases",
            ".profile",
            ".zshrc",
            ".zprofile",
        ),
        *(
            ".zshenv",
            ".zlogin",
            ".zlogout",
            ".inputrc",
            ".kshrc",
            ".cshrc",
            ".tcshrc",
            "config.fish",
            ".gitconfig",
        ),
        *(
            ".mcp.json",
            ".claude.json",
            ".aider.conf.yml",
            ".xprofile",
            ".xinitrc",
            ".xsession",
            ".pam_environment",
        ),
        *(
            "authorized_keys",
            "known_hosts",
            "crontab",
            "sudoers",
            "passwd",
            "shadow",
            "fstab",
            "ld.so.preload",
        ),
        *(".gitmodules", ".pythonstartup", ".vimrc", ".emacs", ".npmrc", ".pypirc", ".netrc"),
    }
)
# What agents, CI and hooks take their orders from: a person may grant a change of it.
_CODE_HOOKS = frozenset(
    {
        *(".github", ".gitlab-ci.yml", ".husky", ".vscode", ".idea", ".envrc", ".circleci", ".devcontainer"),
        *("jenkinsfile", "azure-pipelines.yml", "bitbucket-pipelines.yml", ".travis.yml", ".drone.yml"),
        *(
            ".drone",
            ".buildkite",
            "appveyor.yml",
            ".appveyor.yml",
            ".woodpecker.yml",
            ".pre-commit-config.yaml",
        ),
        *("lefthook.yml", ".gitattributes", ".tool-versions", ".mise.toml"),
        *(
            "agents.md",
            "claude.md",
            "claude.local.md",
            "gemini.md",
            "qwen.md",
            ".cursorrules",
            ".windsurfrules",
        ),
        *(".clinerules", ".roorules", "opencode.json", "crush.json", ".goosehints"),
    }
)
_PUBLIC_DEVICES = frozenset({"/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr"})


_MOST_FILES = 200


def _files_below(folder: str) -> tuple[str, ...] | None:
    """Bounded, so that a huge folder costs no more than a small one."""
    top = Path(folder)
    if top.is_symlink() or not top.is_dir():
        return None
    found: list[str] = []
    waiting, looked = [top], 0
    try:
        while waiting:
            for entry in waiting.pop().iterdir():
                looked += 1
                if looked > _MOST_FILES:
                    return None
                if entry.is_dir() and not entry.is_symlink():
                    waiting.append(entry)
                else:
                    found.append(str(entry.relative_to(top)))
    except OSError:
        return None
    return tuple(found)


@dataclass(frozen=True, slots=True)
class ProjectScope:
    """The folder of the project, the home of its user, and how a path is looked up (injectable for tests)."""

    cwd: str
    home: str
    resolve: Callable[[str], str] = os.path.realpath
    is_file: Callable[[str], bool] = os.path.isfile
    files_below: Callable[[str], tuple[str, ...] | None] = _files_below
    """All files and links below a folder, relative to it; None if it is no folder, or holds too many."""
    made: frozenset[str] = frozenset()
    """What the program itself made in this run and no one else has changed, relative to `root`."""
    disk: Disk = field(default_factory=Disk)

    @property
    def root(self) -> str:
        """The project folder, resolved."""
        return self.resolve(self.cwd)

    @property
    def too_wide(self) -> bool:
        """Whether the project folder is the home or above it: then nothing counts as the project's own."""
        return _is_under(self.resolve(self.home), self.root)

    def folders_up(self, folder: str) -> Iterator[str]:
        """The folder and those above it, up to the project's; none for one outside."""
        root, here = self.root, self.resolve(folder)
        while here == root or here.startswith(root + "/"):
            yield here
            if here == root:
                return
            here = posixpath.dirname(here)


def spellings(folders: Iterable[str], home: str) -> tuple[str, ...]:
    """How a dialog may write these folders: whole, or from the home on."""
    whole = set(folders)
    below = {f"~/{posixpath.relpath(one, home)}" for one in whole if _is_under(one, home)}
    return tuple(sorted(whole | below))


@dataclass(frozen=True, slots=True)
class Place:
    """A resolved path: `relative` to the project, or None outside of it."""

    path: str
    relative: str | None
    secret: bool = False
    protected: bool = False
    runs_later: bool = False
    """Its content is run by other tools (CI, editor tasks, hooks)."""
    autoload: bool = False
    """A tool may load it by itself: by the families of `families.py`, wider than `runs_later`."""

    @property
    def inside(self) -> bool:
        """Whether it is the project folder or in it."""
        return self.relative is not None


def locate(scope: ProjectScope, path: str, folder: str | None = None) -> Place:
    """Where `path` is, seen from `folder` (default: the project); a wildcard by what it can reach."""
    if path in _PUBLIC_DEVICES:
        return Place(path, path)
    expanded = scope.home + path[1:] if path == "~" or path.startswith("~/") else path
    full = posixpath.join(folder or scope.cwd, expanded)
    fixed, _, wild = _split_wildcard(full)
    root, home, resolved = scope.root, scope.resolve(scope.home), scope.resolve(fixed)
    names = [name for name in (*fixed.split("/"), *resolved.split("/"), *wild.split("/")) if name]
    above_home = _is_under(home, root) and root != home
    # What lies there is another thing for each process: ours is not the command's.
    own = posixpath.normpath(full).startswith(("/proc/", "/dev/fd/"))
    inside = _is_under(resolved, root) and not above_home and not own
    relative = posixpath.relpath(resolved, root) if inside else None
    if any(
        name.startswith(".") and has_wildcard(name) and fnmatch.fnmatch("..", name)
        for name in wild.split("/")
    ):
        relative = None
    folded = [name.casefold() for name in names]
    rest = wild.split("/") if wild else []
    tops = (root, scope.cwd)
    return Place(
        resolved,
        relative,
        secret=any(
            is_secret_path(found) or is_unknown_dot(found)
            for one in {fixed, resolved}
            if (found := [*_below(one, tops), *rest])
        ),
        protected=any(name in _PROTECTED_FOLDERS for name in folded)
        or bool(set(folded[-1:]) & _PROTECTED_FILES)
        or posixpath.basename(resolved).casefold() in _PROTECTED_FILES
        or any(
            has_wildcard(name) and fnmatch.fnmatch(".git", name.casefold()) and name.startswith(".")
            for name in names
        )
        or any(name.startswith(".aider") for name in folded),
        runs_later=any(name in _CODE_HOOKS for name in folded),
        autoload=relative is not None
        and is_autoload_path([*posixpath.normpath(relative).split("/"), *(name for name in rest if name)]),
    )


def _below(path: str, tops: tuple[str, ...]) -> list[str]:
    """The names of a path from the project down; of a path outside all of them."""
    for top in tops:
        if path.startswith(top.rstrip("/") + "/"):
            path = path[len(top) :]
            break
    return [name for name in path.split("/") if name]


def is_whole(scope: ProjectScope, path: str, folder: str | None = None) -> bool:
    """Whether removing `path` removes a home, the project, a disk or a system folder, or all of one."""
    stripped = path
    while stripped.endswith(("/*", "/.", "/")) and len(stripped) > 1:
        stripped = stripped[: -2 if stripped.endswith(("/*", "/.")) else -1] or "/"
    if stripped in ("*", ".*", "./", "**", "./**"):
        stripped = "."
    place = locate(scope, stripped, folder)
    if has_wildcard(stripped):
        return place.path.count("/") <= 1 or place.path == scope.resolve(scope.home)
    ancestors = (scope.root, scope.resolve(scope.home))
    return place.path.count("/") <= 1 or any(_is_under(one, place.path) for one in ancestors)


def _split_wildcard(path: str) -> tuple[str, str, str]:
    """The part of a path before its first wildcard component, and the rest."""
    parts = path.split("/")
    for index, part in enumerate(parts):
        if has_wildcard(part):
            return "/".join(parts[:index]) or "/", "/", "/".join(parts[index:])
    return path, "", ""


def _is_under(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")
