"""Tests of coding CLIs, governing prompts and profiles: `docs/proving-ground.md`. Needs no test runner."""

from __future__ import annotations

from copilot.core.detection import Detection
from copilot.core.reply import Reply
from copilot.lab.clis.extras import McpServer
from copilot.lab.collector import Answer, Person, answers
from copilot.lab.harness import Harness, HarnessOptions
from copilot.lab.live_trial import LiveTrial
from copilot.lab.mock_cli import MockCli
from copilot.lab.mock_tools import MockCall, MockTool, ToolAnswer
from copilot.lab.model_server import (
    ANY_TIMES,
    Drop,
    Expectation,
    HttpError,
    ModelRequest,
    ModelServer,
    Order,
    Pace,
    Playbook,
    PlaybookError,
    TextMatch,
    ToolCall,
    Turn,
    Usage,
    load_playbook,
    playbook,
    tool_turn,
)
from copilot.lab.record import Blocked, ToolFailed, ToolUse, TrialEvent, TrialRecord
from copilot.lab.workspace import FileChanges

__all__ = [
    "ANY_TIMES",
    "Answer",
    "Blocked",
    "Detection",
    "Drop",
    "Expectation",
    "FileChanges",
    "Harness",
    "HarnessOptions",
    "HttpError",
    "LiveTrial",
    "McpServer",
    "MockCall",
    "MockCli",
    "MockTool",
    "ModelRequest",
    "ModelServer",
    "Order",
    "Pace",
    "Person",
    "Playbook",
    "PlaybookError",
    "Reply",
    "TextMatch",
    "ToolAnswer",
    "ToolCall",
    "ToolFailed",
    "ToolUse",
    "TrialEvent",
    "TrialRecord",
    "Turn",
    "Usage",
    "answers",
    "load_playbook",
    "playbook",
    "tool_turn",
]
