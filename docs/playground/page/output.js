// What a program prints, and how it ended.

import { elements } from "./elements.js";
import { seconds } from "./seconds.js";

const most = 400_000;  // characters, then the program's output is cut off

let length = 0;

export function clearOutput() {
  elements.text.textContent = "";
  length = 0;
}

export function print({ stream, text }) {
  if (length > most) return;
  length += text.length;
  const log = elements.text;
  const atEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 30;
  const last = log.lastElementChild;
  if (last?.className === stream) {
    last.append(text);
  } else {
    const part = document.createElement("span");
    part.className = stream;
    part.textContent = text;
    log.append(part);
  }
  if (length > most) log.append("\n[what follows is not shown: more than 400,000 characters]\n");
  if (atEnd) log.scrollTop = log.scrollHeight;
}

// kind: "busy", "right" or "wrong"
export function say(kind, text) {
  elements.verdict.className = kind;
  elements.verdict.textContent = text;
}

export function sayEnd({ code, trap, stopped, milliseconds }, watched, finding) {
  const after = seconds(milliseconds);
  if (code === 0) return say("right", `ended after ${after}` + (watched.length > 0 ? `, nothing found (${watched.join(", ")})` : ""));
  if (stopped) say("wrong", `stopped ${stopped}`);
  else if (trap) say("wrong", `broke down after ${after}: ${trap}`);
  else if (finding) say("wrong", (finding.line ? `line ${finding.line}: ` : "") + finding.sentence);
  else say("wrong", `ended after ${after} with exit code ${code}`);
  const said = elements.text.querySelector(".stderr");
  if (said) elements.text.scrollTop = said.offsetTop - elements.text.offsetTop - 8;
}

// What the page on errors says of an id.
export function explain(id, text) {
  const box = document.createElement("div");
  box.className = "explanation";
  box.append(Object.assign(document.createElement("strong"), { textContent: id }), document.createElement("br"), text);
  elements.text.append(box);
}
