"""`find` and `xargs`: programs that run others on names that only show when they run.

What they run may only be a reader whose every option is harmless (a file name may look like an option).
"""

from __future__ import annotations

from collections.abc import Callable

from copilot.core.risk import RiskLevel
from copilot.guard.never import never
from copilot.guard.rule_files import Arg, Finding, Scene, forbidden, high
from copilot.guard.scope import is_whole

Judge = Callable[[list[Arg], Scene], list[Finding]]

_FLAGS = frozenset(
    {
        *(
            "-print",
            "-print0",
            "-ls",
            "-prune",
            "-a",
            "-and",
            "-o",
            "-or",
            "-not",
            "!",
            "(",
            ")",
            "-empty",
            "-depth",
        ),
        *(
            "-xdev",
            "-mount",
            "-true",
            "-false",
            "-readable",
            "-writable",
            "-executable",
            "-daystart",
            "-nouser",
        ),
        *("-nogroup", "-quit", "-follow", "-noleaf", ",", "-H", "-L", "-P"),
    }
)
_WITH_VALUE = frozenset(
    {
        *(
            "-name",
            "-iname",
            "-path",
            "-ipath",
            "-wholename",
            "-iwholename",
            "-regex",
            "-iregex",
            "-type",
            "-xtype",
        ),
        *(
            "-size",
            "-mtime",
            "-atime",
            "-ctime",
            "-mmin",
            "-amin",
            "-cmin",
            "-maxdepth",
            "-mindepth",
            "-user",
        ),
        *(
            "-group",
            "-perm",
            "-links",
            "-inum",
            "-printf",
            "-regextype",
            "-lname",
            "-ilname",
            "-fstype",
            "-uid",
        ),
        *("-gid", "-used", "-newermt"),
    }
)
_WITH_PATH = frozenset({"-newer", "-anewer", "-cnewer", "-samefile"})
_RUNS = frozenset({"-exec", "-execdir", "-ok", "-okdir"})
_FILTERS = frozenset({"grep", "egrep", "fgrep", "sort", "head", "tail", "uniq"})
NOTHING = Finding(RiskLevel.NONE, "looks for files of the project", "read.find")


def judge_find(args: list[Arg], scene: Scene, judge: Judge) -> list[Finding]:
    """The findings of a `find` command."""
    found, index = [], 1
    starts: list[Arg] = []
    while index < len(args) and not args[index].shown.startswith(("-", "(", "!")):
        starts.append(args[index])
        index += 1
    for start in starts:
        refusal = scene.path_refusal(start, "read")
        if refusal:
            found.append(high(refusal, "path.outside", grantable=True))
    tests = any(arg.shown in _WITH_VALUE and arg.shown not in ("-maxdepth", "-mindepth") for arg in args)
    while index < len(args):
        word = args[index].shown
        if args[index].text is None:
            found.append(high(f"{word!r} is known only when it runs", "parse.opaque"))
        if word in _RUNS:
            end = next((i for i in range(index, len(args)) if args[i].shown in (";", "+")), len(args))
            found += _run_on_names(args[index + 1 : end], scene, judge, args, starts if not tests else [])
            index = end + 1
        elif word == "-delete":
            whole = not tests and any(_is_whole(arg, scene) for arg in starts or [Arg(".")])
            reason = "deletes what it finds"
            found.append(forbidden(reason, "never.remove") if whole else high(reason, "files.delete"))
            index += 1
        elif word in _WITH_VALUE or word in _WITH_PATH:
            value = args[index + 1] if index + 1 < len(args) else Arg("")
            if word in _WITH_PATH and scene.path_refusal(value, "read"):
                found.append(high(scene.path_refusal(value, "read"), "path.outside"))
            elif value.text is None:
                found.append(high(f"{value.raw!r} is known only when it runs", "parse.opaque"))
            index += 2
        elif word in _FLAGS:
            index += 1
        else:
            found.append(high(f"find with {word}", "read.find"))
            index += 1
    return found or [NOTHING]


def _run_on_names(
    inner: list[Arg], scene: Scene, judge: Judge, args: list[Arg], starts: list[Arg]
) -> list[Finding]:
    if not inner:
        return [high("find runs nothing that is known", "read.find")]
    found = [one for one in judge(inner, scene.deeper()) if one.level is RiskLevel.FORBIDDEN]
    if inner[0].shown.rpartition("/")[2] in ("rm", "shred", "unlink") and any(
        _is_whole(arg, scene) for arg in starts
    ):
        found.append(forbidden("removes everything it finds", "never.remove"))
    if not _is_tolerant(inner, scene):
        found.append(high(f"find runs {inner[0].shown} on what it finds", "find.exec"))
    secret = next(
        (arg.shown for arg in args if arg.text and any(p.secret for p in scene.places(arg.text))), ""
    )
    if secret:
        found.append(high(f"{secret!r} may hold secrets", "path.secret"))
    return found


def judge_xargs(inner: list[Arg], scene: Scene, judge: Judge) -> list[Finding]:
    """The findings of what `xargs` starts, on names that come from the pipe."""
    if not inner:
        inner = [Arg("echo")]
    found = [
        one
        for one in [*judge(inner, scene.deeper()), *never(inner, scene)]
        if one.level is RiskLevel.FORBIDDEN
    ]
    if not _is_tolerant(inner, scene):
        return [
            *found,
            high(f"xargs runs {inner[0].shown} on names that are known only when it runs", "xargs.runs"),
        ]
    if (
        not scene.upstream
        or not _lists_names(scene.upstream[0])
        or not all(map(_filters, scene.upstream[1:]))
    ):
        return [*found, high("xargs takes names from where they cannot be judged", "xargs.input")]
    for command in scene.upstream:
        for arg in command:
            if arg.text is None or any(place.secret for place in scene.places(arg.text)):
                return [*found, high(f"{arg.shown!r} cannot be judged or may hold secrets", "path.secret")]
    return [*found, Finding(RiskLevel.NONE, "reads the files that are listed", "read.xargs")]


def _is_tolerant(inner: list[Arg], scene: Scene) -> bool:
    return any(
        rule.tolerant and rule.names(inner) and not rule.refusal(inner, scene.path_refusal)
        for rule in scene.book.allows
    )


def _lists_names(command: tuple[Arg, ...]) -> bool:
    words = [arg.shown for arg in command]
    options = [word for word in words[1:] if word.startswith("-")]
    if words[0] == "find":
        return "-printf" not in words and not any(word in _RUNS for word in words)
    if words[0] == "git":
        return words[1:2] == ["ls-files"] and not any(one.startswith("--f") for one in options)
    if words[0] in ("grep", "egrep", "rg"):
        letters = "".join(one for one in options if not one.startswith("--"))
        return ("l" in letters or "--files-with-matches" in options or "--files" in options) and not (
            set(letters) & set("ohr") - {"r"} or any(one.startswith(("--o", "--rep")) for one in options)
        )
    return words[0] == "ls" and not options


def _filters(command: tuple[Arg, ...]) -> bool:
    options = "".join(arg.shown for arg in command[1:] if arg.shown.startswith("-"))
    return command[0].shown in _FILTERS and "o" not in options and "-c" not in options


def _is_whole(arg: Arg, scene: Scene) -> bool:
    return arg.text is not None and any(is_whole(scene.scope, arg.text, folder) for folder in scene.folders)
