"""What a governing prompt allows, as the guard reads it: `when "REGEX": yes`, and sentences of permission.

    You may install the project's dependencies, run the tests and commit.

Only these forms count (`copilot rules` lists them). A sentence with a condition or a denial allows nothing,
and a denial anywhere takes the act that it names back. Code blocks and quotes are no permissions.
"""

from __future__ import annotations

from copilot.errors import InputError
from copilot.guard.named_acts import Act, acts_in, named_acts, without_lead
from copilot.guard.prompt_permissions import NO_PERMISSIONS, Answer, PromptPermissions
from copilot.guard.text import folded, has_hidden
from copilot.prompting.patterns import pattern
from copilot.providers.directives import Directive, read_directives
from copilot.providers.named_commands import NamedCommands

_BULLET = pattern(r"^\s*(?:[-*+]|\d{1,2}[.)])\s+")
_FENCE = pattern(r"^\s*(?:```|~~~)")
_QUOTE = pattern(r"^\s*>")
_SENTENCES = pattern(r"[.!;]+(?:\s+|$)")
_ALLOWS = pattern(
    r"^(?:you|copilot) (?:may|can|are allowed to|are free to)(?: always| also)? (.+)$"
    r"|^it is (?:ok|okay|fine) to (.+)$|^always allow (?:yourself to )?(.+)$|^feel free to (.+)$"
)
_LIMITS = pattern(
    r"\b(?:not|never|no|don't|cannot|can't|mustn't|without|unless|except|only|if|when|until|till|before|after|but|ask|first"
    r"|once|avoid|instead|rather|while|provided|as long as|should)\b|[?:\"“”]"
)
_DENIES = pattern(
    r"\b(?:not|never|no|\w+n't|cannot|without|avoid\w*|unless|except|ask (?:me|before|first)|forb[ai]d\w*"
    r"|prohibit\w*|refus\w*|reject\w*|deny|denied|denies|declin\w*|disallow\w*|ban|banned|skip\w*|stop"
    r"|hold off|hands off|leave|only)\b"
)
_SPEAKS_OF = {
    Act.TEST: pattern(r"\btests?\b|\btesting\b"),
    Act.LINT: pattern(r"\blint"),
    Act.BUILD: pattern(r"\bbuild"),
    Act.FORMAT: pattern(r"\bformat"),
    Act.COMMIT: pattern(r"\bcommit"),
    Act.INSTALL: pattern(r"\binstall|\bdependenc|\bpackages?\b|\bdeps\b"),
}
_RESTRICTS = pattern(
    r"^(?:only|but|unless|except|provided|however|if|ask|just|until|not|when|scratch|forget|ignore)\b"
)
"""A sentence that begins so takes back what the one before it allows."""
_ENDED = pattern(r"[.!?:;]\s*$")
_AND = pattern(r",? and then |, then |,? and |,? or |, ")
_NAMELESS = (
    *("", "? [y/n]", "[Y/n]", "(yes)", "xq? (y/N)", "Xq zv kj?", "Proceed? [y/n]", "Continue? (Y/n)"),
    *("Do you want me to xq?", "Would you like to xq?", "Are you sure that you want to xq?", "Should I xq?"),
    "abcdefghijklmnopqrstuvwxyz",
)
"""An expression that is found in one of these names nothing, and lifts nothing."""


def permissions_of(governing_prompt: str) -> PromptPermissions:
    """What this governing prompt allows. Of directives that cannot be read none counts."""
    if not governing_prompt.strip():
        return NO_PERMISSIONS
    try:
        directives = read_directives(governing_prompt)
    except InputError:
        directives = ()
    commands = NamedCommands(governing_prompt)
    acts = _allowed_acts(commands, {one.line for one in directives})
    return PromptPermissions(
        answers=tuple(
            Answer(one.line, one.fits, one.covers, one.verb == "yes")
            for one in directives
            if _names_something(one)
        ),
        acts=acts,
        commands=commands.grants(),
    )


def line_allowing(question: str, governing_prompt: str) -> int | None:
    """The first line whose sentence allows all that a question names; None if none does."""
    named = named_acts(question)
    allowed = dict(permissions_of(governing_prompt).acts)
    if named is None or not all(act in allowed for act in named.acts):
        return None
    return min(allowed[act] for act in named.acts)


def line_naming(command: str, governing_prompt: str) -> str:
    """The line that allows exactly this command, as a grant calls it; empty if none does."""
    words = tuple(command.split())
    commands = permissions_of(governing_prompt).commands
    return next((grant.rule for grant in commands if grant.pattern == words), "")


def _names_something(directive: Directive) -> bool:
    return directive.verb != "yes" or not directive.fits(*_NAMELESS)


def _allowed_acts(commands: NamedCommands, directives: set[int]) -> tuple[tuple[Act, int], ...]:
    """The acts that the prompt allows; `commands` learns which of its commands are."""
    allowed: dict[Act, int] = {}
    denied: set[Act] = set()
    sentences = _sentences(commands.text, directives)
    for index, (number, plain) in enumerate(sentences):
        denies, limits = _DENIES.search(plain) is not None, _LIMITS.search(plain) is not None
        commands.take_back(plain, denies=denies, limits=limits)
        if denies:
            denied |= {act for act, words in _SPEAKS_OF.items() if words.search(plain)}
        following = sentences[index + 1][1] if index + 1 < len(sentences) else ""
        if _RESTRICTS.search(following):
            continue
        for part in _allowed_parts(plain):
            commands.allow(part, number)
            for act in _acts_of(part):
                allowed.setdefault(act, number)
    return tuple((act, number) for act, number in allowed.items() if act not in denied)


def _sentences(text: str, directives: set[int]) -> list[tuple[int, str]]:
    """The folded sentences that speak for the person, each with the line that it begins in.

    No code blocks, no quotes, nothing with invisible characters. A line that begins with a small letter goes
    on with the one before it. A heading with a condition or a denial ("If CI is green:") is part of each
    sentence of its paragraph or list.
    """
    found: list[tuple[int, str]] = []
    fenced = goes_on = after_blank = False
    heading = ""
    for number, line in enumerate(text.splitlines(), 1):
        fence = _FENCE.search(line) is not None
        fenced = fenced != fence
        if fenced or fence or number in directives or _QUOTE.search(line) or has_hidden(line):
            goes_on = False
            continue
        row = _BULLET.sub("", line).strip()
        if after_blank and row and row == line.strip():
            heading = ""
        after_blank = not row
        for position, part in enumerate(_SENTENCES.split(row)):
            plain = " ".join(folded(part).replace("’", "'").split())
            if position == 0 and goes_on and found and part[:1].islower() and row == line.strip():
                found[-1] = (found[-1][0], f"{found[-1][1]} {plain}")
            elif plain:
                found.append((number, f"{heading} {plain}".strip()))
        goes_on = bool(row) and not _ENDED.search(row)
        if row.endswith(":") and found:
            heading = found[-1][1] if _LIMITS.search(found[-1][1].rstrip(":")) else ""
    return found


def _allowed_parts(sentence: str) -> list[str]:
    """What one folded sentence allows, part by part; nothing under a condition or a denial."""
    match = _ALLOWS.search(sentence)
    if match is None or _LIMITS.search(sentence):
        return []
    allowed = next(text for text in (match.group(number) for number in range(1, 5)) if text)
    return [without_lead(part) for part in _AND.split(allowed)]


def _acts_of(part: str) -> tuple[Act, ...]:
    """The acts of one part; what else it names is not for the guard to lift."""
    named = acts_in(part, short=True)
    return named.acts if named is not None else ()
