"use strict";
// The recording's pictures were made beforehand: rows that are shared, styles as classes, text as text.
(() => {
  const data = JSON.parse(document.getElementById("frames").textContent);
  const box = document.getElementById("player-screen");
  const bar = document.getElementById("player-seek");
  const clock = document.getElementById("player-clock");
  const play = document.getElementById("player-play");
  const speed = document.getElementById("player-speed");
  const speeds = [0.5, 1, 2, 4, 8, 16];
  let at = 0, playing = false, last = 0, shown = -1, chosen = 1;
  const lines = [];

  function row(number) {
    const line = document.createElement("div");
    for (const [text, style] of data.rows[number]) {
      const span = document.createElement("span");
      span.textContent = text;
      if (style) span.className = "t" + style;
      line.append(span);
    }
    if (!line.firstChild) line.textContent = " ";
    return line;
  }
  function frameAt(seconds) {
    let low = 0, high = data.frames.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (data.frames[middle][0] <= seconds) low = middle; else high = middle - 1;
    }
    return low;
  }
  function words(seconds) {
    const whole = Math.floor(seconds), rest = Math.floor((seconds % 1) * 10);
    return Math.floor(whole / 60) + ":" + String(whole % 60).padStart(2, "0") + "." + rest;
  }
  function show() {
    const number = frameAt(at);
    if (number !== shown) {
      const wanted = data.frames[number][1];
      while (lines.length > wanted.length) lines.pop().node.remove();
      wanted.forEach((value, place) => {
        const old = lines[place];
        if (old && old.value === value) return;
        const node = row(value);
        if (old) old.node.replaceWith(node); else box.append(node);
        lines[place] = { value, node };
      });
      shown = number;
    }
    bar.value = String(at);
    clock.textContent = words(at) + " / " + words(data.duration);
    bar.setAttribute("aria-valuetext", clock.textContent);
    play.textContent = playing ? "Stop" : "Play";
    speed.textContent = speeds[chosen] + "x";
  }
  function go(seconds) { at = Math.max(0, Math.min(data.duration, seconds)); show(); }
  function tick(now) {
    if (!playing) return;
    let wanted = at + Math.min(0.5, (now - last) / 1000) * speeds[chosen];
    const next = data.frames[frameAt(wanted) + 1];
    if (next && next[0] - wanted > speeds[chosen]) wanted = next[0] - 0.2;
    last = now;
    if (wanted >= data.duration) playing = false;
    go(wanted);
    requestAnimationFrame(tick);
  }
  function toggle() {
    playing = !playing;
    if (playing) { if (at >= data.duration) at = 0; last = performance.now(); requestAnimationFrame(tick); }
    show();
  }
  function jump(forward) {
    const marks = data.marks;
    const found = forward ? marks.find(m => m > at + 0.01) : marks.filter(m => m < at - 0.01).pop();
    if (found !== undefined) { playing = false; go(found); }
  }
  function faster(by) { chosen = Math.max(0, Math.min(speeds.length - 1, chosen + by)); show(); }
  bar.max = String(data.duration);
  bar.addEventListener("input", () => { playing = false; go(Number(bar.value)); });
  play.addEventListener("click", toggle);
  speed.addEventListener("click", () => { chosen = (chosen + 1) % speeds.length; show(); });
  document.getElementById("player-next").addEventListener("click", () => jump(true));
  document.getElementById("player-previous").addEventListener("click", () => jump(false));
  document.querySelectorAll("[data-at]").forEach(link => link.addEventListener("click", () => {
    playing = false; go(Number(link.dataset.at));
    document.getElementById("player").scrollIntoView({ block: "nearest" });
  }));
  document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const typed = event.target instanceof HTMLElement && event.target.matches("button, summary, a, input");
    if (event.key === " " && typed) return;
    const does = {
      " ": toggle, n: () => jump(true), p: () => jump(false), "+": () => faster(1), "-": () => faster(-1),
      l: () => go(at + 5), j: () => go(at - 5),
    }[event.key];
    if (does) { event.preventDefault(); does(); }
  });
  show();
})();
