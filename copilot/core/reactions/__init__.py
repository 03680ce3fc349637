"""One function per kind of event: it changes the `Run` and says what is to be done."""

from copilot.core.reactions.child import (
    child_exited,
    faulted,
    interrupt_unheeded,
    interrupted,
    recording_failed,
    started,
    write_failed,
)
from copilot.core.reactions.grants import grant_changed
from copilot.core.reactions.opinion import opinion_failed, opinion_given
from copilot.core.reactions.person import (
    autonomy_changed,
    governing_prompt_changed,
    person_asked_again,
    person_dismissed,
    person_sent,
    person_typed,
)
from copilot.core.reactions.plan import command_ended, command_judged, screen_searched
from copilot.core.reactions.provider import reply_failed, reply_proposed, request_dropped
from copilot.core.reactions.screen import fresh_look, screen_settled
from copilot.core.reactions.timers import timer_fired

__all__ = [
    "autonomy_changed",
    "child_exited",
    "command_ended",
    "command_judged",
    "faulted",
    "fresh_look",
    "governing_prompt_changed",
    "grant_changed",
    "interrupt_unheeded",
    "interrupted",
    "opinion_failed",
    "opinion_given",
    "person_asked_again",
    "person_dismissed",
    "person_sent",
    "person_typed",
    "recording_failed",
    "reply_failed",
    "reply_proposed",
    "request_dropped",
    "screen_searched",
    "screen_settled",
    "started",
    "timer_fired",
    "write_failed",
]
