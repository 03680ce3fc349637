"""`Examiner`: one look at one screen. Ranks the evidence: what the CLI reports, then the rules' reading.

The report says *that* something is asked, the screen says *what*. Where they disagree the reading is
`unknown`, with a note, and only the person answers it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from copilot.core.detection import (
    Detection,
    EvidenceSource,
)
from copilot.core.profile import Profile
from copilot.core.run_end import exit_words
from copilot.core.screen_kinds import (
    PROMPT_KINDS,
    SECRET_KINDS,
    TEXT_KINDS,
    ScreenKind,
)
from copilot.core.screen_rules import Rule, ScreenRules
from copilot.core.snapshot import UNKNOWN_FACTS, ScreenSnapshot, TtyFacts
from copilot.detection.conditions import failure
from copilot.detection.cursor_elsewhere import behind_last_row, edits_line, is_open_above, parked, reads_lines
from copilot.detection.offered import FORM as OFFERED
from copilot.detection.patterns import compiled
from copilot.detection.plain_subject import plain_subject
from copilot.detection.readings import identity_of, of_composer, read, rests_on_tty, typed_numbers
from copilot.detection.regions import Regions
from copilot.detection.reports import Reported, reported
from copilot.detection.witness import load_witness

_WORKS = frozenset({ScreenKind.BUSY, ScreenKind.STARTING})
_NOTHING_ASKED = _WORKS | {ScreenKind.UNKNOWN}
_ELSEWHERE = "the cursor is elsewhere, and the program reads the terminal"
_OPEN_ABOVE = "a question stands above that was not answered: what is read now may be its answer"


@dataclass(frozen=True, slots=True)
class RuleVerdict:
    """One rule on one screen: whether it matched, else the first reason why not."""

    rule: Rule
    matched: bool
    why_not: str = ""


@dataclass(frozen=True)
class Examination:
    """What one look gave: the raw (not yet settled) detection, and on demand every rule with its reason."""

    detection: Detection
    report: Reported | None
    regions: Regions
    facts: TtyFacts
    rules: tuple[Rule, ...]

    def verdicts(self) -> Iterator[RuleVerdict]:
        """Every rule of the profile, the highest priority first."""
        for rule in self.rules:
            why = failure(rule, self.regions, self.facts)
            yield RuleVerdict(rule, why is None, why or "")


class Examiner:
    """Reads screens as one profile says. Made once per session; `examine` is a pure function."""

    def __init__(self, profile: Profile, version: str = "") -> None:
        """`version` of the CLI, if known, leaves out rules that are not for it.

        Raises BadPattern for a regular expression that RE2 does not take.
        """
        self.profile = profile
        self.screen: ScreenRules = profile.screen
        rules = [rule for rule in profile.screen.rules if version_fits(version, rule.versions)]
        self.rules = tuple(sorted(rules, key=lambda rule: -rule.priority))
        self._witness = load_witness(self.screen.classifier) if self.screen.classifier else None
        for rule in self.rules:
            for _, pattern in patterns_of(rule):
                compiled(pattern)

    def examine(
        self,
        snapshot: ScreenSnapshot,
        facts: TtyFacts = UNKNOWN_FACTS,
        exit_status: int | None = None,
    ) -> Examination:
        """One look, not to be taken inside a synchronized update.

        The detection's `identity` is the bare fingerprint; the settler counts occurrences.
        """
        regions = Regions(snapshot, self.screen)
        report = reported(snapshot, self.screen.evidence)
        detection = self._detected(regions, facts, exit_status, report)
        if (
            exit_status is None
            and report is None
            and facts.reading
            and self._asks_nothing_at_cursor(detection)
        ):
            regions, detection = self._elsewhere(regions, facts) or (regions, detection)
        own = self.profile.verified and detection.rule.startswith(f"{self.profile.name}.")
        if not own:
            detection = _without_offers(detection, regions)
        if not self.profile.verified and detection.kind is ScreenKind.PERMISSION:
            detection = _with_plain_subject(detection, report, regions)
        detection = replace(detection, proven=own or _takes_text(detection, report, facts))
        if self._witness is not None and exit_status is None:
            detection = self._witness.heard(detection, tuple(regions.rows.texts), snapshot.cursor.row)
        return Examination(detection, report, regions, facts, self.rules)

    def _asks_nothing_at_cursor(self, detection: Detection) -> bool:
        rule = next((one for one in self.rules if one.id == detection.rule), None)
        return detection.kind in _NOTHING_ASKED or (rule is not None and rule.options == OFFERED)

    def _elsewhere(self, regions: Regions, facts: TtyFacts) -> tuple[Regions, Detection] | None:
        """What is asked where the cursor is not, by a program that reads the terminal; None if nothing is."""
        snapshot, rows = regions.snapshot, regions.rows
        line = reads_lines(facts) or edits_line(snapshot, facts)
        asked = self._moved(behind_last_row(snapshot, rows), facts, _at_cursor) if line else None
        if asked is not None and is_open_above(rows):
            return regions, _plain(ScreenKind.UNKNOWN, "engine.open_above", _OPEN_ABOVE, regions)
        if asked is not None:
            return asked
        asked = self._moved(parked(snapshot, rows), facts, _of_dialog)
        if asked is None or not reads_lines(facts):
            return asked
        moved, detection = asked
        return moved, typed_numbers(detection, moved)

    def _moved(
        self, snapshot: ScreenSnapshot | None, facts: TtyFacts, fits: Callable[[Rule], bool]
    ) -> tuple[Regions, Detection] | None:
        """The reading of a screen whose cursor was moved, if a rule decides that fits; else None."""
        if snapshot is None:
            return None
        regions = Regions(snapshot, self.screen)
        best = self._first(regions, facts)
        if best is None or not fits(best):
            return None
        return regions, replace(read(best, regions), source=EvidenceSource.TTY, note=_ELSEWHERE)

    def _detected(
        self, regions: Regions, facts: TtyFacts, exit_status: int | None, report: Reported | None
    ) -> Detection:
        if exit_status is not None:
            how = f"ended with status {exit_status}" if exit_status >= 0 else exit_words(exit_status)
            return _plain(ScreenKind.EXITED, "engine.exited", how, regions)
        best = self._first(regions, facts)
        if report is None:
            return read(best, regions) if best is not None else _nothing(regions)
        if report.says == "working":
            return self._while_working(best, report, regions)
        if report.says == "blocked":
            return self._while_blocked(best, report, regions, facts)
        return self._while_ready(best, report, regions, facts)

    def _first(self, regions: Regions, facts: TtyFacts, skip: frozenset[str] = frozenset()) -> Rule | None:
        """The matching rule of the highest priority, leaving out those named in `skip`."""
        for rule in self.rules:
            if rule.id not in skip and failure(rule, regions, facts) is None:
                return rule
        return None

    def _while_working(self, best: Rule | None, report: Reported, regions: Regions) -> Detection:
        if best is None or of_composer(best) or ScreenKind(best.kind) in _WORKS | {ScreenKind.UNKNOWN}:
            works = best is not None and ScreenKind(best.kind) is ScreenKind.BUSY
            rows = read(best, regions).evidence if works and best is not None else ()
            detection = _plain(ScreenKind.BUSY, f"report.{report.says}", f"the {report.by} says so", regions)
            return replace(detection, source=EvidenceSource.REPORT, evidence=rows)
        if not self.screen.evidence.working_outranks:
            return read(best, regions)
        note = f"the {report.by} says that it works, the screen looks like {best.kind} ({best.id})"
        return _plain(ScreenKind.UNKNOWN, "report.disagrees", note, regions)

    def _while_blocked(
        self, best: Rule | None, report: Reported, regions: Regions, facts: TtyFacts
    ) -> Detection:
        skip: set[str] = set()
        rule = best
        while rule is not None and (
            of_composer(rule) or ScreenKind(rule.kind) in _WORKS | {ScreenKind.UNKNOWN}
        ):
            skip.add(rule.id)
            rule = self._first(regions, facts, frozenset(skip))
        if rule is None:
            wait = report.kind or "blocked"
            note = f"the {report.by} says that it waits ({wait}), the screen does not show for what"
            return _plain(ScreenKind.UNKNOWN, "report.blocked", note, regions)
        return _backed(read(rule, regions))

    def _while_ready(
        self, best: Rule | None, report: Reported, regions: Regions, facts: TtyFacts
    ) -> Detection:
        if best is None:
            note = f"the {report.by} says {report.says}, the screen shows no prompt"
            return _plain(ScreenKind.UNKNOWN, "report.ready", note, regions)
        kind = ScreenKind(best.kind)
        if kind in _WORKS:
            note = f"the {report.by} says {report.says}, the screen looks {best.kind} ({best.id})"
            return _plain(ScreenKind.UNKNOWN, "report.disagrees", note, regions)
        detection = read(best, regions)
        if not of_composer(best):
            return detection
        if report.says == "error":
            detection = replace(
                detection, kind=ScreenKind.ERROR, question=_error_text(report, detection, regions)
            )
        elif report.says == "done" and kind is ScreenKind.IDLE:
            detection = replace(detection, kind=ScreenKind.COMPLETED)
        return _backed(replace(detection, identity=identity_of(detection, regions)))


def _at_cursor(rule: Rule) -> bool:
    """Whether the rule reads a question in the line at the cursor, by its words."""
    kind = ScreenKind(rule.kind)
    worded = kind in SECRET_KINDS or not rests_on_tty(rule)
    return kind in PROMPT_KINDS and worded and any("end" in clause.cursor.split() for clause in rule.all)


def _of_dialog(rule: Rule) -> bool:
    asks = ScreenKind(rule.kind) in PROMPT_KINDS and rule.region == "dialog"
    return asks and rule.options != OFFERED and not rests_on_tty(rule)


def _takes_text(detection: Detection, report: Reported | None, facts: TtyFacts) -> bool:
    """Whether the CLI reports that it is ready for the next instruction, or a line is read.

    In the terminal's line mode nothing acts before Enter, and the program gets the line as it is.
    """
    ready = report is not None and report.says in ("idle", "done", "error") and detection.kind in TEXT_KINDS
    return ready or (facts.canonical is True and facts.echo is True)


def _without_offers(detection: Detection, regions: Regions) -> Detection:
    """The detection, but `unknown` where text would be typed beside choices that no rule read as options."""
    if detection.kind not in TEXT_KINDS or detection.options or regions.offered is None:
        return detection
    note = "the last rows offer choices that no rule understands"
    rows = tuple(range(regions.offered.first_row, regions.offered.last_row + 1))
    return replace(_plain(ScreenKind.UNKNOWN, "engine.offers", note, regions), evidence=rows)


def _with_plain_subject(detection: Detection, report: Reported | None, regions: Regions) -> Detection:
    """The detection, its subject only what every row of the dialog bears out; another one is uncertain."""
    subject = plain_subject(regions)
    if subject is None and detection.subject is not None:
        odd = detection.subject.odd or "not every row of its dialog is understood"
        subject = replace(detection.subject, cut=True, odd=odd, unproven=True)
    if subject is not None and report is not None and report.says == "working":
        subject = replace(subject, cut=True, odd=f"the {report.by} says that it works")
    if subject is None:
        return detection
    detection = replace(detection, subject=subject)
    return replace(detection, identity=identity_of(detection, regions))


def _backed(detection: Detection) -> Detection:
    return replace(detection, source=EvidenceSource.REPORT)


def _error_text(report: Reported, detection: Detection, regions: Regions) -> str | None:
    if detection.kind is ScreenKind.ERROR and detection.question:
        return detection.question
    if report.message:
        return report.message
    end, _ = regions.message_end
    return regions.rows.texts[end].strip() if end >= 0 else None


def _plain(kind: ScreenKind, rule: str, note: str, regions: Regions) -> Detection:
    box = None if kind is ScreenKind.EXITED else regions.composer
    return Detection(
        kind,
        rule=rule,
        note=note,
        draft=box.draft if box is not None else "",
        columns=regions.snapshot.columns,
    )


def _nothing(regions: Regions) -> Detection:
    if not regions.rows.text_rows:
        blank = _plain(ScreenKind.STARTING, "engine.blank", "nothing is on the screen yet", regions)
        return replace(blank, certainty=0.3)
    note = "no rule of the profile understands this screen"
    return replace(_plain(ScreenKind.UNKNOWN, "engine.no_rule", note, regions), certainty=0.0)


def patterns_of(rule: Rule) -> Iterator[tuple[str, str]]:
    """The regular expressions of a rule, each with its key."""
    for name in ("all", "any", "not_"):
        for number, clause in enumerate(getattr(rule, name)):
            for key in ("pattern", "status", "title"):
                if getattr(clause, key):
                    yield f"{name.rstrip('_')}[{number}].{key}", getattr(clause, key)
    if rule.question:
        yield "question", rule.question
    if rule.bare:
        yield "bare", rule.bare
    for number, subject in enumerate(rule.subjects):
        for key in ("start", "end", "cut", "message", "when", "tail", "header", "asks"):
            if getattr(subject, key):
                yield f"subjects[{number}].{key}", getattr(subject, key)


def version_fits(version: str, wanted: str) -> bool:
    """Whether a version lies in a range such as `>=2.1, <3`. An unknown version or an empty range fits."""
    if not version or not wanted:
        return True
    have = _numbers(version)
    for part in wanted.split(","):
        text = part.strip()
        sign = text.rstrip("0123456789. ")
        limit = _numbers(text[len(sign) :])
        width = max(len(have), len(limit))
        left = have + (0,) * (width - len(have))
        right = limit + (0,) * (width - len(limit))
        holds = {">=": left >= right, "<=": left <= right, ">": left > right, "<": left < right}
        if not holds.get(sign.strip(), left[: len(limit)] == limit):
            return False
    return True


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())
