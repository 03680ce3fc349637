"""The lines of a governing prompt that the offline `rules` provider understands: one table."""

from __future__ import annotations

from dataclasses import dataclass

from copilot.guard.named_acts import Act

COMMAND = "`copilot rules`"
"""What shows a person the table: a command, since the documents are not in the wheel."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What may stand behind `when "REGEX":`. `takes` names its words in quotes; empty if it has none."""

    verb: str
    means: str
    takes: str = ""

    @property
    def form(self) -> str:
        """As it is written."""
        return f'{self.verb} "{self.takes}"' if self.takes else self.verb


ANSWERS = (
    Answer("yes", "approves, one time only; the guard lets a program's question pass that this line names"),
    Answer("no", "refuses"),
    Answer("continue", "goes on: presses the key that is waited for, else approves"),
    Answer("ask me", "leaves it to you"),
    Answer("choose", "takes the option of that label", "LABEL"),
    Answer("type", "types the text where text is asked for", "TEXT"),
)
OTHERS = (
    (
        "`You may ACT, ACT and ACT.`",
        "says yes to a program that asks to do just that, and the guard lets it pass; the acts: "
        + ", ".join(act.value for act in Act)
        + "; also *You can*, *You are allowed to*, *It is OK to*, *Always allow*, *Feel free to*",
    ),
    ("`NAME: VALUE`", "answers an input that asks for that name"),
    (
        "a line with the words of one option",
        "takes that option of a menu, or that side of “A or B?”; "
        "not if it holds *not*, *never*, *avoid* or the like",
    ),
)
"""Lines that are no directives, as the table has them."""


def sentence_lines() -> list[str]:
    """All of them as plain lines for a terminal: each form, and below it what it does."""
    found = [(f'when "REGEX": {answer.form}', answer.means) for answer in ANSWERS]
    found += [(form.replace("`", ""), means.replace("*", "")) for form, means in OTHERS]
    return [line for form, means in found for line in (form, f"    {means}")]


def sentence_table() -> str:
    """All of them as a Markdown table."""
    lines = ["| line | what it does |", "| --- | --- |"]
    lines += [f'| `when "REGEX": {answer.form}` | {answer.means} |' for answer in ANSWERS]
    lines += [f"| {form} | {means} |" for form, means in OTHERS]
    return "\n".join(lines) + "\n"
