"""A CLI that works without asking: the person must know from the start that copilot guards nothing there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from copilot.core.profile_outline import Launch
from copilot.detectors.patterns import compiled

_UNASKED = "started with {words}: {title} works without asking, so copilot is not asked and guards nothing"
_ASKS_NOTHING = "{title} {why}: copilot is not asked about what it does, and guards nothing of it"


def unasked_notes(argv: Sequence[str], launch: Launch, title: str) -> Iterator[str]:
    """What to say before the start; nothing for a CLI that asks. `title` is its name for a person."""
    if launch.asks_nothing:
        yield _ASKS_NOTHING.format(title=title, why=launch.asks_nothing)
    given = " ".join(word for word in argv[1:] if not any(map(str.isspace, word)))  # no task, no script
    for pattern in launch.unasked_arguments:
        match = compiled(pattern).search(given)
        if match is not None:
            yield _UNASKED.format(words=match.group(0).strip(" '\"="), title=title)
            return
