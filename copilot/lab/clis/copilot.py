"""GitHub's Copilot CLI offline: documented variables, and no login. The walk is measured on 1.0.102."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from copilot.lab.clis import base
from copilot.lab.clis.base import Recipe, base_environment, write
from copilot.lab.model_server import ToolCall


def recipe(folder: Path, project: Path, programs: Path, url: str, asks: Collection[str], /) -> Recipe:
    home = folder / "copilot-home"
    config: dict[str, object] = {"banner": "never"}
    if "trust" not in asks:
        config["trustedFolders"] = [str(project)]
    write(home / ".copilot" / "config.json", config)
    environment = {
        **base_environment(home, programs),
        "COPILOT_OFFLINE": "true",
        "COPILOT_AUTO_UPDATE": "false",
        "COPILOT_PROVIDER_BASE_URL": f"{url}/v1",
        "COPILOT_PROVIDER_API_KEY": "sk-fake",
        "COPILOT_MODEL": "fake-model",
        "COPILOT_PROVIDER_MAX_PROMPT_TOKENS": "100000",
        "COPILOT_PROVIDER_MAX_OUTPUT_TOKENS": "8000",
    }
    return Recipe("copilot", home, project, environment, task_option=("-i",))


_RUN = {"command": base.COMMAND, "description": "Run it", "mode": "sync", "initial_wait": 30}
_ANSWER = {"type": "string", "title": "Answer", "enum": list(base.LABELS)}
_SCHEMA = {"properties": {"answer": _ANSWER}, "required": ["answer"]}
_REMEMBER = "Yes, and remember this folder for future sessions"
_ALWAYS = "Yes, and don't ask again for file operations when in this repo *"
_COMMANDS = "Yes, and don't ask again for `rm` in this repo *"
_REFUSAL = "No, and tell Copilot what to do differently (Esc to stop)"
_YES = base.Choose("Yes")

WALK = base.standard_walk(
    base.standard_playbook(
        ToolCall("create", {"path": "{{cwd}}/hello.py", "file_text": base.HELLO}),
        ToolCall("bash", _RUN),
        ToolCall("ask_user", {"message": base.CHOICE, "requestedSchema": _SCHEMA}),
        ToolCall("bash", {**_RUN, "command": base.DELETE}),
    ),
    base.permission(
        "write", ("Yes", _ALWAYS, _REFUSAL), _YES, subject="write: *hello.py", widening=(_ALWAYS,)
    ),
    base.permission("command", ("Yes", _REFUSAL), _YES),
    base.menu((*base.LABELS, "Other (type your answer)")),
    *base.deletion(("Yes", _COMMANDS, _REFUSAL), widening=(_COMMANDS,), stops=True),
    trust=base.Station(
        "trust",
        base.Expected("trust", True, ("Yes", _REMEMBER, "No (Esc)"), "read: *project", ("Yes", _REMEMBER)),
        (_YES,),
    ),
)
