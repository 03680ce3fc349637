"""The page's own script, run by Node in place of a browser: what it offers, keeps, and takes out of the address."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import copilot.web
from tests.web.tab import ADDRESS, PAGE

NODE = shutil.which("node") or ""
pytestmark = pytest.mark.skipif(not NODE, reason="Node is not installed")
SCRIPT = Path(copilot.web.__file__).parent / "page/page.js"
TOKEN = "AbC-_" * 6

# A tab as far as the script uses one. Each load is a new page over the same storage; `opens` tells which sockets open.
HARNESS = """
const vm = require("vm");
const [code, loads, storageWorks] = JSON.parse(require("fs").readFileSync(0, "utf8"));
const stored = new Map(), seen = [];
const storage = { getItem: (name) => stored.get(name) ?? null, setItem: (name, value) => stored.set(name, value) };
for (const { hash, opens } of loads) {
  const page = { bar: "/" + hash, classes: [], offered: null, connects: true }, ready = [];
  const classList = { add: (name) => page.classes.push(name) };
  class WebSocket {
    constructor(address, offered) { page.offered = offered; page.url = address; }
    addEventListener(kind, then) { if (kind === "open" && opens) page.open = then; }
  }
  const window = { WebSocket };
  const context = {
    window, location: { hash, pathname: "/" }, crypto: globalThis.crypto, Uint8Array, Array,
    history: { replaceState: (_, __, place) => { page.bar = place; } },
    MutationObserver: class { observe() {} disconnect() {} },
    document: {
      body: { classList },
      addEventListener: (_, then) => ready.push(then),
      getElementById: () => ({ classList: { remove: () => { page.connects = false; } }, querySelector: () => null }),
    },
  };
  Object.defineProperty(context, "sessionStorage", { get() {
    if (!storageWorks) throw new Error("SecurityError");
    return storage;
  } });
  vm.runInNewContext(code, context);
  ready.forEach((then) => then());
  if (page.connects) new window.WebSocket("ws://127.0.0.1:1/ws?width=80&height=24");
  page.open?.();
  seen.push(page);
}
console.log(JSON.stringify(seen));
"""


def visited(*loads: dict[str, Any], storage_works: bool = True) -> list[dict[str, Any]]:
    """The pages of one tab that was loaded so often."""
    given = json.dumps([SCRIPT.read_text("utf-8"), loads, storage_works])
    done = subprocess.run([NODE, "-e", HARNESS], input=given, capture_output=True, text=True, check=True)
    pages: list[dict[str, Any]] = json.loads(done.stdout)
    return pages


def test_it_offers_what_the_address_held_and_takes_it_out_of_the_address_bar() -> None:
    (page,) = visited({"hash": f"#{TOKEN}", "opens": True})
    assert page["bar"] == "/"
    assert TOKEN not in page["url"]
    name, secret, token = page["offered"]
    assert (name, token) == ("copilot", ADDRESS + TOKEN)
    assert re.fullmatch(re.escape(PAGE) + "[0-9a-f]{48}", secret)
    assert page["classes"] == ["-opened"]


def test_the_page_that_was_admitted_keeps_its_secret_when_it_is_loaded_anew() -> None:
    first, second = visited({"hash": f"#{TOKEN}", "opens": True}, {"hash": "", "opens": True})
    assert second["offered"] == ["copilot", first["offered"][1]]


def test_a_page_that_was_refused_keeps_nothing() -> None:
    refused, later = visited({"hash": f"#{TOKEN}", "opens": False}, {"hash": "", "opens": False})
    assert refused["classes"] == []
    assert (later["connects"], later["offered"], later["classes"]) == (False, None, ["-closed"])


def test_a_page_without_anything_asks_for_no_socket() -> None:
    (page,) = visited({"hash": "", "opens": True})
    assert (page["connects"], page["classes"]) == (False, ["-closed"])


def test_a_browser_that_keeps_nothing_has_its_session_all_the_same() -> None:
    (page,) = visited({"hash": f"#{TOKEN}", "opens": True}, storage_works=False)
    assert page["classes"] == ["-opened"]


def test_every_page_makes_a_secret_of_its_own() -> None:
    secrets = {visited({"hash": f"#{TOKEN}", "opens": True})[0]["offered"][1] for _ in range(3)}
    assert len(secrets) == 3
