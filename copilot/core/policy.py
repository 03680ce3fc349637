"""Policy: what is done with a proposed reply. Pure; the first line that applies decides, strictest first.

The levels: watch asks nothing, suggest holds everything, assist sends what is harmless after a
countdown, full sends up to the risk ceiling. Some things are never sent by themselves at any level.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import re2

from copilot.core.detection import (
    PERSONS_KINDS,
    SCREEN_KINDS,
    SECRET_KINDS,
    Detection,
    ScreenKind,
    Subject,
    asks_in_a_line,
    asks_with_a_mark,
    kind_noun,
)
from copilot.core.ends import STALLED
from copilot.core.profile import ReplyKeys
from copilot.core.profile_outline import Limits
from copilot.core.reply import Autonomy, Decision, Proposal, Reply, Verdict
from copilot.core.reply_keys import CannotType, matches_any, plan_keys, plan_refusal, refusing_option, widens
from copilot.core.risk import NO_RISK, Risk, RiskLevel

ASSIST_KINDS = frozenset(kind for kind, entry in SCREEN_KINDS.items() if entry.assisted)
LEAST_CONFIDENCE = 0.5
"""A model less sure of its reply than this is not sent unseen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """What policy knows besides the prompt and the proposal."""

    autonomy: Autonomy
    limits: Limits
    reply_keys: ReplyKeys
    headless: bool = False
    trust: bool = False
    launch_folders: tuple[str, ...] = ()
    """How the launch folder may be written, for a dialog that shows which folder it is about."""
    unrecorded: str = ""
    """Why the run can no longer be recorded; empty while it is."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """A verdict with the line of policy that gave it."""

    verdict: Verdict
    rule: str
    reason: str
    countdown_seconds: float = 0.0


def before_asking(  # noqa: PLR0911  one line a rule
    detection: Detection, danger: Risk, situation: Situation
) -> Ruling | None:
    """The ruling on a prompt for which no model is asked at all, or None if one may be asked."""
    kind = detection.kind
    if kind is ScreenKind.UNKNOWN:
        stalled = detection.note if detection.rule == STALLED else ""
        return Ruling(Verdict.ESCALATE, "policy.unknown", stalled or "the screen is not understood")
    if kind is ScreenKind.MENU and detection.draft:
        return Ruling(Verdict.ESCALATE, "policy.draft", "a list opened at what is typed: yours")
    if kind in SECRET_KINDS:
        return Ruling(Verdict.ESCALATE, "policy.secret", f"{kind_noun(kind)} is only ever answered by you")
    if situation.unrecorded:
        return Ruling(Verdict.ESCALATE, "policy.unrecorded", situation.unrecorded)
    if situation.autonomy is Autonomy.WATCH:
        return Ruling(Verdict.ESCALATE, "policy.watch", "at level watch, nothing is proposed")
    if danger.level is RiskLevel.FORBIDDEN:
        return Ruling(Verdict.ESCALATE, "policy.forbidden", danger.reason)
    return None


def trust_reply(detection: Detection, situation: Situation) -> Reply | None:
    """With `--trust`, the option that trusts the launch folder; no model is asked about that."""
    silent = situation.autonomy is Autonomy.WATCH or bool(situation.unrecorded)
    if detection.kind is not ScreenKind.TRUST or not situation.trust or silent:
        return None
    if detection.subject is not None and not _may_be_here(detection.subject, situation.launch_folders):
        return None
    keys = situation.reply_keys
    for option in detection.options:
        trusts = matches_any(option.label, keys.trust_options)
        if trusts and not widens(option, keys) and not matches_any(option.label, keys.refuse_options):
            return Reply(choice=option.label)
    return None


def _may_be_here(shown: Subject, launch_folders: tuple[str, ...]) -> bool:
    """Whether the folder that a dialog shows can be the launch folder; of a cut path one end must fit."""
    path = "".join(shown.text.split()).strip("…").rstrip("/")
    if path[:1] not in ("/", "~") and not shown.cut:
        return True
    folders = ["".join(folder.split()) for folder in launch_folders]
    if shown.cut:
        return not folders or any(folder.startswith(path) or folder.endswith(path) for folder in folders)
    return not folders or path in folders


_KEEPING = re2.compile(r"(?i)\b(keep|preserve|retain|save|back ?up)\b")
_STOPPING = re2.compile(
    r"(?im)(?:^\W*|[.!?:,]\s+|\b(?:to|i|we|you|please)\s+)(?:cancel|stop|abort|skip|leave|exclude|ignore|postpone|delay"
    r"|prevent|block|quit|exit|interrupt|halt|suspend|pause|protect|exempt|spare|undo|roll(?:ing)? ?back)\b"
)
"""A question that begins so goes on with something if it is answered by no."""


@dataclass(frozen=True, slots=True)
class Dangers:
    """The risk of saying yes to a prompt, and that of each of its options by its own words.

    At a text line, the one of `options` is the risk of typing a yes.
    """

    prompt: Risk = NO_RISK
    options: tuple[Risk, ...] = ()

    def of(self, detection: Detection, reply: Reply) -> Risk:
        """The worse of the two for this reply; a permission's yes is judged by what it permits alone."""
        if asks_in_a_line(detection) and len(self.options) == 1 and _says_yes(detection, reply.text or ""):
            return max(self.prompt, self.options[0], key=lambda risk: risk.level)
        own = self.of_option(detection, reply.choice)
        by_words = detection.kind is not ScreenKind.PERMISSION
        return own if by_words and own.level > self.prompt.level else self.prompt

    def of_option(self, detection: Detection, label: str | None) -> Risk:
        """The risk of an option by its own words; none if it is not listed or was not judged."""
        option = detection.option_named(label) if label is not None else None
        if option is None or len(self.options) != len(detection.options):
            return NO_RISK
        return self.options[detection.options.index(option)]


_YES_LIST = """
y yes yeah yep yup ok okay sure affirmative absolutely definitely certainly confirm confirmed proceed continue
approve approved accept agree agreed ja oui si sí sim da да tak evet kyllä はい 是 好 네 예
"""
_YES_WORDS = frozenset(_YES_LIST.split())
"""A text that begins with one of them says yes."""
_YES_SIGNS = frozenset(("1", "true", "t", "j", "o", "s", "d", "д", "e", "k"))
"""Alone they say yes to a question; to a line without a question mark they are a value like any other."""
_FIRST_WORD = re2.compile(r"\pL+")
_OPEN = re2.compile(r"(?i)^\W*(?:what|which|where|who|whose|when|why|how)\b")
"""A question that no yes answers."""


def _says_yes(detection: Detection, text: str) -> bool:
    """Whether a text typed there is a yes, in the languages whose programs ask so."""
    plain = text.strip().strip(".!").casefold()
    first = _FIRST_WORD.search(plain)
    if not asks_with_a_mark(detection) or _OPEN.search(detection.question or ""):
        return plain in _YES_WORDS
    return plain in _YES_SIGNS or (first is not None and first.group() in _YES_WORDS)


def risk_of(detection: Detection, reply: Reply, dangers: Dangers, keys: ReplyKeys) -> Risk:
    """The risk of sending `reply`: none for a refusal, else the danger of what is asked and chosen.

    Where the question offers to keep something, or to stop it, it is the refusal that can do harm; and a
    label may refuse and destroy at once ("Cancel and delete the branch").
    """
    if not refuses(reply, keys):
        return dangers.of(detection, reply)
    own = dangers.of_option(detection, reply.choice)
    if own.level > RiskLevel.LOW:
        return own
    return _harm_of_a_no(detection) or NO_RISK


def rule_on(detection: Detection, proposal: Proposal, dangers: Dangers, situation: Situation) -> Ruling:
    """What is to be done with `proposal`: the first line of `LINES` that applies."""
    risk = risk_of(detection, proposal.reply, dangers, situation.reply_keys)
    case = Case(detection, proposal, risk, situation)
    return next(ruling for line in LINES if (ruling := line(case)) is not None)


@dataclass(frozen=True, slots=True)
class Case:
    """One proposal to be ruled on, with the risk of sending it."""

    detection: Detection
    proposal: Proposal
    risk: Risk
    situation: Situation

    @property
    def keys(self) -> ReplyKeys:
        """The profile's reply keys."""
        return self.situation.reply_keys

    def held(self, rule: str, reason: str) -> Ruling:
        """Hold it, by this line, for this reason."""
        return Ruling(Verdict.HOLD, rule, reason)


def _yours_alone(case: Case) -> Ruling | None:
    kind = case.detection.kind
    if kind in SECRET_KINDS or kind is ScreenKind.UNKNOWN:
        return Ruling(Verdict.ESCALATE, "policy.secret", f"{kind_noun(kind)} is answered by you only")
    return None


def _unrecorded(case: Case) -> Ruling | None:
    reason = case.situation.unrecorded
    return case.held("policy.unrecorded", reason) if reason else None


def _model_defers(case: Case) -> Ruling | None:
    proposal = case.proposal
    if not (proposal.needs_human or proposal.clarification):
        return None
    reason = proposal.clarification or proposal.reason or "the model wants you to decide"
    return Ruling(Verdict.ESCALATE, "policy.model_defers", reason)


def _cannot_type(case: Case) -> Ruling | None:
    try:
        plan_keys(case.detection, case.proposal.reply, case.keys)
    except CannotType as problem:
        return case.held("policy.cannot_type", str(problem))
    return None


def _widens(case: Case) -> Ruling | None:
    choice = case.proposal.reply.choice
    option = case.detection.option_named(choice) if choice is not None else None
    if option is None or not widens(option, case.keys):
        return None
    if matches_any(option.label, case.situation.limits.allow_widening):
        return None
    return case.held("policy.widening", "this option widens what the CLI may do unasked")


def _trusts(case: Case) -> Ruling | None:
    if case.detection.kind is not ScreenKind.TRUST or refuses(case.proposal.reply, case.keys):
        return None
    return case.held("policy.trust", "trust is given by you, or by --trust for the launch folder")


def _edits(case: Case) -> Ruling | None:
    if case.detection.kind is not ScreenKind.EDITOR:
        return None
    return case.held("policy.editor", "what stands in an editor is yours")


def _forbidden(case: Case) -> Ruling | None:
    if case.risk.level is not RiskLevel.FORBIDDEN:
        return None
    return case.held("policy.forbidden", case.risk.reason)


def _level_sends_nothing(case: Case) -> Ruling | None:
    level = case.situation.autonomy
    if level not in (Autonomy.WATCH, Autonomy.SUGGEST):
        return None
    return case.held("policy.level", f"at level {level.value}, every reply waits for you")


def _unsure(case: Case) -> Ruling | None:
    confidence = case.proposal.confidence
    if confidence >= LEAST_CONFIDENCE:
        return None
    return case.held("policy.unsure", f"the model is only {confidence:.0%} sure")


def ceiling(level: Autonomy, kind: ScreenKind | None, limits: Limits) -> RiskLevel | None:
    """The highest risk of a yes that a level sends by itself at a prompt of this kind; None if it sends none.

    `kind` None stands for a command by itself.
    """
    if level in (Autonomy.WATCH, Autonomy.SUGGEST) or kind in PERSONS_KINDS:
        return None
    if level is Autonomy.FULL:
        return RiskLevel.from_word(limits.risk_ceiling)
    assists = kind is None or kind in ASSIST_KINDS
    return RiskLevel.LOW if assists else None


def _assist(case: Case) -> Ruling | None:
    if case.situation.autonomy is not Autonomy.ASSIST:
        return None
    kind, risk = case.detection.kind, case.risk
    most = ceiling(Autonomy.ASSIST, kind, case.situation.limits)
    if most is None:
        return case.held("policy.assist_kind", f"at level assist, {kind_noun(kind)} waits for you")
    if risk.level > most:
        return case.held("policy.assist_risk", _risk_words(risk))
    seconds = case.situation.limits.countdown_seconds
    return Ruling(Verdict.SEND_AFTER_COUNTDOWN, "policy.assist", _risk_words(risk), seconds)


def _above_ceiling(case: Case) -> Ruling | None:
    most = RiskLevel.from_word(case.situation.limits.risk_ceiling)
    if case.risk.level <= most:
        return None
    return case.held("policy.ceiling", f"{_risk_words(case.risk)} (the ceiling is {most.word})")


def _full(case: Case) -> Ruling | None:
    return Ruling(Verdict.SEND, "policy.full", _risk_words(case.risk))


LINES: tuple[Callable[[Case], Ruling | None], ...] = (
    _yours_alone,
    _unrecorded,
    _model_defers,
    _cannot_type,
    _widens,
    _trusts,
    _edits,
    _forbidden,
    _level_sends_nothing,
    _unsure,
    _assist,
    _above_ceiling,
    _full,
)
"""The policy, line by line, strictest first. The last line always applies."""


def _risk_words(risk: Risk) -> str:
    return f"risk {risk.level.word}: {risk.reason}" if risk.reason else f"risk {risk.level.word}"


def refuses(reply: Reply, keys: ReplyKeys) -> bool:
    """Whether the reply chooses an option that refuses."""
    return reply.choice is not None and matches_any(reply.choice, keys.refuse_options)


def _harm_of_a_no(detection: Detection) -> Risk | None:
    """The risk of refusing where the question offers to keep something or to stop it; None elsewhere."""
    question = detection.question or ""
    if detection.kind is ScreenKind.PERMISSION:
        return None
    if _KEEPING.search(question):
        return Risk(RiskLevel.HIGH, ("saying no may lose what the question offers to keep",), "risk.keep")
    if _STOPPING.search(question):
        return Risk(RiskLevel.HIGH, ("saying no goes on with what the question offers to stop",), "risk.stop")
    return None


def nobody_there(detection: Detection, dangers: Dangers, ruling: Ruling, situation: Situation) -> Ruling:
    """The same ruling where nobody can answer: the safe refusal if one is known, else escalation.

    Below assist nothing is typed without a person, a refusal neither.
    """
    if not situation.headless or ruling.verdict not in (Verdict.HOLD, Verdict.ESCALATE):
        return ruling
    if situation.unrecorded or situation.autonomy in (Autonomy.WATCH, Autonomy.SUGGEST):
        return Ruling(Verdict.ESCALATE, ruling.rule, ruling.reason)
    if detection.kind in SECRET_KINDS or detection.kind is ScreenKind.UNKNOWN:
        return Ruling(Verdict.ESCALATE, ruling.rule, ruling.reason)
    if _harm_of_a_no(detection) is None and _safe_refusal(detection, dangers, situation.reply_keys):
        return Ruling(Verdict.REFUSE, ruling.rule, ruling.reason)
    return Ruling(Verdict.ESCALATE, ruling.rule, ruling.reason)


def _safe_refusal(detection: Detection, dangers: Dangers, keys: ReplyKeys) -> bool:
    """Whether a refusal is known here, and does no harm by its own words."""
    option = refusing_option(detection, keys)
    if option is not None and dangers.of_option(detection, option.label).level > RiskLevel.LOW:
        return False
    try:
        return plan_refusal(detection, keys) is not None
    except CannotType:
        return False


def make_decision(
    number: int, detection: Detection, reply: Reply | None, ruling: Ruling, risk: Risk, by: str = "policy"
) -> Decision:
    """The ruling as a numbered decision for the transcript."""
    return Decision(
        number=number,
        verdict=ruling.verdict,
        identity=detection.identity,
        reply=reply,
        reason=ruling.reason,
        rule=ruling.rule,
        risk=risk,
        by=by,
        countdown_seconds=ruling.countdown_seconds,
    )
