"""The words of a walk: at which dialogs a CLI is looked at, what each should be read as, how it goes on."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from copilot.lab.model_server import Playbook


@dataclass(frozen=True, slots=True)
class Expected:
    """What a dialog should be read as. In `options`, `subject` and `widening`, `*` stands for any text.

    `subject` is `action: text`, empty for none; `widening` are options that the profile must know as such.
    """

    kind: str
    question: bool = True
    options: tuple[str, ...] = ()
    subject: str = ""
    widening: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Choose:
    """Choose the option with this label by the profile's own keys; `keys` are for when it is not seen."""

    label: str
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Say:
    """Type words, then Enter."""

    text: str


@dataclass(frozen=True, slots=True)
class Press:
    """Press these keys, each by itself."""

    keys: tuple[str, ...]


Answer = Choose | Say | Press


@dataclass(frozen=True, slots=True)
class Station:
    """One dialog of a walk: what it should be read as, and what takes the CLI to the next, in order."""

    name: str
    expected: Expected
    answers: tuple[Answer, ...] = ()


@dataclass(frozen=True, slots=True)
class Walk:
    """The standard dialogs of one CLI, and the model's side of them. `asks`: start-up dialogs that come up.

    `missing` names standard dialogs that this CLI does not have, with the reason.
    """

    playbook: Callable[[], Playbook]
    stations: tuple[Station, ...]
    asks: Collection[str] = ()
    missing: dict[str, str] = field(default_factory=dict)
