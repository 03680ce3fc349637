"""The switches that keep a CLI's own reports from the detectors."""

from __future__ import annotations

import pytest

from copilot.detection.reports import withhold
from copilot.session.start import _ignored_reports
from tests.detection.screens import screen


def test_only_what_is_named_is_withheld() -> None:
    picture = screen("hello", title="⠋ project", status="working")
    assert withhold(picture, ()) is picture
    without_title = withhold(picture, {"title"})
    assert (without_title.title, without_title.program_status) == ("", picture.program_status)
    without_status = withhold(picture, {"status"})
    assert (without_status.title, without_status.program_status) == ("⠋ project", None)
    assert withhold(picture, {"status", "title"}).lines == picture.lines


def test_the_environment_names_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COPILOT_PROGRAM_STATUS", "off")
    assert _ignored_reports() == {"status"}
    monkeypatch.setenv("COPILOT_TITLES", "off")
    assert _ignored_reports() == {"status", "title"}
    monkeypatch.setenv("COPILOT_PROGRAM_STATUS", "on")
    assert _ignored_reports() == {"title"}
