"""Material for prompts, as small as a test needs it."""

from __future__ import annotations

from copilot.core.detection import (
    Detection,
    Option,
    Subject,
)
from copilot.core.reply import ReplyRequest
from copilot.core.screen_kinds import ScreenKind
from copilot.prompting import RequestMaterial, TextGuards, build_request
from copilot.prompting.environment import EnvironmentSnapshot
from copilot.prompting.request import QuestionAnswer

MARKER = "k3jf9a02"


def options(*labels: str, selected: int = 0) -> tuple[Option, ...]:
    """Options with the keys 1, 2, 3 …"""
    return tuple(
        Option(label, str(number + 1), selected=number == selected) for number, label in enumerate(labels)
    )


def detection(
    kind: str,
    question: str = "",
    *labels: str,
    subject: str = "",
    action: str = "shell",
    cut: bool = False,
    multi_line: bool = False,
) -> Detection:
    return Detection(
        ScreenKind(kind),
        question or None,
        options(*labels),
        rule=f"test.{kind}",
        subject=Subject(action, subject, cut) if subject else None,
        multi_line=multi_line,
        identity="feed",
    )


def request(
    found: Detection,
    governing: str = "",
    *,
    output: str = "",
    history: tuple[QuestionAnswer, ...] = (),
    environment: EnvironmentSnapshot | None = None,
    instruction: str = "",
    earlier: tuple[str, ...] = (),
    plan_step: str = "",
    budget: int = 6000,
    upload: bool = True,
    guards: TextGuards | None = None,
) -> ReplyRequest:
    """The request for one reply to `found`."""
    material = RequestMaterial(
        number=1,
        detection=found,
        marker=MARKER,
        governing_prompt=governing,
        plan_step=plan_step,
        recent_output=output,
        environment=environment,
        history=history,
        instruction=instruction,
        earlier=earlier,
        profile_title="Claude Code",
        budget=budget,
        upload=upload,
    )
    return build_request(material, guards or TextGuards())
