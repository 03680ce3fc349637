"""`judge_command`: the risk of running a shell command, by rules in code, before any model, failing closed.

Two parsers must agree on what the commands are; every simple command, redirection, assignment and nested
script is judged; the strictest part decides and is named. Unknown means held, never harmless.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from copilot.core.policy import ceiling
from copilot.core.profile_outline import Limits
from copilot.core.reply import Autonomy
from copilot.core.risk import Risk, RiskLevel
from copilot.core.screen_kinds import ScreenKind
from copilot.guard.arguments import Arg
from copilot.guard.budget import MAX_FOLDERS, PROCESS, TOO_MUCH, Budget, TooMuch, cost_of_script
from copilot.guard.disk import Unread
from copilot.guard.git_words import GIT_ELSEWHERE
from copilot.guard.grants import Grant, grant_for, path_grant_for
from copilot.guard.growth import MOST_ROUNDS, reads_files
from copilot.guard.looks import counted
from copilot.guard.never import INTERPRETER, never_in_text, sends_secrets
from copilot.guard.programs import judge_arguments
from copilot.guard.redirections import writing_findings
from copilot.guard.rule_files import Finding, RuleBook, Scene, built_in, high
from copilot.guard.scope import ProjectScope
from copilot.guard.shell_facts import (
    background_findings,
    certain_input,
    document_findings,
    fetches,
    in_background,
    is_fed,
    rounds,
    shown_variables,
    unreadable,
    variables_in,
)
from copilot.guard.shell_parse import parse_shell
from copilot.guard.shell_tree import (
    Group,
    Pipeline,
    Redirect,
    ShellProblem,
    Simple,
    Word,
    commands_of,
    sequences_of,
)
from copilot.guard.shell_tree import Sequence as Script
from copilot.guard.shfmt_check import SecondParser, is_plain, shfmt_agrees, shfmt_tree
from copilot.guard.tree_sitter_check import tree_sitter_agrees
from copilot.guard.variables import assignment_findings, changed_names, loops_over, settable
from copilot.guard.word_values import loop_values, uncertain_sums, word_arg

_DEFAULT = Limits()


def verdict_at(risk: Risk, level: Autonomy, limits: Limits = _DEFAULT, kind: ScreenKind | None = None) -> str:
    """`allow`, `hold` or `forbid`, with the profile's limits (default: no profile's).

    `kind` is the prompt that is answered; None for a command by itself. What is forbidden is so at any level.
    """
    if risk.level is RiskLevel.FORBIDDEN:
        return "forbid"
    most = ceiling(level, kind, limits)
    return "allow" if most is not None and risk.level <= most else "hold"


MAX_LOOP_WORDS = 16
_FOREIGN = frozenset({"node_modules", "vendor", "third_party", "site-packages", ".venv", "venv"})


def judge_command(
    command: str,
    scope: ProjectScope,
    grants: Sequence[Grant] = (),
    *,
    book: RuleBook | None = None,
    second: SecondParser = shfmt_tree,
    budget: Budget | None = None,
) -> Risk:
    """The risk of running `command` in the project. Never raises; what is not understood is high.

    `book` are the rules (built-in ones by default), `second` is the parser that confirms what is more than
    words. Grants with an end count only as `GrantBook.open_at` gives them. `budget` is what may be
    spent, by default that of one verdict.
    """
    budget = budget or Budget()
    scope = counted(scope, budget)
    judge = _Judge(scope, tuple(grants))
    try:
        scene = Scene(scope, (scope.cwd,), judge.nested, {}, book=book or built_in(), budget=budget)
        judge.script(command, scene)
        judge.confirm(command, second, budget)
    except TooMuch:
        judge.add(_Span(command, 0), [high("too much to judge", TOO_MUCH), *never_in_text(command)])
    except Unread as error:
        judge.add(_Span(command, 0), [high(str(error), "disk.unread"), *never_in_text(command)])
    except (RecursionError, OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        judge.add(_Span(command, 0), [high(f"could not be parsed ({type(error).__name__})", "parse.failed")])
    return judge.risk(command)


_REDIRECTED = (Arg(None, raw="<"),)
"""Marks, in a pipe, an input that is not the pipe."""


class _Span(NamedTuple):
    """A part of the judged text and where it begins there (None if it is not there verbatim)."""

    text: str
    start: int | None = None


def _span(command: Simple | Group) -> _Span:
    return _Span(command.source, command.start)


class _Judge:
    """Walks one command and collects findings with the part that each is about."""

    def __init__(self, scope: ProjectScope, grants: tuple[Grant, ...]) -> None:
        self.scope = scope
        self.grants = grants
        self.found: list[tuple[Finding, _Span]] = []
        self.lifted: list[str] = []
        """The rules of the grants that were used, one entry for each command that they lifted."""
        self.grown = 0
        """How many appends of this line print what files hold."""
        self.unconfirmed: list[tuple[str, Script]] = []
        """Texts that are more than words, and what our parser makes of them."""

    def risk(self, whole: str) -> Risk:
        """The strictest finding, with the part that it is about and its position in `whole`."""
        if not self.found:
            return Risk(RiskLevel.HIGH, ("nothing that could be judged",), "parse.empty")
        changes = {"files.append", "files.make"} & {finding.rule for finding, _ in self.found}
        if changes:
            runs = [
                (finding, part)
                for finding, part in self.found
                if (finding.level is RiskLevel.MEDIUM and "files.append" in changes)
                or finding.rule == GIT_ELSEWHERE
            ]
            self.found += [
                (high("changes a file and runs the project's code", "files.change-and-run"), p)
                for _, p in runs[:1]
            ]
        level = max(finding.level for finding, _ in self.found)
        worst = [(finding, part) for finding, part in self.found if finding.level is level]
        reasons = tuple(dict.fromkeys(finding.reason for finding, _ in worst))
        first, span = worst[0]
        text, start = _narrowed(first, span)
        if start is not None and whole[start : start + len(text)] != text:
            start = None
        return Risk(level, reasons[:3], first.rule, text, start, tuple(self.lifted))

    def add(self, part: _Span, findings: Iterable[Finding]) -> None:
        """Keeps findings about a part."""
        self.found += [(finding, part) for finding in findings]

    def nested(self, text: str, scene: Scene) -> list[Finding]:
        """The findings of a script inside a command (`bash -c`)."""
        inner = _Judge(self.scope, ())
        inner.script(text, scene)
        self.unconfirmed += inner.unconfirmed
        return [
            finding if finding.part else dataclasses.replace(finding, part=span.text)
            for finding, span in inner.found
        ]

    def confirm(self, command: str, second: SecondParser, budget: Budget) -> None:
        """Asks the second parser, but only where its answer can still matter: it can only hold."""
        if not self.found or max(finding.level for finding, _ in self.found) >= RiskLevel.HIGH:
            return
        for text, tree in self.unconfirmed:
            budget.spend(PROCESS + len(text))
            try:
                agrees = shfmt_agrees(text, tree, second(text))
                reason = "two parsers read it differently"
            except ShellProblem as error:
                agrees, reason = False, str(error)
            if not agrees:
                self.add(_Span(command, 0), [high(f"could not be confirmed: {reason}", "parse.unconfirmed")])

    def script(self, text: str, scene: Scene) -> None:
        """Judges a whole script."""
        problem = unreadable(text, scene)
        whole = _Span(text, 0)
        if problem:
            self.add(whole, [high(problem, "parse.text"), *never_in_text(text)])
            return
        scene.budget.spend(cost_of_script(text))
        text = text.rstrip("\n") if "<<" not in text else text
        try:
            tree = parse_shell(text)
        except ShellProblem as error:
            self.add(whole, [high(f"could not be parsed: {error}", "parse.failed"), *never_in_text(text)])
            return
        if not tree_sitter_agrees(text, tree):
            self.add(
                whole,
                [high("could not be parsed: two parsers disagree", "parse.disagree"), *never_in_text(text)],
            )
        self.add(whole, background_findings(tree))
        if not is_plain(tree):
            self.unconfirmed.append((text, tree))
        changed = changed_names(tree)
        kept = (
            {}
            if "*" in changed
            else {name: value for name, value in scene.names.items() if name not in changed}
        )
        scene = dataclasses.replace(scene, names=kept, forgotten=scene.forgotten | changed)
        self._sequence(tree, scene)
        evaluated = [([word_arg(word, scene) for word in one.words], scene) for one in commands_of(tree)]
        targets = [
            ([Arg("<"), word_arg(r.target, scene)], scene) for one in commands_of(tree) for r in one.redirects
        ]
        self.add(whole, sends_secrets([*evaluated, *targets]))

    def _sequence(self, sequence: Script, scene: Scene) -> Scene:
        """Judges pipelines in order and follows `cd`."""
        before_chain = scene.folders
        certain = True
        for operator, pipeline in sequence.items:
            if operator != "&&":
                scene = dataclasses.replace(scene, folders=before_chain)
            certain = operator != "||" and (certain or operator != "&&")
            self._pipeline(pipeline, scene)
            scene = self._after(pipeline, scene, ran=certain and not pipeline.negated)
            # The chain may end behind any of its commands.
            before_chain = tuple(dict.fromkeys((*before_chain, *scene.folders)))
        return dataclasses.replace(scene, folders=before_chain)

    def _after(self, pipeline: Pipeline, scene: Scene, *, ran: bool) -> Scene:
        """The scene behind a pipeline. `ran`: what follows in the chain runs only if it succeeded."""
        command = pipeline.commands[-1]
        if not isinstance(command, Simple) or not command.words:
            return scene
        args = [word_arg(word, scene) for word in command.words]
        operands = [arg.text for arg in args[1:] if arg.text not in ("-P", "-L", "--")]
        if args[0].text != "cd" or len(operands) != 1 or operands[0] is None:
            return scene
        after = [place.path for place in scene.places(operands[0])]
        # The end of a pipe runs in the shell itself in zsh, in one of its own in bash.
        before = scene.folders if len(pipeline.commands) > 1 or not ran else ()
        folders = tuple(dict.fromkeys([*before, *after]))
        if len(folders) > MAX_FOLDERS:
            raise TooMuch
        return dataclasses.replace(scene, folders=folders)

    def _pipeline(self, pipeline: Pipeline, scene: Scene) -> None:
        upstream: list[tuple[Arg, ...]] = list(scene.upstream)
        for command in pipeline.commands:
            here = dataclasses.replace(scene, upstream=tuple(upstream))
            if isinstance(command, Simple):
                self._simple(command, here)
                words = tuple(word_arg(word, here) for word in command.words) or (Arg(""),)
                upstream.append((*words, *_REDIRECTED) if is_fed(command) else words)
            else:
                self._group(command, here)
                again = command.kind in ("for", "while")
                upstream += [_REDIRECTED] if again or is_fed(command) else []
                for body in command.bodies:
                    upstream += [
                        tuple(word_arg(w, here) for w in one.words) or (Arg(""),) for one in commands_of(body)
                    ]

    def _group(self, group: Group, scene: Scene) -> None:
        inside = scene
        if group.kind in ("for", "while"):
            inside = dataclasses.replace(
                scene,
                in_loop=True,
                unbounded=scene.unbounded or group.kind == "while",
                rounds=scene.rounds * max(1, sum(map(rounds, group.words))),
            )
            many = inside.unbounded or inside.rounds > MOST_ROUNDS
            if many and any(in_background(one) for body in group.bodies for one in sequences_of(body)):
                self.add(_span(group), [high("starts processes without a known end", "parse.background")])
        pipe = [
            tuple(word_arg(word, inside) for word in one.words)
            for body in group.bodies
            for one in commands_of(body)
            if one.words
        ]
        self._redirects(group.redirects, inside, _span(group), pipe)
        scenes = [inside]
        if group.kind == "for":
            self._word_scripts(group.words, scene)
            self.add(_span(group), variables_in(group.words, scene))
            if not settable(group.variable, loop=True):
                reason = f"a loop over {group.variable} can change what a command does"
                self.add(_span(group), [high(reason, "parse.assignment")])
            scenes = self._loop_scenes(group, inside)
        for one in scenes:
            for body in group.bodies:
                after = self._sequence(body, one)
                if group.kind != "subshell" and set(after.folders) != set(one.folders):
                    self.add(_span(group), [high("changes the folder inside a group", "path.cd")])

    def _loop_scenes(self, group: Group, scene: Scene) -> list[Scene]:
        values = [one for word in group.words for one in loop_values(word_arg(word, scene), scene)]
        name = group.variable
        again = scene.forgotten & {name, "*"} or any(loops_over(body, name) for body in group.bodies)
        certain = all(value.text is not None and not value.wild for value in values)
        if again or len(values) > MAX_LOOP_WORDS or any(value.text is None for value in values):
            names = {key: value for key, value in scene.names.items() if key != name}
            ends = certain or all(value.text is not None for value in values)
            return [dataclasses.replace(scene, names=names, unbounded=scene.unbounded or not ends)]
        return [dataclasses.replace(scene, names={**scene.names, name: value}) for value in values]

    def _simple(self, command: Simple, scene: Scene) -> None:
        self._word_scripts([*command.words, *(word for _, word in command.assignments)], scene)
        own = tuple(word_arg(word, scene) for word in command.words)
        self._redirects(command.redirects, scene, _span(command), [*scene.upstream, own])
        for name, word in command.assignments:
            text = word_arg(word, scene).text
            value = Arg(text.partition("=")[2] if text is not None else None, raw=word.raw)
            self.add(_span(command), assignment_findings(name, value, alone=not command.words))
        if not command.words:
            self.add(_span(command), shown_variables(command, scene))
            if not self.found:
                self.add(_span(command), [Finding(RiskLevel.NONE, "sets a variable", "parse.assignment")])
            return
        args = [word_arg(word, scene) for word in command.words]
        fetched = any(fetches(script) for word in command.words for script in word.scripts)
        here = dataclasses.replace(
            scene, input_text=certain_input(command, scene), fetched=fetched or scene.fetched
        )
        findings = judge_arguments(args, here)
        findings += shown_variables(command, scene)
        foreign = any(_FOREIGN.intersection(folder.split("/")) for folder in scene.folders)
        if foreign and any(finding.level is RiskLevel.MEDIUM for finding in findings):
            findings.append(high("runs code of a dependency, not of the project", "run.foreign"))
        fed = bool(scene.upstream) or is_fed(command)
        blind = fed and INTERPRETER.fullmatch(args[0].shown) is not None  # what it is fed is the program
        findings = self._lifted(findings, None if blind else grant_for(self._left(), args, scene))
        self.add(_span(command), findings)

    def _word_scripts(self, words: Iterable[Word], scene: Scene) -> None:
        for word in words:
            name = uncertain_sums(word, scene)
            if name:
                reason = f"computes with {name}, which may be no number"
                self.add(_Span(word.raw), [high(reason, "parse.arithmetic")])
            for script in word.scripts:
                self._sequence(script, dataclasses.replace(scene, upstream=()))

    def _redirects(
        self, redirects: Sequence[Redirect], scene: Scene, part: _Span, pipe: list[tuple[Arg, ...]]
    ) -> None:
        fed = any(one.document is not None or one.operator == "<<<" for one in redirects)
        bodies = [one.document.body for one in redirects if one.document is not None]
        for redirect in redirects:
            self._word_scripts([redirect.target], scene)
            if redirect.document is not None:
                self.add(part, document_findings(redirect.document, scene))
                continue
            target = word_arg(redirect.target, scene)
            if redirect.operator == "<<<" or (redirect.operator in (">&", "<&") and target.shown.isdigit()):
                continue
            if redirect.operator == "<":
                refusal = scene.path_refusal(target, "read")
                self.add(part, [high(refusal, "path.outside")] if refusal else [])
                continue
            findings = writing_findings(redirect, target, scene, pipe, bodies, fed=fed)
            if findings and findings[0].rule == "files.append" and reads_files(pipe):
                self.grown += 1
                if self.grown > 1:
                    findings.append(high("appends what it reads more than once", "files.growth"))
            path = target.text
            grant = path_grant_for(self._left(), "write", path, scene) if path is not None else None
            self.add(part, self._lifted(findings, grant))

    def _left(self) -> list[Grant]:
        """The grants with the uses that are left to them in this very command line."""
        spent = Counter(self.lifted)
        return [
            one if one.times is None else dataclasses.replace(one, times=one.times - spent[one.rule])
            for one in self.grants
        ]

    def _lifted(self, findings: list[Finding], grant: Grant | None) -> list[Finding]:
        """The findings of one command or redirection as the grant makes them; counted if it lifted any."""
        if grant is None:
            return findings
        lifted = [_granted(finding) for finding in findings]
        if lifted != findings:
            self.lifted.append(grant.rule)
        return lifted


def _narrowed(finding: Finding, span: _Span) -> _Span:
    """The part inside a nested script that decided, if the command holds it verbatim."""
    if not finding.part or span.start is None or finding.part not in span.text:
        return span
    return _Span(finding.part, span.start + span.text.index(finding.part))


def _granted(finding: Finding) -> Finding:
    """What a grant makes of a finding: held becomes medium, if it is of the kind that can be granted."""
    if finding.level is not RiskLevel.HIGH or not finding.grantable:
        return finding
    return dataclasses.replace(finding, level=RiskLevel.MEDIUM, reason=f"allowed: {finding.reason}")
