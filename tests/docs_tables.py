"""Tables of the documents that are made from registries; `python -m tests.docs_tables` writes them again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from copilot.core.states import END_STATES, TRANSITIONS, RunState
from copilot.recording.artifacts import ARTIFACTS
from copilot.testrunner.tools import all_tools
from copilot.tui.keymap import ACTIONS, Action, Place, shown
from copilot.tui.mouse import MOUSE_ACTIONS
from copilot.tui.options import UiOptions
from copilot.tui.replay.keys import ACTIONS as REPLAY_ACTIONS
from copilot.tui.replay.keys import shown_keys

DOCS = Path(__file__).resolve().parents[1] / "docs"


def run_folder_table() -> str:
    rows = [
        "| entry | what it is |",
        "|---|---|",
        *(f"| `{path}` | {what} |" for path, what in ARTIFACTS.items()),
    ]
    return "\n".join(rows) + "\n"


def tools_table() -> str:
    rows = [f"| `{tool.name}` | {tool.title} | {tool.description} |" for tool in all_tools().values()]
    return "\n".join(["| tool | title | what a CLI reads of it |", "|---|---|---|", *rows]) + "\n"


def states_diagram() -> str:
    """The transitions as a Mermaid state diagram."""
    lines = ["```mermaid", "stateDiagram-v2", "    [*] --> INIT"]
    for old in RunState:
        lines += [f"    {old} --> {new}" for new in RunState if new in TRANSITIONS[old]]
    lines += [f"    {end} --> [*]" for end in RunState if end in END_STATES]
    return "\n".join([*lines, "```"]) + "\n"


def keys_table() -> str:
    lines = [
        "| action | after the leader | in the reply panel | elsewhere | what it does |",
        "| --- | --- | --- | --- | --- |",
    ]
    for action in ACTIONS:
        cells = [_keys_of(action, Place.LEADER), _keys_of(action, Place.REPLY), _elsewhere(action)]
        lines.append(f"| {action.id.replace('_', ' ')} | {' | '.join(cells)} | {action.help} |")
    leader = UiOptions().leader_label
    lines.append(f"| leader | `{leader}` | | | Pressed twice, the leader itself goes to the program. |")
    return "\n".join(lines) + "\n"


def _keys_of(action: Action, place: Place) -> str:
    return " ".join(f"`{'↑' if key == 'up' else shown(key)}`" for key in action.keys.get(place, ()))


def _elsewhere(action: Action) -> str:
    places = [place for place in action.keys if place not in (Place.LEADER, Place.REPLY)]
    return "; ".join(f"{place.value}: {_keys_of(action, place)}" for place in places)


def mouse_table() -> str:
    lines = ["| where | what you do | what happens |", "| --- | --- | --- |"]
    lines += [f"| {action.where} | {action.gesture} | {action.help} |" for action in MOUSE_ACTIONS]
    return "\n".join(lines) + "\n"


def replay_keys_table() -> str:
    lines = ["| keys | what they do |", "| --- | --- |"]
    for action in REPLAY_ACTIONS:
        keys = " ".join(f"`{key}`" for key in shown_keys(action).split())
        lines.append(f"| {keys} | {action.help} |")
    return "\n".join(lines) + "\n"


TABLES: dict[tuple[str, str], Callable[[], str]] = {
    ("architecture.md", "run folder"): run_folder_table,
    ("architecture.md", "states"): states_diagram,
    ("replay.md", "keys"): replay_keys_table,
    ("test-runner.md", "tools"): tools_table,
    ("tui.md", "keys"): keys_table,
    ("tui.md", "mouse"): mouse_table,
}
"""By document and the name between its marks."""


def written(document: str, name: str) -> str:
    """The table as the document has it."""
    return _parts(document, name)[1]


def _parts(document: str, name: str) -> tuple[str, str, str]:
    """What is before, in and after a table, its marks outside."""
    begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->"
    before, rest = (DOCS / document).read_text(encoding="utf-8").split(begin)
    table, after = rest.split(end)
    return before + begin, table, end + after


def write_between(document: str, name: str, table: str) -> None:
    """Put this table between its marks."""
    before, _, after = _parts(document, name)
    (DOCS / document).write_text(before + table + after, encoding="utf-8")


def main() -> None:
    for (document, name), table in TABLES.items():
        write_between(document, name, table())


if __name__ == "__main__":
    main()
