"""A run in which Claude Code and its person changed files: what the undo dialog is tried on."""

from __future__ import annotations

from copilot.checkpoints.checkpoint import Changes, Uncovered
from copilot.checkpoints.undo import FileUndo
from copilot.core.checkpoints import Author
from tests.fakes.fake_undo import FakeUndo, checkpoint

MENU_DIFF = """--- src/menu.py
+++ src/menu.py
@@ -3,3 +3,2 @@
 import sys
-import shutil
 from pathlib import Path
@@ -21,2 +20,3 @@
 def clear(folder: Path) -> None:
-    shutil.rmtree(folder)
+    for entry in entries(folder):
+        (folder / entry).unlink()
"""
LOGO_DIFF = "--- assets/logo.png\n+++ assets/logo.png\nbinary: no lines to show\n"
NOTES_DIFF = "--- notes/today.md\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-# Today\n-- the menu\n"


def undo_of_a_run() -> FakeUndo:
    """Four lines: the start, two replies, and the moment before an undo."""
    program, person = Author.PROGRAM, Author.PERSON
    undo = FakeUndo(
        checkpoint(0, Author.START, "start"),
        checkpoint(1, program, "waits", Changes(created=("a.py", "b.py", "c.py")), text="Create a.py?"),
        checkpoint(2, person, "reply", decision=1, text="Yes"),
        checkpoint(
            3, program, "turn", Changes(("notes/today.md",), ("src/menu.py",)), decision=2, text="completed"
        ),
        checkpoint(
            4, person, "reply", Changes(changed=("README.md",)), decision=2, text="now rewrite the menu"
        ),
        checkpoint(
            5, program, "waits", Changes((), ("src/menu.py", "assets/logo.png"), ("docs/old.md",)), decision=3
        ),
        checkpoint(6, person, "undo", decision=3, at=0.0),
        checkpoint(7, Author.UNDO, "undo", Changes(changed=("assets/logo.png",)), decision=3, at=0.0),
        checkpoint(
            8, person, "reply", decision=3, text="Yes, and don't ask again for git commands in this project"
        ),
    )
    undo.files = {
        4: (
            FileUndo("assets/logo.png", "restore"),
            FileUndo("docs/old.md", "restore", added=12),
            FileUndo("notes/today.md", "keep", "you changed it since"),
            FileUndo("src/menu.py", "merge", "with what you changed since", 2, 2),
            FileUndo("src/routes.py", "refuse", "you changed the same lines"),
        ),
        2: (FileUndo("notes/today.md", "remove", removed=2), FileUndo("src/menu.py", "restore", "", 2, 2)),
    }
    undo.diffs = {"src/menu.py": MENU_DIFF, "assets/logo.png": LOGO_DIFF, "notes/today.md": NOTES_DIFF}
    undo.left_out = (
        Uncovered("node_modules", "made again by npm"),
        Uncovered("video.mp4", "larger than 64 MiB"),
    )
    return undo
