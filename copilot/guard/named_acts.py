"""The everyday acts that a program's question may name: test, lint, build, format, commit, install.

Whatever the question says must fit the grammar from its first word to its last. A list of dangerous words is
never complete; a second act, an object, a place or a condition that the grammar does not know makes the
question an unknown one, which is high.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

import re2

from copilot.guard.risk_words import only_reports
from copilot.guard.text import folded, mixed_script_word


class Act(enum.StrEnum):
    """What a yes would start, in the words of `copilot rules`."""

    TEST = "run the tests"
    LINT = "lint"
    BUILD = "build"
    FORMAT = "format"
    COMMIT = "commit"
    INSTALL = "install the project's dependencies"


@dataclass(frozen=True, slots=True)
class Named:
    """The acts that one question names, and the tool that it says installs (empty: none is named)."""

    acts: tuple[Act, ...]
    installer: str = ""


def _any_of(*words: str) -> str:
    return "(?:" + "|".join(words) + ")"


_THE = _any_of("the", "all", "all the", "all of the", "your", "my", "our", "its", "any", r"\d{1,4}")
_OWN = _any_of("this project's", "the project's", "project", "local", "existing", "new", "remaining")
_INSTALLERS = "npm|pnpm|yarn|bun|pip|pip3|poetry|uv|pdm|pipenv|cargo|bundler?|composer|mix"
_FORMATTERS = (
    r"prettier|black|ruff(?: format)?|biome|gofmt|goimports|rustfmt|cargo fmt|clang-format|isort"
    r"|autopep8|yapf"
    r"|dprint|shfmt|stylua|ktlint|swiftformat|google-java-format|deno fmt|mix format"
    r"|(?:the )?(?:code )?formatter"
)
_LINTERS = (
    r"eslint|ruff(?: check)?|flake8|pylint|mypy|pyright|tsc|biome|clippy|golangci-lint|shellcheck|stylelint"
    r"|(?:the )?(?:linters?|lint|linting|type[- ]?check(?:s|er|ing)?|static analysis)"
)
_CODE_FILE = (
    r"(?:\./)?(?:[a-z0-9_-][a-z0-9_.-]*/){0,8}[a-z0-9_-][a-z0-9_.-]*"
    r"\.(?:py|pyi|js|jsx|ts|tsx|mjs|cjs|css|scss|html|json|md|go|rs|rb|php|java|kt|swift|c|h|cc|cpp"
    r"|hpp|cs|vue|sh|ya?ml|toml)"
)
_CODE = (
    rf"(?:(?:{_THE}|{_OWN}|these|those|this|every|changed|modified|staged|edited|generated|created"
    rf"|updated|affected"
    r"|source|python|typescript|javascript|js|ts|tsx|css|json|markdown|go|rust|java|ruby|php|whole|entire) )*"
    rf"(?:files?|code|codebase|code base|sources?|source code|project|changes|imports|repo|repository"
    rf"|{_CODE_FILE})"
)
_TESTS = (
    rf"(?:(?:{_THE}|{_OWN}|unit|integration|e2e|end-to-end|functional|regression|smoke|failing|failed"
    rf"|full|complete|whole"
    r"|entire|quick|affected|related|relevant|python|node|js|jest|vitest|mocha|pytest|cargo|go|npm"
    r"|backend|frontend) )*"
    r"(?:tests?|test ?suite|specs?|test cases|unittests)"
)
_RUN = r"(?:re-?)?(?:run(?:ning)?|execut(?:e|ing))"
_GRAMMAR = {
    Act.TEST: _any_of(
        rf"{_RUN} {_TESTS}(?: with (?:pytest|jest|vitest|mocha|coverage|npm|cargo|tox|nox))?",
        rf"{_RUN} (?:pytest|jest|vitest|mocha|tox|nox|npm (?:run )?test|pnpm test|yarn test|cargo test"
        rf"|go test|make (?:test|check))",
        rf"test (?:{_THE} |{_OWN} |this )*(?:project|code|changes)",
    ),
    Act.LINT: _any_of(
        rf"{_RUN} (?:{_LINTERS})(?: (?:on|over|for) {_CODE})?",
        rf"(?:lint|linting|type-?check|type-?checking) {_CODE}",
        rf"{_RUN} (?:{_THE} |{_OWN} )*(?:checks)",
    ),
    Act.BUILD: _any_of(
        rf"(?:re-?)?(?:build(?:ing)?|compil(?:e|ing)) (?:{_THE} |{_OWN} |this )*(?:project|app"
        rf"|application|code|library|bundle"
        r"|frontend|backend|docs|documentation)",
        rf"{_RUN} (?:the |a )?(?:(?:project|full|clean|new) )?build(?: script| step)?",
    ),
    Act.FORMAT: _any_of(
        rf"(?:re-?)?format(?:ting)? {_CODE}(?: (?:with|using|by|via) (?:{_FORMATTERS}))?",
        rf"{_RUN} (?:{_FORMATTERS})(?: (?:on|over|for) {_CODE})?",
    ),
    Act.COMMIT: _any_of(
        rf"(?:git )?commit(?:ting)? (?:(?:{_THE}|these|those|this|staged|current|pending|local"
        rf"|uncommitted) )*(?:changes?|files?|edits?)",
        r"(?:stage|add) (?:and|&) commit (?:(?:the|all|all the|these|your) )*(?:changes?|files?)",
        r"(?:create|make) (?:a |the |this )?(?:new |git |local )?commit",
    )
    + r"(?: (?:to|on) (?:the current|this) branch| locally| to git)?"
    + r"""(?: with (?:the |this |that )?(?:following |above |generated |suggested )?(?:commit )?message)?""",
    Act.INSTALL: _any_of(
        rf"(?:re-?)?(?:install(?:ing)?|installation of) (?:(?:{_THE}|{_OWN}|missing|required|npm|node"
        rf"|python|dev|development) )*"
        rf"(?:dependencies|deps|requirements|node[_ ]modules)(?: (?:with|using|via) (?P<with>{_INSTALLERS}))?"
        r"(?: from (?:the |your )?(?P<from>lock ?file|[a-z-]{1,20}\.(?:json|lock|lockb|yaml|txt|toml)"
        r"|gemfile|pipfile))?",
        rf"{_RUN} (?P<run>npm|pnpm|yarn|bun|poetry|pdm|bundle|composer) (?:install|ci)",
        rf"{_RUN} (?P<sync>uv|pipenv) sync",
    ),
}
_BARE = {
    Act.TEST: r"tests?|the tests",
    Act.LINT: r"lint(?:er|ers|ing)?|the linters?",
    Act.BUILD: r"build(?:ing)?|the build",
    Act.FORMAT: r"format(?:ting)?|the formatter",
    Act.COMMIT: r"commit(?:ting)?(?: (?:your|the) work)?",
}
"""Short forms that say enough behind another act, or in a sentence of permission, but not alone."""
_PATTERNS = {act: re2.compile(f"(?:{grammar})") for act, grammar in _GRAMMAR.items()}
_BARE_PATTERNS = {act: re2.compile(f"(?:{grammar})") for act, grammar in _BARE.items()}
_LEAD = re2.compile(
    r"^(?:(?:do|would|should|shall|may|can|could|will) (?:you|i|we) |(?:want|wish|like|prefer|ready"
    r"|ok|okay)(?: me| us)? to "
    r"|(?:want|like|prefer|please|now|also|me to) |go ahead and |(?:proceed|continue) (?:to|with|and) )*"
)
_TAIL = re2.compile(
    r"(?: (?:now|again|first|anyway|as well|too|please|locally|for this project|before (?:committing"
    r"|continuing|proceeding)"
    r"|to (?:verify|check)(?: (?:it|this|that|everything) works)?))*$"
)
_AND = re2.compile(r",? and then |, then |,? and |, | & | \+ ")
_ANSWER = (
    r"(?:y|n|yes|no|a|q|s|c|e|\?|all|none|cancel|skip|quit|recommended|optional"
    r"|default|default ?[:=] ?(?:y|n|yes|no))"
)
_ANSWERS = re2.compile(
    rf"(?:\s*[\[(]\s*\[?{_ANSWER}\]?(?:\s*[/|]\s*\[?{_ANSWER}\]?)*\s*[\])]"
    rf"|\s+\(y\)es\s*/\s*\(n\)o)*[\s?:>›❯]*$"
)
_MARKS = re2.compile(r"^(?:[^\pL\pN(\[/]|\[\?\]|\d{1,2}[.)] )+")
_SENTENCE_END = re2.compile(r"[.!?;:…]\s+|\n")


def named_acts(question: str) -> Named | None:
    """The acts that a question names and nothing beside them; None if any part of it is something else.

    Its answers in brackets may follow it, and sentences that report what was done may precede it.
    """
    if mixed_script_word(question):
        return None
    plain = folded(question).replace("’", "'").strip()
    for _ in range(3):
        plain = _ANSWERS.sub("", plain).strip()
    *before, asked = _SENTENCE_END.split(_MARKS.sub("", plain))
    if not only_reports(before):
        return None
    return acts_in(without_lead(asked))


def without_lead(phrase: str) -> str:
    """A folded phrase without "do you want to" before it and "now" behind it."""
    plain = " ".join(_MARKS.sub("", phrase).split())
    return str(_TAIL.sub("", _LEAD.sub("", plain)))


def acts_in(plain: str, *, short: bool = False) -> Named | None:
    """The acts of a folded phrase without its lead and tail: one, or several joined by commas and "and".

    With `short` the short forms count alone too ("commit"), as a sentence of permission uses them.
    """
    found = _one_act(plain, "", short=short)
    if found is not None:
        return found
    parts = [part.strip() for part in _AND.split(plain)]
    acts: list[Act] = []
    installer = ""
    running = False
    for part in parts:
        one = _one_act(part, "run " if running else "", short=short or bool(acts))
        if one is None:
            return None
        running = running or part.startswith("run")
        acts += one.acts
        installer = installer or one.installer
    return Named(tuple(dict.fromkeys(acts)), installer) if acts else None


def _one_act(phrase: str, verb: str, *, short: bool) -> Named | None:
    for wanted in (phrase, verb + phrase):
        for act, pattern in _PATTERNS.items():
            match = pattern.fullmatch(wanted)
            if match is not None:
                named = match.groupdict() if act is Act.INSTALL else {}
                said = next((value for value in named.values() if value), "")
                return Named((act,), said)
    if short:
        return next((Named((act,)) for act, one in _BARE_PATTERNS.items() if one.fullmatch(phrase)), None)
    return None
