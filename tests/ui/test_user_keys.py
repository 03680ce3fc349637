"""The user's own keys: `keymap.toml`, its faults, and that the cockpit, its footer and its help follow it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from copilot.errors import InputError
from copilot.tui.keymap import Place
from copilot.tui.options import UiOptions, changed, load_keymap, options_from_environment
from copilot.tui.screens.help import help_content
from copilot.tui.widgets.key_bar import hints_for


def test_without_a_file_the_registry_holds(tmp_path: Path) -> None:
    keymap, leader = load_keymap(tmp_path)
    action = keymap.action_for(Place.LEADER, "s")
    assert action is not None
    assert (action.id, leader) == ("send", None)


@pytest.mark.parametrize(
    ("written", "key"),
    [("f", "f"), ("?", "question_mark"), ("ctrl+y", "ctrl+y"), ("f5", "f5"), ("alt+enter", "alt+enter")],
)
def test_a_file_gives_an_action_other_keys(tmp_path: Path, written: str, key: str) -> None:
    (tmp_path / "keymap.toml").write_text(
        f'leader_key = "f12"\n[leader]\nhelp = "h"\nsend = ["{written}"]\n[reply]\nask-again = "G"\n'
    )
    keymap, leader = load_keymap(tmp_path)
    sent = keymap.action_for(Place.LEADER, key)
    again = keymap.action_for(Place.REPLY, "G")
    assert sent is not None
    assert again is not None
    assert (sent.id, again.id, leader) == ("send", "ask_again", "f12")
    assert keymap.action_for(Place.LEADER, "s") is None
    options = options_from_environment({"COPILOT_LEADER": "ctrl+g"}, tmp_path)
    assert options.leader == "ctrl+g"
    assert options_from_environment({}, tmp_path).leader == "f12"


def test_footer_and_help_show_the_keys_that_hold() -> None:
    keymap = changed({"leader": {"send": "f"}}, "keymap.toml")
    hints = {hint.action: hint.key for hint in hints_for(Place.LEADER, prompt=True, keymap=keymap)}
    assert hints["send"] == "f"
    text = help_content(UiOptions(keymap=keymap), 90).plain
    assert any(line.split()[:2] == ["f", "Send"] for line in text.splitlines())


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"leadr": {"send": "y"}}, "did you mean 'leader'"),
        ({"leader": {"sned": "y"}}, "did you mean 'send'"),
        ({"leader": {"send": "hyper+y"}}, "[leader] send: 'hyper+y' is no key"),
        ({"leader": {"send": 5}}, "5 is no key"),
        ({"leader": {"send": "a"}}, "[leader] 'a' is both send and autonomy"),
        ({"reply": {"back": []}}, "[reply] back: needs a key"),
        ({"scroll": {"send": "y"}}, "move it to leader, reply"),
    ],
)
def test_a_fault_is_one_line_with_place_and_fix(given: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError) as caught:
        changed(given, "keymap.toml")
    assert str(caught.value).startswith("keymap.toml: ")
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "says"), [("send = ", "not TOML"), ("leader_key = 5", 'such as "f12"'), ("x = 1", "no place")]
)
def test_a_bad_file_names_itself(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "keymap.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=says) as caught:
        load_keymap(tmp_path)
    assert str(path) in str(caught.value)
