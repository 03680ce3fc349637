"""The examples of a profile's rules: the screen that each shows, and what the profile makes of it."""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass

from copilot.core.detection import Detection
from copilot.core.screen_rules import Rule, RuleExample
from copilot.core.snapshot import UNKNOWN_FACTS, ScreenSnapshot
from copilot.detection import Examiner
from copilot.detection.conditions import failure
from copilot.screen import TerminalScreen

_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
CURSOR = "▮"
"""Marks the cursor in the text of an example."""


@dataclass(frozen=True, slots=True)
class ExampleVerdict:
    """`why_not`: why the rule itself does not match; empty if it does. `detection`: what is read instead."""

    why_not: str
    detection: Detection


def snapshot_of(example: RuleExample, columns: int = 80, lines: int = 24) -> ScreenSnapshot:
    """The terminal that shows an example; it is made larger where the example is."""
    rows = example.screen.split("\n")
    columns = max(columns, *(len(row) for row in rows))
    terminal = TerminalScreen(columns, max(lines, len(rows)))
    if example.alternate_screen:
        terminal.feed(b"\x1b[?1049h\x1b[H")
    drawn = [_ESCAPES.sub("", text) for text in rows]
    place = next(((row, text.index(CURSOR)) for row, text in enumerate(drawn) if CURSOR in text), None)
    terminal.feed("\r\n".join(text.replace(CURSOR, "") for text in rows).encode())
    if place is not None:
        terminal.feed(f"\x1b[{place[0] + 1};{place[1] + 1}H".encode())
    if example.title:
        terminal.feed(f"\x1b]0;{example.title}\x07".encode())
    if example.status:
        terminal.feed(b"\x1b]7501;" + _report(example.status) + b"\x07")
    if example.cursor_hidden:
        terminal.feed(b"\x1b[?25l")
    return terminal.snapshot()


def _report(status: str) -> bytes:
    """The program status that an example gives as `state`, `state:kind` or `state:kind:message`."""
    state, _, rest = status.partition(":")
    kind, _, message = rest.partition(":")
    parts = [f"state={state}", "app=example"]
    parts += [f"kind={kind}"] if kind else []
    parts += ["msg=" + base64.b64encode(message.encode()).decode()] if message else []
    return ":".join(parts).encode()


def read_example(examiner: Examiner, rule: Rule, example: RuleExample) -> ExampleVerdict:
    """What the profile makes of one example of a rule."""
    examination = examiner.examine(snapshot_of(example))
    why = failure(rule, examination.regions, UNKNOWN_FACTS)
    return ExampleVerdict(why or "", examination.detection)


def differences(example: RuleExample, detection: Detection) -> list[str]:
    """Where question and options that the example gives differ from those that are read."""
    said = []
    if example.question is not None and detection.question != example.question:
        said.append(f"the question is read as {detection.question!r}, not {example.question!r}")
    labels = tuple(option.label for option in detection.options)
    if example.options and labels != example.options:
        said.append(f"the options are read as {list(labels)!r}, not {list(example.options)!r}")
    return said
