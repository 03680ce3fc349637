"""git's options before its command: `-C d`, `-c key=value`, `--git-dir` … Source: git(1)."""

from __future__ import annotations

import dataclasses

import re2

from copilot.safety.finding import Finding, Scene, high
from copilot.safety.packs import Arg

_PLAIN = frozenset(
    {"--no-pager", "-P", "--no-optional-locks", "--literal-pathspecs", "--no-replace-objects", "--bare"}
)
_VALUED = frozenset(
    {
        "--git-dir",
        "--work-tree",
        "--exec-path",
        "--namespace",
        "--config-env",
        "--super-prefix",
        "--attr-source",
    }
)
_HARMLESS_SETTING = re2.compile(
    r"(?i)(?:color\.[a-z.]+|core\.quotepath|log\.[a-z]+|diff\.(?:renames|noprefix|context)|core\.pager=cat|advice\.[a-z]+)(?:=.*)?"
)


def git_arguments(args: list[Arg], scene: Scene) -> tuple[list[Arg], Scene, list[Finding]]:
    """`git COMMAND …` without its global options, the scene it runs in, and what the options raise."""
    found: list[Finding] = []
    index = 1
    while index < len(args) and args[index].shown.startswith("-"):
        name, equals, value = args[index].shown.partition("=")
        following = args[index + 1] if index + 1 < len(args) else Arg("")
        if args[index].text is None:
            return args, scene, [high("an option of git is known only when it runs", "git.option")]
        if name in _PLAIN:
            index += 1
        elif name == "-C":
            refusal = scene.path_refusal(following, "read")
            if refusal:
                found.append(high(refusal, "path.outside"))
            elif following.text is not None:
                folders = tuple(place.path for place in scene.places(following.text))
                scene = dataclasses.replace(scene, folders=folders)
            index += 2
        elif name == "-c":
            if not _HARMLESS_SETTING.fullmatch(following.shown):
                found.append(high(f"git -c {following.shown} changes what git does", "git.setting"))
            index += 2
        elif name.startswith("-c") and not name.startswith("--"):
            found.append(high(f"git {name} changes what git does", "git.setting"))
            index += 1
        elif name in ("--version", "--help"):
            break
        else:
            found.append(high(f"git {name} changes what git does", "git.option"))
            index += 2 if name in _VALUED and not equals else 1
        del value
    return [args[0], *args[index:]], scene, found
