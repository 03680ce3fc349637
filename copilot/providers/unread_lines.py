"""Lines of a governing prompt that the offline `rules` provider may not use: a note lists them at the start.

Any line may hold the words of an option, so the note says only that they are not directives.
"""

from __future__ import annotations

from copilot.prompting.patterns import pattern
from copilot.providers.directives import read_directives
from copilot.providers.permissions import permissions_of
from copilot.providers.sentences import COMMAND

_VALUE = pattern(r"^\s*(?:[-*+]\s+)?[^:]*\w[^:]*:\s*\S")
_MEANT_AS_DIRECTIVE = pattern(r"""(?i)^\s*(?:[-*+]\s+)?(?:when\b|\w+\s+["'“‘«])""")
"""`when x: yes` and `whn "x": yes` look like a value, but no prompt asks for such a name."""
_HEADING = pattern(r"^\s*#")


def unread_note(governing_prompt: str) -> str:
    """One line on the lines that are neither directive nor `NAME: VALUE`; empty if there are none.

    Raises InputError as `read_directives` does.
    """
    directives = {directive.line for directive in read_directives(governing_prompt)}
    directives |= {line for _, line in permissions_of(governing_prompt).acts}
    lines = [
        (number, line)
        for number, line in enumerate(governing_prompt.splitlines(), 1)
        if line.strip() and not _HEADING.search(line)
    ]
    unread = [number for number, line in lines if number not in directives and not _gives_value(line)]
    if not unread:
        return ""
    count = "the only line" if len(lines) == 1 else f"{len(unread)} of {len(lines)} lines"
    first = f" (line {unread[0]} first)" if len(lines) > 1 else ""
    return (
        f"the offline rules find no directive in {count} of the governing prompt{first}, "
        f"and look there only for the words of an option; {COMMAND} lists what they read"
    )


def _gives_value(line: str) -> bool:
    return _VALUE.search(line) is not None and _MEANT_AS_DIRECTIVE.search(line) is None
