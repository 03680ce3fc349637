"""Why the screen is read as it is: every rule, whether it matches, and why not."""

from __future__ import annotations

from collections.abc import Callable

from textual.content import Content

from copilot.core.screen_kinds import KIND_WORDS
from copilot.detection import Examination, RuleVerdict
from copilot.tui.screens.dialog import Page
from copilot.tui.text import clean_line, hanging, outside_line

LOOK_SECONDS = 0.5
_KIND_CELLS = 10
_INDENT = 9


def explain_content(examination: Examination | None, width: int) -> Content:
    """The reading, then the rules that match, then the others in the order in which they are tried."""
    if examination is None:
        return Content.styled("nothing has been looked at yet", "$quiet")
    verdicts = list(examination.verdicts())
    matched = [verdict for verdict in verdicts if verdict.matched]
    missed = [verdict for verdict in verdicts if not verdict.matched]
    lines = [*_reading(examination, width), Content("")]
    lines.append(Content.styled(f"match: {len(matched)}, of which the first counts", "bold $primary"))
    lines += [_head(verdict) for verdict in matched] or [Content.styled("  none", "$quiet")]
    lines += [Content(""), Content.styled(f"do not match: {len(missed)}", "bold $primary")]
    for verdict in missed:
        lines += [_head(verdict), *_reason(verdict, width)]
    return Content("\n").join(lines)


def _reading(examination: Examination, width: int) -> list[Content]:
    """How the screen is read, and from what evidence."""
    detection, report = examination.detection, examination.report
    kind_and_rule = f"{KIND_WORDS[detection.kind]}, by {clean_line(detection.rule)}"
    source = f"  ({detection.source.name.lower()})"
    lines = [Content.assemble("read as ", (kind_and_rule, "bold"), (source, "$quiet"))]
    if detection.note:
        lines.append(outside_line(detection.note, "$warning"))
    if detection.question:
        lines.append(hanging(_quiet("question "), outside_line(detection.question), width))
    for option in detection.options:
        mark = Content(f"  {'❯' if option.selected else ' '} ")
        key = _quiet(f"  [{clean_line(option.key or 'arrows, Enter')}]")
        lines.append(hanging(mark, outside_line(option.label) + key, width))
    if (subject := detection.shown_subject) is not None:
        cut = " (cut off)" if subject.cut else ""
        what = _quiet(f"{subject.action}{cut} ")
        lines.append(hanging(what, outside_line(subject.text), width))
    reported = " ".join(("by", report.by, report.says, report.kind)) if report is not None else "nothing"
    lines.append(Content.styled(clean_line(f"the program reports {reported}"), "$quiet"))
    return lines


def _quiet(text: str) -> Content:
    return Content.styled(text, "$quiet")


def _head(verdict: RuleVerdict) -> Content:
    rule = verdict.rule
    mark = ("✓", "bold $success") if verdict.matched else ("·", "$quiet")
    style = "bold" if verdict.matched else ""
    return Content.assemble(
        mark,
        (f" {rule.priority:>3}  ", "$quiet"),
        (f"{rule.kind:<{_KIND_CELLS}} ", "$secondary"),
        outside_line(rule.id, style),
    )


def _reason(verdict: RuleVerdict, width: int) -> list[Content]:
    why_not = clean_line(verdict.why_not)
    return [hanging(Content(" " * _INDENT), _quiet(why_not), width)] if why_not else []


class ExplainScreen(Page, inherit_bindings=False):
    """The rules on what the screen is now. Updated as the program draws."""

    def __init__(self, look: Callable[[], Examination | None]) -> None:
        super().__init__("every rule, and why", lambda width: explain_content(look(), width), closed_by="x")

    def on_mount(self) -> None:
        self.set_interval(LOOK_SECONDS, self._update)
