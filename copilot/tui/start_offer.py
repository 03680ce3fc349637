"""What the start screen offers, and what a person picks there."""

from __future__ import annotations

from dataclasses import dataclass

from copilot.core.settings import RunSettings


@dataclass(frozen=True, slots=True)
class StartOffer:
    """One thing the start screen offers.

    A coding CLI has `settings`, complete but for the autonomy level that the person picks. The demo has a
    `command`, the words after `copilot`. What has neither is not installed; `detail` says how it would be.
    `writer` are the lines that say who would write the replies.
    """

    title: str
    detail: str
    settings: RunSettings | None = None
    command: tuple[str, ...] = ()
    writer: tuple[str, ...] = ()

    @property
    def there(self) -> bool:
        return self.settings is not None or bool(self.command)


@dataclass(frozen=True, slots=True)
class StartChoice:
    """What a person picked on the start screen: a run, or another command of ours to go on with."""

    settings: RunSettings | None = None
    command: tuple[str, ...] = ()
