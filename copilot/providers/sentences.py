"""The lines of a governing prompt that the offline `rules` provider understands: one table."""

from __future__ import annotations

from dataclasses import dataclass

from copilot.guard.named_acts import Act

COMMAND = "`copilot rules`"
"""The command that prints the table; the wheel holds no documents to refer to."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer after `when "REGEX":`. `takes` names its quoted argument; empty if it takes none."""

    verb: str
    means: str
    takes: str = ""

    @property
    def form(self) -> str:
        """The answer as it is written in a governing prompt."""
        return f'{self.verb} "{self.takes}"' if self.takes else self.verb


ANSWERS = (
    Answer("yes", "approves, one time only; the guard accepts a program's question that the line names"),
    Answer("no", "refuses"),
    Answer("continue", "presses the key that a press-a-key prompt waits for, else approves"),
    Answer("ask me", "leaves it to you"),
    Answer("choose", "takes the option of that label", "LABEL"),
    Answer("type", "types the text at a text prompt", "TEXT"),
)
OTHERS = (
    (
        "`You may ACT, ACT and ACT.`",
        "says yes to a program that asks to do exactly that, and the guard accepts it; the acts: "
        + ", ".join(act.value for act in Act)
        + "; also *You can*, *You are allowed to*, *It is OK to*, *Always allow*, *Feel free to*",
    ),
    (
        "`You may run COMMAND.`",
        "with the command between backticks: the guard accepts exactly it, in a plan or a permission prompt, "
        "if it starts a project (git init, npm init, npm create NAME, uv init, cargo new), is npm install, "
        "or is npx, uvx or the like of a named tool",
    ),
    ("`NAME: VALUE`", "answers an input that asks for that name in any wording; not if two lines fit"),
    (
        "a line with the words of one option",
        "takes that option of a menu, or that side of “A or B?”; "
        "not if it holds *not*, *never*, *avoid* or the like",
    ),
)
"""Rows of the table for lines that are not directives: (line, what it does)."""


def sentence_lines() -> list[str]:
    """The table as lines for a terminal: each form, and below it what it does."""
    found = [(f'when "REGEX": {answer.form}', answer.means) for answer in ANSWERS]
    found += [(form.replace("`", ""), means.replace("*", "")) for form, means in OTHERS]
    return [line for form, means in found for line in (form, f"    {means}")]


def sentence_table() -> str:
    """The table in Markdown, as docs/providers.md holds it."""
    lines = ["| line | what it does |", "| --- | --- |"]
    lines += [f'| `when "REGEX": {answer.form}` | {answer.means} |' for answer in ANSWERS]
    lines += [f"| {form} | {means} |" for form, means in OTHERS]
    return "\n".join(lines) + "\n"
