"""The words of a question that may stand behind an act which shows, adds or keeps something.

A list of dangers is never complete ("Write new partition table?", "Keep going with dd to sdb?"): so every
word must be known to name nothing but a project's everyday things, or be the name of a plain file of it.
"""

from __future__ import annotations

import re2

_GLUE = """
about how when what which
a an the this that these those it its them all any both each every no not your my our their new
current existing default other another more some same next first last one two three recommended
optional suggested following above below and or of in into to for from with as at on by using via
inside here there now later too also if so is are be was were have has do does you we i
me us want would like please yes ok okay just proceed continue go ahead going sure really still
interactively manually seconds second minute minutes
"""
_THINGS = """
file files folder folders directory directories project projects app application apps package
packages module modules component components class classes function functions method methods test
tests testing unit spec specs suite example examples sample samples demo template templates
boilerplate starter scaffold code source sources src lib import imports alias aliases type types
typing typings interface interfaces comment comments docstring docstrings documentation docs doc
readme changelog license header headers footer note notes todo summary report reports output outputs
result results log logs diff diffs patch patches change changes edit edits modification
modifications modified buffer selection text line lines row rows entry entries item items list lists
table tables page pages section sections title description message messages version versions name
names option options feature features preset presets plugin plugins linter linting formatter
formatting style styles stylesheet theme layout router routes routing state store icon icons config
configuration settings setting preferences defaults value values variable variables chat context
conversation session history prompt prompts question questions answer answers plan plans step steps
task tasks draft drafts information details detail info help usage tips tip status progress
statistics stats dependency dependencies devdependencies requirements workspace workspaces
repository repo git gitignore branch stash tree index snapshot snapshots backup backups copy copies
cache local generation track tracked formatted format color colors colour colours find
"""
_NAMES = """
typescript javascript jsx tsx python rust node nodejs react vue svelte solid preact angular astro
next nextjs nuxt vite vitest jest mocha cypress playwright pytest eslint prettier biome oxlint ruff
black mypy tailwind tailwindcss css scss sass less postcss html markdown json yaml toml pinia redux
zustand tanstack query experimental turbopack webpack rollup esbuild swc storybook devtools pwa i18n
csr ssr spa mdx graphql bootstrap aider
"""
KNOWN = frozenset(f"{_GLUE} {_THINGS} {_NAMES}".split())
_REPORTED = """
passed failed skipped warnings warning errors error insertions deletions insertion deletion done added
updated created
formatted built compiled checked linted saved written generated finished completed ready loaded found ran
formatting
building compiling checking linting saving writing generating loading running collecting resolving installing
installed up to date nothing commit ms unused imports reformatted left unchanged total elapsed
"""
_OF_REPORTS = frozenset(_REPORTED.split())
_OPTIONS = """
cancel abort back exit quit close finish submit select choose more yes no y n a b c d e none use add create
view show edit review
"""
_OF_OPTIONS = frozenset(_OPTIONS.split())
_WORD = re2.compile(r"[^\s,;:()\[\]\"`“”?!]+")
_FILE = re2.compile(
    r"^(?:[\w\-]+/){0,6}[\w\-]+\.(?:py|pyi|js|jsx|mjs|ts|tsx|vue|svelte|go|rs|rb|java|kt|c|h|cc|cpp"
    r"|hpp|cs|php|swift|md|rst|txt|css|scss|html)$"
)
_FOLDER = re2.compile(
    r"^(?:src|lib|app|test|tests|docs|examples|components|pages|public|assets)(?:/[\w\-]+){0,4}/?$"
)
_NUMBER = re2.compile(r"^\d{1,6}$")


def unknown_in_report(text: str) -> str:
    """The first word of a folded line of output that is not known; empty if there is none."""
    return _unknown(text, KNOWN | _OF_REPORTS)


def unknown_in_option(text: str) -> str:
    """The first word of a folded option of a menu that is not known; empty if there is none."""
    return _unknown(text, KNOWN | _OF_OPTIONS)


def unknown_word(text: str) -> str:
    """The first word of a folded text that is not known to name an everyday thing; empty if there is none."""
    return _unknown(text, KNOWN)


def _unknown(text: str, words: frozenset[str]) -> str:
    for word in _WORD.findall(text):
        plain = word.strip(".…-–—/*_›>❯→·•|=").removesuffix("'s").removesuffix("’s")
        known = (
            not any(char.isalnum() for char in plain)
            or plain in words
            or _FILE.search(plain)
            or _FOLDER.search(plain)
            or _NUMBER.search(plain)
        )
        if not known:
            return str(plain)
    return ""
