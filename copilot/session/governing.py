"""A new governing prompt in a live run: written to the run folder first, then used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from copilot.engine.inputs import Governed
from copilot.errors import InputError
from copilot.providers.directives import read_directives
from copilot.providers.permissions import permissions_of
from copilot.session.ports import ends_by_fault

if TYPE_CHECKING:
    from copilot.session.live import LiveSession


def change_governing_prompt(session: LiveSession, text: str) -> str:
    """Let `text` govern from now on; empty if it does, else why not.

    A prompt that cannot be written is not used: else the prompt behind a reply would be unknown later.
    """
    text = text.strip()
    problem = _refusal(session, text)
    if problem:
        return problem
    number = session.view.governing_version + 1
    file, digest = session.recorder.governing_prompt(number, text)
    if not file:
        return f"nothing was changed: it cannot be recorded ({session.recorder.failed})"
    _take(session, text, number, file, digest)
    return ""


def _refusal(session: LiveSession, text: str) -> str:
    asker = session.asker
    if session.run.ended or asker is None:
        return "the run is over: nothing was changed"
    if text == session.view.governing_prompt:
        return "these are the words that govern already"
    if not text:
        return "it is empty: nothing was changed"
    if asker.provider.name == "rules":
        try:
            read_directives(text)
        except InputError as problem:
            return str(problem)
    return ""


@ends_by_fault
def _take(session: LiveSession, text: str, number: int, file: str, digest: str) -> None:
    if session.asker is not None:
        session.asker.governing_prompt = text
    if session.opinions is not None:
        session.opinions.goal = text
    session.show_governing_prompt(text, number)
    session.feed(
        Governed(
            at=session.clock(), number=number, file=file, sha256=digest, permissions=permissions_of(text)
        )
    )
    session.listener.on_note(f"governing prompt: version {number} from now on")
