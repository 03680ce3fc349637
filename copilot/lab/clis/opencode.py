"""opencode offline: a provider of our own in its configuration, and permissions that ask.

Without a provider it preselects a hosted model and looks just as ready. The walk is measured on 1.18.33.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

from copilot.lab.clis import base
from copilot.lab.clis.base import Recipe, base_environment, write
from copilot.lab.model_server import HttpError, ToolCall


def recipe(folder: Path, project: Path, programs: Path, url: str, asks: Collection[str], /) -> Recipe:
    home = folder / "opencode-home"
    write(home / ".config" / "opencode" / "opencode.json", _config(url))
    environment = {
        **base_environment(home, programs),
        "OPENCODE_DISABLE_AUTOUPDATE": "1",
        "OPENCODE_DISABLE_MODELS_FETCH": "1",
        "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
        "OPENCODE_DISABLE_DEFAULT_PLUGINS": "1",
        "OPENCODE_DISABLE_EMBEDDED_WEB_UI": "1",
        "OPENCODE_EXPERIMENTAL_DISABLE_FILEWATCHER": "1",
        "npm_config_offline": "true",
    }
    return Recipe("opencode", home, project, environment, task_option=("--prompt",))


def _config(url: str) -> dict[str, Any]:
    local = {
        "npm": "@ai-sdk/openai-compatible",
        "name": "Local",
        "options": {"baseURL": f"{url}/v1", "apiKey": "sk-fake"},
        "models": {"fake-model": {"name": "Fake Model", "tool_call": True}},
    }
    return {
        "autoupdate": False,
        "share": "disabled",
        "snapshot": False,
        "model": "local/fake-model",
        "small_model": "local/fake-model",
        "provider": {"local": local},
        "permission": {"edit": "ask", "bash": "ask", "webfetch": "ask"},
    }


_OPTIONS = ("Allow once", "Allow always", "Reject")
_ONCE = base.Choose("Allow once")
_ALWAYS = ("Allow always",)

WALK = base.standard_walk(
    base.standard_playbook(
        ToolCall("write", {"filePath": "{{cwd}}/hello.py", "content": base.HELLO}),
        ToolCall("bash", {"command": base.COMMAND, "description": "Run it"}),
        ToolCall("question", base.questions()),
        ToolCall("bash", {"command": base.DELETE, "description": "Remove the build"}),
        HttpError(401, "Incorrect API key provided"),
    ),
    base.permission("write", _OPTIONS, _ONCE, subject="edit: *hello.py", widening=_ALWAYS),
    base.permission("command", _OPTIONS, _ONCE, widening=_ALWAYS),
    base.menu((*base.LABELS, "Type your own answer")),
    *base.deletion(_OPTIONS, widening=_ALWAYS, stops=True),
)
