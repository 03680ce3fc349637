"""An MCP server over stdio, small enough to read: one tool, `where`, which tells its folder and its HOME.

With `--hang` it never answers. It notes its process id in the file that PID_FILE names.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

TOOL = {"name": "where", "description": "Where am I?", "inputSchema": {"type": "object", "properties": {}}}


def main() -> None:
    Path(os.environ["PID_FILE"]).write_text(str(os.getpid()))
    if "--hang" in sys.argv:
        time.sleep(600)
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message:
            continue
        text = f"{Path.cwd().name} {Path(os.environ['HOME']).name}"
        results = {
            "initialize": {
                "protocolVersion": message.get("params", {}).get("protocolVersion"),
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "small", "version": "1"},
            },
            "tools/list": {"tools": [TOOL]},
            "tools/call": {"content": [{"type": "text", "text": text}], "isError": False},
        }
        answer = {"jsonrpc": "2.0", "id": message["id"], "result": results.get(message["method"], {})}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


main()
