"""The provider that plays scripted replies. It never guesses: what does not fit the script is an error."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path

from copilot.core.reply import AnswerForm, Proposal, Reply, ReplyRequest, Usage
from copilot.core.settings import RunSettings
from copilot.errors import InputError, ProviderError
from copilot.prompting.answer import check_text
from copilot.providers.playbook_file import Matcher, Playbook, ScriptedReply, load_playbook
from copilot.strict_yaml import ANY_TIMES

_log = logging.getLogger("copilot.providers.playbook")
_PIECE = 12
_PLAIN_KINDS = (AnswerForm.TEXT, AnswerForm.MULTI_LINE)


def create(settings: RunSettings, say: Callable[[str], None]) -> PlaybookProvider:
    """Raises InputError where no playbook is given, or it cannot be read."""
    if not settings.playbook:
        raise InputError("--provider playbook needs a file: --playbook FILE")
    return PlaybookProvider(load_playbook(Path(settings.cwd, settings.playbook)), say)


class PlaybookProvider:
    """Answers from a playbook, in order or by match. What was not used is said at the end."""

    name = "playbook"

    def __init__(self, playbook: Playbook, say: Callable[[str], None] = _log.warning) -> None:
        self.model = playbook.name
        self._playbook = playbook
        self._say = say
        self._used = [0] * len(playbook.replies)

    async def propose(self, request: ReplyRequest, on_text: Callable[[str], None]) -> Proposal:
        """The scripted reply. Raises ProviderError on a mismatch or when the script is at its end."""
        index = self._find(request)
        scripted = self._playbook.replies[index]
        self._used[index] += 1
        if scripted.error is not None:
            await asyncio.sleep(scripted.delay_seconds)
            raise ProviderError(f"playbook: {scripted.error}")
        reply = self._reply(scripted, request)
        raw = scripted.clarification or str(reply)
        pieces = [raw[begin : begin + _PIECE] for begin in range(0, len(raw), _PIECE)] or [""]
        for piece in pieces:
            await asyncio.sleep(scripted.delay_seconds / len(pieces))
            on_text(piece)
        return Proposal(
            reply=reply,
            reason=scripted.reason or f"playbook, line {scripted.line}",
            confidence=scripted.confidence,
            needs_human=scripted.needs_human or scripted.clarification is not None,
            clarification=scripted.clarification,
            provider=self.name,
            model=self.model,
            usage=Usage(cost_usd=0.0),
            raw=raw,
        )

    def unused(self) -> tuple[str, ...]:
        """The entries that were never played, or less often than they say; optional ones do not count."""
        left = []
        for scripted, used in zip(self._playbook.replies, self._used, strict=True):
            if not scripted.optional and used < max(scripted.times, 1) and scripted.times != ANY_TIMES:
                missing = scripted.times - used
                left.append(
                    f"{self.model}, {scripted.describe()}: not used {missing} of {scripted.times} times"
                )
        return tuple(left)

    async def close(self) -> None:
        """Says which replies were not used."""
        for line in self.unused():
            self._say(f"playbook: {line}")

    def _find(self, request: ReplyRequest) -> int:
        return self._next_in_order(request) if self._playbook.ordered else self._first_that_fits(request)

    def _next_in_order(self, request: ReplyRequest) -> int:
        """The entry whose turn it is. Optional ones, and those played often enough, may be passed over."""
        replies = self._playbook.replies
        begin = max((index for index, used in enumerate(self._used) if used), default=0)
        for index in range(begin, len(replies)):
            scripted, used = replies[index], self._used[index]
            spent = scripted.times != ANY_TIMES and used >= scripted.times
            if not spent and scripted.fits(request.kind, request.question):
                return index
            if not spent and not scripted.optional and not (scripted.times == ANY_TIMES):
                raise ProviderError(
                    f"playbook: {_prompt(request)} came, but {self.model}, {scripted.describe()} is next"
                )
        raise ProviderError(f"playbook: {_prompt(request)} came, but {self.model} has no reply left")

    def _first_that_fits(self, request: ReplyRequest) -> int:
        spent = 0
        for index, scripted in enumerate(self._playbook.replies):
            if not scripted.fits(request.kind, request.question):
                continue
            if scripted.times == ANY_TIMES or self._used[index] < scripted.times:
                return index
            spent += 1
        why = "all replies that fit are used up" if spent else "no reply fits"
        raise ProviderError(f"playbook: {_prompt(request)} came, but in {self.model} {why}")

    def _reply(self, scripted: ScriptedReply, request: ReplyRequest) -> Reply:
        """The scripted reply in the form that is asked for. Raises ProviderError if it has another form."""
        where = f"playbook: {self.model}, line {scripted.line}"
        choice = self._choice(scripted.choice, request, where) if scripted.choice else None
        if choice is not None and not request.choices:
            return Reply(text=choice)
        text = scripted.text
        if text and request.form in _PLAIN_KINDS:
            text = check_text(text, request.form)
        elif text and choice is None:
            raise ProviderError(f"{where}: a text is scripted, but {_prompt(request)} takes a choice")
        return Reply(choice=choice, text=text)

    def _choice(self, wanted: Matcher, request: ReplyRequest, where: str) -> str:
        """The one label that is meant, or y/n where no options are listed. Raises ProviderError."""
        letter = _letter(wanted.words) if request.form is AnswerForm.YES_NO else ""
        if letter and not request.choices:
            return letter
        fitting = [label for label in request.choices if wanted.fits(label)]
        if not fitting and letter:
            fitting = [label for label in request.choices if _letter(label) == letter]
        if len(fitting) != 1:
            listed = ", ".join(map(repr, request.choices)) or "none"
            raise ProviderError(f"{where}: choice {wanted} is not one of the options ({listed})")
        return fitting[0]


def _letter(words: str) -> str:
    return {"y": "y", "yes": "y", "n": "n", "no": "n"}.get(words.casefold(), "")


def _prompt(request: ReplyRequest) -> str:
    question = " ".join(request.question.split())
    shown = question if len(question) <= 80 else question[:79] + "…"
    return f"a {request.kind} prompt {shown!r}"
