"""Settings of package managers in the project: where they send credentials, and what they run.

npm fills `${NAME}` of the environment into them and asks the registry that they name, also to list packages
(npmrc(5)); other settings name programs, or folders outside the project. Only settings that are known to do
neither pass.
"""

from __future__ import annotations

import posixpath
import re

import re2

from copilot.guard.arguments import Arg, words
from copilot.guard.budget import CHARACTERS
from copilot.guard.disk import LINK
from copilot.guard.rule_files import Finding, Scene, high
from copilot.guard.scope import locate

_NPM = re2.compile(
    r"(?:save(?:-exact|-prefix|-workspace-protocol|-dev)?|fund|audit(?:-level)?|engine-strict|legacy-peer-deps"
    r"|package-lock(?:-only)?|progress|loglevel|update-notifier|strict-peer-dep(?:endencie)?s|auto-install-peers"
    r"|(?:shamefully-|public-)?hoist(?:-pattern(?:\[\])?|-workspace-packages)?|node-linker|link-workspace-packages"
    r"|prefer-(?:workspace-packages|frozen-lockfile|offline|dedupe)|shared-workspace-lockfile|resolution-mode"
    r"|lockfile|dedupe-(?:peer-dependents|direct-deps)|resolve-peers-from-workspace-root|ignore-scripts|color"
    r"|unicode|message|tag-version-prefix|git-tag-version|maxsockets|fetch-(?:retries|timeout)|fetch-retry-[a-z]+"
    r"|(?:workspace|child)-concurrency|enable-pre-post-scripts|side-effects-cache|include-workspace-root"
    r"|install-(?:links|strategy)|omit|include|optional|prefer-online|ignore-workspace-root-check"
    r"|recursive-install|symlink|manage-package-manager-versions|package-manager-strict(?:-version)?"
    r"|verify-deps-before-run|strict-ssl|provenance|sign-git-tag|init-[a-z.-]+|scope"
    r"|(?:@[a-z0-9._-]+:)?registry)"
)
_YARN = re2.compile(
    r"nodeLinker|enable(?:Telemetry|GlobalCache|ImmutableInstalls|Scripts|ProgressBars|Colors|MessageNames"
    r"|InlineBuilds|Timers|TransparentWorkspaces|HardenedMode)|compressionLevel|nm(?:HoistingLimits|Mode)"
    r"|defaultSemverRangePrefix|checksumBehavior|logFilters|packageExtensions|supportedArchitectures"
    r"|tsEnableAutoTypes|yarnPath|plugins|pnp(?:Mode|EnableEsmLoader|FallbackMode)|npm(?:Audit[A-Za-z]+|PublishAccess)"
    r"|npmRegistryServer|preferInteractive|immutablePatterns|winLinkType|changesetIgnorePatterns"
    r"|save-prefix|lastUpdateCheck|workspaces-experimental|network-timeout|--[a-z.*]*frozen-lockfile|registry"
    r"|--add\.exact|--install\.[a-z-]+|version-[a-z-]+"
)
_REGISTRIES = re2.compile(r"(?:https://registry\.(?:npmjs\.org|yarnpkg\.com)/?)?")
_ENTRY = re.compile(r"""["']?([A-Za-z@][^\s=:"']*(?::registry)?|--[^\s"']+)["']?\s*[=:\s]?\s*(.*)""")
_BUN = re.compile(r"(?i)registry|preload|scopes|token|\$|cafile|dir\b|cache|plugins")
_FOLLOWS = re.compile(r"external-sources|source-path")
_USERS = frozenset({"npm", "npx", "pnpm", "pnpx", "yarn", "bun", "bunx", "corepack"})


def settings_of_tools(args: list[Arg], scene: Scene) -> list[Finding]:
    """Held if a setting in the project, from the folder up, may send the environment or run a program."""
    if args[0].shown == "shellcheck" and any(
        _FOLLOWS.match(line)
        for folder in scene.folders
        for place in _up(scene, folder)
        for line in _lines(scene, place, ".shellcheckrc")
    ):
        return [high(".shellcheckrc lets scripts name files that are shown", "run.settings", grantable=True)]
    if args[0].shown not in _USERS:
        return []
    for folder in scene.folders:
        for place in _up(scene, folder):
            why = _refusal(scene, place)
            if why:
                return [high(why, "run.settings", grantable=True)]
    return []


_OUTPUTS = frozenset(
    words(
        "node_modules .venv venv target build dist out _build coverage.xml coverage.json coverage.lcov "
        "htmlcov .coverage coverage .pytest_cache .mypy_cache .ruff_cache __pycache__ .tox .nox nohup.out "
        ".next .nuxt .turbo obj bin .eslintcache .cache test-results playwright-report junit.xml report.xml "
        "vendor"
    )
)
"""Names at which checks, builds and installs write, or clear what is there."""


def leaving_output(scene: Scene) -> str:
    """One of the names at which tools write, if it is a link out of the project; else ""."""
    for folder in scene.folders:
        for place in _up(scene, folder):
            entries = scene.scope.disk.list_folder(place)
            scene.budget.spend(len(entries) // 8)
            for entry in entries:
                path = posixpath.join(place, entry.name)
                linked = entry.kind == LINK and entry.name in _OUTPUTS
                if linked and not locate(scene.scope, path).inside:
                    return entry.name
    return ""


def _up(scene: Scene, folder: str) -> list[str]:
    """The folder and those above it in the project; a folder outside alone."""
    return list(scene.scope.folders_up(folder)) or [scene.scope.resolve(folder)]


def _refusal(scene: Scene, folder: str) -> str:
    for name, known in ((".npmrc", _NPM), (".pnpmrc", _NPM), (".yarnrc", _YARN), (".yarnrc.yml", _YARN)):
        for line in _lines(scene, folder, name):
            found = _ENTRY.fullmatch(line)
            key, value = found.groups() if found else (line, "")
            if known.fullmatch(key) is None or not _is_plain(key, value.strip().strip("\"'")):
                return f"{name} sets {key[:40]}, by which more may be sent or run"
    for line in _lines(scene, folder, "bunfig.toml"):
        if _BUN.search(line):
            return f"bunfig.toml sets {line[:40]!r}, by which more may be sent or run"
    return ""


def _is_plain(key: str, value: str) -> bool:
    """Whether a value names no variable, no other registry, and no program but yarn's own."""
    if "$" in value:
        return False
    if "egistry" in key:
        return _REGISTRIES.fullmatch(value) is not None
    return key != "yarnPath" or re.fullmatch(r"\.yarn/releases/[\w.-]+", value) is not None


def _lines(scene: Scene, folder: str, name: str) -> list[str]:
    """The lines of a file of settings; of a nested one those of its top, and all that name a variable."""
    data = scene.scope.disk.read_file(posixpath.join(folder, name)) or b""
    scene.budget.spend(4 + len(data) // CHARACTERS)
    lines = [line for line in data.decode("utf-8", "replace").splitlines() if line.strip()]
    plain = [line for line in lines if not line.lstrip().startswith(("#", ";"))]
    return [line.strip() for line in plain if not name.endswith(".yml") or line[0] not in " -" or "$" in line]
