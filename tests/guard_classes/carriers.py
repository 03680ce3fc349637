"""Where a risky command may stand: lists, pipes, loops, groups and wrappers around it that do run it.

A light carrier is one of everyday use, which a guard has to open; so the risk itself has to be what holds a member.
Each member keeps a control, the same carriers around `ls`, to tell whether that was so.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from tests.guard_classes.shape import tree

CONTROL = "ls"
BUILTINS = frozenset(
    [
        "alias",
        "bg",
        "bind",
        "break",
        "builtin",
        "caller",
        "cd",
        "command",
        "compgen",
        "complete",
        "continue",
        "declare",
        "dirs",
        "disown",
        "echo",
        "enable",
        "eval",
        "exec",
        "exit",
        "export",
        "false",
        "fc",
        "getopts",
        "hash",
        "help",
        "history",
        "jobs",
        "kill",
        "let",
        "local",
        "logout",
        "mapfile",
        "popd",
        "printf",
        "pushd",
        "pwd",
        "read",
        "readarray",
        "readonly",
        "return",
        "set",
        "shift",
        "shopt",
        "source",
        "test",
        "times",
        "trap",
        "true",
        "type",
        "typeset",
        "ulimit",
        "umask",
        "unalias",
        "unset",
        "wait",
        ".",
        ":",
        "[",
        "g",
        "f",
    ]
)
HEREDOC = re.compile(r"<<-?\s*['\"]?[A-Za-z]")


@dataclass(frozen=True, slots=True)
class Carrier:
    """`text` with CORE in it, or QUOTED for the command as one quoted word.

    `shows`: what the command prints is still seen. `program`: it takes a program, not a builtin or a loop.
    `closed`: nothing follows the command on its line, so it may end in a here-document.
    """

    text: str
    shows: bool = True
    program: bool = False
    closed: bool = False

    def around(self, command: str) -> str:
        """The command in its place."""
        return self.text.replace("CORE", command).replace("QUOTED", shlex.quote(command))


def _all(
    texts: Sequence[str], *, shows: bool = True, program: bool = False, closed: bool = False
) -> list[Carrier]:
    return [Carrier(text, shows, program, closed) for text in texts]


LIGHT = [
    *_all(
        [
            "ls src && CORE",
            "git status; CORE",
            "pwd; ls src; CORE",
            "echo start && CORE",
            "cd . && CORE",
            "cd src && cd .. && CORE",
            "set -e; CORE",
            "true && CORE",
            "ls src | head -3; CORE",
            "git diff --stat | tail -1; CORE",
            "[ -f README.md ] && CORE",
            "test -d src && CORE",
            "[[ -d src ]] && CORE",
            "ls README.md > /dev/null && CORE",
            "ls nofile 2>/dev/null || CORE",
            "ls src\nCORE",
            "if true; then\nCORE\nfi",
            "{\nCORE\n}",
            "(\nCORE\n)",
            "for k in 1 2; do\nCORE\ndone",
            "while true; do\nCORE\nbreak\ndone",
            "if [ -d src ]; then\nls src\nCORE\nfi",
            "for k in src tests; do\nls $k\nCORE\ndone",
            "if git diff --quiet; then\nCORE\nelse\nCORE\nfi",
            "case x in\nx)\nCORE\n;;\nesac",
            "export NODE_ENV=test; CORE",
            "export CI=1 && ls src && CORE",
            "echo '--- a'; cat README.md; echo '--- b'; CORE",
            "git add -A && git status && CORE",
            "wc -l README.md | sort; CORE",
            "test -f Makefile || exit 1; CORE",
            "x=1; CORE",
            "cat README.md | grep -c shop && CORE",
        ],
        closed=True,
    ),
    *_all(
        [
            "CORE; echo $?",
            "CORE && ls src",
            "CORE || true",
            "CORE 2>&1",
            "CORE 2>/dev/null",
            "CORE | head -20",
            "CORE 2>&1 | tail -5",
            "CORE | cat",
            "CORE || echo failed",
            "CORE; git status",
            "CORE && git diff --stat | tail -1",
            "CORE | sort",
            "CORE | sort | uniq",
            "CORE 2>&1 | head -50 | cat -n",
            "CORE | nl",
            "(CORE)",
            "(CORE; ls src)",
            "{ CORE; }",
            "{ ls src; CORE; } | head -60",
            "(ls src && CORE) 2>&1",
            "if CORE; then echo yes; fi",
            "if ls src; then CORE; else pwd; fi",
            "for k in 1 2 3; do CORE; done",
            "for k in a b; do echo $k; CORE; done | head -60",
            "CORE # look",
            "while CORE; do break; done",
            "until CORE; do break; done",
            "case $k in *) CORE;; esac",
            "ls src && { CORE; } || true",
            "ls src; (cd src && ls); CORE; pwd",
        ]
    ),
    *_all(
        [
            "time CORE",
            "FOO=1 CORE",
            "NODE_ENV=test CI=true CORE",
            "LC_ALL=C CORE",
            "LC_ALL=C CORE 2>&1 | head -60",
        ],
        program=True,
        closed=True,
    ),
    *_all(
        [
            "CORE > /dev/null",
            "CORE > /dev/null 2>&1",
            "CORE > out.txt",
            "CORE | wc -l",
            "CORE 2>&1 | tee test.log | tail -3",
            "CORE | grep -n foo",
            "CORE > /dev/null 2>&1; echo $?",
            "CORE | grep -v x | sort | uniq -c | head -60",
        ],
        shows=False,
    ),
    *_all(
        [
            'echo "$(CORE)"',
            "echo $(CORE) | head -60",
            'x=$(CORE); echo "$x"',
            "printf '%s\\n' \"$(CORE)\"",
            "cat <(CORE)",
            'for k in "$(CORE)"; do echo "$k"; done',
        ]
    ),
]
HEAVY = [
    *_all(
        [
            "timeout 60 CORE",
            "env CORE",
            "env FOO=1 CORE",
            "nice CORE",
            "nice -n 5 CORE",
            "nohup CORE",
            "command CORE",
            "stdbuf -oL CORE",
            "setsid CORE",
            "timeout -k 5 60 nice CORE",
        ],
        program=True,
    ),
    *_all(
        [
            "bash -c QUOTED",
            "/bin/bash -c QUOTED",
            "eval QUOTED",
            "bash -lc QUOTED | head",
            "ls && bash -c QUOTED",
            "env bash -c QUOTED",
            "eval QUOTED; ls",
            "timeout 60 bash -c QUOTED",
        ]
    ),
    *_all(
        [
            "g() {\nCORE\n}\ng",
            "g() { CORE; }; g",
            "trap QUOTED EXIT",
            "bash <<'END'\nCORE\nEND",
            "bash -s <<'END'\nls src\nCORE\nEND",
            "source <(echo QUOTED)",
            "echo QUOTED | bash",
            "echo QUOTED | bash -s | head",
        ]
    ),
    *_all(
        [
            "CORE & wait",
            "CORE &",
            "echo `CORE`",
            "diff <(CORE) README.md",
            "while read -r k; do CORE; done < README.md",
            "let k=1; CORE",
            "[[ -n $(CORE) ]] && ls",
        ],
        shows=False,
    ),
]


def _starts_with_program(command: str) -> bool:
    node = tree(command)
    while node.type in {"program", "list", "pipeline", "redirected_statement"} and node.children:
        node = node.children[0]
    if node.type != "command" or not node.children or node.children[0].type != "command_name":
        return False
    name = node.children[0].text or b""
    return name.decode() not in BUILTINS


def _fits(carrier: Carrier, command: str, shown: bool) -> bool:
    if shown and not carrier.shows:
        return False
    if HEREDOC.search(command) and not (carrier.closed or "\nCORE\n" in carrier.text):
        return False
    if "END'" in carrier.text and HEREDOC.search(command):
        return False
    if "`CORE`" in carrier.text and ("`" in command or "\\" in command or "$" in command):
        return False
    if "CORE > " in carrier.text and ">" in command:
        return False
    return not carrier.program or _starts_with_program(command)


def carried(
    command: str, control: str, pool: Sequence[Carrier], rng: Random, *, shown: bool
) -> tuple[str, str]:
    """The command and its control in one carrier of the pool that fits. `shown`: its output has to be seen."""
    fitting = [carrier for carrier in pool if _fits(carrier, command, shown)]
    carrier = rng.choice(fitting)
    return carrier.around(command), carrier.around(control)
