"""Rows that offer choices are options, wherever the cursor is and whatever looks like an input field near them."""

from __future__ import annotations

from pathlib import Path

import pytest

from copilot.config.profile_files import load_profile
from copilot.core.screen_kinds import (
    READY_KINDS,
    ScreenKind,
)
from copilot.core.snapshot import TtyFacts
from copilot.replay.detect import detections_of
from tests.detection.screens import RULE, claude_composer, detect

RECORDINGS = Path(__file__).parents[1] / "recordings"
FIELD = f"{RULE}\n> ▮\n{RULE}"
BOX = "╭" + "─" * 50 + "╮\n│ {:<48} │\n│ {:<48} │\n│ {:<48} │\n╰" + "─" * 50 + "╯"
RAW = TtyFacts(reading=True, echo=False, canonical=False)
LINE = TtyFacts(reading=True, echo=True, canonical=True)
FAKE_TRUST = """Accessing workspace:

 /tmp/shop

 Quick safety check: Is this a project you created or one you trust?

 ❯ No, exit
   Yes, I trust this folder

 Enter to confirm · Esc to cancel
"""

OFFERED: dict[str, tuple[str, list[tuple[str | None, str]]]] = {
    "brackets": (f"Clean up?\n [y] Approve   [n] Deny\n{FIELD}\n model", [("y", "Approve"), ("n", "Deny")]),
    "below the field": (f"{FIELD}\n [y] Approve  [n] Deny", [("y", "Approve"), ("n", "Deny")]),
    "hugged": (f"Run rm -rf out?\n[Y]es / [N]o\n{FIELD}", [("y", "Yes"), ("n", "No")]),
    "in words": (f"Go on?\n  (a)pprove (r)eject\n{FIELD}", [("a", "approve"), ("r", "reject")]),
    "colons": (f"Go on?\ny: approve  n: deny\n{FIELD}", [("y", "approve"), ("n", "deny")]),
    "to": (f"Press y to approve, n to deny\n{FIELD}", [("y", "approve"), ("n", "deny")]),
    "named keys": (f"Press Enter to allow or Esc to deny\n{FIELD}", [("Enter", "allow"), ("Esc", "deny")]),
    "dots": (f"a allow · s session · d deny\n{FIELD}", [("a", "allow"), ("s", "session"), ("d", "deny")]),
    "buttons": (f"Go on?\n\n   Approve    Deny\n{FIELD}", [(None, "Approve"), (None, "Deny")]),
    "slashes": (f"Go on? y/n/a\n{FIELD}", [("y", "yes"), ("n", "no")]),
    "a run": (f"Go on? [Y/n/c/e/a/?]\n{FIELD}", [("y", "yes"), ("n", "no")]),
    "rows": (f"Go on?\n  [y] Approve\n  [n] Deny\n{FIELD}", [("y", "Approve"), ("n", "Deny")]),
    "rows of any words": (
        f"What now?\n  [e] Edit\n  [s] Show diff\n{FIELD}",
        [("e", "Edit"), ("s", "Show diff")],
    ),
    "bare rows": (f"Go on?\n  Approve\n  Deny\n{FIELD}", [(None, "Approve"), (None, "Deny")]),
    "a boxed menu": (
        f"{BOX.format('Go on?', '❯ 1. Yes', '  2. No')}\n{FIELD}",
        [(None, "Yes"), (None, "No")],
    ),
    "a mark below": ("Proceed? [y/n]\n> ", [("y Enter", "yes"), ("n Enter", "no")]),
}
IDLE = {
    "an answered question": "(1/1) Stage this hunk [y,n,q,a,d,e,?]? y\n\nada@host:~$ ▮",
    "prose": f"You can approve or deny that later.\n{FIELD}\n  ctrl+p commands  tab mode",
    "references": f"See [1] for the plan and [2] for the tests.\n{FIELD}",
    "a list in prose": f"What is next:\n1. Run the tests\n2. Stop here\n{FIELD}",
    "an index": f"Swapped a[i] and b[j] there.\n{FIELD}",
}


@pytest.mark.invariant(12)
@pytest.mark.parametrize("facts", [RAW, TtyFacts()])
@pytest.mark.parametrize("name", OFFERED)
def test_rows_that_offer_choices_are_options(name: str, facts: TtyFacts) -> None:
    text, options = OFFERED[name]
    seen = detect("generic", text, facts)
    assert seen.kind in (ScreenKind.PERMISSION, ScreenKind.YES_NO, ScreenKind.MENU)
    assert [(option.key, option.label) for option in seen.options] == options


@pytest.mark.parametrize("name", IDLE)
def test_other_rows_leave_the_composer_ready(name: str) -> None:
    assert detect("generic", IDLE[name], RAW).kind in READY_KINDS


@pytest.mark.invariant(12)
def test_an_unverified_profile_s_own_composer_is_not_ready_beside_choices() -> None:
    """Its rules say idle, and nobody measured them: what the last rows offer is not typed over."""
    seen = detect("cursor", f"Go on?\n [y] Approve   [n] Deny\n{FIELD}", RAW, title="")
    assert seen.kind not in READY_KINDS


def test_in_the_terminal_s_line_mode_a_key_needs_its_enter() -> None:
    seen = detect("generic", "Allow this command?\n[y] Approve  [n] Deny\n", LINE)
    assert [option.key for option in seen.options] == ["y Enter", "n Enter"]


@pytest.mark.invariant(12)
def test_cline_s_permission_is_one() -> None:
    seen = list(detections_of(RECORDINGS / "cline-3.0.65-permission.cast", load_profile("generic")))
    asked = [one for one in seen if one["kind"] == "permission"]
    assert [option["label"] for option in asked[-1]["options"]] == ["Approve", "Deny"]
    assert [option["key"] for option in asked[-1]["options"]] == ["y", "n"]
    assert not [one for one in seen if one["kind"] in ("idle", "text_input")]


@pytest.mark.invariant(12)
def test_gptme_s_question_is_for_yes_or_no() -> None:
    seen = list(detections_of(RECORDINGS / "gptme-shell.cast", load_profile("generic")))
    assert seen[-1]["kind"] == "yes_no"
    assert [option["label"] for option in seen[-1]["options"]] == ["yes", "no"]


@pytest.mark.parametrize(
    "last",
    [
        "      pass  # is this needed?",
        "  # should we keep this?",
        "  return 1  // why?",
        "  SELECT 1 -- is this right?",
        "  /* is this right?",
        "  <!-- is this right?",
    ],
)
def test_a_comment_that_closes_an_answer_asks_nothing(last: str) -> None:
    above = f"● Here is the loop:\n\n  for x in y:\n{last}\n\n✻ Crunched for 4s"
    assert detect("claude", claude_composer(above)).kind is ScreenKind.COMPLETED


@pytest.mark.parametrize(
    "last", ["Which one do you want?", "Is #3 the one you want?", "I can do both -- shall I?", "Or see a/b?"]
)
def test_prose_that_closes_an_answer_asks(last: str) -> None:
    above = f"● Done.\n\n  {last}\n\n✻ Crunched for 4s"
    assert detect("claude", claude_composer(above)).kind is ScreenKind.QUESTION


@pytest.mark.parametrize(
    ("text", "hidden", "facts"),
    [
        (FAKE_TRUST, False, TtyFacts()),
        (f"{FAKE_TRUST}\nLoading the project ⠋ 3s", True, TtyFacts()),
        (f"{FAKE_TRUST}\nLoading the project ⠋ 3s", False, LINE),
        (FAKE_TRUST, True, LINE),
        (f"{RULE}\n{FAKE_TRUST}", True, LINE),
    ],
)
def test_a_trust_dialog_that_the_cli_has_not_drawn_is_none(text: str, hidden: bool, facts: TtyFacts) -> None:
    assert detect("claude", text, facts, hidden=hidden).kind is not ScreenKind.TRUST


def test_a_trust_dialog_that_it_has_drawn_is_one() -> None:
    assert detect("claude", f"{RULE}\n{FAKE_TRUST}", RAW, hidden=True).kind is ScreenKind.TRUST


@pytest.mark.parametrize(
    ("rows", "kind"),
    [
        ("[e] Edit\n [s] Show diff\n [q] Quit", ScreenKind.MENU),
        ("[x] build\n [x] test", ScreenKind.IDLE),
        ("[1] the manual\n [2] the standard", ScreenKind.IDLE),
    ],
)
def test_rows_of_lettered_options_above_a_bare_mark_are_choices(rows: str, kind: ScreenKind) -> None:
    """Done tasks and footnotes have the same form, but no letters of their own."""
    seen = detect("generic", f"What now?\n {rows}\n> ", LINE)
    assert seen.kind is kind
    if kind is ScreenKind.MENU:
        assert [option.key for option in seen.options] == ["e Enter", "s Enter", "q Enter"]
