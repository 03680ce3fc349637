"""asciicast: what we write is read back the same, by us and by the rules of both versions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from copilot.errors import InputError
from copilot.recording.asciicast import Cast, CastEvent, CastHeader, parse_cast, read_cast
from copilot.recording.asciicast_writer import CastWriter, write_cast

CORPUS = Path(__file__).parent.parent / "corpus"
HEADER = CastHeader(80, 24, title="x", terminal_type="xterm-256color", environment={"TERM": "xterm-256color"})


def written(events: list[CastEvent], version: int) -> bytes:
    out = bytearray()
    writer = CastWriter(out.extend, HEADER, version=version)
    for event in events:
        writer.event(event)
    return bytes(out)


def test_every_recording_of_the_corpus_is_read() -> None:
    paths = sorted(CORPUS.rglob("*.cast"))
    assert len(paths) > 50
    for path in paths:
        cast = read_cast(path)
        assert cast.events and not cast.torn, path
        assert [e.at for e in cast.events] == sorted(e.at for e in cast.events)


@pytest.mark.parametrize("version", [2, 3])
def test_a_real_recording_survives_a_round_trip(tmp_path: Path, version: int) -> None:
    original = read_cast(sorted((CORPUS / "claude").glob("*.cast"))[0])
    write_cast(tmp_path / "a.cast", original, version=version)
    again = read_cast(tmp_path / "a.cast")
    assert again.header.version == version
    assert [(e.code, e.data) for e in again.events] == [(e.code, e.data) for e in original.events]
    assert max(abs(a.at - b.at) for a, b in zip(again.events, original.events, strict=True)) <= 0.0005001


def test_rounding_does_not_add_up_over_20_000_events(tmp_path: Path) -> None:
    events = tuple(CastEvent(n * 0.0014567, "o", "x") for n in range(20_000))
    write_cast(tmp_path / "3.cast", Cast(HEADER, events), version=3)
    third = read_cast(tmp_path / "3.cast")
    write_cast(tmp_path / "2.cast", third, version=2)
    second = read_cast(tmp_path / "2.cast")
    assert max(abs(a.at - b.at) for a, b in zip(events, second.events, strict=True)) <= 0.001


def test_version_3_has_relative_times_comments_and_its_own_header() -> None:
    data = (
        b'{"version":3,"term":{"cols":100,"rows":30,"type":"xterm","version":"kitty"},"tags":["a"]}\n'
        b'# a comment\n[0.5,"o","a"]\n\n[0.25,"Q","unknown"]\n[0.25,"m",""]\n[1,"r","90x20"]\n[0,"x","-9"]\n'
    )
    cast = parse_cast(data)
    assert (cast.header.columns, cast.header.lines, cast.header.terminal_type) == (100, 30, "xterm")
    assert cast.events == (
        CastEvent(0.5, "o", "a"),
        CastEvent(1.0, "m", ""),
        CastEvent(2.0, "r", "90x20"),
        CastEvent(2.0, "x", "-9"),
    )
    assert cast.events[2].size == (90, 20)
    assert cast.exit_status == -9 and cast.duration == 2.0


def test_what_we_write_has_the_shape_of_each_version() -> None:
    events = [CastEvent(0.5, "o", "a"), CastEvent(0.75, "o", "b")]
    second = [json.loads(line) for line in written(events, 2).splitlines()]
    third = [json.loads(line) for line in written(events, 3).splitlines()]
    assert second[0]["width"] == 80 and second[0]["env"]["TERM"] == "xterm-256color"
    assert third[0]["term"] == {"cols": 80, "rows": 24, "type": "xterm-256color"}
    assert [e[0] for e in second[1:]] == [0.5, 0.75]
    assert [e[0] for e in third[1:]] == [0.5, 0.25]


@pytest.mark.row("TB-34")
@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=40), st.data())
def test_characters_split_over_chunks_stay_whole(text: str, data: st.DataObject) -> None:
    raw = text.encode()
    cuts = sorted(data.draw(st.lists(st.integers(0, len(raw)), max_size=8)))
    out = bytearray()
    writer = CastWriter(out.extend, HEADER)
    for start, end in zip([0, *cuts], [*cuts, len(raw)], strict=True):
        writer.output(1.0, raw[start:end])
    writer.finish(1.0)
    assert "".join(event.data for event in parse_cast(bytes(out)).events) == text


def test_bytes_that_are_no_text_are_marked_and_never_raise() -> None:
    out = bytearray()
    writer = CastWriter(out.extend, HEADER)
    writer.output(0.1, b"a\xff\xc3")
    writer.exit(0.2, -9)
    events = parse_cast(bytes(out)).events
    assert [(e.code, e.data) for e in events] == [("o", "a\ufffd"), ("o", "\ufffd"), ("x", "-9")]


def test_lines_are_harmless_when_shown_with_cat() -> None:
    out = bytearray()
    CastWriter(out.extend, HEADER).event(CastEvent(0, "o", "\x1b[2J\x9b\x7f\u202e\u2028\ud800é─"))
    text = out.decode().splitlines()[1]
    assert all(character.isprintable() for character in text) and "é─" in text


def test_a_cut_last_line_is_left_out_and_told() -> None:
    whole = written([CastEvent(n / 10, "o", f"line {n} é") for n in range(20)], 2)
    first_line = whole.index(b"\n") + 1
    for length in range(first_line, len(whole)):
        cast = parse_cast(whole[:length])
        complete = whole[:length].count(b"\n") - 1
        assert complete <= len(cast.events) <= complete + 1
        assert cast.torn == (whole[length - 1 : length] != b"\n" and len(cast.events) == complete)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b"hello\n", "no asciicast header"),
        (b"\x1f\x8b\x08\n", "no asciicast header"),
        (b"[" * 100_000 + b"\n", "no asciicast header"),
        (b'{"version":1,"width":80,"height":24,"stdout":[]}\n', "version 2 or 3"),
        (b'{"version":[2]}\n', "version 2 or 3"),
        (b'{"version":2,"width":"80","height":24}\n', "whole numbers"),
        (b'{"version":2,"width":true,"height":24}\n', "whole numbers"),
        (b'{"version":2,"width":80,"height":1000000000}\n', "out of range"),
        (b'{"version":3,"width":80,"height":24}\n', "`term`"),
        (b'{"version":2,"width":80,"height":24}\n{"a":1}\n', "line 2"),
        (b'{"version":2,"width":80,"height":24}\n[1,"o","a"]\n[1,"o"\n[2,"o","b"]\n', "line 3: is not JSON"),
        (b'{"version":2,"width":80,"height":24}\n["1","o","a"]\n', "number of seconds"),
        (b'{"version":2,"width":80,"height":24}\n[true,"o","a"]\n', "number of seconds"),
        (b'{"version":2,"width":80,"height":24}\n[-1,"o","a"]\n', "no time"),
        (b'{"version":2,"width":80,"height":24}\n[NaN,"o","a"]\n', "is not JSON"),
        (b'{"version":2,"width":80,"height":24}\n[1e999,"o","a"]\n', "no time"),
        (b'{"version":2,"width":80,"height":24}\n[' + b"9" * 5000 + b',"o","a"]\n', "is not JSON"),
        (b'{"version":2,"width":80,"height":24}\n[' + b"9" * 400 + b',"o","a"]\n', "no time"),
        (b'{"version":2,"width":80,"height":24}\n[1,2,"a"]\n', "code"),
        (b'{"version":2,"width":80,"height":24}\n[1,"o",7]\n', "data"),
        (b'{"version":2,"width":80,"height":24}\n[1,"o","\xff"]\n', "UTF-8"),
        (b'{"version":2,"width":80,"height":24}\n[1,"r","80"]\n', "COLUMNSxLINES"),
        (b'{"version":2,"width":80,"height":24}\n[1,"r","99999x99999"]\n', "out of range"),
    ],
)
def test_a_broken_file_is_one_clear_line(data: bytes, words: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_cast(data, "some.cast")
    message = str(caught.value)
    assert words in message and message.startswith("some.cast: ") and "\n" not in message


@given(st.binary(max_size=200))
def test_no_bytes_raise_anything_but_input_errors(data: bytes) -> None:
    header = b'{"version":2,"width":80,"height":24}\n'
    for attempt in (data, header + data, header + b"[1," + data + b"]\n"):
        try:
            parse_cast(attempt)
        except InputError as error:
            assert "\n" not in str(error)


def test_missing_and_unreadable_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such recording"):
        read_cast(tmp_path / "none.cast")
    with pytest.raises(InputError, match="is a folder"):
        read_cast(tmp_path)
