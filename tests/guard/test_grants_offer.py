"""What is offered to be allowed is exactly what is asked: the judge accepts it, and nothing beside it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from copilot.core.detection import (
    SAID_ABOVE,
    Detection,
    Subject,
)
from copilot.core.risk import Risk, RiskLevel
from copilot.core.screen_kinds import ScreenKind
from copilot.guard.grants import Grant
from copilot.guard.grants_offer import Offer, limited, offer_for
from copilot.guard.prompts import assess

from .command_corpus import SCOPE


def asked(action: str, text: str, kind: ScreenKind = ScreenKind.PERMISSION, cut: bool = False) -> Detection:
    return Detection(kind, question="Do it?", subject=Subject(action, text, cut), identity="p")


def offered(detection: Detection) -> Offer:
    def judge(grants: Sequence[Grant]) -> Risk:
        return assess(detection, SCOPE, grants)

    return offer_for(detection, SCOPE, judge)


@pytest.mark.row("CP-44")
@pytest.mark.parametrize(
    ("action", "text", "rules"),
    [
        ("shell", "rm -r build", ("shell:rm -r build",)),
        ("shell", "npm run lint && rm -r build && ls", ("shell:rm -r build",)),
        ("shell", "rm a; rm b", ("shell:rm a", "shell:rm b")),
        ("shell", "echo x > notes.txt", ("write:notes.txt",)),
        ("shell", "rm 'a file'", ("shell:rm 'a file'",)),
        ("delete", "build/x", ("delete:build/x",)),
        ("fetch", "https://example.com/a?b=1", ("fetch:example.com",)),
        ("tool", "demo.echo", ("tool:demo.echo",)),
    ],
)
def test_what_is_offered_lifts_it_and_only_just(action: str, text: str, rules: tuple[str, ...]) -> None:
    detection = asked(action, text)
    assert assess(detection, SCOPE).level is RiskLevel.HIGH
    offer = offered(detection)
    assert offer.rules == rules and not offer.refusal
    grants = [Grant.parse(rule) for rule in rules]
    assert assess(detection, SCOPE, grants).level is RiskLevel.MEDIUM
    for left_out in range(len(grants)):
        rest = [grant for index, grant in enumerate(grants) if index != left_out]
        assert assess(detection, SCOPE, rest).level is RiskLevel.HIGH


@pytest.mark.row("CP-44")
def test_a_question_of_a_program_is_offered_with_what_stands_above_it() -> None:
    bare = Detection(ScreenKind.YES_NO, question="Delete the branch? [y/N]", identity="q")
    assert offered(bare).rules == ("prompt:Delete the branch? [y/N]",)
    above = asked(SAID_ABOVE, "This will remove the cache.", ScreenKind.YES_NO)
    assert offered(above).rules == ("prompt:This will remove the cache. Do it?",)


@pytest.mark.parametrize(
    ("detection", "word"),
    [
        (asked("shell", "rm -rf ~"), "forbidden"),
        (asked("write", ".git/hooks/pre-commit"), "forbidden"),
        (asked("shell", "ls"), "nothing here"),
        (asked("shell", "rm -r build/*"), "no grant names exactly this"),
        (asked("shell", "find . -name '*.py' -delete"), "no grant names exactly this"),
        (asked("shell", "rm $TARGET"), "no grant names exactly this"),
        (asked("shell", "rm -r build", cut=True), "no grant names exactly this"),
        (asked("shell", "rm a; rm b; rm c; rm d; rm e; rm f"), "too many grants"),
        (asked("write", "/etc/hosts"), ""),
        (asked("delete", "build/[ab]"), "no grant names exactly this"),
        (asked("plan", "do it all"), "no grant names exactly this"),
        (Detection(ScreenKind.YES_NO, question="Delete * ?", identity="q"), "no grant names exactly this"),
        (Detection(ScreenKind.TRUST, question="Trust it?", identity="t"), "no grant names exactly this"),
        (Detection(ScreenKind.PASSWORD, question="Password:", identity="w"), "no grant names exactly this"),
    ],
)
def test_what_is_forbidden_or_would_be_wider_is_never_offered(detection: Detection, word: str) -> None:
    offer = offered(detection)
    assert not offer.rules and offer.refusal and word in offer.refusal


def test_limits_are_written_into_the_rule() -> None:
    rule = limited("shell:git commit -m 'a: b'", "times=1")
    assert rule == "shell[times=1]:git commit -m 'a: b'"
    assert Grant.parse(rule).times == 1 and limited("write:a", "") == "write:a"
