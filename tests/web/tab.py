"""A browser as far as it matters here: cookies by host and not by port, storage by tab and origin, an Origin."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from urllib.parse import urlsplit

import aiohttp

PAGE, ADDRESS = "page.", "address."


class Browser:
    """One person's browser: all of its tabs send the same cookies, to every port of a host."""

    def __init__(self) -> None:
        self.http = aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True))

    async def __aenter__(self) -> Browser:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.http.close()

    @property
    def cookies(self) -> dict[str, str]:
        return {cookie.key: cookie.value for cookie in self.http.cookie_jar}

    def tab(self) -> Tab:
        return Tab(self)


class Tab:
    """One tab. It does what our page's script does; `tests/web/test_page_script.py` runs the script itself."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._storage: dict[str, str] = {}
        self._address = ""
        self._token = ""

    @property
    def origin(self) -> str:
        parts = urlsplit(self._address)
        return f"{parts.scheme}://{parts.netloc}"

    @property
    def secret(self) -> str:
        """What the page of this origin keeps."""
        return self._storage.get(self.origin, "")

    async def load(self, address: str) -> str:
        """Load a page; its text. What stands behind the `#` is not sent."""
        self._address, _, self._token = address.partition("#")
        async with self._browser.http.get(self._address, headers={"Sec-Fetch-Site": "none"}) as answer:
            assert answer.status == 200, await answer.text()
            return await answer.text()

    async def reload(self) -> None:
        """Load it anew; the address bar holds no token any more."""
        await self.load(self._address)

    async def open(
        self, url: str = "", *, origin: str | None = "own", protocols: tuple[str, ...] | None = None
    ) -> aiohttp.ClientWebSocketResponse:
        """Open the page's socket. Raises aiohttp.WSServerHandshakeError if it is refused."""
        page = self.secret or secrets.token_hex(24)
        offered = ("copilot", PAGE + page, *((ADDRESS + self._token,) if self._token else ()))
        given: Mapping[str, str] = {} if origin is None else {"Origin": origin.replace("own", self.origin)}
        socket = await self._browser.http.ws_connect(
            url or f"{self._address.replace('http', 'ws', 1)}ws?width=80&height=24",
            headers=given,
            protocols=offered if protocols is None else protocols,
        )
        assert socket.protocol == "copilot", "else a browser would close it"
        self._storage[self.origin] = page
        return socket
