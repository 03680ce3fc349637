"""`Walker`: from dialog to dialog of a walk; each is compared and answered by the label of an option."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from copilot.config.profile_files import load_profile
from copilot.core.detection import Detection, Option
from copilot.core.profile import Profile, ReplyKeys
from copilot.core.reply import Reply
from copilot.core.reply_keys import CannotType, KeyPlan, plan_keys, plan_refusal
from copilot.core.screen_kinds import ScreenKind
from copilot.core.snapshot import ScreenSnapshot
from copilot.detection import Examiner
from copilot.lab.clis.base import Answer, Choose, Leave, Press, Refuse, Say, Station
from copilot.lab.model_server import ModelServer
from copilot.lab.profiles.comparison import Difference, compare, fits, is_of_kind
from copilot.lab.profiles.terminal import CliTerminal

PATIENCE_SECONDS = 6.0
"""A prompt of another kind than expected counts once it is open for so long."""
LIMIT_SECONDS = 60.0
START_SECONDS = 120.0
"""Some CLIs take half a minute to start in a HOME that they have never seen."""
_KEY_GAP_SECONDS = 0.35
"""Between two keys: no CLI swallows the second (measured: 0.1 s is too short for one)."""
_NUMBER = "0123456789.) "
"""Before a label of a list that is numbered."""
_EXITED = ScreenKind.EXITED.value


@dataclass(frozen=True, slots=True)
class Visit:
    """One dialog as it was met; `detection` is None if it never came."""

    station: Station
    detection: Detection | None
    snapshot: ScreenSnapshot
    at: float
    differences: tuple[Difference, ...]


class _LostError(Exception):
    """The walk cannot go on from here; the message says why."""


class Walker:
    """Goes through stations. `visits` are those met, `absent` those that this version does not have."""

    def __init__(self, profile: Profile, terminal: CliTerminal, model: ModelServer, kept: Path) -> None:
        """`kept` is the file that a refused deletion must leave."""
        self.profile = profile
        self.visits: list[Visit] = []
        self.absent: dict[str, str] = {}
        self._terminal = terminal
        self._model = model
        self._kept = kept
        self._plain = load_profile("generic")

    async def go(self, stations: Sequence[Station]) -> None:
        """Visit and answer one after the other, until the end or until one cannot be answered."""
        found: Detection | None = None
        for station, *rest in (stations[index:] for index in range(len(stations))):
            if found is None:
                found, early = await self._next(station)
            if self._is_absent(station, found, rest):
                continue
            visit = self._visit(station, found, early)
            self.visits.append(visit)
            if visit.detection is None or (rest and not await self._answered(station, visit)):
                return
            found = None

    async def _next(self, station: Station) -> tuple[Detection | None, tuple[Difference, ...]]:
        """The next prompt, and what was taken for one while the CLI was at work."""
        terminal = self._terminal
        limit = LIMIT_SECONDS if terminal.typed else START_SECONDS
        if station.expected.kind == _EXITED:
            await terminal.wait_for_exit(limit)
            return None, ()
        kinds = station.expected.kind.split("|")
        found = await terminal.wait_for(kinds, patience=PATIENCE_SECONDS, limit=limit)
        early = tuple(_early(station, terminal))
        while found is not None and terminal.since_typed < station.works_seconds:
            terminal.answering()
            found = await terminal.wait_for(kinds, patience=PATIENCE_SECONDS, limit=limit)
        return found, early

    def _is_absent(self, station: Station, found: Detection | None, rest: Sequence[Station]) -> bool:
        """Whether this version went on to the next dialog, as its model was not offered the tool for this."""
        if found is None or not rest or is_of_kind(found, station.expected):
            return False
        missing = missing_tool(self._model)
        if missing and is_of_kind(found, rest[0].expected):
            self.absent[station.name] = f"this version offers the model no tool {missing!r}"
            return True
        return False

    def _visit(self, station: Station, found: Detection | None, early: tuple[Difference, ...]) -> Visit:
        terminal = self._terminal
        if station.expected.kind == _EXITED:
            found, differences = self._ended(station)
        elif found is None:
            differences = (Difference(station.name, "kind", station.expected.kind, self._why_not()),)
        else:
            differences = self._compared(station, found)
        early += self._harm(station)
        return Visit(station, found, terminal.snapshot, terminal.clock(), (*early, *differences))

    def _compared(self, station: Station, found: Detection) -> tuple[Difference, ...]:
        """The differences from the measured form that is nearest."""
        keys = self.profile.reply_keys
        forms = (station.expected, *station.also)
        return min((tuple(compare(station.name, form, found, keys)) for form in forms), key=len)

    def _ended(self, station: Station) -> tuple[Detection | None, tuple[Difference, ...]]:
        """The end of the CLI, which was told to leave."""
        status = self._terminal.exit_status
        if status == 0:
            return self._terminal.settled, ()
        found = "it still runs" if status is None else str(status)
        return self._terminal.settled, (Difference(station.name, "exit status", "0", found),)

    def _harm(self, station: Station) -> tuple[Difference, ...]:
        """Whether what was refused right before happened all the same."""
        before = self.visits[-1].station.answers if self.visits else ()
        if Refuse() not in before or self._kept.exists():
            return ()
        return (Difference(station.name, "effect", f"{self._kept.name} is kept", "it is gone"),)

    def _why_not(self) -> str:
        ended = self._terminal.exit_status
        return f"the CLI ended with status {ended}" if ended is not None else "it never came up"

    async def _answered(self, station: Station, visit: Visit) -> bool:
        """Whether the answers could be typed; if not, why is a difference of the visit."""
        self._terminal.answering()
        try:
            for answer in station.answers:
                await self._answer(visit, answer)
        except _LostError as problem:
            difference = Difference(station.name, "answer", _named(answer), str(problem))
            self.visits[-1] = replace(visit, differences=(*visit.differences, difference))
            return False
        return True

    async def _answer(self, visit: Visit, answer: Answer) -> None:
        await asyncio.sleep(_KEY_GAP_SECONDS)
        match answer:
            case Say():
                await self._say(answer.text)
            case Leave():
                await self._say(self.profile.launch.leave)
            case Press():
                await self._press([(key,) for key in answer.keys])
            case Choose():
                await self._press(_writes(self._choice(visit, answer.label)))
            case Refuse():
                await self._press(_writes(self._refusal(visit)))

    async def _say(self, text: str) -> None:
        self._terminal.type(text, paste=self.profile.reply_keys.paste == "bracketed")
        await asyncio.sleep(_KEY_GAP_SECONDS)
        self._terminal.press(("Enter",))

    async def _press(self, writes: list[tuple[str, ...]]) -> None:
        for keys in writes:
            self._terminal.press(keys)
            await asyncio.sleep(_KEY_GAP_SECONDS)

    def _choice(self, visit: Visit, label: str) -> KeyPlan:
        """The keys for the option of this label: the profile's own, else those of the list's form."""
        own = visit.detection
        by_form = Examiner(self._plain).examine(visit.snapshot).detection
        readings: list[tuple[Detection, ReplyKeys]] = [(by_form, self._plain.reply_keys)]
        if own is not None and own.kind is not ScreenKind.UNKNOWN:
            readings.insert(0, (own, self.profile.reply_keys))
        for found, keys in readings:
            option = _labelled(found, label)
            if option is not None:
                with suppress(CannotType):
                    return plan_keys(found, Reply(choice=option.label), keys)
        raise _LostError("no such option is on the screen")

    def _refusal(self, visit: Visit) -> KeyPlan:
        plan = plan_refusal(visit.detection, self.profile.reply_keys) if visit.detection else None
        if plan is None:
            raise _LostError("the profile knows none for this prompt")
        return plan


def _early(station: Station, terminal: CliTerminal) -> Iterator[Difference]:
    """What was read as a prompt while the CLI was at work for longer."""
    for after, found in terminal.prompts_within(station.works_seconds):
        said = f"{found.kind.value} after {after:.0f} s by {found.rule}"
        yield Difference(station.name, "busy", f"busy for {station.works_seconds:.0f} s", said)


def _labelled(found: Detection, label: str) -> Option | None:
    fitting = (
        option
        for wanted in label.split("|")
        for option in found.options
        if fits(option.label.lstrip(_NUMBER), wanted)
    )
    return next(fitting, None)


def _named(answer: Answer) -> str:
    return answer.label if isinstance(answer, Choose) else "a refusal"


def _writes(plan: KeyPlan) -> list[tuple[str, ...]]:
    return [write.keys for write in plan.writes]


def missing_tool(model: ModelServer) -> str:
    """The tool of the newest turn, if the CLI does not offer it to the model."""
    if not model.given:
        return ""
    given = model.given[-1]
    asked = next((one for one in model.requests if one.number == given.request), None)
    calls = given.turn.tool_calls
    return next((call.name for call in calls if asked and call.name not in asked.tools), "")
