// C++ to be read, in the editor's colours.

import { make } from "./elements.js";
import { cppLanguage } from "@codemirror/lang-cpp";
import { classHighlighter, highlightTree } from "@lezer/highlight";

// -> <pre>
export function highlighted(text) {
  const pre = document.createElement("pre");
  pre.tabIndex = 0;
  let end = 0;
  highlightTree(cppLanguage.parser.parse(text), classHighlighter, (from, to, classes) => {
    pre.append(text.slice(end, from), make("span", { className: classes, textContent: text.slice(from, to) }));
    end = to;
  });
  pre.append(text.slice(end));
  return pre;
}
