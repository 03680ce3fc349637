"""Where the pictures are kept: as SVG those in the usual size and theme, packed the others.

All sizes in all themes would be 22 MB; packed they are a tenth. `gunzip -c FILE.svgz > FILE.svg` unpacks one.
"""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from typing import Any

import pytest_textual_snapshot as plugin  # type: ignore[import-untyped]

FOLDER = Path(__file__).resolve().parents[2] / "snapshots"
PACKED = FOLDER / "packed"
USUAL = ("120x40", "dark")
_LOOK = re.compile(r"-(\d+x\d+)-(dark|light|ansi-dark)$")


class TopLevelSvg(plugin.SVGImageExtension):  # type: ignore[misc]
    """Pictures in `snapshots/`, whatever test made them."""

    @classmethod
    def get_location(cls, *, test_location: Any, index: Any) -> str:
        name = cls._get_file_basename(test_location=test_location, index=index)
        if _of_replay(test_location):
            return str(FOLDER / "replay" / f"{name}.svg")
        look = _LOOK.search(name)
        if look is None or look.groups() == USUAL:
            return str(FOLDER / f"{name}.svg")
        return str(PACKED / f"{name}.svgz")

    @classmethod
    def dirname(cls, *, test_location: Any) -> str:
        return str(FOLDER / "replay" if _of_replay(test_location) else FOLDER)

    @classmethod
    def _get_file_basename(cls, *, test_location: Any, index: Any) -> str:
        """`test_state[busy-80x24-dark]` becomes `state-busy-80x24-dark`."""
        name = str(test_location.snapshot_name).removeprefix("test_").replace("[", "-").rstrip("]")
        name = name.replace("_", "-")
        return name.removeprefix("replay-") if _of_replay(test_location) else name

    def _read_snapshot_data_from_location(
        self, *, snapshot_location: str, snapshot_name: str, session_id: str
    ) -> Any:
        place = Path(snapshot_location)
        if place.suffix == ".svgz":
            return gzip.decompress(place.read_bytes()).decode() if place.exists() else None
        return super()._read_snapshot_data_from_location(
            snapshot_location=snapshot_location, snapshot_name=snapshot_name, session_id=session_id
        )

    @classmethod
    def _write_snapshot_collection(cls, *, snapshot_collection: Any) -> None:
        place = Path(snapshot_collection.location)
        if place.suffix != ".svgz":
            super()._write_snapshot_collection(snapshot_collection=snapshot_collection)
            return
        place.parent.mkdir(exist_ok=True)
        place.write_bytes(gzip.compress(next(iter(snapshot_collection)).data.encode(), 9, mtime=0))


def _of_replay(test_location: Any) -> bool:
    """Pictures of the replay have a folder of their own."""
    return Path(test_location.filepath).stem == "test_replay_snapshots"
