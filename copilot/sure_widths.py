"""Characters of which everybody counts the same cells: Rich, the model of the screen, and any terminal.

The first frame asks only whether it has others. How those are counted is in `widths.py`, which is loaded when
one is met, or with the first screen: its patterns of these sets take a while to compile.
"""

from __future__ import annotations

import re

NARROW = (
    " -~\xa0-\u02ff\u0370-\u0482\u048a-\u0590\u1e00-\u200a\u2010-\u2027\u202f-\u205f\u2070-\u20cf"
    "\u20f1-\u2319\u231c-\u2328\u232b-\u23e8\u23f4-\u25fc\u25ff-\u2613\u2616-\u262f\u2638-\u2647"
    "\u2654-\u267e\u2690-\u2692\u2694-\u26a0\u26a2-\u26a9\u26f6-\u26f9\u2706-\u2709\u270c-\u2727"
    "\u2729-\u274b\u2758-\u2794\u2798-\u27af\u27b1-\u27be\u27c0-\u2b1a\ue000-\uf8ff\ufffd"
)
WIDE = (
    "\u26a1\u2705\u2728\u274c\u2b50\u3000-\u3029\u3041-\u3096\u309b-\u30ff\u3250-\ua48c\uac00-\ud7a3"
    "\uff01-\uff60\U0001f300-\U0001f320\U0001f337-\U0001f37c\U0001f400-\U0001f43e\U0001f442-\U0001f4fc"
    "\U0001f550-\U0001f567\U0001f5fb-\U0001f64f\U0001f680-\U0001f6c5\U0001f90c-\U0001f93a"
    "\U0001f947-\U0001f9ff"
)

undisputed = re.compile(f"[\\x00-\\x1f\\x7f{NARROW}{WIDE}]*+").fullmatch
"""Matches a text without any character of which terminals disagree how wide it, or what it joins, is.

To search for one would take three times as long to compile."""
