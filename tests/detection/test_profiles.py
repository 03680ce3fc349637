"""Profile files: the built-in ones hold, their examples match, and a fault is named in one line."""

from __future__ import annotations

import functools
import json
from pathlib import Path

import pytest

from copilot.config.detector_overrides import with_overrides
from copilot.config.profile_faults import OPTION_KEYS
from copilot.config.profile_files import (
    list_profiles,
    load_profile,
    name_for_program,
    outline,
    profile_for_command,
)
from copilot.core.profile import Profile
from copilot.core.reply import Autonomy
from copilot.core.screen_kinds import ScreenKind
from copilot.core.screen_rules import Rule, RuleExample
from copilot.detection import Examiner
from copilot.detection.conditions import failure
from copilot.detection.examiner import version_fits
from copilot.errors import InputError
from tests.detection.screens import screen
from tests.own_profile import own_profile
from tests.plans import source_document


@functools.cache
def profiles() -> tuple[Profile, ...]:
    return tuple(list_profiles())


def test_built_in_profiles_load() -> None:
    assert len(profiles()) > 5
    for profile in profiles():
        assert profile.name
        assert profile.name == "demo" or profile.screen.rules or profile.unverified, profile.name


def test_examples_match_their_rule() -> None:
    tried = 0
    for profile in profiles():
        examiner = Examiner(profile)
        for rule in profile.screen.rules:
            for example in rule.examples:
                _matches(examiner, rule, example)
                tried += 1
    assert tried > 100


def _matches(examiner: Examiner, rule: Rule, example: RuleExample) -> None:
    shown = screen(
        example.screen,
        title=example.title,
        status=example.status,
        alternate=example.alternate_screen,
        hidden=example.cursor_hidden,
    )
    examination = examiner.examine(shown)
    assert failure(rule, examination.regions, examination.facts) is None, rule.id
    assert examination.detection.rule == rule.id
    if example.question is not None:
        assert examination.detection.question == example.question, rule.id
    if example.options:
        labels = tuple(option.label for option in examination.detection.options)
        assert labels == example.options, rule.id


@pytest.mark.row("CP-19", "CP-24")
@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('kin = "x"', "kin: there is no such key"),
        ("[screen]\nrule = 1", "screen.rule: there is no such key; did you mean 'rules'?"),
        ('[[screen.rules]]\nid = "a"\nkind = "yes-no"\nall = [{ pattern = "x" }]', "did you mean 'yes_no'?"),
        ('[[screen.rules]]\nid = "a"\nkind = "menu"\nnot = [{ patern = "x" }]', "rules[a].not[0].patern"),
        ('[[screen.rules]]\nid = "a"\nkind = "menu"\nall = [{ pattern = "x(y" }]', "rules[a].all[0].pattern: bad regular"),
        ('[[screen.rules]]\nid = "a"\nkind = "menu"\nall = [{ pattern = "x(?=y)" }]', "position 1"),
        ('[[screen.rules]]\nid = "a"\nkind = "menu"\nregion = "dialogue"\nall = [{ pattern = "x" }]', "did you mean 'dialog'?"),
        ('[[screen.rules]]\nid = "a"\nkind = "menu"', "would match every screen"),
        ("[limits]\nlevel = 'ful'", "limits.level"),
        ("= 3", "is not TOML"),
    ],
)  # fmt: skip
def test_a_bad_file_is_named_with_its_key(tmp_path: Path, text: str, fault: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(f'name = "mine"\n{text}' if text != "= 3" else text)
    with pytest.raises(InputError) as error:
        load_profile(str(path))
    assert str(path) in str(error.value)
    assert fault in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.row("CP-24")
def test_a_profile_is_chosen_by_the_program_and_overridden_by_the_user() -> None:
    assert profile_for_command(["/usr/local/bin/claude", "--continue"]).name == "claude"
    assert profile_for_command(["some-new-cli"]).name == "generic"
    own_profile("claude", 'name = "claude"\ntitle = "my own"\n')
    assert load_profile("claude").title == "my own"
    with pytest.raises(InputError, match="did you mean 'claude'"):
        load_profile("claud")


def test_a_program_is_known_by_a_name_that_is_written_with_escapes() -> None:
    own_profile("mine", 'name = "mine"\n[launch]\nnames = ["\\u006dy-own-cli"]\n')
    assert name_for_program("my-own-cli") == "mine"


def test_an_outline_says_what_settings_need_and_leaves_the_rest_to_the_full_check() -> None:
    rule = '[[screen.rules]]\nid = "a"\nkind = "menu"\nall = [{ pattern = "x(y" }]\n'
    own_profile("mine", f'name = "mine"\nextends = "claude"\n[limits]\nlevel = "watch"\n{rule}')
    assert outline("mine").limits.level is Autonomy.WATCH
    with pytest.raises(InputError, match="bad regular"):
        load_profile("mine")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('[limits]\nlevel = "much"', "limits.level: must be one of"),
        ("[launch]\nnames = 3", "launch.names: must be a list"),
        ("[launch]\nname = []", "launch.name: there is no such key; did you mean 'names'"),
        ("schema_version = 9", "schema_version: 9 is not 1"),
    ],
)
def test_an_outline_tells_a_fault_of_its_own_parts_as_the_full_check_does(text: str, fault: str) -> None:
    file = own_profile("mine", f'name = "mine"\n{text}\n')
    for read in (outline, load_profile):
        with pytest.raises(InputError) as error:
            read("mine")
        assert f"{file}: {fault}" in str(error.value)


def test_profiles_that_extend_each_other_are_told() -> None:
    own_profile("two", 'name = "two"\nextends = "one"\n')
    own_profile("one", 'name = "one"\nextends = "two"\n')
    with pytest.raises(InputError, match=r"one\.toml: extends: .*; cut the circle"):
        load_profile("one")


@pytest.mark.parametrize("text", ['extends = "nowhere"', "screens = {}", "[screen]\nrules = 3"])
def test_an_outline_is_had_of_a_profile_that_the_full_check_refuses(text: str) -> None:
    own_profile("mine", f'name = "mine"\n{text}\n')
    assert outline("mine").name == "mine"
    with pytest.raises(InputError):
        load_profile("mine")


@pytest.mark.row("CP-24")
def test_the_rule_s_own_words_name_every_way_to_choose() -> None:
    described = " ".join((Rule.__doc__ or "").split())
    assert [words for words in OPTION_KEYS if words and f"`{words}`" not in described] == []
    assert "letter Enter" not in described


def test_rules_hold_for_versions() -> None:
    assert version_fits("2.1.329", ">=2.1, <3")
    assert not version_fits("1.9", ">=2.1")
    assert version_fits("", ">=2.1")


def test_every_widening_option_that_was_seen_is_known() -> None:
    import re2

    seen = {
        "claude": [
            "Yes, and don't ask again for x",
            "Yes, and switch to auto mode",
            "Yes, and always allow access",
        ],
        "codex": ["Yes, and don't ask again for these files (a)"],
        "gemini": ["Allow for this session"],
        "qwen": ["Yes, allow always", "Always allow run 'rm *' commands in this project"],
        "copilot": ["Yes, and remember this folder for future sessions"],
        "opencode": ["Allow always"],
        "aider": ["Don't ask again"],
    }
    for name, labels in seen.items():
        patterns = load_profile(name).reply_keys.widening_options
        for label in labels:
            assert any(re2.search(pattern, label) for pattern in patterns), (name, label)
        for label in ("Yes", "Allow once", "No"):
            assert not any(re2.search(pattern, label) for pattern in patterns), (name, label)


# detectors.json


def overrides(folder: Path, data: object) -> Path:
    path = folder / "detectors.json"
    path.write_text(data if isinstance(data, str) else json.dumps(data))
    return path


@pytest.mark.row("CP-19", "CP-22")
def test_patterns_of_the_user_are_added_to_a_profile(tmp_path: Path) -> None:
    data = {
        "question": [r"^Shall we\b"],
        "awaitingInput": ["^Name the branch$"],
        "completion": ["/^all tasks (completed|done)\\.?$/i"],
    }
    examiner = Examiner(with_overrides(load_profile("generic"), overrides(tmp_path, data), print))

    def kind(text: str) -> ScreenKind:
        return examiner.examine(screen(text)).detection.kind

    assert kind("Shall we go on") is ScreenKind.QUESTION
    assert kind("Shall we go on [y/n]") is ScreenKind.YES_NO
    assert kind("Name the branch") is ScreenKind.TEXT_INPUT
    assert kind("step 1\nAll tasks done.\n") is ScreenKind.COMPLETED
    assert kind("Proceed? [y/N] ") is ScreenKind.YES_NO


@pytest.mark.row("CP-19", "CP-22")
def test_the_detectors_of_the_source_document_are_taken_as_given(tmp_path: Path) -> None:
    """Its own faults are mended with a note each: `(yes/no)` is a group, not what a prompt shows."""
    notes: list[str] = []
    with_overrides(load_profile("generic"), overrides(tmp_path, source_document.DETECTORS), notes.append)
    assert notes == []

    path = overrides(tmp_path, source_document.PATTERNS)
    examiner = Examiner(with_overrides(load_profile("generic"), path, notes.append))
    assert notes == [
        f"{path}: question[1]: brackets around answers are read as such: /^Confirm \\(yes\\/no\\):/i"
    ]

    def found(text: str) -> tuple[str, str]:
        seen = examiner.examine(screen(text)).detection
        return seen.kind.value, seen.rule

    assert found("Confirm (yes/no):") == ("yes_no", "user.question.1.yes_no")
    assert found("Proceed? [y/n]")[0] == "yes_no"
    assert found("Choose an option (1-3):")[1].startswith("user.question.3")
    assert found("Enter file path:") == ("text_input", "user.awaitingInput.0")
    assert found("Provide a commit message:") == ("text_input", "user.awaitingInput.1")
    assert found("x\n✅ Scaffold complete\n")[0] == "completed"


@pytest.mark.parametrize(
    ("pattern", "fits"),
    [
        ("^Confirm (yes/no):", "Confirm (yes/no):"),
        (r"^Go on [y/N]$", "Go on [y/N]"),
        (r"^Overwrite\? (y/n/all)", "Overwrite? (y/n/all)"),
        (r"^Sure \(yes/no\)", "Sure (yes/no)"),
        ("^(Yes|No) it is", "Yes it is"),
        ("^Pick [abc]", "Pick b"),
    ],
)
def test_brackets_around_answers_are_the_prompt_s_own(tmp_path: Path, pattern: str, fits: str) -> None:
    path = overrides(tmp_path, {"mode": "replace", "question": [pattern]})
    examiner = Examiner(with_overrides(load_profile("generic"), path, print))
    assert examiner.examine(screen(fits)).detection.rule.startswith("user.question.0")


@pytest.mark.row("CP-19")
def test_patterns_of_the_user_can_replace_the_profile_s(tmp_path: Path) -> None:
    path = overrides(tmp_path, {"mode": "replace", "question": [r"^Shall we\b"]})
    examiner = Examiner(with_overrides(load_profile("generic"), path, print))
    assert examiner.examine(screen("Proceed? [y/N] ")).detection.kind is not ScreenKind.YES_NO


@pytest.mark.row("CP-19")
@pytest.mark.parametrize(
    ("data", "fault"),
    [
        ({"questions": ["x"]}, "did you mean 'question'?"),
        ({"question": ["a(b"]}, "question[0]: bad regular expression"),
        ({"question": "x"}, "question: must be a list"),
        ({"question": ["x <<BEGIN MULTILINE>> <<END>>"]}, "question[0]: <<BEGIN MULTILINE>> <<END>>: only"),
        ({"mode": "add"}, "mode"),
        ("{", "is not JSON"),
        ([], "must hold an object"),
    ],
)
def test_a_bad_override_is_named_with_its_key(tmp_path: Path, data: object, fault: str) -> None:
    path = overrides(tmp_path, data)
    with pytest.raises(InputError) as error:
        with_overrides(load_profile("generic"), path, print)
    assert str(path) in str(error.value)
    assert fault in str(error.value)
