"""The report of a run: all of it is there, and nothing in it acts."""

from __future__ import annotations

import base64
import hashlib
import html.parser
from pathlib import Path

import pytest
from click.testing import CliRunner

from copilot.core import effects as fx
from copilot.core import events as ev
from copilot.core.detection import Detection, Option, Subject
from copilot.core.policy import Ruling, make_decision
from copilot.core.reply import Autonomy, Proposal, Reply, Verdict
from copilot.core.risk import NO_RISK
from copilot.core.screen_kinds import ScreenKind
from copilot.recording.commands import report_command
from copilot.recording.report import report_html, write_report
from copilot.recording.report_markdown import report_markdown
from copilot.recording.runs import RecordedRun, open_run
from tests.recording.test_run_folder import begin, decision, play
from tests.replay.golden import GOLDEN

EVIL = "<script>alert(1)</script><img src=x onerror=alert(1)> \x1b]52;c;eA==\x07 \u202eevil\u2066 \"'&amp; </pre>"


class Tags(html.parser.HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []
        self.attributes: set[str] = set()
        self.links: set[str] = set()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        self.attributes |= {name for name, _ in attrs}
        self.links |= {value or "" for name, value in attrs if name in ("href", "src")}
        if tag not in ("meta", "input"):
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
        "send</span>: as [token] said",
        "taken",
        "completed: the child has ended",
        "$0.2500",
    ):
        assert text in page
    assert path.stat().st_mode & 0o777 == 0o600
    tags_of(page)


def left_to_the_person(folder: Path, proposal: Proposal) -> RecordedRun:
    """A run with one prompt and this proposal, whose level was changed twice."""
    run = begin(folder)
    run.event(ev.Started(at=0.0))
    run.event(ev.ScreenSettled(at=1.0, detection=Detection(ScreenKind.TEXT_INPUT, "Name?", identity="p1")))
    run.effect(fx.AskProvider(1, Detection(ScreenKind.TEXT_INPUT, "Name?", identity="p1")), 1.0)
    run.event(ev.ReplyProposed(at=1.5, request=1, proposal=proposal))
    run.event(ev.AutonomyChanged(at=2.0, level=Autonomy.WATCH))
    run.event(ev.AutonomyChanged(at=12.3, level=Autonomy.FULL))
    run.event(ev.AutonomyChanged(at=13.0, level=Autonomy.FULL))
    run.close()
    return open_run(folder)


@pytest.mark.parametrize("clarification", [None, "Which name?"])
def test_where_no_reply_was_proposed_it_is_said(tmp_path: Path, clarification: str | None) -> None:
    run = left_to_the_person(
        tmp_path / "run", Proposal(Reply(), needs_human=True, clarification=clarification)
    )
    asks = f"; it asks: {clarification}" if clarification else ""
    assert f"- proposed: `no reply, it is left to the person{asks}`" in report_markdown(run)
    page = report_html(run)
    assert f"<h3>No reply proposed</h3><pre>no reply, it is left to the person{asks}</pre>" in page
    assert '<span class="kind">proposed</span> no reply' in page


def test_enter_alone_is_a_reply(tmp_path: Path) -> None:
    run = left_to_the_person(tmp_path / "run", Proposal(Reply(text="")))
    assert "- proposed: `Enter alone, which takes the default`" in report_markdown(run)
    assert "<h3>Reply proposed</h3><pre>Enter alone" in report_html(run)


def test_the_levels_that_a_person_chose_later_are_told(tmp_path: Path) -> None:
    run = left_to_the_person(tmp_path / "run", Proposal(Reply(text="x")))
    begun = run.settings["autonomy"]
    levels = f"{begun}, later watch (from 2.0 s), later full (from 12.3 s)"
    assert f"| Level | `{levels}` |" in report_markdown(run)
    assert f"<td>{levels}</td>" in report_html(run)


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
    assert set(tags.seen).isdisjoint({"img", "iframe", "link", "object", "form", "base"})
    assert tags.seen.count("script") == 2 and tags.seen.count("style") == 1
    assert not any(name.startswith("on") for name in tags.attributes) and "style" not in tags.attributes
    assert tags.links == {"#prompt-1"}
    assert all(letter.isprintable() or letter == "\n" for letter in page)
    assert "default-src 'none'" in page and "http" not in page.replace("http-equiv", "")


def test_the_policy_names_the_page_s_own_style_and_script_only(tmp_path: Path) -> None:
    play(run := begin(tmp_path / "run"))
    run.close()
    page = report_html(open_run(tmp_path / "run"))
    for tag in ("style", "script"):
        source = page.rpartition(f"<{tag}>")[2].partition(f"</{tag}>")[0]
        digest = base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in page
    assert "unsafe" not in page.partition("</head>")[0]


def test_each_prompt_has_its_screen_request_and_decision(tmp_path: Path) -> None:
    page = report_html(open_run(GOLDEN / "demo-full"))
    for number in range(1, 6):
        section = page.partition(f'<section id="prompt-{number}">')[2].partition("</section>")[0]
        for part in (
            "the screen",
            "what the rules saw",
            "Reply proposed",
            "Decision",
            "Risk ",
            "typed",
            "outcome",
        ):
            assert part in section, (number, part)
        assert 'class="evidence"' in section
    assert "what the model saw" not in page and "Model calls" not in page
    assert "Replies drafted" in page and "5 by offline rules" in page


def test_what_changed_is_in_it(tmp_path: Path) -> None:
    play(run := begin(tmp_path / "run"))
    run.close()
    (tmp_path / "run" / "changes.diff").write_text("diff --git a/x b/x\n+new <b>\n-old\n", "utf-8")
    page = report_html(open_run(tmp_path / "run"))
    assert '<span class="add">+new &lt;b&gt;</span>' in page and '<span class="cut">-old</span>' in page


def test_a_large_recording_is_left_to_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("copilot.recording.report.LARGEST_AT_END_BYTES", 100)
    play(run := begin(tmp_path / "run"))
    run.close()
    assert "<script" not in write_report(open_run(tmp_path / "run")).read_text()
    assert "<script" in write_report(open_run(tmp_path / "run"), whole=True).read_text()


def test_markdown_cannot_be_left(tmp_path: Path) -> None:
    run = begin(tmp_path / "run")
    evil = "``` \n# head\n| x | `y` [a](http://b) <b>\x1b[31m"
    asked = Detection(ScreenKind.PERMISSION, evil, subject=Subject("shell", evil), identity="p1")
    run.event(ev.ScreenSettled(at=0, detection=asked))
    run.effect(fx.RecordDecision(decision(1, Reply(text=evil))), 0)
    run.close()
    (run.folder / "changes.diff").write_text("+```\n+# head\n", "utf-8")
    page = report_markdown(open_run(run.folder))
    assert "\x1b" not in page and "\n# head" not in page
    assert "- asked: ````" in page and "\n````diff\n" in page


def test_the_command_writes_where_it_is_told(tmp_path: Path) -> None:
    target = tmp_path / "out.html"
    run = str(GOLDEN / "demo-full")
    told = CliRunner().invoke(report_command, [run, "-o", str(target)])
    assert told.exit_code == 0 and target.read_text().startswith("<!doctype html>")
    told = CliRunner().invoke(report_command, [run, "--markdown"])
    assert told.exit_code == 0 and told.stdout.startswith("## Run `demo-full`")
    told = CliRunner().invoke(report_command, [run, "-o", str(tmp_path / "no" / "x")], standalone_mode=False)
    assert "give another file with -o" in str(told.exception)


def test_a_damaged_run_still_has_a_report(tmp_path: Path) -> None:
    play(run := begin(tmp_path / "run"))
    run.close()
    path = tmp_path / "run" / "transcript.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:4], b"\0" * 9 + b"\n", *lines[5:]])[:-5])
    page = report_html(open_run(tmp_path / "run"))
    assert "9 zero bytes" in page and "cut off" in page and "taken" in page


def test_what_a_person_answered_is_told_and_a_reply_behind_which_more_is_asked_was_taken(
    tmp_path: Path,
) -> None:
    detection = Detection(ScreenKind.TEXT_INPUT, "Name?", identity="p1")
    run = begin(tmp_path / "run")
    run.event(ev.Started(at=0.0))
    run.event(ev.ScreenSettled(at=1.0, detection=detection))
    ruling = Ruling(Verdict.SEND, "person.sent", "you sent it")
    run.effect(
        fx.RecordDecision(make_decision(1, detection, Reply(text="Ada"), ruling, NO_RISK, "person")), 2.0
    )
    run.effect(fx.ReplyTaken(1, "blocked"), 2.5)
    run.close()
    page = report_markdown(open_run(tmp_path / "run"))
    assert "- **send** `Ada` by person: `you sent it`" in page
    assert "- outcome: taken, and the next prompt waits" in page
