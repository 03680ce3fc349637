"""The thirteen correctness properties of the source document, each on many generated cases.

`PROPERTIES` at the end is what a reader finds by number.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import string
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from copilot.errors import InputError
from copilot.redaction.redact import Redactor
from copilot.timebox.box import Boxed, inside
from copilot.timebox.important import important_blocks, is_important, last_bytes
from copilot.timebox.limits import Countdown, Limits, Outcome
from copilot.timebox.request import MAX_MILLISECONDS, REQUIRED, parse_request
from copilot.timebox.runners import RUNNERS, Scope
from copilot.timebox.summary import Artifacts, Status, Summary, TestResult, status_of
from copilot.timebox.testing import RAW_LOG, SUMMARY_JSON, SUMMARY_MD, run_test
from tests.timebox.conftest import USUAL

many = settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
few_seconds = st.integers(1, 10_000).map(lambda milliseconds: milliseconds / 1000)
plain_name = st.text(string.ascii_letters + string.digits + "_.", min_size=1, max_size=8).filter(
    lambda name: name.strip(".") != ""
)
target = st.text(st.characters(blacklist_categories=("Cs", "Cc")), min_size=1, max_size=30).filter(
    lambda text: text.strip() and not text.lstrip().startswith("-")
)
scopes = st.sampled_from(list(Scope))


def parse(root: Path, **given: Any) -> Any:
    """A request like any other but for these parameters."""
    return parse_request({**USUAL, **given}, [root])


@pytest.mark.row("TB-15", "TB-16")
@many
@given(runner=st.sampled_from(sorted(RUNNERS)), words=target)
@example(runner="pytest", words="@arguments.txt")
def test_1_the_command_is_a_template_and_the_target_one_argument(
    runner: str, words: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Property 1: the target adds no argument of its own, and none that begins as an option or a list does."""
    root = tmp_path_factory.getbasetemp().resolve()
    everything = parse(root, runner=runner, target=words).arguments
    assert everything == RUNNERS[runner].everything
    arguments = parse(root, runner=runner, scope="pattern", target=words).arguments
    template = RUNNERS[runner].pattern("TARGET")
    assert len(arguments) == len(template)
    for argument, part in zip(arguments, template, strict=True):
        assert argument == part.replace("TARGET", words)
    (place,) = [part for part in template if "TARGET" in part]
    assert place == "TARGET" or place.startswith("-"), "a target that stands alone or behind its option"
    assert place != "TARGET" or runner not in ("pytest", "unittest"), "argparse reads `@file`"
    if place == "TARGET":
        assert not words.lstrip().startswith("-")
    else:
        assert "=" in place


file_name = st.text("abcXYZ019 _.-[]@=()'$;&", min_size=1, max_size=12).filter(
    lambda name: name.strip(". ") != ""
)
_KINDS = {"unittest": ".py", "go": ".go", "cargo": ".rs"}


@pytest.mark.row("TB-15", "TB-16", "TB-17")
@many
@given(runner=st.sampled_from(sorted(RUNNERS)), name=file_name)
@example(runner="pytest", name="@list")
@example(runner="cargo", name="--config=a")
@example(runner="vitest", name="--dir=a")
def test_1_a_file_is_one_argument_too(
    runner: str, name: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Property 1, for files that are there: the template, and one word for the file that is no option."""
    root = tmp_path_factory.getbasetemp().resolve()
    path = ("tests/" if runner == "cargo" else "") + name + _KINDS.get(runner, ".js")
    (root / path).parent.mkdir(exist_ok=True)
    (root / path).touch()
    try:
        arguments = parse(root, runner=runner, scope="file", target=f"./{path}").arguments
    except InputError as error:
        assert runner == "node" and {"[", "("} & set(name) and str(error).startswith("target: ")
        return
    finally:
        (root / path).unlink()
    *fixed, place = arguments
    usual = RUNNERS[runner].file("tests/a.rs" if runner == "cargo" else "a.py")
    assert tuple(fixed) == usual[:-1]
    if runner == "cargo":
        assert place == f"--test={name}"
        return
    assert not place.startswith("-") and not (runner == "pytest" and place.startswith("@"))
    assert place in (("./.",) if runner == "go" else (path, f"./{path}"))


near_runner = st.builds(
    lambda name, change: change(name),
    st.sampled_from(sorted(RUNNERS)),
    st.sampled_from([str.upper, str.title, " {}".format, "{}\n".format, "./{}".format, "{} -x".format]),
)


@pytest.mark.row("TB-18")
@many
@given(
    runner=st.one_of(
        *(near_runner, st.text(max_size=20), st.none(), st.integers()), st.lists(st.text(), max_size=2)
    )
)
def test_2_other_runners_are_refused(runner: object, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Property 2."""
    assume(runner not in RUNNERS if isinstance(runner, str) else True)
    with pytest.raises(InputError, match=r"^runner: "):
        parse(tmp_path_factory.getbasetemp().resolve(), runner=runner)


@pytest.mark.row("TB-19")
@many
@given(
    parts=st.lists(
        st.one_of(plain_name, st.sampled_from(["..", ".", "..x", "...", "a b"])), min_size=1, max_size=6
    )
)
def test_3_a_path_is_inside_exactly_if_it_leads_inside(
    parts: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Property 3: against a walk that counts the steps down and up."""
    root = tmp_path_factory.getbasetemp().resolve()
    depth, left = 0, False
    for part in parts:
        depth += {"..": -1, ".": 0}.get(part, 1)
        left = left or depth < 0
    path = "/".join(parts)
    assume(path.strip())
    above = os.path.normpath(path).startswith("../") or os.path.normpath(path) == ".."
    for outside in (f"/{path}", f"{path}\0", *([path] if above else [])):
        with pytest.raises(InputError):
            inside(outside, root, "path")
    if not above:
        assert (root / inside(path, root, "path")).resolve().is_relative_to(root)


@pytest.mark.row("TB-22", "TB-23", "TB-24")
@many
@given(hard=few_seconds, silence=few_seconds, gaps=st.lists(few_seconds, max_size=30))
def test_4_and_5_the_limit_that_falls_first_ends_it(hard: float, silence: float, gaps: list[float]) -> None:
    """Properties 4 and 5, on a clock of our own: against a plain account of when what falls due."""
    countdown = Countdown(Limits(hard, silence), started=0.0)
    at = 0.0
    for gap in gaps:
        falls = min(hard, at + silence)
        if at + gap >= falls:
            break
        at += gap
        assert countdown.due(at) is None
        countdown.heard(at)
    falls = min(hard, at + silence)
    assert countdown.next_at == falls
    expected = Outcome.TIMEOUT if hard <= at + silence else Outcome.NO_OUTPUT
    assert countdown.due(falls) is expected and countdown.due(falls + 1000) is expected


@pytest.mark.row("TB-26")
@many
@given(outcome=st.sampled_from(list(Outcome)), code=st.integers(-64, 255))
def test_6_the_status_follows_from_the_end(outcome: Outcome, code: int) -> None:
    """Property 6."""
    for every in range(-64, 256):
        assert status_of(Boxed(Outcome.EXITED, every, 1.0)) == ("fail" if every else "pass")
    status = status_of(Boxed(outcome, code if outcome is Outcome.EXITED else None, 1.0))
    expected = {Outcome.TIMEOUT: "timeout", Outcome.NO_OUTPUT: "no_output"}
    assert status == expected.get(outcome, "pass" if code == 0 else "fail")


@pytest.mark.row("TB-14", "TB-32")
@pytest.mark.slow
@pytest.mark.timeout(900)
@many
@given(out=st.binary(max_size=200), error=st.binary(max_size=200), code=st.integers(0, 255))
def test_7_and_11_every_run_leaves_its_files_and_every_field(
    out: bytes,
    error: bytes,
    code: int,
    tmp_path_factory: pytest.TempPathFactory,
    small_runner: Callable[[bytes, bytes, int], dict[str, str]],
) -> None:
    """Properties 7 and 11, with real processes that write any bytes."""
    root = tmp_path_factory.mktemp("run").resolve()
    environment = small_runner(out, error, code)
    result = asyncio.run(run_test(USUAL, [root], Redactor(), environment=environment))
    data = result.as_json()
    assert data["status"] == ("pass" if code == 0 else "fail") and data["exit_code"] == code
    assert isinstance(data["duration_ms"], int) and isinstance(data["excerpt"], str)
    folder = Path(data["report_dir"])
    assert {one.name for one in folder.iterdir()} >= {RAW_LOG, SUMMARY_MD, SUMMARY_JSON}
    assert data["artifacts"] == {
        "raw_log": str(folder / RAW_LOG),
        "summary_md": str(folder / SUMMARY_MD),
        "summary_json": str(folder / SUMMARY_JSON),
    }
    for line in (folder / RAW_LOG).read_text().split("\n")[:-1]:
        assert re.match(r"\[\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\] \[(stdout|stderr)\] ", line), line
    assert json.loads((folder / SUMMARY_JSON).read_text())["exit_code"] == code


@pytest.mark.row("TB-41")
@many
@given(text=st.text(max_size=200), most=st.integers(1, 200))
def test_8_only_the_last_bytes_are_looked_at(text: str, most: int) -> None:
    """Property 8: an end of the text, within the bytes, beginning at a line or in one that is longer."""
    end = last_bytes(text.encode("utf-8", "replace").decode(), most)
    whole = text.encode("utf-8", "replace").decode()
    assert whole.endswith(end) and len(end.encode()) <= most
    begins_a_line = end == whole or whole[: len(whole) - len(end)].endswith("\n")
    assert begins_a_line or "\n" not in end.rstrip("\n")


bad_line = st.sampled_from(
    [
        *(
            "FAIL src/a.test.ts",
            "FAILED tests/test_a.py::test_x",
            "ERROR: boom",
            "fatal: no",
            "error[E0308]: x",
        ),
        *("java.lang.IllegalStateException: x", "Traceback (most recent call last):", "panic: runtime error"),
        *(
            "AssertionError: 1 != 2",
            "E   ValueError: nope",
            "not ok 3 - adds",
            "2 failed, 1 passed",
            "Fatal error",
        ),
        *("thread 'main' panicked at src/lib.rs:3:5:", "Tests: 1 failed, 2 total", "--- FAIL: TestX (0.00s)"),
        *("npm ERR! code 1", "  1 failing", "[error] it broke", "test a::b ... FAILED"),
    ]
)
good_line = st.sampled_from(
    [
        *(
            "0 failed",
            "5 passed, 0 failed",
            "errors.py",
            "tests/test_errors.py ....",
            "no errors",
            "Failures: 0",
        ),
        *(
            "PASS src/error.test.ts",
            "✓ handles error cases (3 ms)",
            "ok 4 - fails on error",
            "errors=0",
            "0 errors",
        ),
        *(
            "tests/error_handling.rs",
            "test errors::fail ... ok",
            "test_error (t.T.test_error) ... ok",
            "ℹ fail 0",
        ),
        *(
            "tests/test_a.py::test_fail PASSED    [ 45%]",
            "src/panic.go:12",
            "exceptions.py",
            "terror",
            "failsafe mode",
        ),
        *("test result: ok. 5 passed; 0 failed; 0 ignored", "", "all is well", "--- PASS: TestError (0.00s)"),
    ]
)


@pytest.mark.row("TB-42", "TB-43")
@many
@given(lines=st.lists(st.one_of(bad_line, good_line), max_size=60), context=st.integers(0, 5))
def test_9_important_lines_come_with_what_stands_around_them(lines: list[str], context: int) -> None:
    """Property 9: against marking each line by itself. No false friend, no line twice, none missing."""
    bad = {number for number, line in enumerate(lines) if any(line == one for one in BAD_LINES)}
    wanted = {
        near
        for number in bad
        for near in range(max(0, number - context), min(len(lines), number + context + 1))
    }
    blocks = important_blocks(lines, context=context, most=10_000)
    assert sum(len(block.split("\n")) for block in blocks) == len(wanted)
    numbers = sorted(wanted)
    assert "\n".join(blocks) == "\n".join(lines[number] for number in numbers)
    assert all(is_important(line) == (line in BAD_LINES) for line in lines)


BAD_LINES = frozenset(bad_line.elements)  # type: ignore[attr-defined]


@pytest.mark.row("TB-45", "TB-46")
@many
@given(
    status=st.sampled_from(list(Status)),
    code=st.one_of(st.none(), st.integers(0, 255)),
    blocks=st.lists(st.text("ab`\n", max_size=20), max_size=4),
    args=st.lists(st.text(max_size=20), max_size=4),
)
def test_10_the_summary_has_its_fields(
    status: Status, code: int | None, blocks: list[str], args: list[str]
) -> None:
    """Property 10, and the summary for people: a block cannot end its fence."""
    result = TestResult(status, code, 12, artifacts=Artifacts("a", "b", "c"))
    summary = Summary(result, "pytest", tuple(args), tuple(blocks), ("last",), "2026-01-12T12:34:56.789Z")
    data = json.loads(summary.as_json())
    assert data["command"] == "pytest" and data["args"] == args
    assert data["status"] == status and data["exit_code"] == code and data["duration_ms"] == 12
    assert data["excerpts"] == blocks and data["tail_lines"] == ["last"]
    for block in blocks:
        fence = next(ticks for ticks in ("`" * n for n in range(3, 60)) if ticks not in block)
        assert f"{fence}\n{block}\n{fence}" in summary.as_markdown()


wrong_number = st.one_of(
    *(st.none(), st.booleans(), st.floats(), st.text(max_size=5), st.integers(max_value=0)),
    st.lists(st.integers(), max_size=1),
)


@pytest.mark.row("TB-8", "TB-9", "TB-10", "TB-14", "TB-47")
@many
@given(name=st.sampled_from(REQUIRED), value=wrong_number, leave_out=st.booleans())
def test_12_a_wrong_or_missing_parameter_is_named(name: str, value: object, leave_out: bool) -> None:
    """Property 12."""
    given = {**USUAL, name: value}
    if leave_out:
        del given[name]
    result = asyncio.run(run_test(given, [Path("/nowhere")], Redactor()))
    assert result.status is Status.ERROR and result.error_message.startswith(f"{name}: ")
    assert result.report_dir == "" and result.artifacts == Artifacts() and result.exit_code is None


@pytest.mark.row("TB-8", "TB-9")
@many
@given(
    name=st.sampled_from(["timeout_ms", "no_output_timeout_ms"]),
    value=st.integers(min_value=1, max_value=2 * MAX_MILLISECONDS),
)
def test_12_times_up_to_an_hour_are_taken(
    name: str, value: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Property 12, from the other side."""
    root = tmp_path_factory.getbasetemp().resolve()
    if value <= MAX_MILLISECONDS:
        assert parse(root, **{name: value})
    else:
        with pytest.raises(InputError, match=f"^{name}: "):
            parse(root, **{name: value})


@pytest.mark.row("TB-7")
@many
@given(scope=scopes, runner=st.sampled_from(sorted(RUNNERS)), blank=st.sampled_from([None, "", " ", "\t "]))
def test_13_a_target_is_needed_where_there_is_one(
    scope: Scope, runner: str, blank: str | None, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Property 13."""
    root = tmp_path_factory.getbasetemp().resolve()
    if scope is Scope.ALL:
        assert parse(root, runner=runner, scope="all", target=blank)
        return
    with pytest.raises(InputError, match=r"^target: "):
        parse(root, runner=runner, scope=str(scope), target=blank)


@pytest.fixture(scope="module")
def small_runner(tmp_path_factory: pytest.TempPathFactory) -> Callable[[bytes, bytes, int], dict[str, str]]:
    """An environment in which `flutter` is a shell script that writes these bytes and ends with this code."""
    folder = tmp_path_factory.mktemp("bin")
    program = folder / "flutter"
    program.write_text('#!/bin/sh\ncat "$BYTES/out"; cat "$BYTES/error" >&2; exit "$CODE"\n')
    program.chmod(0o755)

    def make(out: bytes, error: bytes, code: int) -> dict[str, str]:
        (folder / "out").write_bytes(out)
        (folder / "error").write_bytes(error)
        return {"PATH": f"{folder}:/usr/bin:/bin", "BYTES": str(folder), "CODE": str(code)}

    return make


PROPERTIES = {
    1: [test_1_the_command_is_a_template_and_the_target_one_argument, test_1_a_file_is_one_argument_too],
    2: [test_2_other_runners_are_refused],
    3: [test_3_a_path_is_inside_exactly_if_it_leads_inside],
    4: [test_4_and_5_the_limit_that_falls_first_ends_it],
    5: [test_4_and_5_the_limit_that_falls_first_ends_it],
    6: [test_6_the_status_follows_from_the_end],
    7: [test_7_and_11_every_run_leaves_its_files_and_every_field],
    8: [test_8_only_the_last_bytes_are_looked_at],
    9: [test_9_important_lines_come_with_what_stands_around_them],
    10: [test_10_the_summary_has_its_fields],
    11: [test_7_and_11_every_run_leaves_its_files_and_every_field],
    12: [test_12_a_wrong_or_missing_parameter_is_named, test_12_times_up_to_an_hour_are_taken],
    13: [test_13_a_target_is_needed_where_there_is_one],
}


@pytest.mark.row("TB-55")
def test_every_property_has_a_test_of_a_hundred_cases() -> None:
    assert sorted(PROPERTIES) == list(range(1, 14))
    for number, tests in PROPERTIES.items():
        for test in tests:
            assert str(number) in re.findall(r"\d+", test.__name__), number
            assert test._hypothesis_internal_use_settings.max_examples >= 100
