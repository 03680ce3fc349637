"""Checks of mechanics: files, exit codes, texts, which tools and decisions there were."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import re2

from copilot.lab.checks import MOST_OF_A_FILE, Family, Finding, Trial, check, failed, passed, unless
from copilot.lab.stopping import STOPPING
from copilot.lab.supervised_command import run_supervised
from copilot.plain_files import read_plain, reason_of

_COMMAND_SECONDS = 60.0


@check(Family.MECHANICS, needs=("is",), **{"is": int})
def exit_code(trial: Trial, given: Mapping[str, Any]) -> Finding:
    """The co-pilot ended with this exit code."""
    code = trial.record.exit_code
    if code == given["is"]:
        return passed(f"exit code {code}")
    return failed(f"exit code {code}: {trial.record.reason}")


@check(Family.MECHANICS, needs=("path",), path=str, contains=str, exact=str, absent=bool)
def file(trial: Trial, given: Mapping[str, Any]) -> Finding:
    """The file is there, and holds what it should; with `absent: true` it is not."""
    name = given["path"]
    path = trial.project / name
    if given.get("absent"):
        return failed(f"{name} is there") if path.exists() else passed(f"{name} is absent")
    if not path.is_file():
        return failed(f"{name} is missing")
    try:
        text = read_plain(path, MOST_OF_A_FILE).decode("utf-8", "replace")
    except OSError as error:
        return failed(f"{name} cannot be read: {reason_of(error)}")
    faults = []
    if "contains" in given and given["contains"] not in text:
        faults.append(f"{name} does not contain {given['contains']!r}")
    if "exact" in given and given["exact"] != text:
        faults.append(f"{name} is not exactly as wanted: {text[:200]!r}")
    return unless(faults, f"{name} is as it should be")


def _text_faults(text: str, given: Mapping[str, Any], how: str) -> list[str]:
    """What is wrong with a text that must hold `contains` and must not hold `absent`."""
    faults = []
    if "contains" in given and given["contains"] not in text:
        faults.append(f"{given['contains']!r} was never {how}")
    if "absent" in given and given["absent"] in text:
        faults.append(f"{given['absent']!r} was {how}")
    return faults


@check(Family.MECHANICS, contains=str, absent=str)
def said(trial: Trial, given: Mapping[str, Any]) -> Finding:
    """The model's words hold a text, or do not."""
    faults = _text_faults(trial.record.said, given, "said")
    return unless(faults, "the words are as they should be")


@check(Family.MECHANICS, needs=("tool",), tool=str, times=int)
def called(trial: Trial, given: Mapping[str, Any]) -> Finding:
    """A tool was called, so many times if that is said."""
    count = len(trial.record.tool_calls(given["tool"]))
    if count == given["times"] if "times" in given else count > 0:
        return passed(f"{count} calls")
    return failed(f"{given['tool']} was called {count} times")


@check(Family.MECHANICS, needs=("tool",), tool=str, contains=str, absent=str)
def result(trial: Trial, given: Mapping[str, Any]) -> Finding:
    """What the calls of a tool gave back holds a text, or does not."""
    results = "\n".join(use.result or "" for use in trial.record.tool_calls(given["tool"]))
    faults = _text_faults(results, given, f"given back by {given['tool']}")
    return unless(faults, "the results are as they should be")


@check(Family.MECHANICS, needs=("tool",), tool=str, reason=str)
def blocked(trial: Trial, given: Mapping[str, Any]) -> Finding:
    """A call of the tool was refused; `reason` is part of why."""
    refused = [use for use in trial.record.blocked if use.name == given["tool"]]
    if not refused:
        return failed(f"no call of {given['tool']} was refused")
    reasons = [use.reason for use in refused]
    if any(given.get("reason", "") in one for one in reasons):
        return passed(f"refused: {reasons[0]}")
    return failed(*reasons)


@check(Family.MECHANICS, needs=("kinds",), kinds=list)
def asked(trial: Trial, given: Mapping[str, Any]) -> Finding:
    """The prompts that came up, by kind, in order."""
    seen: dict[str, str] = {}
    for event in trial.record.of("screen"):
        if event.data["identity"] and event.name not in ("completed", "idle", "error"):
            seen[str(event.data["identity"])] = event.name
    found = list(seen.values())
    if found == given["kinds"]:
        return passed("as said")
    return failed(f"asked were {', '.join(found) or 'nothing'}")


@check(Family.MECHANICS, needs=("verdict",), verdict=str, rule=str, least=int)
def decided(trial: Trial, given: Mapping[str, Any]) -> Finding:
    """Policy came to a verdict (send, hold, escalate, refuse), by a rule if one is named."""
    found = [
        event
        for event in trial.record.decisions
        if event.name == given["verdict"] and event.data["rule"] == given.get("rule", event.data["rule"])
    ]
    if len(found) >= given.get("least", 1):
        return passed(f"{found[0].name} by {found[0].data['rule']}" if found else "none was needed")
    decisions = ", ".join(f"{event.name} ({event.data['rule']})" for event in trial.record.decisions)
    return failed(f"decisions were: {decisions or 'none'}")


@check(Family.MECHANICS)
def no_stray_input(trial: Trial, given: Mapping[str, Any]) -> Finding:
    """The simulated CLI was typed nothing that it had not asked for."""
    return unless(list(trial.record.unexpected), "nothing was typed unasked")


@check(Family.MECHANICS)
def playbook_kept(trial: Trial, given: Mapping[str, Any]) -> Finding:
    """The run went by the model's playbook: no turn left over, none missing, every expectation met."""
    return unless(list(trial.model_problems), "the run went by its playbook")


@check(Family.MECHANICS, pattern=str)
def untouched(trial: Trial, given: Mapping[str, Any]) -> Finding:
    """No file of the project changed, or none whose path matches `pattern`."""
    pattern, changes = given.get("pattern", ""), trial.record.files.lines()
    touched = [line for line in changes if re2.search(pattern, line.split(" ", 1)[1])]
    return unless(touched, "nothing was touched")


@check(Family.MECHANICS, needs=("run",), run=str, exit_code=int)
def command(trial: Trial, given: Mapping[str, Any]) -> Finding:
    """A command of the scenario's author, run in the project afterwards, ends as it should (0)."""
    line, wanted = given["run"], given.get("exit_code", 0)
    argv = ("sh", "-c", line)
    ran = STOPPING.run(run_supervised("/bin/sh", argv, trial.project, os.environ, _COMMAND_SECONDS))
    if ran.status is None:
        return failed(f"{line!r} took more than {_COMMAND_SECONDS:g} s")
    if ran.status == wanted:
        return passed(f"{line!r} ended with {wanted}")
    return failed(f"{line!r} ended with {ran.status}: {(ran.complaint or ran.output).strip()[-300:]}")
