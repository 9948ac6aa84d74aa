// Gives each program of a page of the book the buttons "Run" and "Edit", which open it in the playground beside the text.
// .mkdocs_playground.py puts the programs into the page.

import { addressOf } from "./share.js";

const playground = new URL("../playground/index.html", import.meta.url);
const programs = JSON.parse(document.getElementById("programs").textContent);

let panel = null;  // { element, frame, title }
let opener = null;  // the button that the focus returns to
let wanted = "output";  // the side of the playground that is shown where it is narrow

const isDark = () => document.body.dataset.mdColorScheme === "slate";
const inside = () => panel?.frame.contentDocument;

function button(label, name, onclick) {
  const element = document.createElement("button");
  element.type = "button";
  element.textContent = label;
  element.setAttribute("aria-label", name);
  element.onclick = onclick;
  return element;
}

// The playground is of the same site: what follows presses its buttons, as the reader would.
function followTheme() {
  const wanted = isDark() ? "dark" : "light";
  const isOther = () => (inside()?.documentElement.dataset.theme ?? wanted) !== wanted;
  // Chromium tells a frame that the system is as dark as the page around it: the first press may then lead back.
  for (let presses = 0; presses < 2 && isOther(); ++presses) inside().getElementById("theme").click();
}

function showSide() {
  inside().querySelector(`#sides [data-side="${wanted}"]`)?.click();
}

async function focusEditor() {
  for (let i = 0; i < 200; ++i) {  // the editor comes after the page's first picture
    const text = inside()?.querySelector(".cm-content");
    if (text) return text.focus();
    await new Promise((done) => setTimeout(done, 50));
  }
}

// In the editor, Escape closes its own list first.
function closeOnEscape(event) {
  if (event.key !== "Escape" || event.defaultPrevented || inside()?.querySelector("dialog[open]")) return;
  close();
}

function close() {
  if (!panel || panel.element.hidden) return;
  panel.element.hidden = true;
  document.documentElement.classList.remove("has-panel");
  opener?.focus();
  opener?.scrollIntoView({ block: "nearest" });
}

function makePanel() {
  const element = document.createElement("aside");
  element.id = "panel";
  element.setAttribute("aria-label", "Playground");
  const bar = document.createElement("div");
  bar.className = "panel-bar";
  const title = document.createElement("span");
  bar.append(title, button("Close", "Close the playground", close));
  const frame = document.createElement("iframe");
  frame.title = "Playground";
  frame.addEventListener("load", () => {
    if (!inside()?.getElementById("theme")) return;  // still empty
    frame.contentWindow.addEventListener("keydown", closeOnEscape);
    followTheme();
    showSide();
  });
  element.append(bar, frame);
  document.body.append(element);
  new MutationObserver(followTheme).observe(document.body, { attributeFilter: ["data-md-color-scheme"] });
  document.addEventListener("keydown", closeOnEscape);
  return { element, frame, title };
}

async function open(id, side, from) {
  const { hash } = new URL(await addressOf({ text: programs[id], watch: "" }));
  panel ??= makePanel();
  opener = from;
  wanted = side;
  panel.title.textContent = `Snippet ${id.replace("snippet-", "")}`;
  panel.element.hidden = false;
  document.documentElement.classList.add("has-panel");
  from.scrollIntoView({ block: "nearest" });  // the text has another width now
  const { contentWindow: view } = panel.frame;
  const isOpen = view.location.href.startsWith(playground.href);  // then its compiler stays
  if (isOpen && view.location.hash === hash) {
    // What the reader made of the program goes on with "Edit"; "Run" takes it from the page again.
    if (side === "output") view.dispatchEvent(new Event("hashchange"));
  } else {
    view.location.replace(playground.href + hash);
  }
  if (isOpen) showSide();
  if (side === "program") await focusEditor();
}

function addButtons() {
  for (const id of Object.keys(programs)) {
    const block = document.getElementById(id);
    const number = id.replace("snippet-", "");
    const row = document.createElement("div");
    row.className = "run-buttons";
    row.append(button("Run", `Run snippet ${number}`, (event) => open(id, "output", event.currentTarget)),
               button("Edit", `Edit snippet ${number}`, (event) => open(id, "program", event.currentTarget)));
    block.after(row);
  }
}

// From a folder, a browser runs no module and no worker; this script is one, so that it does not begin there.
if (typeof WebAssembly === "object" && typeof CompressionStream === "function") addButtons();
