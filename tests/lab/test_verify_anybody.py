"""`verify-install` on what is not ours: five broken packages, each named, good ones, and plug-ins of CLIs."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from copilot import cli

PACKAGE = {
    "tea/__init__.py": "from importlib.resources import files\nKINDS = files('tea').joinpath('kinds.txt').read_text()\n",
    "tea/kinds.txt": "green\n",
    "tea/pour.py": "import click\n\ndef main():\n    print('poured')\n",
    "tea/plug.py": "def brew():\n    return 'tea'\n",
}
METADATA = "Metadata-Version: 2.1\nName: tea\nVersion: 1.0\nRequires-Dist: click\n"
POINTS = "[console_scripts]\npour = tea.pour:main\n\n[kitchen]\nbrew = tea.plug:brew\n"
WHEEL = "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
EXPECT = "extensions: [kitchen:brew]\nprograms: [pour]\n"


def wheel(folder: Path, **changes: str | None) -> Path:
    """A wheel of the package `tea` with these changes, by the last part of a path; None leaves a file out."""
    info = {"METADATA": METADATA, "entry_points.txt": POINTS, "WHEEL": WHEEL}
    texts: dict[str, str | None] = {
        **PACKAGE,
        **{f"tea-1.0.dist-info/{name}": text for name, text in info.items()},
    }
    for name, text in changes.items():
        (path,) = [one for one in texts if Path(one).stem == name]
        texts[path] = text
    target = folder / "tea-1.0-py3-none-any.whl"
    kept = {name: text for name, text in texts.items() if text is not None}
    record = "".join(f"{name},,\n" for name in [*kept, "tea-1.0.dist-info/RECORD"])
    with zipfile.ZipFile(target, "w") as file:
        for name, text in {**kept, "tea-1.0.dist-info/RECORD": record}.items():
            file.writestr(name, text)
    return target


def verify(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str]:
    status = cli.main(["verify-install", *map(str, arguments)])
    out, err = capsys.readouterr()
    return status, out + err


BROKEN: dict[str, tuple[dict[str, str | None], str]] = {
    "a missing data file": ({"kinds": None}, "✗ imports"),
    "a bad entry point": ({"entry_points": POINTS.replace("pour:main", "pour:gone")}, "✗ programs"),
    "a missing dependency": ({"METADATA": METADATA.replace("Requires-Dist: click\n", "")}, "✗ declared"),
    "an import error": ({"plug": "import tea.gone\n"}, "✗ imports"),
    "an extension that is not there": ({"entry_points": POINTS.split("[kitchen]")[0]}, "✗ expected"),
}
SAID = (
    "kinds.txt",
    "no attribute 'gone'",
    "imported, but not asked for: click",
    "tea.gone",
    "no extensions kitchen:brew",
)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.row("PH-48", "PH-33", "PH-34")
@pytest.mark.parametrize(("what", "words"), zip(BROKEN, SAID, strict=True))
def test_each_broken_package_of_somebody_else_is_named(
    what: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    changes, step = BROKEN[what]
    expect = tmp_path / "expect.yaml"
    expect.write_text(EXPECT)
    status, said = verify(capsys, wheel(tmp_path, **changes), "--system-packages", "--expect", expect)
    assert status == 1
    (line,) = [line for line in said.splitlines() if line.startswith(step)]
    assert words in line


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.row("PH-48", "PH-33", "PH-34")
def test_a_whole_package_of_somebody_else_passes_and_its_errors_can_be_expected(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    expect = tmp_path / "expect.yaml"
    expect.write_text(EXPECT)
    status, said = verify(capsys, wheel(tmp_path), "--system-packages", "--expect", expect)
    assert status == 0, said
    expect.write_text("errors: [tea.gone]\n")
    broken = wheel(
        tmp_path, plug="import tea.gone\n", entry_points="[console_scripts]\npour = tea.pour:main\n"
    )
    status, said = verify(capsys, broken, "--system-packages", "--expect", expect)
    assert status == 0, said


@pytest.mark.row("PH-29", "PH-30")
def test_plug_ins_are_loaded_alone_and_together_and_the_faulty_one_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tool = "TOOLS = {'pour': lambda given: 'poured'}\n"
    paths = [tmp_path / name for name in ("one.py", "two.py", "three.py")]
    for path, text in zip(paths, (tool, tool.replace("pour'", "brew'"), "import gone\n"), strict=True):
        path.write_text(text)
    expect = tmp_path / "expect.yaml"
    expect.write_text(
        "tools: [pour, brew]\nprompt: Pour.\nplaybook: {turns: [{tool_calls: [{name: pour}]}, {text: Done.}]}\n"
    )
    status, said = verify(capsys, *paths[:2], "--cli", "simulated", "--expect", expect)
    assert status == 0 and "✓ load one.py  pour" in said and "✓ load together" in said, said
    status, said = verify(capsys, *paths, "--cli", "simulated")
    assert status == 1 and "✗ load three.py ⚠ plug-in three.py: ModuleNotFoundError" in said, said
    paths[1].write_text(tool)
    status, said = verify(capsys, *paths[:2], "--cli", "simulated")
    assert status == 1 and "tool 'pour' is that of one.py and of two.py; rename one" in said, said
