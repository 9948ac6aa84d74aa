// The page that a program wrote about its backward pass, in a frame that can reach nothing outside of itself.

import { elements, make } from "./elements.js";
import look from "./look.framed.css";
import tellMoment from "./moment.framed.js";
import { theme } from "./theme.js";

export const replayFile = "replay.html";

let text = null;     // of the replay page, as the program wrote it
let moment = null;   // { step, node } that the reader went to
let address = null;
const on = { place() {}, pass() {} };

// `place` is told { file, line } of the op that is looked at, or null; `pass` the number of a pass that the reader wants to see.
export function followReplay(tell) {
  Object.assign(on, tell);
}

function framed(page) {
  return page.replace("</head>", `<style>${look}</style></head>`).replace("</body>", () => `<script>${tellMoment}</script></body>`);
}

function hash() {
  const said = new URLSearchParams({ theme: theme() });
  if (moment) said.set("seen", "");
  if (moment) said.set("step", moment.step);
  if (moment?.node) said.set("node", moment.node);
  return said;
}

const addressOf = (page) => URL.createObjectURL(new Blob([page], { type: "text/html;charset=utf-8" }));

function show() {
  elements.stage.querySelector("iframe")?.remove();
  elements.noReplay.hidden = text !== null;
  elements.save.disabled = text === null;
  if (address) URL.revokeObjectURL(address);
  address = null;
  if (text === null) return;
  address = addressOf(framed(text));
  elements.stage.append(make("iframe", { title: "Replay of the backward pass", sandbox: "allow-scripts", src: `${address}#${hash()}` }));
}

// `page`: its bytes, or undefined where the program wrote none, and `why`.
export function showReplay(page, why) {
  text = page ? new TextDecoder().decode(page) : null;
  elements.noReplay.textContent = why || elements.noReplay.dataset.text;
  show();
}

// Resolves once the page stands there, or at once where there is none.
export async function replayIsShown() {
  const frame = elements.stage.querySelector("iframe");
  if (frame) await Promise.race([new Promise((done) => { frame.onload = done; }), new Promise((done) => setTimeout(done, 1000))]);
}

export function forgetMoment() {
  moment = null;
}

const frameWindow = () => elements.stage.querySelector("iframe")?.contentWindow;

export function followThemeInReplay() {
  frameWindow()?.postMessage({ backstep: "theme", theme: theme() }, "*");
}

// Saved, not opened in a tab: there, what a program of somebody else wrote would have the rights of this page.
export function downloadReplay() {
  const link = make("a", { href: addressOf(text), download: replayFile });
  link.click();
  URL.revokeObjectURL(link.href);
}

export function goToLine(file, line) {
  frameWindow()?.postMessage({ backstep: "line", file, line }, "*");
}

addEventListener("message", ({ source, data }) => {
  if (source !== frameWindow()) return;
  if (data?.backstep === "pass") on.pass(Number(data.pass));
  if (data?.backstep !== "moment") return;
  if (data.touched) moment = { step: Number(data.step), node: data.node === null ? null : Number(data.node) };
  on.place(data.place && { file: String(data.place.file), line: Number(data.place.line) });
});
