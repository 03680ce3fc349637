"""The one registry of the replay's actions: key bar, help and docs are made from it."""

from __future__ import annotations

from copilot.tui.keymap import Action, Keymap, Place
from copilot.tui.keymap import shown as shown_key


def _action(
    name: str,
    keys: tuple[str, ...],
    what: str,
    label: str = "",
    place: Place = Place.PLAYER,
    group: str = "play",
) -> Action:
    return Action(name, label, what, {place: keys}, footer=bool(label), group=group)


def _pair(name: str, key: str, what: str, label: str = "") -> tuple[Action, Action]:
    """To the next, and with the capital letter to the one before."""
    return (
        _action(f"next_{name}", (key,), f"To the next {what}.", label, group="jump"),
        _action(f"previous_{name}", (key.upper(), f"upper_{key}"), f"To the previous {what}.", group="jump"),
    )


ACTIONS: tuple[Action, ...] = (
    _action("play", ("space",), "Play, or stop.", "play"),
    *_pair("prompt", "n", "prompt", "prompt"),
    *_pair("decision", "d", "decision", "decision"),
    *_pair("held", "h", "prompt that was held", "held"),
    *_pair("person", "t", "moment in which a person acted or took over", "person"),
    *_pair("change", "x", "moment that today's rules see or decide otherwise (--redetect)"),
    *_pair("mark", "m", "mark of any sort"),
    _action("verdict", ("v",), "Say whether what was done here was right.", "verdict", group="review"),
    _action(
        "context", ("c",), "The exact prompt that the model saw, and its answer.", "context", group="review"
    ),
    _action(
        "explain", ("e",), "Every rule on this screen, and why it matches or not.", "why", group="review"
    ),
    _action(
        "undo",
        ("b",),
        "Put the project's files back to a checkpoint of this run; shows the diff, asks once more.",
        group="review",
    ),
    _action("search", ("slash",), "Find a text on the screen, over the whole time.", "search", group="jump"),
    *_pair("match", "s", "match"),
    _action("on", ("right", "l"), "Five seconds on.", group="play"),
    _action("back", ("left", "j"), "Five seconds back.", "±5 s", group="play"),
    _action("far_on", ("shift+right", "greater_than_sign"), "A minute on.", group="play"),
    _action("far_back", ("shift+left", "less_than_sign"), "A minute back.", group="play"),
    _action("frame_on", ("full_stop",), "To the next output.", group="play"),
    _action("frame_back", ("comma",), "To the output just before.", "frame", group="play"),
    _action("start", ("home",), "To the beginning.", group="jump"),
    _action("end", ("end",), "To the end.", group="jump"),
    _action("tenth", tuple("0123456789"), "To so many tenths of the whole.", group="jump"),
    _action("go_to", ("g",), "To a time: 90, 1:30, 1:02:03 or 50%.", "go to", group="jump"),
    _action("faster", ("plus", "equals_sign"), "Twice as fast.", "speed", group="play"),
    _action("slower", ("minus",), "Half as fast.", group="play"),
    _action("idle", ("i",), "Skip times in which nothing is drawn, or do not.", "idle", group="play"),
    _action(
        "panel", ("p", "tab"), "Show or hide the panel (where the window is small).", "panel", group="view"
    ),
    _action("panel_up", ("up", "k"), "The panel a line up.", group="view"),
    _action("panel_down", ("down",), "The panel a line down.", group="view"),
    _action("panel_page_up", ("pageup",), "The panel a page up.", group="view"),
    _action("panel_page_down", ("pagedown",), "The panel a page down.", group="view"),
    _action("pan_up", ("ctrl+up", "w"), "A terminal larger than the window: look further up.", group="view"),
    _action("pan_down", ("ctrl+down", "z"), "Look further down.", group="view"),
    _action("pan_left", ("ctrl+left", "a"), "Look further left.", group="view"),
    _action("pan_right", ("ctrl+right", "f"), "Look further right.", group="view"),
    _action("theme", ("ctrl+t",), "Change between the dark and the light theme.", group="view"),
    _action("help", ("question_mark",), "Show every key.", "help", group="view"),
    _action("quit", ("q", "ctrl+c"), "Leave.", "quit", group="view"),
    _action("enter_text", ("enter",), "Take the text.", "take", Place.TYPING, "typing"),
    _action("leave_text", ("escape", "ctrl+c"), "Leave it.", "leave", Place.TYPING, "typing"),
)
GROUPS = {
    "play": "playing",
    "jump": "jumping",
    "review": "reviewing",
    "view": "looking",
    "typing": "while you type a text or a time",
}
KEYMAP = Keymap(ACTIONS)
_SHOWN = {
    "up": "↑",
    "down": "↓",
    "shift+right": "Shift+→",
    "shift+left": "Shift+←",
    "ctrl+up": "^↑",
    "ctrl+down": "^↓",
    "ctrl+left": "^←",
    "ctrl+right": "^→",
}


def shown(key: str) -> str:
    """A key as a person reads it."""
    return _SHOWN.get(key) or shown_key(key)


def shown_keys(action: Action) -> str:
    """All keys of an action that look different."""
    if action.id == "tenth":
        return "0-9"
    keys = (key for keys in action.keys.values() for key in keys if not key.startswith("upper_"))
    return " ".join(dict.fromkeys(map(shown, keys)))
