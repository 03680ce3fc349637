"""What `verify-install` says where it cannot build."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from copilot import cli

ROOT = Path(__file__).resolve().parents[2]


def test_a_missing_build_backend_is_one_line_with_the_fix(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "hatchling", None)
    assert cli.main(["verify-install", str(ROOT)]) == 1
    out, err = capsys.readouterr()
    (line,) = (out + err).splitlines()
    assert "hatchling, which builds the package, is not installed here: pip install hatchling" in line
