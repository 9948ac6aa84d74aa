// The little of Markdown that hints and sentences have: paragraphs, lists, indented code, `code`, *emphasis*, **more of it**.

import { make } from "./elements.js";

const mark = /`([^`]+)`|\*\*([^*]+)\*\*|\*(\S(?:[^*]*\S)?)\*/g;

// -> nodes
export function inline(text) {
  const nodes = [];
  let end = 0;
  for (const found of text.matchAll(mark)) {
    const [whole, code, strong, emphasis] = found;
    nodes.push(text.slice(end, found.index), code ? make("code", {}, code) : strong ? make("strong", {}, strong) : make("em", {}, emphasis));
    end = found.index + whole.length;
  }
  return [...nodes, text.slice(end)];
}

// -> [{ kind: "paragraph" | "item" | "code", text }]
export function blocksOf(markdown) {
  const blocks = [];
  let isApart = true;
  for (const line of markdown.split("\n")) {
    const last = blocks.at(-1);
    if (line.trim() === "") {
      if (last?.kind === "code") last.text += "\n";
      isApart = true;
    } else if (line.startsWith("    ") && (isApart || last.kind === "code")) {
      const text = line.slice(4);
      if (last?.kind === "code") last.text += text + "\n";
      else blocks.push({ kind: "code", text: text + "\n" });
      isApart = true;
    } else if (/^(- |\d+\. )/.test(line)) {
      blocks.push({ kind: "item", text: line.replace(/^- /, "") });
      isApart = false;
    } else if (isApart) {
      blocks.push({ kind: "paragraph", text: line });
      isApart = false;
    } else {
      last.text += " " + line.trim();
    }
  }
  return blocks.map(({ kind, text }) => ({ kind, text: text.trimEnd() }));
}

export function prose(markdown) {
  return blocksOf(markdown).map(({ kind, text }) => (kind === "code" ? make("pre", {}, text)
    : make("p", { className: kind === "item" ? "item" : "" }, ...inline(text))));
}
