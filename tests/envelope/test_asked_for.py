"""What is said and done where an envelope is asked for: off, not possible here, not for this project."""

from __future__ import annotations

from pathlib import Path

import pytest

from copilot.cli import main
from copilot.envelope.hosts import HostList, loopback_ports, own_addresses
from copilot.envelope.plan import make_plan
from copilot.errors import InputError
from tests.envelope.room import made_room, needs_bubblewrap, run_inside

PROFILE = """schema_version = 1
name = "tool"
extends = "generic"
[launch]
names = ["tool", "sh"]
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("CONFIG", "STATE"):
        monkeypatch.delenv(f"XDG_{name}_HOME", raising=False)
    profiles = tmp_path / ".config/copilot/profiles"
    profiles.mkdir(parents=True)
    (profiles / "tool.toml").write_text(f"{PROFILE}[envelope]\n")
    (profiles / "unknown.toml").write_text(PROFILE.replace('"tool"', '"unknown"', 1))
    (tmp_path / "project").mkdir()
    return tmp_path


def _run(home: Path, *options: str, profile: str = "tool", script: str = "true") -> int:
    project = str(home / "project")
    return main(
        ["--headless", "--profile", profile, "--cwd", project, *options, "--", "/bin/sh", "-c", script]
    )


def test_off_is_said(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert _run(home) == 0
    assert "envelope off:" in capfd.readouterr().out


def test_without_bubblewrap(
    home: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(home))
    assert _run(home, "--envelope", "project") == 2
    assert "needs bubblewrap, and no bwrap is on PATH; install" in capfd.readouterr().err
    assert _run(home) == 0


def test_without_user_namespaces(
    home: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    words = "bwrap: No permissions to create a new namespace, likely because the kernel does not allow it"
    fake = home / "bwrap"
    fake.write_text(f"#!/bin/sh\necho '{words}' >&2\nexit 1\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{home}:/usr/bin:/bin")
    assert _run(home, "--envelope", "project", script="touch ran") == 2
    said = capfd.readouterr().err
    assert "is not possible here" in said and words in said and "allow user namespaces" in said
    assert not (home / "project" / "ran").exists()


def test_profile_without_a_table(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    needs_bubblewrap()
    assert _run(home, "--envelope", "project", profile="unknown") == 2
    assert "has no [envelope] table" in capfd.readouterr().err


def test_network_needs_an_envelope(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert _run(home, "--network", "none") == 2
    assert "--network: none needs --envelope project" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("network", "said"),
    [("all", "network all"), ("none", "network none"), ("model-only", "no network to example.invalid")],
)
def test_a_run_inside(home: Path, network: str, said: str, capfd: pytest.CaptureFixture[str]) -> None:
    needs_bubblewrap()
    ask = "exec 3<>/dev/tcp/127.0.0.1/3128 && printf 'CONNECT example.invalid:443 HTTP/1.1\\r\\n\\r\\n' >&3 && head -1 <&3"
    script = f'echo x > made; echo x > ~/not-made; bash -c "{ask}"; exit 0'
    assert _run(home, "--envelope", "project", "--network", network, script=script) == 0
    shown = capfd.readouterr().out
    assert said in shown
    assert (home / "project" / "made").exists()
    assert not (home / "not-made").exists()
    assert ("403 Forbidden" in shown) == (network == "model-only")


def test_no_project(tmp_path: Path) -> None:
    with made_room(tmp_path) as room:
        for place, words in ((room.home, "is no project"), (room.home / ".ssh", "which the envelope hides")):
            with pytest.raises(InputError, match=words):
                make_plan(room.wanted(project=place))


def test_what_is_lifted(tmp_path: Path) -> None:
    with made_room(tmp_path) as room:
        config = room.project / ".git/config"
        plan = make_plan(room.wanted(write=(str(config),), read=("~/.codex/auth.json",)))
        assert plan.may_write(str(config)) and plan.may_read(f"{room.home}/.codex/auth.json")
        with pytest.raises(InputError, match="name a whole one"):
            make_plan(room.wanted(read=("~/.ssh/id",)))
        ci = f"{room.project}/.github/workflows/ci.yml"
        assert make_plan(room.wanted(write=(ci,))).may_write(ci)
        plan = make_plan(room.wanted())
        assert not plan.may_write(str(config)) and not plan.may_read(f"{room.home}/.codex/auth.json")
        assert plan.may_write(f"{room.project}/src/a.py") and plan.may_write(f"{room.home}/.tool/x")


def test_git_writes_its_settings_again(tmp_path: Path) -> None:
    needs_bubblewrap()
    add = ["git", "remote", "add", "x", "https://example.invalid/x"]
    with made_room(tmp_path) as room:
        assert run_inside(make_plan(room.wanted()), add)[0] != 0
        plan = make_plan(room.wanted(write=(f"{room.project}/.git/config",)))
        assert run_inside(plan, add) == (0, "")


def test_status_and_signals(tmp_path: Path) -> None:
    needs_bubblewrap()
    with made_room(tmp_path) as room:
        plan = make_plan(room.wanted())
        assert run_inside(plan, ["sh", "-c", "exit 7"])[0] == 7
        assert run_inside(plan, ["sh", "-c", "kill -9 $$"])[0] == -9
        status, shown = run_inside(
            plan, ["sh", "-c", "git commit --allow-empty -qm x; ps -o tty= $$; stty size"]
        )
        assert "50 200" in shown, (status, shown)


def test_hosts() -> None:
    hosts = HostList(("api.example.com", "*.cdn.example.com", "local:8080"))
    allowed = [("API.example.com.", 443), ("a.cdn.example.com", 443), ("local", 8080)]
    refused = [
        ("example.com", 443),
        ("cdn.example.com", 443),
        ("xcdn.example.com", 443),
        ("api.example.com", 22),
    ]
    assert all(hosts.allows(*one) for one in allowed)
    assert not any(hosts.allows(*one) for one in (*refused, ("api.example.com.evil", 443)))
    addresses = own_addresses(
        ["A", "B", "C"], {"A": "http://127.0.0.1:9/v1", "B": "https://x.test", "C": "no"}
    )
    assert addresses == (("127.0.0.1", 9), ("x.test", 443))
    assert loopback_ports(addresses) == (9,)
