"""Reply keys: keys for kinds that do not exist or never come up, key names, options that widen unnoticed."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from copilot.config.profile_checks import KINDS
from copilot.config.profile_lint.finding import Finding, rule_key
from copilot.core.profile import Profile
from copilot.core.reply_keys import matches_any
from copilot.screen.keys import KEY_NAMES

_CONTINUED = ("press_key", "pager", "editor")
_SOUNDS_WIDENING = (
    r"(?i)\b(don.?t|do not|never) ask( me)?( again)?\b",
    r"(?i)\balways\b",
    r"(?i)\ball future\b",
    r"(?i)\bfor (this|the rest of the|the whole|all) ?sessions?\b",
    r"(?i)\bremember (this|my|the)\b",
    r"(?i)\b(auto|yolo|bypass)[- ]?(mode|approve|accept|permissions?)\b",
    r"(?i)\baccept (all )?edits\b",
)
_REFUSES = (r"(?i)^(no|deny|reject|cancel|never)\b",)


def keys_without_kind(profile: Profile) -> Iterator[Finding]:
    """Keys for a kind that is none, that no rule gives, or to which such keys do not apply."""
    given = {rule.kind for rule in profile.screen.rules}
    for name in ("refuse", "continue_keys"):
        for kind in getattr(profile.reply_keys, name):
            key = f"reply_keys.{name}.{kind}"
            if kind not in KINDS:
                yield Finding("key-without-kind", key, f"{kind!r} is no kind of screen{_near(kind, KINDS)}")
            elif name == "continue_keys" and kind not in _CONTINUED:
                yield Finding("key-without-kind", key, f"it takes {', '.join(_CONTINUED)}")
            elif kind not in given:
                yield Finding("key-without-kind", key, f"no rule of the profile gives {kind!r}: never typed")


def unknown_keys(profile: Profile) -> Iterator[Finding]:
    """Words that are nearly the name of a key: they would be typed letter by letter."""
    keys, launch = profile.reply_keys, profile.launch
    named = [("launch.interrupt", launch.interrupt), ("reply_keys.clear_composer", keys.clear_composer)]
    for name in ("refuse", "continue_keys"):
        named += [(f"reply_keys.{name}.{kind}", typed) for kind, typed in getattr(keys, name).items()]
    for key, typed in named:
        for word in typed:
            name = word.split("-")[-1]
            near = _near(name, KEY_NAMES)
            if len(name) > 1 and name not in KEY_NAMES and near:
                yield Finding("unknown-key", key, f"{word!r} is no key and would be typed as text{near}")


def _near(word: str, right: tuple[str, ...] | list[str]) -> str:
    close = difflib.get_close_matches(word, right, 1)
    return f"; did you mean {close[0]!r}?" if close else ""


def unknown_widening(profile: Profile, own: frozenset[str]) -> Iterator[Finding]:
    """Options in examples that sound as if they widened what the CLI may do, and are not listed as such."""
    keys = profile.reply_keys
    known = (*keys.widening_options, *keys.trust_options)
    for rule in profile.screen.rules:
        labels = dict.fromkeys(label for example in rule.examples for label in example.options)
        for label in labels if rule.id in own else ():
            sounds = matches_any(label, _SOUNDS_WIDENING) and not matches_any(label, _REFUSES)
            if sounds and not matches_any(label, known):
                says = f"option {label!r} sounds as if it widened: add it to reply_keys.widening_options"
                yield Finding("unknown-widening", f"{rule_key(rule.id)}.examples", says)


def idle_allowances(profile: Profile) -> Iterator[Finding]:
    """Entries of `limits.allow_widening` that allow none of the widening options that the examples show."""
    shown = {
        label
        for rule in profile.screen.rules
        for example in rule.examples
        for label in example.options
        if matches_any(label, profile.reply_keys.widening_options)
    }
    for number, pattern in enumerate(profile.limits.allow_widening):
        if shown and not any(matches_any(label, (pattern,)) for label in shown):
            says = f"{pattern!r} is no widening option that an example shows: {', '.join(sorted(shown))}"
            yield Finding("unknown-widening", f"limits.allow_widening[{number}]", says)
