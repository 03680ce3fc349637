"""The names by which projects call their checks and builds, and what their recipes must not do unasked."""

from __future__ import annotations

import re2

_WHAT = (
    "test|tests|testing|spec|unit|build|compile|lint|linting|check|checks|checking|typecheck|type-check|typing|types|tsc|mypy|ruff|eslint"
    "|prettier|stylelint|black|isort|flake8|pylint|pyright|format|formatting|fmt|style|docs|doc|coverage|cov|verify|validate|ci|quality"
    "|all|help|imports|jest|vitest|pytest|clippy|vet|static|e2e-test|bench"
)
_MORE = (
    "unit|units|integration|ci|watch|coverage|cov|prod|production|dev|debug|all|fix|check|types|type|js|ts|css|py|go|rust|java|client|server"
    "|web|api|app|core|lib|libs|ui|frontend|backend|docs|quick|fast|slow|once|run|e2e|smoke|only|test|tests|lint|format|fmt|code|python|ruff|mypy"
    "|local|strict|html|report|[0-9]{1,3}"
)
TASK = rf"(?:{_WHAT}|unit-tests?|e2e)(?:[-:_.](?:{_MORE}))*"
_FACTOR = (
    r"(?:py(?:py|thon)?[0-9.]*|[0-9.]+|lint(?:ers?|ing)?|types?|typing|type-?check(?:ing)?|mypy|flake8|ruff|pylint|black|isort|format|fmt|style|docs?"
    r"|cov(?:erage)?|tests?|unit|integration|checks?|build|pre-?commit|bandit|quality|static|pyright|django[0-9.]*|min|latest|all|linkcheck|doctest|ci"
    r"|pkg|package-check|safety|audit|vulture|docstrings?|spell(?:ing|check)?|readme)"
)
ENVIRONMENTS = rf"{_FACTOR}(?:[-_,]{_FACTOR})*"
"""Environments of tox and sessions of nox that check."""

_TASK = re2.compile(TASK)
OUTWARD = re2.compile(
    r"(?i)\b(?:publish|deploy|twine|upload|kubectl|ansible(?:-playbook)?|scp|rsync|sftp|aws|gcloud|gsutil|heroku|flyctl|vercel|netlify|wrangler"
    r"|mkfs|sudo|ssh|dropdb|shutdown)\b|\b(?:terraform|tofu|pulumi|cdk|serverless)\s+(?:apply|destroy|up|deploy|remove)"
    r"|\b(?:git|docker|podman|gem|hg)\s+push|\bhelm\s+(?:install|upgrade|uninstall)|\b(?:npm|yarn|pnpm|cargo|poetry|uv|flit)\s+publish"
    r"|\b(?:curl|wget)\b[^\n|]*\|\s*\S*sh\b|\brm\s+(?:-\S+\s+)+(?:/|~|\$HOME|\$\{HOME\}|\.\.|\*|\.\s)|\bdd\s+[^\n]*of=|\bgh\s+(?:release|repo)"
    r"|\bgit\s+(?:reset\s+--hard|clean)\b|\bdrop\s+(?:database|schema|table)"
)
"""What a recipe of a check or build does not do: it leaves the machine or removes beyond the project."""


def is_task(name: str) -> bool:
    """Whether a script or target of this name is a check or a build."""
    return bool(_TASK.fullmatch(name))
