"""The risk of a no: it may lose what is kept, go on with what would be stopped, or start something itself."""

from __future__ import annotations

import re2

from copilot.core.detection import Detection
from copilot.core.risk import Risk, RiskLevel
from copilot.core.screen_kinds import ScreenKind

_KEEPING = re2.compile(r"(?i)\b(keep|preserve|retain|save|back ?up)\b")
_STOPPING = re2.compile(
    r"(?im)(?:^\W*|[.!?:,]\s+|\b(?:to|i|we|you|please)\s+)(?:cancel|stop|abort|skip|leave|exclude"
    r"|ignore|postpone|delay"
    r"|prevent|block|quit|exit|interrupt|halt|suspend|pause|protect|exempt|spare|undo|roll(?:ing)? ?back)\b"
)
"""Answering no to such a question lets something continue."""


_STATES = re2.compile(
    r"(?im)(?:^|[.!?:]\s+)\W*(?:is|are|was|were|does|did|has|have|will|do (?:you|we|i|they) (?:still "
    r"|really |even )?(?:need|mind|use"
    r"|have|know|object|care|require|see))\b"
)
_JUDGES = re2.compile(
    r"(?i)\b(?:are you (?:really |absolutely |quite )?sure|(?:is|are|does|do) (?:this|that|it|these"
    r"|everything|the (?:above|information))\b"
    r".{0,40}\b(?:ok|okay|correct|right|fine|good))\b"
)
"""A no to these says that nothing shall happen."""
_SAFEGUARD = re2.compile(
    r"(?i)^\W*(?:(?:do|would|should|shall) (?:you|i|we) (?:want|like|prefer)? ?(?:me |us )?(?:to )?)?"
    r"(?:use|enable|require|restrict|limit|protect|encrypt|verify|keep|ask|confirm|check|sign|lock"
    r"|isolate)\b.{0,60}"
    r"\b(?:sandbox\w*|approvals?|restrict\w*|access|protect\w*|encrypt\w*|signatures?|confirmation"
    r"|permissions?|safe\w*|secur\w*"
    r"|authenticat\w*|password|limits?|isolat\w*|certificates?|hash\w*|checksums?|backups?)\b"
    r"|\b(?:dry.?run|localhost|read.?only|simulat\w*|preview only|ask (?:first|me|each|before))\b"
)


def refusal_risk(detection: Detection) -> Risk | None:
    """The risk of a no to an offer to keep or to stop something; None for other questions."""
    question = detection.question or ""
    if detection.kind in (ScreenKind.PERMISSION, ScreenKind.TRUST):
        return None
    if _KEEPING.search(question):
        return Risk(RiskLevel.HIGH, ("saying no may lose what the question offers to keep",), "risk.keep")
    if _STOPPING.search(question):
        return Risk(RiskLevel.HIGH, ("saying no continues what the question offers to stop",), "risk.stop")
    if _STATES.search(question) and not _JUDGES.search(question):
        return Risk(RiskLevel.HIGH, ("a no may be what starts something",), "risk.state")
    if _SAFEGUARD.search(question):
        return Risk(RiskLevel.HIGH, ("saying no may take a safeguard away",), "risk.safeguard")
    return None
