// Shows the page's secret as its socket is opened. The secret stays in this tab, under this very port: a cookie
// would go to every server of this machine. What the address held is used once and leaves the address at once.
"use strict";
(() => {
  const NAME = "copilot-page";
  const token = location.hash.slice(1);
  history.replaceState(null, "", location.pathname);

  // A browser that keeps nothing for a page throws here; such a page cannot be loaded anew.
  const kept = (use) => {
    try {
      return use(sessionStorage);
    } catch {
      return null;
    }
  };
  const made = () =>
    Array.from(crypto.getRandomValues(new Uint8Array(24)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const known = kept((storage) => storage.getItem(NAME));
  const page = known || made();
  const offered = ["copilot", `page.${page}`, ...(token ? [`address.${token}`] : [])];

  const Plain = window.WebSocket;
  window.WebSocket = class extends Plain {
    constructor(address) {
      super(address, offered);
      this.addEventListener("open", () => {
        kept((storage) => storage.setItem(NAME, page));
        document.body.classList.add("-opened");
      });
    }
  };

  document.addEventListener("DOMContentLoaded", () => {
    const terminal = document.getElementById("terminal");
    if (!known && !token) {
      terminal.classList.remove("textual-terminal"); // else it would be connected
      document.body.classList.add("-closed");
      return;
    }
    // A browser gives keys to nothing until something has the focus.
    const waiting = new MutationObserver(() => {
      const keys = terminal.querySelector("textarea");
      if (keys) {
        waiting.disconnect();
        keys.focus();
      }
    });
    waiting.observe(terminal, { childList: true, subtree: true });
  });
})();
