"""The report in a real browser: it plays, its keys work, hostile text does nothing, dark and print are there."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from copilot.core import effects as fx
from copilot.core import events as ev
from copilot.core.detection import Detection, Option, Subject
from copilot.core.screen_kinds import ScreenKind
from copilot.recording.report import report_html
from copilot.recording.runs import open_run
from tests.recording.test_report import EVIL
from tests.recording.test_run_folder import begin
from tests.replay.golden import GOLDEN

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")]


def dump(page: Path, *options: str) -> tuple[str, str]:
    """The page's document after its scripts ran, and what the browser logged."""
    assert CHROMIUM is not None
    done = subprocess.run(
        [
            *(CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--v=0"),
            *(
                f"--user-data-dir={page.parent / 'browser'}",
                "--virtual-time-budget=4000",
                *options,
                "--dump-dom",
            ),
            page.as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    return done.stdout, "\n".join(line for line in done.stderr.splitlines() if "CONSOLE" in line)


def with_test(page: str, script: str) -> str:
    """The page with a script of the test's own behind its own: the policy is lifted for that."""
    start, _, rest = page.partition('<meta http-equiv="Content-Security-Policy"')
    return start + rest.partition(">")[2].replace("</main>", f"<script>{script}</script></main>")


def test_it_plays_and_obeys_its_keys(tmp_path: Path) -> None:
    page = report_html(open_run(GOLDEN / "demo-full"))
    script = """
      const press = key => document.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
      const shown = () => document.getElementById("player-screen").innerText;
      const at = () => Number(document.getElementById("player-seek").value);
      const told = {};
      press("n"); told.first = [at(), shown().includes("Do you want to create greeting.py?")];
      press("n"); told.second = [at(), shown().includes("Which style should the greeting have?")];
      press("p"); told.back = at();
      press("l"); press("j"); told.steps = at();
      press("+"); told.speed = document.getElementById("player-speed").textContent;
      press(" "); told.playing = document.getElementById("player-play").textContent;
      press(" "); told.stopped = document.getElementById("player-play").textContent;
      document.querySelector("#prompt-5 [data-at]").click(); told.link = shown().includes("rm -rf");
      const out = document.createElement("pre"); out.id = "told";
      out.textContent = JSON.stringify(told); document.body.append(out);
    """
    path = tmp_path / "report.html"
    path.write_text(with_test(page, script), "utf-8")
    document, logged = dump(path)
    assert logged == ""
    told = json.loads(document.partition('<pre id="told">')[2].partition("</pre>")[0])
    assert told["first"][1] and told["second"][1] and told["link"]
    assert told["back"] == told["first"][0] < told["second"][0]
    assert (told["speed"], told["playing"], told["stopped"]) == ("2x", "Stop", "Play")


def test_its_own_policy_lets_its_script_run_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    page = report_html(open_run(GOLDEN / "demo-full"))
    path.write_text(page.replace("</main>", "<script>document.title = 'broken in'</script></main>"), "utf-8")
    document, logged = dump(path)
    assert "demo-coder" in document.partition('id="player-screen"')[2][:4000]
    assert "<title>copilot: demo-full</title>" in document
    assert "Content Security Policy" in logged


def test_hostile_text_does_nothing(tmp_path: Path) -> None:
    evil = EVIL.replace("alert(1)", "document.title='pwned'")
    run = begin(tmp_path / "run")
    subject = Subject("shell", evil)
    asked = Detection(
        ScreenKind.PERMISSION, evil, (Option(evil),), subject=subject, identity="p1", evidence=(0,)
    )
    run.output(f"</script>{evil}\r\n".encode(), 0.5)
    run.event(ev.ScreenSettled(at=1.0, detection=asked))
    run.effect(fx.CallPerson("p1", evil), 1.0)
    run.effect(fx.EndRun(evil, 1, evil), 2.0)
    run.close()
    (run.folder / "changes.diff").write_text(f"+{evil}\n-{evil}\n", "utf-8")
    path = tmp_path / "report.html"
    path.write_text(report_html(open_run(run.folder)), "utf-8")
    document, logged = dump(path)
    assert "<title>copilot: run</title>" in document and logged == ""
    assert "<img" not in document and "\u202e" not in document and "\x1b" not in document
    assert "&lt;script&gt;" in document.partition('id="player-screen"')[2][:600]


@pytest.mark.parametrize("option", [(), ("--blink-settings=preferredColorScheme=0",)])
def test_light_and_dark(tmp_path: Path, option: tuple[str, ...]) -> None:
    script = "document.title = getComputedStyle(document.body).backgroundColor"
    path = tmp_path / "report.html"
    path.write_text(with_test(report_html(open_run(GOLDEN / "demo-full")), script), "utf-8")
    document, _ = dump(path, *option)
    wanted = "rgb(13, 17, 23)" if option else "rgb(252, 252, 250)"
    assert f"<title>{wanted}</title>" in document


def test_it_prints(tmp_path: Path) -> None:
    assert CHROMIUM is not None
    path, printed = tmp_path / "report.html", tmp_path / "report.pdf"
    path.write_text(report_html(open_run(GOLDEN / "demo-full")), "utf-8")
    subprocess.run(
        [
            *(CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", f"--print-to-pdf={printed}"),
            *(f"--user-data-dir={tmp_path / 'browser'}", path.as_uri()),
        ],
        capture_output=True,
        timeout=200,
        check=True,
    )
    assert printed.read_bytes().startswith(b"%PDF") and printed.stat().st_size > 10_000
