"""`RiskAssessor`: the risk of saying yes to a prompt, of choosing an option, of running a plan's command."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from copilot.core.detection import (
    Detection,
    as_yes_no,
    asks_in_a_line,
)
from copilot.core.risk import NO_RISK, Risk, RiskLevel
from copilot.core.screen_kinds import ScreenKind
from copilot.engine.disk_looks import KeptLooks
from copilot.guard.command_risk import judge_command
from copilot.guard.disk import Unread
from copilot.guard.grants import Grant
from copilot.guard.prompt_permissions import NO_PERMISSIONS, PromptPermissions
from copilot.guard.prompts import assess, assess_choice
from copilot.guard.rule_files import RuleBook
from copilot.guard.scope import ProjectScope

_CHOSEN_BY_WORDS = frozenset({ScreenKind.MENU, ScreenKind.YES_NO, ScreenKind.PERMISSION})


@dataclass(slots=True)
class RiskAssessor:
    """Judges by where the run works, by the rules for commands, and by what the governing prompt allows.

    Every look at the disk goes through `scope` and is kept in `looks`.
    """

    scope: ProjectScope
    rules: RuleBook | None = None
    permissions: PromptPermissions = NO_PERMISSIONS
    looks: KeptLooks = field(default_factory=KeptLooks, init=False)

    def __post_init__(self) -> None:
        self.scope = self.looks.over(self.scope)

    def prompt(self, detection: Detection, grants: Sequence[Grant] = ()) -> Risk:
        """The risk of saying yes to it."""
        if not detection.asks:
            return NO_RISK
        allowed = (*grants, *self.permissions.commands)
        try:
            return self._said(assess(detection, self.scope, allowed, self.rules, self.permissions))
        except Unread as problem:
            return Risk(RiskLevel.HIGH, (str(problem),), "disk.unread")

    def options(self, detection: Detection, grants: Sequence[Grant] = ()) -> tuple[Risk, ...]:
        """The risk of each option by its own words; at a text prompt that asks for yes or no, of a yes."""
        if asks_in_a_line(detection):
            return (self.prompt(as_yes_no(detection), grants),)
        if detection.kind not in _CHOSEN_BY_WORDS:
            return ()
        return tuple(assess_choice(detection, one.label) for one in detection.options)

    def command(self, text: str, grants: Sequence[Grant] = ()) -> Risk:
        """The risk of running a command of the plan."""
        allowed = (*grants, *self.permissions.commands)
        return self._said(judge_command(text, self.scope, allowed, book=self.rules))

    def _said(self, risk: Risk) -> Risk:
        """The risk with the line of the governing prompt that lifted it."""
        if risk.level > RiskLevel.MEDIUM:
            return risk
        lines = {one.rule for one in self.permissions.commands}
        said = [rule for rule in dict.fromkeys(risk.grants) if rule in lines]
        return replace(risk, reasons=(f"allowed by {said[0]}", *risk.reasons)) if said else risk
