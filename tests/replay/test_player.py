"""A moment that is jumped to looks as it looks when the recording is played up to there."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from copilot.errors import InputError
from copilot.recording.asciicast import Cast, CastEvent, CastHeader, read_cast
from copilot.recording.asciicast_writer import write_cast
from copilot.recording.cast_file import CastFile, open_cast
from copilot.replay import player as player_module
from copilot.replay.detect import screen_at
from copilot.replay.find import TextFinder
from copilot.replay.player import KeyframeIndex, Player
from copilot.replay.recorded import open_recorded
from tests.benchmarks.long_run import write_long_cast
from tests.replay.golden import GOLDEN, NAMES


def indexed(cast: CastFile) -> Player:
    player = Player(cast)
    while player.index.advance(7):
        pass
    return player


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("spacing", [1, 3000])
def test_a_jump_shows_what_playing_shows(name: str, spacing: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player_module, "_LEAST_SPACING", spacing)
    path = GOLDEN / name / "session.cast"
    whole, player = read_cast(path), indexed(open_cast(path))
    assert len(player.index) > 3
    choose = random.Random(name)
    for _ in range(12):
        at = choose.uniform(0, whole.duration)
        shown, played = player.seek(at).snapshot(), screen_at(whole, at)
        assert (shown.lines, shown.styles, shown.cursor) == (played.lines, played.styles, played.cursor)


def test_keyframes_are_bounded_in_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player_module, "_LEAST_SPACING", 1)
    monkeypatch.setattr(player_module, "_MOST_KEYFRAMES", 10)
    write_long_cast(tmp_path / "long.cast", megabytes=0.3, seconds=60)
    index = KeyframeIndex(open_cast(tmp_path / "long.cast"))
    while index.advance():
        pass
    assert 8 <= len(index) <= 12 and index.complete and index.share == 1


def test_a_keyframe_that_another_thread_is_just_keeping_is_not_looked_for() -> None:
    index = KeyframeIndex(open_cast(GOLDEN / "demo-full" / "session.cast"))
    index._kept.append(index._kept[0])
    assert index.nearest(10**6) == (0, index._kept[0])


def test_without_an_index_every_moment_is_there_too(tmp_path: Path) -> None:
    player = Player(open_cast(GOLDEN / "demo-full" / "session.cast"))
    whole = read_cast(GOLDEN / "demo-full" / "session.cast")
    for at in (3.0, 1.0, 2.0, 99.0, -1.0):
        assert player.seek(at).snapshot().lines == screen_at(whole, min(at, whole.duration)).lines
    assert player.distance(0.0) == 0


def test_resizes_in_both_directions(tmp_path: Path) -> None:
    events = [
        CastEvent(0.1, "o", "one\r\ntwo\r\nthree\r\n"),
        CastEvent(0.2, "r", "12x3"),
        CastEvent(0.3, "o", "x"),
    ]
    events += [CastEvent(0.4, "r", "40x10"), CastEvent(0.5, "o", "four"), CastEvent(0.6, "x", "0")]
    write_cast(tmp_path / "r.cast", Cast(CastHeader(20, 5), tuple(events)))
    player = indexed(open_cast(tmp_path / "r.cast"))
    whole = read_cast(tmp_path / "r.cast")
    for at in (0.6, 0.35, 0.15, 0.45, 0.0, 0.25):
        assert player.seek(at).snapshot().lines == screen_at(whole, at).lines
    assert player.cast.sizes() == [(20, 5), (12, 3), (40, 10)] and player.cast.exit_status == 0


@pytest.mark.parametrize("version", [2, 3])
def test_an_indexed_file_says_what_the_read_one_says(tmp_path: Path, version: int) -> None:
    whole = read_cast(GOLDEN / "demo-person" / "session.cast")
    write_cast(tmp_path / "v.cast", whole, version=version)
    cast, read = open_cast(tmp_path / "v.cast"), read_cast(tmp_path / "v.cast")
    assert tuple(cast.event(number) for number in range(len(cast))) == read.events
    assert cast.header == read.header and cast.duration == read.duration


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"", "is empty"),
        (b"\n", "is empty"),
        (b'{"version": 1}\n', "version 2 or 3"),
        (b'{"version":2,"width":9,"height":9}\n[1,"o"]\n', "line 2: an event must be"),
        (b'{"version":2,"width":9,"height":9}\n[1,"o","a"]\n{\n[2,"o","b"]\n', "line 3: is not JSON"),
    ],
)
def test_a_broken_file_is_one_line(tmp_path: Path, text: bytes, words: str) -> None:
    (tmp_path / "x.cast").write_bytes(text)
    with pytest.raises(InputError, match=words):
        open_cast(tmp_path / "x.cast")


def test_a_cut_last_line_is_left_out(tmp_path: Path) -> None:
    data = (GOLDEN / "demo-full" / "session.cast").read_bytes()
    (tmp_path / "cut.cast").write_bytes(data[:-9])
    cast = open_cast(tmp_path / "cut.cast")
    assert cast.torn and len(cast) == len(read_cast(tmp_path / "cut.cast").events)
    Player(cast).seek(cast.duration)


def test_a_file_that_is_cut_off_while_it_is_open_is_told(tmp_path: Path) -> None:
    path = tmp_path / "f.cast"
    write_cast(path, Cast(CastHeader(40, 5), (CastEvent(1.0, "o", "a"), CastEvent(2.0, "o", "b"))))
    cast = open_cast(path)
    os.truncate(path, path.stat().st_size - 3)
    assert cast.output(0) == "a"
    with pytest.raises(InputError, match="has changed since it was opened"):
        cast.output(1)


def test_a_text_is_found_when_it_comes_up_and_again_when_it_comes_back(tmp_path: Path) -> None:
    events = [
        CastEvent(1.0, "o", "hello wor"),
        CastEvent(1.01, "o", "ld\r\n"),
        CastEvent(2.0, "o", "\x1b[2J\x1b[H"),
        CastEvent(3.0, "o", "\x1b[31mhello \x1b[1mWorld\x1b[0m"),
        CastEvent(4.0, "o", " and more"),
    ]
    write_cast(tmp_path / "f.cast", Cast(CastHeader(40, 5), tuple(events)))
    cast = open_cast(tmp_path / "f.cast")

    def hits(query: str, at: float = 0.0) -> list[float]:
        finder = TextFinder(cast, KeyframeIndex(cast), query, at)
        while finder.advance(1):
            pass
        return finder.hits

    assert hits("hello world") == [1.01, 3.0]
    assert hits("World") == [3.0] and hits("nowhere") == []
    assert hits("hello world", at=3.5) == [1.01, 3.0]


def test_a_run_is_opened_by_its_folder_manifest_or_recording() -> None:
    run = GOLDEN / "demo-person"
    assert open_recorded(run).run is not None
    assert open_recorded(run / "manifest.json").review == open_recorded(run).review
    assert open_recorded(run / "session.cast").run is None
    with pytest.raises(InputError, match="no such recording"):
        open_recorded(run / "nothing")
