"""How much one verdict may cost: the engine has no clock, so the judge counts what it does.

A unit is about what looking at one name on the disk takes. What is over the budget is held, with that reason.
"""

from __future__ import annotations

TOO_MUCH = "parse.budget"
"""The rule of a verdict that was not reached."""
UNITS = 14_000
"""About 35 ms on one core."""
PLACE = 20
WILDCARD = 50
"""A name with wildcards is made into an expression; `WILD_CHARACTER` is for each of its characters."""
WILD_CHARACTER = 6
COMMAND = 120
PROGRAM_CHARACTER = 5
"""Of a program in another language (awk, jq, sed), which is read word by word."""
LONGEST_NAME, LONGEST_PATH = 255, 4096
"""Characters that a file's name and a path may have (NAME_MAX, PATH_MAX)."""
CHARACTERS = 25
"""So many of a file that is parsed, or searched by an expression, are a unit."""
PROCESS = 1_200
"""The second parser."""
MAX_WORDS = 300
"""Words of one command line, before anything is judged."""
MAX_FOLDERS = 12
"""Working folders that a command may have at most (`cd a; cd b; …` doubles them)."""


class TooMuch(Exception):
    """The command costs more to judge than a verdict may cost."""


def cost_of_script(text: str) -> int:
    """Units for parsing a script and for what is done once with each of its words."""
    quotes = sum(map(text.count, "\"'\\"))
    files = text.count("<") + text.count(">")
    return 100 + len(text) + 2 * quotes + 10 * files + 20 * (text.count("$") + text.count("`"))


class Budget:
    """Units that are left for one verdict."""

    __slots__ = ("left",)

    def __init__(self, units: int = UNITS) -> None:
        self.left = units

    def spend(self, units: int) -> None:
        """Takes units away. Raises TooMuch when none are left."""
        self.left -= units
        if self.left < 0:
            raise TooMuch
