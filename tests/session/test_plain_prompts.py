"""Plain prompts in many forms and languages: real programs under the real command, and the line that each got."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.plain_prompts.measure import measured
from tests.plain_prompts.programs import LANGUAGES, Language
from tests.plain_prompts.shapes import SHAPES, Shape

PLACES = [(language, shape) for language in LANGUAGES for shape in SHAPES]
HELD = {("Node", "a spinner elsewhere")}
"""A timer of an event loop may be its work: nothing says that keys are all it waits for."""
SOME = [
    pytest.param(
        language,
        shape,
        id=f"{language.name}, {shape.name}",
        marks=[]
        if (SHAPES.index(shape) + LANGUAGES.index(language)) % len(LANGUAGES) == 0
        or (language.name == "Node" and "newline" in shape.name)
        else [pytest.mark.slow],
    )
    for language, shape in PLACES
]
pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="facts from /proc")


@pytest.mark.parametrize(("language", "shape"), SOME)
def test_a_plain_prompt_is_read_and_gets_its_line(tmp_path: Path, language: Language, shape: Shape) -> None:
    cell = measured(language, shape, tmp_path)
    if cell.skipped:
        pytest.skip(cell.skipped)
    if (language.name, shape.name) in HELD:
        assert (cell.answer, cell.code) == (None, 3), cell
    else:
        assert cell.verdict(shape) == "taken", cell
