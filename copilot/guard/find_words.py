"""`find` and `xargs`: programs that run others on names that only show when they run.

What they run may only be a reader whose every option is harmless (a file name may look like an option).
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable

from copilot.core.risk import RiskLevel
from copilot.guard.arguments import Arg
from copilot.guard.below import Reach, fits, is_odd_name, odd_name_below, option_like
from copilot.guard.budget import PLACE
from copilot.guard.index import tracked_below
from copilot.guard.listings import Listing, find_listing, list_of
from copilot.guard.never import never
from copilot.guard.rule_files import Finding, Scene, forbidden, high
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
        *("-nogroup", "-quit", "-noleaf", ",", "-P"),
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
_SELECTS = frozenset("viEFGPwxas")
_FILTERS: dict[str, frozenset[str]] = {
    **dict.fromkeys(("grep", "egrep", "fgrep"), _SELECTS),
    **dict.fromkeys(("head", "tail"), frozenset()),
    "sort": frozenset("urVfn"),
    "uniq": frozenset("ud"),
}
"""Programs that leave names out of a list, and their options that put nothing before or between them."""
NOTHING = Finding(RiskLevel.NONE, "looks for files of the project", "read.find")


def judge_find(args: list[Arg], scene: Scene, judge: Judge) -> list[Finding]:
    """The findings of a `find` command."""
    index = 1
    starts: list[Arg] = []
    while index < len(args) and args[index].text in ("-L", "-H", "-P"):
        index += 1
    while index < len(args) and not args[index].shown.startswith(("-", "(", "!")):
        starts.append(args[index])
        index += 1
    if any(arg.pattern for arg in args):
        return [high("find in what is known only when it runs", "read.find")]
    found = _start_findings(args, starts, scene)
    tests = any(arg.shown in _WITH_VALUE and arg.shown not in ("-maxdepth", "-mindepth") for arg in args)
    while index < len(args):
        word = args[index].shown
        if args[index].text is None:
            found.append(high(f"{word!r} is known only when it runs", "parse.opaque"))
        if word in _RUNS:
            end = next((i for i in range(index, len(args)) if _ends_command(args, i)), len(args))
            found += _run_on_names(args[index + 1 : end], scene, judge, args, starts if not tests else [])
            index = end + 1
            continue
        following = args[index + 1] if index + 1 < len(args) else Arg("")
        findings, length = _expression(word, following, scene, starts, tests=tests)
        found += findings
        index += length
    return found or [NOTHING]


def _ends_command(args: list[Arg], index: int) -> bool:
    """Whether `-exec` ends there: at `;`, or at a `+` right behind `{}` (find(1))."""
    return args[index].shown == ";" or (args[index].shown == "+" and args[index - 1].shown == "{}")


def _start_findings(args: list[Arg], starts: list[Arg], scene: Scene) -> list[Finding]:
    """What the folders that it starts from, links and wildcards say."""
    found: list[Finding] = []
    if any(arg.text in ("-L", "-H", "-follow") for arg in args[1:]):
        reach = Reach(links=True, content=False)
        refusal = scene.below_refusal([arg.shown for arg in starts] or ["."], reach)
        found += [high(refusal, "path.outside", grantable=True)] if refusal else []
    if any(arg.wild for arg in args[1:] if arg.shown[:1] in ("*", "?", "[")):
        found.append(high("a name that a wildcard stands for may look like an option", "read.find"))
    for start in starts:
        refusal = scene.path_refusal(start, "read")
        if refusal:
            found.append(high(refusal, "path.outside", grantable=True))
    return found


def _expression(
    word: str, following: Arg, scene: Scene, starts: list[Arg], *, tests: bool
) -> tuple[list[Finding], int]:
    """The findings on one test or action, and how many words it has."""
    if word == "-delete":
        whole = not tests and any(_is_whole(arg, scene) for arg in starts or [Arg(".")])
        reason = "deletes what it finds"
        return [forbidden(reason, "never.remove") if whole else high(reason, "files.delete")], 1
    if word in _WITH_VALUE or word in _WITH_PATH:
        refusal = scene.path_refusal(following, "read") if word in _WITH_PATH else ""
        if refusal:
            return [high(refusal, "path.outside")], 2
        opaque = following.text is None
        return [high(f"{following.raw!r} is known only when it runs", "parse.opaque")] if opaque else [], 2
    known = word in _FLAGS or word in ("-follow", "-L", "-H")
    return [] if known else [high(f"find with {word}", "read.find")], 1


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
    listed = find_listing(args)
    judged = judge(_with_names(inner, _made_up(listed), "{}"), scene.deeper(upstream=()))
    if any("{}" in (arg.text or "") and arg.text != "{}" for arg in inner):
        found.append(high("a name becomes a part of a longer word", "find.exec"))
    elsewhere = any(arg.text in ("-execdir", "-okdir") for arg in args)
    if elsewhere or _takes_more(judged):
        found.append(high(f"find runs {inner[0].shown} on what it finds", "find.exec"))
        return found
    refusal = _listed_refusal(listed, judged, scene)
    if refusal:
        found.append(high(refusal, "path.secret", grantable=True))
    secret = next(
        (arg.shown for arg in args if arg.text and any(p.secret for p in scene.places(arg.text))), ""
    )
    if secret:
        found.append(high(f"{secret!r} may hold secrets", "path.secret"))
    return found


def _made_up(listed: Listing) -> list[str]:
    """Names that stand for the found ones: none of them is a program of awk, sed or jq, or a format."""
    return [posixpath.join(start, one) for start in listed.starts for one in ("found@%n", "again@%n")]


def _takes_more(judged: list[Finding]) -> bool:
    """Whether a command does more than read on its names; git may be pointed to another repository by one."""
    return any(one.level is not RiskLevel.NONE or one.rule.startswith("git.") for one in judged)


def _with_names(inner: list[Arg], names: list[str], mark: str) -> list[Arg]:
    """The command as it runs on these names; the word `mark` stands for them."""
    made: list[Arg] = []
    for arg in inner:
        if arg.text == mark:
            made += [Arg(name) for name in names]
        else:
            made.append(arg)
    return made


_SHOWS_NAMES = frozenset(
    {
        "read.counts",
        "read.list",
        "read.names",
        "read.file",
        "read.echo",
        "read.printf",
        "read.test",
        "read.tree",
    }
)


def _listed_refusal(listed: Listing, judged: list[Finding], scene: Scene) -> str:
    """Why what is listed may not be given to a reader, or ""."""
    content = any(one.rule not in _SHOWS_NAMES for one in judged)
    reach = Reach(links=listed.follows, named=listed.links, content=content, only=listed.only)
    return scene.below_refusal(listed.starts, reach)


def judge_xargs(inner: list[Arg], scene: Scene, judge: Judge, options: list[str]) -> list[Finding]:
    """The findings of what `xargs` starts, on names that come from the pipe. `options` are those of xargs."""
    inner = inner or [Arg("echo")]
    found = [
        one
        for one in [*judge(inner, scene.deeper()), *never(inner, scene)]
        if one.level is RiskLevel.FORBIDDEN
    ]
    listed = _listed(scene)
    mark, zero = _read_options(options)
    if listed is None or listed.zero != zero:
        return [*found, high("xargs takes names from where they cannot be judged", "xargs.input")]
    if mark and any(mark in (arg.text or "") and arg.text != mark for arg in inner):
        return [*found, high("a name becomes a part of a longer word", "xargs.runs")]
    names = _made_up(listed)
    given = _with_names(inner, names, mark) if mark else [*inner, *(Arg(name) for name in names)]
    judged = judge(given, scene.deeper(upstream=()))
    if _takes_more(judged):
        reason = f"xargs runs {inner[0].shown} on names that are known only when it runs"
        return [*found, high(reason, "xargs.runs")]
    refusal = _names_refusal(listed, judged, scene) or _listed_refusal(listed, judged, scene)
    if refusal:
        return [*found, high(refusal, "xargs.names", grantable=True)]
    for command in scene.upstream:
        for arg in command:
            if arg.text is None or any(place.secret for place in scene.places(arg.text)):
                return [*found, high(f"{arg.shown!r} cannot be judged or may hold secrets", "path.secret")]
    return [*found, Finding(RiskLevel.NONE, "reads the files that are listed", "read.xargs")]


_TAKES_VALUE = frozenset("InPLsE")


def _read_options(options: list[str]) -> tuple[str, bool]:
    """The mark that each name replaces (`-I{}`, also in a cluster) or "", and if a zero byte ends names."""
    mark, zero, index = "", False, 0
    while index < len(options):
        option = options[index]
        index += 1
        if option.startswith("--"):
            zero = zero or option == "--null"
            mark = (option.partition("=")[2] or "{}") if option.startswith("--replace") else mark
            index += option in ("--max-args", "--max-procs")
            continue
        for position, letter in enumerate(option[1:], 2):
            zero = zero or letter == "0"
            if letter in _TAKES_VALUE:
                following = options[index] if index < len(options) else "{}"
                value = option[position:] or following
                index += not option[position:]
                mark = value if letter == "I" else mark
                break
    return mark, zero


def _names_refusal(listed: Listing, judged: list[Finding], scene: Scene) -> str:
    """Why a name may become an option, or more than one word, or ""."""
    if not listed.prefixed:
        wild = {rule.id for rule in scene.book.allows if rule.wild}
        if any(one.rule not in wild for one in judged):
            return "a name may look like an option"
        for folder in scene.folders:
            name = option_like(scene.scope, folder, listed.only, scene.budget)
            if name:
                return f"the name {name!r} is read as an option"
    if listed.tracked:
        for folder in scene.folders:
            why = _tracked_refusal(listed, folder, scene)
            if why:
                return why
    if listed.zero:
        return ""
    for start in listed.starts:
        for place in scene.places(start):
            name = odd_name_below(scene.scope, place.path, listed.only, scene.budget)
            if name:
                return f"the name {name!r} is more than one word for xargs"
    return ""


def _tracked_refusal(listed: Listing, folder: str, scene: Scene) -> str:
    """Why a name of git's index, which need not be on the disk, may be more than one plain word, or ""."""
    for start in listed.starts:
        names = tracked_below(scene.scope, posixpath.normpath(posixpath.join(folder, start)))
        if names is None:
            return "git's index cannot be read"
        scene.budget.spend(len(names) // 4)
        for name in names:
            if not fits(posixpath.basename(name), listed.only):
                continue
            if name.startswith("-") and not listed.prefixed:
                return f"the name {name!r} is read as an option"
            if is_odd_name(name) and not listed.zero:
                return f"the name {name!r} is more than one word for xargs"
    return ""


def _listed(scene: Scene) -> Listing | None:
    """What the commands before `xargs` print the names of; None if that is not known."""
    if not scene.upstream or not all(map(_filters, scene.upstream[1:])):
        return None
    return list_of(scene.upstream[0])


def _filters(command: tuple[Arg, ...]) -> bool:
    """Whether a command only takes names away: it reads nothing but the pipe."""
    options = [arg.shown for arg in command[1:] if arg.shown.startswith("-")]
    operands = [arg.shown for arg in command[1:] if not arg.shown.startswith("-")]
    name = command[0].shown
    if name not in _FILTERS or any(arg.text is None for arg in command):
        return False
    if name in ("head", "tail"):
        counts = options == ["-n"] and len(operands) == 1 and operands[0].isdigit()
        return counts or (not operands and len(options) < 2 and all(one[1:].isdigit() for one in options))
    letters = {letter for one in options for letter in one[1:]}
    return letters <= _FILTERS[name] and len(operands) == (1 if "grep" in name else 0)


def _is_whole(arg: Arg, scene: Scene) -> bool:
    scene.budget.spend(PLACE * len(scene.folders))
    return arg.text is not None and any(is_whole(scene.scope, arg.text, folder) for folder in scene.folders)
