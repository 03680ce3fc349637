"""Policy: whether a proposed reply is sent, held or escalated. Pure: the first rule that applies decides.

The levels: watch asks no provider, suggest holds every reply, assist sends replies of low risk after a
countdown, full sends up to the risk ceiling. No level sends passwords, or replies to unknown screens.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import re2

from copilot.core.detection import Detection, Subject, asks_in_a_line, asks_with_a_mark
from copilot.core.profile import ReplyKeys
from copilot.core.profile_outline import Limits
from copilot.core.refusal_risk import refusal_risk
from copilot.core.reply import Autonomy, Decision, Proposal, Reply, Verdict
from copilot.core.reply_keys import (
    CannotType,
    matches_any,
    permits_more,
    plan_keys,
    plan_refusal,
    refusing_option,
    widens,
)
from copilot.core.risk import NO_RISK, Risk, RiskLevel
from copilot.core.run_end import STALLED
from copilot.core.screen_kinds import PERSONS_KINDS, SCREEN_KINDS, SECRET_KINDS, ScreenKind, kind_noun

ASSIST_KINDS = frozenset(kind for kind, entry in SCREEN_KINDS.items() if entry.assisted)
MIN_CONFIDENCE = 0.5
"""A reply of lower confidence is held."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """What policy knows besides the prompt and the proposal."""

    autonomy: Autonomy
    limits: Limits
    reply_keys: ReplyKeys
    headless: bool = False
    trust: bool = False
    launch_folders: tuple[str, ...] = ()
    """All spellings of the launch folder's path: a trust dialog may show any of them."""
    unrecorded: str = ""
    """Why the run can no longer be recorded; empty while it is."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """A verdict and the id of the policy rule that gave it."""

    verdict: Verdict
    rule: str
    reason: str
    countdown_seconds: float = 0.0


def before_asking(  # noqa: PLR0911  one line a rule
    detection: Detection, risk: Risk, situation: Situation
) -> Ruling | None:
    """The ruling on a prompt that is not shown to a provider; None if it may be."""
    kind = detection.kind
    if kind is ScreenKind.UNKNOWN:
        stalled = detection.note if detection.rule == STALLED else ""
        return Ruling(Verdict.ESCALATE, "policy.unknown", stalled or "the screen is not understood")
    if kind is ScreenKind.MENU and detection.draft:
        return Ruling(Verdict.ESCALATE, "policy.draft", "a list opened while you type")
    if kind in SECRET_KINDS:
        return Ruling(Verdict.ESCALATE, "policy.secret", f"{kind_noun(kind)} is only ever answered by you")
    if situation.unrecorded:
        return Ruling(Verdict.ESCALATE, "policy.unrecorded", situation.unrecorded)
    if situation.autonomy is Autonomy.WATCH:
        return Ruling(Verdict.ESCALATE, "policy.watch", "at level watch, nothing is proposed")
    if risk.level is RiskLevel.FORBIDDEN:
        return Ruling(Verdict.ESCALATE, "policy.forbidden", risk.reason)
    return None


def trust_reply(detection: Detection, situation: Situation) -> Reply | None:
    """The option that trusts the launch folder, if `--trust` is given; no provider is asked."""
    withheld = situation.autonomy is Autonomy.WATCH or bool(situation.unrecorded)
    if detection.kind is not ScreenKind.TRUST or not situation.trust or withheld:
        return None
    if detection.subject is not None and not _is_launch_folder(detection.subject, situation.launch_folders):
        return None
    keys = situation.reply_keys
    for option in detection.options:
        trusts = matches_any(option.label, keys.trust_options)
        if trusts and not widens(option, keys) and not matches_any(option.label, keys.refuse_options):
            return Reply(choice=option.label)
    return None


def _is_launch_folder(shown: Subject, launch_folders: tuple[str, ...]) -> bool:
    """Whether a dialog can mean the launch folder; a cut path matches by its start or its end."""
    path = "".join(shown.text.split()).strip("…").rstrip("/")
    if path[:1] not in ("/", "~") and not shown.cut:
        return True
    folders = ["".join(folder.split()) for folder in launch_folders]
    if shown.cut:
        return not folders or any(folder.startswith(path) or folder.endswith(path) for folder in folders)
    return not folders or path in folders


@dataclass(frozen=True, slots=True)
class PromptRisks:
    """The risk of approving a prompt, and of each option by its label.

    At a text line, `options` holds one risk: that of typing a yes.
    """

    prompt: Risk = NO_RISK
    options: tuple[Risk, ...] = ()

    def of(self, detection: Detection, reply: Reply) -> Risk:
        """The higher of the prompt's and the option's risk; at a permission only the prompt's counts."""
        if asks_in_a_line(detection) and len(self.options) == 1 and _says_yes(detection, reply.text or ""):
            return max(self.prompt, self.options[0], key=lambda risk: risk.level)
        chosen = self.of_option(detection, reply.choice)
        label_counts = detection.kind is not ScreenKind.PERMISSION
        return chosen if label_counts and chosen.level > self.prompt.level else self.prompt

    def of_option(self, detection: Detection, label: str | None) -> Risk:
        """The risk of an option by its label; `NO_RISK` if it is not listed or was not judged."""
        option = detection.option_named(label) if label is not None else None
        if option is None or len(self.options) != len(detection.options):
            return NO_RISK
        return self.options[detection.options.index(option)]


_YES_LIST = """
y yes yeah yep yup ok okay sure affirmative absolutely definitely certainly confirm confirmed proceed continue
approve approved accept agree agreed ja oui si sí sim da да tak evet kyllä はい 是 好 네 예
"""
_YES_WORDS = frozenset(_YES_LIST.split())
"""A reply that begins with one of these means yes."""
_YES_SIGNS = frozenset(("1", "true", "t", "j", "o", "s", "d", "д", "e", "k"))
"""Each is a yes if it is the whole reply to a question; without a question mark it is an ordinary value."""
_FIRST_WORD = re2.compile(r"\pL+")
_OPEN_QUESTION = re2.compile(r"(?i)^\W*(?:what|which|where|who|whose|when|why|how)\b")
"""A question that yes does not answer."""


def _says_yes(detection: Detection, text: str) -> bool:
    """Whether `text`, typed at this prompt, means yes."""
    plain = text.strip().strip(".!").casefold()
    first = _FIRST_WORD.search(plain)
    if not asks_with_a_mark(detection) or _OPEN_QUESTION.search(detection.question or ""):
        return plain in _YES_WORDS
    return plain in _YES_SIGNS or (first is not None and first.group() in _YES_WORDS)


def risk_of(detection: Detection, reply: Reply, risks: PromptRisks, keys: ReplyKeys) -> Risk:
    """The risk of sending `reply`.

    A refusal has no risk, with two exceptions: the question offers to keep or to stop something, or the
    label refuses and destroys at once ("Cancel and delete the branch").
    """
    if not refuses(reply, keys):
        return risks.of(detection, reply)
    chosen = risks.of_option(detection, reply.choice)
    if chosen.level > RiskLevel.LOW:
        return replace(chosen, level=max(chosen.level, RiskLevel.HIGH))  # it says more than no
    return refusal_risk(detection) or NO_RISK


def rule_on(detection: Detection, proposal: Proposal, risks: PromptRisks, situation: Situation) -> Ruling:
    """The ruling of the first of `POLICY_RULES` that applies to `proposal`."""
    risk = risk_of(detection, proposal.reply, risks, situation.reply_keys)
    case = Case(detection, proposal, risk, situation)
    return next(ruling for rule in POLICY_RULES if (ruling := rule(case)) is not None)


@dataclass(frozen=True, slots=True)
class Case:
    """A proposal with all that the policy rules look at. `risk` is that of sending it."""

    detection: Detection
    proposal: Proposal
    risk: Risk
    situation: Situation

    @property
    def keys(self) -> ReplyKeys:
        return self.situation.reply_keys

    def held(self, rule: str, reason: str) -> Ruling:
        return Ruling(Verdict.HOLD, rule, reason)


def _person_only(case: Case) -> Ruling | None:
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
    if option is None:
        return None
    known = widens(option, case.keys)
    if not known and not permits_more(case.detection, option, case.keys):
        return None
    if matches_any(option.label, case.situation.limits.allow_widening):
        return None
    if not known:
        return case.held(
            "policy.widening", "this option is no bare yes: it may permit more than what is asked"
        )
    return case.held("policy.widening", "this option widens what the CLI may do unasked")


def _trusts(case: Case) -> Ruling | None:
    if case.detection.kind is not ScreenKind.TRUST or refuses(case.proposal.reply, case.keys):
        return None
    return case.held("policy.trust", "trust is given by you, or by --trust for the launch folder")


def _edits(case: Case) -> Ruling | None:
    if case.detection.kind is not ScreenKind.EDITOR:
        return None
    return case.held("policy.editor", "only you type in an editor")


def _forbidden(case: Case) -> Ruling | None:
    if case.risk.level is not RiskLevel.FORBIDDEN:
        return None
    return case.held("policy.forbidden", case.risk.reason)


def _level_sends_nothing(case: Case) -> Ruling | None:
    level = case.situation.autonomy
    if level.acts:
        return None
    return case.held("policy.level", f"at level {level.value}, every reply waits for you")


def _unsure(case: Case) -> Ruling | None:
    confidence = case.proposal.confidence
    if confidence >= MIN_CONFIDENCE:
        return None
    return case.held("policy.unsure", f"the model is only {confidence:.0%} sure")


def ceiling(level: Autonomy, kind: ScreenKind | None, limits: Limits) -> RiskLevel | None:
    """The highest risk that `level` approves without a person at this kind of prompt; None if it never does.

    `kind` is None for a command without a prompt.
    """
    if not level.acts or kind in PERSONS_KINDS:
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


POLICY_RULES: tuple[Callable[[Case], Ruling | None], ...] = (
    _person_only,
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
"""Strictest first; the last rule always applies."""


def _risk_words(risk: Risk) -> str:
    return f"risk {risk.level.word}: {risk.reason}" if risk.reason else f"risk {risk.level.word}"


def refuses(reply: Reply, keys: ReplyKeys) -> bool:
    """Whether the reply chooses an option that refuses."""
    return reply.choice is not None and matches_any(reply.choice, keys.refuse_options)


def rule_unattended(detection: Detection, risks: PromptRisks, ruling: Ruling, situation: Situation) -> Ruling:
    """In a headless run, a held reply becomes the safe refusal if one is known, else an escalation.

    Levels below assist type no refusal either.
    """
    if not situation.headless or ruling.verdict not in (Verdict.HOLD, Verdict.ESCALATE):
        return ruling
    if situation.unrecorded or not situation.autonomy.acts:
        return Ruling(Verdict.ESCALATE, ruling.rule, ruling.reason)
    if detection.kind in SECRET_KINDS or detection.kind is ScreenKind.UNKNOWN:
        return Ruling(Verdict.ESCALATE, ruling.rule, ruling.reason)
    if refusal_risk(detection) is None and _has_safe_refusal(detection, risks, situation.reply_keys):
        return Ruling(Verdict.REFUSE, ruling.rule, ruling.reason)
    return Ruling(Verdict.ESCALATE, ruling.rule, ruling.reason)


def _has_safe_refusal(detection: Detection, risks: PromptRisks, keys: ReplyKeys) -> bool:
    """Whether the profile knows a refusal for this prompt whose label is harmless."""
    option = refusing_option(detection, keys)
    if option is not None and risks.of_option(detection, option.label).level > RiskLevel.LOW:
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
