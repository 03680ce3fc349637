"""What the programs of the side by side comparison look at."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

_CODE = '''\
"""Numbers and words."""

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Value:
    """A value with a unit."""

    amount: float = 0.0
    unit: str = "m"  # TODO: more units


def total(values: list[Value]) -> float:
    """The sum of all `values`."""
    result = 0.0
    for value in values:
        if math.isnan(value.amount):
            raise ValueError(f"not a number: {value!r}")
        result += value.amount
    return result
'''
_UNICODE = """\
mixed: a漢b字c|
CJK: 日本語 한국어 中文 ｆｕｌｌ ﾊﾝｶｸ|
emoji: 👍 🎉 🚀 ⌚ ⚡ ✅ ❌ ⭐|
text emoji: ☀ ☁ ✂ ✔ ✖ ❤ ☎ ⚠ ℹ ▶|
combining: e\u0301 a\u0308 o\u0302\u0323 n\u0303|
wide combining: か\u3099 ハ\u309a|
greek cyrillic: αβγδ ЖЗИЙ ñ ß æ|
hebrew arabic: שלום مرحبا|
thai devanagari: สวัสดี नमस्ते|
arrows boxes: ← → ↑ ↓ ⇒ ┌─┬─┐ ╔═╦═╗ ╭─╮ ▁▂▃▄▅▆▇█ ░▒▓|
braille blocks: ⠋⠙⠹⠸⠼ ▖▗▘▙▚▛▜▝▞▟ 🬀🬁🬂|
symbols: © ® ™ § ¶ † ‡ • … ‰ ′ ″ ‹ › € ₿ № ∞ ≈ ≠ ≤ ≥ ∑ √|
"""
_CLUSTERS = """\
variation: ❤\ufe0f ☀\ufe0f ⚠\ufe0f|
zwj: 👩\u200d👩\u200d👧 🏳\ufe0f\u200d🌈 👨\u200d💻|
skin: 👍🏽 👋🏿|
flags: 🇩🇪 🇯🇵|
keycaps: 1\ufe0f\u20e3 #\ufe0f\u20e3|
"""
_NAMES = {0: "plain", 1: "bold", 2: "dim", 3: "italic", 4: "underline", 5: "blink", 7: "reverse", 9: "strike"}


def make(folder: Path) -> Path:
    """A small repository with files to show, `project` in `folder`; a HOME beside it."""
    (folder / "home").mkdir()
    project = folder / "project"
    project.mkdir()
    (project / "code.py").write_text(_CODE)
    (project / "other.py").write_text(_CODE.replace("total", "mean"))
    (project / "README").write_text("A small project.\n\nNothing to see.\n")
    (project / "vimrc").write_text(
        "set nocompatible background=dark mouse=a ttymouse=sgr termguicolors& hlsearch ruler showcmd\n"
        "set t_RV= t_u7= t_RF= t_RB= laststatus=2 encoding=utf-8 ambiwidth=single noesckeys& ttimeoutlen=10\n"
        'let &t_SI = "\\e[6 q" | let &t_SR = "\\e[4 q" | let &t_EI = "\\e[2 q"\n'
        "syntax on\n"
    )
    (project / "unicode.txt").write_text(_UNICODE + "the end\n", encoding="utf-8")
    (project / "clusters.txt").write_text(_CLUSTERS + "the end\n", encoding="utf-8")
    (project / "long.txt").write_text("".join(_long_line(number) for number in range(1, 301)))
    (project / "names.txt").write_text("".join(f"name {number}\n" for number in range(1, 201)))
    (project / "colours.txt").write_text(_colours())
    (project / "lines.txt").write_text(_lines())
    _history(project)
    return project


def _long_line(number: int) -> str:
    return f"line {number} \x1b[{30 + number % 8}m{'word ' * (number % 37)}\x1b[0m.\n"


def _colours() -> str:
    lines = ["".join(f"\x1b[{base + n}m {base + n} \x1b[0m" for n in range(8)) for base in (30, 40, 90, 100)]
    cube = [f"\x1b[48;5;{number}m\x1b[38;5;{255 - number % 24}m{number:4}" for number in range(256)]
    lines += ["".join(cube[start : start + 24]) + "\x1b[0m" for start in range(0, 256, 24)]
    ramp = [f"\x1b[48;2;{4 * n};{255 - 4 * n};128m{'▀'}\x1b[48:2::{n};0;0m" for n in range(64)]
    lines.append("".join(part.split("\x1b[48:2")[0] for part in ramp) + "\x1b[0m")
    for on, name in _NAMES.items():
        lines.append(
            "".join(f"\x1b[{on};{colour}m{name} {colour}\x1b[0m " for colour in (39, 31, 94, "38;5;208"))
            + f"\x1b[{on}m tail \x1b[K\x1b[0m"
        )
    lines.append("\x1b[44m blue to the edge\x1b[K\x1b[0m")
    lines.append("\x1b[1;3;4;9;7;32mall of them\x1b[22m no bold\x1b[23m\x1b[24m\x1b[29m\x1b[27m green\x1b[0m")
    return "\r\n".join([*lines, "the end", ""])


def _lines() -> str:
    rows = ["lqqqqwqqqqk", "x ~ox sty x", "tqqqqnqqqqu", "x a`x fg  x", "mqqqqvqqqqj"]
    graphic = [f"\x1b(0{row}\x1b(B plain" for row in rows]
    shifted = ["\x1b)0\x0eqqqq\x0f----\x0exxxx\x0f"]
    drawn = ["┌──┬──┐", "│ ╲│╱ │", "├──┼──┤", "└──┴──┘", "╔══╦══╗", "╚══╩══╝", "━┃┏┓┗┛┣┫┳┻╋"]
    return "\r\n".join([*graphic, *shifted, *drawn, "the end", ""])


def _history(project: Path) -> None:

    def git(*arguments: str, at: int) -> None:
        date = f"2026-01-02T03:{at:02}:00Z"
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(project.parent / "home"),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_DATE": date,
            "GIT_COMMITTER_DATE": date,
        }
        user = ["-c", "user.name=Test", "-c", "user.email=test@example.invalid"]
        subprocess.run(["git", *user, *arguments], cwd=project, env=environment, check=True, timeout=30)

    git("init", "-q", "-b", "main", at=0)
    git("add", ".", at=0)
    git("commit", "-q", "-m", "Start: größer, 漢字, 🎉", at=0)
    for number in range(1, 9):
        git("checkout", "-q", "-b", f"topic-{number}", at=number)
        (project / "code.py").write_text(_CODE.replace("0.0", f"{number}.0"))
        git("commit", "-q", "-am", f"Change {number}", at=number)
        git("checkout", "-q", "main", at=number)
        (project / "README").write_text(f"A small project.\n\nNothing to see: {number}.\n")
        git("commit", "-q", "-am", f"Read {number}", at=number + 10)
        git("merge", "-q", "-m", f"Take topic {number}", f"topic-{number}", at=number + 20)
