"""Where a person can go in the cockpit: a scene, and the keys that lead there. One table for all tests."""

from __future__ import annotations

from tests.ui.harness import LEADER

PLACES: dict[str, tuple[str, tuple[str, ...]]] = {
    "leader": ("permission", (LEADER,)),
    "panel": ("permission", (LEADER, "p")),
    "panel-risky": ("granted", (LEADER, "p")),
    "panel-drafts": ("drafts", (LEADER, "p", "left")),
    "panel-zoom": ("question", (LEADER, "p", "z")),
    "edit": ("question", (LEADER, "e")),
    "instruct": ("permission", (LEADER, "r")),
    "autonomy": ("permission", (LEADER, "a")),
    "context": ("permission", (LEADER, "c")),
    "governing": ("permission", (LEADER, "c", "e")),
    "guard": ("granted", (LEADER, "g")),
    "allow": ("granted", (LEADER, "u", "2")),
    "explain": ("permission", (LEADER, "x")),
    "label": ("unknown", (LEADER, "l")),
    "help": ("permission", (LEADER, "question_mark")),
    "palette": ("permission", (LEADER, "colon")),
    "zoom": ("permission", (LEADER, "z")),
    "layout": ("permission", (LEADER, "w")),
    "scroll": ("log", (LEADER, "v")),
    "search": ("log", (LEADER, "slash", *"build 1")),
    "found": ("log", (LEADER, "slash", *"build 1", "enter", "n")),
    "links": ("log", (LEADER, "o")),
    "undo": ("undo", (LEADER, "b", "down", "down")),
    "undo asked": ("undo", (LEADER, "b", "down", "down", "enter")),
}
BOXES = (
    *("autonomy", "context", "governing", "guard", "allow", "explain", "help", "layout", "label", "links"),
    *("undo", "undo asked"),
)
"""Those that lie over all else."""
