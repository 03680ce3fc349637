"""The command `copilot serve`."""

from __future__ import annotations

import importlib.util
from typing import Any

import click

from copilot.errors import EXIT_COMPLETED, InputError


@click.command(
    "serve",
    context_settings={"ignore_unknown_options": True, "allow_extra_args": True},
    options_metavar="[--port N] [OPTIONS OF A SESSION]",
)
@click.option(
    "--port", type=click.IntRange(0, 65535), metavar="N", default=0, help="The port; default: any free one."
)
@click.argument("options", nargs=-1, type=click.UNPROCESSED, metavar="")
@click.pass_context
def serve_command(context: click.Context, port: int, options: tuple[str, ...]) -> int:
    """Serve the cockpit to a browser on this machine: `copilot serve --autonomy assist -- claude`.

    The printed address is good for one page; then the next one is printed. Each open page is a session of its
    own, which ends when the page is closed or loaded again.
    """
    if importlib.util.find_spec("textual_serve") is None:
        raise InputError("serve needs textual-serve; install copilot-terminal[web]")
    from copilot.web.server import CockpitServer, bound

    front_door: Any = context.obj
    child: tuple[str, ...] = front_door.child
    for option in ("--headless", "--json"):
        if option in options:
            raise InputError(f"{option} does not go with serve; leave it out")
    with bound(port) as listening:
        CockpitServer([*options, *(("--", *child) if child else ())], listening).serve()
    return EXIT_COMPLETED
