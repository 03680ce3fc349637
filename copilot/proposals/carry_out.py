"""What a result makes of a world, operation by operation; each is noted, also what is only simulated."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from copilot.proposals.models import (
    ChangeProposal,
    CompletionProposal,
    CreateObject,
    DeleteObject,
    EditProposal,
    FileEdit,
    ObjectOperation,
    ObjectProposal,
    RenameObject,
    ResourceOperation,
    ResourceProposal,
    SetProperties,
)
from copilot.proposals.ranges import Refused, apply_ranges
from copilot.proposals.session import SessionResult
from copilot.proposals.world import World


@dataclass(frozen=True, slots=True)
class Done:
    """One operation: where it is in the result (`proposals.0.ops.1`), its word, what it is about.

    `outcome` is `applied`, `unchanged`, `simulated` or `ended`.
    """

    at: str
    word: str
    about: str
    outcome: str


def carry_out(result: SessionResult, world: World) -> list[Done]:
    """Change the world as the result says. Raises Refused, with the place, for what cannot be done."""
    done: list[Done] = []
    for number, proposal in enumerate(result.proposals):
        _Proposal(f"proposals.{number}", world, done).run(proposal)
    return done


class _Proposal:
    def __init__(self, at: str, world: World, done: list[Done]) -> None:
        self._at = at
        self._world = world
        self._done = done

    def run(self, proposal: ChangeProposal) -> None:
        match proposal:
            case EditProposal():
                for number, file in enumerate(proposal.files):
                    self._try(f"files.{number}", "edit", file.path, file)
            case ObjectProposal():
                for number, op in enumerate(proposal.ops):
                    self._try(f"ops.{number}", op.op, op.path, op)
            case ResourceProposal():
                for number, one in enumerate(proposal.ops):
                    self._note(f"ops.{number}", one.op, _about(one), "simulated")
            case CompletionProposal():
                self._note("", "complete", proposal.summary.partition("\n")[0], "ended")

    def _try(self, where: str, word: str, path: str, what: FileEdit | ObjectOperation) -> None:
        before = dict(self._world.entries)
        try:
            if isinstance(what, FileEdit):
                _edit(self._world, what)
            else:
                _operate(self._world, what)
        except Refused as problem:
            raise Refused(f"{self._at}.{where}: {problem}") from None
        self._note(where, word, path, "unchanged" if before == self._world.entries else "applied")

    def _note(self, where: str, word: str, about: str, outcome: str) -> None:
        self._done.append(Done(f"{self._at}.{where}".rstrip("."), word, about, outcome))


def _about(op: ResourceOperation) -> str:
    match op.op:
        case "search":
            return op.query
        case "insert":
            return f"{op.resource} to {op.path}"
        case "generate":
            return op.prompt


def _edit(world: World, file: FileEdit) -> None:
    safety = file.safety
    base = world.text_of(file.path)
    now = world.hash_of(file.path)
    if now == safety.after_hash:
        return  # done before: the same result twice changes nothing more
    world.check_base(file.path, safety.before_hash)
    if safety.base_text is not None and safety.base_text != base:
        raise Refused(f"{file.path}: base_text is not the text of before_hash; give the base as it is")
    try:
        text = apply_ranges(base, file.edits, safety.anchors)
    except Refused as problem:
        raise Refused(f"{file.path}: {problem}") from None
    data = text.encode()
    if safety.after_hash is not None and hashlib.sha256(data).hexdigest() != safety.after_hash:
        raise Refused(f"{file.path}: the edits do not give after_hash; correct the ranges")
    world.set_data(file.path, data)


def _operate(world: World, op: ObjectOperation) -> None:
    if _holds(world, op):
        return
    match op:
        case CreateObject(kind="folder"):
            world.create_folder(op.path)
        case CreateObject():
            world.create_file(op.path, op.text.encode(), executable=op.executable)
        case SetProperties():
            world.check_base(op.path, op.before_hash)
            if op.text is not None:
                world.set_data(op.path, op.text.encode())
            if op.executable is not None:
                world.set_executable(op.path, op.executable)
        case RenameObject():
            world.check_base(op.path, op.before_hash)
            world.rename(op.path, op.new_path)
        case DeleteObject():
            world.check_base(op.path, op.before_hash)
            world.delete(op.path)


def _holds(world: World, op: ObjectOperation) -> bool:
    """Whether what the operation asks for is so already: the same result twice changes nothing more."""
    match op:
        case CreateObject(kind="folder"):
            if op.text or op.executable:
                raise Refused(f"{op.path}: a folder has no text and is no program; leave both empty")
            return world.is_folder(op.path)
        case CreateObject():
            return world.is_file(op.path, op.text.encode(), executable=op.executable)
        case SetProperties():
            return op.text is not None and world.is_file(op.path, op.text.encode(), executable=op.executable)
        case RenameObject():
            return (
                not world.has(op.path)
                and world.has(op.new_path)
                and world.hash_of(op.new_path) == op.before_hash
            )
        case DeleteObject():
            return not world.has(op.path)
