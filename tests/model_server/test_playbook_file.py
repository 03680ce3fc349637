"""Playbook files: what they can say, and how wrong ones are told."""

from __future__ import annotations

from pathlib import Path

import pytest

from copilot.errors import InputError
from copilot.lab.model_server import (
    ANY_TIMES,
    Drop,
    Expectation,
    HttpError,
    Order,
    Pace,
    Playbook,
    TextMatch,
    ToolCall,
    Turn,
    Usage,
    load_playbook,
)

EVERYTHING = """\
order: any
min_tools: 0
side_text: A title
pace: {first_delay_seconds: 0.5, chunk_characters: 7, chunk_delay_seconds: 0.25}
turns:
  - name: write
    when: Create hello
    text: I'll create it.
    thinking: Hm.
    tool_calls:
      - name: Write
        arguments: {file_path: "{{cwd}}/hello.py", lines: [1, 2.5, true, null]}
      - name: apply_patch
        input: |
          *** Begin Patch
    expect:
      prompt: {exact: Create hello}
      tool_result: {regex: "^ok"}
      anywhere: {absent: sk-}
      tools: [Write]
    usage: {input_tokens: 10, output_tokens: 5, cached_tokens: 2}
    times: 2
    optional: true
    truncated: true
    pace: {chunk_characters: 3}
  - error: {status: 429, message: slow down, retry_after_seconds: 2, headers: {x-a: 1}, kind: k}
  - error: 529
  - {text: half, drop: true}
  - {text: half, drop: end}
  - {text: wait, hang_seconds: 3, keep_alive: true}
  - refusal: I can't help with that.
  - {text: always, times: any}
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "playbook.yaml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.row("PH-3", "PH-11")
def test_every_key_arrives(tmp_path: Path) -> None:
    book = load_playbook(write(tmp_path, EVERYTHING))
    assert (book.order, book.min_tools, book.side_text) == (Order.ANY, 0, "A title")
    assert book.pace == Pace(0.5, 7, 0.25)
    assert book.turns[0] == Turn(
        name="write",
        when=TextMatch(contains="Create hello"),
        text="I'll create it.",
        thinking="Hm.",
        tool_calls=(
            ToolCall("Write", {"file_path": "{{cwd}}/hello.py", "lines": [1, 2.5, True, None]}),
            ToolCall("apply_patch", input="*** Begin Patch\n"),
        ),
        expect=Expectation(
            prompt=TextMatch(exact="Create hello"),
            tool_result=TextMatch(regex="^ok"),
            anywhere=TextMatch(absent="sk-"),
            tools=("Write",),
        ),
        usage=Usage(10, 5, 2),
        times=2,
        optional=True,
        truncated=True,
        pace=Pace(chunk_characters=3),
    )
    assert book.turns[1].error == HttpError(429, "slow down", "k", 2.0, {"x-a": "1"})
    assert book.turns[2].error == HttpError(529)
    assert [turn.drop for turn in book.turns[3:5]] == [Drop.MIDDLE, Drop.END]
    assert (book.turns[5].hang_seconds, book.turns[5].keep_alive) == (3.0, True)
    assert book.turns[6].refusal == "I can't help with that."
    assert book.turns[7].times == ANY_TIMES


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("turns:\n  - txet: hello\n", 2, "txet: unknown key; did you mean 'text'?"),
        ("turns:\n  - text: hello\nodrer: any\n", 3, "odrer: unknown key; did you mean 'order'?"),
        ("order: any\n", 1, "has no `turns`"),
        ("order: some\nturns: []\n", 1, "order: must be one of strict, any"),
        ("turns: hello\n", 1, "turns: must be a list"),
        ("- text: hello\n", 1, "must be a mapping of turns"),
        ("turns:\n  - text: hello\n  - name: nothing\n", 3, "answers nothing"),
        ("turns:\n  - {text: a, name: x}\n  - {text: b, name: x}\n", 2, "the name 'x' is used twice"),
        ("turns:\n  - text: 5\n", 2, "text: must be a text (put it in quotes)"),
        ("turns:\n  - text: hello\n    times: 0\n", 3, "times: must be a whole number of at least 1, or any"),
        (
            "turns:\n  - text: hello\n    times: ever\n",
            3,
            "times: must be a whole number of at least 1, or any",
        ),
        ("turns:\n  - text: hello\n    optional: 1\n", 3, "optional: must be true or false"),
        ("turns:\n  - text: hello\n    hang_seconds: soon\n", 3, "must be a number of at least 0"),
        ("turns:\n  - error: 200\n", 2, "error: must be a whole number of at least 400"),
        ("turns:\n  - error: 600\n", 2, "error: must be an HTTP error status, 400 to 599"),
        ("turns:\n  - error: {message: no}\n", 2, "error: has no `status`"),
        ("turns:\n  - error: 500\n    text: hello\n", 2, "error: cannot be combined with text"),
        ("turns:\n  - text: x\n    when:\n      regex: '(?=a)'\n", 4, "regex: is not an RE2 expression"),
        ("turns:\n  - text: x\n    when: {}\n", 3, "when: needs contains, exact, regex, absent or json"),
        ("turns:\n  - text: '{{match:(}}'\n", 2, "text: {{match:(}} is not an RE2 expression"),
        ("turns:\n  - tool_calls:\n      - arguments: {}\n", 3, "has no `name`"),
        (
            "turns:\n  - tool_calls:\n      - name: a\n        arguments: {}\n        input: b\n",
            5,
            "input: a call has either named arguments or a raw input",
        ),
        ("turns:\n  - text: a\n    text: b\n", 3, "duplicate key"),
        ("turns: [\n", 2, "expected"),
        ("turns:\n  - {text: a, drop: soon}\n", 2, "drop: must be one of start, middle, end"),
    ],
)
def test_a_wrong_file_is_told_with_its_line(tmp_path: Path, text: str, line: int, message: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(InputError) as caught:
        load_playbook(path)
    told = str(caught.value)
    assert "\n" not in told
    assert told.startswith(f"{path}, line {line}: "), told
    assert message in told


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"missing\.yaml: no such file"):
        load_playbook(tmp_path / "missing.yaml")
    (tmp_path / "binary.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="is not UTF-8"):
        load_playbook(tmp_path / "binary.yaml")


def test_the_example_of_the_docs_is_right(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "model-server.md").read_text(encoding="utf-8")
    example = page.split("```yaml\n")[1].split("```")[0]
    assert [turn.name for turn in load_playbook(write(tmp_path, example)).turns] == ["write the file", "done"]


@pytest.mark.row("PH-3")
def test_files_in_yaml_and_python(tmp_path: Path) -> None:
    file = tmp_path / "book.yaml"
    file.write_text("turns:\n  - {when: {json: {kind: [1, x]}}, after: ok, text: yes then}\n")
    (turn,) = load_playbook(file).turns
    assert turn.when == TextMatch(json={"kind": [1, "x"]}) and turn.after == TextMatch("ok")
    code = tmp_path / "book.py"
    code.write_text("from copilot.testing import Turn\nplaybook = [Turn('a'), 'b']\n")
    assert [one.text for one in load_playbook(code).turns] == ["a", "b"]
    code.write_text("from copilot.testing import playbook as made\nplaybook = made('c', min_tools=0)\n")
    book = load_playbook(code)
    assert isinstance(book, Playbook) and (book.min_tools, book.source) == (0, code)
    for text, said in (("x = 1", "names no `playbook`"), ("1 / 0", "failed: ZeroDivisionError")):
        code.write_text(text)
        with pytest.raises(InputError, match=said):
            load_playbook(code)
