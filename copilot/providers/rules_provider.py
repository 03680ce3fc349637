"""The offline provider without a model: `rules`. The default, so that no data leaves this machine unasked."""

from __future__ import annotations

import json
from collections.abc import Callable

from copilot.core.reply import Proposal, ReplyRequest, Usage
from copilot.core.settings import RunSettings
from copilot.prompting.patterns import pattern
from copilot.providers.directives import read_directives
from copilot.providers.permissions import permissions_of
from copilot.providers.rules import decide
from copilot.providers.sentences import COMMAND

_VALUE = pattern(r"^\s*(?:[-*+]\s+)?[^:]*\w[^:]*:\s*\S")
_MEANT_AS_DIRECTIVE = pattern(r"""(?i)^\s*(?:[-*+]\s+)?(?:when\b|\w+\s+["'“‘«])""")
"""`when x: yes` and `whn "x": yes` look like a value, but no prompt asks for such a name."""
_HEADING = pattern(r"^\s*#")
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


# Lines of a governing prompt that the rules may not use: a note lists them at the start. Any line may hold
# the words of an option, so the note says only that they are not directives.


def unread_note(governing_prompt: str) -> str:
    """One line on the lines that are neither directive nor `NAME: VALUE`; empty if there are none.

    Raises InputError as `read_directives` does.
    """
    directives = {directive.line for directive in read_directives(governing_prompt)}
    directives |= {line for _, line in permissions_of(governing_prompt).acts}
    lines = [
        (number, line)
        for number, line in enumerate(governing_prompt.splitlines(), 1)
        if line.strip() and not _HEADING.search(line)
    ]
    unread = [number for number, line in lines if number not in directives and not _gives_value(line)]
    if not unread:
        return ""
    count = "the only line" if len(lines) == 1 else f"{len(unread)} of {len(lines)} lines"
    first = f" (line {unread[0]} first)" if len(lines) > 1 else ""
    return (
        f"the offline rules find no directive in {count} of the governing prompt{first}, "
        f"and look there only for the words of an option; {COMMAND} lists what they read"
    )


def _gives_value(line: str) -> bool:
    return _VALUE.search(line) is not None and _MEANT_AS_DIRECTIVE.search(line) is None
