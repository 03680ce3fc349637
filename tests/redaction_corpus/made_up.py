"""The texts of the corpus: files of templates whose values are made at run time from a seeded generator.

No secret stands in the files, so no scanner has anything to flag. `%% NAME` begins a class, `%%` the next text of it.
`«h:40»` is a made-up value (`_FIELDS`), `⟦…⟧` marks what has to be gone after redaction.
"""

from __future__ import annotations

import base64
import random
import re
import string
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
OPEN, CLOSE = "⟦", "⟧"

_BASE64 = string.ascii_letters + string.digits + "+/"
_ALPHABETS = {
    "A": string.ascii_letters + string.digits,
    "h": "0123456789abcdef",
    "H": "0123456789ABCDEF",
    "U": string.ascii_uppercase + "234567",
    "u": string.ascii_uppercase + "234567",
    "l": string.ascii_lowercase + string.digits,
    "d": string.digits,
    "w": string.ascii_letters + string.digits + "!#%^*_-",
    "B": _BASE64,
    "n": "0123456789abcdfghijklmnpqrsvwxyz",
    "c": "qpzry9x8gf2tvdw0s3jn54khce6mua7l",
}
_SYLLABLES = "ba be bo da do fi ga ka ko la lu ma mi na no pa pe ra ri ro sa se ta ti to va vo za".split()  # noqa: SIM905
# Some words of BIP-39, enough for phrases.
SEED_WORDS = """abandon ability able about absent absorb abuse acid acoustic actor adapt admit advice afraid agent alarm
album alert alien alpha amazing amount anchor ancient animal ankle antenna apple arctic arena armor arrow
artist asthma atom auction autumn avocado axis bacon badge balance bamboo banana barely basket beach benefit
bicycle blanket blossom blouse boil bonus border bottom bracket brave breeze bridge broccoli bronze bubble
buddy buffalo bullet burger cabbage cactus camera canal canvas capable carbon cargo castle casual catalog
cement chaos cherry chronic cinnamon citizen clarify claw clinic cloth coconut column comfort copper coral
cotton cradle crater cricket crystal curtain cushion cycle damage daring debris decade deer defense denial
dentist desert diesel dinosaur dolphin donkey dragon drastic dune dwarf eagle elbow elder elegant elephant
embark emerge empower endless engine enrich episode erosion escape eternal exotic fabric faculty fancy
fatigue fiber fiction filter fitness flame flavor focus foil forest fossil fragile frozen galaxy garlic
gauge genius ghost giraffe glimpse glove goddess gorilla gossip grape guitar hamster harbor hazard hedgehog
hobby hockey hurdle hybrid impulse inherit inmate island ivory jaguar jelly jungle kangaroo kidney kitten
ladder laptop leopard liberty lizard lobster luggage lunar magnet mango maple margin mimic mixture mosquito
muffin mushroom napkin nephew noodle nuclear oblige obscure ocean olive onion orbit ostrich oxygen oyster
paddle panther parrot peanut pelican pepper pigeon pioneer pistol plunge polar pottery puzzle pyramid
quantum rabbit raccoon razor rebuild rescue ribbon rifle ritual rocket saddle salmon satoshi scatter
scissors seminar shallow shrimp siren slender spatial squirrel stadium sunset swamp syrup talent tobacco
tornado tortoise trophy tunnel turtle twelve umbrella unveil vacuum velvet venture vibrant violin volcano
wagon walnut whisper wisdom wrestle zebra zero zone zoo""".split()  # noqa: SIM905


def _drawn(kind: str, size: int, source: random.Random) -> str:
    """Random characters of an alphabet with a digit in them, as values of that length nearly always have."""
    text = "".join(source.choice(_ALPHABETS[kind]) for _ in range(size))
    if kind in "Awl" and size > 6 and text.isalpha():
        text = text[:4] + source.choice(string.digits) + text[5:]
    return text


def _drawer(kind: str) -> Callable[[str, random.Random], str]:
    return lambda size, source: _drawn(kind, int(size), source)


def _human(source: random.Random) -> str:
    """A password as a person thinks of one."""
    word, other = ("".join(source.choice(_SYLLABLES) for _ in range(3)) for _ in range(2))
    shapes = (
        f"{word.capitalize()}{source.randint(1970, 2025)}{source.choice('!*_+')}",
        f"{word}-{other}-{source.randint(10, 99)}",
        f"{word[:3]}{source.randint(0, 9)}{other.upper()}{source.randint(0, 9)}",
        f"{word}{other}",
    )
    return source.choice(shapes)


def _encoded(size: int, source: random.Random) -> str:
    return base64.b64encode(source.randbytes(size)).decode()


def _uuid(source: random.Random) -> str:
    text = source.randbytes(16).hex()
    return f"{text[:8]}-{text[8:12]}-4{text[13:16]}-a{text[17:20]}-{text[20:]}"


_FIELDS: dict[str, Callable[[str, random.Random], str]] = {
    **{kind: _drawer(kind) for kind in _ALPHABETS},
    "b64": lambda size, source: _encoded(int(size), source),
    "b64u": lambda size, source: base64.urlsafe_b64encode(source.randbytes(int(size))).decode().rstrip("="),
    "text64": lambda text, _: base64.b64encode(text.encode()).decode(),
    "pem": lambda rows, source: "\n".join(_drawn("B", 64, source) for _ in range(int(rows))),
    "begin": lambda name, _: f"-----BEGIN {name}-----",
    "end": lambda name, _: f"-----END {name}-----",
    "uuid": lambda _, source: _uuid(source),
    "human": lambda _, source: _human(source),
    "seed": lambda words, source: " ".join(source.sample(SEED_WORDS, int(words))),
    "s": lambda _, source: OPEN + source.choice(SEED_WORDS) + CLOSE,
}
_FIELD = re.compile(r"«(\w+)(?::([^»]*))?»")


@dataclass(frozen=True, slots=True)
class Sample:
    """One text of the corpus; `secrets` are the parts `start:end` that have to be gone."""

    kind: str
    text: str
    secrets: tuple[tuple[int, int], ...] = ()


def filled(template: str, seed: str) -> str:
    """The template with its fields filled from a generator seeded by `seed`."""
    source = random.Random(seed)
    return _FIELD.sub(lambda match: _FIELDS[match.group(1)](match.group(2) or "", source), template)


def _sample(kind: str, marked: str) -> Sample:
    text, spans, begin = "", [], 0
    for piece in re.split(f"([{OPEN}{CLOSE}])", marked):
        if piece == OPEN:
            begin = len(text)
        elif piece == CLOSE:
            spans.append((begin, len(text)))
        else:
            text += piece
    return Sample(kind, text, tuple(spans))


def samples(name: str, seed: str = "1") -> list[Sample]:
    """The texts of a file of templates, in its order."""
    kind, found = "", []
    for number, part in enumerate(("\n" + (HERE / name).read_text()).split("\n%%")[1:]):
        head, _, template = part.partition("\n")
        kind = head.strip() or kind
        found.append(_sample(kind, filled(template.strip("\n"), f"{seed}:{name}:{number}")))
    return found
