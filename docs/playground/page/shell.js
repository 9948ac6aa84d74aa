// What the playground and the course share: panes, keys, colours, an editor that comes after the first picture, and a compiler after it.

import "../../../autograd/debug/trace/page/panes.js";
import { elements, make } from "./elements.js";
import { loadJson } from "./loading.js";
import { notice } from "./notice.js";
import { followTheme } from "./theme.js";
import { workOffline } from "./work_offline.js";

// What stands in the editor's place until it is loaded.
class PlainText {
  #text = elements.editor.appendChild(make("pre", { className: "plain" }));
  shown = [];
  marked = null;

  get text() { return this.#text.textContent; }
  open(text) { this.#text.textContent = text; }
  show(diagnostics) { this.shown = diagnostics; }
  mark(line) { this.marked = line; }
}

export let editor = new PlainText();
export let help = null;  // for names, and for errors

// On a narrow screen the page shows one of its sides at a time, and buttons that choose it.
export const isNarrow = () => getComputedStyle(elements.sides).display !== "none";

export function showSide(side) {
  document.body.dataset.side = side;
  for (const button of elements.sides.children) button.setAttribute("aria-pressed", String(button.dataset.side === side));
}

// `button` does `act`, and so does Ctrl Enter; `first`: the pane at the left; `onTheme` is told that the colours are others.
export function wireShell({ button, act, stop, first, onTheme = () => {} }) {
  button.onclick = act;
  elements.stop.onclick = stop;
  elements.helpButton.onclick = () => elements.help.showModal();
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
    if (event.key === "Enter") act();
    if (event.key === ".") stop();
  });
  for (const side of elements.sides.children) side.onclick = () => showSide(side.dataset.side);
  movableBar(elements.divider, { pane: first, property: "--first", isBefore: true, least: 280 });
  followTheme(elements.theme, onTheme);
}

// The editor is larger than all the rest, so the page shows something before it is loaded. `on`: as in editor.js
export async function openShell(compiler, on) {
  const [{ Editor }, words] = await Promise.all([import("./editor.js"), loadJson("help.json")]);
  const plain = editor;
  elements.editor.replaceChildren();
  help = words;
  editor = new Editor(elements.editor, help, on);
  editor.open(plain.text);
  editor.show(plain.shown);
  editor.mark(plain.marked);
  await workOffline().catch(() => {});
  compiler.load();
}

export const sayUnstarted = (error) => notice(`The page could not be started: ${error.message}. Is there a network? Then load it again.`, { isBad: true });
