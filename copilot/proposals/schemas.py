"""The published JSON Schemas, and the only way to read a document of theirs.

The files of `schemas/` are what others build against. A model that no longer fits its file is an error as
soon as this module is loaded, so that neither changes alone. `python -m copilot.proposals.schemas` writes the
files anew, and the difference is seen in review.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError
from pydantic.json_schema import GenerateJsonSchema

from copilot.documents import parse_json
from copilot.errors import CopilotError, InputError
from copilot.guard.text import safe_text
from copilot.plain_files import MIB, read_text
from copilot.proposals.models import ChangeProposal, CompletionProposal
from copilot.proposals.session import SessionRequest, SessionResult

FOLDER = Path(__file__).parent / "schemas"
MOST_BYTES = 16 * MIB
"""A document: some thousand files of a usual size."""
_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_MOST_SAID = 200
ADAPTERS: dict[str, TypeAdapter[Any]] = {
    "request": TypeAdapter(SessionRequest),
    "result": TypeAdapter(SessionResult),
    "proposal": TypeAdapter(ChangeProposal),
}
"""The kinds of documents, by the names of their schemas."""
Document = TypeVar("Document")


class _Generator(GenerateJsonSchema):
    def field_title_should_be_set(self, schema: Any) -> bool:
        """A title that only repeats the key says nothing, and changes with pydantic."""
        return False


def generated(name: str) -> dict[str, Any]:
    """The schema of a model as it is now."""
    schema = ADAPTERS[name].json_schema(schema_generator=_Generator)
    return {"$schema": _DIALECT, "$id": f"urn:copilot:{name}:1", **schema}


def published(name: str) -> str:
    """The text of a published schema."""
    return (FOLDER / f"{name}.schema.json").read_text(encoding="utf-8")


def check_published() -> None:
    """Raises CopilotError for the first schema that is not the one of its model."""
    for name in ADAPTERS:
        try:
            same = json.loads(published(name)) == generated(name)
        except (OSError, ValueError):
            same = False
        if not same:
            raise CopilotError(
                f"{name}.schema.json is not the schema of its model; "
                "install copilot again, or write it anew: python -m copilot.proposals.schemas"
            )


def parse_document(name: str, text: str, source: str) -> Any:
    """The document of this kind in a JSON text. Raises InputError with the key and the fix."""
    try:
        parse_json(text)  # bounds depth and numbers
        document = ADAPTERS[name].validate_json(text)
    except ValidationError as error:
        raise InputError(f"{source}: {_first_fault(error)}") from None
    except ValueError as error:
        raise InputError(f"{source}: is not JSON: {error}; correct it there") from None
    return _ended_well(document, source)


def checked(name: str, value: Any, source: str) -> Any:
    """The same of a value that is in memory."""
    try:
        document = ADAPTERS[name].validate_python(value)
    except ValidationError as error:
        raise InputError(f"{source}: {_first_fault(error)}") from None
    return _ended_well(document, source)


def _ended_well(document: Any, source: str) -> Any:
    if isinstance(document, SessionResult) and (fault := _fault_of_ending(document)):
        raise InputError(f"{source}: {fault}")
    return document


def read_document(name: str, path: Path) -> Any:
    """The same of a file. Raises InputError."""
    return parse_document(name, read_text(path, MOST_BYTES), str(path))


def _fault_of_ending(result: SessionResult) -> str:
    ends = [at for at, one in enumerate(result.proposals) if isinstance(one, CompletionProposal)]
    if ends and ends != [len(result.proposals) - 1]:
        return f"proposals.{ends[0]}: a completion must be the last proposal; take out what follows it"
    if result.complete != bool(ends):
        return f"complete: must be {str(bool(ends)).lower()}, as proposals {'do' if ends else 'do not'} end"
    return ""


def _first_fault(error: ValidationError) -> str:
    """`key.key: what is wrong`, safe to show."""
    faults = error.errors(include_url=False, include_context=False, include_input=False)
    first = faults[0]
    where = ".".join(map(str, first["loc"])) or "document"
    said = f"{where}: {first['msg'][:1].lower()}{first['msg'][1:]}"
    more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
    said = safe_text(" ".join(said.split()))
    return f"{said if len(said) <= _MOST_SAID else said[:_MOST_SAID] + '…'}{more}; correct it there"


def write_published() -> None:
    """Write all files anew."""
    for name in ADAPTERS:
        text = json.dumps(generated(name), indent=2, ensure_ascii=False) + "\n"
        (FOLDER / f"{name}.schema.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write_published()
else:
    check_published()
