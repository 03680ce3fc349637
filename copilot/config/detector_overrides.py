"""`detectors.json`, `--detectors FILE`: the user's own patterns, merged over a profile.

    {"mode": "extend", "question": ["\\\\?$"], "awaitingInput": ["^Enter .*:"], "completion": ["^All done"]}

Each key holds regular expressions of lines. They see the live line at the cursor only (`completion`: the
last lines), never scrollback. `mode` `extend` (the default) adds them above the profile's own rules;
`replace` drops the profile's line rules of the kinds that the file speaks of.
"""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import re2

from copilot.config.multi_line_hint import MULTILINE
from copilot.core.profile import Profile
from copilot.core.screen_rules import Clause, Rule
from copilot.detection.patterns import BadPattern, compiled
from copilot.detection.witness import load_witness
from copilot.documents import read_json
from copilot.errors import InputError
from copilot.plain_files import KIB

KEYS = ("question", "awaitingInput", "completion")
_OTHERS = ("mode", "classifier")
MODES = ("extend", "replace")
_PRIORITY = 90
_MOST_BYTES = 256 * KIB
"""Each pattern is matched against each screen."""
_KINDS = {
    "question": ("question", "yes_no", "menu"),
    "awaitingInput": ("text_input",),
    "completion": ("completed",),
}
_LINE_REGIONS = ("prompt_line", "cursor_line", "last_line")
_ANSWER = r"(?i:y|n|a|yes|no|all|none)"
_ANSWERS = re2.compile(rf"(^|[^\\])([(\[])({_ANSWER}(?:\\?/{_ANSWER})+)([)\]])")
_FLAGS = {"i": "i", "m": "m", "s": "s", "u": "", "g": ""}


def with_overrides(profile: Profile, path: str | Path, say: Callable[[str], None]) -> Profile:
    """The profile with the file's patterns merged over it. Raises InputError naming file, key and place.

    `say` gets a note for each pattern that is read otherwise than it is written.
    """
    data = _read(path)
    mode = data.pop("mode", "extend")
    if mode not in MODES:
        raise InputError(f"{path}: mode: {mode!r} is not known; it takes {' or '.join(MODES)}")
    classifier = _classifier(path, data.pop("classifier", ""))
    rules: list[Rule] = []
    replaced: set[str] = set()
    for key, value in data.items():
        patterns = _patterns(path, key, value, say)
        replaced.update(_KINDS[key])
        for number, (pattern, hint) in enumerate(patterns):
            found = _rules_of(key, number, pattern)
            rules += [_with_hint(rule, hint) for rule in found] if hint else found
    kept = [
        rule
        for rule in profile.screen.rules
        if mode == "extend" or rule.kind not in replaced or rule.region not in _LINE_REGIONS
    ]
    screen = dataclasses.replace(profile.screen, rules=(*rules, *kept), classifier=classifier)
    return dataclasses.replace(profile, screen=screen)


def _read(path: str | Path) -> dict[str, Any]:
    data = read_json(path, _MOST_BYTES)
    if not isinstance(data, dict):
        raise InputError(f"{path}: must hold an object with the keys {', '.join(KEYS)}")
    for key in data:
        if key not in (*KEYS, *_OTHERS):
            near = difflib.get_close_matches(key, (*KEYS, *_OTHERS), 1)
            hint = f"did you mean {near[0]!r}?" if near else f"it takes {', '.join((*KEYS, *_OTHERS))}"
            raise InputError(f"{path}: {key}: there is no such key; {hint}")
    return data


def _classifier(path: str | Path, name: Any) -> str:
    """The name of an installed classifier, which is tried here: a run must not find out later."""
    if not isinstance(name, str):
        raise InputError(f"{path}: classifier: must be the name of an installed classifier")
    try:
        return load_witness(name).name if name else ""
    except InputError as fault:
        raise InputError(f"{path}: {fault}") from None


def _patterns(path: str | Path, key: str, value: Any, say: Callable[[str], None]) -> list[tuple[str, str]]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise InputError(f"{path}: {key}: must be a list of regular expressions")
    result = []
    for number, item in enumerate(value):
        block = MULTILINE.search(item)
        hint = block[0] if block else ""
        bare = item.replace(hint, "").rstrip() if hint else item
        if hint and key != "awaitingInput":
            raise InputError(f"{path}: {key}[{number}]: {hint}: only patterns of awaitingInput take a text")
        literal = _with_literal_answers(bare)
        if literal != bare:
            say(f"{path}: {key}[{number}]: brackets around answers are read as such: {literal}")
        pattern = _plain(literal)
        try:
            compiled(pattern)
        except BadPattern as error:
            raise InputError(f"{path}: {key}[{number}]: bad regular expression: {error}") from None
        result.append((pattern, hint))
    return result


def _with_literal_answers(pattern: str) -> str:
    """The pattern with brackets around answers, `(yes/no)` or `[y/n]`, escaped: a prompt shows them.

    Unescaped they are a group or a set of letters, which no prompt with brackets fits.
    """
    return str(_ANSWERS.sub(r"\1\\\2\3\\\4", pattern))


def _plain(pattern: str) -> str:
    """A pattern that may be written as `/body/flags`; lines are what `^` and `$` speak of."""
    flags = "m"
    if len(pattern) > 2 and pattern[0] == "/":
        body, slash, tail = pattern[1:].rpartition("/")
        if slash and set(tail) <= set(_FLAGS):
            pattern, flags = body, "m" + "".join(sorted({_FLAGS[flag] for flag in tail} - {"", "m"}))
    return f"(?{flags}:{pattern})"


def _with_hint(rule: Rule, hint: str) -> Rule:
    """The rule of a prompt that takes several lines."""
    return dataclasses.replace(rule, multi_line=True, ends_input="CTRL-D" in hint)


def _rules_of(key: str, number: int, pattern: str) -> list[Rule]:
    name = f"user.{key}.{number}"
    if key == "completion":
        clause = Clause(pattern=pattern)
        return [Rule(name, "completed", "last 3", 30, (clause,), confirm_seconds=1.0)]
    at_cursor = Clause(pattern=pattern, cursor="end")
    if key == "awaitingInput":
        return [Rule(name, "text_input", "prompt_line", _PRIORITY - 1, (at_cursor,), confirm_seconds=0.6)]
    yes_no = Rule(
        f"{name}.yes_no",
        "yes_no",
        "prompt_line",
        _PRIORITY + 1,
        (at_cursor, Clause(form="yes_no", pattern=r"[\[(]\s*[yY]")),
        options="yes_no",
        confirm_seconds=0.6,
    )
    menu = Rule(
        f"{name}.menu",
        "menu",
        "prompt_line",
        _PRIORITY,
        (at_cursor, Clause(form="lines")),
        options="lines",
        confirm_seconds=0.6,
    )
    prose = Rule(f"{name}.prose", "question", "message", 45, (Clause(pattern=pattern),), confirm_seconds=0.6)
    plain = Rule(name, "question", "prompt_line", _PRIORITY - 2, (at_cursor,), confirm_seconds=0.6)
    return [yes_no, menu, plain, prose]
