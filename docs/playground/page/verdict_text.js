// What the runner says of an answer (show_report.h), as blocks and as elements. Each line stands for itself, and begins with a
// mark that says what it is.

import { inline } from "./prose.js";

const kinds = [
  { kind: "question", begins: /^ *\? (.*)$/ },
  { kind: "because", begins: /^ *because (.*)$/ },
  { kind: "clue", begins: /^ *• (.*)$/ },
  { kind: "right", begins: /^  ✓ (.*)$/ },
  { kind: "different", begins: /^  ✗ (.*)$/ },
  { kind: "place", begins: /^(line \d+: .*)$/ },
  { kind: "numbers", begins: /^(.*│.*| {6}.*\S {2,}\S.*| {7,}.*)$/ },
  { kind: "mistake", begins: /^  (\w+_\w+)$/ },
  { kind: "detail", begins: /^ {6}(\S.*)$/ },
  { kind: "sentence", begins: /^ *(.*)$/ },
];

// -> [{ kind, text }]; lines of numbers that follow each other are one block
export function blocksIn(text) {
  const blocks = [];
  for (const line of text.split("\n").filter((one) => one.trim() !== "")) {
    const { kind, begins } = kinds.find((one) => one.begins.test(line));
    const said = begins.exec(line)[1];
    const last = blocks.at(-1);
    if (kind === "numbers" && last?.kind === "numbers") last.text += "\n" + said;
    else blocks.push({ kind, text: said });
  }
  return blocks;
}

function withoutIndent(text) {
  const lines = text.split("\n");
  const least = Math.min(...lines.map((line) => line.search(/\S/)));
  return lines.map((line) => line.slice(least)).join("\n");
}

// "✗ db  2 of 2 entries differ": a name, and what is the matter with it.
function named(sign, text) {
  const [name, ...rest] = text.split("  ");
  const strong = Object.assign(document.createElement("strong"), { textContent: name });
  const mark = Object.assign(document.createElement("span"), { textContent: sign, ariaHidden: "true", className: "sign" });
  return [mark, strong, ...(rest.length > 0 ? [" ", ...inline(rest.join("  "))] : [])];
}

function contentOf({ kind, text }, goToLine) {
  if (kind === "right") return [Object.assign(document.createElement("span"), { textContent: "✓", ariaHidden: "true", className: "sign" }), ...inline(text)];
  if (kind === "different") return named("✗", text);
  if (kind === "place") {
    const [, place, line, rest] = /^(line (\d+)): (.*)$/.exec(text);
    const button = Object.assign(document.createElement("button"), { textContent: place, className: "place-button" });
    button.onclick = () => goToLine(Number(line));
    return [button, " ", ...inline(rest)];
  }
  return inline(kind === "because" ? "Because " + text : text);
}

// Those that a screen reader reads out when they come: the others are for whoever goes there.
const readOut = ["question", "because", "place", "sentence"];

export function elementsOf(text, goToLine) {
  return blocksIn(text).map((block) => {
    const element = document.createElement(block.kind === "numbers" ? "pre" : "p");
    element.className = block.kind;
    if (!readOut.includes(block.kind)) element.ariaLive = "off";
    if (block.kind === "numbers") Object.assign(element, { textContent: withoutIndent(block.text), tabIndex: 0 });
    else element.append(...contentOf(block, goToLine));
    return element;
  });
}
