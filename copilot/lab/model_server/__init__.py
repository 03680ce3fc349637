"""A scripted model server on 127.0.0.1: any real coding CLI runs offline, the same every time."""

from __future__ import annotations

from copilot.lab.model_server.playbook_file import load_playbook
from copilot.lab.model_server.requests import Message, ModelRequest, ToolResult
from copilot.lab.model_server.script import PlaybookError
from copilot.lab.model_server.server import Given, ModelServer, OtherRequest
from copilot.lab.model_server.turns import (
    Drop,
    Expectation,
    HttpError,
    Order,
    Pace,
    Playbook,
    TextMatch,
    ToolCall,
    Turn,
    Usage,
    playbook,
    tool_turn,
)
from copilot.strict_yaml import ANY_TIMES

__all__ = [
    "ANY_TIMES",
    "Drop",
    "Expectation",
    "Given",
    "HttpError",
    "Message",
    "ModelRequest",
    "ModelServer",
    "Order",
    "OtherRequest",
    "Pace",
    "Playbook",
    "PlaybookError",
    "TextMatch",
    "ToolCall",
    "ToolResult",
    "Turn",
    "Usage",
    "load_playbook",
    "playbook",
    "tool_turn",
]
