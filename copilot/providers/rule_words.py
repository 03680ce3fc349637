"""The words by which the `rules` provider classifies a prompt. They are broad: in doubt it holds."""

from __future__ import annotations

from copilot.prompting.patterns import pattern

DESTRUCTIVE = pattern(
    r"(?i)(?:\b(?:rm|rmdir|unlink|shred|mkfs|dd|fdisk|truncate|drop|wipe|purge|prune|erase|destroy|"
    r"discard|uninstall|revert|shutdown|reboot|kill|killall|pkill)\b|"
    r"\b(?:delet|overwrit|remov|replac(?:e|ing) exist)|"
    r"--force\b|\bforce\b|\bgit\s+(?:\S+\s+)*?(?:clean|reset|restore|rebase|stash|push|checkout\s+--)|"
    r"\bformat (?:the )?(?:disk|drive|partition)|-delete\b)"
)
RISKY = pattern(
    r"(?i)(?:\b(?:sudo|doas|su|curl|wget|ssh|scp|rsync|nc|chmod|chown|eval|exec|crontab|systemctl|launchctl|"
    r"docker|kubectl|terraform|aws|gcloud|publish|deploy|npx|base64)\b|"
    r"\b(?:python3?|node|ruby|perl|bash|sh|zsh)\s+-\w*[ce]\b|"
    r"\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b|>\s*/|~/|/etc/|\.ssh|\.env\b|\.git/|\.\./)"
)
WIDENING = pattern(
    r"(?i)(?:don['’]?t ask|do not ask|always|all future|for (?:this|the) (?:session|project|conversation)|"
    r"auto(?:matic)?[- ]?(?:mode|accept|approve|edit)|accept (?:all )?edits|all edits|remember|"
    r"never ask|trust|bypass|yolo|full access|every time|from now on|overwrite all|yes to all|\ball\b$)"
)
APPROVING = pattern(r"(?i)^(?:y|yes|allow|approve|accept|proceed|continue|ok|okay|run|apply|confirm)\b")
REFUSING = pattern(
    r"(?i)^(?:n|no|deny|reject|cancel|don['’]?t|do not|decline|abort|skip|quit|exit|keep|stop|leave|none)\b"
)
RECOMMENDED = pattern(
    r"(?i)\((?:recommended|default|suggested)\)|\[(?:recommended|default)\]|\bRecommended\b"
)
GENERIC_QUESTION = pattern(
    r"(?i)^\W*(?:do you want to (?:proceed|continue)|would you like to (?:proceed|continue)|proceed|continue|"
    r"are you sure(?: you want to (?:proceed|continue))?|ok to (?:proceed|continue)|confirm|"
    r"is this ok(?:ay)?|allow(?: this)?|apply anyway)\W*(?:[\[(][^\])]*[\])])?\W*$"
)
DEFAULT_YES = pattern(r"\[Y/n\]|\(Y/n\)|\[Yes/no\]|\(Yes/no\)|\[y\]|\(y\)|\[yes\]|\(yes\)|\[Y\]|\(Y\)")
DEFAULT_NO = pattern(r"\[y/N\]|\(y/N\)|\[yes/No\]|\(yes/No\)|\[n\]|\(n\)|\[no\]|\(no\)|\[N\]|\(N\)")
SECRET = pattern(
    r"(?i)\b(?:pass(?:word|phrase|code)?|secret|token|api[ _-]?key|user ?name|e-?mail|pin|otp|2fa)\b"
)
NEGATION = pattern(r"(?i)\b(?:not|never|no|avoid|don['’]?t|without|except|instead of|rather than)\b")
ALTERNATIVES = pattern(
    r"(?i)(?:^|[,:;]|\b(?:use|add|prefer|want|choose|pick|between|with))\s+([^,:;?]+?),?\s+or\s+([^,;?]+)\?"
)
ADDING = pattern(
    r"(?i)^\W*(?:(?:shall|should|may|can) i |do you want (?:me )?to |would you like (?:me )?to )?"
    r"(?:add|append|create|generate|write|save|run (?:the )?tests?)\b"
)
OUTWARD = pattern(
    r"(?i)\b(?:account|pay|payment|billing|upload|send|share|push|publish|release|e?mail|key|server|remote)\w*\b"
)
