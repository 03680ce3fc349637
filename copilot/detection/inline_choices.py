"""Options inside one line: `[Y/n]`, `(Y)es/(N)o`, `[y]es, [n]o`, `[a,b,c]`, `(1-3)`, buttons."""

from __future__ import annotations

from typing import Any

from copilot.core.detection import Option
from copilot.detection.choices import Choices
from copilot.detection.highlight import brightness_of, ground_of
from copilot.detection.patterns import Pattern, compiled
from copilot.detection.rows import RowKind, Rows

_BUTTON = compiled(r"[<\[]\s*([A-Za-z][\w ']{0,20}?)\s*[>\]]")


def find_buttons(rows: Rows, first: int, last: int, labels: str = "") -> Choices | None:
    """The lowest row of buttons; `labels` is a pattern for words that are buttons without brackets.

    The lit one is selected; the others are reached by Tab (or Right, where `labels` are given). Where none is
    lit, nothing says how one is reached.
    """
    for row in range(last, first - 1, -1):
        if rows.kinds[row] is not RowKind.TEXT:
            continue
        found = _apart(compiled(labels or _BUTTON.pattern), rows.texts[row])
        if len(found) < 2:
            continue
        if not labels and any(match.group(0)[0] != "<" for match in found):
            continue
        names = [str(match.group(1)) for match in found]
        return _choices_of(names, _lit(rows, row, found), row, "Right" if labels else "Tab")
    return None


def _lit(rows: Rows, row: int, found: list[Any]) -> int | None:
    """The one with another background than the gap beside it, else the one drawn brightest."""
    styles = rows.snapshot.styles[row]
    gap = rows.columns_of(row, found[0].end(0) - 1, found[1].start(1))
    between = ground_of(styles[gap[len(gap) // 2]]) if gap else None
    starts = [rows.styles_of(row, match.start(1), match.end(1))[0] for match in found]
    lit = [number for number, style in enumerate(starts) if ground_of(style) != between]
    if len(lit) == 1:
        return lit[0]
    looks = [brightness_of(rows, row, match.start(1), match.end(1)) for match in found]
    if len(set(looks)) == 1:
        return None
    odd = [n for n, look in enumerate(looks) if looks.count(look) == 1]
    return odd[0] if len(odd) == 1 else max(range(len(looks)), key=lambda n: looks[n])


def _apart(pattern: Pattern, text: str) -> list[Any]:
    """The matches of a row; the gap behind one button may be the gap before the next."""
    found = []
    match = pattern.search(text)
    while match is not None:
        found.append(match)
        match = pattern.search(text, match.end(1))
    return found


def _choices_of(names: list[str], chosen: int | None, row: int, step: str) -> Choices:
    options = []
    for number, name in enumerate(names):
        if chosen is None:
            options.append(Option(name))
            continue
        distance = number - chosen
        if distance < 0:
            moves = ["Left" if step == "Right" else "S-Tab"] * -distance
        else:
            moves = [step] * distance
        options.append(Option(name, " ".join([*moves, "Enter"]), number == chosen))
    return Choices("buttons", tuple(options), row, row, row if chosen is not None else None)


YES_NO = (
    r"(?i)(?:[\[(]\s*(?:y(?:es)?|\[y(?:es)?\])\s*/\s*(?:n(?:o)?|\[n(?:o)?\])"
    r"(?:\s*/\s*\[?[a-z?!]+\]?)*\s*[\])])"
)
"""`[y/N]`, `(yes/no)`, `([y]/n)`, `(yes/no/[fingerprint])`."""

_YES_NO = compiled(YES_NO)
_OTHER_WORD = compiled(r"(?i)/\s*\[?([a-z]{4,})\]?")
"""What else a line for yes and no offers, where it is a word; a letter does not say what it does."""
_SINGLE_DEFAULT = compiled(r"(?i)[\[(](y|yes|n|no)[\])]\s*:?$")
_HUGGED = compiled(r"[(\[]([A-Za-z?])[)\]]([A-Za-z' ?-]*)")
_DEFAULT = compiled(r"\[([A-Za-z]+)\]:?$")
_LETTERS = compiled(r"[\[(]([A-Za-z?](?:,[A-Za-z?/]){1,24})[\])]")
_GIT_HUNK = compiled(r"\b([A-Z][a-z]+) (?:this hunk|deletion|addition|mode change)\b")
_LETTER_RUN = compiled(r"\(([A-Za-z]{3,8})\)$")
_WORDS = compiled(r"[\[(]([\w.-]+(?:(?:/|, ?)[\w.-]+){1,9})[\])]")
_NUMBERED_WORD = compiled(r"^([1-9][0-9]?)[-.:=]([A-Za-z].*)$")
_TOGGLE = compiled(r"(?:›|»|\?|\s)\s*([A-Z][a-z]{0,11}) / ([A-Z][a-z]{0,11})$")
_RADIO_PAIR = compiled(r"([●○◉◯])\s+(\S[^/●○◉◯]*?)\s+/\s+([●○◉◯])\s+(\S.*)$")
_LETTER_LINE = compiled(r"^\s*\(?([A-Za-z]|\d{1,2})[.):]\s+(\S.*)$")
_NEXT_COLUMN = compiled(r"\s{2,}\(?(\d{1,2})[.):]\s+")
_LETTER_GAP = compiled(r"^\s{2,}([a-z])\s{2,}(\S.*)$")
_DEFAULT_KEY = compiled(r"(?i)[\[(](?:default:? )?(\w{1,2})[\])]\s*[:?]?\s*$")
"""The key at the end of a question that Enter means: `Select (default p):`."""
_PARENTHESIS = compiled(r"\s*\((?:default|[0-9].*)\)$")

_REACH = 2
"""The most rows between a list and the question below it."""
_SAME_START = 12
"""A row that starts with so much of the question is the same question, asked before."""

_COLUMNS = compiled(r"\s{2,}")
_SHORTCUT = compiled(r"^(\^?[A-Z]) ([A-Z][a-z]+)$")
_SHORTCUT_ROWS = 2

_BETWEEN_KEYS = compiled(r"\s+[·•|]\s+")
_KEY_TO = compiled(r"(?i)^(enter|return|esc|escape|tab|shift\+tab|space|[a-z])\s+to\s+(\S.*)$")
_ACCEPTS = compiled(r"(?i)^(select|confirm|submit|continue|choose|save|accept|toggle|open|view|send|apply)\b")
_KEY_NAMES = {
    "enter": "Enter",
    "return": "Enter",
    "esc": "Esc",
    "escape": "Esc",
    "tab": "Tab",
    "shift+tab": "S-Tab",
    "space": "Space",
}

GIT_HUNK_WORDS = {
    "y": "{verb}",
    "n": "do not {verb}",
    "q": "quit",
    "a": "{verb} all",
    "d": "leave all",
    "e": "edit",
    "?": "help",
    "j": "undecided, next",
    "J": "undecided, next of any",
    "k": "undecided, previous",
    "K": "undecided, previous of any",
    "g": "go to",
    "s": "split",
    "p": "print",
    "P": "print in the pager",
    "/": "search",
}
"""What git's letters mean (git-add(1), "patch"); the verb is that of the question: stage, discard, stash …"""


def yes_no(line: str, single_key: bool = False) -> tuple[Option, ...]:
    """Yes and no as meanings, with the default selected, and what else the line names in a word.

    Empty if the line offers no such choice.
    """
    match = _YES_NO.search(line)
    tail = "" if single_key else " Enter"
    if match is not None:
        text = match.group(0)
        # what spells the words out may want them whole: ssh refuses "y"
        keys = ("yes", "no") if "yes" in text.lower() else ("y", "n")
        default = _default_of(text, line[match.end() :])
        others = [str(one.group(1)) for one in _OTHER_WORD.finditer(text)]
        return _pair(keys, tail, default) + tuple(Option(word, f"{word} Enter") for word in others)
    match = _SINGLE_DEFAULT.search(line)
    default = match.group(1)[0].lower() if match is not None else ""
    return _pair(("y", "n"), tail, default)


def _pair(keys: tuple[str, str], tail: str, default: str) -> tuple[Option, ...]:
    return (
        Option("yes", keys[0] + tail, default == "y"),
        Option("no", keys[1] + tail, default == "n"),
    )


def _default_of(brackets: str, behind: str) -> str:
    match = _SINGLE_DEFAULT.search(behind.strip())
    if match is not None:
        return str(match.group(1)[0]).lower()
    inner = brackets.strip("[()] ")
    yes, _, no = inner.partition("/")
    if "[y" in brackets[1:].lower() or (yes[:1] == "Y" and no[:1] == "n"):
        return "y"
    if "[n" in brackets.lower()[1:] or (no[:1] == "N" and yes[:1] == "y"):
        return "n"
    return ""


def hugged(line: str, single_key: bool = False) -> tuple[Option, ...]:
    """`(Y)es/(N)o/(D)on't ask again [Yes]:`, `[y]es, [n]o, [A]ll`, `[O]pen Read-Only, (E)dit anyway`."""
    tail = "" if single_key else " Enter"
    default = _DEFAULT.search(line)
    default_word = default.group(1).lower() if default is not None else ""
    options: list[Option] = []
    for match in _HUGGED.finditer(line):
        letter, rest = match.group(1), match.group(2).rstrip(" ,")
        if match.start() and line[match.start() - 1].isalnum():
            continue
        label = (letter + rest).strip()
        key = letter if "[y]es" in line else letter.lower()
        options.append(Option(label, key + tail, bool(default_word) and label.lower() == default_word))
    if len(options) < 2:
        return ()
    if not any(option.selected for option in options) and "[" in line:
        bracketed = [n for n, match in enumerate(_HUGGED.finditer(line)) if match.group(0)[0] == "["]
        if len(bracketed) == 1 and bracketed[0] < len(options):
            number = bracketed[0]
            chosen = options[number]
            options[number] = Option(chosen.label, chosen.key, True)
    return tuple(options)


def letters(line: str) -> tuple[Option, ...]:
    """`[y,n,q,a,d,e,?]`: each letter with Enter; git's own words where they are known."""
    match = _LETTERS.search(line)
    if match is None:
        return ()
    names = match.group(1).split(",")
    hunk = _GIT_HUNK.search(line[: match.start()])
    words = GIT_HUNK_WORDS if hunk is not None else {}
    verb = hunk.group(1).lower() if hunk is not None else ""
    return tuple(Option(words.get(name, name).replace("{verb}", verb), f"{name} Enter") for name in names)


def words(line: str) -> tuple[Option, ...]:
    """`[red/green/blue] (red):` and `(dev, prod) [dev]:`: whole words, typed out.

    Words that are numbered from 1 on, `(1-React, 2-Vue):`, are chosen by their numbers.
    """
    match = _WORDS.search(line)
    if match is None or _YES_NO.search(match.group(0)):
        return ()
    names = [name.strip() for name in match.group(1).replace("/", ",").split(",") if name.strip()]
    behind = line[match.end() :].strip(" :?()[]")
    numbered = [_NUMBERED_WORD.search(name) for name in names]
    if [found.group(1) if found else "" for found in numbered] == [str(n + 1) for n in range(len(names))]:
        pairs = [(found.group(2), found.group(1)) for found in numbered if found]
    else:
        pairs = [(name, name) for name in names]
    return tuple(Option(label, f"{key} Enter", behind in (label, key)) for label, key in pairs)


def named_keys(rows: Rows, row: int) -> Choices | None:
    """A closing row whose parts each name a key and what it does: `Enter to stay · Esc to cancel`.

    Keys that only move about, or that only accept and dismiss, are the hints of something else.
    """
    text = rows.texts[row]
    found = [_KEY_TO.search(part.strip()) for part in _BETWEEN_KEYS.split(text.strip())]
    pairs = [(match.group(1), match.group(2)) for match in found if match is not None]
    if len(pairs) != len(found) or len(pairs) < 2 or pairs[0][0].lower() not in ("enter", "return"):
        return None
    if _ACCEPTS.search(pairs[0][1]):
        return None
    options = tuple(
        Option(label, _KEY_NAMES.get(key.lower(), key), number == 0)
        for number, (key, label) in enumerate(pairs)
    )
    return Choices("keys", options, row, row, row)


def shortcuts(rows: Rows, last: int) -> Choices | None:
    """The closing rows of nano, a key and its word in columns: ` Y Yes`, ` N No           ^C Cancel`."""
    options: list[Option] = []
    first = last
    for row in range(last, max(last - _SHORTCUT_ROWS, -1), -1):
        found = [_SHORTCUT.search(part) for part in _COLUMNS.split(rows.texts[row].strip())]
        pairs = [(match.group(1), match.group(2)) for match in found if match is not None]
        if not pairs or len(pairs) != len(found):
            break
        first = row
        options[:0] = [Option(word, _shortcut_key(key)) for key, word in pairs]
    return Choices("shortcuts", tuple(options), first, last) if len(options) > 1 else None


def _shortcut_key(key: str) -> str:
    return f"C-{key[1:].lower()}" if key.startswith("^") else key.lower()


def lettered_rows(rows: Rows, first: int, prompt_row: int) -> Choices | None:
    """Rows above a question that name a key each: `1) Frankfurt`, `(1) RSA`, `  p   primary`."""
    items: list[tuple[int, str, str]] = []
    asked = rows.texts[prompt_row][:_SAME_START] if prompt_row < len(rows) else ""
    reach = prompt_row - _REACH
    tail = ""
    for row in range(prompt_row - 1, first - 1, -1):
        text = rows.snapshot.lines[row] + tail if tail else rows.texts[row]
        tail = text if row > first and _goes_on(rows, row - 1) else ""
        if tail:
            continue
        keyed = _keyed(text) if rows.kinds[row] is RowKind.TEXT else []
        if keyed:
            items += [(row, key, label) for key, label in reversed(keyed)]
        elif items or row < reach:
            break
        elif asked and text.startswith(asked):
            reach = row - _REACH
    named = _DEFAULT_KEY.search(rows.texts[prompt_row]) if prompt_row < len(rows) else None
    return _key_choices(items, str(named.group(1)) if named is not None else "")


def _goes_on(rows: Rows, row: int) -> bool:
    """Whether the terminal wrapped this row: how much of a label it took depends on the width alone."""
    wrapped = rows.snapshot.wrapped
    return bool(wrapped) and wrapped[row] and rows.kinds[row] is RowKind.TEXT


def _keyed(text: str) -> list[tuple[str, str]]:
    """The keys and labels of a row; numbered lists may have several columns."""
    match = _LETTER_LINE.search(text) or _LETTER_GAP.search(text)
    if match is None:
        return []
    key, label = str(match.group(1)), str(match.group(2))
    found = []
    column = _NEXT_COLUMN.search(label) if key.isdigit() else None
    while column is not None:
        found.append((key, label[: column.start()]))
        key, label = str(column.group(1)), label[column.end() :]
        column = _NEXT_COLUMN.search(label)
    return [*found, (key, label)]


def rows_below(rows: Rows, prompt_row: int, last: int) -> Choices | None:
    """The same below the question (inquirer's rawlist and expand)."""
    items: list[tuple[int, str, str]] = []
    for row in range(prompt_row + 1, last + 1):
        match = _LETTER_LINE.search(rows.texts[row]) if rows.kinds[row] is RowKind.TEXT else None
        if match is None:
            break
        items.append((row, match.group(1), match.group(2)))
    items.reverse()
    return _key_choices(items)


def _key_choices(items: list[tuple[int, str, str]], named: str = "") -> Choices | None:
    """Options of rows that were collected from the lowest upwards. `named` is the key of the default."""
    if len(items) < 2:
        return None
    options = []
    ordered = list(reversed(items))
    if all(key.isdigit() for _, key, _ in ordered):
        ordered.sort(key=lambda item: int(item[1]))  # columns are filled downwards
    for _, key, label in ordered:
        mark = _PARENTHESIS.search(label)
        default = key == named or (mark is not None and "default" in mark.group(0))
        bare = label[: mark.start()] if mark is not None else label
        options.append(Option(bare, f"{key} Enter", default))
    numbers = [row for row, _, _ in items]
    return Choices("lines", tuple(options), min(numbers), max(numbers))


def letter_run(line: str) -> tuple[Option, ...]:
    """`(Yaxh)`: the collapsed list of inquirer's expand; the upper case letter is the default."""
    match = _LETTER_RUN.search(line)
    if match is None:
        return ()
    names = match.group(1)
    if sum(1 for name in names if name.isupper()) != 1 or len(set(names.lower())) != len(names):
        return ()
    return tuple(Option(name.lower(), f"{name.lower()} Enter", name.isupper()) for name in names)


def toggle(rows: Rows, row: int) -> Choices | None:
    """`? Use Tailwind? › No / Yes` and `● Yes / ○ No`: two words in a line, the selected one highlighted."""
    text = rows.texts[row]
    match = _RADIO_PAIR.search(text)
    if match is not None:
        first = match.group(1) in "●◉"
        labels = (match.group(2), match.group(4))
        options = (
            Option(labels[0], _letter_of(labels[0]), first),
            Option(labels[1], _letter_of(labels[1]), not first),
        )
        return Choices("toggle", options, row, row, row)
    match = _TOGGLE.search(text)
    if match is None:
        return None
    left = brightness_of(rows, row, match.start(1), match.end(1))
    right = brightness_of(rows, row, match.start(2), match.end(2))
    options = (
        Option(match.group(1), "Left Enter", left >= right),
        Option(match.group(2), "Right Enter", right > left),
    )
    return Choices("toggle", options, row, row, row)


def _letter_of(label: str) -> str:
    return label[:1].lower()
