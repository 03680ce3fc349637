"""`<<BEGIN MULTILINE>> ... <<END>>`: a block of a plan that keeps its lines, a prompt that takes one.

`<<END CTRL-D>>` ends it with Ctrl-D behind the last Enter, for programs that read until the end of input.
"""

from __future__ import annotations

import re2

MULTILINE = re2.compile(r"(?s)<<BEGIN MULTILINE>>\s*?\n?(.*?)\s*<<END( CTRL-D)?>>")
