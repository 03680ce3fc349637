"""Playbooks: read strictly, played exactly, never silently wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from copilot.core.reply import Reply, ReplyRequest
from copilot.errors import InputError, ProviderError
from copilot.providers.playbook_file import load_playbook, read_playbook
from copilot.providers.playbook_provider import PlaybookProvider
from tests.prompting.make import detection, request

CREATE = request(detection("permission", "Do you want to create run.py?", "Yes", "Yes, and always", "No"))
DELETE = request(detection("permission", "Do you want to proceed?", "Yes", "No", subject="rm -rf x"))
LICENSE = request(detection("question", "Which license,\n MIT or ISC?"))
CONFIRM = request(detection("yes_no", "Proceed? [Y/n]", "Yes", "No"))
SCRIPT = """\
version: 1
replies:
  - kind: permission
    question: {contains: create}
    choice: "Yes"
    reason: create it
  - kind: permission
    choice: {matches: "^No"}
  - question: Which license, MIT or ISC?
    text: MIT
    delay_seconds: 0.01
  - kind: yes_no
    choice: no
    times: 2
"""


def player(text: str, said: list[str] | None = None) -> PlaybookProvider:
    return PlaybookProvider(read_playbook(text, "book.yml"), (said if said is not None else []).append)


async def play(provider: PlaybookProvider, made: ReplyRequest) -> Reply:
    return (await provider.propose(made, lambda text: None)).reply


@pytest.mark.row("CP-46", "CP-48")
async def test_replies_come_in_order() -> None:
    said: list[str] = []
    provider = player(SCRIPT, said)
    pieces: list[str] = []
    assert await play(provider, CREATE) == Reply(choice="Yes")
    assert await play(provider, DELETE) == Reply(choice="No")
    proposal = await provider.propose(LICENSE, pieces.append)
    assert proposal.reply == Reply(text="MIT") and "".join(pieces) == "MIT"
    assert await play(provider, CONFIRM) == Reply(choice="No")
    assert await play(provider, CONFIRM) == Reply(choice="No")
    with pytest.raises(ProviderError, match="no reply left"):
        await play(provider, CONFIRM)
    await provider.close()
    assert said == []


@pytest.mark.row("PH-6")
async def test_replies_stream_in_pieces() -> None:
    pieces: list[str] = []
    provider = player('replies: [{text: "a rather long answer in many words"}]')
    await provider.propose(LICENSE, pieces.append)
    assert len(pieces) > 2


async def test_a_mismatch_names_what_came_and_what_was_expected() -> None:
    provider = player(SCRIPT)
    with pytest.raises(
        ProviderError, match=r"question prompt 'Which license, MIT or ISC\?'.*line 3 \(kind permission"
    ):
        await play(provider, LICENSE)


async def test_matching_in_any_order_and_exhaustion() -> None:
    provider = player(
        'order: any\nreplies:\n  - {question: {contains: license}, text: MIT}\n  - {kind: permission, choice: "No", times: any}\n'
    )
    for _ in range(3):
        assert await play(provider, DELETE) == Reply(choice="No")
    assert await play(provider, LICENSE) == Reply(text="MIT")
    with pytest.raises(ProviderError, match="used up"):
        await play(provider, LICENSE)
    with pytest.raises(ProviderError, match="no reply fits"):
        await play(provider, CONFIRM)


async def test_what_was_not_used_is_said_at_the_end() -> None:
    said: list[str] = []
    provider = player(SCRIPT + "  - {text: bye, optional: true}\n", said)
    await play(provider, CREATE)
    await provider.close()
    assert [line.split("(")[0] for line in said] == [f"playbook: book.yml, line {n} " for n in (7, 9, 12)]
    assert said[-1].endswith("not used 2 of 2 times") and provider.unused()


async def test_optional_replies_may_be_passed_over() -> None:
    provider = player(
        'replies:\n  - {kind: trust, choice: x, optional: true}\n  - {kind: permission, choice: "No"}\n'
    )
    assert await play(provider, DELETE) == Reply(choice="No")
    assert provider.unused() == ()


async def test_a_choice_that_is_not_listed_is_an_error() -> None:
    for choice, shown in (('"Maybe"', "'Maybe'"), ("{contains: Yes}", "contains 'Yes'")):
        provider = player(f"replies: [{{choice: {choice}}}]")
        with pytest.raises(ProviderError, match=f"choice {shown} is not one of the options"):
            await play(provider, CREATE)
    with pytest.raises(ProviderError, match="takes a choice"):
        await play(player("replies: [{text: yes please}]"), CREATE)


async def test_the_person_may_be_called_and_failures_played() -> None:
    provider = player(
        'replies:\n  - {clarification: "Which one?"}\n  - {needs_human: true}\n  - {error: "model is down"}\n'
    )
    proposal = await provider.propose(LICENSE, lambda text: None)
    assert proposal.needs_human and proposal.clarification == "Which one?"
    assert (await provider.propose(LICENSE, lambda text: None)).needs_human
    with pytest.raises(ProviderError, match="model is down"):
        await play(provider, LICENSE)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("replies: [{choise: x}]", "line 1: choise: unknown key; did you mean 'choice'?"),
        (
            "replies:\n  - choice: x\n    kind: permision",
            "(did you mean 'permission'?)",
        ),
        ("replies:\n  - text: 3", "line 2: text: must be a text (put it in quotes)"),
        ("replies:\n  - choice: true", "line 2: choice: must be a text in quotes"),
        ("replies:\n  - reason: x", "line 2: replies[1]: needs one of"),
        ("replies:\n  - text: x\n    times: 0", "line 3: times"),
        ("replies:\n  - text: x\n    delay_seconds: -1", "line 3: delay_seconds"),
        ("replies:\n  - question: {matches: '('}\n    text: x", "line 2: matches: bad regular expression"),
        ("replies:\n  - question: {like: x}\n    text: x", "line 2: like: unknown key"),
        ("replies: []", "at least one"),
        ("[]", "a mapping"),
        ("order: random\nreplies: [{text: x}]", "line 1: order"),
        ("version: 2\nreplies: [{text: x}]", "line 1: version: only version 1"),
        ("replies:\n  - text: 'x", "line"),
        ("replies:\n  - text: x\n    text: y", "line 3"),
        ("replies: [hello]", "line 1: replies[1]: must be a mapping"),
        ("a: &a [*a]", "."),
    ],
)
def test_bad_playbooks_name_the_line_and_the_fix(text: str, why: str) -> None:
    with pytest.raises(InputError) as problem:
        read_playbook(text, "book.yml")
    assert (
        why in str(problem.value)
        and str(problem.value).startswith("book.yml")
        and "\n" not in str(problem.value)
    )


def test_no_is_a_text_as_in_yaml_1_2() -> None:
    entry = read_playbook("replies: [{choice: no, text: yes}]", "b").replies[0]
    assert entry.choice is not None and entry.choice.words == "no" and entry.text == "yes"


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"missing\.yml: no such file"):
        load_playbook(tmp_path / "missing.yml")
    bad = tmp_path / "bad.yml"
    bad.write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="UTF-8"):
        load_playbook(bad)
    bad.write_bytes(b"#" * 1_000_001)
    with pytest.raises(InputError, match="larger than 256 KiB"):
        load_playbook(bad)
