"""Keys of model providers: the child gets its own, says the profile, and what it is not given is told first."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from copilot.config.profile_files import list_profiles
from copilot.core.provider_keys import ALL, is_provider_key
from copilot.demo.project import DemoProject
from copilot.errors import EXIT_USAGE
from copilot.session import headless as session
from tests.session.live import demo_settings
from tests.session.outside import Outside, headless

KEYS = {
    name: f"not-a-key-but-secret-{number}"
    for number, name in enumerate(("ANTHROPIC_API_KEY", "GROQ_API_KEY", "OPENAI_API_KEY"))
}
ALL_BACK = "keys kept back: ANTHROPIC_API_KEY, GROQ_API_KEY, OPENAI_API_KEY (--pass-keys)"
# The environment of the program and of the supervisor above it.
SCRIPT = """\
import json, os, pathlib
above = pathlib.Path(f"/proc/{os.getppid()}/environ")
text = above.read_bytes().decode() if above.exists() else ""
pathlib.Path("found.json").write_text(json.dumps([dict(os.environ), text]))
"""


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch, clean_user: Path) -> None:
    for name, value in KEYS.items():
        monkeypatch.setenv(name, value)


def found(folder: Path) -> set[str]:
    """The keys that came to the program or to the supervisor."""
    environment, above = json.loads((folder / "project/found.json").read_text("utf-8"))
    return {name for name, value in KEYS.items() if value in environment.values() or value in above}


def run(folder: Path, capsys: Any, *options: str, profile: str = "generic") -> tuple[set[str], Outside]:
    told = headless(folder, capsys, SCRIPT, *options, profile=profile)
    return found(folder), told


def test_a_plain_program_gets_none_and_the_first_line_says_so(tmp_path: Path, capsys: Any) -> None:
    given, told = run(tmp_path, capsys)
    assert given == set()
    assert told.told[0]["text"] == ALL_BACK
    assert told.exit_code == 0
    assert not [value for value in KEYS.values() if value in told.out + told.err]


def test_a_cli_gets_those_that_its_profile_names(tmp_path: Path, capsys: Any) -> None:
    given, told = run(tmp_path, capsys, profile="claude")
    assert given == {"ANTHROPIC_API_KEY"}
    assert told.told[0]["text"] == "keys kept back: GROQ_API_KEY, OPENAI_API_KEY (--pass-keys)"


@pytest.mark.parametrize(
    ("options", "given"),
    [
        (("--pass-keys", "OPENAI_API_KEY"), {"OPENAI_API_KEY"}),
        (("--pass-keys", "OPENAI_API_KEY,GROQ_API_KEY"), {"OPENAI_API_KEY", "GROQ_API_KEY"}),
        (
            ("--pass-keys", "OPENAI_API_KEY", "--pass-keys", "GROQ_API_KEY"),
            {"OPENAI_API_KEY", "GROQ_API_KEY"},
        ),
        (("--pass-keys", "all"), set(KEYS)),
    ],
)
def test_an_option_passes_more(
    tmp_path: Path, capsys: Any, options: tuple[str, ...], given: set[str]
) -> None:
    passed, told = run(tmp_path, capsys, *options)
    assert passed == given
    said = [line["text"] for line in told.of("note") if "kept back" in line["text"]]
    assert bool(said) is (given != set(KEYS))


def test_so_does_the_users_file(tmp_path: Path, capsys: Any, clean_user: Path) -> None:
    path = clean_user / "config/copilot/config.toml"
    path.parent.mkdir(parents=True)
    path.write_text('pass-keys = ["GROQ_API_KEY"]\n', "utf-8")
    assert run(tmp_path, capsys)[0] == {"GROQ_API_KEY"}


def test_a_projects_file_does_not_unless_it_is_trusted(tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "project/.copilot/config.toml"
    path.parent.mkdir(parents=True)
    path.write_text('pass-keys = "all"\n', "utf-8")
    refused = headless(tmp_path, capsys, SCRIPT)
    assert refused.exit_code == EXIT_USAGE
    assert f"{path}: pass_keys: would widen this run" in refused.err
    assert not (tmp_path / "project/found.json").exists()
    assert run(tmp_path, capsys, "--trust")[0] == set(KEYS)


def test_a_plans_commands_have_the_same_environment_as_the_cli(project: DemoProject, tmp_path: Path) -> None:
    """What passes in the CLI's own shell passes in the plan too, and the other way round."""
    plan, log = tmp_path / "plan.yml", tmp_path / "run"
    plan.write_text("name: Look\nsteps:\n  - {name: See, run: python3 -m unittest test_env}\n", "utf-8")
    (project.folder / "test_env.py").write_text("import os, sys\nsys.stderr.write(' '.join(os.environ))\n")
    settings = demo_settings(project, log, "--only", "read", "--speed", "3", plan=str(plan), headless=True)
    session.run(settings)
    text = (log / "commands/001.log").read_text("utf-8")
    assert "PATH" in text
    assert not [name for name in KEYS if name in text]


@pytest.mark.parametrize("value", ["sk_live/abcdefgh", "OPENAI-API-KEY", "a b;c"])
def test_what_is_no_name_is_refused_and_not_repeated(tmp_path: Path, capsys: Any, value: str) -> None:
    told = headless(tmp_path, capsys, SCRIPT, "--pass-keys", value)
    assert told.exit_code == EXIT_USAGE
    assert told.err.count("\n") == 1
    assert "--pass-keys: holds what is no name of a variable; write names like OPENAI_API_KEY" in told.err
    assert value not in told.err


def test_what_profiles_name_are_keys_that_would_be_kept_back() -> None:
    named = {name for profile in list_profiles() for name in profile.launch.keys}
    assert all(is_provider_key(name) for name in named - {ALL})
    assert {"ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", ALL} <= named


def test_programs_of_ours_get_none() -> None:
    """git, a browser, and the question for a version have no use for a key."""
    from copilot.pty.programs import version_of
    from copilot.session.project_probe import _clean_environment

    assert not set(KEYS) & set(_clean_environment({**KEYS, "PATH": "/bin"}))
    code = "import os; print('1.0.%d' % sum(name.endswith('_API_KEY') for name in os.environ))"
    assert version_of(sys.executable, ("-c", code)) == "1.0.0"
