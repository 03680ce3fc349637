"""What counted at the present moment: reading and evidence, proposal, risk, decision, keys, outcome."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from textual.content import Content

from copilot.core.detection import Detection
from copilot.core.plan_progress import shown_kind
from copilot.core.provider_registry import what_it_saw
from copilot.core.reply import Proposal
from copilot.core.risk import Risk, RiskLevel
from copilot.core.screen_kinds import KIND_WORDS
from copilot.engine.history import has_reply, reply_words
from copilot.engine.plan_history import HELD, Move, PlanHistory, PlanStep, move_words
from copilot.engine.review import Moment, Prompt
from copilot.replay.redetect import Change
from copilot.replay.verdicts import Verdict
from copilot.tui.describe import RISK_SHAPES, RISK_TONES, SOURCE_WORDS, count, money
from copilot.tui.replay.describe import badge_of, held_reason, verdict_sign
from copilot.tui.replay.model import clock
from copilot.tui.text import badge_style, clean_line, hanging, outside, outside_line
from copilot.tui.widgets.detector_panel import evidence_line
from copilot.tui.widgets.reply_panel import before_label

_SIGNS = {
    "began": ("»", "accent"),
    "typing": ("»", "accent"),
    "sent": ("━", "primary"),
    "unclear": ("?", "warning"),
    "done": ("✓", "success"),
    "skipped": ("-", "quiet"),
    "failed": ("✗", "error"),
    HELD: ("▲", "warning"),
}
_UNKNOWN = ("·", "quiet")


def plan_content(plan: PlanHistory | None, at: float) -> Content:
    """Nothing for a run without a plan. A finished step is one line, unless it failed."""
    if plan is None or not any(move.at <= at + 1e-9 for move in plan.moves):
        return Content("")
    begun = [step for step in plan.steps.values() if step.begun_at(at)]
    lines = [Content.assemble(("the plan ", "bold $primary"), outside_line(plan.name, "bold $primary"))]
    for step in begun:
        lines += _step(step, at, last=step is begun[-1])
    return Content("\n").join(lines)


def _step(step: PlanStep, at: float, *, last: bool) -> Iterator[Content]:
    move = step.move_at(at)
    yield _line(move, "", step.label)
    if move is not None and move.state == "done" and not last:
        return
    for part in step.parts:
        present = part.move_at(at)
        if present is not None:
            yield _line(present, "  ", ": ".join(filter(None, (part.name, part.text))))


def _line(move: Move | None, indent: str, words: str) -> Content:
    shape, tone = _SIGNS.get(move.state, _UNKNOWN) if move is not None else _UNKNOWN
    why = (("  ", ""), outside_line(move_words(move), "$quiet")) if move is not None and move.text else ()
    return Content.assemble(indent, (f"{shape} ", f"bold ${tone}"), outside_line(words), *why)


_MOST_EVIDENCE = 6
_MOST_PROMPT_LINES = 12


def seen_content(moment: Moment, row_text: Callable[[int], str], width: int = 76) -> Content:
    """What was seen, in rows of `width` cells. `row_text` gives a row of the terminal."""
    return Content("\n").join(_detection(moment, row_text, width))


def done_content(
    moment: Moment,
    *,
    verdict: Verdict | None = None,
    changes: Sequence[Change] = (),
    model_saw: str = "",
) -> Content:
    """What was made of it, up to that moment; `model_saw` is the request, of which a part is shown."""
    prompt = moment.prompt
    if prompt is None:
        return Content("\n").join(_gone(moment)[1:])
    lines = [
        *_verdict(verdict),
        *(line for change in changes for line in _change(change)),
        *_proposal(prompt, moment.at),
        *_decision(prompt, moment),
        *_history(prompt, moment.at),
        *_request(prompt.provider, model_saw),
    ]
    return Content("\n").join(lines[1:])


def _heading(text: str) -> list[Content]:
    return [Content(""), Content.styled(text, "bold $primary")]


def _detection(moment: Moment, row_text: Callable[[int], str], width: int) -> Iterator[Content]:
    detection, sign = moment.detection, badge_of(moment)
    kind = shown_kind(detection)
    yield Content.assemble(
        (f" {sign.shape} {sign.word.upper()} ", badge_style(sign.tone)),
        f" {kind}" if kind != sign.word else "",
    )
    if held := held_reason(moment):
        yield hanging(Content.styled("▲ held  ", "bold $warning"), outside_line(held), width)
    if detection.question:
        yield outside_line(detection.question, "bold")
    if (subject := detection.shown_subject) is not None:
        cut = " (cut off)" if subject.cut else ""
        action = Content.styled(f"{subject.action}{cut} ", "$quiet")
        yield hanging(action, outside_line(subject.text), width)
    yield from _options(moment, width)
    if detection.rule:
        sure = "" if detection.certainty >= 0.995 else f" · {detection.certainty:.0%} sure"
        yield Content.styled(
            f"{clean_line(detection.rule)} · {SOURCE_WORDS[detection.source]}{sure}", "$quiet"
        )
    if detection.note:
        yield outside_line(detection.note, "$quiet")
    if detection.waiting:
        yield from _evidence(detection, row_text, width)


def _options(moment: Moment, width: int) -> Iterator[Content]:
    """The options as the reply panel has them; beside the mark the program's own cursor at that moment."""
    prompt, detection = moment.prompt, moment.detection
    proposal = prompt.offered_at(moment.at) if prompt is not None else None
    choice = proposal.reply.choice if proposal is not None else None
    proposed = detection.option_named(choice) if choice is not None else None
    for option in detection.options:
        own, lead = ("❯ " if option.selected else "  ", "$quiet"), before_label(option)
        chosen = option is proposed
        mark, style = (("▸ ", "bold $accent"), "bold") if chosen else (("  ", ""), "")
        tail = Content.styled(" ◆ proposed", "bold $accent") if chosen else Content("")
        head = Content.assemble(mark, own, (lead, style))
        yield hanging(head, outside_line(option.label, style) + tail, width)


def _evidence(detection: Detection, row_text: Callable[[int], str], width: int) -> Iterator[Content]:
    rows = [row for row in detection.evidence if row_text(row).strip()]
    for row in rows[:_MOST_EVIDENCE]:
        yield evidence_line(row, row_text(row), width)
    if len(rows) > _MOST_EVIDENCE:
        yield Content.styled(f"     and {len(rows) - _MOST_EVIDENCE} more", "$quiet")


def _verdict(verdict: Verdict | None) -> list[Content]:
    if verdict is None:
        return []
    kind = f" (it is {KIND_WORDS[verdict.kind]})" if verdict.kind is not None else ""
    line = Content.assemble((f"{verdict.word.value}{kind} ", "bold"), outside_line(verdict.note))
    return [*_heading("your verdict"), line]


def _change(change: Change) -> list[Content]:
    return [
        *_heading("today otherwise"),
        Content.assemble(("≠ ", "bold $error"), outside_line(change.what)),
        Content.assemble(("was  ", "$quiet"), outside_line(change.before)),
        Content.assemble(("is   ", "$quiet"), outside_line(change.after)),
    ]


def _proposal(prompt: Prompt, at: float) -> list[Content]:
    proposal, expired = prompt.proposal_at(at), prompt.expired_at(at)
    died = [Content.assemble(("✗ expired  ", "bold $warning"), outside_line(expired))] if expired else []
    if proposal is None:
        return [Content(""), *died] if died else []
    there = has_reply(proposal.reply)
    style = "strike $quiet" if expired else "bold" if there else "$quiet"
    lines = [
        *_heading("the reply proposed" if there else "no reply proposed"),
        *died,
        outside(reply_words(proposal.reply), style),
    ]
    if proposal.reason:
        lines.append(outside(proposal.reason))
    if proposal.clarification:
        lines.append(Content.assemble(("asks you: ", "$warning"), outside_line(proposal.clarification)))
    return [*lines, Content.styled(_by(proposal), "$quiet")]


def _gone(moment: Moment) -> list[Content]:
    """The reply that died with its prompt, as the cockpit still shows it."""
    return _proposal(moment.gone, moment.at) if moment.gone is not None else []


def _by(proposal: Proposal) -> str:
    usage = proposal.usage
    parts = [
        proposal.provider,
        proposal.model,
        f"{proposal.confidence:.0%} sure",
        f"{proposal.seconds:.1f} s",
    ]
    if usage.input_tokens or usage.output_tokens:
        parts += [f"{count(usage.input_tokens)}→{count(usage.output_tokens)} tok", money(usage.cost_usd)]
    return clean_line(" · ".join(part for part in parts if part))


def _decision(prompt: Prompt, moment: Moment) -> list[Content]:
    decision = prompt.decision_at(moment.at)
    if decision is None:
        return [*_heading("risk of a yes"), *_risk(prompt.risk)] if prompt.detection.asks else []
    sign = verdict_sign(prompt, decision, moment)
    # That is below the badge already.
    reason = decision.reason if decision.reason != held_reason(moment) else ""
    risk = max(decision.risk.level, prompt.risk.level)
    # In a small window the risk itself is below the edge.
    whose = "" if risk is decision.risk.level else " of a yes"
    badge = (f"  {RISK_SHAPES[risk]} {risk.word} risk{whose}", f"bold ${RISK_TONES[risk]}")
    return [
        Content(""),
        Content.assemble(("the decision", "bold $primary"), *([badge] if risk >= RiskLevel.HIGH else [])),
        Content.assemble((f"{sign.shape} {sign.word}  ", f"bold ${sign.tone}"), outside_line(reason)),
        Content.styled(clean_line(f"{decision.rule} · by {decision.by}"), "$quiet"),
        *_heading("risk"),
        *_risk(decision.risk),
        *(_yes_would(prompt.risk) if prompt.risk.level > decision.risk.level else ()),
    ]


def _yes_would(risk: Risk) -> list[Content]:
    """The risk of a yes, where what was decided is milder: a refusal risks nothing."""
    return [*_heading("risk of a yes"), *_risk(risk)]


def _risk(risk: Risk) -> Iterator[Content]:
    tone = RISK_TONES[risk.level]
    yield Content.assemble(
        (f"{RISK_SHAPES[risk.level]} {risk.level.word} ", f"bold ${tone}"), (clean_line(risk.rule), "$quiet")
    )
    for reason in risk.reasons:
        yield outside_line(f"  {reason}")
    if risk.part:
        yield Content.assemble(("  in  ", "$quiet"), outside_line(risk.part))


def _history(prompt: Prompt, at: float) -> list[Content]:
    happened = [one for one in prompt.history if one.at <= at + 1e-6]
    if not happened:
        return []
    lines = _heading("what happened")
    for one in happened:
        lines.append(
            Content.assemble(
                (f"{clock(one.at):>9} ", "$quiet"), (f"{one.word} ", "bold"), outside_line(one.text)
            )
        )
    return lines


def _request(provider: str, model_saw: str) -> list[Content]:
    if not model_saw:
        return []
    rows = model_saw.splitlines()
    lines = [outside(row, "$quiet") for row in rows[:_MOST_PROMPT_LINES]]
    more = len(rows) - _MOST_PROMPT_LINES
    if more > 0:
        lines.append(Content.styled(f"and {more} more lines; c shows them all", "$accent"))
    return [*_heading(what_it_saw(provider)), *lines]
