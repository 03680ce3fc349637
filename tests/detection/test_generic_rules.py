"""Every rule of the generic profile: a screen on which it decides, and look-alikes on which it must not.

Screens that need no kernel facts are the examples in the file itself (`test_profiles.py` tries them).
"""

from __future__ import annotations

from typing import Any

import pytest

from copilot.config.profile_files import load_profile
from copilot.core.screen_kinds import ScreenKind
from copilot.core.snapshot import UNKNOWN_FACTS, TtyFacts
from tests.detection.screens import RULE, detect

READS = TtyFacts(reading=True, echo=True, canonical=True)
READS_NOT = TtyFacts(reading=False, echo=True, canonical=True)
READS_KEYS = TtyFacts(reading=True, echo=False, canonical=False)
WITH_FACTS: dict[str, tuple[str, TtyFacts]] = {
    "generic.password.silent_tty": (
        "Now the thing for the vault, please ",
        TtyFacts(reading=True, echo=False, canonical=True),
    ),
    "generic.line.not_read": ("Apply the patch? [y/N] ", READS_NOT),
    "generic.line.yes_no_one_key_tty": ("Go on? [y/N] ", TtyFacts(reading=True, echo=True, canonical=False)),
    "generic.line.yes_no_edited": ("? Commit changes? (y/N) ", READS_KEYS),
    "generic.tty.yes_no_above": ("Apply it now? [y/N]: \n[worker] heartbeat 1 ok\n", READS),
    "generic.composer.read": (f"{RULE}\n▮\n{RULE}\n", READS_KEYS),
    "generic.tty.line": ("guest wants in ", READS),
    "generic.tty.silent": ("", READS),
}
DIALOG = "{}\n\n{}❯ {}\x1b[m\n  {}\n"
ARROWS = "\n\n←/→ move · enter select"
HIDDEN = {"hidden": True}
FULL = {"alternate": True}
LOOK_ALIKES: list[tuple[str, str, dict[str, Any], ScreenKind]] = [
    ("generic.password.line", "Is your password safe? [y/n] ", {}, ScreenKind.YES_NO),
    ("generic.password.line", "password: hunter2 was rejected\n", {}, ScreenKind.BUSY),
    ("generic.password.prompts", "? Revoke the token? (y/N) ", {}, ScreenKind.YES_NO),
    ("generic.password.repeat", "What is its name?\nRepeat for confirmation: ", {}, ScreenKind.TEXT_INPUT),
    ("generic.dialog.trust", DIALOG.format("Do you trust the folder?", "", "Yes", "No"), {}, ScreenKind.BUSY),
    ("generic.dialog.permission", DIALOG.format("Do you want to run it?", "", "Yes", "No"), HIDDEN, ScreenKind.UNKNOWN),
    ("generic.dialog.yes_no", DIALOG.format("Strict mode", "", "Yes", "No"), HIDDEN, ScreenKind.UNKNOWN),
    ("generic.dialog.menu", DIALOG.format("Which one?", "", "This", "That") + "\n" * 3 + "a\nb\nc\nd\ne\nf", HIDDEN, ScreenKind.BUSY),
    ("generic.dialog.menu", "Which one should we choose?\n1. this\n2. that\n", HIDDEN, ScreenKind.BUSY),
    ("generic.notice", "Press Enter to open, any other key to close\n", {}, ScreenKind.BUSY),
    ("generic.notice", "Press Enter to open, any other key to close\na\nb\nc\nd\ne\nf", HIDDEN, ScreenKind.BUSY),
    ("generic.tabs.menu", f"Which?\n\n The \x1b[7mbuild\x1b[m of today fails{ARROWS}", HIDDEN, ScreenKind.UNKNOWN),
    ("generic.tabs.permission", f"Allow it?\n\n One   Two   Three{ARROWS}", HIDDEN, ScreenKind.UNKNOWN),
    ("generic.dialog.buttons", "Pick a fruit\n\n  <Ok>      <Cancel>", HIDDEN, ScreenKind.UNKNOWN),
    ("generic.held.footer", "press tab to select the text\nadded 12 packages\nfound 0 problems\naudited 13\n", {}, ScreenKind.BUSY),
    ("generic.editor.vim_insert", "a line\n-- INSERT --", {}, ScreenKind.BUSY),
    ("generic.editor.vim", '"notes.txt" 1L, 7B', {}, ScreenKind.BUSY),
    ("generic.editor.nano", "press ^X to leave\n", {}, ScreenKind.BUSY),
    ("generic.editor.nano_save", "Save modified buffer?\n", {}, ScreenKind.BUSY),
    ("generic.editor.nano_name", "File Name to Write: \n", {}, ScreenKind.BUSY),
    ("generic.pager.search", "a\n/usr/bin\n", {}, ScreenKind.BUSY),
    ("generic.pager.less", "a\n(END)\nmore output\n", {}, ScreenKind.BUSY),
    ("generic.pager.less", "a\n--More--(19%)\nb\n", {}, ScreenKind.BUSY),
    ("generic.finder", "  build\n> app.py\n> ", {}, ScreenKind.IDLE),
    ("generic.pager.reverse", "a\nb\n\x1b[7mPASS\x1b[m", {}, ScreenKind.BUSY),
    ("generic.pager.top", "PID USER\n1 root\n", {}, ScreenKind.BUSY),
    ("generic.line.doubtful", "Which tests are worth checking? [y/N] ", {}, ScreenKind.YES_NO),
    ("generic.line.login", "Open the file and continue? [y/N] ", {}, ScreenKind.YES_NO),
    ("generic.line.press_key", "Type a name, or press Enter to skip: ", {}, ScreenKind.TEXT_INPUT),
    ("generic.line.press_key", "Press any key to stop (starting in 5 s) ", {}, ScreenKind.BUSY),
    ("generic.line.press_key", "Press any key to continue . . .\nbuilding\n", {}, ScreenKind.BUSY),
    ("generic.line.press_key", "Press any key to continue $ ", {}, ScreenKind.IDLE),
    ("generic.line.press_key", "Press any key to continuebash-5.2# ", {}, ScreenKind.IDLE),
    ("generic.line.press_key", "Press any key to continue me@host ~> ", {}, ScreenKind.BUSY),
    ("generic.line.yes_no", "Continue? [y/N] y\nworking\n", {}, ScreenKind.BUSY),
    ("generic.line.yes_no", 'read -p "Continue? [y/N] " answer\n', {}, ScreenKind.BUSY),
    ("generic.line.yes_no", "Continue? [y/N] ▮ (5 lines changed)", {}, ScreenKind.BUSY),
    ("generic.line.yes_or_no_words", "Type yes, or no answer is given.\n", {}, ScreenKind.BUSY),
    ("generic.line.single_default", "What keysize do you want? (3072) ", {}, ScreenKind.TEXT_INPUT),
    ("generic.line.program_asks", "rm: cannot remove 'x': is it there?\n", {}, ScreenKind.BUSY),
    ("generic.line.hugged_yes_no", "Choose (Y)ellow or (N)avy\n", {}, ScreenKind.BUSY),
    ("generic.line.hugged_one_key", "[O]ne, (T)wo: ", {}, ScreenKind.MENU),
    ("generic.line.hugged", "see [a]bove and [b]elow\n", {}, ScreenKind.BUSY),
    ("generic.line.letters", "f(a,b,c)?\n", {}, ScreenKind.BUSY),
    ("generic.line.letter_run", "? Project name (demo) ", {}, ScreenKind.TEXT_INPUT),
    ("generic.line.words", "Proceed [yes/no]: ", {}, ScreenKind.YES_NO),
    ("generic.line.words", "Save as (/home/ada/x): ", {}, ScreenKind.TEXT_INPUT),
    ("generic.line.numbered_list", "1) build\n2) test\nSelected all steps:\n", {}, ScreenKind.BUSY),
    ("generic.line.list_below", "? Which licence? ▮\n  built in 2 s", {}, ScreenKind.TEXT_INPUT),
    ("generic.line.range", "Options (1-3) are explained below\n", {}, ScreenKind.BUSY),
    ("generic.line.prompt_library", "? is a wildcard\n", {}, ScreenKind.BUSY),
    ("generic.dialog.clack_text", "◆  Project name:\n│  my-app\n└\n$ ", {}, ScreenKind.IDLE),
    ("generic.idle.command", "Command (m for help): q\nbye\n", {}, ScreenKind.BUSY),
    ("generic.line.exact_word", "Only 'yes' will be accepted.\nbye\n", {}, ScreenKind.BUSY),
    ("generic.line.colon", "Compiling: ", {}, ScreenKind.UNKNOWN),
    ("generic.line.colon", "warning: ", {}, ScreenKind.BUSY),
    ("generic.line.colon", "Progress 40 %: ", {}, ScreenKind.BUSY),
    ("generic.line.question_default", "Really? (12 files)\nok\n", {}, ScreenKind.BUSY),
    ("generic.line.question", "What could be wrong?\n", {}, ScreenKind.BUSY),
    ("generic.line.question", "Ready? Starting in 3 s? ", {}, ScreenKind.BUSY),
    ("generic.line.delimited", "---BEGIN PROMPT---\nWhich port?\n---END PROMPT---\n$ ", {}, ScreenKind.IDLE),
    ("generic.idle.continuation", "a list:\n... and so on\n", {}, ScreenKind.BUSY),
    ("generic.idle.traceback", "ValueError: x\nretrying\n>>> ", {}, ScreenKind.IDLE),
    ("generic.idle.prompt", "costs 5$\n", {}, ScreenKind.BUSY),
    ("generic.idle.prompt", "done 50% ", {}, ScreenKind.BUSY),
]  # fmt: skip


def test_every_rule_has_an_example() -> None:
    bare = {rule.id for rule in load_profile("generic").screen.rules if not rule.examples}
    assert bare == set(WITH_FACTS)


@pytest.mark.parametrize("rule", WITH_FACTS)
def test_rules_of_the_kernel_decide_with_its_facts_only(rule: str) -> None:
    screen, facts = WITH_FACTS[rule]
    assert detect("generic", screen, facts).rule == rule
    assert detect("generic", screen, UNKNOWN_FACTS).rule != rule


@pytest.mark.parametrize(("rule", "screen", "how", "kind"), LOOK_ALIKES)
def test_a_look_alike_is_something_else(
    rule: str, screen: str, how: dict[str, Any], kind: ScreenKind
) -> None:
    known = {one.id for one in load_profile("generic").screen.rules}
    assert rule in known
    seen = detect("generic", screen, **how)
    assert seen.rule != rule
    assert seen.kind is kind
