"""Families of names: what may hold secrets and what tools load, both ways."""

from __future__ import annotations

import pytest

from copilot.core.detection import ShownChange
from copilot.core.risk import RiskLevel
from copilot.guard.edits import change_risk
from copilot.guard.families import (
    is_autoload_path,
    is_plain_target,
    is_secret_name,
    is_secret_path,
    is_unknown_dot,
)


@pytest.mark.parametrize(
    "name",
    [".env", ".env-prod", "env.local", ".envrc", "terraform.tfvars", ".dev.vars", "kubeconfig", "client_secret_1.json", ".yarnrc.yml",
     ".vault_pass", "local.properties", "wp-config.php", "id_ed25519", "deploy_rsa", "server.pem.bak", "NuGet.Config", "tokens.json",
     ".flaskenv", "pip.conf", "env.sh", "prod_env.sh", "setenv.sh", "prod.auto.tfvars.json", "ci.vars",
     "secrets.py", ".env.sh", "credentials.sh", "passwords.md", "db-password.sql", ".aider.conf.yml", ".mcp.json", "settings.xml", "settings.local.json", "UTC--2020", "age-key.txt"],
)  # fmt: skip
def test_secret_names(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize(
    "name",
    ["README.md", "app.py", "tokenizer.py", ".env.example", "secrets.md", "package.json", "Makefile", "key.pub", "passwords.test.ts", "password.py", "api_key.ts", ".env.template", "credentials.d.ts", "secret_santa.py", "token.md",
     "environment.ts", "env.ts", "deploy.sh", "config.yml", "main.rs", ".gitignore"],
)  # fmt: skip
def test_names_that_are_none(name: str) -> None:
    assert not is_secret_name(name)


def test_where_it_lies_counts() -> None:
    assert is_secret_path([".git", "config"]) and not is_secret_path([".git", "HEAD"])
    assert is_secret_path(["secrets", "a.yml"]) and not is_secret_path(["secrets", "a.py"])
    assert is_unknown_dot([".sentryclirc"]) and not is_unknown_dot([".eslintrc.json"])


@pytest.mark.parametrize(
    "path",
    [".cargo/config.toml", ".pnpmfile.cjs", "sitecustomize.py", "package.json", ".exrc", ".zed/tasks.json", ".rules", "AGENTS.override.md",
     ".forgejo/workflows/ci.yml", ".kiro/steering/x.md", "rust-toolchain.toml", "src/conftest.py", "web/vite.config.ts",
     "shop.egg-info/entry_points.txt", "tests/test_usage.txt", "web/angular.json", "docs/_config.yml", "toxfile.py",
     "node_modules/.bin/x", "Makefile", "docker-compose.local.yml", "requirements-dev.txt", ".husky/pre-commit", "a/CMakeLists.txt"],
)  # fmt: skip
def test_what_tools_load_by_themselves(path: str) -> None:
    assert is_autoload_path(path.split("/"))


@pytest.mark.parametrize(
    "path",
    ["requirements-dev.txt", "dev-requirements.txt", "requirements/dev.txt", "constraints.txt", "apt.txt", "packages.txt", "runtime.txt",
     "Setup.hs", "ext/extconf.rb", "Makefile.PL", "Build.PL", "deps/build.jl", "Package@swift-5.9.swift", "app/AndroidManifest.xml",
     "WEB-INF/web.xml", "WARP.md", "CONVENTIONS.md", "replit.md", "GEMINI.local.md", "QWEN.md", "SConstruct.py", "serverless.ts",
     "hatch_build.py", "locustfile.py", "config/runtime.exs", "tests/test_usage.txt", "web/angular.json", "docs/_config.yml"],
)  # fmt: skip
def test_a_change_of_what_tools_load_is_held(path: str) -> None:
    change = ShownChange("edit", ("x = 1",), ("x = 2",), (), whole=True)
    for made in (frozenset[str](), frozenset({path})):
        assert change_risk(path, change, made).level is RiskLevel.HIGH


@pytest.mark.parametrize(
    "path", ["src/app.py", "docs/a.md", "tests/test_a.py", "notes.txt", ".gitignore", "build/out.o", "."]
)
def test_what_no_tool_loads(path: str) -> None:
    assert not is_autoload_path(path.split("/"))


def test_appends_are_to_texts() -> None:
    for path in ("notes.md", "LICENSE", "docs/a.rst", "build/out.log", ".gitignore"):
        assert is_plain_target(path.split("/")), path
    for path in (
        "knexfile.js",
        "deps.edn",
        "x",
        "src/app.py",
        "config/settings.yml",
        "scripts/release",
        "d/HEAD",
        "store/config",
    ):
        assert not is_plain_target(path.split("/")), path
