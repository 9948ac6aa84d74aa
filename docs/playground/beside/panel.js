// The playground beside the text of the book, or below it on a narrow page. "Run" leaves it behind the page, and shows what is printed
// below the program.
//
// docs/site/playground.py writes the programs of a page into a file: { "1": { text, steps }, .. }. One that steps through
// backward prints nothing; its replay is shown. What the reader makes of a program is kept for as long as the tab is open.

import { make } from "../page/elements.js";
import { addressOf } from "../page/share.js";
import { recall, remember } from "../page/stored.js";

const playground = new URL("../playground/index.html", import.meta.url);
const programsAddress = new URL(document.querySelector("[data-programs]").dataset.programs, document.baseURI);

let programs = null;
let panel = null;  // { element, frame, title, reset, fault }
let opened = null;  // { number, side, from, below }: a snippet, the side of the playground it shows, the button that the focus
                    // returns to, and the block below the program, if that is where its output goes

const inside = () => panel.frame.contentDocument;
const draftOf = (number) => `${programsAddress.pathname}#${number}`;

// ---- the program ----------------------------------------------------------------------------------------------------

function keepDraft() {
  if (!opened) return;
  const text = recall("program")?.text;
  if (text && text !== programs[opened.number].text) remember(draftOf(opened.number), text);
}

async function loadPrograms() {
  const response = await fetch(programsAddress);
  if (!response.ok) throw new Error(`the server answers ${response.status}`);
  return response.json();
}

async function show(text) {
  const { hash } = new URL(await addressOf({ text, watch: "" }));
  const view = panel.frame.contentWindow;
  remember("program", { text });
  const isThere = inside()?.getElementById("run");  // then its compiler stays
  if (!isThere || view.location.hash !== hash) view.location.replace(playground.href + hash);
  else view.dispatchEvent(new Event("hashchange"));
  if (isThere) showSide();
}

// As the reader would, where the playground shows one side at a time.
function showSide() {
  inside().querySelector(`#sides [data-side="${opened.side}"]`).click();
}

async function takeFromBook() {
  const { number, from } = opened;
  remember("program", null);  // what stands there is no draft any more
  remember(draftOf(number), "");
  await open(number, "program", from);
}

async function focusEditor() {
  for (let i = 0; i < 200 && !panel.element.inert; ++i) {  // the editor comes after the page's first picture
    const text = inside()?.querySelector(".cm-content");
    if (text) return text.focus();
    await new Promise((done) => setTimeout(done, 50));
  }
}

function followTheme() {
  const theme = document.body.dataset.mdColorScheme === "slate" ? "dark" : "light";
  if (recall("theme") !== theme) remember("theme", theme);
}

// ---- the panel ------------------------------------------------------------------------------------------------------

const button = (label, name, onclick) => make("button", { type: "button", ariaLabel: name, onclick }, label);
const styleSheet = (name) => make("link", { rel: "stylesheet", href: new URL(name, import.meta.url).href });

function whenLoaded() {
  if (!inside()?.getElementById("run")) return say("The playground could not be loaded. Is there a network? Close this, and press the button again.");
  say("");
  inside().head.append(styleSheet("framed.css"));
  panel.frame.contentWindow.addEventListener("keydown", closeOnEscape);
  new MutationObserver(showBelow).observe(inside().getElementById("output"), { childList: true, subtree: true, attributes: true, characterData: true });
  showSide();
}

function makePanel() {
  document.head.append(styleSheet("panel.css"));
  const title = make("span");
  const reset = button("As in the book", "As in the book: take the program from there again", takeFromBook);
  const larger = button("Larger", "Larger: the playground over the whole page", () => {
    const isLarger = document.documentElement.classList.toggle("has-large-panel");
    larger.ariaPressed = String(isLarger);
  });
  Object.assign(larger, { className: "panel-larger", ariaPressed: "false" });
  const bar = make("div", { className: "panel-bar" }, title, reset, larger, button("Close", "Close the playground", close));
  const fault = make("p", { className: "panel-fault", role: "alert" });
  const frame = make("iframe", { title: "Playground" });
  const element = make("aside", { id: "panel", className: "behind", inert: true, ariaLabel: "Playground" }, bar, fault, frame);
  document.body.append(element);
  frame.addEventListener("load", whenLoaded);
  new MutationObserver(followTheme).observe(document.body, { attributeFilter: ["data-md-color-scheme"] });
  document.addEventListener("keydown", closeOnEscape);
  return { element, frame, title, reset, fault };
}

function say(fault) {
  panel.fault.textContent = fault;
  if (fault && opened?.below) sayBelow("wrong", fault);
}

function setBehind(isBehind) {
  panel.element.classList.toggle("behind", isBehind);
  panel.element.inert = isBehind;
  document.documentElement.classList.toggle("has-panel", !isBehind);
}

// ---- below the program ----------------------------------------------------------------------------------------------

// The block after the buttons of a program, made when it is first run.
function blockBelow(buttons, number) {
  if (buttons.nextElementSibling?.className === "run-output") return buttons.nextElementSibling;
  const replay = button("Replay", `Replay snippet ${number}`, () => reveal(number, replay));
  const block = make("div", { className: "run-output" }, make("div", {}, make("p", { role: "status" }), replay),
    make("pre", { tabIndex: 0, ariaLabel: `What snippet ${number} printed here` }));
  buttons.after(block);
  return block;
}

function sayBelow(kind, text) {
  const verdict = opened.below.querySelector("p");
  verdict.className = kind;
  verdict.textContent = text;
}

function showBelow() {
  if (!opened?.below) return;
  const { className, textContent } = inside().getElementById("verdict");
  sayBelow(className, textContent);
  opened.below.querySelector("pre").replaceChildren(...inside().getElementById("text").cloneNode(true).childNodes);
}

// The replay of the program that has run, or, if another one has run since, of this one.
function reveal(number, from) {
  if (opened?.number !== number || !opened.below) return open(number, "replay", from);
  opened = { number, side: "replay", from };
  panel.reset.hidden = true;
  setBehind(false);
  showSide();
}

// In the editor, Escape closes its own list first.
function closeOnEscape(event) {
  if (event.key !== "Escape" || event.defaultPrevented || inside()?.querySelector("dialog[open]")) return;
  close();
}

function close() {
  if (panel.element.inert) return;
  keepDraft();
  setBehind(true);
  opened.from.focus();
  opened.from.scrollIntoView({ block: "nearest" });
}

// So that the page opens without a network the next time: offline.js, which the playground has begun.
async function workOffline() {
  const { active } = await navigator.serviceWorker.ready;
  const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
  active.postMessage({ addresses: [location.href, ...loaded].map((address) => address.split("#")[0]) });
}

// "Run" takes the program from the page, "Edit" goes on with what the reader has made of it. side: of the playground, where
// it shows one at a time: "output", which goes below the program, "replay" or "program"
export async function open(number, side, from) {
  panel ??= makePanel();
  keepDraft();
  opened = { number, side, from };
  followTheme();
  say("");
  panel.title.textContent = `Snippet ${number}`;
  try {
    programs ??= await loadPrograms();
  } catch (error) {
    setBehind(false);
    opened = null;
    return say(`The program could not be loaded: ${error.message}. Is there a network?`);
  }
  const { text, steps } = programs[number];
  if (side === "output" && steps) opened.side = "replay";
  if (opened.side === "output") {
    opened.below = blockBelow(from.parentElement, number);
    sayBelow("busy", "loading ..");
  }
  setBehind(Boolean(opened.below));
  from.scrollIntoView({ block: "nearest" });  // the text may have another width now
  const draft = side === "program" ? recall(draftOf(number)) : null;
  if (side !== "program" && panel.reset === document.activeElement) panel.frame.focus();
  panel.reset.hidden = side !== "program";
  await show(draft || text);
  if (side === "program") await focusEditor();
  if (navigator.serviceWorker) workOffline();
}
