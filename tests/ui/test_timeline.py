"""The line of a run: what each cell shows, and what a click on it means."""

from __future__ import annotations

from copilot.tui.widgets.timeline import (
    SPAN_LOOKS,
    Mark,
    Scale,
    Span,
    SpanKind,
    nearest_mark,
    timeline_content,
)

TEN = Scale(0.0, 100.0, 10)


def test_each_kind_has_a_shape_of_its_own() -> None:
    assert len({shape for shape, _tone in SPAN_LOOKS.values()}) == len(SpanKind)


def test_a_short_hold_in_a_long_run_is_seen() -> None:
    spans = [Span(0, 100, SpanKind.WORKING), Span(41.0, 41.2, SpanKind.HELD)]
    line = timeline_content(spans, [], TEN)
    assert line.plain == "▃▃▃▃▲▃▃▃▃▃"
    assert {str(span.style) for span in line.spans if span.start <= 4 < span.end} == {"bold $warning"}


def test_each_hold_has_its_shape_once_whether_a_decision_marks_it_or_not() -> None:
    spans = [Span(0, 19.9, SpanKind.HELD), Span(20, 39, SpanKind.WORKING), Span(40, 100, SpanKind.HELD)]
    assert timeline_content(spans, [], TEN).plain == "▲█▃▃▲█████"
    assert timeline_content(spans, [Mark(5, "●", "primary")], TEN).plain == "●▲▃▃▲█████"
    assert timeline_content(spans, [Mark(65, "▲", "warning")], TEN).plain == "▲█▃▃██▲███"


def test_time_without_a_state_is_a_thin_rail_and_spans_outside_are_left_out() -> None:
    spans = [Span(20, 39.9, SpanKind.READY), Span(150, 200, SpanKind.HELD)]
    assert timeline_content(spans, [], TEN).plain == "╌╌▁▁╌╌╌╌╌╌"


def test_the_weightiest_mark_of_a_cell_shows() -> None:
    marks = [Mark(55, "s", "success", weight=1), Mark(56, "h", "warning", weight=2), Mark(57, "s", "success")]
    assert timeline_content([], marks, TEN).plain == "╌╌╌╌╌h╌╌╌╌"


def test_the_chosen_mark_shows_whatever_weighs_more() -> None:
    light, heavy = Mark(55, "s", "success"), Mark(56, "h", "warning", weight=2)
    assert timeline_content([], [light, heavy], TEN, chosen=light).plain == "╌╌╌╌╌s╌╌╌╌"


def test_a_mark_in_a_held_span_does_not_have_its_colour() -> None:
    spans, marks = [Span(0, 49.9, SpanKind.HELD), Span(50, 100, SpanKind.WORKING)], [Mark(15, "▲", "warning")]
    line = timeline_content(spans, marks, TEN)
    assert {str(span.style) for span in line.spans if span.start <= 1 < span.end} == {"bold $foreground"}
    line = timeline_content(spans, [Mark(15, "●", "primary")], TEN)
    assert {str(span.style) for span in line.spans if span.start <= 1 < span.end} == {"bold $primary"}
    line = timeline_content(spans, [Mark(75, "▲", "warning")], TEN)
    assert {str(span.style) for span in line.spans if span.start <= 7 < span.end} == {"bold $warning"}


def test_the_last_moment_falls_into_the_last_cell() -> None:
    assert (TEN.cell(100.0), TEN.cell(0.0), TEN.cell(-5), TEN.cell(500)) == (9, 0, 0, 9)
    assert Scale(3.0, 3.0, 10).cell(3.0) == 0


def test_moment_of_a_cell_lies_in_it() -> None:
    assert all(TEN.cell(TEN.moment(cell)) == cell for cell in range(10))


def test_a_click_near_a_mark_means_it() -> None:
    marks = [Mark(15, "a", "accent"), Mark(65, "b", "accent")]
    assert nearest_mark(marks, TEN, 3) is marks[0]
    assert nearest_mark(marks, TEN, 6) is marks[1]
    assert nearest_mark(marks, TEN, 9) is None
