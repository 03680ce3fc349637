"""The job that looks for drift of the SDKs fails when a newest version no longer fits."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sdk_drift import drifted

CLIENT = "class Anthropic:\n    def __init__(self, *, endpoint, secret):\n        pass\n"
ONE = ("tests/model_server/test_protocols.py",)


@pytest.mark.slow
@pytest.mark.row("PH-45")
@pytest.mark.timeout(600)
def test_an_sdk_with_another_interface_is_told(tmp_path: Path) -> None:
    assert drifted(tmp_path, ONE) == ""
    (tmp_path / "anthropic").mkdir()
    (tmp_path / "anthropic" / "__init__.py").write_text(CLIENT)
    assert "unexpected keyword argument" in drifted(tmp_path, ONE)
