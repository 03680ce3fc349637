"""What the model is given, and how its answer is read: pure functions of their inputs.

`build_request` lays out one prompt in the order of the source document, `read_answer` checks what came back.
"""

from __future__ import annotations

from copilot.context.answer import Answer, read_answer
from copilot.context.environment import EnvironmentSnapshot
from copilot.context.guards import TextGuards
from copilot.context.request import QuestionAnswer, RequestMaterial, build_request
from copilot.context.tokens import Calibration, Estimator, estimate_tokens

__all__ = [
    "Answer",
    "Calibration",
    "EnvironmentSnapshot",
    "Estimator",
    "QuestionAnswer",
    "RequestMaterial",
    "TextGuards",
    "build_request",
    "estimate_tokens",
    "read_answer",
]
