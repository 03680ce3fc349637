"""The generic profile: classic programs, what the kernel adds, and dialogs of CLIs that nobody described."""

from __future__ import annotations

import pytest

from copilot.config.profile_files import load_profile
from copilot.core.detection import Detection
from copilot.core.reply_keys import Check, plan_refusal, widens
from copilot.core.risk import RiskLevel
from copilot.core.screen_kinds import ScreenKind
from copilot.core.snapshot import TtyFacts
from copilot.guard.prompts import assess
from copilot.guard.scope import ProjectScope
from tests.detection.screens import detect

READS = TtyFacts(reading=True, echo=True, canonical=True)
READS_NOT = TtyFacts(reading=False, echo=True, canonical=True)
READS_KEYS = TtyFacts(reading=True, echo=True, canonical=False)
EDITS_LINE = TtyFacts(reading=True, echo=False, canonical=False)
MANY_LETTERS = "(1/2) {} [y,n,q,a,d,k,K,j,J,g,/,s,e,p,P,?]? "


def keys_of(detection: Detection) -> list[str | None]:
    return [option.key for option in detection.options]


def refusal(detection: Detection) -> list[tuple[str, ...]] | None:
    plan = plan_refusal(detection, load_profile("generic").reply_keys)
    return None if plan is None else [write.keys for write in plan.writes]


def labels(detection: Detection) -> list[str]:
    return [option.label for option in detection.options]


# git's letters


def test_all_letters_of_a_hunk_are_read_with_the_verb_of_the_question() -> None:
    staged = detect("generic", MANY_LETTERS.format("Stage this hunk"))
    assert staged.kind is ScreenKind.MENU
    assert len(staged.options) == 16
    assert labels(staged)[:5] == ["stage", "do not stage", "quit", "stage all", "leave all"]
    assert keys_of(staged)[:5] == ["y Enter", "n Enter", "q Enter", "a Enter", "d Enter"]
    assert len(set(labels(staged))) == 16
    for verb in ("Discard this hunk from worktree", "Discard deletion from worktree"):
        assert labels(detect("generic", MANY_LETTERS.format(verb)))[:2] == ["discard", "do not discard"]
    assert labels(detect("generic", "Retry, skip or abort [r,s,a]? ")) == ["r", "s", "a"]


def test_what_answers_later_questions_too_widens() -> None:
    keys = load_profile("generic").reply_keys
    hunk = detect("generic", MANY_LETTERS.format("Stage this hunk"))
    assert [option.label for option in hunk.options if widens(option, keys)] == ["stage all"]
    unzip = detect("generic", "replace a.txt? [y]es, [n]o, [A]ll, [N]one, [r]ename: ")
    assert [option.label for option in unzip.options if widens(option, keys)] == ["All"]
    assert refusal(hunk) == [("n",), ("Enter",)]


# what the kernel knows


@pytest.mark.parametrize(
    "line", ["Apply the patch? [y/N] ", "Shall I go on? ", "Name: ", "Pick a colour [red/green]: "]
)
def test_a_line_that_nobody_reads_is_no_prompt(line: str) -> None:
    assert detect("generic", line).asks
    assert detect("generic", line, READS).asks
    nobody = detect("generic", line, READS_NOT)
    assert nobody.kind is ScreenKind.BUSY
    assert nobody.certainty < 0.5, "it must be looked at again: the program may begin to read"


def test_a_password_is_held_before_anybody_reads_it() -> None:
    assert detect("generic", "Password: ", READS_NOT).kind is ScreenKind.PASSWORD


def test_one_key_suffices_where_keys_are_read_one_by_one() -> None:
    line = "Go on? [y/N] "
    assert keys_of(detect("generic", line, READS)) == ["y Enter", "n Enter"]
    assert keys_of(detect("generic", line, EDITS_LINE)) == ["y Enter", "n Enter"]
    assert keys_of(detect("generic", line, READS_KEYS)) == ["y", "n"]


def test_a_silent_reader_is_told_from_a_silent_worker() -> None:
    assert detect("generic", "", READS).kind is ScreenKind.UNKNOWN
    assert detect("generic", "", READS_NOT).kind is ScreenKind.STARTING
    assert detect("generic", "").kind is ScreenKind.STARTING
    assert detect("generic", "").certainty < 0.5, "a program may begin to read without any output"


@pytest.mark.invariant(2)
@pytest.mark.parametrize(
    "below",
    [
        "[worker] heartbeat 1 ok\n[worker] heartbeat 2 ok\n",
        "using cache\nDeploy to which host:\n",
        "Type the name of the database to drop and press Enter\n",
    ],
)
def test_a_question_that_output_has_moved_on_from_is_nobodys_but_the_persons(below: str) -> None:
    """What is read by now may be something else: one `y` would go to a prompt that asks for a name."""
    text = f"Apply it now? [y/N]: \n{below}"
    asked = detect("generic", text, READS)
    assert (asked.kind, asked.options) == (ScreenKind.UNKNOWN, ())
    assert asked.note
    assert detect("generic", text, READS_NOT).kind is ScreenKind.BUSY


# how no is said


def test_no_is_said_by_the_option_that_says_it() -> None:
    """Letters are ignored in many dialogs, and Enter takes what is highlighted there."""
    dialog = " Use TypeScript?\n\n → Yes\n   No\n\n ↑↓ navigate  enter select  esc cancel"
    asked = detect("generic", dialog, hidden=True)
    assert asked.kind is ScreenKind.YES_NO
    assert refusal(asked) == [("Down",), ("Enter",)]
    plan = plan_refusal(asked, load_profile("generic").reply_keys)
    assert plan is not None
    assert plan.writes[-1].check is Check.POINTER
    line = detect("generic", "Are you sure you want to continue connecting (yes/no)? ")
    assert refusal(line) == [("no",), ("Enter",)]
    assert refusal(detect("generic", "Go on? [y/N] ", READS_KEYS)) == [("n",)]
    assert refusal(detect("generic", "1) a\n2) b\nChoose one (1-2): ")) is None


# dialogs of programs that nobody described, by their general form

BOLD, PLAIN = "\x1b[1;36m", "\x1b[m"
ASKED = "Would you like to continue?\n\n{}> Continue (tab){}\n  Continue + don't ask again (shift+tab)\n  No, and tell it what to do differently (esc)"


def boxed(text: str) -> str:
    rows = "\n".join(f"│  {row:<60}│" for row in ["", *text.split("\n"), ""])
    return f"╭{'─' * 62}╮\n{rows}\n╰{'─' * 62}╯"


def test_a_plain_angle_points_only_in_a_dialog() -> None:
    asked = detect("generic", boxed(ASKED.format("", "")), hidden=True)
    assert (asked.kind, asked.question) == (ScreenKind.PERMISSION, "Would you like to continue?")
    assert labels(asked)[0] == "Continue (tab)"
    assert [option.selected for option in asked.options] == [True, False, False]
    assert [widens(option, load_profile("generic").reply_keys) for option in asked.options] == [
        False,
        True,
        False,
    ]
    assert refusal(asked) == [("Esc",)]
    mail = "He wrote: shall we choose?\n> the first one\n  or another\n  or none\n"
    assert not detect("generic", mail).asks


def test_a_dialog_without_footer_counts_if_its_choice_is_lit() -> None:
    lit = detect("generic", ASKED.format(BOLD, PLAIN), hidden=True)
    assert lit.kind is ScreenKind.PERMISSION
    quoted = detect("generic", ASKED.format("", ""), hidden=True)
    assert quoted.kind is ScreenKind.UNKNOWN, "a picture of a dialog: its rows all look alike"
    shown = detect("generic", ASKED.format(BOLD, PLAIN))
    assert shown.kind is not ScreenKind.PERMISSION, "a visible cursor elsewhere: a shell, a pager"


def test_buttons_may_share_the_gap_between_them() -> None:
    text = "Permission required\n\n$ git status\n\n Allow once   Allow always   Reject      ⇆ select  enter confirm"
    asked = detect("generic", text, hidden=True)
    assert asked.kind is ScreenKind.PERMISSION
    assert labels(asked) == ["Allow once", "Allow always", "Reject"]


def test_a_box_with_a_line_through_it_is_one_dialog() -> None:
    inner = (
        f"│ {'Delete all the logs?':<60}│\n│ {'':<60}│\n├{'─' * 61}┤\n│ {'      < Yes >     < No  >':<60}│"
    )
    asked = detect("generic", f"┌{'─' * 61}┐\n{inner}\n└{'─' * 61}┘")
    assert (asked.kind, asked.question) == (ScreenKind.YES_NO, "Delete all the logs?")
    listed = inner.replace("Delete all the logs?", "Pick a fruit       ").replace("< Yes >", "<  OK >")
    assert detect("generic", f"┌{'─' * 61}┐\n{listed}\n└{'─' * 61}┘").kind is ScreenKind.UNKNOWN


def test_a_spinner_in_the_title_means_work() -> None:
    rule = "─" * 80
    box = f"answer\n{rule}\n❯ ▮\n{rule}\n  ? for shortcuts"
    assert detect("generic", box, title="demo").kind is ScreenKind.IDLE
    assert detect("generic", box, title="⠐ demo").kind is ScreenKind.BUSY
    asked = detect("generic", boxed(ASKED.format("", "")), hidden=True, title="⠐ demo")
    assert asked.kind is ScreenKind.PERMISSION, "several CLIs spin on while they ask"


def test_prompts_that_only_look_like_others() -> None:
    assert detect("generic", "In [1]: ").kind is ScreenKind.IDLE
    finder = detect("generic", "  build\n> app.py\n  2/4\n> ", alternate=True)
    assert (finder.kind, finder.options) == (ScreenKind.MENU, ())
    assert detect("generic", "  build\n> app.py\n> ").kind is ScreenKind.IDLE


def test_a_numbered_list_may_stand_in_columns() -> None:
    shell = "1) Frankfurt   3) Oslo\n2) Virginia   10) Quit\n#? "
    asked = detect("generic", shell)
    assert labels(asked) == ["Frankfurt", "Virginia", "Oslo", "Quit"]
    assert keys_of(asked) == ["1 Enter", "2 Enter", "3 Enter", "10 Enter"]
    git = "*** Commands ***\n    1: clean                2: filter by pattern\n    3: quit                 4: help\nWhat now> "
    assert labels(detect("generic", git)) == ["clean", "filter by pattern", "quit", "help"]
    assert labels(detect("generic", "a) one  b: two\nb) three\nChoose: ")) == ["one  b: two", "three"]


# what a question is about that names nothing itself

REMOVED = "The following packages will be REMOVED:\n  tinything\n"


@pytest.mark.invariant(7)
@pytest.mark.parametrize(
    ("screen", "level"),
    [
        (REMOVED + "Do you want to continue? [Y/n] ", RiskLevel.HIGH),
        ("  Would remove:\n    site-packages/x.py\nProceed (Y/n)? ", RiskLevel.HIGH),
        ("Need to install the following packages:\nx@1.0\nOk to proceed? (y) ", RiskLevel.HIGH),
        ("Two steps are left.\nProceed? [y/N] ", RiskLevel.LOW),
        (REMOVED + "Use colours? [Y/n] ", RiskLevel.LOW),
        ("Delete the cache? [y/N] n\nTwo steps are left.\nProceed? [y/N] ", RiskLevel.LOW),
        (REMOVED + "ada@host:~$ ./next\nTwo steps are left.\nProceed? [y/N] ", RiskLevel.LOW),
        ("Delete the cache? [y/N] n\nProceed? [y/N] ", RiskLevel.HIGH),
        (REMOVED + "Preparing... 100% done\nProceed? [y/N] ", RiskLevel.HIGH),
        (REMOVED + "# Summary\n3 changes\nProceed? [y/N] ", RiskLevel.HIGH),
        (REMOVED + "a row\n" * 16 + "Proceed? [y/N] ", RiskLevel.HIGH),
        ("Proceed? [y/N] ", RiskLevel.HIGH),
        ("About to write to /home/run/of-root/package.json:\nProceed? [y/N] ", RiskLevel.HIGH),
        ("About to delete /home/ada/x\nProceed? [y/N] ", RiskLevel.HIGH),
        (REMOVED + "entry point: (a.js) b.js\nlicense: (ISC) MIT\n{}\nIs this OK? (yes) ", RiskLevel.LOW),
        (REMOVED + "license: (ISC) MIT\n{}\nIs this OK? (yes) ", RiskLevel.HIGH),
    ],
)
def test_a_bare_question_is_judged_by_what_stands_above_it(screen: str, level: RiskLevel) -> None:
    asked = detect("generic", screen)
    assert asked.kind is ScreenKind.YES_NO
    assert assess(asked, ProjectScope("/home/ada/project", "/home/ada")).level is level


@pytest.mark.parametrize(
    "rows", [("Removing /etc\na\nb", "Listing it\na\nb"), ("Send 5 tokens", "Send 90000 tokens")]
)
def test_all_that_a_bare_question_is_about_tells_it_from_another(rows: tuple[str, str]) -> None:
    one, other = (detect("generic", f"$ x\n{row}\nContinue? [y/N] ").identity for row in rows)
    assert one != other


def test_what_stands_above_is_not_part_of_the_question() -> None:
    asked = detect("generic", REMOVED + "Do you want to continue? [Y/n] ")
    assert asked.question == "Do you want to continue? [Y/n]"
    assert asked.subject is not None
    assert asked.subject.text == "The following packages will be REMOVED:\ntinything"


def test_the_question_of_a_dialog_is_not_the_reason_for_it() -> None:
    listed = "\n\n❯ 1. Yes\n  2. No\n\nenter to select · esc to cancel"
    told = "Would you like to run the following command?\n\nReason: shall I clean up?\n\n$ make clean"
    assert (
        detect("generic", told + listed, hidden=True).question
        == "Would you like to run the following command?"
    )
    going_on = "Security guide\n\nIs this a folder that you trust? If not, look at it first.\n\nMore below"
    assert detect("generic", going_on + listed, hidden=True).question == "Is this a folder that you trust?"
    only = "Something\n\nReason: shall I clean up?"
    assert detect("generic", only + listed, hidden=True).question == "Reason: shall I clean up?"


LETTERED = "Do you trust the contents of this directory?\n\n❯ [a] Trust this workspace\n  [{}] Quit\n\n Enter to select"
TICKED = "Which checks?\n\n❯ [{}] Lint\n  [ ] Tests\n\n Enter to select"


@pytest.mark.parametrize("letter", ["q", "x"])
def test_a_letter_in_brackets_is_the_key_of_its_option(letter: str) -> None:
    detection = detect("generic", LETTERED.format(letter), hidden=True)
    assert [(option.label, option.key, option.checked) for option in detection.options] == [
        ("Trust this workspace", "a", None),
        ("Quit", letter, None),
    ]
    assert not detection.multi_select


@pytest.mark.parametrize("tick", ["x", "X", "✓", "*"])
def test_a_mark_in_brackets_is_a_tick(tick: str) -> None:
    detection = detect("generic", TICKED.format(tick), hidden=True)
    assert [(option.label, option.key, option.checked) for option in detection.options] == [
        ("Lint", None, True),
        ("Tests", None, False),
    ]
    assert detection.multi_select


def test_the_key_that_the_question_names_is_the_default_of_the_rows_above() -> None:
    detection = detect("generic", "Partition type\n   p   primary\n   e   extended\nSelect (default e): ")
    assert [(option.label, option.selected) for option in detection.options] == [
        ("primary", False),
        ("extended", True),
    ]


def test_bullets_at_a_pointer_are_ticks_to_come() -> None:
    form = "Which features do you want?\n\n❯ ✓ Login\n  • Search\n  • Export\n\n ↑/↓ select · space toggle · enter accept"
    detection = detect("generic", form, hidden=True)
    assert [(option.label, option.selected, option.checked) for option in detection.options] == [
        ("Login", True, True),
        ("Search", False, False),
        ("Export", False, False),
    ]
    assert detection.multi_select
    plain = detect("generic", form.replace("• ", "").replace("✓ ", ""), hidden=True)
    assert not plain.multi_select


@pytest.mark.parametrize(("cursor", "keys"), [("", ["1", "2", "3"]), ("▮", [None, None, None])])
def test_digits_are_text_where_the_pointed_option_is_a_field(cursor: str, keys: list[str | None]) -> None:
    dialog = (
        f"╭{'─' * 70}╮\n│ rm -rf build/\n│\n│ Do you want to run this command?\n│\n│   1. Yes\n│   2. Yes, always\n"
        f"│ ❯ 3. {cursor}No, and tell Copilot what to do differently (Esc to stop)\n│\n"
        f"│ ↑/↓ to navigate · enter to select · esc to cancel\n╰{'─' * 70}╯"
    )
    detection = detect("copilot", dialog, hidden=not cursor)
    assert detection.kind is ScreenKind.PERMISSION
    assert [option.key for option in detection.options] == keys
