"""The request that an agent gets, and the result of its session. Source: seed 002, issues 1, 3 and 5."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from copilot.proposals.models import ChangeProposal
from copilot.proposals.parts import MOST_ITEMS, Count, Hash, Line, Place, ProjectPath, Strict, Text

VERSION = 1


class ActiveFile(Strict):
    """The file that is open in front. Edits of it name `hash` as their base."""

    path: ProjectPath
    text: Text
    hash: Hash


class Selected(Strict):
    path: ProjectPath
    kind: Literal["file", "folder"]


class OpenDocument(Strict):
    path: ProjectPath
    hash: Hash


class Node(Strict):
    """One object of the world: here a file or folder. `size` counts bytes; a folder has none."""

    path: ProjectPath
    name: Line
    kind: Literal["file", "folder"]
    parent_path: ProjectPath | None
    size: Count
    executable: bool


class Tree(Strict):
    nodes: Annotated[list[Node], Field(max_length=MOST_ITEMS)]
    complete: bool
    """False where not all of the world fits into the request."""


class Definition(Strict):
    """Where a name is defined; lines count from 1."""

    path: ProjectPath
    line: Place
    name: Line


class RequestContext(Strict):
    """What the agent may know of the world without looking."""

    active_file: ActiveFile | None
    selection: Annotated[list[Selected], Field(max_length=1000)]
    open_documents: Annotated[list[OpenDocument], Field(max_length=1000)]
    tree: Tree
    definitions: Annotated[list[Definition], Field(max_length=MOST_ITEMS)]


class SessionRequest(Strict):
    """What an agent is asked. `model` takes the place of its own choice."""

    version: Literal[1]
    message: Annotated[Text, Field(min_length=1)]
    context: RequestContext
    mode: Literal["agent", "ask"]
    model: Line | None


class PlanStep(Strict):
    text: Line
    state: Literal["open", "doing", "done"]


class TaskState(Strict):
    """Where the task is: the plan, and what was looked at, in order."""

    plan: Annotated[list[PlanStep], Field(max_length=1000)]
    looked: Annotated[list[Line], Field(max_length=MOST_ITEMS)]


class TokenTotals(Strict):
    input: Count
    output: Count
    cached: Count


def _complete_with_a_completion(schema: dict[str, Any]) -> None:
    """What the model's validator says, in words of JSON Schema."""
    completion = {"properties": {"type": {"const": "completion"}}, "required": ["type"]}
    ends = {"properties": {"proposals": {"contains": completion, "maxContains": 1}}}
    schema["if"] = {"properties": {"complete": {"const": True}}}
    schema["then"] = ends
    schema["else"] = {"properties": {"proposals": {"not": {"contains": completion}}}}


class SessionResult(Strict):
    """What a session gives back, whole: `complete` where a completion, the last proposal, has ended it."""

    model_config = ConfigDict(json_schema_extra=_complete_with_a_completion)

    version: Literal[1]
    id: Line
    proposals: Annotated[list[ChangeProposal], Field(max_length=1000)]
    task_state: TaskState
    tokens: TokenTotals
    complete: bool
