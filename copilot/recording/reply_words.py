"""A reply in words: no reply and a reply without any text look alike, and are not."""

from __future__ import annotations

from copilot.core.reply import Reply
from copilot.core.typist import Outcome

NO_REPLY = "no reply, it is left to the person"
JUST_ENTER = "Enter alone, which takes the default"


def has_reply(reply: Reply) -> bool:
    """Whether there is anything that could be sent."""
    return reply.choice is not None or reply.text is not None


def outcome_words(outcome: str) -> str:
    """What became of a typed reply; `blocked` alone reads as if it had failed."""
    return "taken, and the next prompt waits" if outcome == Outcome.BLOCKED.value else outcome


def reply_words(reply: Reply) -> str:
    """What would be sent, or that nothing would."""
    return str(reply) or (JUST_ENTER if has_reply(reply) else NO_REPLY)
