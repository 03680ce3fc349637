"""The report of a run: all of it is there, and nothing in it acts."""

from __future__ import annotations

import html.parser
from pathlib import Path

import pytest

from copilot.core import effects as fx
from copilot.core import events as ev
from copilot.core.detection import Detection, Option, ScreenKind, Subject
from copilot.core.reply import Reply
from copilot.recording.report import report_html, write_report
from copilot.recording.runs import open_run
from tests.recording.test_run_folder import begin, decision, play

EVIL = "<script>alert(1)</script><img src=x onerror=alert(1)> \x1b]52;c;eA==\x07 \u202eevil\u2066 \"'&amp; </pre>"


class Tags(html.parser.HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []
        self.attributes: set[str] = set()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def tags_of(page: str) -> Tags:
    tags = Tags()
    tags.feed(page)
    tags.close()
    assert tags.open == []
    return tags


@pytest.mark.row("CP-60")
def test_a_report_tells_the_run(tmp_path: Path) -> None:
    play(run := begin(tmp_path / "run"))
    run.close()
    path = write_report(open_run(tmp_path / "run"))
    page = path.read_text()
    for text in (
        "Use [token]?",
        "send: as [token] said",
        "taken",
        "completed: the child has ended",
        "$0.2500",
    ):
        assert text in page
    assert path.stat().st_mode & 0o777 == 0o600
    tags_of(page)


@pytest.mark.row("CP-60")
def test_hostile_text_stays_text(tmp_path: Path) -> None:
    run = begin(tmp_path / EVIL.replace("/", "-").replace("\x00", ""))
    subject = Subject("shell", EVIL)
    asked = Detection(ScreenKind.PERMISSION, EVIL, (Option(EVIL),), subject=subject, identity="p1")
    run.event(ev.ScreenSettled(at=0, detection=asked))
    run.event(ev.ReplyFailed(at=0, request=1, reason=EVIL))
    run.event(ev.PersonSent(at=0, identity="p1", reply=Reply(text=EVIL)))
    run.effect(fx.RecordDecision(decision(1, Reply(text=EVIL))), 0)
    run.effect(fx.WriteKeys(1, text=EVIL, keys=(EVIL,)), 0)
    run.effect(fx.CallPerson("p1", EVIL), 0)
    run.effect(fx.EndRun(EVIL, 1, EVIL), 0)
    run.close()
    page = report_html(open_run(run.folder))
    tags = tags_of(page)
    assert set(tags.seen).isdisjoint({"script", "img", "a", "iframe", "link", "object", "form"})
    assert tags.attributes <= {"lang", "charset", "http-equiv", "content", "name", "scope", "class"}
    assert all(letter.isprintable() or letter == "\n" for letter in page)
    assert "default-src 'none'" in page and "http" not in page.replace("http-equiv", "")


def test_a_damaged_run_still_has_a_report(tmp_path: Path) -> None:
    play(run := begin(tmp_path / "run"))
    run.close()
    path = tmp_path / "run" / "transcript.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:4], b"\0" * 9 + b"\n", *lines[5:]])[:-5])
    page = report_html(open_run(tmp_path / "run"))
    assert "9 zero bytes" in page and "cut off" in page and "taken" in page
