"""What the scripted model does with each CLI, and what the co-pilot answers: one story for all of them."""

from __future__ import annotations

from copilot.lab.model_server import ANY_TIMES, HttpError, Pace, Playbook, Turn
from tests.real.tools import TOOLS, WRITTEN, Tools

TASK = "Create hello.py, then run the tests."
HELLO = "{{cwd}}/hello.py"
TESTS = "python3 -m unittest"
DELETE = "rm -rf build/"
ASKED = "Which license should I add, MIT or Apache-2.0?"
CHOICE = "Which database should I use?"
FAULT = "Incorrect API key provided"
NAMES = (*TOOLS, "aider")
PACE = Pace(first_delay_seconds=0.4, chunk_characters=12, chunk_delay_seconds=0.02)
REPLIES = f"""\
order: any
replies:
  - kind: permission
    choice: {{matches: "^(Yes($|, proceed|, allow once)|Allow once)"}}
    times: any
  - kind: menu
    question: {{contains: {CHOICE}}}
    choice: {{contains: Postgres}}
    optional: true
  - kind: question
    question: {{contains: "{ASKED}"}}
    text: MIT
  - kind: yes_no
    choice: {{matches: "(?i)^y"}}
    times: any
    optional: true
"""
"""Yes to every permission, that to delete too: it is the guard who must see to it."""


def story(name: str) -> Playbook:
    """Permission, a choice if the CLI has a tool for it, a deletion that is refused, a question, the end."""
    turns = _aider_story() if name == "aider" else story_of(TOOLS[name])
    return Playbook(turns, min_tools=_min_tools(name), pace=PACE)


def failing(name: str) -> Playbook:
    error = HttpError(400 if name in ("claude", "gemini") else 401, FAULT)
    return Playbook((Turn(name="fail", error=error, times=ANY_TIMES),), min_tools=_min_tools(name))


def hanging(name: str) -> Playbook:
    """The model begins to speak, and then says nothing for ten minutes."""
    turn = Turn("Let me think", name="hang", hang_seconds=600.0, keep_alive=True)
    return Playbook((turn,), min_tools=_min_tools(name))


def _min_tools(name: str) -> int:
    return 0 if name == "aider" else 3


def story_of(tools: Tools) -> tuple[Turn, ...]:
    turns = [
        Turn("I'll create the file.", (tools.write(HELLO),), name="write"),
        Turn("Now the tests.", (tools.run(TESTS),), name="test"),
    ]
    if tools.ask is not None:
        asks = tools.ask(CHOICE, ("SQLite", "Postgres"))
        turns.append(Turn("A choice is yours.", (asks,), name="choose"))
    return (
        *turns,
        Turn("All is well. I'll clean up.", (tools.run(DELETE),), name="delete"),
        Turn(f"I left build/ alone. One decision is yours.\n\n{ASKED}", name="ask"),
        Turn("Done. The license is MIT.", name="done"),
    )


def _aider_story() -> tuple[Turn, ...]:
    """Its edits and commands stand in the model's text; a message of its own asks for that of the commit."""
    edit = f"hello.py\n```python\n<<<<<<< SEARCH\n=======\n{WRITTEN}>>>>>>> REPLACE\n```\n"
    commands = f"```bash\n{TESTS}\n```\n\nThen clean up:\n\n```bash\n{DELETE}\n```\n"
    return (
        Turn(f"I'll create the file.\n\n{edit}\nRun the tests:\n\n{commands}", name="write"),
        Turn("feat: say hello", name="commit message"),
        Turn(f"I left build/ alone. One decision is yours.\n\n{ASKED}", name="ask"),
        Turn("Done. The license is MIT.", name="done"),
    )
