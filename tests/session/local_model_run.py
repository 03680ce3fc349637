"""A whole headless run whose model is served on the loopback by the same program; prints the model's address.

Run as a program: the run folder is its argument. Server and run are one process, so that both fit into a network
namespace, and one trace holds every socket.
"""

from __future__ import annotations

import json
import sys

from copilot import cli
from copilot.core.reactions import checkpoints
from copilot.lab.model_server import ModelServer, Playbook, Turn

ANSWER = {"choice": "y", "text": None, "reason": "it only prints", "confidence": 1.0, "needs_human": False}
CHILD = ("sh", "-c", 'printf "Print the list? [y/n] "; read answer; echo "told $answer"')
# How long one takes says how busy the machine is, and each system call here is traced.
vars(checkpoints)["CHECKPOINT_SECONDS"] = 60.0


def main() -> int:
    """The exit code of the run, or 9 if the model was not asked exactly once."""
    with ModelServer(Playbook((Turn(json.dumps(ANSWER)),), min_tools=0), check_at_exit=False) as server:
        options = ["--provider", "openai", "--model", "m", "--base-url", f"{server.url}/v1"]
        options += ["--autonomy", "full", "--timeout", "40s", "--log", sys.argv[1]]
        code = cli.main(["--headless", *options, "--", *CHILD])
        print(f"served at {server.url}")
        return code if len(server.requests) == 1 else 9


if __name__ == "__main__":
    sys.exit(main())
