"""Policy for what a plan does by itself: typing its prompts, and running its commands.

A plan's words are the user's own, so no model is asked; the level still says whether they go without a key.
"""

from __future__ import annotations

from dataclasses import replace

from copilot.core.decision import Autonomy, Verdict
from copilot.core.detection import Detection
from copilot.core.plan import PlanPrompt
from copilot.core.policy import Ruling, Situation
from copilot.core.reply import Reply
from copilot.core.reply_keys import CannotType, KeyPlan, plan_keys
from copilot.core.risk import Risk, RiskLevel


def keys_of_prompt(prompt: PlanPrompt, detection: Detection, situation: Situation) -> KeyPlan:
    """How the prompt is typed at this composer. Raises CannotType."""
    takes_lines = detection.multi_line or prompt.multi_line
    seen = replace(detection, multi_line=takes_lines)
    return plan_keys(seen, Reply(text=prompt.text), situation.reply_keys)


def rule_on_prompt(prompt: PlanPrompt, detection: Detection, situation: Situation) -> Ruling:
    """Whether a prompt of the plan is typed by itself."""
    if situation.unrecorded:
        return Ruling(Verdict.HOLD, "policy.unrecorded", situation.unrecorded)
    try:
        keys_of_prompt(prompt, detection, situation)
    except CannotType as problem:
        return Ruling(Verdict.HOLD, "policy.cannot_type", str(problem))
    if situation.autonomy is not Autonomy.FULL:
        return _at_level(situation.autonomy)
    return Ruling(Verdict.SEND, "plan.full", "the plan says so")


def rule_on_command(risk: Risk, situation: Situation) -> Ruling:
    """Whether a command of the plan runs by itself: by its risk, as the guard judges it."""
    if risk.level is RiskLevel.FORBIDDEN:
        return Ruling(Verdict.ESCALATE, "policy.forbidden", risk.reason)
    if situation.unrecorded:
        return Ruling(Verdict.HOLD, "policy.unrecorded", situation.unrecorded)
    if situation.autonomy is not Autonomy.FULL:
        return _at_level(situation.autonomy)
    ceiling = RiskLevel.from_word(situation.limits.risk_ceiling)
    words = f"risk {risk.level.word}: {risk.reason}"
    if risk.level > ceiling:
        return Ruling(Verdict.HOLD, "policy.ceiling", f"{words} (the ceiling is {ceiling.word})")
    return Ruling(Verdict.SEND, "plan.full", words)


def _at_level(level: Autonomy) -> Ruling:
    reason = f"at level {level.value}, each part of a plan waits for you"
    return Ruling(Verdict.HOLD, "policy.level", reason)
