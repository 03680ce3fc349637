"""The four kinds of change proposals, told apart by `type`. Source: seed 002, issue 4 of its review."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from copilot.proposals.parts import MOST_ITEMS, Count, Hash, Line, Place, ProjectPath, Strict, Text


class Position(Strict):
    """A place between two characters. Lines and columns count from 1, columns in characters.

    The place behind a last newline is column 1 of the line after it.
    """

    line: Place
    column: Place


class RangeEdit(Strict):
    """Puts `text` in the place of what is between `start` and `end` of the base."""

    start: Position
    end: Position
    text: Text


class Anchor(Strict):
    """A line of the base, without its line end, that must read so."""

    line: Place
    text: Text


class Safety(Strict):
    """What the base must be. `base_text`, where it is known, and `after_hash` say what comes of the edit."""

    before_hash: Hash
    base_text: Text | None
    anchors: Annotated[list[Anchor], Field(max_length=1000)]
    after_hash: Hash | None


class FileEdit(Strict):
    """Edits of one file, all of them against the base that `safety` names."""

    path: ProjectPath
    edits: Annotated[list[RangeEdit], Field(min_length=1, max_length=MOST_ITEMS)]
    safety: Safety


class EditProposal(Strict):
    """Changes ranges of files."""

    type: Literal["edit"]
    files: Annotated[list[FileEdit], Field(min_length=1, max_length=500)]


class CreateObject(Strict):
    """Makes a file or folder where nothing is; folders above it come with it."""

    op: Literal["create"]
    path: ProjectPath
    kind: Literal["file", "folder"]
    text: Text
    executable: bool


class SetProperties(Strict):
    """Sets what is given of a file: its whole text, or whether it is a program."""

    op: Literal["set"]
    path: ProjectPath
    before_hash: Hash
    text: Text | None
    executable: bool | None


class RenameObject(Strict):
    """Moves a file, or a folder with all that is in it, to where nothing is."""

    op: Literal["rename"]
    path: ProjectPath
    before_hash: Hash
    new_path: ProjectPath


class DeleteObject(Strict):
    """Removes a file, or a folder with all that is in it."""

    op: Literal["delete"]
    path: ProjectPath
    before_hash: Hash


ObjectOperation = Annotated[
    CreateObject | SetProperties | RenameObject | DeleteObject, Field(discriminator="op")
]


class ObjectProposal(Strict):
    """Makes, sets, renames and removes objects: here files and folders."""

    type: Literal["object"]
    ops: Annotated[list[ObjectOperation], Field(min_length=1, max_length=MOST_ITEMS)]


class SearchResource(Strict):
    """Looks for existing resources by words of their names."""

    op: Literal["search"]
    query: Line
    tags: Annotated[list[Line], Field(max_length=100)]
    limit: Annotated[int, Field(ge=1, le=1000)]


class InsertResource(Strict):
    """Puts an existing resource into the project, where nothing is."""

    op: Literal["insert"]
    resource: ProjectPath
    path: ProjectPath


class GenerateResource(Strict):
    """Has a new resource made."""

    op: Literal["generate"]
    prompt: Line
    tags: Annotated[list[Line], Field(max_length=100)]
    style: Line | None
    budget: Count | None


ResourceOperation = Annotated[SearchResource | InsertResource | GenerateResource, Field(discriminator="op")]


class ResourceProposal(Strict):
    """Searches, inserts and generates resources."""

    type: Literal["resource"]
    ops: Annotated[list[ResourceOperation], Field(min_length=1, max_length=100)]


class CompletionProposal(Strict):
    """Ends the task. `confidence` goes from 0 to 1."""

    type: Literal["completion"]
    summary: Text
    confidence: Annotated[float, Field(ge=0, le=1)] | None


ChangeProposal = Annotated[
    EditProposal | ObjectProposal | ResourceProposal | CompletionProposal, Field(discriminator="type")
]
