"""The registry of what the mouse does. Help and docs are made from it, and a test tries each."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MouseAction:
    """One thing that the mouse does: `gesture` at `where`."""

    id: str
    where: str
    gesture: str
    help: str


MOUSE_ACTIONS = (
    MouseAction("offer", "key bar", "click on an offer", "Does it, as its key would."),
    MouseAction("level", "status bar", "click on the level", "Opens the choice of the level."),
    MouseAction("leader", "one-line form", "click on the leader at its end", "Shows what the keys do."),
    MouseAction("tab", "line of tabs", "click on a tab", "Goes to that session."),
    MouseAction("moment", "line of the run", "click on a mark", "Looks back at that moment."),
    MouseAction("edge", "edge of the panels", "drag", "Makes them bigger or smaller."),
    MouseAction("why", "what it sees", "click", "Shows every rule, and why it matches or not."),
    MouseAction("option", "reply panel", "click on an option", "Marks it; keys act there, send sends it."),
    MouseAction("draft", "reply panel", "click on its lower edge", "Looks at another draft."),
    MouseAction("panel", "reply panel", "click elsewhere in it", "Says how keys get there; none go yet."),
    MouseAction("context", "what the model saw", "click", "Shows all of it as a page."),
    MouseAction("strip", "the two lines of small windows", "click", "Opens the reply panel."),
    MouseAction("stop", "anywhere", "press while a reply counts down", "Holds it, and does nothing else."),
    MouseAction("pass", "terminal", "any, if the program wants the mouse", "Goes to the program."),
    MouseAction("select", "terminal", "drag", "Selects; let go, it is copied. Not if the program listens."),
    MouseAction("wheel", "terminal", "wheel", "Looks back, if the program does not listen."),
    MouseAction("link", "terminal", "Ctrl or Alt and a click on a link", "Asks before it is opened."),
    MouseAction("terminal", "terminal", "click", "Keys go to the program again."),
    MouseAction("line", "box with a list", "click on a line", "Chooses it."),
    MouseAction("hint", "box", "click on a hint of its lower edge", "Does what that key does."),
    MouseAction("beside", "box", "click beside it", "Closes it, as Esc would; not while you write in it."),
    MouseAction("away", "what happened meanwhile", "click", "Closes it."),
    MouseAction("start", "first screen", "click on program, level or hint", "Chooses it, or does it."),
)


def mouse_table() -> str:
    """All of it as a Markdown table, for the docs."""
    lines = ["| where | what you do | what happens |", "| --- | --- | --- |"]
    lines += [f"| {action.where} | {action.gesture} | {action.help} |" for action in MOUSE_ACTIONS]
    return "\n".join(lines) + "\n"
