"""`copilot profiles check`: each check finds its fault, and nothing in the same file without it."""

from __future__ import annotations

from pathlib import Path

import pytest

from copilot.config.profile_files import profile_paths
from copilot.config.profile_lint import lint_file

HEAD = 'name = "mine"\n'


def rule(body: str, name: str = "mine.rule", kind: str = "menu") -> str:
    return f'[[screen.rules]]\nid = "{name}"\nkind = "{kind}"\n{body}\n'


def two(first: str, second: str, priorities: tuple[int, int] = (60, 50)) -> str:
    return rule(f"priority = {priorities[0]}\n{first}", "mine.first") + rule(
        f"priority = {priorities[1]}\n{second}", "mine.second"
    )


APPLE = "Pick a fruit\\n\\n❯ Apple\\n  Pear\\n\\nEnter selects"
PEAR = 'examples = [{ screen = "' + APPLE + '", options = ["Apple", "Pear"] }]'
FORM = 'region = "dialog"\noptions = "pointer"\nall = [{ form = "pointer" }'

CASES = [
    ("file", "name = ", HEAD),
    ("schema", HEAD + "[launch]\nname = []", HEAD + "[launch]\nnames = []"),
    ("schema", HEAD + '[reply_keys]\nrefuse = "Esc"', HEAD + rule('all = [{ pattern = "x" }]') + '[reply_keys]\nrefuse = { menu = ["Esc"] }'),
    ("schema", HEAD + rule('all = [{ pattern = "x" }]', kind="menue"), HEAD + rule('all = [{ pattern = "x" }]')),
    ("bad-pattern", HEAD + rule("all = [{ pattern = 'x(?!y)' }]"), HEAD + rule("all = [{ pattern = 'x[^y]' }]")),
    ("bad-pattern", HEAD + rule("all = [{ pattern = '(a)\\1' }]"), HEAD + rule("all = [{ pattern = '(a)a' }]")),
    ("costly-pattern", HEAD + rule("all = [{ pattern = '.{0,900}x' }]"), HEAD + rule("all = [{ pattern = '.{0,90}x' }]")),
    ("costly-pattern", HEAD + "[screen.form]\ntop = '.{0,900}x'", HEAD + "[screen.form]\ntop = '(.+)+x'"),
    ("empty-pattern", HEAD + rule("all = [{ pattern = 'x*' }]"), HEAD + rule("all = [{ pattern = 'x+' }]")),
    ("dead-rule", HEAD + rule('region = "composer"\nall = [{ pattern = "x" }]'), HEAD + rule('region = "dialog"\nall = [{ pattern = "x" }]')),
    ("dead-rule", HEAD + rule('all = [{ pattern = "x", region = "message" }]'), HEAD + '[screen.composer]\nprompt = "^> "\n' + rule('all = [{ pattern = "x", region = "message" }]')),
    ("dead-rule", HEAD + rule("all = [{ composer = true }, { composer = false }]"), HEAD + rule("any = [{ alternate_screen = true }, { composer = false }]")),
    ("dead-rule", HEAD + '[screen.composer]\nprompt = "^> "\n' + rule('region = "footer"\nall = [{ composer = false }]'), HEAD + '[screen.composer]\nprompt = "^> "\n' + rule('region = "footer"\nall = [{ composer = true }]')),
    ("dead-rule", HEAD + rule('all = [{ cursor = "hidden" }, { cursor = "last visible" }]'), HEAD + rule('any = [{ cursor = "hidden" }, { cursor = "last visible" }]')),
    ("dead-rule", HEAD + rule('all = [{ tty = "silent" }, { tty = "echo?" }]'), HEAD + rule('all = [{ tty = "silent?" }, { tty = "echo?" }]')),
    ("dead-rule", HEAD + rule("all = [{ alternate_screen = true }, { alternate_screen = false }]"), HEAD + rule("all = [{ alternate_screen = true }]")),
    ("dead-rule", HEAD + rule('all = [{ pattern = "x" }]\nnot = [{ pattern = "x" }]'), HEAD + rule('all = [{ pattern = "x" }]\nnot = [{ pattern = "x", region = "last 2" }]')),
    ("dead-rule", HEAD + rule('all = [{ form = "pointer" }]\nnot = [{ form = "pointer|numbered" }]'), HEAD + rule('all = [{ form = "pointer|numbered" }]\nnot = [{ form = "pointer" }]')),
    ("dead-rule", HEAD + rule('all = [{ pattern = "x" }]\nversions = ">=3, <2"'), HEAD + rule('all = [{ pattern = "x" }]\nversions = ">=2, <3"')),
    ("dead-rule", HEAD + rule('all = [{ form = "turn_ended" }]'), HEAD + '[screen.form]\nturn_end = "^Done"\n' + rule('all = [{ form = "turn_ended" }]')),
    ("dead-rule", HEAD + rule('all = [{ composer = false }]\nany = [{ composer = true }]'), HEAD + rule('all = [{ composer = false }]\nany = [{ composer = true }, { pattern = "x" }]')),
    ("shadowed-rule", HEAD + two('all = [{ pattern = "x" }]', 'all = [{ pattern = "x" }, { cursor = "hidden" }]'), HEAD + two('all = [{ pattern = "x" }, { cursor = "hidden" }]', 'all = [{ pattern = "x" }]')),
    ("shadowed-rule", HEAD + two(FORM + "]", FORM + ', { pattern = "fruit" }]\n' + PEAR), HEAD + two(FORM + "]", FORM + ', { pattern = "fruit" }]\n' + PEAR, (50, 60))),
    ("example", HEAD + rule(FORM + ', { pattern = "vegetable" }]\n' + PEAR), HEAD + rule(FORM + ', { pattern = "fruit" }]\n' + PEAR)),
    ("example", HEAD + rule(FORM + "]\n" + PEAR.replace('"Apple", "Pear"', '"Apple", "Plum"')), HEAD + rule(FORM + "]\n" + PEAR)),
    ("key-without-kind", HEAD + rule('all = [{ pattern = "x" }]') + '[reply_keys]\nrefuse = { menus = ["Esc"] }', HEAD + rule('all = [{ pattern = "x" }]') + '[reply_keys]\nrefuse = { menu = ["Esc"] }'),
    ("key-without-kind", HEAD + rule('all = [{ pattern = "x" }]') + '[reply_keys]\ncontinue_keys = { menu = ["Esc"] }', HEAD + rule('all = [{ pattern = "x" }]', kind="pager") + '[reply_keys]\ncontinue_keys = { pager = ["q"] }'),
    ("key-without-kind", HEAD + rule('all = [{ pattern = "x" }]') + '[reply_keys]\nrefuse = { trust = ["Esc"] }', HEAD + rule('all = [{ pattern = "x" }]', kind="trust") + '[reply_keys]\nrefuse = { trust = ["Esc"] }'),
    ("unknown-key", HEAD + rule('all = [{ pattern = "x" }]') + '[reply_keys]\nrefuse = { menu = ["Entr"] }', HEAD + rule('all = [{ pattern = "x" }]') + '[reply_keys]\nrefuse = { menu = ["C-c", "no", "Enter"] }'),
    ("subject-group", HEAD + rule("all = [{ pattern = 'x' }]\nsubjects = [{ action = 'shell', start = '^(Run|Exec) (.+)' }]"), HEAD + rule("all = [{ pattern = 'x' }]\nsubjects = [{ action = 'shell', start = '^(?:Run|Exec) (.+)' }]")),
    ("subject-group", HEAD + rule("all = [{ pattern = 'x' }]\nsubjects = [{ action = 'shell', start = '^(Run|Exec)\\b' }]"), HEAD + rule("all = [{ pattern = 'x' }]\nsubjects = [{ action = 'shell', start = '^(?:Run|Exec)\\b' }]")),
    ("subject-group", HEAD + rule("all = [{ pattern = 'x' }]\nsubjects = [{ action = 'shell', message = '^approve .+' }]"), HEAD + rule("all = [{ pattern = 'x' }]\nsubjects = [{ action = 'shell', message = '^approve (.+)' }]")),
    ("groups", HEAD + "[launch]\nversion_pattern = 'v[0-9.]+'", HEAD + "[launch]\nversion_pattern = 'v([0-9.]+)'"),
    ("unknown-widening", HEAD + rule(FORM + "]\n" + PEAR.replace("Pear", "Always allow")), HEAD + "[reply_keys]\nwidening_options = ['(?i)always']\n" + rule(FORM + "]\n" + PEAR.replace("Pear", "Always allow"))),
    ("unknown-widening", HEAD + "[limits]\nallow_widening = ['Forever']\n[reply_keys]\nwidening_options = ['(?i)always']\n" + rule(FORM + "]\n" + PEAR.replace("Pear", "Always allow")), HEAD + "[limits]\nallow_widening = ['Always allow']\n[reply_keys]\nwidening_options = ['(?i)always']\n" + rule(FORM + "]\n" + PEAR.replace("Pear", "Always allow"))),
]  # fmt: skip


@pytest.mark.parametrize(
    ("check", "bad", "good"), CASES, ids=[f"{n:02d}-{case[0]}" for n, case in enumerate(CASES)]
)
def test_a_fault_is_found_and_its_absence_is_clean(check: str, bad: str, good: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(bad, "utf-8")
    assert [finding.check for finding in lint_file(path)] == [check]
    path.write_text(good, "utf-8")
    assert lint_file(path) == []


def test_all_schema_faults_are_told_at_once_with_the_nearest_key(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(HEAD + '[lunch]\n[limits]\nlevel = "ful"\n[screen.form]\ntopp = "x"\n', "utf-8")
    said = {finding.key: finding.says for finding in lint_file(path)}
    assert set(said) == {"lunch", "limits.level", "screen.form.topp"}
    assert "did you mean 'launch'?" in said["lunch"]
    assert "did you mean 'top'?" in said["screen.form.topp"]


def test_rules_of_another_profile_are_not_the_file_s_business(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    dialogs = 'extends = "generic"\nextends_rules = ["generic.dialog.*"]\n'
    path.write_text(dialogs + HEAD + rule('region = "screen"\nall = [{ composer = false }]\npriority = 99'))
    assert lint_file(path) == []


@pytest.mark.parametrize("name", sorted(profile_paths()))
def test_built_in_profiles_are_clean(name: str) -> None:
    assert lint_file(profile_paths()[name]) == []
