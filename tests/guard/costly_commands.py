"""Commands that are made to be slow to judge, up to 10,000 characters, and a project in which looking is slow too.

Each shape repeats one thing that some step of the guard might do more than once for: folders, loops, operands,
nesting, scripts inside scripts, wildcards, long names, looks at the disk. `made` draws one, or joins several.
"""

from __future__ import annotations

import itertools
import shlex
from collections.abc import Callable
from pathlib import Path
from random import Random

from tests.guard_classes.project import make_project

LONGEST = 10_000
_NAMES = ("a", "src", "src/app.py", "docs", "tests", "README.md", "many", "deep", "./a", "data.txt", ".")
_READERS = (
    "cat",
    "ls",
    "head",
    "wc -l",
    "grep -r x",
    "rg x",
    "diff",
    "git grep x",
    "git diff",
    "stat",
    "sort",
)
_SIMPLE = (
    "ls",
    "cat a",
    "git status",
    "npm test",
    "make test",
    "echo x",
    "pwd",
    "rm -rf build",
    "cat *",
    "grep -r x .",
)
_JOINTS = ("; ", " && ", " || ", " | ", "\n", " & ")
Shape = Callable[[Random], str]


def _repeated(rng: Random, piece: str, between: str = " ", most: int = LONGEST) -> str:
    """`piece` so often that it makes a length drawn at random, short ones as often as long ones."""
    length = int(10 ** rng.uniform(1.3, 4.0))
    count = max(1, min(length, most) // (len(piece) + len(between)))
    return between.join(itertools.repeat(piece, count))


def _numbered(rng: Random, piece: str, between: str = " ") -> str:
    """The same with another number in each `{}`."""
    count = max(1, int(10 ** rng.uniform(1.3, 4.0)) // (len(piece) + len(between) + 2))
    return between.join(piece.format(number) for number in range(count))


def _operands(rng: Random) -> str:
    return f"{rng.choice(_READERS)} {_repeated(rng, rng.choice(_NAMES))}"


def _other_operands(rng: Random) -> str:
    return f"{rng.choice(_READERS)} {_numbered(rng, rng.choice(_NAMES) + '{}')}"


def _wildcards(rng: Random) -> str:
    piece = rng.choice(
        ["*", "**/*", "./*{}", "a*{}", "[a-z]*{}", "many/*{}", "?*?*?*{}*", "**/*.p{}", "./-*{}", "src/*/*{}"]
    )
    return f"{rng.choice(_READERS)} {_numbered(rng, piece)}"


def _star_runs(rng: Random) -> str:
    """One wildcard of many stars: what it is matched with decides what it costs."""
    return f"{rng.choice(_READERS)} {_repeated(rng, rng.choice(['*a', '?*', '*', '[!a]*', '**/', '*/']), '')}"


def _deep_paths(rng: Random) -> str:
    part = rng.choice(["a/", "../", "./", "src/", "deep/", "link/", "docs/../", "loop/"])
    return f"{rng.choice(_READERS)} {' '.join(_repeated(rng, part, '') + str(n) for n in range(rng.randint(1, 4)))}"


def _long_names(rng: Random) -> str:
    piece = rng.choice(["x", ".1", "~", ".bak", ",v", ".", "-", "é", "id_rsa", ".env", "=", "a.b", "1", "::"])
    return f"{rng.choice(_READERS)} a{_repeated(rng, piece, '')}{rng.choice(['', 'x', ' b', '*'])}"


def _quotes(rng: Random) -> str:
    piece = rng.choice(
        ["''", '""', "'a'", '"$x"', "\\a", "$'\\x41'", "{a,b}", "$(ls)", "`ls`", "$((1+1))", "${x}", "$x"]
    )
    return f"{rng.choice(['echo', 'cat', 'ls', ''])} {_repeated(rng, piece, rng.choice(['', ' ']))}"


def _unclosed(rng: Random) -> str:
    begin = rng.choice(
        [
            "'",
            '"',
            "`",
            "$(",
            "${",
            "<<EOF\n",
            "(",
            "{ ",
            "[[ ",
            "$((",
            "<(",
            "if ",
            "for a in b; do ",
            "case x in ",
        ]
    )
    return f"echo {_repeated(rng, rng.choice(['x ', begin, 'ls; ', '$x ']))} {begin}{_repeated(rng, 'y ')}"


def _folders(rng: Random) -> str:
    return (
        _numbered(rng, rng.choice(["cd d{}", "cd src; cd ..", "cd d{} || cd e"]), "; ")
        + f"; {rng.choice(_SIMPLE)}"
    )


def _lists(rng: Random) -> str:
    return _repeated(rng, rng.choice(_SIMPLE), rng.choice(_JOINTS))


def _loops(rng: Random) -> str:
    words = " ".join(f"w{number}" for number in range(rng.choice([2, 16, 16, 17, 200])))
    depth = rng.randint(1, 6)
    heads = "".join(f"for {letter} in {words}; do " for letter in "abcdef"[:depth])
    return f"{heads}{rng.choice(_SIMPLE)} $a; {'done; ' * depth}"


def _groups(rng: Random) -> str:
    begin, end = rng.choice(
        [("( ", " )"), ("{ ", "; }"), ("if true; then ", "; fi"), ("while true; do ", "; done"), ("! ", "")]
    )
    depth = int(10 ** rng.uniform(0, 3))
    return f"{begin * depth}{rng.choice(_SIMPLE)}{end * depth}"


def _nested(rng: Random) -> str:
    """A script inside a script inside a script: the quotes double the text at each step."""
    text = rng.choice([_lists, _operands, _loops, _substitutions])(rng)[:2_000]
    for _ in range(rng.randint(1, 12)):
        start = rng.choice(
            [
                "bash -c {}",
                "sh -lc {}",
                "eval {}",
                "su -c {}",
                "watch {}",
                "ssh h {}",
                "env bash -c {}",
                "parallel {}",
            ]
        )
        longer = start.format(shlex.quote(text))
        if len(longer) > LONGEST:
            break
        text = longer
    return text


def _scripts(rng: Random) -> str:
    """Many small scripts side by side, each of which the second parser may be asked about."""
    inner = rng.choice(["ls >/dev/null", "echo $x", "x=1; ls", "(ls)", "ls {} | wc -l", "echo {} >> log.txt"])
    start = rng.choice(["bash -c '{}'", "sh -c '{}'", "eval '{}'", "find . -exec sh -c '{}' \\;"]).format(
        inner
    )
    return _numbered(rng, start, rng.choice(["; ", " && ", "\n"]))


def _substitutions(rng: Random) -> str:
    depth = int(10 ** rng.uniform(0, 2))
    begin, end = rng.choice([("$(echo ", ")"), ("<(cat ", ")"), ('"$(echo ', ')"')])
    return f"echo {begin * depth}x{end * depth}"


def _documents(rng: Random) -> str:
    mark = rng.choice(["EOF", "'EOF'"])
    body = _repeated(rng, rng.choice(["x", "$x", "`ls`", "$(ls)", "\\", "EOF ", "─" * 60]), "\n")
    return f"{rng.choice(['cat', 'bash', 'git commit -F -', 'tee a', 'python3'])} <<{mark}\n{body}\nEOF"


def _many_documents(rng: Random) -> str:
    count = rng.randint(1, 200)
    return f"cat {' '.join(f'<<E{n}' for n in range(count))}\n" + "".join(f"x\nE{n}\n" for n in range(count))


def _words_of_runners(rng: Random) -> str:
    start = rng.choice(
        [
            "watch",
            "parallel",
            "sudo -x",
            "ssh h",
            "timeout -q",
            "env -x",
            "trap",
            "xargs",
            "find . -exec",
            "nice nice",
        ]
    )
    return f"{start} {_repeated(rng, rng.choice(['ls', '-x', chr(34) + 'ls -la' + chr(34), 'sudo -x', 'rm -rf /']))}"


def _wrappers(rng: Random) -> str:
    return (
        _repeated(
            rng, rng.choice(["sudo", "env A=1", "timeout 5", "nice -n 3", "command", "git -C src", "xargs"])
        )
        + " ls"
    )


def _pipes(rng: Random) -> str:
    end = rng.choice(
        ["cat", "sort", "xargs ls", "xargs -n1 cat", "tee a.log", "grep x", "xargs -I{} grep x {}"]
    )
    return f"{rng.choice(['ls', 'find . -name x', 'git ls-files', 'rg -l x'])} | {_repeated(rng, end, ' | ')}"


def _finds(rng: Random) -> str:
    piece = rng.choice(
        ["-name 'a*'", "-o -name x", "-exec cat {} \\;", "-exec grep x {} +", "many", "-path '*/x/*'"]
    )
    return f"find . {_repeated(rng, piece)}"


def _redirects(rng: Random) -> str:
    return f"echo x {_numbered(rng, rng.choice(['>> a{}.log', '> b{}.txt', '< c{}', '2>&1', '<<< d{}', '>> many/{}']))}"


def _assignments(rng: Random) -> str:
    return f"{_numbered(rng, rng.choice(['a{}=1', 'A=*', 'x=$x$x', 'export y{}=2;', 'read z{};']))} {rng.choice(_SIMPLE)}"


def _programs(rng: Random) -> str:
    start = rng.choice(["awk", "sed", "jq", "yq", "python3 -c", "perl -e", "sed -n"])
    piece = rng.choice(
        ["{print $1}", "s/a/b/;", ".a|", "(", "[", "/x/", "y/a/b/;", '"\\(.a)"', "1,2p;", "\\", "a{1,99}"]
    )
    return f"{start} {shlex.quote(_repeated(rng, piece, ''))} README.md"


def _targets(rng: Random) -> str:
    return f"{rng.choice(['make', 'npm run', 'tox -e', 'composer', 'pnpm run', 'make -C src'])} {_repeated(rng, rng.choice(['test', 'lint', 'build', '-k']))}"


def _conditions(rng: Random) -> str:
    return f"{rng.choice(['[[', '[', 'test'])} {_repeated(rng, rng.choice(['a == b', '-f a', '! -n x', '-d many']), ' -a ')} ]]"


def _git(rng: Random) -> str:
    piece = rng.choice(["-C src", "-c core.pager=cat", "HEAD:a", "+refs/heads/*", "--", "src", "-p", "many"])
    return f"git {rng.choice(['', 'log', 'show', 'diff', 'push origin', 'add'])} {_repeated(rng, piece)}"


def _removals(rng: Random) -> str:
    return f"{rng.choice(['rm -rf', 'rm', 'git clean -fdx', 'ls && rm -r'])} {_repeated(rng, rng.choice(['made', 'many', 'made/a', 'deep']))}"


def _noise(rng: Random) -> str:
    letters = rng.choice(
        ["ab $'\"`(){}[]<>|&;\\\n*?~#!=", "()", "'\"", "$`", "<>|&", "{}", "[]*?", "\\\n ", "é─\u0301x "]
    )
    return "".join(rng.choice(letters) for _ in range(int(10 ** rng.uniform(1.3, 4.0))))


SHAPES: tuple[Shape, ...] = (
    _operands, _other_operands, _wildcards, _star_runs, _deep_paths, _long_names, _quotes, _unclosed, _folders, _lists,
    _loops, _groups, _nested, _scripts, _substitutions, _documents, _many_documents, _words_of_runners, _wrappers, _pipes,
    _finds, _redirects, _assignments, _programs, _targets, _conditions, _git, _removals, _noise,
)  # fmt: skip


def made(rng: Random) -> str:
    """One shape, or, one time in four, two or three of them joined."""
    count = rng.choice([1, 1, 1, rng.choice([2, 3])])
    text = rng.choice(SHAPES)(rng)
    for _ in range(count - 1):
        text = text[: LONGEST // 2] + rng.choice(_JOINTS) + rng.choice(SHAPES)(rng)
    return text[:LONGEST]


MADE_FILES = frozenset(f"made/{number}" for number in range(150))
"""What the run itself made in that project: such files may be removed, so each is looked at."""


def slow_project(folder: Path) -> Path:
    """A project that a program has filled so that each look at it costs as much as it can."""
    project = make_project(folder)
    for name, count in (("many", 5_000), ("made", 150)):
        (project / name).mkdir()
        for number in range(count):
            (project / name / str(number)).touch()
    deep = project
    for _ in range(200):
        deep = deep / "deep"
    deep.mkdir(parents=True)
    (project / "link").symlink_to(".")
    (project / "loop").symlink_to("loop")
    (project / "Makefile").write_text(("a" + " " * 20_000 + "\n") * 20 + "test: lint\n\ttrue\n")
    (project / "package.json").write_text(
        '{"scripts": {' + ",".join(f'"s{n}": "x"' for n in range(60_000)) + ', "test": "t"}}'
    )
    (project / "tox.ini").write_text("[testenv:test]\n" + " x = 1\n" * 100_000)
    (project / ".gitignore").write_text("".join(f"name{number}\n" for number in range(50_000)))
    with (project / ".git" / "config").open("a") as file:
        file.write("# " + "://" + "x" * 3_000_000)
    return project
