"""The model vendors' protocols, one module each."""

from __future__ import annotations

from copilot.lab.model_server.protocols.anthropic_messages import AnthropicMessages
from copilot.lab.model_server.protocols.base import ModelProtocol, Piece, PieceKind, Sent, Task
from copilot.lab.model_server.protocols.gemini import Gemini
from copilot.lab.model_server.protocols.openai_chat import OpenAiChat
from copilot.lab.model_server.protocols.openai_responses import OpenAiResponses

ALL: tuple[ModelProtocol, ...] = (AnthropicMessages(), OpenAiResponses(), OpenAiChat(), Gemini())

__all__ = ["ALL", "ModelProtocol", "Piece", "PieceKind", "Sent", "Task"]
