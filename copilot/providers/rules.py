"""How the offline `rules` provider answers: a pure function of the request, the same every time.

It approves what is routine one time, refuses what destroys, goes on at "press a key", follows the
directives of the governing prompt, and leaves everything else to the person. It never picks an option that
widens what the CLI may do unasked, unless a directive names that very label.
"""

from __future__ import annotations

from dataclasses import dataclass

from copilot.core.detection import SAID_ABOVE
from copilot.core.reply import AnswerForm, Reply, ReplyRequest
from copilot.core.reply_keys import CONTINUE
from copilot.core.screen_kinds import (
    PERSONS_KINDS,
    PROMPT_KINDS,
    ScreenKind,
    kind_noun,
)
from copilot.errors import InputError
from copilot.guard.risk_words import only_reports
from copilot.guard.text import folded
from copilot.prompting.asked import Asked, read_asked
from copilot.prompting.patterns import Pattern, pattern, quoted
from copilot.prompting.request import GOVERNING_PART
from copilot.providers import rule_words as words
from copilot.providers.directives import Directive, read_directives
from copilot.providers.named_values import shown_default, values_for
from copilot.providers.permissions import line_allowing, line_naming
from copilot.providers.sentences import COMMAND

_TAIL_LINES = 15
_WRITES = frozenset({"write", "edit"})
SURE, FAIRLY_SURE, GUESS = 1.0, 0.9, 0.7


@dataclass(frozen=True, slots=True)
class Ruling:
    """What the rules say: a reply, or the person."""

    reply: Reply
    reason: str
    confidence: float = FAIRLY_SURE
    needs_human: bool = False


@dataclass(frozen=True, slots=True)
class Case:
    """One prompt with what is known of it."""

    request: ReplyRequest
    asked: Asked
    governing: str

    @property
    def subject(self) -> str:
        """The command or file that it is about; empty if the dialog shows none."""
        return "" if self.asked.action == SAID_ABOVE else self.asked.subject

    @property
    def about(self) -> str:
        """The question and what it is about."""
        return f"{self.asked.question}\n{self.subject}".strip()

    @property
    def parts(self) -> tuple[str, ...]:
        """What directives are matched with: both together, each by itself, and what names the thing."""
        question = self.asked.question.strip()
        texts = (self.about, question, self.subject.strip(), *self._named())
        return tuple(dict.fromkeys(text for text in texts if text))

    @property
    def generic(self) -> bool:
        """Whether the question alone does not say what it is about."""
        return not self.subject and words.GENERIC_QUESTION.search(self.asked.question) is not None

    def destroys(self) -> bool:
        """Whether a yes looks destructive; a question that says nothing is judged by the text above it.

        Writing a file is not: where it may be written is the guard's to judge.
        """
        if self.request.kind == "permission" and self.asked.action in _WRITES:
            return False
        return words.DESTRUCTIVE.search(self._judged()) is not None

    def names(self, directive: Directive) -> bool:
        """Whether a directive fits the destructive action itself: the command, or each such row above."""
        if self.subject:
            return directive.fits(self.subject)
        if not self.generic:
            return True
        rows = [row for row in self._rows() if words.DESTRUCTIVE.search(row)]
        return bool(rows) and all(directive.fits(row) for row in rows)

    def default(self) -> str:
        """What Enter alone gives, by the question or by the row that it ends; empty if none is shown."""
        question = self.asked.question.strip()
        last = next((row.strip() for row in reversed(self._recent().splitlines()) if row.strip()), "")
        return shown_default(question) or (shown_default(last) if last.startswith(question) else "")

    def risky(self) -> bool:
        """Whether a yes needs a person's judgement."""
        return words.RISKY.search(self._judged()) is not None

    def _named(self) -> list[str]:
        """The rows above a question that names nothing, and what is between backticks in it."""
        above = self._rows() if self.generic and self.asked.action == SAID_ABOVE else []
        return [*above, *(span.strip() for span in self.asked.question.split("`")[1::2])]

    def _judged(self) -> str:
        return "\n".join([self.about, *self._rows()]) if self.generic else self.about

    def _rows(self) -> list[str]:
        """The text above, row by row, without what only reports what was done."""
        above = self.asked.subject if self.asked.action == SAID_ABOVE else self._recent()
        rows = [row.strip() for row in above.splitlines()]
        return [row for row in rows if row and not only_reports([folded(row)])]

    def _recent(self) -> str:
        text = next((part.text for part in self.request.parts if part.name == "recent output"), "")
        return "\n".join(row for row in text.splitlines()[-_TAIL_LINES:] if "UNTRUSTED" not in row)

    def label(self, kind: Pattern) -> str | None:
        """The first label of that kind which widens nothing."""
        for label in self.request.choices:
            if kind.search(label) and not words.WIDENING.search(label):
                return label
        return None


def one_label(choices: tuple[str, ...], wanted: str) -> str | None:
    """The one label that is `wanted` but for case and blanks."""
    close = [label for label in choices if _folded(label) == _folded(wanted)]
    return close[0] if len(close) == 1 else None


def named_in(governing: str, labels: tuple[str, ...]) -> list[str]:
    """Labels that occur as words in a line of the governing prompt that denies nothing."""
    lines = [line for line in governing.splitlines() if not words.NEGATION.search(line)]
    found = []
    for label in labels:
        if len(label) < 2:
            continue
        word = pattern(r"(?i)(?:^|\W)" + quoted(label) + r"(?:\W|$)")
        if any(word.search(line) for line in lines):
            found.append(label)
    return found


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


_NOTHING_ASKED = frozenset(ScreenKind) - PROMPT_KINDS - PERSONS_KINDS
_LISTED = f" ({COMMAND} lists what they read)"
_FILE_ACTIONS = frozenset({"write", "edit", "read"})


def decide(request: ReplyRequest) -> Ruling:
    """The ruling on one request."""
    if request.kind in PERSONS_KINDS:
        return _person(f"{kind_noun(ScreenKind(request.kind))} is answered by you")
    if request.kind in _NOTHING_ASKED:
        return _person("nothing is asked")
    governing = next((part.text for part in request.parts if part.name == GOVERNING_PART), "")
    case = Case(request, read_asked(request), governing)
    try:
        directives = read_directives(governing)
    except InputError as fault:
        return _person(str(fault))
    for directive in directives:
        if directive.fits(*case.parts):
            return _obey(directive, case)
    rules = {
        "permission": _permission,
        "yes_no": _yes_no,
        "menu": _menu,
        "press_key": _go_on,
        "pager": _go_on,
        "text_input": _text_input,
        "question": _question,
    }
    return rules.get(request.kind, _unknown)(case)


def _obey(directive: Directive, case: Case) -> Ruling:
    """What a directive says, within its scope: a yes to something destructive must name that thing."""
    said = f"governing prompt, line {directive.line}"
    if directive.verb == "ask me":
        return _person(f"{said} leaves this to you")
    if directive.verb == "no":
        return _refuse(case, f"{said} says no")
    if case.destroys() and not case.names(directive):
        return _refuse(case, f"{said} says {directive.verb}, but names nothing of this destructive action")
    verbs = {
        "type": lambda: _typed(directive, case, said),
        "choose": lambda: _chosen(directive, case, said),
        "continue": lambda: _go_on(case),
        "yes": lambda: _approve(case, said, SURE),
    }
    return verbs[directive.verb]()


def _chosen(directive: Directive, case: Case, said: str) -> Ruling:
    label = one_label(case.request.choices, directive.words)
    if label is None:
        return _person(f"{said} names no option that is listed here")
    return Ruling(Reply(choice=label), said, SURE)


def _typed(directive: Directive, case: Case, said: str) -> Ruling:
    if case.request.form not in (AnswerForm.TEXT, AnswerForm.MULTI_LINE):
        return _person(f"{said} types a text, but this prompt takes a choice")
    return Ruling(Reply(text=directive.words), said, SURE)


def _permission(case: Case) -> Ruling:
    asked = case.asked
    if asked.action == "shell" and not asked.subject_cut:
        named = line_naming(asked.subject, case.governing)
        if named:
            return _approve(case, f"{named} allows this", SURE)
    if case.destroys():
        return _refuse(case, "this looks destructive and the governing prompt does not allow it")
    if case.generic:
        return _person("the prompt does not say what it would do")
    if asked.subject_cut and asked.action not in _FILE_ACTIONS:
        return _person("the prompt does not show all of what it would do")
    if case.risky():
        return _person("this reaches beyond the project; that is for you to judge")
    what = asked.action or "asked once"
    return _approve(case, f"routine permission ({what}), approved one time", FAIRLY_SURE)


def _yes_no(case: Case) -> Ruling:
    question = case.asked.question
    allowed = line_allowing(question, case.governing)
    if allowed is not None:
        return _approve(case, f"governing prompt, line {allowed} allows this", SURE)
    if case.destroys():
        return _refuse(case, "this looks destructive and the governing prompt does not allow it")
    if words.DEFAULT_NO.search(question):
        return _refuse(case, "the default shown is no")
    if case.risky():
        return _person("this reaches beyond the project; that is for you to judge")
    if words.DEFAULT_YES.search(question):
        return _approve(case, "the default shown is yes, and nothing looks destructive", FAIRLY_SURE)
    return _yes_no_without_default(case)


def _yes_no_without_default(case: Case) -> Ruling:
    if case.generic:
        return _approve(case, "routine question, and nothing looks destructive", GUESS)
    outward = words.OUTWARD.search(case.about) or words.SECRET.search(case.about)
    if words.ADDING.search(case.asked.question) and not outward:
        return _approve(case, "this only adds something to the project", GUESS)
    return _person(f"the governing prompt does not say{_LISTED}")


def _menu(case: Case) -> Ruling:
    if case.destroys():
        return _refuse(case, "this looks destructive and the governing prompt does not allow it")
    named = named_in(case.governing, case.request.choices)
    marked = [label for label in case.request.choices if words.RECOMMENDED.search(label)]
    options = case.asked.options
    described = [option.label for option in options if words.RECOMMENDED.search(option.description)]
    for labels, reason in (
        (named, "the governing prompt names this option"),
        (marked or described, "this option is marked as recommended"),
    ):
        if len(labels) == 1:
            label = labels[0]
            if words.WIDENING.search(label) or words.DESTRUCTIVE.search(label):
                return _person(f"{label!r} is for you to choose")
            return Ruling(Reply(choice=label), reason, FAIRLY_SURE if labels is named else GUESS)
    return _person(f"no rule picks an option: you choose{_LISTED}")


def _go_on(case: Case) -> Ruling:
    if case.destroys():
        return _person("going on looks destructive")
    if CONTINUE in case.request.choices:
        return Ruling(Reply(choice=CONTINUE), "it only waits for a key", FAIRLY_SURE)
    return _approve(case, "it only waits to go on", FAIRLY_SURE)


def _text_input(case: Case) -> Ruling:
    question = case.asked.question
    if words.SECRET.search(question):
        return _person("this asks for something personal")
    given = values_for(question, case.governing)
    if len(given) > 1:
        lines = ", ".join(str(one.line) for one in given)
        return _person(f"the governing prompt gives several values for this (lines {lines})")
    if given:
        reason = f"governing prompt, line {given[0].line} gives this value"
        return Ruling(Reply(text=given[0].value), reason, FAIRLY_SURE)
    default = case.default()
    if default and not case.destroys():
        return Ruling(Reply(text=""), f"takes the default shown ({default})", GUESS)
    return _person(f"the governing prompt gives no value for this{_LISTED}")


def _question(case: Case) -> Ruling:
    offered = words.ALTERNATIVES.search(case.asked.question)
    if offered is not None:
        both = (offered.group(1).strip(), offered.group(2).strip())
        named = named_in(case.governing, both)
        if len(named) == 1:
            return Ruling(Reply(text=named[0]), "the governing prompt names this alternative", GUESS)
    return _person(
        f"the rules cannot answer prose, and the governing prompt has no directive for it{_LISTED}"
    )


def _unknown(case: Case) -> Ruling:
    return _person(f"the rules have no answer to a {case.request.kind} prompt")


def _approve(case: Case, reason: str, confidence: float) -> Ruling:
    if case.request.form is AnswerForm.YES_NO:
        return Ruling(_letter(case.request, "y"), reason, confidence)
    label = case.label(words.APPROVING)
    if label is None:
        return _person("no option approves one time only")
    return Ruling(Reply(choice=label), reason, confidence)


def _refuse(case: Case, reason: str) -> Ruling:
    if case.request.form is AnswerForm.YES_NO:
        return Ruling(_letter(case.request, "n"), reason, FAIRLY_SURE)
    label = case.label(words.REFUSING)
    return Ruling(Reply(choice=label), reason, FAIRLY_SURE) if label else _person(reason)


def _letter(request: ReplyRequest, letter: str) -> Reply:
    meant = [label for label in request.choices if label.casefold().startswith(letter)]
    return Reply(choice=meant[0]) if meant else Reply(text=letter)


def _person(reason: str) -> Ruling:
    return Ruling(Reply(), reason, FAIRLY_SURE, needs_human=True)
