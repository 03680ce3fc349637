"""What the judge carries along while it reads a command: where it is, what it knows, what it found."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from copilot.core.risk import RiskLevel
from copilot.safety.packs import Arg
from copilot.safety.packs_load import RuleBook, built_in
from copilot.safety.scope import Place, ProjectScope, locate


@dataclass(frozen=True, slots=True)
class Finding:
    """One reason with its level. `grantable`: a grant that names the command may lift it.

    `part` is set where the reason lies in a script inside the command.
    """

    level: RiskLevel
    reason: str
    rule: str
    grantable: bool = False
    part: str = ""


@dataclass(frozen=True, slots=True)
class Scene:
    """Where a simple command stands. `folders` are the working folders it may have (`cd a; …`: two).

    `upstream` are the commands before it in its pipe, `input_text` what is certainly its standard input,
    `names` the variables whose value is certain, `script` judges a nested script.
    """

    scope: ProjectScope
    folders: tuple[str, ...]
    script: Callable[[str, Scene], list[Finding]]
    names: Mapping[str, Arg]
    upstream: tuple[tuple[Arg, ...], ...] = ()
    input_text: str | None = None
    fetched: bool = False
    """A word of the command is made from what a network program printed."""
    depth: int = 0
    book: RuleBook = field(default_factory=built_in)

    def deeper(self, **changes: object) -> Scene:
        """The same scene one level of nesting further in."""
        return dataclasses.replace(self, depth=self.depth + 1, **changes)  # type: ignore[arg-type]

    def places(self, path: str) -> list[Place]:
        """Where `path` may be, seen from each possible folder."""
        return [locate(self.scope, path, folder) for folder in self.folders]

    def path_refusal(self, arg: Arg, mode: str) -> str:
        """Why this operand may not be read (or written), or ""."""
        if arg.text is None:
            return f"{arg.raw!r} is known only when it runs"
        if arg.text == "-":
            return ""
        text = repr(arg.text)
        for place in self.places(arg.text):
            if not place.inside:
                return f"{text} is outside the project"
            if place.secret and mode != "names":
                return f"{text} may hold secrets"
            refusal = self._write_refusal(place, text, arg.wild) if mode == "write" else ""
            if refusal:
                return refusal
        return ""

    def _write_refusal(self, place: Place, text: str, wild: bool) -> str:
        if place.protected or place.runs_later:
            return f"{text} changes what other tools trust"
        if self.scope.too_wide:
            return "the project folder is the home folder or above it"
        return f"{text} is a wildcard" if wild else ""


def high(reason: str, rule: str, *, grantable: bool = False) -> Finding:
    """A finding that holds."""
    return Finding(RiskLevel.HIGH, reason, rule, grantable)


def forbidden(reason: str, rule: str) -> Finding:
    """A finding that nothing lifts."""
    return Finding(RiskLevel.FORBIDDEN, reason, rule)
