"""A run's recording in the public asciinema player from npm, in a headless Chromium."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from copilot.recording.asciicast import MARKER, read_cast
from copilot.recording.asciicast_writer import write_cast
from tests.replay.golden import GOLDEN

PLAYER = "asciinema-player@3.17.0"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = [
    pytest.mark.real_cli,
    pytest.mark.timeout(180),
    pytest.mark.skipif(CHROMIUM is None or shutil.which("npm") is None, reason="no Chromium or no npm here"),
]
PAGE = """<!doctype html><meta charset="utf-8"><div id="box"></div><pre id="told">nothing</pre>
<script>{player}</script><script>
const told = {{}};
const done = () => {{ document.getElementById("told").textContent = JSON.stringify(told); }};
window.onerror = message => {{ told.error = String(message); done(); }};
(async () => {{
  const player = AsciinemaPlayer.create({{ data: {cast} }}, document.getElementById("box"), {{ preload: true }});
  const text = () => document.getElementById("box").innerText;
  told.markers = 0;
  player.addEventListener("marker", event => {{ told.markers += 1; told.label = event.label; }});
  await player.seek({at}); await new Promise(go => setTimeout(go, 300));
  told.at = player.getCurrentTime(); told.duration = player.getDuration(); told.text = text();
  await player.seek({{ marker: 0 }}); await new Promise(go => setTimeout(go, 300));
  told.first = player.getCurrentTime();
  done();
}})().catch(problem => {{ told.error = String(problem); done(); }});
</script>"""


@pytest.fixture(scope="module")
def player(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("player")
    subprocess.run(
        ["npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", PLAYER],
        cwd=folder,
        check=True,
        capture_output=True,
        timeout=120,
    )
    bundle = folder / "node_modules" / "asciinema-player" / "dist" / "bundle"
    return (bundle / "asciinema-player.min.js").read_text("utf-8").replace("</script", "<\\/script")


@pytest.mark.row("CP-57")
@pytest.mark.parametrize("version", [2, 3])
def test_it_plays_and_its_markers_are_there(tmp_path: Path, player: str, version: int) -> None:
    cast = read_cast(GOLDEN / "demo-full" / "session.cast")
    write_cast(tmp_path / "run.cast", cast, version=version)
    marks = [event for event in cast.events if event.code == MARKER]
    at = next(event.at for event in marks if event.data.startswith("permission")) + 0.05
    text = (tmp_path / "run.cast").read_text("utf-8")
    data = json.dumps(text).replace("<", "\\u003c")
    (tmp_path / "page.html").write_text(PAGE.format(player=player, cast=data, at=at), "utf-8")
    assert CHROMIUM is not None
    document = subprocess.run(
        [
            *(
                CHROMIUM,
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                f"--user-data-dir={tmp_path / 'browser'}",
            ),
            *("--virtual-time-budget=8000", "--dump-dom", (tmp_path / "page.html").as_uri()),
        ],
        capture_output=True,
        text=True,
        timeout=100,
        check=True,
    ).stdout
    told = json.loads(
        document.partition('<pre id="told">')[2]
        .partition("</pre>")[0]
        .replace("&gt;", ">")
        .replace("&lt;", "<")
        .replace("&amp;", "&")
    )
    assert "error" not in told, told
    assert "Do you want to create greeting.py?" in told["text"]
    assert told["at"] == pytest.approx(at, abs=0.1)
    assert told["duration"] == pytest.approx(cast.duration, abs=0.01)
    assert told["first"] == pytest.approx(marks[0].at, abs=0.05)
