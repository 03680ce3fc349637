"""The published schemas and the models refuse the same documents, by a validator that is not ours."""

from __future__ import annotations

import copy
import json
import os
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from copilot.errors import CopilotError, InputError
from copilot.proposals import schemas
from tests.front_door import copilot
from tests.proposals import documents as docs

KINDS = {"request": docs.REQUEST, "result": docs.WHOLE, "proposal": docs.WHOLE["proposals"][1]}


def validator(kind: str, cwd: Path) -> Any:
    """An independent one, on the schema as a user gets it."""
    schema = json.loads(copilot("proposals", "schema", kind, cwd=cwd).out)
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def refused(kind: str, document: Any) -> str:
    """Why our reader refuses a document; empty if it takes it."""
    try:
        schemas.parse_document(kind, json.dumps(document), "FILE")
    except InputError as error:
        return str(error)
    return ""


@pytest.mark.row("VR-2", "VR-6", "VR-32")
@pytest.mark.parametrize("kind", KINDS)
def test_reader_and_schema_agree_on_every_fault(kind: str, tmp_path: Path) -> None:
    independent, count = validator(kind, tmp_path), 0
    assert independent.is_valid(KINDS[kind]) and not refused(kind, KINDS[kind])
    for fault, document in docs.broken(KINDS[kind]):
        count += 1
        said = refused(kind, document)
        assert said.startswith("FILE: ") and "\n" not in said, fault
        assert not independent.is_valid(document), fault
    assert count > 60


@pytest.mark.row("VR-2", "VR-6", "VR-32")
@pytest.mark.parametrize("kind", KINDS)
def test_what_we_write_fits_the_schema(kind: str, tmp_path: Path) -> None:
    read = schemas.parse_document(kind, json.dumps(KINDS[kind]), "FILE")
    written = json.loads(schemas.ADAPTERS[kind].dump_json(read))
    assert written == KINDS[kind]
    assert validator(kind, tmp_path).is_valid(written)


@pytest.mark.row("VR-7")
def test_proposals_are_told_apart_by_their_tag(tmp_path: Path) -> None:
    independent = validator("proposal", tmp_path)
    for one in docs.WHOLE["proposals"]:
        read = schemas.parse_document("proposal", json.dumps(one), "FILE")
        assert read.type == one["type"] and independent.is_valid(one)
    for unknown in ({"type": "asset_op", "ops": []}, {"summary": "x"}, {**docs.COMPLETION, "type": "edit"}):
        assert refused("proposal", unknown) and not independent.is_valid(unknown)
    assert "'asset_op'" in refused("proposal", {"type": "asset_op", "ops": []})


@pytest.mark.row("VR-12")
def test_a_completion_is_the_end(tmp_path: Path) -> None:
    independent = validator("result", tmp_path)
    unsure = {**docs.COMPLETION, "confidence": None}
    for good in (docs.result(unsure), docs.result(docs.objects(docs.create("a"))), docs.WHOLE):
        assert not refused("result", good) and independent.is_valid(good)
    for bad in (
        docs.result(docs.COMPLETION, complete=False),
        docs.result(complete=True),
        docs.result(docs.COMPLETION, docs.COMPLETION),
        docs.result({**docs.COMPLETION, "confidence": 1.5}),
    ):
        assert refused("result", bad) and not independent.is_valid(bad)
    late = docs.result(docs.COMPLETION, docs.objects(docs.create("a")))
    assert "a completion must be the last proposal" in refused("result", late)


@pytest.mark.parametrize("path", docs.BAD_PATHS)
def test_paths_that_lead_elsewhere_are_no_paths(path: str, tmp_path: Path) -> None:
    document = docs.objects(docs.create("a"))
    document["ops"][0]["path"] = path
    assert "ops.0" in refused("proposal", document)
    assert not validator("proposal", tmp_path).is_valid(document)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "is not JSON"),
        ("[" * 5000, "nested deeper"),
        ('{"type": NaN}', "'nan'"),
        ('{"type": "completion", "summary": "", "confidence": NaN}', "confidence"),
        ('{"type": "completion", "summary": "\\ud800", "confidence": 1}', "invalid JSON"),
        (json.dumps({**docs.COMPLETION, "summary": "a\0b"}), "summary"),
        (json.dumps({**docs.COMPLETION, "summary": "a" * 1_000_001}), "summary"),
    ],
)
def test_hostile_documents_are_one_line(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "p.json").write_text(text)
    ended = copilot("proposals", "check", "proposal", "p.json", cwd=tmp_path)
    assert ended.code == 2 and said in ended.err and ended.err.count("\n") == 1 and len(ended.err) < 400


@pytest.mark.row("VR-1")
def test_a_schema_that_drifts_fails_at_load(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    schemas.check_published()
    for name in schemas.ADAPTERS:
        (tmp_path / f"{name}.schema.json").write_text(schemas.published(name))
    monkeypatch.setattr(schemas, "FOLDER", tmp_path)
    schemas.check_published()
    drifted = json.loads(schemas.published("result"))
    other = copy.deepcopy(drifted)
    other["properties"]["complete"]["type"] = "string"
    (tmp_path / "result.schema.json").write_text(json.dumps(other))
    with pytest.raises(CopilotError, match=r"result\.schema\.json is not the schema of its model"):
        schemas.check_published()


@pytest.mark.row("VR-6", "VR-32")
def test_the_request_for_a_folder_is_the_published_schema(tmp_path: Path) -> None:
    project = tmp_path / "project"
    (project / "sub").mkdir(parents=True)
    secret = "ghp_" + "a1B2" * 9
    (project / "a.py").write_text(f"TOKEN = '{secret}'\n\nclass A: ...\n")
    (project / "sub" / "broken.py").write_text("def (\n")
    (project / "link").symlink_to("/etc")
    (Path(os.fsdecode(os.fsencode(project) + b"/caf\xe9.py"))).write_text("def lost(): ...\n")
    words = ("--active", "a.py", "--select", "sub", "--open", "a.py")
    ended = copilot("proposals", "request", "Go", *words, cwd=project)
    assert ended.code == 0, ended.err
    request = json.loads(ended.out)
    assert validator("request", tmp_path).is_valid(request) and not refused("request", request)
    assert request["context"]["tree"]["complete"] is False
    assert [one["path"] for one in request["context"]["tree"]["nodes"]] == ["a.py", "sub", "sub/broken.py"]
    assert request["context"]["definitions"] == [{"path": "a.py", "line": 3, "name": "A"}]
    assert request["context"]["selection"] == [{"path": "sub", "kind": "folder"}]
    hashed = docs.hash_of((project / "a.py").read_bytes())
    assert request["context"]["active_file"]["hash"] == hashed and secret not in ended.out
    bare = json.loads(copilot("proposals", "request", "Go", cwd=tmp_path / "project" / "sub").out)["context"]
    assert bare["active_file"] is None and bare["selection"] == bare["open_documents"] == []
    for path in ("../x", "link/passwd", "gone"):
        ended = copilot("proposals", "request", "Go", "--active", path, cwd=project)
        assert ended.code == 2 and ended.err.count("\n") == 1 and not ended.out
