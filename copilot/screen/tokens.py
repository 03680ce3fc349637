"""The tokeniser: text from the child in, pieces of text and complete control sequences out.

`TOKENS` finds well-formed sequences, many per call, at the speed of the `re` module; each match is a run
of text together with the SGR before it and the control after it. (House rule: untrusted text is matched
with RE2. Here every repeat is possessive or bounded, so nothing is tried more than twice and time is
linear; RE2's Python calls cost several times more per token.)

What is malformed, cut off or longer than usual goes to `Machine`, a state machine in the manner of
Paul Williams' VT500 parser. It keeps its state between calls, so a stream reads the same however it is
cut. Sequences are bounded: what is too long is swallowed to its end and dropped.
"""

from __future__ import annotations

import re
from typing import Protocol

LONGEST_PARAMETERS = 256
LONGEST_INTERMEDIATES = 2
LONGEST_OSC = 1 << 20
LONGEST_STRING = 4096
"""DCS and APC: only short ones mean anything here."""

# No group is possessive: before 3.11.5 Python loses its place where one fails half-way (CPython 106052).
_SGR = "([0-9;:]{0,256}+m(?:\x1b\\[[0-9;:]{0,256}+m)*)"
TOKENS = re.compile(
    f"(?:\x1b\\[{_SGR})?"  # 1 SGR, one or more
    "([^\x00-\x1f\x7f-\x9f]*+)"  # 2 text
    f"(?:\x1b\\[(?:{_SGR}"  # 3 SGR, one or more
    "|([0-?]{0,256}+)([ -/]{0,2}+[@-~]))"  # 4, 5 CSI, no longer than the machine takes
    "|(\r\n|[\x00-\x1a\x1c-\x1f\x7f-\x9f]"  # 6 controls
    "|\x1b[0-OQ-WYZ\\\\`-~]|\x1b[ -/]{1,2}+[0-~]"  # ESC with its final
    "|\x1b\\][^\x00-\x1f\x7f]*+(?:\x07|\x1b\\\\))"  # OSC
    "|(\x1b.*+))?",  # 7 what the machine must see, to the end
    re.DOTALL,
).findall
"""All tokens of a text that starts outside any sequence: (SGR, text, SGR, parameters, final, other, rest)."""

_STRING_END = re.compile("[\x07\x18\x1a\x1b]").search
_DCS = re.compile(r"([0-?]*)([ -/]*[@-~])(.*)", re.DOTALL).fullmatch

GROUND, ESCAPE, CSI, CSI_IGNORED, OSC, DCS, APC, IGNORED = range(8)
_STRINGS = {"]": OSC, "P": DCS, "_": APC, "X": IGNORED, "^": IGNORED}


class Listener(Protocol):
    """What the machine calls for what it recognises."""

    def on_control(self, character: str) -> None: ...
    def on_escape(self, sequence: str) -> None: ...
    def on_csi(self, parameters: str, final: str) -> None: ...
    def on_osc(self, text: str, terminator: str) -> None: ...
    def on_dcs(self, parameters: str, final: str, text: str) -> None: ...
    def on_apc(self, text: str) -> None: ...


class Machine:
    """Reads sequences one character at a time; strings in larger pieces."""

    def __init__(self, listener: Listener) -> None:
        self._listener = listener
        self.state = GROUND
        self._parameters = ""
        self._intermediates = ""
        self._pieces: list[str] = []
        self._length = 0

    def push(self, text: str) -> str:
        """Read a sequence, begun earlier or by the ESC that `text` starts with; returns what follows it."""
        at = 0
        if self.state == GROUND:
            self._step(text[0])
            at = 1
        while at < len(text) and self.state != GROUND:
            if self.state >= OSC:
                at = self._string(text, at)
            else:
                self._step(text[at])
                at += 1
        return text[at:]

    def _step(self, character: str) -> None:
        if character == "\x1b":
            self.state = ESCAPE
            self._parameters = self._intermediates = ""
        elif character in "\x18\x1a":
            self.state = GROUND
        elif character < " ":
            self._listener.on_control(character)
        elif character > "~":
            return
        elif self.state == ESCAPE:
            self._escape(character)
        else:
            self._csi(character)

    def _escape(self, character: str) -> None:
        if character <= "/":
            self._intermediates += character[len(self._intermediates) > LONGEST_INTERMEDIATES :]
            return
        self.state = GROUND
        if self._intermediates:
            if len(self._intermediates) <= LONGEST_INTERMEDIATES:
                self._listener.on_escape(self._intermediates + character)
        elif character == "[":
            self.state = CSI
        elif character in _STRINGS:
            self.state = _STRINGS[character]
            self._pieces = []
            self._length = 0
        else:
            self._listener.on_escape(character)

    def _csi(self, character: str) -> None:
        if character >= "@":
            if self.state == CSI:
                self.state = GROUND
                self._listener.on_csi(self._parameters, self._intermediates + character)
            self.state = GROUND
        elif character <= "/":
            self._intermediates += character[len(self._intermediates) > LONGEST_INTERMEDIATES :]
            if len(self._intermediates) > LONGEST_INTERMEDIATES:
                self.state = CSI_IGNORED
        elif self._intermediates or len(self._parameters) >= LONGEST_PARAMETERS:
            self.state = CSI_IGNORED
        else:
            self._parameters += character

    def _string(self, text: str, at: int) -> int:
        end = _STRING_END(text, at)
        stop = end.start() if end else len(text)
        limit = LONGEST_OSC if self.state == OSC else LONGEST_STRING
        if stop > at and self._length <= limit and self.state != IGNORED:
            self._pieces.append(text[at:stop])
            self._length += stop - at
            if len(self._pieces) > 4096:
                self._pieces = ["".join(self._pieces)]
        if end is None:
            return stop
        character = text[stop]
        if character == "\x07" and self.state != OSC:
            return stop + 1
        state = self.state
        self.state = ESCAPE if character == "\x1b" else GROUND
        self._parameters = self._intermediates = ""
        if character in "\x07\x1b" and self._length <= limit:
            self._finish(state, "\x07" if character == "\x07" else "\x1b\\")
        self._pieces = []
        return stop + 1

    def _finish(self, state: int, terminator: str) -> None:
        text = clean("".join(self._pieces))
        if state == OSC:
            self._listener.on_osc(text, terminator)
        elif state == APC:
            self._listener.on_apc(text)
        elif state == DCS and (found := _DCS(text)):
            self._listener.on_dcs(*found.groups())


def clean(text: str) -> str:
    """A string sequence's text without the control characters that do not belong there."""
    return text if text.isprintable() else _CONTROLS("", text)


_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f]+").sub
