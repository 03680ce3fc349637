"""A child that plays a recording: its output at its own times, and its exit status."""

from __future__ import annotations

import json
import sys
import time


def main() -> int:
    """Play the recording named on the command line; waits of more than three seconds are cut to three."""
    began = time.monotonic()
    shift = last = 0.0
    status = 0
    with open(sys.argv[1], encoding="utf-8") as lines:
        next(lines)
        for line in lines:
            at, code, data = json.loads(line)
            shift += max(0.0, at - last - 3.0)
            last = at
            if code == "o":
                time.sleep(max(0.0, at - shift - (time.monotonic() - began)))
                sys.stdout.buffer.write(data.encode("utf-8", "surrogateescape"))
                sys.stdout.buffer.flush()
            elif code == "x":
                status = int(data)
    return status


if __name__ == "__main__":
    sys.exit(main())
