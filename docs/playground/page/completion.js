// Names of the engine, completed and explained with the words of its headers (help.json).

import { hoverTooltip } from "@codemirror/view";
import { make } from "./elements.js";

const explanation = ({ signatures, help }) =>
  make("div", { className: "explained" }, make("code", {}, signatures.join("\n")), ...(help ? [make("p", {}, help)] : []));

const option = (type) => (entry) => ({ label: entry.name, type, detail: entry.help.split("\n")[0].slice(0, 46), info: () => explanation(entry) });

// After a point stand methods, after nn:: modules, and after autograd:: or nothing functions.
export function completeFrom(help) {
  const methods = help.methods.map(option("method"));
  const modules = help.modules.map(option("class"));
  const functions = help.functions.map(option("function"));
  return (context) => {
    const before = context.matchBefore(/(?:\bnn::|\bautograd::|\.)?\w*/);
    if (!before || (before.from === before.to && !context.explicit)) return null;
    const prefix = /^(nn::|autograd::|\.)?/.exec(before.text)[0];
    if (!prefix && before.text.length < 2 && !context.explicit) return null;
    if (/^[.]?\d/.test(before.text) || (prefix === "." && /[\d"]$/.test(context.state.sliceDoc(before.from - 1, before.from)))) return null;
    const options = prefix === "." ? methods : prefix === "nn::" ? modules : functions;
    return { from: before.from + prefix.length, options, validFor: /^\w*$/ };
  };
}

export function explainOnHover(help) {
  const byName = new Map([...help.modules, ...help.methods, ...help.functions].map((entry) => [entry.name, entry]));
  return hoverTooltip((view, at) => {
    const word = view.state.wordAt(at);
    const entry = word && byName.get(view.state.sliceDoc(word.from, word.to));
    return entry ? { pos: word.from, end: word.to, create: () => ({ dom: explanation(entry) }) } : null;
  });
}
