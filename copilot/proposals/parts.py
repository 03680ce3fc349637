"""What the models of this room share: a strict base, and the kinds of texts and paths.

A model and its JSON Schema refuse the same documents, so lengths and patterns are written in words that both
pydantic and JSON Schema have. Nothing has a default: an optional list is empty and an unknown value null,
never absent.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

MOST_TEXT = 1_000_000
"""Characters of one text; a source file of some twenty thousand lines."""
MOST_ITEMS = 10_000
_PART = r"[^/\\\x00-\x1f\x7f]*[^./\\\x00-\x1f\x7f][^/\\\x00-\x1f\x7f]*"
"""A name that is not made of dots alone, without separators of any system and without control characters."""


class Strict(BaseModel):
    """Unknown keys and values of another type are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


Text = Annotated[str, Field(max_length=MOST_TEXT, pattern=r"^[^\x00]*$")]
"""Any text without NUL, with its line ends as they are."""
Line = Annotated[str, Field(min_length=1, max_length=2000, pattern=r"^[^\x00-\x08\x0a-\x1f\x7f]+$")]
ProjectPath = Annotated[
    str,
    Field(
        min_length=1,
        max_length=1024,
        pattern=rf"^{_PART}(/{_PART})*$",
        # Python's `$` also matches before a last newline; JSON Schema's own dialect does not.
        json_schema_extra={"not": {"pattern": "\\n"}},
        description="relative to the project, `/` between its parts, no `.` and `..`",
    ),
]
Hash = Annotated[
    str,
    Field(
        min_length=64,
        max_length=64,
        pattern="^[0-9a-f]{64}$",
        description="SHA-256, in hex: of a file its bytes, of a folder all that is below it",
    ),
]
Count = Annotated[int, Field(ge=0, le=10**12)]
Place = Annotated[int, Field(ge=1, le=10**7)]
