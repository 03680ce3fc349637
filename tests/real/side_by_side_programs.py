"""The programs that are shown side by side, and what is done with each."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

from tests.real import side_by_side_clis, side_by_side_files
from tests.real.side_by_side import Scene, Step
from tests.real.side_by_side_steps import (
    ESCAPE,
    LARGE,
    ROUND,
    SMALL,
    WHEEL_DOWN,
    WHEEL_UP,
    Absent,
    click,
    drag,
    keys,
    look,
    paste,
    resize,
    text,
    wheel,
)

Steps = Sequence[Step | Sequence[Step]]
Maker = Callable[[], tuple[Sequence[str], Steps]]


def _vim() -> tuple[Sequence[str], Steps]:
    return ("vim", "-u", "vimrc", "-n", "-i", "NONE", "code.py"), [
        look("opened", sees="def total"),
        text("numbers", ":set number", "Enter", sees=r"^ +2 "),
        text("search", "/value", "Enter", sees="/value"),
        keys("visual-block", "C-v", "j", "j", "l", "l", sees="VISUAL BLOCK"),
        keys("visual-line", "Escape", "V", "j", "j", sees="VISUAL LINE"),
        keys("insert", "Escape", "g", "g", "O", sees="INSERT"),
        text("typed", "# größer: 漢字 and 👍 — “quoted”", sees="quoted"),
        keys("bar-on-text", "Left", "Left"),
        keys("at-end", "End"),
        paste("pasted", "first = 1\n    second = 2\n", sees="second = 2"),
        text("split", f"{ESCAPE}:vsplit other.py | split README", "Enter", sees="README"),
        keys("other-window", "C-w", "w"),
        *resize(*ROUND),
        text("only", ":only", "Enter", gone="README"),
        click("click", 20, 5),
        drag("drag", (8, 3), (20, 7), sees="VISUAL"),
        wheel("wheel", WHEEL_DOWN, 3),
        text("colours", f"{ESCAPE}:runtime syntax/colortest.vim", "Enter"),
    ]


def _less() -> tuple[Sequence[str], Steps]:
    return ("less", "-R", "long.txt"), [
        look("opened", sees="long.txt|line 1"),
        text("search", "/line 7", "Enter", sees="line 7"),
        keys("next", "n", "n"),
        keys("page", "Space"),
        keys("end", "G", sees="END"),
        *resize(*ROUND),
        keys("top", "g", sees="line 1"),
        text("numbers", "-N", "Enter"),
    ]


def _unicode_cat() -> tuple[Sequence[str], Steps]:
    return _shown("unicode.txt", *ROUND)


def _colours() -> tuple[Sequence[str], Steps]:
    # tmux remembers erased cells that a smaller window cut off, so the largest size comes first.
    return _shown("colours.txt", LARGE, SMALL)


def _lines() -> tuple[Sequence[str], Steps]:
    return _shown("lines.txt", *ROUND)


def _shown(name: str, *sizes: tuple[int, int]) -> tuple[Sequence[str], Steps]:
    return ("sh", "-c", f"cat {name}; sleep 1000"), [look("printed", sees="the end"), *resize(*sizes)]


def _unicode_less() -> tuple[Sequence[str], Steps]:
    return ("less", "unicode.txt"), [look("opened", sees="mixed"), keys("down", "j", "j"), *resize(*ROUND)]


def _unicode_vim() -> tuple[Sequence[str], Steps]:
    return ("vim", "-u", "vimrc", "-n", "-i", "NONE", "unicode.txt"), [
        look("opened", sees="mixed"),
        keys("along", "j", "j", "$"),
        text("insert", "I漢x", "Escape"),
        *resize(*ROUND),
    ]


def _git_log() -> tuple[Sequence[str], Steps]:
    return ("git", "log", "--graph", "--color", "--decorate", "--all", "--stat"), [
        look("opened", sees=r"\*.*commit"),
        keys("page", "Space"),
        text("search", "/Merge", "Enter"),
        keys("end", "G", sees="END"),
        *resize(*ROUND),
    ]


def _git_show() -> tuple[Sequence[str], Steps]:
    show = "git --no-pager show --color=always --word-diff=color HEAD~1; sleep 1000"
    return ("sh", "-c", show), [look("opened", sees="diff --git"), *resize(*ROUND)]


def _fzf() -> tuple[Sequence[str], Steps]:
    menu = "fzf --border --preview 'cat code.py' --multi --color=dark < names.txt; sleep 1000"
    return ("sh", "-c", menu), [
        look("opened", sees="200/200"),
        text("query", "name 1", sees="name 1"),
        keys("marked", "Tab", "Up", "Up", "Tab"),
        keys("up", "Up", "Up"),
        click("click", 8, 10),
        wheel("wheel", WHEEL_UP, 2),
        *resize(*ROUND),
        keys("taken", "Enter", sees="^name"),
    ]


def _mc() -> tuple[Sequence[str], Steps]:
    return ("mc", "--nosubshell", "-x", ".", "/usr/share"), [
        look("opened", sees="9.*Menu|PullDn"),
        keys("down", "Down", "Down", "Down"),
        keys("menu", "F9", sees="Listing|File listing"),
        keys("open-menu", "Down"),
        keys("closed-menu", "Escape", "Escape", gone="Filtered view"),
        click("click", 10, 6),
        wheel("wheel", WHEEL_DOWN, 1),
        keys("other-panel", "Tab", "Down"),
        *resize(*ROUND),
        keys("dialog", "F7", sees="Create a new Directory"),
    ]


def _nano() -> tuple[Sequence[str], Steps]:
    return ("nano", "--ignorercfiles", "--mouse", "--linenumbers", "code.py"), [
        look("opened", sees="GNU nano"),
        text("typed", "# new: ä 漢 ", "Enter", sees="new"),
        paste("pasted", "a = 1\nb = 2\n", sees="b = 2"),
        click("click", 12, 6),
        keys("search", "C-w", sees="Search"),
        keys("cancelled", "C-c", sees="Cancelled"),
        *resize(*ROUND),
        keys("leaving", "C-x", sees="Save modified"),
    ]


def _dialog() -> tuple[Sequence[str], Steps]:
    menu = ["--title", "A menu", "--checklist", "Choose:", "15", "50", "5"]
    items = ["one", "The first", "on", "two", "Das zweite: größer", "off", "three", "第三", "off"]
    return ("dialog", *menu, *items), [
        look("opened", sees="A menu"),
        keys("down", "Down", "Space"),
        keys("button", "Tab"),
        *resize(*ROUND),
    ]


def _whiptail() -> tuple[Sequence[str], Steps]:
    menu = ["--title", "A menu", "--menu", "Choose:", "15", "50", "5"]
    return ("whiptail", *menu, "one", "The first", "two", "The second"), [
        look("opened", sees="A menu"),
        keys("down", "Down"),
        keys("button", "Tab"),
    ]


def _python() -> tuple[Sequence[str], Steps]:
    return ("/usr/bin/python3", "-q"), [
        look("prompt", sees=">>> "),
        text("answer", "print('\\033[1;31mred\\033[0m', 'größer 漢字')", "Enter", sees="größer 漢字$"),
        text("error", "1/0", "Enter", sees="ZeroDivisionError"),
        text("block", "for n in range(60): print(n, 'x' * n)", "Enter", "Enter", sees="^59 x+"),
        keys("history", "Up", "Up", "C-a", "Right", "Right"),
        keys("search", "C-u", "C-k", "C-r", "p", "r", sees="reverse-i-search"),
        keys("cancelled", "C-g", gone="reverse-i-search"),
        *resize(*ROUND),
    ]


def _bash() -> tuple[Sequence[str], Steps]:
    title = "printf '\\a\\e]2;a title\\a'; tput setaf 3; tput smacs; echo lqqk; tput rmacs; tput sgr0"
    return ("bash", "--norc", "--noprofile"), [
        look("prompt", sees=r"\$ $"),
        text("long-line", "echo one two three " + "word " * 40),
        keys("edited", "C-a", "M-f", "M-f", "C-k"),
        keys("run", "Enter", sees="^one"),
        text("colours", "ls --color=always; printf '\\e[7mreverse\\e[0m\\n'", "Enter", sees="^reverse"),
        paste("pasted", "echo pasted one\necho pasted two", sees="pasted two"),
        keys("ran-paste", "Enter", sees="^pasted two"),
        text("vim", "vim -u vimrc -n -i NONE code.py", "Enter", sees="def total"),
        keys("suspended", "C-z", sees="Stopped"),
        text("meanwhile", "jobs; seq 1 100", "Enter", sees="^100"),
        text("resumed", "fg", "Enter", sees="def total"),
        *resize(*ROUND),
        text("left-vim", ":q!", "Enter", sees="^100"),
        text("completion", "cat un", "Tab", sees="unicode.txt"),
        keys("cleared", "C-u", "C-l", gone="100"),
        text("bell-title", title, "Enter"),
    ]


def _htop() -> tuple[Sequence[str], Steps]:
    return ("htop", "-d", "10"), [
        look("opened", sees="F10"),
        keys("setup", "F2", sees="Categories|Setup"),
        keys("back", "F10", sees="F1.*Help", gone="Categories"),
        keys("tree", "F5"),
        keys("sort", "F6", sees="Sort by"),
        keys("chosen", "Enter"),
        click("click", 20, 14),
        wheel("wheel", WHEEL_DOWN, 2),
        *resize(*ROUND),
        keys("filter", "F4", sees="Filter"),
    ]


def _top() -> tuple[Sequence[str], Steps]:
    return ("top", "-d", "1"), [
        look("opened", sees="PID"),
        keys("colours", "z", "x", "b"),
        keys("cores", "1"),
        *resize(*ROUND),
        keys("help", "h", sees="Help"),
    ]


LIVE: dict[str, Maker] = {
    "vim": _vim,
    "less": _less,
    "cat-unicode": _unicode_cat,
    "less-unicode": _unicode_less,
    "vim-unicode": _unicode_vim,
    "cat-colours": _colours,
    "cat-lines": _lines,
    "git-log": _git_log,
    "git-show": _git_show,
    "fzf": _fzf,
    "mc": _mc,
    "nano": _nano,
    "dialog": _dialog,
    "whiptail": _whiptail,
    "python": _python,
    "bash": _bash,
}
REPLAYED: dict[str, Maker] = {"htop": _htop, "top": _top}
ALL = (*LIVE, *REPLAYED, *side_by_side_clis.NAMES)


def scene(name: str, folder: Path, stack: ExitStack) -> Scene:
    """The scene of this name, its files in `folder`; `stack` ends what it needs. Raises Absent."""
    if name in side_by_side_clis.NAMES:
        return side_by_side_clis.scene(name, folder, stack)
    command, steps = (LIVE.get(name) or REPLAYED[name])()
    program = "fzf" if name == "fzf" else command[0]
    if shutil.which(program) is None:
        raise Absent(f"{program} is not installed")
    project = side_by_side_files.make(folder)
    flat = [one for step in steps for one in ([step] if isinstance(step, Step) else step)]
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder / "home"),
        "XDG_STATE_HOME": str(folder / "home" / ".state"),
        "LANG": "C.UTF-8",
        "PS1": "$ ",
        "HISTFILE": "",
        "GIT_CONFIG_NOSYSTEM": "1",
    }
    return Scene(name, tuple(command), project, environment, tuple(flat), replayed=name in REPLAYED)
