"""Where trials run: processes of this machine, or a Dask cluster (the extra `dask`)."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import ExitStack, contextmanager
from typing import Any
from urllib.parse import parse_qs, urlsplit

from copilot.errors import InputError
from copilot.evaluation.scenarios.pool import SlotPool

_RETRIES = 3


@contextmanager
def open_executor(where: str, at_once: int) -> Iterator[Executor]:
    """`local`, `dask://HOST:PORT`, or `dask://local?workers=2` for processes here. Raises InputError."""
    if where == "local":
        pool = SlotPool(at_once)
        try:
            yield pool
        finally:
            pool.shutdown()
        return
    place = urlsplit(where)
    if place.scheme != "dask" or not place.netloc:
        raise InputError(f"--executor {where!r}: must be local, dask://HOST:PORT or dask://local?workers=N")
    with _dask(place.netloc, parse_qs(place.query), at_once) as executor:
        yield executor


@contextmanager
def _dask(netloc: str, query: dict[str, list[str]], at_once: int) -> Iterator[Executor]:
    try:
        import distributed
        from dask import config as settings
    except ImportError:
        raise InputError(
            "--executor dask://…: Dask is not installed; pip install 'copilot-terminal[dask]'"
        ) from None
    dask: Any = distributed
    if netloc == "local":
        workers = int(query.get("workers", [str(at_once)])[0])
        with ExitStack() as stack:
            scratch = stack.enter_context(tempfile.TemporaryDirectory(prefix="copilot-dask-"))
            stack.enter_context(settings.set({"temporary-directory": scratch}))
            cluster = dask.LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                processes=True,
                dashboard_address=None,
                host="127.0.0.1",
            )
            client = stack.enter_context(dask.Client(stack.enter_context(cluster)))
            yield client.get_executor(retries=_RETRIES)
        return
    with dask.Client(f"tcp://{netloc}", timeout="10s") as client:
        yield client.get_executor(retries=_RETRIES)
