"""A project's file that would widen a run: asked about once, remembered, refused where nobody can be asked."""

from __future__ import annotations

import json
import stat
import sys
from pathlib import Path

import pytest

from copilot import cli
from copilot.config.trust_question import TrustBook
from copilot.core.settings import RunSettings
from copilot.errors import InputError
from tests.pty.terminal_drive import running

CHILD = ("--", "/bin/sh", "-c", "exit 0")
QUESTION = "Do you trust it?"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository that brings a settings file of its own."""
    folder = tmp_path / "project"
    (folder / ".git").mkdir(parents=True)
    (folder / ".copilot").mkdir()
    write(folder, 'max_steps = 900\nprompt = "say yes\\u001b[2J"\n')
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def starts(monkeypatch: pytest.MonkeyPatch) -> list[RunSettings]:
    """The sessions that were started, instead of starting them."""
    seen: list[RunSettings] = []

    def start(settings: RunSettings) -> int:
        seen.append(settings)
        return 0

    monkeypatch.setattr(cli, "start_session", start)
    return seen


def write(project: Path, text: str) -> None:
    (project / ".copilot" / "config.toml").write_text(text, encoding="utf-8")


def entries(clean_user: Path) -> dict[str, dict[str, object]]:
    found: dict[str, dict[str, object]] = json.loads(book_of(clean_user).read_text())["files"]
    return found


def book_of(clean_user: Path) -> Path:
    return clean_user / "state" / "copilot" / "trust.json"


@pytest.mark.parametrize(
    ("key", "trusted"), [(b"y\r", True), pytest.param(b"n\r", False, marks=pytest.mark.slow), (b"\r", False)]
)
async def test_it_is_asked_once_and_remembered(
    project: Path, clean_user: Path, key: bytes, trusted: bool
) -> None:
    start = (sys.executable, "-m", "copilot", *CHILD)
    async with running(*start, cwd=project) as watched:
        await watched.until_text(QUESTION)
        assert "max_steps = 900" in watched.text and "prompt = say yes" in watched.text
        assert "\x1b[2J" not in watched.text, "what the file says drives the terminal"
        assert not book_of(clean_user).exists()
        watched.child.write(key)
        await watched.until_text("\x1b[?1049h")
    (entry,) = entries(clean_user).values()
    assert entry["trusted"] is trusted
    assert stat.S_IMODE(book_of(clean_user).stat().st_mode) == 0o600
    async with running(*start, cwd=project) as again:
        await again.until_text("\x1b[?1049h")
        assert QUESTION not in again.text


@pytest.mark.parametrize("trusted", [True, False])
def test_the_answer_counts_for_what_was_shown_and_nothing_else(
    project: Path, starts: list[RunSettings], trusted: bool
) -> None:
    shown = {"max_steps": 900, "prompt": "say yes\x1b[2J"}
    TrustBook().remember(project / ".copilot" / "config.toml", shown, trusted=trusted)
    assert cli.main(["--headless", *CHILD]) == 0
    assert starts[0].max_steps == (900 if trusted else 50)
    assert starts[0].trust is False, "the CLI's own trust dialog is another matter"
    write(project, 'max_steps = 901\nprompt = "say yes\\u001b[2J"\n')
    assert cli.main(["--headless", *CHILD]) == 2
    assert len(starts) == 1


def test_headless_it_is_refused_but_with_trust(
    project: Path, starts: list[RunSettings], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["--headless", *CHILD]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and ": prompt, max_steps: would widen" in said and "add --trust" in said
    assert starts == []
    assert cli.main(["--headless", "--trust", *CHILD]) == 0
    assert starts[0].max_steps == 900


def test_what_only_narrows_is_not_asked_about(project: Path, starts: list[RunSettings]) -> None:
    write(project, "max_steps = 3\nno_upload = true\n")
    assert cli.main(["--headless", *CHILD]) == 0
    assert starts[0].max_steps == 3 and starts[0].upload is False


@pytest.mark.parametrize("text", ["{", "[]", '{"format": 2, "files": {}}', '{"format": 1, "files": []}'])
def test_a_broken_book_of_answers_is_no_yes(
    project: Path, clean_user: Path, starts: list[RunSettings], text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    book_of(clean_user).parent.mkdir(parents=True)
    book_of(clean_user).write_text(text)
    assert cli.main(["--headless", *CHILD]) == 2
    assert "trust.json" in capsys.readouterr().err and starts == []


def test_an_answer_that_cannot_be_kept_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written"):
        TrustBook(Path("/proc/nowhere/trust.json")).remember(tmp_path, {}, trusted=True)
