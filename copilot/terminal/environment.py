"""The environment that the child sees: the user's own, but for what describes another terminal."""

from __future__ import annotations

from collections.abc import Collection, Mapping

_DROPPED = frozenset({"VTE_VERSION", "WT_SESSION", "LINES", "COLUMNS", "ROWS"})
_DROPPED_BEGINNINGS = ("TMUX", "TERM_PROGRAM", "KITTY_", "COPILOT_", "TEXTUAL")


def in_browser(environment: Mapping[str, str]) -> bool:
    """Whether `copilot serve` has started us: what is drawn goes to a web page, not to a terminal."""
    return environment.get("TEXTUAL_DRIVER", "").endswith(":WebDriver")


def child_environment(base: Mapping[str, str], *, keep: Collection[str] = ()) -> dict[str, str]:
    """`base` without the marks of the terminal that copilot runs in, as a true-colour xterm.

    Variables of the outer terminal would have a CLI use features that ours does not have; LINES and COLUMNS
    would overrule the real size. `COPILOT_*` are our own settings, keys among them, and never passed on,
    except for names in `keep` (GitHub's CLI, also named copilot, has variables that begin so).
    """
    kept = {
        name: value
        for name, value in base.items()
        if name in keep or not (name in _DROPPED or name.startswith(_DROPPED_BEGINNINGS))
    }
    return kept | {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
