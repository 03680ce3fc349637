"""Typing one decided reply and making sure that it was taken. Looks and timers in, writes out.

Every write waits for a fresh look at the screen that shows what the write needs. What was typed is looked
for on the screen before Enter. Afterwards the prompt must go: only Enter is ever resent, never the text.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass

from copilot.core.detection import Detection
from copilot.core.effects import Effect, StartTimer, WriteKeys
from copilot.core.events import FreshLook
from copilot.core.probe import FieldView, ProbeStep, is_back, shows
from copilot.core.profile import ReplyKeys
from copilot.core.reply_keys import CannotType, Check, KeyPlan, KeyWrite
from copilot.core.screen_kinds import READY_KINDS, ScreenKind

TIMER = "typing"
LOOK_EVERY_SECONDS = 0.05
ECHO_WITHIN_SECONDS = 2.0
"""How long typed text may take to show before typing is given up, without its Enter."""
SLOW_ECHO_SECONDS = 8.0
"""The same at a composer where nothing is asked: a CLI that has just started draws before it reads."""
REDRAW_WITHIN_SECONDS = 0.5
"""How long the judged prompt may be missing from half-drawn frames before its reply dies.

After a letter typed as a test it may be missing for longer: a picture beside the field moves while
somebody types, and the same prompt counts again once that is over.
"""
ENOUGH_TO_KNOW = 24
"""This many last characters, without blanks, identify a long text."""
MOST_ENTERS_RESENT = 2
_CHOICES = frozenset(
    {ScreenKind.PERMISSION, ScreenKind.MENU, ScreenKind.YES_NO, ScreenKind.TRUST, ScreenKind.LOGIN}
)
"""Kinds at which an Enter that was meant for a text would choose something."""
_SETTLE_LOOKS = 2
"""Looks in a row that must agree that a prompt has gone: one may have met a half-drawn screen."""


class Outcome(enum.StrEnum):
    """What became of a typed reply."""

    TAKEN = "taken"
    NOT_TAKEN = "not taken"
    BLOCKED = "blocked"
    """Taken, and the next prompt already waits."""
    EXPIRED = "expired"
    """The prompt changed before the first key: nothing was typed."""
    NOT_SAVED = "not saved"
    """There is no checkpoint of the project's files: nothing was typed."""
    STUCK = "stuck"
    """Some keys were typed, but the screen does not show what the next write needs."""


@dataclass(slots=True)
class Typist:
    """Types one reply. `begin`, then feed looks and timers until `outcome` is set."""

    decision: int
    identity: str
    keys: ReplyKeys
    plan: KeyPlan
    replan: Callable[[Detection], KeyPlan]
    """Plan again for a fresh detection, since arrow paths start at the pointer. Raises CannotType."""
    outcome: Outcome | None = None
    note: str = ""
    written: int = 0
    """How many writes have gone out; which one is next."""
    _kind: ScreenKind = ScreenKind.UNKNOWN
    _typed: str = ""
    _echoed: str = ""
    _waiting_since: float = 0.0
    _gone_looks: int = 0
    _enters: int = 0
    _verifying: bool = False
    _probe: ProbeStep = ProbeStep.NONE
    _field: FieldView | None = None
    """The field as it was before the probe's letter."""

    @property
    def all_written(self) -> bool:
        """Whether every write has gone out; what follows is only making sure."""
        return self._verifying

    @property
    def probe_letter_shown(self) -> bool:
        """Whether a letter was typed as a test and not taken back yet."""
        return self._probe is ProbeStep.TYPED and self.outcome is None

    def expire(self, note: str) -> None:
        """Give up before the first key, for this reason."""
        self._end(Outcome.EXPIRED, note)

    def not_saved(self, note: str) -> None:
        """Give up before the first key, since there is no checkpoint, for this reason."""
        self._end(Outcome.NOT_SAVED, note)

    def _end(self, outcome: Outcome, note: str = "") -> tuple[Effect, ...]:
        self.outcome, self.note = outcome, note
        return ()

    def begin(self, at: float, first_seen_at: float) -> tuple[Effect, ...]:
        """Start: the guard time must pass between the prompt and its first key."""
        wait = max(0.0, first_seen_at + self.keys.guard_seconds - at)
        self._waiting_since = at + wait
        return (StartTimer(TIMER, wait),)

    def look(self, look: FreshLook) -> tuple[Effect, ...]:
        """A fresh look arrived: write, wait, or come to an outcome."""
        if self._verifying:
            return self._verify(look)
        if self._probe in (ProbeStep.TYPED, ProbeStep.ERASED):
            return self._watch_letter(look)
        try:
            write = self._next_write(look)
        except CannotType as problem:
            return self._end(Outcome.EXPIRED, str(problem))
        if write is None:
            return self._wait(look)
        if write.field and self._probe is ProbeStep.NONE and not look.detection.proven:
            return self._type_letter(look)
        return self._write(write, look)

    def _type_letter(self, look: FreshLook) -> tuple[Effect, ...]:
        """Nothing proves that text goes into a field here: one letter shall, if there is one to try."""
        if look.field is None:
            return self._give_up_in_time(look, "its cursor is not seen")
        if not look.field.letter:
            return self._give_up_in_time(look, "each letter to try is a key there")
        self._field, self._probe, self._waiting_since = look.field, ProbeStep.TYPED, look.at
        return (WriteKeys(self.decision, (look.field.letter,)), StartTimer(TIMER, LOOK_EVERY_SECONDS))

    def _watch_letter(self, look: FreshLook) -> tuple[Effect, ...]:
        """The letter was typed, or erased: go on once the screen shows just that."""
        assert self._field is not None
        if self._probe is ProbeStep.TYPED:
            if not shows(self._field, look.field):
                return self._give_up_in_time(look, "a letter typed as a test did not appear at the cursor")
            self._probe, self._waiting_since = ProbeStep.ERASED, look.at
            return (WriteKeys(self.decision, ("Backspace",)), StartTimer(TIMER, LOOK_EVERY_SECONDS))
        if not is_back(self._field, look.field):
            return self._give_up_in_time(look, "a letter typed as a test could not be taken back")
        self._probe, self._waiting_since = ProbeStep.PASSED, look.at
        return self.look(look)

    def _give_up_in_time(self, look: FreshLook, why: str) -> tuple[Effect, ...]:
        """Wait for the screen to show it, and give up when that takes too long."""
        if look.at - self._waiting_since < self._patience:
            return (StartTimer(TIMER, LOOK_EVERY_SECONDS),)
        return self._end(Outcome.STUCK, f"nothing proves that text can be typed here: {why}")

    @property
    def _patience(self) -> float:
        return SLOW_ECHO_SECONDS if self._kind in READY_KINDS else ECHO_WITHIN_SECONDS

    def _next_write(self, look: FreshLook) -> KeyWrite | None:
        """The write whose check holds on this look, or None."""
        write = self.plan.writes[self.written]
        same = look.detection.identity == self.identity
        if self.written == 0:
            if not same:
                return None
            self.plan = self.replan(look.detection)
            self._kind = look.detection.kind
            return self.plan.writes[0]
        if write.check is Check.ANY:
            return write if same or not look.detection.asks else None
        if write.check is Check.POINTER:
            selected = look.detection.selected_option()
            return write if same and selected and selected.label == self.plan.target else None
        if write.check is Check.TEXT_SHOWN:
            elsewhere = not same and look.detection.kind is not self._kind and look.detection.kind in _CHOICES
            ours = _is_all_of(look.detection.draft, self._typed)
            return write if _shows(look, self._typed) and (ours or not elsewhere) else None
        return write if same else None

    def _wait(self, look: FreshLook) -> tuple[Effect, ...]:
        if self.written == 0:
            return self._wait_for_prompt(look)
        if look.at - self._waiting_since >= self._patience:
            if self._only_enter_is_left() and look.detection.identity != self.identity:
                # the program took the letter alone
                return self._end(Outcome.BLOCKED if look.detection.asks else Outcome.TAKEN)
            why = "what was typed does not show on the screen; Enter was not pressed"
            return self._end(Outcome.STUCK, why)
        return (StartTimer(TIMER, LOOK_EVERY_SECONDS),)

    def _only_enter_is_left(self) -> bool:
        """Whether a letter was typed that needs no more than its Enter."""
        done, *left = self.plan.writes[self.written - 1 :]
        letter = len(done.keys) == 1 and len(done.keys[0]) == 1
        return letter and [write.keys for write in left] == [("Enter",)]

    def _wait_for_prompt(self, look: FreshLook) -> tuple[Effect, ...]:
        """The judged prompt is not seen: gone for good, or a frame half drawn?"""
        another = look.detection.waiting and look.detection.identity != ""
        limit = SLOW_ECHO_SECONDS if self._probe is ProbeStep.PASSED else REDRAW_WITHIN_SECONDS
        if another or look.at - self._waiting_since >= limit:
            return self._end(Outcome.EXPIRED, "the prompt changed before the first key")
        return (StartTimer(TIMER, LOOK_EVERY_SECONDS),)

    def _write(self, write: KeyWrite, look: FreshLook) -> tuple[Effect, ...]:
        if "\n" in write.text and not look.bracketed_paste and not write.by_line:
            return self._end(Outcome.STUCK, "several lines need a paste, which the child does not take")
        self._typed = write.text or "".join(key for key in write.keys if len(key) == 1)
        if self._typed:
            self._echoed = _squeezed(self._typed)
        self.written += 1
        self._waiting_since = look.at
        paste = write.paste and look.bracketed_paste
        effect = WriteKeys(self.decision, write.keys, write.text, paste)
        if self.written == len(self.plan.writes):
            self._verifying = True
            return (effect, StartTimer(TIMER, LOOK_EVERY_SECONDS))
        return (effect, StartTimer(TIMER, self.keys.enter_gap_seconds))

    def _verify(self, look: FreshLook) -> tuple[Effect, ...]:
        """Has the prompt gone?"""
        if self._still_there(look):
            self._gone_looks = 0
            if look.at - self._waiting_since < self.keys.taken_within_seconds:
                return (StartTimer(TIMER, LOOK_EVERY_SECONDS),)
            return self._press_enter_again(look)
        self._gone_looks += 1
        if self._gone_looks < _SETTLE_LOOKS:
            return (StartTimer(TIMER, LOOK_EVERY_SECONDS),)
        return self._end(Outcome.BLOCKED if look.detection.asks else Outcome.TAKEN)

    def _still_there(self, look: FreshLook) -> bool:
        """Whether the judged prompt, or our unsent text, is still on the screen."""
        if look.detection.identity == self.identity:
            return True
        sent = self._sent_text()
        if sent and _squeezed(sent) == _squeezed(look.detection.draft):
            return True
        if look.detection.asks:
            return False
        return bool(self._echoed) and _ends_with(look.before_cursor, self._echoed)

    def _sent_text(self) -> str:
        return next((write.text for write in self.plan.writes if write.text), "")

    def _press_enter_again(self, look: FreshLook) -> tuple[Effect, ...]:
        last = self.plan.writes[-1]
        safe = last.keys == ("Enter",) and self._enter_is_safe(look.detection)
        if not safe or self._enters >= MOST_ENTERS_RESENT:
            tries = self._enters + 1
            times = "1 try" if tries == 1 else f"{tries} tries"
            return self._end(Outcome.NOT_TAKEN, f"the prompt is still open after {times}")
        self._enters += 1
        self._waiting_since = look.at
        return (WriteKeys(self.decision, ("Enter",)), StartTimer(TIMER, LOOK_EVERY_SECONDS))

    def _enter_is_safe(self, detection: Detection) -> bool:
        """Enter alone must not choose anything but what was decided."""
        text = self._sent_text()
        if text:
            return _squeezed(text) == _squeezed(detection.draft)
        if detection.identity != self.identity and detection.asks:
            return False
        selected = detection.selected_option()
        if detection.options and selected is not None:
            return selected.label == self.plan.target
        return detection.kind is ScreenKind.PRESS_KEY


def _squeezed(text: str) -> str:
    return "".join(text.split())


def _is_all_of(draft: str, typed: str) -> bool:
    """Whether the draft is what was typed: all of it, or its last line below a list that opened at it."""
    lines = draft.splitlines() or [""]
    return _squeezed(typed) != "" and _squeezed(typed) in (_squeezed(draft), _squeezed(lines[-1]))


def _shows(look: FreshLook, typed: str) -> bool:
    """Whether the typed text is in the composer or before the cursor (wrapped or not)."""
    draft = _squeezed(look.detection.draft)
    last_line = typed.rpartition("\n")[2]
    return (
        _ends_with(look.before_cursor, last_line)
        or _ends_with(draft, typed)
        or draft.startswith("[Pastedtext")
    )


def _ends_with(shown: str, typed: str) -> bool:
    """Whether `shown` ends with what was typed; of a long text its end will do, for composers scroll."""
    return _squeezed(shown).endswith(_squeezed(typed)[-ENOUGH_TO_KNOW:])
