"""`python -m tests.ui.write_key_table`: writes the table of keys in `docs/tui.md` anew from the registry."""

from __future__ import annotations

from pathlib import Path

from copilot.tui.keymap import key_table
from copilot.tui.options import UiOptions

DOCS = Path(__file__).resolve().parents[2] / "docs" / "tui.md"
BEGIN, END = "<!-- keys: begin -->\n", "<!-- keys: end -->"


def main() -> None:
    text = DOCS.read_text("utf-8")
    before, after = text.index(BEGIN) + len(BEGIN), text.index(END)
    DOCS.write_text(text[:before] + key_table(UiOptions().leader_label) + text[after:], "utf-8")


if __name__ == "__main__":
    main()
