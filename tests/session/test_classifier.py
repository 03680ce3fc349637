"""Another classifier plugs in by an entry point: loaded only where it is named, and heard as a witness."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from copilot.recording.transcript_reader import read_transcript
from tests.front_door import Ended, copilot

PLUGIN = """
LOADED = True
def classify(rows, cursor_row):
    text = "\\n".join(rows)
    if "broken" in text:
        raise ValueError("broken")
    if "quiz" in text:
        return ("busy", 0.99)
    if "perhaps" in text:
        return ("busy", 0.5)
    if "working" in text:
        return ("yes_no", 1.0)
    return None
"""
CHILD = "import sys, time\nprint(end=sys.argv[1], flush=True)\n"
READS = CHILD + 'open("answer", "w").write(sys.stdin.readline())\n'
WORKS = CHILD + "end = time.monotonic() + 2\nwhile time.monotonic() < end: pass\n"


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    packages = tmp_path / "packages"
    info = packages / "tiny_eyes-1.0.dist-info"
    info.mkdir(parents=True)
    (packages / "tiny_eyes.py").write_text(PLUGIN, "utf-8")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: tiny-eyes\nVersion: 1.0\n", "utf-8")
    (info / "entry_points.txt").write_text("[copilot.classifiers]\ntiny = tiny_eyes:classify\n", "utf-8")
    monkeypatch.syspath_prepend(str(packages))
    monkeypatch.delitem(sys.modules, "tiny_eyes", raising=False)
    return tmp_path


def run(folder: Path, child: str, question: str, *more: str, classifier: str = "tiny") -> Ended:
    (folder / "child.py").write_text(child, "utf-8")
    named = {"classifier": classifier} if classifier else {}
    (folder / "detectors.json").write_text(json.dumps({**named, "question": ["^Never$"]}), "utf-8")
    words: list[str | Path] = ["--headless", "--autonomy", "full", "--detectors", folder / "detectors.json"]
    words += ["--prompt", "You may run the tests.", "--log", folder / "run", *more]
    return copilot(
        *words, "--", sys.executable, "child.py", question, cwd=folder, environment={"HOME": str(folder)}
    )


def notes(folder: Path) -> str:
    records = read_transcript(folder / "run").records
    return "\n".join(one.data["detection"]["note"] for one in records if one.type == "event.ScreenSettled")


@pytest.mark.row("CP-25")
def test_a_sure_classifier_makes_a_prompt_the_persons(plugin: Path) -> None:
    done = run(plugin, READS, "A quiz.\nRun the tests? [Y/n] ", "--timeout", "4s")
    assert done.code == 3 and (plugin / "answer").read_text() == "", done.last
    assert "the classifier tiny takes this for busy, the rules for yes_no" in notes(plugin)


@pytest.mark.row("CP-25")
@pytest.mark.parametrize("above", ["Fine.", "perhaps", "broken"])
def test_an_unsure_silent_or_broken_classifier_changes_nothing(plugin: Path, above: str) -> None:
    done = run(plugin, READS, f"{above}\nRun the tests? [Y/n] ")
    assert done.code == 0 and (plugin / "answer").read_text() == "y\n", done.last
    assert ("the classifier tiny failed: ValueError" in notes(plugin)) is (above == "broken")


@pytest.mark.row("CP-25")
def test_its_word_makes_no_busy_screen_answerable(plugin: Path) -> None:
    done = run(plugin, WORKS, "working on it\n")
    kinds = [
        one.data["detection"]["kind"]
        for one in read_transcript(plugin / "run").records
        if one.type == "event.ScreenSettled"
    ]
    assert done.code == 0 and "yes_no" not in kinds, kinds


@pytest.mark.row("CP-25")
def test_it_is_loaded_only_where_it_is_named(plugin: Path) -> None:
    assert run(plugin, READS, "Run the tests? [Y/n] ", classifier="").code == 0
    assert "tiny_eyes" not in sys.modules


@pytest.mark.row("CP-25")
def test_a_name_that_nobody_offers_is_one_clear_error(plugin: Path) -> None:
    done = run(plugin, READS, "Go on? ", classifier="huge")
    assert done.code == 2
    assert (
        "detectors.json: classifier: 'huge': no entry point of that name in copilot.classifiers; there are tiny"
        in done.err
    )
