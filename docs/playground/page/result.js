// The verdict: its headline, what it says, and what one can ask then.

import { elements } from "./elements.js";
import { hide } from "./focus.js";
import { folded } from "./folded.js";
import { loadJson } from "./loading.js";
import { elementsOf } from "./verdict_text.js";

const looks = { passed: "right", unwritten: "open" };

// kind: "busy", "right", "wrong" or "open"
export function headline(kind, text) {
  elements.headline.className = kind;
  elements.headline.textContent = text;
}

export function clearResult(text = "") {
  headline("open", text);
  elements.said.replaceChildren();
  for (const button of [elements.why, elements.askHint, elements.goOn]) hide(button, elements.said);
}

// The first line is the headline: "✗ not right yet".
function partsOf(text) {
  const end = text.indexOf("\n");
  return { first: text.slice(0, end), rest: text.slice(end + 1) };
}

const sentence = (text) => Object.assign(document.createElement("p"), { className: "sentence", textContent: text });

export const solutionOf = (exercise, title) => folded(title, async () => (await import("./editor.js")).highlighted(exercise.solution));

// What the page on errors says of the engine's error that stopped the answer, if one did.
function explanationOf({ verdict }) {
  const [, id] = /docs\/errors\.md#([\w-]+)/.exec(verdict?.message ?? "") ?? [];
  if (!id) return [];
  const details = folded(`What ${id} means`, async () => sentence((await loadJson("help.json")).errors[id] ?? "It is on the page on errors."));
  details.className = "error-id";
  return [details];
}

// `said`: as the report gives it; `next`: the exercise to go on with, or null; `goTo` is told a line.
export function showResult(said, exercise, { next, goToLine, goOn }) {
  const { outcome, raw } = said.report;
  const { first, rest } = partsOf(said.text);
  clearResult();
  headline(looks[outcome] ?? "wrong", first);
  const show = (text) => {
    elements.said.replaceChildren(...elementsOf(text, goToLine), ...explanationOf(said.report));
    elements.said.scrollTop = 0;
  };
  show(rest);
  elements.askHint.hidden = outcome === "passed" || outcome === "broken";
  if (outcome === "wrong") offerWhy(show, rest, partsOf(said.why).rest);
  if (raw && outcome !== "wrong") elements.said.append(folded("Word for word", () => Object.assign(document.createElement("pre"), { textContent: raw, tabIndex: 0 })));
  if (outcome !== "passed") return;
  elements.said.append(solutionOf(exercise, "Another way to write it"));
  if (!next) return elements.said.append(sentence("All of them are passed."));
  elements.goOn.hidden = false;
  elements.goOn.textContent = `Next: ${next.number} ${next.title}`;
  elements.goOn.onclick = goOn;
}

function offerWhy(show, text, why) {
  const { why: button } = elements;
  const open = (isOpen) => {
    button.setAttribute("aria-expanded", String(isOpen));
    button.textContent = isOpen ? "Less" : "Why?";
  };
  open(false);
  button.hidden = false;
  button.onclick = () => {
    const opens = button.getAttribute("aria-expanded") === "false";
    show(opens ? why : text);
    open(opens);
  };
}
