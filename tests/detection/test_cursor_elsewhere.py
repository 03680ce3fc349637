"""Prompts that the cursor is not behind: they end in a newline, stand in a box, or something else is drawn last."""

from __future__ import annotations

import pytest

from copilot.core.screen_kinds import PROMPT_KINDS, ScreenKind
from copilot.core.snapshot import UNKNOWN_FACTS, TtyFacts
from tests.detection.screens import RULE, detect

LINE = TtyFacts(reading=True, echo=True, canonical=True)
HIDDEN_LINE = TtyFacts(reading=True, echo=False, canonical=True)
WORKS = TtyFacts(reading=False, echo=True, canonical=True)
KEYS = TtyFacts(reading=True, echo=False, canonical=False)
LOOP = TtyFacts(reading=None, echo=False, canonical=False)
EDGE = "─" * 40
NUMBERS = "1) Build\n2) Test\n3) Quit"
MENU = f"╭{EDGE}╮\n│ Which one?{' ' * 29}│\n│ ❯ 1. Build{' ' * 29}│\n│   2. Test{' ' * 30}│\n╰{EDGE}╯\n"

ASKED: dict[str, tuple[str, ScreenKind, list[str | None]]] = {
    "yes or no": ("Proceed? [y/n]\n", ScreenKind.YES_NO, ["y Enter", "n Enter"]),
    "in words": ("Confirm (yes/no):\n", ScreenKind.YES_NO, ["yes Enter", "no Enter"]),
    "a list": (f"{NUMBERS}\nChoose an option (1-3):\n", ScreenKind.MENU, ["1 Enter", "2 Enter", "3 Enter"]),
    "words": ("Pick a colour [red/green]:\n", ScreenKind.MENU, ["red Enter", "green Enter"]),
    "letters": ("replace it? [y]es, [n]o, [A]ll:\n", ScreenKind.MENU, ["y Enter", "n Enter", "A Enter"]),
    "a path": ("Enter file path:\n", ScreenKind.TEXT_INPUT, []),
    "a question": ("What is your name?\n", ScreenKind.TEXT_INPUT, []),
    "rows below": ("Proceed? [y/n]\n\n\n", ScreenKind.YES_NO, ["y Enter", "n Enter"]),
    "a rule below": (f"Proceed? [y/n]\n{RULE}\n", ScreenKind.YES_NO, ["y Enter", "n Enter"]),
    "a box": (
        f"╭{EDGE}╮\n│ Proceed? [y/n]{' ' * 25}│\n╰{EDGE}╯\n",
        ScreenKind.YES_NO,
        ["y Enter", "n Enter"],
    ),
    "a spinner above": (f"{' ' * 60}⠋▮\n\nAdd TypeScript? [y/n]", ScreenKind.YES_NO, ["y Enter", "n Enter"]),
    "an answered question": ("Build? [y/n]\ny\nTest? [y/n]\n", ScreenKind.YES_NO, ["y Enter", "n Enter"]),
}
NOT_ASKED = {
    "output": "Compiling 3 files\n",
    "an answer": "Proceed? [y/n] y\n",
    "a question that is open above": "Apply it? [y/n]\nusing the cache\nDeploy to which host:\n",
    "two questions": "Apply it? [y/n]\nClean up? [y/n]\n",
    "an example in a sentence": "Answer [y/n] to each of these.\n",
    "a shell command": "$ cat\n",
}


@pytest.mark.parametrize("name", ASKED)
def test_a_question_counts_wherever_the_cursor_is_if_the_program_reads(name: str) -> None:
    text, kind, keys = ASKED[name]
    seen = detect("generic", text, LINE)
    assert seen.kind is kind
    assert [option.key for option in seen.options] == keys
    assert "cursor" in seen.note


@pytest.mark.parametrize("facts", [UNKNOWN_FACTS, WORKS])
@pytest.mark.parametrize("name", ASKED)
def test_without_the_kernel_s_word_it_does_not(name: str, facts: TtyFacts) -> None:
    assert detect("generic", ASKED[name][0], facts).kind not in PROMPT_KINDS


@pytest.mark.invariant(2)
@pytest.mark.parametrize("name", NOT_ASKED)
def test_what_does_not_ask_does_not_though_the_program_reads(name: str) -> None:
    assert detect("generic", NOT_ASKED[name], LINE).kind is ScreenKind.UNKNOWN


def test_a_hidden_line_is_a_secret_wherever_the_cursor_is() -> None:
    assert detect("generic", "Enter your password:\n", HIDDEN_LINE).kind is ScreenKind.PASSWORD
    assert detect("generic", "The key of the vault, please\n", HIDDEN_LINE).kind is ScreenKind.PASSWORD


def test_the_question_is_the_one_in_the_box() -> None:
    seen = detect("generic", ASKED["a box"][0], LINE)
    assert seen.question == "Proceed? [y/n]"


def test_a_menu_counts_with_the_cursor_below_it_if_the_program_reads_keys() -> None:
    seen = detect("generic", MENU, KEYS)
    assert (seen.kind, seen.question) == (ScreenKind.MENU, "Which one?")
    assert [(option.label, option.selected, option.key) for option in seen.options] == [
        ("Build", True, None),
        ("Test", False, None),
    ]


def test_a_number_is_typed_where_the_program_reads_lines() -> None:
    assert [option.key for option in detect("generic", MENU, LINE).options] == ["1 Enter", "2 Enter"]
    unnumbered = MENU.replace("1. ", "").replace("2. ", "")
    assert detect("generic", unnumbered, LINE).kind is ScreenKind.UNKNOWN


@pytest.mark.parametrize("facts", [UNKNOWN_FACTS, WORKS, LOOP])
def test_the_picture_of_a_menu_is_none(facts: TtyFacts) -> None:
    assert detect("generic", MENU, facts).kind not in PROMPT_KINDS
