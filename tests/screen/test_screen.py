"""What a coding CLI needs of its terminal, one behaviour after the other."""

from __future__ import annotations

import base64

import pyte
import pytest

from copilot.core.snapshot import ProgramStatus, Style
from copilot.screen import TerminalScreen
from copilot.screen import events as ev
from copilot.screen.theme import Theme


def fed(data: bytes | str, columns: int = 20, lines: int = 4) -> TerminalScreen:
    screen = TerminalScreen(columns, lines)
    screen.feed(data.encode() if isinstance(data, str) else data)
    return screen


def shown(screen: TerminalScreen) -> list[str]:
    return [line.rstrip() for line in screen.snapshot().lines]


def test_rows_are_exactly_as_wide_as_the_screen() -> None:
    snapshot = fed("a漢👍🏽e\u0301").snapshot()
    assert snapshot.lines[0] == "a漢👍🏽e\u0301" + " " * 14
    assert snapshot.characters[0][:7] == ("a", "漢", "", "👍🏽", "", "e\u0301", " ")
    assert [len(row) for row in snapshot.rows] == [20] * 4
    assert snapshot.rows[0][2].text == ""


@pytest.mark.parametrize(
    ("sgr", "expected"),
    [
        ("1;2;3;4;5;7;8;9", Style("default", "default", True, True, True, True, True, True, True, True)),
        ("31;42", Style(1, 2)),
        ("95;106", Style(13, 14)),
        ("38;5;200;48;5;17", Style(200, 17)),
        ("38;2;1;2;3;48;2;255;0;16", Style("#010203", "#ff0010")),
        ("38:2::1:2:3", Style("#010203")),
        ("38:2:1:2:3", Style("#010203")),
        ("38:5:9", Style(9)),
        ("4:3", Style(underline=True)),
        ("4:3;4:0", Style()),
        ("58;2;1;5;7", Style()),
        ("58:5:7;1", Style(bold=True)),
        ("1;2;22", Style()),
        ("1;31;0", Style()),
        ("38;2;1", Style()),
        ("38;5;999", Style()),
        ("38;2;300;0;0", Style()),
        ("1;;3", Style(italic=True)),
    ],
)
def test_styles(sgr: str, expected: Style) -> None:
    assert fed(f"\x1b[{sgr}mx").snapshot().styles[0][0] == expected


@pytest.mark.parametrize("reset", ["\x1b[m", "\x1b[0m", "\x1b[39m"])
@pytest.mark.parametrize("colour", ["38;2;1;2;3", "38;2;1;2;3;48;2;4;5;6", "48;2;4;5;6"])
def test_a_reset_right_behind_a_true_colour_counts(colour: str, reset: str) -> None:
    screen = fed(f"\x1b[{colour}m{reset}x\x1b[{colour};my")
    one, other = screen.snapshot().styles[0][:2]
    assert one.foreground == "default"
    assert one.background == ("#040506" if reset == "\x1b[39m" and "48" in colour else "default")
    assert other == Style()


def test_private_sgr_is_not_sgr() -> None:
    assert fed("\x1b[>4;2m\x1b[?4mx").snapshot().styles[0][0] == Style()


@pytest.mark.parametrize("start", ["abcdef", "abcdef\x1b[3Gxy"])
def test_deleted_cells_let_in_blanks_of_the_background(start: str) -> None:
    screen = fed(f"{start}\x1b[1;41m\x1b[2G\x1b[2P")
    assert screen.snapshot().lines[0].rstrip() in ("adef", "ayef")
    backgrounds = [style.background for style in screen.snapshot().styles[0]]
    assert backgrounds == ["default"] * 18 + [1, 1]


def test_erased_cells_take_the_background_only() -> None:
    screen = fed("\x1b[1;41mab\x1b[K\x1b[0m\r\nx")
    assert screen.snapshot().styles[0][1] == Style(background=1, bold=True)
    assert screen.snapshot().styles[0][19] == Style(background=1)
    assert screen.snapshot().styles[1][19] == Style()


@pytest.mark.parametrize("mode", ["1049", "1047", "47"])
def test_the_main_screen_comes_back(mode: str) -> None:
    screen = fed(f"shell$ \x1b[?{mode}h\x1b[2J\x1b[Hfull screen")
    assert screen.snapshot().alternate_screen
    assert shown(screen)[0] == "full screen"
    screen.feed(f"\x1b[?{mode}l".encode())
    assert not screen.snapshot().alternate_screen
    assert shown(screen)[0] == "shell$"


def test_scrollback_comes_from_the_main_screen_only() -> None:
    screen = fed("1\r\n2\r\n3\r\n4\r\n5\r\n6")
    assert ["".join(screen.scrollback_row(n).chars) for n in range(2)] == ["1", "2"]
    screen.feed(b"\x1b[?1049h" + b"x\r\n" * 20 + b"\x1b[?1049l\x1b[2;4r\x1b[4;1H\n\n\n")
    assert len(screen.scrollback) == 2
    screen.feed(b"\x1b[3J")
    assert len(screen.scrollback) == 0
    assert shown(screen)[0] == "3"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("\x1b[c", "\x1b[?62;22c"),
        ("\x1b[>c", "\x1b[>1;10;0c"),
        ("\x1b[=c", "\x1bP!|00000000\x1b\\"),
        ("\x1b[>q", "\x1bP>|copilot 1\x1b\\"),
        ("\x1b[>0q", "\x1bP>|copilot 1\x1b\\"),
        ("\x1b[5n", "\x1b[0n"),
        ("\x1b[2;3H\x1b[6n", "\x1b[2;3R"),
        ("\x1b[2;3H\x1b[?6n", "\x1b[?2;3R"),
        ("\x1b[?996n", "\x1b[?997;1n"),
        ("\x1b[?u", "\x1b[?0u"),
        ("\x1b[>5u\x1b[?u", "\x1b[?5u"),
        ("\x1b[?4m", "\x1b[>4;0m"),
        ("\x1b[?2026$p", "\x1b[?2026;2$y"),
        ("\x1b[?2026h\x1b[?2026$p", "\x1b[?2026;1$y"),
        ("\x1b[?2027$p", "\x1b[?2027;3$y"),
        ("\x1b[?1016$p", "\x1b[?1016;0$y"),
        ("\x1b[4$p", "\x1b[4;2$y"),
        ("\x1b[14t", "\x1b[4;64;160t"),
        ("\x1b[16t", "\x1b[6;16;8t"),
        ("\x1b[18t", "\x1b[8;4;20t"),
        ("\x1b[21t", ""),
        ("\x1b]10;?\x07", "\x1b]10;rgb:e5e5/e5e5/e5e5\x07"),
        ("\x1b]11;?\x1b\\", "\x1b]11;rgb:1212/1212/1212\x1b\\"),
        ("\x1b]4;1;?\x07", "\x1b]4;1;rgb:cdcd/3131/3131\x07"),
        ("\x1b]4;17;?;231;?\x07", "\x1b]4;17;rgb:0000/0000/5f5f\x07\x1b]4;231;rgb:ffff/ffff/ffff\x07"),
        ("\x1bP$qm\x1b\\", "\x1bP1$r0m\x1b\\"),
        ("\x1b[1;31m\x1bP$qm\x1b\\", "\x1bP1$r1;31m\x1b\\"),
        ("\x1bP$qr\x1b\\", "\x1bP1$r1;4r\x1b\\"),
        ("\x1b[3 q\x1bP$q q\x1b\\", "\x1bP1$r3 q\x1b\\"),
        ("\x1bP$qevil\x1b\\", "\x1bP0$r\x1b\\"),
        ("\x1bP+q544e\x1b\\", "\x1bP1+r544E=787465726D2D323536636F6C6F72\x1b\\"),
        ("\x1bP+q4576696c\x1b\\", "\x1bP0+r\x1b\\"),
        ("\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\", "\x1b_Gi=31;ENOTSUP:no graphics\x1b\\"),
        ("\x1b]52;c;?\x07", ""),
        ("\x1b]7501;?\x07", "\x1b]7501;?\x1b\\"),
    ],
)
def test_answers(question: str, answer: str) -> None:
    screen = fed(question)
    assert screen.take_replies().decode() == answer
    assert screen.take_replies() == b""
    assert shown(screen) == [""] * 4


def test_answers_come_in_the_order_asked() -> None:
    """Claude Code takes DA1 for "no more answers will come"."""
    screen = fed("\x1b[>0q\x1b[?u\x1b]7501;?\x07\x1b[c")
    assert screen.take_replies() == b"\x1bP>|copilot 1\x1b\\\x1b[?0u\x1b]7501;?\x1b\\\x1b[?62;22c"


@pytest.mark.parametrize("evil", ["; rm -rf ~\r", "\x1b[c", "`id`"])
def test_nothing_of_the_child_is_echoed_back(evil: str) -> None:
    text = evil.encode().hex()
    screen = fed(
        f"\x1b]0;{evil}\x07\x1b[21t\x1b[20t\x1bP$q{evil}\x1b\\\x1bP+q{text}\x1b\\\x1b]10;{evil}\x07\x1b]4;1;{evil}\x07"
    )
    replies = screen.take_replies()
    assert b"rm" not in replies
    assert b"id" not in replies
    assert text.upper().encode() not in replies


def test_the_theme_is_told() -> None:
    screen = TerminalScreen(20, 4)
    screen.theme = Theme((0, 0, 0), (255, 255, 255), (1, 2, 3))
    screen.feed(b"\x1b[?996n\x1b]11;?\x07")
    assert screen.take_replies() == b"\x1b[?997;2n\x1b]11;rgb:ffff/ffff/ffff\x07"


def test_program_status() -> None:
    message = base64.b64encode(b"approve Bash: rm\x1b -rf").decode()
    screen = fed(f"\x1b]7501;state=blocked:app=claude-code:kind=permission:msg={message}\x07")
    status = ProgramStatus("blocked", "permission", "approve Bash: rm -rf", "claude-code")
    assert screen.snapshot().program_status == status
    assert screen.take_events() == (ev.StatusReported(status),)
    screen.feed(b"\x1b]7501;state=nonsense\x07\x1b]7501;msg=!!!\x07")
    assert screen.snapshot().program_status == status
    screen.feed(b"\x1b]7501;state=clear\x1b\\")
    assert screen.snapshot().program_status is None
    assert screen.take_events() == (ev.StatusReported(ProgramStatus("clear")),)


@pytest.mark.parametrize(
    ("sequence", "expected"),
    [
        ("\x07", ev.Bell()),
        ("\x1b]0;my title\x07", ev.TitleChanged("my title")),
        ("\x1b]2;my\x9btitle\x1b\\", ev.TitleChanged("mytitle")),
        ("\x1b]8;id=1;http://x/y\x1b\\", ev.LinkSeen("http://x/y")),
        ("\x1b]52;c;aGVsbG8=\x07", ev.ClipboardWrite("hello")),
        ("\x1b]52;c;G1szMW0=\x07", ev.ClipboardWrite("[31m")),
        ("\x1b]9;build done\x07", ev.Notification("build done")),
        ("\x1b]777;notify;Title;Body\x07", ev.Notification("Body", "Title")),
        ("\x1b]99;i=1;Body\x1b\\", ev.Notification("Body")),
        ("\x1b]9;4;1;42\x07", ev.ProgressChanged(42)),
        ("\x1b]9;4;3\x07", ev.ProgressChanged(-1)),
        ("\x1b]9;4;0;\x07", ev.ProgressChanged(None)),
        ("\x1b]133;A\x07", ev.ShellMark("A")),
        ("\x1b]133;D;1\x07", ev.ShellMark("D", 1)),
    ],
)
def test_events(sequence: str, expected: ev.ScreenEvent) -> None:
    screen = fed(sequence)
    assert screen.take_events() == (expected,)
    assert screen.take_events() == ()
    assert shown(screen) == [""] * 4


def test_a_link_is_part_of_the_style() -> None:
    screen = fed("\x1b]8;;http://x\x07a\x1b[0mb\x1b]8;;\x07c")
    assert [style.link for style in screen.visible_row(0).styles] == ["http://x", "http://x", ""]


@pytest.mark.parametrize(
    "data",
    [
        "\x1b[<u",
        "\x1b[<1u",
        "\x1b[=5;1u",
        "\x1b[!p",
        '\x1b[1"q',
        "\x1bPq#0;2;0;0;0~\x1b\\",
        "\x1b_Gpayload\x1b\\",
        "\x1b^private\x1b\\",
        "\x1bXstring\x1b\\",
        "\x1b]1337;File=x\x07",
        "\x1b]66;s=2;text\x07",
        "\x1b[38:2:1:2:3:4:5:6:7m",
        "\x1b[1;2;3y",
        "\x1b[?5;6h\x1b[?5;6l",
        "\x1b%G",
        "\u0080\u009b\u200b\u202e\u2066\ufeff",
    ],
)
def test_what_is_unknown_is_dropped_never_printed(data: str) -> None:
    assert shown(fed(data)) == [""] * 4


def test_the_width_is_not_the_childs_to_choose() -> None:
    screen = fed("\x1b[?40h\x1b[?3h\x1b[8;50;200t")
    assert (screen.columns, screen.lines) == (20, 4)


@pytest.mark.parametrize("text", ["❤️", "👨‍👩‍👧", "1️⃣", "🇬🇧", "⚠️", "👍🏽"])
def test_clusters_take_the_two_cells_that_rich_gives_them(text: str) -> None:
    assert fed(text + "x").snapshot().cursor.column == 3


def test_bullet_with_text_variation_keeps_its_line() -> None:
    assert fed("●\ufe0e done").snapshot().lines[0].startswith("●\ufe0e done")


def test_half_of_a_wide_character_does_not_stay() -> None:
    assert shown(fed("漢字\x1b[1;2Hx"))[0] == " x字"
    assert shown(fed("漢字\x1b[1;1Hx"))[0] == "x 字"


def test_line_drawing() -> None:
    assert shown(fed("\x1b(0lqk\x1b(Blqk"))[0] == "┌─┐lqk"
    assert shown(fed("\x1b)0\x0elqk\x0flqk"))[0] == "┌─┐lqk"


def test_soft_wraps_are_told() -> None:
    assert fed("x" * 25 + "\r\ny").snapshot().wrapped == (True, False, False, False)


def test_modes_in_the_snapshot() -> None:
    snapshot = fed("\x1b[?2026h\x1b[?2004h\x1b[?1h\x1b[?25l\x1b]9;4;1;7\x07\x1b]0;t\x07").snapshot()
    assert snapshot.synchronized
    assert snapshot.bracketed_paste
    assert snapshot.application_cursor_keys
    assert not snapshot.cursor.visible
    assert snapshot.progress == 7
    assert snapshot.title == "t"


def test_an_unchanged_screen_gives_the_same_snapshot() -> None:
    screen = fed("one\r\ntwo")
    first = screen.snapshot()
    assert screen.snapshot() is first
    screen.feed(b"\rtwo")
    assert screen.snapshot().revision == first.revision
    screen.feed(b"!")
    second = screen.snapshot()
    assert second.revision > first.revision
    assert second.lines[0] is first.lines[0]
    assert second.styles[0] is first.styles[0]


def test_a_strip_dies_with_a_write_and_moves_with_its_row() -> None:
    screen = fed("1\r\n2\r\n3\r\n4")
    row = screen.visible_row(1)
    row.picture_of(20).strip = "rendered"
    screen.feed(b"\r\n")
    assert screen.visible_row(0).strip == "rendered"
    screen.feed(b"\x1b[Hx")
    assert screen.visible_row(0).strip is None


def test_it_is_a_pyte_screen() -> None:
    screen = fed("\x1b[1;31;44mab\x1b[0m漢")
    assert isinstance(screen, pyte.Screen)
    assert screen.buffer[0][0] == pyte.screens.Char("a", "red", "blue", bold=True)
    assert screen.buffer[0][3].data == ""
    assert screen.buffer[3][19].data == " "
    assert screen.display[0] == "ab漢" + " " * 16
    assert screen.dirty == {0, 1, 2, 3}
    screen.dirty.clear()
    screen.feed(b"\r\nx")
    assert screen.dirty == {1}
    screen.draw("y")
    screen.index()
    screen.cursor_position(1, 1)
    assert (screen.cursor.x, screen.cursor.y, screen.cursor.attrs.data) == (0, 0, " ")
    assert screen.margins is None
    screen.set_margins(2, 3)
    assert screen.margins == (1, 2)


def test_pytes_own_stream_can_drive_it() -> None:
    screen = TerminalScreen(20, 4)
    pyte.Stream(screen).feed("\x1b[1mhi\x1b[0m\r\nthere\x1b[2;1H\x1b[K")
    assert shown(screen)[:2] == ["hi", ""]


@pytest.mark.parametrize("between", ["\x1b[8K", "\x1b[?7h", "\x1b[?7l\x1b[?7h"])
def test_what_does_not_move_leaves_a_pending_wrap(between: str) -> None:
    assert fed(f"abcdefgh{between}i", columns=8).snapshot().lines[:2] == ("abcdefgh", "i       ")


def test_a_wide_character_that_does_not_fit_is_not_drawn_without_wrapping() -> None:
    assert fed("\x1b[?7labcdefg漢", columns=8).snapshot().lines[0] == "abcdefg "


@pytest.mark.parametrize("count", [7, 40, 99, 65535])
def test_a_character_is_repeated_as_often_as_asked(count: int) -> None:
    repeated = fed(f"x\x1b[{count}b.", columns=8)
    assert repeated.snapshot().lines == fed("x" * (count + 1) + ".", columns=8).snapshot().lines


def test_leaving_the_alternate_screen_twice_restores_the_cursor() -> None:
    assert fed("ab\x1b7cd\x1b[?1049lX", columns=8).snapshot().lines[0] == "abXd    "


def test_a_relative_move_stays_in_the_margins_in_origin_mode() -> None:
    screen = fed("\x1b[1;3r\x1b[?6h\x1b[99ex", columns=8)
    assert screen.snapshot().lines[2] == "x       "


@pytest.mark.parametrize("event", sorted(pyte.Stream.events - {"debug"}))
def test_every_event_of_a_pyte_stream_goes_to_our_cells(event: str) -> None:
    assert getattr(TerminalScreen, event) is not getattr(pyte.Screen, event)


def test_a_pyte_stream_draws_what_feed_draws() -> None:
    data = "\x1b[2;3Hab\x1b[31mc\x1b[4l\x1b[A\x1b[2Pd\x1b7\x1b[K\r\n\t漢\x1b8e\x1b[2;3r\n\n\nf\x1b[1L\x1bMg\x1b[?7lh\x1b(0q"
    by_pyte, by_feed = TerminalScreen(12, 4), TerminalScreen(12, 4)
    stream = pyte.Stream(by_pyte)
    stream.use_utf8 = False
    stream.feed(data)
    by_feed.feed(data.encode())
    assert by_pyte.snapshot().rows == by_feed.snapshot().rows
    assert by_pyte.snapshot().cursor == by_feed.snapshot().cursor


FRAME, FRAME_ENDS = "\x1b[?2026h\x1b[H", "\x1b[?2026l"


def struck(*chunks: str) -> bool:
    screen = TerminalScreen(20, 4)
    for chunk in chunks:
        screen.feed(chunk.encode())
    return 0 in screen.snapshot().struck


@pytest.mark.parametrize(
    "chunks",
    [
        ("rm -rf src\rls        ",),
        ("rm -rf src\rrm -rf src\rls        ",),
        ("ls x\r", "rm -rf src\rls        "),
        (f"{FRAME}rm -rf src\r\n{FRAME_ENDS}{FRAME}rm -rf doc\rls        {FRAME_ENDS}",),
        (f"{FRAME}rm -rf src", f"\rls        {FRAME_ENDS}"),
        (f"{FRAME}宽 rm -rf src\r宽 ls        {FRAME_ENDS}",),
    ],
)
def test_text_under_the_text_of_one_frame_is_told(chunks: tuple[str, ...]) -> None:
    assert struck(*chunks)


@pytest.mark.parametrize(
    "chunks",
    [
        ("rm -rf src", "\rls        "),
        (f"{FRAME}Working (1s)\r\n{FRAME_ENDS}{FRAME}rm -rf src\x1b[K\r\n{FRAME_ENDS}",),
        (f"{FRAME}Working (1s)\r\n{FRAME_ENDS}" * 3,),
        ("ls        \rls",),
        ("rm -rf src\rls        ", "\rrm -rf doc"),
    ],
)
def test_frames_that_come_together_hide_nothing(chunks: tuple[str, ...]) -> None:
    """A busy machine reads several of them as one chunk."""
    assert not struck(*chunks)
