// The verdict: its headline, what it says, and what one can ask then.

import { elements, folded, hide, make } from "./elements.js";
import { loadJson } from "./loading.js";
import { inline } from "./prose.js";

const looks = { passed: "right", unwritten: "open" };

// kind: "busy", "right", "wrong" or "open"; outcome: of a check, or what it is at
export function headline(kind, text, outcome = "") {
  elements.headline.className = kind;
  elements.headline.dataset.outcome = outcome;
  elements.headline.textContent = text;
}

export function clearResult(text = "") {
  headline("open", text);
  elements.said.replaceChildren();
  for (const button of [elements.why, elements.askHint, elements.goOn]) hide(button, elements.said);
}

function withoutIndent(text) {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const least = Math.min(...lines.map((line) => line.search(/\S/)));
  return lines.map((line) => line.slice(least)).join("\n");
}

function contentOf({ kind, text, name, line }, goToLine) {
  const signed = (sign, rest) => [make("span", { textContent: sign, ariaHidden: "true", className: "sign" }), ...rest];
  if (kind === "right") return signed("✓", inline(`${name}: ${text}`));
  if (kind === "different") return signed("✗", [make("strong", { textContent: name }), " ", ...inline(text)]);
  if (kind === "problem") return [make("button", { textContent: `line ${line}`, className: "place-button", onclick: () => goToLine(line) }), " ", ...inline(text)];
  if (kind === "because") return inline("Because " + text);
  return inline(name ? `${name}: ${text}` : text);
}

// Those that a screen reader reads out when they come: the others are for a reader who goes there.
const readOut = ["question", "because", "problem", "sentence"];

// Of a block as the report gives it (exercises/runner/show/blocks.h).
export function elementOf(block, goToLine) {
  const { kind, text } = block;
  const element = make(kind === "numbers" ? "pre" : "p", { className: kind });
  if (!readOut.includes(kind)) element.ariaLive = "off";
  if (kind === "numbers") Object.assign(element, { textContent: withoutIndent(text), tabIndex: 0 });
  else element.append(...contentOf(block, goToLine));
  return element;
}

const sentence = (text) => make("p", { className: "sentence", textContent: text });

export const solutionOf = (exercise, title) => folded(title, async () => (await import("./editor.js")).highlighted(exercise.solution));

// What the page on errors says of the engine's error that stopped the answer, if one did.
function explanationOf({ verdict }) {
  const id = verdict?.thrown?.id;
  if (!id) return [];
  const details = folded(`What ${id} means`, async () => sentence((await loadJson("help.json")).errors[id] ?? "It is on the page on errors."));
  details.className = "error-id";
  details.dataset.id = id;
  return [details];
}

// `said`: as the report gives it; `next`: the exercise to go on with, or null; `goTo` is told a line.
export function showResult(said, exercise, { next, goToLine, goOn }) {
  const { outcome, raw } = said.report;
  elements.said.report = said.report;  // for tests: what is said, as data
  clearResult();
  headline(looks[outcome] ?? "wrong", said.headline, outcome);
  const show = (blocks) => {
    elements.said.replaceChildren(...blocks.map((block) => elementOf(block, goToLine)), ...explanationOf(said.report));
    elements.said.scrollTop = 0;
  };
  show(said.said);
  elements.askHint.hidden = outcome === "passed" || outcome === "broken";
  if (outcome === "wrong") offerWhy(show, said.said, said.why);
  if (raw && outcome !== "wrong") elements.said.append(folded("Word for word", () => make("pre", { textContent: raw, tabIndex: 0 })));
  if (outcome !== "passed") return;
  elements.said.append(solutionOf(exercise, "Another way to write it"));
  if (!next) return elements.said.append(sentence("All of them are passed."));
  elements.goOn.hidden = false;
  elements.goOn.textContent = `Next: ${next.number} ${next.title}`;
  elements.goOn.onclick = goOn;
}

function offerWhy(show, said, why) {
  const { why: button } = elements;
  const open = (isOpen) => {
    button.setAttribute("aria-expanded", String(isOpen));
    button.textContent = isOpen ? "Less" : "Why?";
  };
  open(false);
  button.hidden = false;
  button.onclick = () => {
    const opens = button.getAttribute("aria-expanded") === "false";
    show(opens ? why : said);
    open(opens);
  };
}
