"""`python -m copilot`: the same as the command `copilot`."""

from __future__ import annotations

import sys

from copilot.cli import main

sys.exit(main())
