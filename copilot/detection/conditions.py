"""Match the clauses of a rule against one screen, and say which clause fails."""

from __future__ import annotations

from collections.abc import Iterator

from copilot.core.screen_rules import Clause, Rule
from copilot.core.snapshot import Style, TtyFacts
from copilot.detection.highlight import is_lit
from copilot.detection.patterns import compiled, found
from copilot.detection.questions import asks_yes_or_no, prose_question
from copilot.detection.regions import Region, Regions

STYLES = ("dim", "bold", "italic", "underline", "reverse", "plain", "coloured")
TTY_WORDS = ("reading", "idle", "silent", "echo", "canonical", "raw")
_PLAIN = Style()


def failure(rule: Rule, regions: Regions, facts: TtyFacts) -> str | None:
    """Why the rule does not match; None if it does."""
    if regions.region(rule.region) is None:
        return f"no region {rule.region!r} on this screen"
    for clause in rule.all:
        why = clause_failure(clause, rule.region, regions, facts)
        if why is not None:
            return f"all: {why}"
    if rule.any:
        reasons = []
        for clause in rule.any:
            why = clause_failure(clause, rule.region, regions, facts)
            if why is None:
                break
            reasons.append(why)
        else:
            return "any: " + "; ".join(reasons)
    for clause in rule.not_:
        if clause_failure(clause, rule.region, regions, facts) is None:
            return f"not: {_described(clause)} holds"
    return None


def clause_failure(clause: Clause, rule_region: str, regions: Regions, facts: TtyFacts) -> str | None:
    """Why this clause does not hold; None if it does."""
    for reason in _failures(clause, rule_region, regions, facts):
        return reason
    return None


def _failures(clause: Clause, rule_region: str, regions: Regions, facts: TtyFacts) -> Iterator[str]:
    if clause.composer is not None and clause.composer != (regions.composer is not None):
        yield "a composer is on the screen" if not clause.composer else "no composer is on the screen"
    if clause.cursor:
        missing = [word for word in clause.cursor.split() if word not in regions.cursor_place]
        if missing:
            yield f"the cursor is not {' '.join(missing)} but {' '.join(sorted(regions.cursor_place))}"
    alternate = clause.alternate_screen
    if alternate is not None and alternate != regions.snapshot.alternate_screen:
        yield "the alternate screen is " + ("off" if alternate else "on")
    if clause.title and not found(clause.title, regions.snapshot.title):
        yield f"the title {regions.snapshot.title!r} lacks {clause.title!r}"
    if clause.status and not found(clause.status, status_words(regions)):
        yield f"the program status {status_words(regions)!r} lacks {clause.status!r}"
    if clause.tty and not _tty_holds(clause.tty, facts):
        yield f"the terminal is not {clause.tty}"
    region = regions.region(clause.region or rule_region)
    if clause.form and not _shows_any(clause.form, regions):
        yield f"no live list of form {clause.form}"
    if clause.pattern:
        if region is None:
            yield f"no region {clause.region!r} on this screen"
        else:
            yield from _pattern_failures(clause, region, regions)


def _pattern_failures(clause: Clause, region: Region, regions: Regions) -> Iterator[str]:
    if clause.style:
        if not _styled(clause, region, regions):
            yield f"no {clause.style} text with '{clause.pattern}' in {region.name}"
    elif not (found(clause.pattern, region.text) or found(clause.pattern, region.flat)):
        yield f"'{clause.pattern}' is not in {region.name}"


def _styled(clause: Clause, region: Region, regions: Regions) -> bool:
    wanted = compiled(clause.pattern)
    for row in region.rows:
        for match in wanted.finditer(regions.rows.texts[row]):
            styles = regions.rows.styles_of(row, match.start(), match.end())
            if styles and all(has_style(style, clause.style) for style in styles):
                return True
    return False


def has_style(style: Style, word: str) -> bool:
    """Whether `style` is what `word`, one of STYLES, names."""
    if word == "plain":
        return style == _PLAIN
    if word == "coloured":
        return style.foreground != "default"
    return bool(getattr(style, word))


def _shows_any(form: str, regions: Regions) -> bool:
    return any(_shows(name, regions) for name in form.split("|"))


def _shows(form: str, regions: Regions) -> bool:
    if form == "turn_ended":
        return regions.message_end[1]
    if form == "framed":
        choices = regions.choices
        return choices is not None and regions.rows.framed[choices.first_row]
    if form == "lit":
        return regions.choices is not None and is_lit(regions.rows, regions.choices)
    if form in ("field", "cued_field"):
        field = regions.input_field
        return field is not None and (form == "field" or bool(field.cue))
    if form in ("prose", "prose_yes_no"):
        asked = prose_question(regions)
        return asked is not None and (form == "prose" or asks_yes_or_no(asked.text))
    return regions.form(form) is not None


def _tty_holds(word: str, facts: TtyFacts) -> bool:
    return all(_fact_holds(part, facts) for part in word.split())


def _fact_holds(word: str, facts: TtyFacts) -> bool:
    """Whether the fact that one of TTY_WORDS names holds; `WORD?` also holds while the fact is unknown."""
    unknown_holds = word.endswith("?")
    fact, wanted = {
        "reading": (facts.reading, True),
        "idle": (facts.reading, False),
        "silent": (facts.echo, False),
        "echo": (facts.echo, True),
        "canonical": (facts.canonical, True),
        "raw": (facts.canonical, False),
    }[word.rstrip("?")]
    return unknown_holds if fact is None else fact is wanted


def status_words(regions: Regions) -> str:
    """The program status as `state` or `state:kind`, empty without one."""
    status = regions.snapshot.program_status
    if status is None or status.state == "clear":
        return ""
    return f"{status.state}:{status.kind}" if status.kind else status.state


def _described(clause: Clause) -> str:
    parts = [
        f"{name} {value!r}"
        for name in ("pattern", "region", "style", "form", "status", "title", "cursor", "tty")
        if (value := getattr(clause, name))
    ]
    if clause.composer is not None:
        parts.append("a composer" if clause.composer else "no composer")
    if clause.alternate_screen is not None:
        parts.append(f"alternate screen {'on' if clause.alternate_screen else 'off'}")
    return ", ".join(parts)


def evidence_rows(rule: Rule, regions: Regions) -> tuple[int, ...]:
    """The rows that the rule's patterns match."""
    rows: set[int] = set()
    for clause in (*rule.all, *rule.any):
        region = regions.region(clause.region or rule.region)
        if clause.pattern and region is not None:
            rows.update(regions.numbers_of(clause.pattern, region))
    return tuple(sorted(rows))
