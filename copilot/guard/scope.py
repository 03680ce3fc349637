"""Where a path is: inside the project or not, a secret, or a file that only the person may change.

Paths are resolved as the system will resolve them (symbolic links, `..`, `~`) by `ProjectScope.resolve`,
so that a link inside the project that leads out of it counts as outside.
"""

from __future__ import annotations

import fnmatch
import os
import posixpath
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

_SECRET_FILES = (
    ".env", ".env.*", "*.env", ".netrc", "_netrc", ".pgpass", ".npmrc", ".pypirc", ".git-credentials",
    "id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*", "*.pem", "*.key", "*.p12", "*.pfx", "*.jks",
    "*.keystore", "*.kdbx", "credentials", "credentials.*", "secret", "secret.*", "secrets", "secrets.*",
    ".htpasswd", "*.tfstate", "*.tfstate.*", "service-account*.json", "service_account*.json",
    ".vault-token", ".my.cnf", "shadow", "gshadow", "environ", ".s3cfg", ".boto", "wallet.dat",
    "master.key", "auth.json", "token.json", ".bash_history", ".zsh_history", "*_history",
)  # fmt: skip
_SECRET_SAMPLES = (
    ".env", ".env.local", ".env.production", "prod.env", ".netrc", ".npmrc", "id_rsa", "id_ed25519",
    "server.pem", "server.key", "credentials.json", "secrets.yaml", "secrets.json", "terraform.tfstate",
    ".git-credentials", ".pgpass",
)  # fmt: skip
_NOT_SECRET = (
    "*.example",
    "*.sample",
    "*.template",
    "*.dist",
    "*.pub",
    "*.md",
    "*.py",
    "*.ts",
    "*.js",
    "*.go",
    "*.rs",
)
_SECRET_FOLDERS = frozenset(
    {".ssh", ".aws", ".gnupg", ".kube", ".azure", ".password-store", "keyrings", ".secrets"}
)
_SECRET_STORES = frozenset({"secrets", "credentials", "private-keys"})
"""Folders in which everything but source and examples is taken for a secret."""
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
_PUBLIC_DEVICES = frozenset({"/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/tty"})


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
    """What the program itself made in this run and nobody else has changed, relative to `root`."""

    @property
    def root(self) -> str:
        """The project folder, resolved."""
        return self.resolve(self.cwd)

    @property
    def too_wide(self) -> bool:
        """Whether the project folder is the home or above it: then nothing counts as the project's own."""
        return _is_under(self.resolve(self.home), self.root)


@dataclass(frozen=True, slots=True)
class Place:
    """A resolved path: `relative` to the project, or None outside of it."""

    path: str
    relative: str | None
    secret: bool = False
    protected: bool = False
    runs_later: bool = False
    """Its content is run by other tools (CI, editor tasks, hooks)."""

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
    resolved = scope.resolve(fixed)
    names = [name for name in (*fixed.split("/"), *resolved.split("/"), *wild.split("/")) if name]
    above_home = scope.too_wide and scope.root != scope.resolve(scope.home)
    inside = _is_under(resolved, scope.root) and not above_home
    relative = posixpath.relpath(resolved, scope.root) if inside else None
    if any(
        name.startswith(".") and _has_wildcard(name) and fnmatch.fnmatch("..", name)
        for name in wild.split("/")
    ):
        relative = None
    home_or_project = [name.casefold() for name in names]
    return Place(
        resolved,
        relative,
        secret=_is_secret(names),
        protected=any(name in _PROTECTED_FOLDERS for name in home_or_project)
        or bool(set(home_or_project[-1:]) & _PROTECTED_FILES)
        or posixpath.basename(resolved).casefold() in _PROTECTED_FILES
        or any(
            _has_wildcard(name) and fnmatch.fnmatch(".git", name.casefold()) and name.startswith(".")
            for name in names
        )
        or any(name.startswith(".aider") for name in home_or_project),
        runs_later=any(name in _CODE_HOOKS for name in home_or_project),
    )


def is_whole(scope: ProjectScope, path: str, folder: str | None = None) -> bool:
    """Whether removing `path` removes a home, the project, a disk or a system folder, or all of one."""
    stripped = path
    while stripped.endswith(("/*", "/.", "/")) and len(stripped) > 1:
        stripped = stripped[: -2 if stripped.endswith(("/*", "/.")) else -1] or "/"
    if stripped in ("*", ".*", "./", "**", "./**"):
        stripped = "."
    place = locate(scope, stripped, folder)
    if _has_wildcard(stripped):
        return place.path.count("/") <= 1 or place.path == scope.resolve(scope.home)
    ancestors = (scope.root, scope.resolve(scope.home))
    return place.path.count("/") <= 1 or any(_is_under(one, place.path) for one in ancestors)


def _is_secret(names: list[str]) -> bool:
    folded = [name.casefold() for name in names]
    if any(name in _SECRET_FOLDERS for name in folded):
        return True
    last = folded[-1] if folded else ""
    source = any(fnmatch.fnmatch(last, pattern) for pattern in _NOT_SECRET)
    if not source and _SECRET_STORES.intersection(folded[:-1]):
        return True
    if _has_wildcard(last):
        literal = last.strip("*?")
        return bool(literal) and any(fnmatch.fnmatch(sample, last) for sample in _SECRET_SAMPLES)
    return not source and any(fnmatch.fnmatch(last, pattern) for pattern in _SECRET_FILES)


def _split_wildcard(path: str) -> tuple[str, str, str]:
    """The part of a path before its first wildcard component, and the rest."""
    parts = path.split("/")
    for index, part in enumerate(parts):
        if _has_wildcard(part):
            return "/".join(parts[:index]) or "/", "/", "/".join(parts[index:])
    return path, "", ""


def _has_wildcard(text: str) -> bool:
    return any(char in text for char in "*?[")


def _is_under(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")
