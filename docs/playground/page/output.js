// What a program prints, and how it ended.

import { elements, make } from "./elements.js";
import { seconds } from "./seconds.js";
import { kindOfTrap } from "./trap.js";

const cut = "\n[what follows is not shown: more than 400,000 characters]\n";  // as program_worker.js cuts it
const lines = 5000;  // characters of lines that are laid out together

let waiting = [];  // [{ stream, text }], for the next frame
let frame = 0;

export function clearOutput() {
  waiting = [];
  elements.text.textContent = "";
}

// A program may print faster than a page can be laid out: what has come is shown once in each frame.
export function print({ stream, text, isCut = false }) {
  const shown = isCut ? text + cut : text;
  if (waiting.at(-1)?.stream === stream) waiting.at(-1).text += shown;
  else waiting.push({ stream, text: shown });
  frame ||= requestAnimationFrame(showPrinted);
}

// In blocks of lines: what is added changes the layout of the last one only.
function append({ stream, text }) {
  let block = elements.text.lastElementChild;
  if (!block || (block.textContent.length > lines && block.textContent.endsWith("\n"))) block = elements.text.appendChild(make("div"));
  if (block.lastElementChild?.className === stream) block.lastElementChild.append(text);
  else block.append(make("span", { className: stream, textContent: text }));
}

export function showPrinted() {
  cancelAnimationFrame(frame);
  frame = 0;
  if (waiting.length === 0) return;
  const log = elements.text;
  const atEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 30;
  waiting.forEach(append);
  waiting = [];
  if (atEnd) log.scrollTop = log.scrollHeight;
}

// kind: "busy", "right" or "wrong"; `end`: how the program ended, where it did
export function say(kind, text, end = "") {
  elements.verdict.className = kind;
  elements.verdict.textContent = text;
  elements.verdict.dataset.end = end;
  delete elements.verdict.dataset.finding;
}

const traps = {
  stack: "the stack is full: does a function call itself without end, or is a local array too large?",
  memory: "it read or wrote memory that is not its own: an index beyond the end, or something that no longer exists?",
  gaveUp: "it gave up: abort() was called, or a function came to its end without a return",
  division: "a whole number was divided by zero",
};

function sayFinding(finding) {
  say("wrong", (finding.line ? `line ${finding.line}: ` : "") + finding.text, "finding");
  elements.verdict.dataset.finding = JSON.stringify(finding);
}

// `finding`: as the program reports it (program.js)
export function sayEnd({ code, trap, stopped, milliseconds }, watched, finding) {
  showPrinted();
  const after = seconds(milliseconds);
  if (code === 0) return say("right", `ended after ${after}` + (watched.length > 0 ? `, nothing found (${watched.join(", ")})` : ""), "code 0");
  if (stopped) say("wrong", `stopped ${stopped}`, "stopped");
  else if (trap) say("wrong", `broke down after ${after}: ${traps[kindOfTrap(trap)] ?? trap}`, kindOfTrap(trap) ?? "trap");
  else if (finding) sayFinding(finding);
  else say("wrong", `ended after ${after} with exit code ${code}`, `code ${code}`);
  const said = elements.text.querySelector(".stderr");
  if (said) elements.text.scrollTop = said.offsetTop - elements.text.offsetTop - 8;
}

// What the page on errors says of an id.
export function explain(id, text) {
  elements.text.append(make("div", { className: "explanation" }, make("strong", {}, id), make("br"), text));
}
