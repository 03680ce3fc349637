"""A child that draws a coding CLI's screens and acts on bare letters, as cline does: `y` deletes `out/`.

Run as a program: `key_dialogs.py SCREEN…` draws each screen in turn, and a composer after the last. What is
typed at a screen goes, byte for byte, into the file `typed`, a line each; what is said at the composer, into
the file `said`, and the child ends.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tty
from pathlib import Path

ESCAPES = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
RULE = "─" * 78
CLINE = """\
 * I tidy up.

 Cline needs permission

 Approve tool call?

 run_commands

   $ rm -rf out

\x1b[48;5;67m [y] Approve \x1b[48;5;235m  [n] Deny\x1b[K\x1b[m
\x1b[48;5;235m  {-}\x1b[K\x1b[m

 fake-model (1,077) $0.00                              ○ Plan ● Act (Tab)
 shop (main)
 Auto-approve all disabled (Shift+Tab)"""
FIELD = f"{RULE}\n❯ {{}}\n{RULE}"
COMPOSER = f"""❯ Look around.
 * Ready.

{RULE}
❯ {{}}
{RULE}
 fake-model (0) $0.00                                  ○ Plan ● Act (Tab)"""
SCREENS = {
    "cline": CLINE,
    "above": f"Run rm -rf out?\n  [Y]es / [N]o\n\n{FIELD}\n fake-model",
    "below": f" Delete out\n{FIELD}\n (y) approve   (n) reject",
    "colon": f"Allow the command\n   $ rm -rf out\n\ny: approve  n: deny\n\n{FIELD}",
    "dots": f"Allow the command rm -rf out\n\ny approve · n deny · a always\n{FIELD}",
    "slashes": f"Allow the command rm -rf out? y/n/a\n{FIELD}",
    "buttons": f"Allow the command rm -rf out\n\n    Approve    Deny\n{FIELD}",
    "silent": f" out wird nun entfernt\n\n{FIELD}",
    "asked": "? Shall rm -rf other run? › (y/N) {}",
    "first": " Allow this command?\n\n   $ rm -rf other\n\n [y] Approve   [n] Deny\n\n fake-model",
}


def draw(text: str) -> None:
    """The whole screen, with the cursor at `{}`, hidden at `{-}`."""
    rows = [row.replace("{-}", "{}") for row in text.split("\n")]
    bare = [ESCAPES.sub("", row) for row in rows]
    place = next(((number, row.index("{}")) for number, row in enumerate(bare) if "{}" in row), None)
    os.write(1, b"\x1b[?25l\x1b[2J\x1b[H" + "\r\n".join(rows).replace("{}", "").encode())
    if place is not None:
        show = "" if "{-}" in text else "\x1b[?25h"
        os.write(1, f"\x1b[{place[0] + 1};{place[1] + 1}H{show}".encode())


def main() -> None:
    """Each screen takes keys until one that it knows; the composer takes a line and ends."""
    tty.setraw(0)
    with open("typed", "wb", buffering=0) as journal:
        for name in sys.argv[1:]:
            draw(SCREENS[name])
            key = b""
            while key not in (b"y", b"n"):
                key = os.read(0, 1)
                if not key:
                    return
                journal.write(key)
            journal.write(b"\n")
            if key == b"y":
                shutil.rmtree("out", ignore_errors=True)
        typed = ""
        while True:
            draw(COMPOSER.replace("{}", typed + "{}"))
            for letter in os.read(0, 4096).decode(errors="replace"):
                if letter == "\r":
                    Path("said").write_text(typed, encoding="utf-8")
                    return
                typed = typed[:-1] if letter == "\x7f" else typed + letter


if __name__ == "__main__":
    main()
