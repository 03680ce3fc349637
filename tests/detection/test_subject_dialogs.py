"""What Copilot, opencode, pi and aider ask for is read whole, or marked as cut, and judged as what it is."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from copilot.core.detection import (
    Detection,
    Subject,
)
from copilot.core.reply import Autonomy
from copilot.core.risk import RiskLevel
from copilot.core.screen_kinds import ScreenKind
from copilot.guard.command_risk import verdict_at
from copilot.guard.prompts import assess
from copilot.guard.scope import ProjectScope
from tests.detection.recorded import permissions_of, recordings_with_permissions, subject_of
from tests.detection.screens import RULE, detect

TABLE: dict[str, dict[str, list[str]]] = tomllib.loads(
    (Path(__file__).parent / "subjects.toml").read_text("utf-8")
)
RECORDED = [f"{cli}/{name}" for cli, names in TABLE.items() for name in names]
BUTTONS = " Allow once   Allow always   Reject"
SCOPE = ProjectScope(cwd="/srv/demo/project", home="/home/nobody")


@pytest.mark.row("CP-31")
@pytest.mark.parametrize("name", RECORDED)
def test_subjects_equal_what_is_on_the_screen(name: str) -> None:
    cli, _, recording = name.partition("/")
    assert [subject_of(one) for one in permissions_of(name)] == TABLE[cli][recording]


def test_the_table_has_every_recorded_permission() -> None:
    assert sorted(RECORDED) == sorted(name for cli in TABLE for name in recordings_with_permissions(cli))


# dialogs as these CLIs draw them at 80 columns, seen live


def boxed(rows: list[str], width: int) -> list[str]:
    return [f"╭{'─' * (width + 2)}╮", *(f"│ {row:<{width}} │" for row in rows), f"╰{'─' * (width + 2)}╯"]


def copilot(heading: list[str], inner: list[str], question: list[str]) -> Detection:
    """Copilot's frame, with a box of its own for what is asked for."""
    options = ["❯ 1. Yes", "  2. No, and tell Copilot what to do differently (Esc to stop)"]
    foot = "↑/↓ to navigate · enter to select · esc to cancel"
    rows = [*heading, "─" * 76, *(boxed(inner, 72) if inner else []), "", *question, "", *options, "", foot]
    return detect("copilot", "\n".join([" $ Shell echo harmless", *boxed(rows, 76)]), lines=40, hidden=True)


def copilot_command(*rows: str) -> Detection:
    return copilot(["Run a command"], list(rows), ["Do you want to run this command?"])


def opencode(title: str, *body: str, fill: int = 0) -> Detection:
    rows = ["", "△ Permission required", f"  {title}", "", *body, *([""] * fill), "", "", BUTTONS, ""]
    text = "\n".join(["     ▣  Build · Fake Model", "", *(f"  ┃  {row}".rstrip() for row in rows)])
    return detect("opencode", text, lines=40, alternate=True, hidden=True)


def pi(*title: str) -> Detection:
    foot = [
        " ↑↓ navigate  enter select  escape/ctrl+c cancel",
        "",
        RULE,
        "/srv/demo/project",
        "↑1.2k ↓60 1.0%/128k (auto)",
    ]
    rows = [
        " ⠏ Working...",
        "",
        RULE,
        "",
        *(f" {row}".rstrip() for row in title),
        "",
        " → Yes",
        "   No",
        "",
        *foot,
    ]
    return detect("pi", "\n".join(rows), lines=40, hidden=True)


def aider(question: str, *subject: str, above: str = "Tokens: 2.5k sent, 13 received.") -> Detection:
    width = max((len(row) for row in subject), default=0)
    shown = [f"\x1b[7m{row:<{width}}\x1b[0m" for row in subject]
    ask = f"{question} (Y)es/(N)o/(D)on't ask again [Yes]: "
    return detect("aider", "\n".join([above, "", *shown, ask]), lines=40)


def read(detection: Detection) -> Subject:
    assert detection.kind is ScreenKind.PERMISSION, detection
    assert detection.subject is not None
    return detection.subject


def command(cli: str, *rows: str) -> Detection:
    """A permission for a shell command, as the CLI asks it."""
    if cli == "copilot":
        return copilot_command(*rows)
    if cli == "opencode":
        return opencode("# Shell command", f"$ {rows[0]}", *rows[1:])
    if cli == "pi":
        return pi("Run this command?", "", f"  {rows[0]}", *rows[1:], "")
    return aider("Run shell command?", *rows)


CLIS = ["copilot", "opencode", "pi", "aider"]


@pytest.mark.invariant(4)
@pytest.mark.parametrize("cli", CLIS)
def test_a_destructive_command_is_never_allowed(cli: str) -> None:
    found = command(cli, "rm -rf build/")
    risk = assess(found, SCOPE)
    assert (read(found).action, read(found).text, read(found).cut) == ("shell", "rm -rf build/", False)
    assert risk.level >= RiskLevel.HIGH
    assert verdict_at(risk, Autonomy.FULL) != "allow"
    harmless = command(cli, "git status")
    assert verdict_at(assess(harmless, SCOPE), Autonomy.FULL) == "allow"


@pytest.mark.parametrize("cli", CLIS)
def test_lines_behind_a_blank_one_are_part_of_the_command(cli: str) -> None:
    found = read(command(cli, "echo one", "", "rm -rf build/"))
    assert (found.text, found.cut) == ("echo one\n\nrm -rf build/", False)


@pytest.mark.parametrize(
    ("cli", "rows"),
    [
        ("copilot", ["echo one", "Do you want to run this command?", "rm -rf build/"]),
        ("copilot", ["echo one", f"╰{'─' * 60}╯", "rm -rf build/"]),
        ("opencode", ["echo one", "# Shell command", "$ ls", "rm -rf build/"]),
        ("pi", ["echo one", "Run this command?", "  ls", "rm -rf build/"]),
        ("aider", ["echo one", "Run shell command?", "rm -rf build/"]),
    ],
)
def test_a_command_that_draws_a_dialog_is_read_to_its_end(cli: str, rows: list[str]) -> None:
    found = read(command(cli, *rows))
    assert found.text.startswith("echo one") and found.text.endswith("rm -rf build/")
    assert verdict_at(assess(command(cli, *rows), SCOPE), Autonomy.FULL) != "allow"


@pytest.mark.parametrize("cli", CLIS)
def test_a_full_row_may_hide_a_line_end(cli: str) -> None:
    room = {"copilot": 72, "opencode": 68, "pi": 76, "aider": 80}[cli]
    found = read(command(cli, "echo " + "a" * (room - 5), "rm -rf build/"))
    assert found.cut


def test_opencode_hides_what_does_not_fit_without_a_mark() -> None:
    rows = [f"echo {number}" for number in range(7)]
    assert read(command("opencode", *rows)).cut
    assert not read(command("opencode", *rows[:6])).cut
    assert read(opencode("# Shell command", "$ echo one", fill=6)).cut


def test_the_title_says_what_opencode_asks_for_not_the_diff_below_it() -> None:
    found = read(opencode("→ Edit .github/deploy.yml", "# Shell command", "$ git status"))
    assert (found.action, found.text) == ("edit", ".github/deploy.yml")


@pytest.mark.parametrize(
    ("title", "wanted"),
    [
        (["→ Edit hello.py"], "edit: hello.py"),
        (["→ Edit name with blanks.py"], "edit: name with blanks.py"),
        (["→ Read /etc/hostname"], "read: /etc/hostname"),
        (["← Access external directory /etc"], "write: /etc"),
        (["% WebFetch https://example.com/docs"], "fetch: https://example.com/docs"),
        (["⚙ Call tool database_query"], "tool: Call tool database_query"),
    ],
)
def test_what_opencode_asks_for(title: list[str], wanted: str) -> None:
    assert subject_of(opencode(title[0], "1 + print('hi')")) == wanted.replace(
        "query", "query\n\n1 + print('hi')"
    )


def test_a_path_that_opencode_wrapped_behind_a_hyphen_is_whole() -> None:
    wrapped = (
        "\n  ┃      with-a-long-name/a-folder-with-a-long-name/a-folder-with-a-long-\n  ┃      name/hello.py"
    )
    folders = "a-folder-with-a-long-name/" * 5
    title = f"→ Edit {folders[:61]}"
    assert title.endswith("a-folder-")
    assert subject_of(opencode(title + wrapped, "1 + x")) == f"edit: {folders}hello.py"


@pytest.mark.parametrize(
    ("rows", "wanted"),
    [
        (["Do you want to create /srv/demo/project/hello.py?"], "write: /srv/demo/project/hello.py"),
        (["Do you want to edit /srv/demo/project/app.py?"], "edit: /srv/demo/project/app.py"),
        (
            ["Do you want to create /srv/demo/project/a-folder-with-a-long-name/name with", "blanks.py?"],
            "write: /srv/demo/project/a-folder-with-a-long-name/name with blanks.py",
        ),
        (
            [f"Do you want to create /srv/{'a' * 49}", f"{'b' * 20}.py?"],
            f"write: /srv/{'a' * 49}{'b' * 20}.py",
        ),
    ],
)
def test_the_file_that_copilot_asks_for(rows: list[str], wanted: str) -> None:
    assert subject_of(copilot(["Create file"], [], rows)) == wanted


def test_copilot_s_other_boxes() -> None:
    fetch = copilot(
        ["Fetch", "Copilot is attempting to access the following URL:"],
        ["https://example.com/x"],
        ["Do you want to allow this access?"],
    )
    path = copilot(["Allow path access"], ["/etc/hostname"], ["Do you want to allow this?"])
    assert (subject_of(fetch), subject_of(path)) == ("fetch: https://example.com/x", "write: /etc/hostname")
    assert assess(path, SCOPE).level >= RiskLevel.HIGH


def test_a_box_whose_head_has_left_the_screen_is_not_read() -> None:
    rows = [f"│ │ {f'echo {number}':<72} │ │" for number in range(30)]
    foot = [
        f"│ ╰{'─' * 74}╯ │",
        f"│ {'Do you want to run this command?':<76} │",
        f"│ {'❯ 1. Yes':<76} │",
        f"│ {'  2. No':<76} │",
    ]
    found = detect("copilot", "\n".join([*rows, *foot]), lines=24, hidden=True)
    assert found.kind is ScreenKind.PERMISSION
    assert found.subject is None


def test_pi_s_gates() -> None:
    danger = pi("⚠️ Dangerous command:", "", "  sudo ls", "", "Allow?", "", "  rm -rf /", "", "Allow?")
    assert read(danger).text == "sudo ls\n\nAllow?\n\nrm -rf /"
    write = pi("Write file?", "/srv/demo/project/hello.py")
    assert subject_of(write) == "write: /srv/demo/project/hello.py"


def test_what_is_above_aider_s_question_counts_only_in_reverse() -> None:
    assert aider("Run shell command?").subject is None
    assert aider("Run shell command?", above="git status").subject is None
    assert subject_of(aider("Create new file?", "hello.py")) == "write: hello.py"
    assert subject_of(aider("Add file to the chat?", "app.py")) == "read: app.py"


def with_panel(command: str, hints: str = "") -> Subject:
    """A screen of 160 columns with opencode's panel on the right 42, on the rows of the dialog too."""
    rows = ["", "△ Permission required", "  # Shell command", "", f"$ {command}", "", "", BUTTONS, ""]
    panel = ["", "Demo task", "", "Context", "", "", "~/project", "", "• OpenCode 1.18.33"]
    side = [*[""] * 7, hints, ""] if hints else panel
    text = "\n".join(f"{f'  ┃  {left}':<120}{right}" for left, right in zip(rows, side, strict=True))
    return read(detect("opencode", text, columns=160, lines=9, alternate=True, hidden=True))


def test_a_panel_at_the_right_is_not_read() -> None:
    assert with_panel("git status").text == "git status"


def test_a_command_that_crosses_the_panel_s_edge_keeps_its_end() -> None:
    found = with_panel(f"echo {'x' * 116}; rm -rf build/")
    assert found.cut or "rm -rf build/" in found.text
    forged = f"ls{' ' * 110}; rm -rf build/ # • OpenCode 1.18.33"
    assert "rm -rf" in with_panel(forged, hints="enter confirm").text
