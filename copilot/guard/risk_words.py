"""Words by which a question, an option or a line of output names something risky. All texts are folded.

Such a list only raises a risk. What is harmless must be known to be (`named_acts.py`, `question_risk.py`).
"""

from __future__ import annotations

from collections.abc import Iterable

import re2

from copilot.guard.text import folded, has_hidden, mixed_script_word

_DESTROYS = re2.compile(
    r"(?:\b|_)(?:delet\w*|remov\w*|overwr\w*|eras\w*|destroy\w*|drop(?:s|ped|ping)?|purg\w*|prun\w*|wip(?:e|es|ed|ing)|truncat\w*"
    r"|discard\w*|uninstall\w*|reset\w*|revert\w*|replac\w*|clobber\w*|unlink\w*|trash\w*|clear(?:s|ed|ing)?"
    r"|empty|shred\w*|kill\w*|terminat\w*|mov(?:e|es|ed|ing)|renam\w*|los[et]|lost|irreversibl\w*|permanent\w*|undone|downgrad\w*)\b"
)
_DESTROYS_ELSEWHERE = re2.compile(
    r"\b(?:lösch\w*|gelöscht\w*|entfern\w*|überschreib\w*|vernicht\w*|formatier\w*|supprim\w*|effac\w*|écras\w*|détrui\w*|formater"
    r"|elimin\w*|borr(?:ar|a|e|o|ado)\b|sobrescrib\w*|formatear|apag(?:ar|a|ue)\b|exclui\w*|cancell(?:are|a|o)\b|sovrascriv\w*"
    r"|formattare|verwijder\w*|usun\w*|usuń\w*|skasuj\w*|slett\w*|radera\w*|poista\w*|hapus\w*)"
    r"|удал|стере|стир|очист|форматир|删除|刪除|清空|清除|格式化|覆盖|削除|消去|初期化|上書き|삭제|지우|포맷|xóa|حذف|מחק|ลบ"
)
"""The same in other languages, for text beside a question: one that is not understood is high anyway."""
_FORMAT = re2.compile(r"\bformat(?:s)?\b")
_FORMATS_CODE = re2.compile(
    r"^ (?:(?:the|all|your|my|our|these|this|changed|modified|staged|source|\d+|[a-z]+script|python) )*"
    r"(?:files?(?: with\b|[.,;?!…]|\s*$)|code|sources?|project|imports|changes|[\w./-]+\.\w{1,5}\b)"
)
_FORMAT_NAMED = re2.compile(
    r"\b(?:a|an|the|which|what|output|input|date|time|file|image|config|message|this) $"
)
_FORMATS_STORAGE = re2.compile(
    r"\b(?:re)?format\w*\b[^\n]{0,80}(?:\b(?:disks?|drives?|partitions?|volumes?|devices?|cards?|sd[a-z]\d?|nvme\w*|usb|ssd|hdd"
    r"|sticks?|file ?systems?|storage|mount\w*)\b|/dev/|\b[a-z]:)"
)
_REACHES_OUT = re2.compile(
    r"\b(?:force\w*|push\w*|deploy\w*|publish\w*|releas(?:e|es|ed|ing)|upload\w*|send\w*|shar(?:e|es|ed|ing)"
    r"|merg(?:e|es|ed|ing)|production|prod|migrat\w*|connect(?:ing)?|fingerprint|host key|authenticity"
    r"|rebas\w*|amend\w*|sudo|root|download\w*|restart\w*"
    r"|reboot\w*|shut ?down|upgrad\w*|pay\w*|purchas\w*|charg\w*|subscri\w*|grant\w*|trust\w*|token"
    r"|credential\w*|api key|password|disk space will be freed|telemetry"
    r"|accept\w*|agree\w*|licen[cs]e agreement|fetch\w*)\b"
)
_CHANGES_MORE = re2.compile(
    r"\b(?:nuk\w*|throw\w*|flash\w*|zero(?:e[sd]|ing)?|destructive|scratch|start over"
    r"|roll\w* (?:\w+ )?back|rollback|back ?up to|theirs|ours|their version"
    r"|skip\w* (?:all |the )?(?:checks?|tests?|verification|hooks?|review|validation)"
    r"|bypass\w*|sandbox\w*|unattended|automatically|without (?:asking|prompt\w*|confirm\w*|review)"
    r"|visibility|owner\w*|invoice|\d+ ?(?:usd|eur|gbp)|disabl\w*|turn\w* off"
    r"|cannot be (?:undone|taken back|reverted)|to default values)\b|[$€£] ?\d|(?:^|[\s'\"])\.env\b"
)
"""What changes more than it names: it destroys, widens, pays, or takes a protection away."""
_FIELDS = re2.compile(
    r"\b(?:bind|listen\w*|roles?|amount|iban|account number|card number|cvv|cvc|private key"
    r"|access key|passphrase|passcode|pin|otp"
    r"|recovery|seed phrase|mnemonic|mot de passe|kennwort|passwort|contrase\S*"
    r"|senha|wachtwoord|has[łl]o|l[oö]senord|heslo)\b"
    r"|парол|密码|密碼|パスワード|비밀번호"
)
"""Fields of which the text pays, gives rights, opens, or is a secret."""
_EXPOSES = re2.compile(
    r"\b(?:public\w*|expos\w*|anonymous\w*|world[- ]readable|internet|online|remote|firewall|account"
    r"|admin\w*|privileg\w*|permissions?|access|2fa|mfa|two[- ]factor|security|keys?|secrets?"
    r"|certificat\w*|disabl\w*|turn\w* off|switch\w* off|sign\w* out|log\w* ?out|block\w*|bann?\w*"
    r"|revok\w*|invit\w*|transfer\w*|buy\w*|order|bill\w*|cost\w*|e-?mail\w*|without|unsaved|forget\w*"
    r"|squash\w*|rewrit\w*|disks?|partition\w*|boot\w*|flash\w*|encrypt\w*"
    r"|every(?:one|body)|all files)\b|/dev/"
)
"""Makes an act that only adds or uses something another one ("Add bob as an admin?")."""
_STARTS_SOMETHING = re2.compile(
    r"\b(?:install\w*|execut\w*|appl(?:y|ies|ied|ying)|run|mode|always|commit\w*|tag)\b"
)


def destroys(plain: str) -> str:
    """The word by which a text speaks of deleting, moving or overwriting; empty if none does."""
    match = _DESTROYS.search(plain) or _FORMATS_STORAGE.search(plain)
    if match is None:
        match = _DESTROYS_ELSEWHERE.search(plain)
    return match.group().strip("_") if match is not None else _formats(plain)


def exposes(plain: str) -> bool:
    """Whether a folded text speaks of rights, secrets, money, disks, or of what would be lost."""
    return _EXPOSES.search(plain) is not None


def reaches_out_strongly(plain: str) -> str:
    """The word by which a text speaks of other machines, other people, money, secrets or rights."""
    match = _REACHES_OUT.search(plain)
    return match.group() if match is not None else ""


def changes_more(plain: str) -> str:
    """The words by which a text says that more is changed than it names; empty if none does."""
    match = _CHANGES_MORE.search(plain)
    return match.group().strip() if match is not None else ""


def field_word(plain: str) -> str:
    """The word by which a field says that its text pays, opens or is a secret; empty if none does."""
    match = _FIELDS.search(plain)
    return match.group() if match is not None else ""


def reaches_out(plain: str) -> str:
    """The same, or the word by which it starts something whose effect is not known."""
    match = _STARTS_SOMETHING.search(plain)
    return reaches_out_strongly(plain) or (match.group() if match is not None else "")


def _formats(plain: str) -> str:
    """`format` as a verb, unless what is formatted is code. A formatter at work destroys nothing."""
    for match in _FORMAT.finditer(plain):
        code = _FORMATS_CODE.search(plain[match.end() :])
        if code is None and _FORMAT_NAMED.search(plain[: match.start()]) is None:
            return str(match.group())
    return ""


# The text around a question that names an everyday act: does it say that a yes does something else
# too?
#
# A log may report what was done ("Removed 3 unused files"). A line that announces, asks or commands
# something dangerous makes the yes one to that as well.


_REPORT = re2.compile(
    r"^[^\pL\pN]*(?:already |successfully |no |nothing )?"
    r"(?:\d+ (?:files?|tests?|changes?|insertions?|deletions?|packages?|checks|errors?|warnings?|edits?"
    r"|unused|passed|failed|skipped|added|removed|changed|deleted)\b|[a-z]+ing\b|[a-z]+ed\b|wrote|done|built|made"
    r"|found|ran|ok\b|up to date|all (?:checks|tests|files)\b|nothing to commit)"
)
_PROGRESS = re2.compile(r"^[^\pL\pN]*[a-z]+ing\b")
_ANNOUNCES = re2.compile(
    r"\b(?:will|would|going to|about to|this|that|these|yes|answer\w*|confirm\w*|continu\w*"
    r"|proceed\w*|next|then|following"
    r"|after|before|if|also|note|warning|caution|attention|shall|should|must|may|can|y)\b|:\s*$"
)
_ASKS = re2.compile(r"[?？]\s*(?:[\[(][^\[\]()]{1,40}[\])])?[\s:>]*$")
_COMMANDS = re2.compile(
    r"^\W{0,3}\.{0,2}/[\w./-]+(?:\s|$)|\b(?:runs?|execut\w*|commands?|steps?|does|happens?)\b[^\n]*:\s*$"
    r"|(?:^\W*(?:\w{1,2}[.)]\s+)?|[:;|&'\"`=]\s*)(?:sudo|doas|rm|rmdir|unlink|dd|mkfs\S*|shred|truncate"
    r"|curl|wget|ssh|scp|rsync|docker|kubectl"
    r"|helm|terraform|npx|psql|mysql|chmod|chown|kill|shutdown|reboot|crontab|mv|cp|tee"
    r"|git (?:push|reset|clean|rebase|checkout|restore|stash|switch|branch|merge))\b"
    r"|[:;|&]\s*(?:sh|bash|zsh|python3?|node|perl|ruby|eval|exec)\b"
    r"|\b(?:rm|rmdir|dd|chmod|chown|mkfs\S*|shred)\s+-\w|\b(?:(?:ba|z|da|k)?sh|python3?|perl|ruby) -c\b"
)
"""Commands that a yes would run."""
_PLAIN = re2.compile(r"^[\x00-\x7f‘’“”–—…•·✓✔✗✖→]*$")


def speaks_of_more(lines: Iterable[str]) -> str:
    """The first line that says that a yes below does more than the question names; empty if none does."""
    return next((line for line in lines if _more(line)), "")


def only_reports(sentences: Iterable[str]) -> bool:
    """Whether sentences in front of a question only report what was done, and in English."""
    return all(
        _PLAIN.search(one) is not None and _REPORT.search(folded(one)) is not None and not _more(one)
        for one in sentences
    )


def runs_command(lines: Iterable[str]) -> bool:
    """Whether a folded line holds a command, or announces one."""
    return any(_COMMANDS.search(line) is not None for line in lines)


def is_report(line: str) -> bool:
    """Whether a line reports what was done, and announces nothing."""
    plain = folded(line)
    announces = _ANNOUNCES.search(plain) is not None or _PROGRESS.search(plain) is not None
    return _REPORT.search(plain) is not None and not announces


def _more(line: str) -> bool:
    if has_hidden(line) or mixed_script_word(line):
        return True
    plain = folded(line)
    if _ASKS.search(plain) or _COMMANDS.search(plain):
        return True
    return not is_report(plain) and bool(
        destroys(plain) or reaches_out_strongly(plain) or changes_more(plain)
    )
