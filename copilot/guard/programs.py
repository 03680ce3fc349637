"""Judge one argument list by the rules, after wrappers such as `sudo` are removed."""

from __future__ import annotations

import posixpath
from collections.abc import Callable

from copilot.core.risk import RiskLevel
from copilot.guard.arguments import Arg
from copilot.guard.budget import COMMAND
from copilot.guard.conditions import judge_condition, judge_test
from copilot.guard.find_words import judge_find, judge_xargs
from copilot.guard.formatters import formatting_findings
from copilot.guard.git_words import git_arguments, settings_findings
from copilot.guard.growth import growth_refusal, ignoring_refusal, new_log_refusal
from copilot.guard.never import INTERPRETER, SHELLS, never
from copilot.guard.printf_words import printf_refusal
from copilot.guard.rule_files import Finding, Scene, high
from copilot.guard.runners import (
    alias_findings,
    environment_finding,
    fetched_findings,
    inner_command,
    local_findings,
    module_arguments,
    module_findings,
    plain_form,
    script_findings,
    target_findings,
)
from copilot.guard.shell_parse import parse_shell
from copilot.guard.shell_tree import ShellProblem
from copilot.guard.text_programs import judge_awk, judge_jq, judge_sed
from copilot.guard.tool_settings import leaving_output, settings_of_tools
from copilot.guard.unwrap import Unwrapped, unwrap
from copilot.guard.variables import assignment_findings, judge_export, judge_named, only_runs

MAX_DEPTH = 10
_SYSTEM_FOLDERS = frozenset(
    {
        "/bin",
        "/usr/bin",
        "/usr/local/bin",
        "/sbin",
        "/usr/sbin",
        "/usr/local/sbin",
        "/opt/homebrew/bin",
        "/snap/bin",
    }
)
_PROJECT_FOLDERS = (".venv/bin", "venv/bin", "env/bin", "node_modules/.bin", "vendor/bin")
_EMPTIES = frozenset({"-i", "-", "--ignore-environment"})
_SHELL_FLAGS = frozenset("lexuvh")
"""`-i` is not among them: aliases count then, and zsh has no comments."""
_SHELL_SETTINGS = frozenset({"errexit", "nounset", "pipefail", "xtrace", "verbose"})
"""Values of `-o` by which a script is read and its wildcards are expanded as without them."""


def judge_arguments(args: list[Arg], scene: Scene) -> list[Finding]:
    """The findings of one command; never empty for a command that has a program."""
    if not args:
        return []
    if scene.depth > MAX_DEPTH:
        return [high("nested too deeply", "parse.depth")]
    scene.budget.spend(COMMAND)
    head = args[0]
    if head.text is None or head.wild or not head.text:
        return [
            high(f"the program {head.shown!r} is known only when it runs", "parse.program"),
            *never(args, scene),
        ]
    name, found = _program_name(head.text, scene)
    return found + _judge_named([Arg(name, raw=head.raw), *args[1:]], scene)


def _judge_named(args: list[Arg], scene: Scene) -> list[Finding]:
    name = args[0].shown
    found = [*never(args, scene), *_raised_strictly(args, scene)]
    wrapped = unwrap(args)
    handler = _HANDLERS.get(name) or (_judge_shell if name in SHELLS else None)
    if wrapped is not None:
        found += _judge_wrapped(name, args, wrapped, scene)
    elif handler is not None:
        found += handler(args, scene)
    elif name == "git":
        args, scene, raised = git_arguments(args, scene)
        found += [
            *never(args, scene),
            *raised,
            *settings_findings(args, scene),
            *_judge_by_rules(args, scene),
        ]
    else:
        found += _judge_runner(args, scene)
    return found


def _judge_runner(args: list[Arg], scene: Scene) -> list[Finding]:
    """Programs by the rules, after what only says where and in which environment is taken away."""
    inner = inner_command(args)
    if inner is not None:
        ran = environment_finding(scene, ".venv/bin/activate")
        found = [ran, *script_findings(args, inner, scene), *settings_of_tools(args, scene)]
        return [*found, *judge_arguments(inner, scene.deeper()), *target_findings(args, scene)]
    shadowed = module_findings(args, scene)
    plain, there, found = plain_form(module_arguments(args), scene)
    found = [*shadowed, *found, *_judge_by_rules(plain, there), *settings_of_tools(plain, there)]
    if max(one.level for one in found) < RiskLevel.HIGH:
        selected = len(plain) < len(module_arguments(args))
        found += target_findings(plain, there, everywhere=selected)
        found += [
            *fetched_findings(plain, there),
            *local_findings(plain, there),
            *alias_findings(plain, there),
            *formatting_findings(plain, there),
        ]
    if max(one.level for one in found) is RiskLevel.MEDIUM and (name := leaving_output(there)):
        found.append(high(f"it writes at {name}, which leads out of the project", "run.link", grantable=True))
    return found


def _raised_strictly(args: list[Arg], scene: Scene) -> list[Finding]:
    """Findings of the user's and the project's raising rules, which no allowing rule overrides."""
    return [
        Finding(rule.risk, rule.reason, rule.id, grantable=True)
        for rule in scene.book.strict
        if rule.names_somewhere(args) or rule.names_somewhere(module_arguments(args))
    ]


def _judge_by_rules(args: list[Arg], scene: Scene) -> list[Finding]:
    """The finding of the first rule that allows all arguments, else the reasons to hold."""
    refused: list[Finding] = []
    raised = [
        Finding(rule.risk, rule.reason, rule.id, grantable=True)
        for rule in scene.book.raising(args[0].shown)
        if rule.names_somewhere(args)
    ]
    forbidden = [one for one in raised if one.level is RiskLevel.FORBIDDEN]
    for rule in scene.book.allowing(args[0].shown):
        if not rule.names(args):
            continue
        refusal = rule.refusal(args, scene)
        if not refusal:
            return [*forbidden, Finding(rule.risk, rule.reason, rule.id)]
        refused.append(high(refusal, rule.id, grantable=True))
    name = args[0].shown
    if raised and [one.rule for one in refused[:1]] == ["run.targets"]:
        refused = []  # the raising rule says more about build files
    if refused or raised:
        return [*forbidden, *refused[:1], *raised]
    if INTERPRETER.fullmatch(name) or name in SHELLS or name == "python-module":
        return [high(f"{name} runs code that is not judged", "run.interpreter", grantable=True)]
    return [high(f"the program {name} is not known", "program.unknown", grantable=True)]


def _program_name(text: str, scene: Scene) -> tuple[str, list[Finding]]:
    """The name by which a program is judged: its base name if it lies in a known folder."""
    folder, _, base = text.rpartition("/")
    if not folder:
        return text, []
    if folder in _SYSTEM_FOLDERS:
        return base, [
            high("changes the folder in a way that cannot be followed", "path.cd")
        ] if base == "cd" else []
    for place in scene.places(folder):
        named = "/" + posixpath.normpath(folder)
        own = place.relative is not None and named.endswith(tuple(f"/{one}" for one in _PROJECT_FOLDERS))
        if not own:
            return text, []
    return base, [environment_finding(scene, text)]


def _judge_wrapped(name: str, args: list[Arg], wrapped: Unwrapped, scene: Scene) -> list[Finding]:
    found: list[Finding] = []
    if wrapped.raises:
        found.append(high(wrapped.raises, f"wrapper.{name}", grantable=True))
    if wrapped.problem:
        # Any word may begin the inner command, so each is checked for forbidden commands.
        scene.budget.spend(len(args) * len(args))
        rest = [one for start in range(1, len(args)) for one in never(args[start:], scene)]
        return [*found, *rest, high(f"{wrapped.problem} hides what is run", "wrapper.option")]
    for arg in wrapped.assignments:
        variable, _, value = arg.shown.partition("=")
        found += assignment_findings(variable, Arg(value))
    if name == "xargs":
        options = [arg.shown for arg in args[1 : len(args) - len(wrapped.args)]]
        return found + judge_xargs(wrapped.args, scene, judge_arguments, options)
    if not wrapped.args:
        reason = (
            "prints the environment, which holds secrets" if name == "env" else f"{name} without a command"
        )
        return [*found, high(reason, "env.dump" if name == "env" else "wrapper.empty")]
    if wrapped.args[0].shown == "cd":
        found.append(high("changes the folder in a way that cannot be followed", "path.cd"))
    if name in ("exec", "busybox", "toybox", "chronic"):
        found.append(high(f"{name} replaces what is run", f"wrapper.{name}"))
    inner = judge_arguments(wrapped.args, scene.deeper())
    empties = name == "env" and not _EMPTIES.isdisjoint(arg.shown for arg in args)
    if empties and max(one.level for one in inner) > RiskLevel.NONE:
        inner = [*inner, high("without the environment, what protects the command is gone", "wrapper.env")]
    return found + inner


def _judge_shell(args: list[Arg], scene: Scene) -> list[Finding]:
    """`bash -c SCRIPT` is judged as SCRIPT; a script file or unknown input is held."""
    command, index = False, 1
    while index < len(args) and args[index].shown[:1] in "-+" and len(args[index].shown) > 1:
        text = args[index].shown
        if text == "--":
            index += 1
            break
        if text in ("-o", "+o") and args[index + 1 : index + 2]:
            if args[index + 1].text not in _SHELL_SETTINGS:
                return [
                    high(f"{text} {args[index + 1].shown} changes how a script is read", "run.shell-option")
                ]
            index += 2
            continue
        if args[index].text is None or text.startswith("--") or not set(text[1:]) <= _SHELL_FLAGS | set("cs"):
            return _judge_by_rules(args, scene)
        command = command or "c" in text
        index += 1
    operands = args[index:]
    name = args[0].shown
    fed = not command and not operands and scene.input_text is not None
    script = scene.input_text if fed else operands[0].text if command and operands else None
    if script is None or (not fed and name in ("fish", "csh", "tcsh", "pwsh")):
        return [high(f"{name} runs a script that is not judged", "run.script", grantable=True)]
    if name in ("sh", "dash", "ash") and "$'" in (scene.input_text or "") + script:
        return [high("a quote that bash and sh read differently", "parse.text")]
    kept = dict[str, object](input_text=None) if fed else dict[str, object](names={})
    found = scene.script(script, scene.deeper(upstream=(), **kept))
    return found or [high("an empty script", "parse.empty")]


def _judge_eval(args: list[Arg], scene: Scene) -> list[Finding]:
    if any(arg.text is None or arg.wild for arg in args[1:]):
        return [high("eval of what is known only when it runs", "run.eval")]
    text = " ".join(arg.text or "" for arg in args[1:])
    found = scene.script(text, scene.deeper(upstream=()))
    scene.budget.spend(len(text) // 4)
    try:
        plain = only_runs(parse_shell(text))
    except ShellProblem:
        plain = False
    return found if plain else [*found, high("eval changes the shell itself", "run.eval")]


def _judge_ssh(args: list[Arg], scene: Scene) -> list[Finding]:
    """Held; forbidden if the remote command is forbidden on this machine."""
    found = _judge_by_rules(args, scene)
    for start in range(1, len(args)):
        text = " ".join(arg.shown for arg in args[start:])
        if " " in text and not args[start].shown.startswith("-"):
            inner = scene.script(text, scene.deeper(upstream=()))
            found += [one for one in inner if one.level is RiskLevel.FORBIDDEN]
    return found


def _judge_texts(args: list[Arg], scene: Scene) -> list[Finding]:
    """`watch`, `su -c`, `script -c`, `parallel`: held; forbidden if a text argument is."""
    found = [high(f"{args[0].shown} runs what it is given", "run.indirect", grantable=True)]
    texts = [arg.text for arg in args[1:] if arg.text and not arg.text.startswith("-")]
    for index, text in enumerate(texts):
        tried = [text] if " " in text else [" ".join(texts[index:])]
        for script in tried:
            inner = scene.script(script, scene.deeper(upstream=()))
            found += [one for one in inner if one.level is RiskLevel.FORBIDDEN]
    return found


def _judge_cd(args: list[Arg], scene: Scene) -> list[Finding]:
    """A `cd` inside the project has no risk; later commands are judged in the new folder."""
    operands = [arg for arg in args[1:] if arg.text not in ("-P", "-L", "--")]
    parts = (
        [part for part in (operands[0].text or "").split("/") if part not in ("", ".")] if operands else []
    )
    climbs = ".." in parts and parts != [".."] * len(parts)
    stack = bool(operands) and (operands[0].text or "")[:1] in ("-", "+")  # `-`; of zsh also `-1`, `+1`
    if len(operands) != 1 or operands[0].wild or operands[0].pattern or stack or climbs:
        return [high("changes to a folder that is not certain", "path.cd")]
    refusal = scene.path_refusal(operands[0], "read") or _link_on_the_way(operands[0].shown, scene)
    if refusal:
        return [high(refusal, "path.outside", grantable=True)]
    return [Finding(RiskLevel.NONE, "changes the folder", "path.cd")]


def _link_on_the_way(path: str, scene: Scene) -> str:
    """Why `cd ..` behind it would go back by name and not by folder: a link leads there; or ""."""
    for folder in scene.folders:
        here = scene.scope.resolve(folder)
        named = scene.scope.home + path[1:] if path.startswith("~") else path
        if posixpath.normpath(posixpath.join(here, named)) != scene.scope.resolve(
            posixpath.join(here, named)
        ):
            return f"a link leads to {path!r}"
        if scene.own_settings(posixpath.join(here, named)):
            return f"{path!r} is in a repository of its own"
        if any(place.protected for place in scene.places(path)):
            return f"{path!r} is a folder that other tools trust"
    return ""


def _judge_source(args: list[Arg], scene: Scene) -> list[Finding]:
    """`source .venv/bin/activate`: as a program of that environment."""
    found = _judge_by_rules(args, scene)
    if max(one.level for one in found) < RiskLevel.HIGH and len(args) > 1:
        found.append(environment_finding(scene, args[1].shown))
    return found


def _judge_read(args: list[Arg], scene: Scene) -> list[Finding]:
    return judge_named(args, scene, _judge_by_rules(args, scene))


def _judge_tee(args: list[Arg], scene: Scene) -> list[Finding]:
    """`tee` into a new log, or at the end of a file, of what is certainly small."""
    found = _judge_by_rules(args, scene)
    if max(one.level for one in found) > RiskLevel.LOW:
        return found
    pipe = list(scene.upstream)
    target, fed = args[-1], scene.input_text is not None
    if not pipe:
        refusal = "writes what it is fed"
    elif found[-1].rule == "files.append":
        refusal = growth_refusal(pipe, scene, target, fed=fed)
        refusal = refusal or ignoring_refusal(pipe, target, None)
    else:
        refusal = new_log_refusal(pipe, scene, fed=fed)
    if refusal:
        return [*found, high(refusal, "files.growth", grantable=True)]
    for place in [place for arg in args[1:] for place in scene.places(arg.shown)]:
        if found[-1].rule != "files.append" and scene.scope.disk.size_of(place.path) is not None:
            return [*found, high(f"overwrites {args[-1].shown}", "files.overwrite", grantable=True)]
    return found


def _find(args: list[Arg], scene: Scene) -> list[Finding]:
    return judge_find(args, scene, judge_arguments)


def _judge_printf(args: list[Arg], scene: Scene) -> list[Finding]:
    refusal = printf_refusal(args)
    return [high(refusal, "read.printf")] if refusal else _judge_by_rules(args, scene)


_HANDLERS: dict[str, Callable[[list[Arg], Scene], list[Finding]]] = {
    "find": _find,
    "gfind": _find,
    "sed": judge_sed,
    "gsed": judge_sed,
    "awk": judge_awk,
    "gawk": judge_awk,
    "mawk": judge_awk,
    "nawk": judge_awk,
    "eval": _judge_eval,
    **dict.fromkeys(
        ("watch", "parallel", "su", "runuser", "script", "sem", "screen", "tmux", "trap"), _judge_texts
    ),
    "export": judge_export,
    "read": _judge_read,
    "printf": _judge_printf,
    "unset": _judge_read,
    "tee": _judge_tee,
    "source": _judge_source,
    ".": _judge_source,
    "ssh": _judge_ssh,
    "cd": _judge_cd,
    "[[": judge_condition,
    "[": judge_test,
    "test": judge_test,
    "jq": judge_jq,
    "yq": judge_jq,
    "xq": judge_jq,
    "tomlq": judge_jq,
}
