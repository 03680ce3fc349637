"""The main job inside the envelope: real CLIs, offline, through a whole run that the kernel limits."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.envelope.room import needs_bubblewrap
from tests.real.stage import Stage, stage
from tests.real.test_headless import CLIS, SIZES, TURNS, assert_on_record, assert_the_model_was_told, full_run

pytestmark = [pytest.mark.real_cli, pytest.mark.timeout(240)]


@pytest.mark.parametrize("network", ["all", "model-only"])
@pytest.mark.parametrize("name", CLIS)
def test_the_whole_way_inside(name: str, network: str, tmp_path: Path) -> None:
    """Trust and the answer to Claude Code's offer are stored before: inside neither can be."""
    needs_bubblewrap()
    with stage(name, tmp_path) as on:
        _offer_was_seen(on)
        _model_is_listed(on)
        inside = {"COPILOT_ENVELOPE": "project", "COPILOT_NETWORK": network}
        run = full_run(on, *SIZES["120x40"], **inside)
        assert run.exit_code == 0
        assert "envelope project" in run.output
        assert [request.turn for request in on.model.main_requests] == TURNS
        on.assert_files()
        assert_the_model_was_told(on)
    assert_on_record(run)


def _model_is_listed(on: Stage) -> None:
    """Codex has the address of its model in its own settings, which the envelope does not read."""
    settings = on.recipe.home / ".config" / "copilot" / "config.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text(f'envelope_hosts = ["{urlsplit(on.model.url).netloc}"]\n')


def _offer_was_seen(on: Stage) -> None:
    """Claude Code counts its offers of a renderer in a file that it cannot lock inside."""
    path = on.recipe.home / ".claude.json"
    if path.exists():
        path.write_text(json.dumps({**json.loads(path.read_text()), "fullscreenUpsellSeenCount": 99}))
