"""aider offline: variables, its configuration, and files with what it should know of the model.

It sends no tools: its edits and commands stand in the model's text. Nothing on its command line begins a task
and stays, but a file of commands does. The walk is measured on 0.86.2.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from copilot.lab.clis import base
from copilot.lab.clis.base import Recipe, base_environment, write
from copilot.lab.model_server import HttpError, Playbook, Turn

_MODEL = "openai/fake-model"
_CONFIG = """\
check-update: false
analytics-disable: true
show-release-notes: false
gitignore: false
show-model-warnings: false
"""
_SETTINGS = f"- name: {_MODEL}\n  edit_format: diff\n"
_LIMITS = {
    _MODEL: {
        "max_tokens": 8192,
        "max_input_tokens": 128_000,
        "max_output_tokens": 8192,
        "input_cost_per_token": 0.0,
        "output_cost_per_token": 0.0,
        "litellm_provider": "openai",
        "mode": "chat",
    }
}


def recipe(folder: Path, project: Path, programs: Path, url: str, asks: Collection[str], /) -> Recipe:
    """Its first-run questions are answered before."""
    home = folder / "aider-home"
    write(home / ".aider" / "caches" / "model_prices_and_context_window.json", _LIMITS)
    write(home / ".aider.model.metadata.json", _LIMITS)
    write(home / ".aider.model.settings.yml", _SETTINGS)
    write(home / ".aider.conf.yml", _CONFIG)
    task_file = write(home / "first-task", "")
    environment = {
        **base_environment(home, programs),
        "OPENAI_API_KEY": "sk-fake",
        "OPENAI_API_BASE": f"{url}/v1",
        "AIDER_ANALYTICS": "false",
        "AIDER_CHECK_UPDATE": "false",
        "AIDER_SHOW_RELEASE_NOTES": "false",
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    }
    arguments = ("--model", _MODEL, "--load", str(task_file))
    return Recipe("aider", home, project, environment, arguments, ("/code",), task_file)


_EDIT = f"hello.py\n```python\n<<<<<<< SEARCH\n=======\n{base.HELLO}>>>>>>> REPLACE\n```\n"
_RUN = f"```bash\n{base.COMMAND}\n```\n"
_REMOVE = f"```bash\n{base.DELETE}\n```\n"
_NEVER = "Don't ask again"
_YES = base.Choose("Yes")

WALK = base.Walk(
    Playbook(
        (
            Turn(f"{base.WRITING}\n\n{_EDIT}\n{base.TESTING}\n\n{_RUN}", name="write"),
            Turn("feat: say hello", name="commit message"),
            Turn(f"{base.DELETING}\n\n{_REMOVE}", name="delete"),
            base.ASKING,
            base.DONE,
            base.LONG,
            base.failing(HttpError(401, "Incorrect API key provided")),
        ),
        min_tools=0,
        pace=base.PACE,
    ),
    (
        base.READY,
        base.permission("write", ("Yes", "No"), _YES, subject="write: hello.py"),
        base.permission("command", ("Yes", "No", _NEVER), _YES, widening=(_NEVER,)),
        base.Station(
            "output",
            base.Expected("yes_no", True, ("Yes", "No", _NEVER), widening=(_NEVER,)),
            (base.Choose("No"),),
        ),
        base.Station("written", base.Expected("completed", False), (base.Say("Clean up."),)),
        base.permission(
            "deletion",
            ("Yes", "No", _NEVER),
            base.Refuse(),
            subject=f"shell: {base.DELETE}",
            widening=(_NEVER,),
        ),
        base.Station("refused", base.Expected("completed", False), (base.Say("Leave it. Go on."),)),
        *base.ENDING,
    ),
    missing={"menu": "its model has no tool that asks", "trust": "it has none"},
)
