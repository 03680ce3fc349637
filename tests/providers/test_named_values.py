"""`NAME: VALUE` answers whatever wording asks for that name, and never one of two; defaults in brackets are known."""

from __future__ import annotations

import pytest

from copilot.core.reply import Reply
from copilot.providers.named_values import shown_default
from tests.prompting.make import detection
from tests.providers.test_rules import ruling

GOVERNING = """\
Role: Senior TS engineer.
- File path: src/app.ts
Commit message: Add the service
Package name: shop
Target folder: packages/api
"""


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Enter file path:", "src/app.ts"),
        ("Enter file path: ", "src/app.ts"),
        ("Enter the path of the file (relative to the root):", "src/app.ts"),
        ("What file path should I use?", "src/app.ts"),
        ("Please provide your filepath >", "src/app.ts"),
        ("Provide a commit message:", "Add the service"),
        ("Commit message [Update]:", "Add the service"),
        ("Message for this commit", "Add the service"),
        ("package name: (np)", "shop"),
        ("? What is the name of your package? › ", "shop"),
        ("Target directory:", "packages/api"),
    ],
)
def test_any_wording_of_the_same_thing_gets_its_value(question: str, value: str) -> None:
    found = ruling(detection("text_input", question), GOVERNING)
    assert found.reply == Reply(text=value) and not found.needs_human
    assert "governing prompt, line" in found.reason


@pytest.mark.parametrize(
    "question",
    [
        "Enter path:",
        "Enter message:",
        "Old package name:",
        "Enter a value:",
        "Enter file path or URL:",
        "Name:",
        ">",
    ],
)
def test_another_thing_gets_none(question: str) -> None:
    assert ruling(detection("text_input", question), GOVERNING).needs_human


def test_two_lines_that_fit_are_none() -> None:
    found = ruling(
        detection("text_input", "Enter file path:"),
        GOVERNING + "The file's path: b.ts\n" + "Path of file: c.ts",
    )
    assert (
        found.needs_human
        and found.reason == "the governing prompt gives several values for this (lines 2, 6, 7)"
    )


def test_a_directive_is_no_value() -> None:
    assert ruling(detection("text_input", "When license?"), 'when "license": no').needs_human


@pytest.mark.parametrize(
    ("question", "default"),
    [
        ("package name: (np)", "np"),
        ("version: (1.0.0) ", "1.0.0"),
        ("entry point: (index.js)", "index.js"),
        ("Port [default: 8080]:", "8080"),
        ("Name (optional):", ""),
        ("Description [required]", ""),
        ("Choose an option (1-3):", ""),
        ("Which (a, b or c)?", ""),
        ("Confirm (yes/no):", ""),
        ("Go on (y/n/a)?", ""),
        ("Enter file path (relative to the root):", ""),
        ("Path (e.g. src/app.ts):", ""),
        ("package name:", ""),
    ],
)
def test_a_default_is_known_by_its_brackets(question: str, default: str) -> None:
    assert shown_default(question) == default


def test_a_default_is_taken_by_its_rule_only_where_no_value_is_given() -> None:
    found = ruling(detection("text_input", "version: (1.0.0)"), GOVERNING)
    assert found.reply == Reply(text="") and "takes the default shown (1.0.0)" in found.reason
    assert ruling(detection("text_input", "Name (optional):"), GOVERNING).needs_human
    behind = ruling(
        detection("text_input", "version:"), GOVERNING, "package name: (np) shop\nversion: (1.0.0)\n"
    )
    assert behind.reply == Reply(text="") and "(1.0.0)" in behind.reason
    assert ruling(detection("text_input", "version:"), GOVERNING, "version: (1.0.0)\nversion:").needs_human
    typed = ruling(detection("text_input", "version: (1.0.0)"), 'when "^version": type "2.0.0"')
    assert typed.reply == Reply(text="2.0.0")
    assert ruling(detection("text_input", "version: (1.0.0)"), 'when "^version": ask me').needs_human
