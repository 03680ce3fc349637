"""A command or path over several rows is read exactly, or marked as cut. Dialogs as both CLIs draw them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from copilot.core.detection import Subject
from tests.detection.screens import RULE, detect

CODEX_ROOM = {80: 76, 60: 56}
CLAUDE_ROOM = {80: 76, 60: 56}
DEEP = "/srv/a-folder-with-a-name-so-long-that/paths-below-it-wrap-on-narrow-screens/project"


def broken(text: str, room: int) -> list[str]:
    """A text without blanks over rows of this many columns."""
    return [text[start : start + room] for start in range(0, len(text), room)]


def wrapped(line: str, room: int) -> list[str]:
    """A line as Codex wraps it: at blanks, and a word that is longer than a row fills rows of its own."""
    rows = [""]
    for word in line.split(" "):
        first, *more = broken(word, room) or [""]
        if rows[-1] and len(rows[-1]) + 1 + len(first) <= room:
            rows[-1] += f" {first}"
        elif rows[-1]:
            rows.append(first)
        else:
            rows[-1] = first
        rows += more
    return rows


def codex_edit(*rows: str, columns: int = 80) -> Subject | None:
    return codex("Would you like to make the following edits?", *rows, columns=columns)


def codex_command(command: str, columns: int = 80) -> Subject | None:
    room = CODEX_ROOM[columns]
    rows = [row for line in f"$ {command}".split("\n") for row in wrapped(line, room)]
    return codex("Would you like to run the following command?", *rows, columns=columns)


def codex(question: str, *rows: str, columns: int) -> Subject | None:
    above = ["• Running python3 -m unittest discover --start-direc…", "    + Show details", "", ""]
    options = ["› 1. Yes, proceed (y)", "  2. No, and tell Codex what to do differently (esc)"]
    text = [*above, f"  {question}", "", *(f"  {row}" for row in rows), "", *options, ""]
    foot = "  Press enter to confirm or esc to cancel"
    return detect("codex", "\n".join([*text, foot]), columns=columns, lines=40, hidden=True).subject


def claude(head: str, *rows: str, status: str = "", below: str = "") -> Subject | None:
    dotted = "╌" * 80
    about = " Do you want to create hello.py?" if head.endswith("file") else " Do you want to proceed?"
    asked = [about, " ❯ 1. Yes", "   2. No", below, " Esc to cancel · Tab to amend"]
    framed = rows if head.endswith("file") else (dotted, *rows, dotted, " This command requires approval")
    text = "\n".join([RULE, f" {head}", *framed, "", *asked])
    return detect("claude", text, status=f"blocked:permission:{status}" if status else "", lines=40).subject


@pytest.mark.parametrize("columns", CODEX_ROOM)
def test_a_broken_path_is_put_together(columns: int) -> None:
    path = f"{DEEP}/hello.py"
    found = codex_edit(
        "Description: Apply proposed file edits",
        "Destination:",
        *broken(path, CODEX_ROOM[columns]),
        columns=columns,
    )
    assert found is not None
    assert (found.action, found.text, found.cut) == ("edit", path, False)


def test_every_file_of_a_patch_counts() -> None:
    found = codex_edit("Destination: /srv/p/app.py", "Destination:", *broken(f"{DEEP}/two.py", 76))
    assert found is not None
    assert found.text.split("\n") == ["/srv/p/app.py", f"{DEEP}/two.py"]
    assert not found.cut


def test_a_path_that_wraps_at_a_blank_keeps_it() -> None:
    found = codex_edit("Destination:", f"/srv/{'a' * 60}/a", "folder-with-blanks/three.py")
    assert found is not None
    assert (found.text, found.cut) == (f"/srv/{'a' * 60}/a folder-with-blanks/three.py", False)


@pytest.mark.parametrize("rows", [[f"/srv/a b/{'c' * 67}", "d.py"], [f"/srv/{'c' * 71}"], ["/srv/a…/b.py"]])
def test_a_path_that_cannot_be_known_is_cut(rows: list[str]) -> None:
    found = codex_edit("Destination:", *rows)
    assert found is not None
    assert found.cut


@pytest.mark.parametrize(
    ("command", "cut"),
    [
        ("python3 -m unittest", False),
        ("echo one\nrm -rf build/\nls -la", False),
        ("python3 -m unittest discover --start-directory tests/unit --pattern 'test_*_integration.py'", True),
        (f"echo {'a' * 57} bbbbb\nrm -rf build/", False),
        (f"echo {'a' * 69}\nrm -rf build/", True),
        (f"cat {'averyverylongfilename/' * 5}file.txt", True),
    ],
)
def test_a_command_is_known_or_cut(command: str, cut: bool) -> None:
    found = codex_command(command)
    assert found is not None
    assert found.cut is cut
    if not cut:
        assert found.text == command


WORDS = st.text("ab-/", min_size=1, max_size=30)
LINES = st.lists(WORDS, min_size=1, max_size=8).map(" ".join)


@given(st.lists(LINES, min_size=1, max_size=4).map("\n".join), st.sampled_from([60, 80]))
def test_no_command_is_ever_read_as_another_one(command: str, columns: int) -> None:
    found = codex_command(command, columns)
    assert found is not None
    assert found.cut or found.text == command


def test_rows_that_codex_leaves_out_cut_the_command() -> None:
    rows = ["$ python3 - <<'EOF'", "line 0", "[… 39 lines] ^a view all"]
    found = codex("Would you like to run the following command?", *rows, columns=80)
    assert found is not None
    assert found.cut


def test_a_path_whose_head_is_left_out_is_told_or_cut() -> None:
    row = " …e-project/deeper/hello.py"
    alone = claude("Create file", row)
    told = claude("Create file", row, status=f"approve Write: {DEEP}/some-project/deeper/hello.py")
    other = claude("Create file", row, status=f"approve Write: {DEEP}/quite/another/file-of-a-long-name.py")
    assert alone is not None
    assert alone.cut
    assert told is not None
    assert (told.text, told.cut) == (f"{DEEP}/some-project/deeper/hello.py", False)
    assert other is not None
    assert other.cut


def test_the_report_tells_a_broken_word_but_not_a_line_end() -> None:
    command = f"cat {'x' * 100} && ls"
    rows = [f" │ {part}" for part in broken(command, 76)]
    alone = claude("Bash command", *rows)
    told = claude("Bash command", *rows, status=f"approve Bash: {command}")
    two = ["echo " + "a" * 70, "rm -rf build/"]
    folded = claude("Bash command", *(f" │ {line}" for line in two), status=f"approve Bash: {' '.join(two)}")
    assert alone is not None
    assert alone.cut
    assert told is not None
    assert (told.text, told.cut) == (command, False)
    assert folded is not None
    assert folded.cut


def test_a_report_never_makes_a_hidden_command_whole() -> None:
    found = claude(
        "Bash command", " echo a", status="approve Bash: echo a rm -rf build/", below=" ↑ 27 more lines"
    )
    assert found is not None
    assert found.action == "shell"
    assert found.cut


def test_an_address_over_rows_is_whole() -> None:
    url = "https://example.com/" + "path/" * 20
    rows = [f" │ {part}" for part in broken(f"url: {url}", 76)]
    found = claude("Fetch", *rows, " prompt: x")
    assert found is not None
    assert (found.action, found.text, found.cut) == ("fetch", url, False)
