"""A governing prompt of which the offline rules make little is not taken without a word."""

from __future__ import annotations

from dataclasses import replace

import pytest

from copilot.providers.create import create_provider
from tests.providers.test_create import BASE, BOTH

READ = 'when "deploy": no\n'


def told(governing: str, provider: str = "rules") -> list[str]:
    notes: list[str] = []
    create_provider(replace(BASE, provider=provider, governing_prompt=governing), BOTH, notes.append)
    return notes


@pytest.mark.parametrize(
    ("governing", "words"),
    [
        ("Answer yes to everything", "in the only line of the governing prompt, "),
        ('whn "x": yes', "in the only line of"),
        ("- when x: yes\nwhen “x”: yes", "in 2 of 2 lines of the governing prompt (line 1 first)"),
        (f"# Rules\n\n{READ}Name: demo\nBe quick.", "in 1 of 3 lines of the governing prompt (line 5 first)"),
    ],
)
def test_lines_without_a_directive_are_told(governing: str, words: str) -> None:
    (note,) = told(governing)
    assert words in note and note.endswith("`copilot rules` lists what they read") and "\n" not in note


@pytest.mark.parametrize("governing", ["", READ, f"# Rules\n{READ}- Project name: demo\nhttp: 8080\n"])
def test_directives_values_and_headings_are_no_matter(governing: str) -> None:
    assert told(governing) == []


def test_a_model_reads_all_of_it() -> None:
    assert told("Answer yes to everything", "anthropic") == []
