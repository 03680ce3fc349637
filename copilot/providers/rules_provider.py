"""The offline provider without a model: `rules`. The default, so that nothing is sent anywhere unasked."""

from __future__ import annotations

import json
from collections.abc import Callable

from copilot.core.reply import Proposal, Usage
from copilot.core.reply_request import ReplyRequest
from copilot.core.settings import RunSettings
from copilot.providers.rules import decide
from copilot.providers.unread_lines import unread_note

CANNOT_FOLLOW = "the rules cannot follow your instruction; edit the reply"


def create(settings: RunSettings, say: Callable[[str], None]) -> RulesProvider:
    """`say` gets a note on lines of the governing prompt that the rules cannot read. Raises InputError."""
    if unread := unread_note(settings.governing_prompt):
        say(unread)
    return RulesProvider()


class RulesProvider:
    """Answers by `rules.decide`; costs nothing and needs no network."""

    name = "rules"
    model = "offline"
    cannot_follow = CANNOT_FOLLOW

    async def propose(self, request: ReplyRequest, on_text: Callable[[str], None]) -> Proposal:
        """The ruling on `request`. It cannot follow an instruction such as "shorter", and says so."""
        ruling = decide(request)
        reason = ruling.reason
        if request.instructs:
            reason += f" ({CANNOT_FOLLOW})"
        raw = json.dumps(
            {
                "choice": ruling.reply.choice,
                "text": ruling.reply.text,
                "reason": reason,
                "confidence": ruling.confidence,
                "needs_human": ruling.needs_human,
            },
            ensure_ascii=False,
        )
        on_text(raw)
        return Proposal(
            reply=ruling.reply,
            reason=reason,
            confidence=ruling.confidence,
            needs_human=ruling.needs_human,
            provider=self.name,
            model=self.model,
            usage=Usage(cost_usd=0.0),
            raw=raw,
        )

    def unused(self) -> tuple[str, ...]:
        """Rules are no script."""
        return ()

    async def close(self) -> None:
        """Nothing is open."""
