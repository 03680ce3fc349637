"""`python -m tests.ui.write_key_table`: writes the tables of keys and mouse in `docs/tui.md` anew."""

from __future__ import annotations

from pathlib import Path

from copilot.tui.keymap import key_table
from copilot.tui.mouse import mouse_table
from copilot.tui.options import UiOptions

DOCS = Path(__file__).resolve().parents[2] / "docs" / "tui.md"


def main() -> None:
    text = DOCS.read_text("utf-8")
    for name, table in (("keys", key_table(UiOptions().leader_label)), ("mouse", mouse_table())):
        begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->"
        before, after = text.index(begin) + len(begin), text.index(end)
        text = text[:before] + table + text[after:]
    DOCS.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
