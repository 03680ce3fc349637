"""The faults of a profile that its types do not show: words that are not known, and bad patterns.

Each profile is checked so before it is used; `profile_lint.py` looks further.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from copilot.core.profile import Profile
from copilot.core.screen_kinds import ScreenKind
from copilot.core.screen_rules import Clause, Rule
from copilot.detection.conditions import STYLES, TTY_WORDS
from copilot.detection.examiner import patterns_of
from copilot.detection.patterns import BadPattern, compiled
from copilot.detection.regions import INLINE_FORMS, LIST_FORMS, REGION_NAMES, STATE_FORMS
from copilot.detection.reports import WORDS
from copilot.errors import InputError, suggestion

_MOST_COLUMNS, _MOST_LINES = 1000, 300
"""Of an example."""
KINDS = [kind.value for kind in ScreenKind]
FORMS = (*LIST_FORMS, *INLINE_FORMS, *STATE_FORMS, "any")
OPTION_KEYS = (
    "",
    "digit",
    "digit Enter",
    "letter",
    "one key",
    "arrows",
    "arrow path",
    "yes_no words",
    "as shown",
)
CURSOR_WORDS = ("hidden", "visible", "start", "end", "after", "last", "gap", "bottom")
_RISKS = ("none", "low", "medium", "high")


def check_profile(profile: Profile, where: str) -> None:
    """Raises InputError for the first fault: file, rule, key, and what would be right."""
    for fault in faults(profile):
        raise InputError(f"{where}: {fault}")


def faults(profile: Profile) -> Iterator[str]:
    """Every fault of a profile, as `key: what is wrong`."""
    if profile.limits.risk_ceiling not in _RISKS:
        yield _not_one("limits.risk_ceiling", profile.limits.risk_ceiling, _RISKS)
    if not 0 <= profile.limits.stall_seconds < math.inf:
        yield "limits.stall_seconds: is no number of seconds (0 switches the watch off)"
    for number, name in enumerate(profile.launch.keys):
        if not (name.isascii() and name.isidentifier()):  # not repeated: it may be the key itself
            yield f"launch.keys[{number}]: is no name of a variable; write one like OPENAI_API_KEY, or all"
    for key, pattern in patterns_of_profile(profile):
        yield from _bad_pattern(key, pattern)
    for kind in profile.screen.confirm_seconds:
        if kind not in (*KINDS, "default"):
            yield _not_one("screen.confirm_seconds", kind, (*KINDS, "default"))
    for number, report in enumerate(profile.screen.evidence.titles):
        if report.says not in WORDS:
            yield _not_one(f"screen.evidence.titles[{number}].says", report.says, WORDS)
    seen: set[str] = set()
    for rule in profile.screen.rules:
        if rule.id in seen:
            yield f"screen.rules[{rule.id}].id: two rules have this id"
        seen.add(rule.id)
        yield from _rule_faults(rule)


def patterns_of_profile(profile: Profile) -> Iterator[tuple[str, str]]:
    """The regular expressions outside of rules, each with its place in the file."""
    composer, form, keys = profile.screen.composer, profile.screen.form, profile.reply_keys
    for name in ("prompt", "footer", "placeholder"):
        yield f"screen.composer.{name}", getattr(composer, name)
    for name in ("top", "turn_end", "message", "user", "aside", "ignore", "buttons", "side_panel_foot"):
        yield f"screen.form.{name}", getattr(form, name)
    yield "screen.anchors.headers", profile.screen.anchors.headers
    for number, report in enumerate(profile.screen.evidence.titles):
        yield f"screen.evidence.titles[{number}].title", report.title
    for name in (
        "free_text_options",
        "refuse_options",
        "widening_options",
        "approve_options",
        "trust_options",
    ):
        for number, pattern in enumerate(getattr(keys, name, ())):
            yield f"reply_keys.{name}[{number}]", pattern
    for number, pattern in enumerate(profile.limits.allow_widening):
        yield f"limits.allow_widening[{number}]", pattern
    for number, pattern in enumerate(profile.launch.unasked_arguments):
        yield f"launch.unasked_arguments[{number}]", pattern
    yield "launch.version_pattern", profile.launch.version_pattern
    yield "launch.banner", profile.launch.banner


def _bad_pattern(key: str, pattern: str) -> Iterator[str]:
    if not pattern:
        return
    try:
        compiled(pattern)
    except BadPattern as error:
        yield f"{key}: bad regular expression: {error}"


def _large_examples(rule: Rule, where: str) -> Iterator[str]:
    """Each is drawn on a terminal of its size."""
    for number, example in enumerate(rule.examples):
        rows = example.screen.split("\n")
        if len(rows) > _MOST_LINES or max(map(len, rows)) > _MOST_COLUMNS:
            yield f"{where}.examples[{number}]: is larger than {_MOST_COLUMNS}x{_MOST_LINES}; shorten it"


def _rule_faults(rule: Rule) -> Iterator[str]:
    where = f"screen.rules[{rule.id}]"
    if rule.kind not in KINDS:
        yield _not_one(f"{where}.kind", rule.kind, KINDS)
    yield from _region_fault(f"{where}.region", rule.region)
    for form in rule.options.split("|") if rule.options else ():
        if form not in FORMS:
            yield _not_one(f"{where}.options", form, FORMS)
    if rule.option_keys not in OPTION_KEYS:
        yield _not_one(f"{where}.option_keys", rule.option_keys, OPTION_KEYS)
    if not (rule.all or rule.any):
        yield f"{where}: a rule without `all` or `any` would match every screen"
    for key, pattern in patterns_of(rule):
        yield from _bad_pattern(f"{where}.{key}", pattern)
    yield from _large_examples(rule, where)
    for number, subject in enumerate(rule.subjects):
        if subject.region:
            yield from _region_fault(f"{where}.subjects[{number}].region", subject.region)
        if subject.style and subject.style not in STYLES:
            yield _not_one(f"{where}.subjects[{number}].style", subject.style, STYLES)
    for name in ("all", "any", "not_"):
        for number, clause in enumerate(getattr(rule, name)):
            yield from _clause_faults(f"{where}.{name.rstrip('_')}[{number}]", clause)


def _clause_faults(where: str, clause: Clause) -> Iterator[str]:
    if clause == Clause():
        yield f"{where}: an empty clause"
    if clause.region:
        yield from _region_fault(f"{where}.region", clause.region)
    if clause.style and clause.style not in STYLES:
        yield _not_one(f"{where}.style", clause.style, STYLES)
    for word in clause.tty.split():
        if word.rstrip("?") not in TTY_WORDS:
            yield _not_one(f"{where}.tty", word, TTY_WORDS)
    for word in clause.cursor.split():
        if word not in CURSOR_WORDS:
            yield _not_one(f"{where}.cursor", word, CURSOR_WORDS)
    for form in clause.form.split("|") if clause.form else ():
        if form not in FORMS:
            yield _not_one(f"{where}.form", form, FORMS)


def _region_fault(key: str, region: str) -> Iterator[str]:
    word, _, number = region.partition(" ")
    if word in ("last", "top") and number.isdigit() and int(number) > 0:
        return
    if region not in REGION_NAMES or "N" in region:
        yield _not_one(key, region, REGION_NAMES)


def _not_one(key: str, found: str, right: Iterable[str]) -> str:
    return f"{key}: {found!r} is not known; {suggestion(found, filter(None, right), 'it takes')}"
