"""Tool calls of a model, written as XML with JSON, become proposals; what is cut, nested or unknown does not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.front_door import Ended, copilot
from tests.proposals import documents as docs

GOOD = """I shall look first. In C++ `a<b && c>d` is no call.
<thinking>
maybe <create> something
</thinking>
<start_plan>{"steps": ["search for an existing tower", "place it"]}</start_plan>
<look><path>a.py</path></look>
```xml
<delete><path>a.py</path></delete>
```
<search_resource>
  <query>tower</query>
  <limit>3</limit>
</search_resource>
<apply_edit>{"path": "a.py", "edits": [{"start": {"line": 1, "column": 1}, "end": {"line": 1, "column": 4},
  "text": "if a < b && c: '</apply_edit>' &lt; &amp;"}]}</apply_edit>
<create><path>t.html</path><text><b>&amp; <i>x</i></text></create>
<complete><summary>It stands.</summary><confidence>0.75</confidence></complete>
"""


def read(tmp_path: Path, text: str) -> Ended:
    (tmp_path / "a.py").write_text("one\n")
    (tmp_path / "reply.txt").write_text(text)
    return copilot("proposals", "read", "reply.txt", "--id", "turn-1", cwd=tmp_path)


@pytest.mark.row("VR-33", "VR-7")
def test_calls_become_a_result_that_can_be_applied(tmp_path: Path) -> None:
    ended = read(tmp_path, GOOD)
    assert ended.code == 0, ended.err
    found = json.loads(ended.out)
    assert [one["type"] for one in found["proposals"]] == ["resource", "edit", "object", "completion"]
    search, edit, made, completion = found["proposals"]
    assert search["ops"] == [{"op": "search", "query": "tower", "tags": [], "limit": 3}]
    assert edit["files"][0]["safety"]["before_hash"] == docs.hash_of("one\n")
    assert edit["files"][0]["edits"][0]["text"] == "if a < b && c: '</apply_edit>' &lt; &amp;"
    assert made["ops"][0]["text"] == "<b>&amp; <i>x</i>"
    assert completion["confidence"] == 0.75 and found["complete"] is True
    assert found["task_state"] == {
        "plan": [{"text": text, "state": "open"} for text in ("search for an existing tower", "place it")],
        "looked": ["a.py"],
    }
    (tmp_path / "result.json").write_text(ended.out)
    environment = {"XDG_STATE_HOME": str(tmp_path / ".state")}
    applied = copilot("proposals", "apply", "result.json", "--yes", cwd=tmp_path, environment=environment)
    assert applied.code == 0 and (tmp_path / "a.py").read_text().startswith("if a < b && c")


BILLION = '<!DOCTYPE x [<!ENTITY a "&b;&b;">]>\n<complete><summary>&a;</summary></complete>'


@pytest.mark.row("VR-33")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('<create>{"path": "x", "te', "line 1: create: its JSON is cut off"),
        ("go\n<create><path>x</path>", "line 2: create is cut off"),
        ("<create><path>x", "path is cut off"),
        ("<create><path>x</path><delete><path>y</path></delete></create>", "delete is nested in create"),
        ("<create><path>x</path><path>y</path></create>", "path is given twice"),
        ("<creat><path>x</path></creat>", "there is no tool 'creat'; did you mean 'create'?"),
        ("<create>{}</create>", "proposals.0"),
        ("<set><text>x</text></set>", "'path' is missing"),
        ("<delete><path>../x</path></delete>", "lies outside the project"),
        ("<delete><path>gone</path></delete>", "gone: is not there"),
        ('<create>{"path": "x", "owner": "me"}</create>', "owner"),
        ("<complete><summary>x</summary><confidence>2</confidence></complete>", "confidence"),
        (BILLION, "a declaration of XML is not read"),
        ("<create>" + '{"path":' * 5000, "nested"),
        ("<look><path>" + "[" * 3000 + "]" * 3000 + "</path></look>", "looked"),
        ("<look><path>a</path></look>\n" * 1001, "more than 1000 calls"),
        ("a\0b", "NUL"),
    ],
)
def test_what_is_no_whole_call_is_refused_in_one_line(text: str, said: str, tmp_path: Path) -> None:
    ended = read(tmp_path, text)
    assert ended.code == 2 and said in ended.err and not ended.out, ended
    assert ended.err.count("\n") == 1 and "reply.txt" in ended.err and len(ended.err) < 400


@pytest.mark.row("VR-34")
@pytest.mark.parametrize(
    ("plan", "ops", "code", "said"),
    [
        (
            ("Search for an existing tower", "generate one"),
            ("search", "generate"),
            0,
            "pass  plan-names-search",
        ),
        (("generate a tower",), ("search", "generate"), 1, "no step of the plan looks"),
        ((), ("search", "generate"), 1, "without a plan"),
        (("build a tower", "search for a tower"), ("search", "generate"), 1, "step 1 makes before step 2"),
        (("do not search, no need", "generate"), ("search", "generate"), 1, "no step of the plan looks"),
        (("search for a tower", "generate"), ("generate",), 1, "fail  search-before-making"),
        (("search for a tower", "generate"), ("generate", "search"), 1, "fail  search-before-making"),
        (("place it",), ("search",), 0, "inconclusive  plan-names-search"),
    ],
)
def test_a_plan_names_the_search_before_making(
    plan: tuple[str, ...], ops: tuple[str, ...], code: int, said: str, tmp_path: Path
) -> None:
    by_name = {"search": docs.SEARCH, "generate": docs.GENERATE}
    document = docs.result(docs.resources(*(by_name[one] for one in ops)), plan=plan)
    (tmp_path / "r.json").write_text(json.dumps(document))
    ended = copilot("proposals", "review", "r.json", cwd=tmp_path)
    assert ended.code == code and said in ended.out
