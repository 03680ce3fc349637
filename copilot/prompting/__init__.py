"""What the model is given, and how its answer is read: pure functions of their inputs.

`build_request` lays out one prompt in the order of the source document, `read_answer` checks what came back.
"""

from __future__ import annotations

from copilot.prompting.answer import Answer, read_answer
from copilot.prompting.environment import EnvironmentSnapshot
from copilot.prompting.guards import TextGuards
from copilot.prompting.request import QuestionAnswer, RequestMaterial, build_request
from copilot.prompting.tokens import Calibration, Estimator, estimate_tokens

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
