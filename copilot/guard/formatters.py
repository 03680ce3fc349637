"""Formatters write through links: what they find below their operands may lie outside the project."""

from __future__ import annotations

import re
from dataclasses import dataclass

from copilot.guard.arguments import Arg, words
from copilot.guard.below import leaving_link_below
from copilot.guard.rule_files import Finding, Scene, high

_PYTHON = ("*.py", "*.pyi", "*.ipynb")
_WEB = words(
    "*.js *.jsx *.ts *.tsx *.mjs *.cjs *.mts *.cts *.vue *.svelte *.css *.scss *.less *.json *.json5 *.md "
    "*.mdx *.html *.yaml *.yml *.graphql"
)


@dataclass(frozen=True, slots=True)
class Formatter:
    """`only` are the names that it changes. With one of `checks`, or without any of `fixes`, it reads."""

    only: tuple[str, ...]
    checks: frozenset[str] = frozenset()
    fixes: frozenset[str] = frozenset()
    folders: bool = False
    """It walks links to folders."""


_CHECKS = frozenset({"--check", "--check-only", "--diff", "-c", "--list-different", "-l"})
_FIXES = frozenset({"--fix", "--write", "-w", "-A", "-a", "--apply", "--autocorrect", "--autocorrect-all"})
_FORMATTERS = {
    "ruff format": Formatter(_PYTHON, _CHECKS),
    "ruff check": Formatter(_PYTHON, fixes=_FIXES),
    "black": Formatter(_PYTHON, frozenset({"--check", "--diff"})),
    "isort": Formatter(_PYTHON, _CHECKS, folders=True),
    "docformatter": Formatter(_PYTHON, fixes=frozenset({"-i", "--in-place"})),
    "prettier": Formatter(_WEB, fixes=_FIXES),
    "eslint": Formatter(_WEB, fixes=_FIXES),
    "stylelint": Formatter(_WEB, fixes=_FIXES, folders=True),
    "markdownlint": Formatter(("*.md",), fixes=_FIXES, folders=True),
    "biome": Formatter(_WEB, fixes=_FIXES),
    "rubocop": Formatter(("*.rb", "*.rake", "*.gemspec", "Gemfile", "Rakefile"), fixes=_FIXES),
    "golangci-lint": Formatter(("*.go",), fixes=_FIXES),
    "sqlfluff": Formatter(("*.sql",), fixes=_FIXES),
}
_STARTERS = frozenset({"npx", "bunx", "pnpm", "yarn", "bun", "exec", "run", "--no-install", "--no"})
_VERBS = frozenset({"check", "format", "lint", "run", "fix", "ci"})
_PATH = re.compile(r"[^-].*", re.DOTALL)


def formatting_findings(args: list[Arg], scene: Scene) -> list[Finding]:
    """Held if a formatter would change a file outside of the project through a link."""
    shown = [arg.shown for arg in args]
    while shown and shown[0] in _STARTERS:
        shown = shown[1:]
    formatter = _FORMATTERS.get(" ".join(shown[:2])) or _FORMATTERS.get(shown[0] if shown else "")
    if formatter is None or not _writes(formatter, shown):
        return []
    starts = [word for word in shown[1:] if _PATH.fullmatch(word) and word not in _VERBS] or ["."]
    for start in starts:
        for place in scene.places(start):
            name = leaving_link_below(
                scene.scope, place.path, formatter.only, scene.budget, folders=formatter.folders
            )
            if name:
                return [
                    high(
                        f"writes through {name!r}, which leads out of the project", "run.link", grantable=True
                    )
                ]
    return []


def _writes(formatter: Formatter, shown: list[str]) -> bool:
    if formatter.fixes:
        return bool(formatter.fixes.intersection(shown))
    return not formatter.checks.intersection(shown)
