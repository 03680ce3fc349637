"""What marks a random-looking text as public: its form, what is before it, what it lies in, what it says.

Only what was found by its looks alone, or under a name that is a secret's now and then, is asked of.
Registered values and the formats of vendors are never public.
"""

from __future__ import annotations

import base64
import binascii
import bisect
from collections.abc import Iterator, Sequence

import re2

_MARKED = re2.compile(
    r"(?:(?i:(?:^|[^a-z0-9])(?:pin-)?(?:md5|sha-?(?:1|224|256|384|512)|sha3-[0-9]+"
    r"|blake[23][bs]?(?:-[0-9]+)?|b3|h1|zh|crc32c|xxh[0-9]+|nonce)[:=/\-]\s*[\"']?"
    r"|\betag\\?[\"']?[:=]\s*(?:W/)?\\?[\"']|\bv=DKIM1;.*\bp=|\bpeer\s+)"
    r"|(?:^|[\s=\"'])[a-z0-9][a-z0-9.\-]*\.[a-z0-9.\-]+-[0-9]+:|\|1\|(?:[A-Za-z0-9+/]+=\|)?)$"
)
"""Before a digest: `sha256:`, `h1:` of go.sum, `sha256=` of a wheel's RECORD. Before the key of a binary
cache, the hashed name of an SSH server, the key that signs mail."""
_DIGEST = re2.compile(
    r"(?i)^(?:md5|sha-?(?:1|224|256|384|512)|nonce)[\-/]|^_?_(?-i:ZN|R[NIC])[A-Za-z0-9_$.]+$"
)
"""A digest with its algorithm, the mangled name of a function."""
_OPENING = " \t\\\"'[{("
_CLOSING = " \\\"'])"
_LONGEST_NAME = 60
_LAST_NAME = re2.compile(r"[A-Za-z0-9_.\-/ ]*$")
_ELEMENT = re2.compile(r"<(?:[a-z0-9]+:)?([A-Za-z0-9.\-]{1,40})>\s*$")
_PUBLIC_NAME = re2.compile(
    r"(?:(?i:(?:^|[^a-z0-9])(?:md5|sha-?(?:1|224|256|384|512)|blake[23][bs]?)|integrity|checksums?"
    r"|hash(?:es)?"
    r"|verif(?:y|ication)[-_. ]?key|shasum|digests?|e-?tag|fingerprints?|thumbprint|\bkid|x5t|x5c|cursor"
    r"|\bpeer|revision"
    r"|commit|content-md5|sec-websocket-(?:accept|key)|public[-_. ]?keys?|ca-?bundle|x509certificate"
    r"|certificate(?:-authority)?-data|restored from key|cache[-_ ]?key)"
    r"|(?i:(?:^|[_\-. /])(?:id|uuid|guid)(?:-[0-9])?)|[a-z]I[dD])\s*$"
)
_SECRET_NAME = re2.compile(
    r"(?i)passw|secret|private|token|session|client[-_ ]?(?:secret|key|id)|api[-_ ]?key|access[-_ ]?key"
)
_ITEM_ID = re2.compile(
    r"^(?:msg|thread|run|step|asst|call|toolu|srvtoolu|req|resp|item|evt|file|vs|batch|msgbatch|chatcmpl"
    r"|cmpl|ftjob|prod|price"
    r"|cus|sub|pi|pm|ch|in|ii|acct|seti|cs|dpl|prj|team|usr|org|proj)[_-][A-Za-z0-9]{8,64}$"
)
"""Names of things in the interfaces of vendors: messages, customers, deployments. They open nothing."""
_ITEM_PLACE = re2.compile(
    r"(?i)https?://[^\s\"']*(?:/d/|/(?:documents?|files?|folders?|spreadsheets|deployments?|runs?)/"
    r"|[?&](?:list|v|id|cid|page|cursor)=)$"
)
_CAPABILITY = re2.compile(r"(?i)hook|/bot|/services/|token|secret|invite|share|reset|key")
"""An address that has one of these in it is itself what opens the door."""
_MEDIA = tuple("iVBORw0KGgo R0lGOD /9j/ UklGR d09GM d09GR AAEAAAA T1RUTw JVBERi0 SUQz AAABAA".split())  # noqa: SIM905
"""How base64 of pictures, fonts, sound and documents begins."""
_DATA_URI = re2.compile(
    r"(?i)data:(?:[a-z0-9.+\-]+/[a-z0-9.+\-]+)?(?:;[a-z0-9=\-]+)*;base64,([A-Za-z0-9+/=\s]*)"
)
_READABLE_URI = re2.compile(r"(?i)^data:(?:text/|application/(?:json|x?-?yaml|xml|javascript))")
_BLOCK = re2.compile(
    r"-----BEGIN ((?:(?:NEW |TRUSTED |X509 )?CERTIFICATE(?: REQUEST)?|X509 CRL|CMS|PKCS7"
    r"|(?:[A-Z0-9]+ )?PUBLIC KEY(?: BLOCK)?|PGP SIGNATURE|PGP MESSAGE|SSH SIGNATURE|(?:DH|EC) PARAMETERS"
    r"|AGE ENCRYPTED FILE))-----"
    r"((?:[A-Za-z0-9+/=\s│┃|>\"',+]|\\[nr]|[A-Z][A-Za-z\-]{2,20}: [^\n]*\n)*)"
)
_HEADING = re2.compile(
    r"(?im)^[^A-Za-z0-9\n]*[\w .\-]*(?:checksums?|hash(?:es)?|digests?|integrity|fingerprints?"
    r"|public[-_ ]keys?)"
    r"[\"']?[ \t]*[:=]?[ \t]*[\[{(]?[ \t\r]*$"
)
_MOST_LISTED = 65_536
_KEY_SET = re2.compile(r"\"kty\"\s*:")
_KEY_MEMBER = re2.compile(r"\"(?:n|x|y|e|kid|x5t|x5c|x5t#S256)\"\s*:\s*\[?\s*\"$")
_SIGNER = re2.compile(r"minisign public key [0-9A-F]+[ \t│]*\n[ \t│]*$")
_SSH_KEYS = (b"ssh-", b"ecdsa-", b"sk-ssh-", b"sk-ecdsa-")
_LINE_BEFORE = 200
_KEY_SIZE = 1_000
_LEAST_SAID = 12

Place = tuple[int, int]


def public_regions(text: str) -> Iterator[Place]:
    """Where blocks lie that are made to be public: certificates, public keys, signatures, pictures."""
    if "-----BEGIN " in text:
        yield from (match.span() for match in _BLOCK.finditer(text))
    if "base64," in text:
        for match in _DATA_URI.finditer(text):
            if not _READABLE_URI.search(match.group()):
                yield match.span()
    yield from _listed(text)


def in_region(regions: Sequence[Place], place: int) -> bool:
    """Whether it lies in one of the regions, which are sorted by where they begin and do not overlap."""
    near = bisect.bisect_right(regions, place, key=_begin) - 1
    return near >= 0 and place < regions[near][1]


def _begin(region: Place) -> int:
    return region[0]


def is_public(text: str, start: int, end: int) -> bool:
    """Whether what lies there is marked as public by its form, or by what is before it."""
    if _is_public_form(text[start:end]):
        return True
    near = max(0, start - _LINE_BEFORE)
    before = text[max(text.rfind("\n", near, start) + 1, near) : start]
    if not before.strip():
        above = text[near:start]
        return "minisign" in above and _SIGNER.search(above) is not None
    return (
        (before[-1] in ":=-|\"' " and _MARKED.search(before) is not None)
        or _is_publicly_named(before)
        or ("://" in before and _ITEM_PLACE.search(before) is not None and not _CAPABILITY.search(before))
        or (
            before[-1] == '"' and _is_public_member(before, text[max(0, start - _KEY_SIZE) : end + _KEY_SIZE])
        )
    )


def _is_public_member(before: str, around: str) -> bool:
    """Whether it is the public part of a JSON Web Key."""
    return _KEY_MEMBER.search(before) is not None and _KEY_SET.search(around) is not None


def _listed(text: str) -> Iterator[Place]:
    """What is indented more than a line that says that digests follow."""
    done = 0
    for match in _HEADING.finditer(text):
        start = match.end()
        if start < done or _SECRET_NAME.search(match.group()):
            continue
        depth = _indent(match.group().lstrip("\n"))
        done = start + 1
        for line in text[done : done + _MOST_LISTED].split("\n"):
            if not line.strip() or _indent(line) <= depth:
                break
            done += len(line) + 1
        yield start, done


def said(token: str) -> str:
    """The readable text that is base64-encoded in `token`, wherever it was cut; empty if there is none."""
    for skipped in range(4):
        data = token[skipped:].rstrip("=").replace("-", "+").replace("_", "/")
        data = data[: len(data) // 4 * 4] if skipped or not token.endswith("=") else data
        try:
            text = base64.b64decode(data + "=" * (-len(data) % 4), validate=True).decode("utf-8")
        except (binascii.Error, UnicodeDecodeError):
            continue
        if len(text) >= _LEAST_SAID and all(char.isprintable() or char in "\t\r\n" for char in text):
            return text if _is_prose(text) else ""
    return ""


def _is_prose(text: str) -> bool:
    """Whether a text is more than a name and a password, or than a token."""
    words = [word for word in re2.findall(r"[A-Za-zÀ-ɏ]{2,}", text) if word]
    parted = any(char in " \n\t{}" for char in text.strip()) or text.count(":") + text.count(";") >= 2
    return parted and len(words) >= 3


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t│┃|+"))


def _is_public_form(value: str) -> bool:
    if _DIGEST.search(value) or _ITEM_ID.search(value) or value.startswith(_MEDIA):
        return True
    if not value.startswith("AAAA"):
        return False
    # The key of an SSH server or user: the length of its kind, its kind.
    try:
        head = base64.b64decode(value[:24], validate=True)
    except binascii.Error:
        return False
    return head[4:].startswith(_SSH_KEYS)


def _is_publicly_named(before: str) -> bool:
    named = before.rstrip(_OPENING)
    if named.endswith((":", "=", "=>")):
        name = named.rstrip(":=> ")[-_LONGEST_NAME:].rstrip(_CLOSING)
    elif named.endswith(">"):
        element = _ELEMENT.search(named)
        name = element.group(1) if element else ""
    else:
        return False
    return _PUBLIC_NAME.search(name) is not None and not _SECRET_NAME.search(_LAST_NAME.search(name).group())
