// The program beside the graph: the whole source file, with the line of the op that runs now. An op inside of modules was
// reached by several calls, from the user's line to the one that called the op; each is a button.

// The lines that lead to a node, the outermost first, each once: positions in trace.lines.
function callsOf(model, node) {
  const list = node.line === undefined ? [] : [node.line];
  for (let group = node.group; group !== undefined; group = model.groups[group].parent) {
    const call = model.groups[group].called_from;
    if (call !== undefined && !list.includes(call)) list.unshift(call);
  }
  if (node.origin !== undefined && !list.includes(node.origin)) list.unshift(node.origin);
  return list;
}

// Which of these is the innermost in the file of the outermost: the user's own.
function innermostOwn(model, lines) {
  const fileOf = (line) => model.trace.lines[line].file;
  return lines.reduce((own, line, i) => (fileOf(line) === fileOf(lines[0]) ? i : own), 0);
}

// file -> line -> the ops that it leads to
function opsOfLines(model) {
  const files = new Map();
  for (const node of model.order) {
    for (const index of callsOf(model, node)) {
      const { file, line } = model.trace.lines[index];
      if (!files.has(file)) files.set(file, new Map());
      const lines = files.get(file);
      if (!lines.has(line)) lines.set(line, []);
      lines.get(line).push(node.id);
    }
  }
  return files;
}

class SourceView {
  constructor(model, root, select) {
    this.model = model;
    this.root = root;
    this.select = select;  // (id)
    this.inward = 0;       // how many calls further inside than the user's own the shown one is
    this.sources = new Map((model.trace.sources || []).map((source) => [source.file, source]));
    this.calls = element("div", { class: "calls", role: "group", "aria-label": "Calls" });
    this.code = element("div", { class: "code", tabindex: "0", role: "region", "aria-label": "Source of the program" });
    root.replaceChildren(this.calls, this.code);
    this.file = null;
  }

  show(node) {
    const lines = node ? callsOf(this.model, node) : [this.model.trace.called_at].filter((line) => line !== undefined);
    const own = innermostOwn(this.model, lines);
    const chosen = Math.max(0, Math.min(own + this.inward, lines.length - 1));
    const focus = this.calls.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    this.calls.replaceChildren(...lines.map((line, i) => element("button", {
      "aria-pressed": String(i === chosen), "data-key": "call" + i, onclick: () => { this.inward = i - own; this.show(node); } },
      lineText(this.model, line))));
    if (focus) (this.calls.querySelector('[data-key="' + focus + '"]') || this.code).focus();
    this.shown = null;
    if (lines.length === 0) return this.say("Where this op was called is not known.");
    const { file, line } = this.model.trace.lines[lines[chosen]];
    this.shown = { file, line };
    const source = this.sources.get(file);
    if (!source || source.missing) {
      const why = source ? source.missing : "it is not in this trace";
      return this.say(file + " is not shown: " + why + ". Start the program in the folder in which its sources are found by their names, and write the page again.");
    }
    if (this.file !== file) this.write(source);
    for (const old of this.code.querySelectorAll(".now")) old.classList.remove("now");
    const now = this.code.children[line - 1];
    if (!now) return this.say(file + " has no line " + line + " any more.");
    now.classList.add("now");
    const top = now.offsetTop - this.code.offsetTop;
    const { scrollTop, clientHeight } = this.code;
    if (top < scrollTop + 40 || top > scrollTop + clientHeight - 60) this.code.scrollTop = top - clientHeight / 2;
  }

  say(text) {
    this.file = null;
    this.code.replaceChildren(element("p", { class: "nothing-yet" }, text));
  }

  write(source) {
    this.file = source.file;
    const lines = this.opsOf(source.file);
    const text = source.text.endsWith("\n") ? source.text.slice(0, -1) : source.text;
    this.code.replaceChildren(...text.split("\n").map((line, i) => {
      const ids = lines.get(i + 1);
      const number = ids ? element("button", { class: "number", title: ids.length === 1 ? "one op" : ids.length + " ops: again for the next one",
                                               onclick: () => this.next(i + 1, ids) }, String(i + 1))
                         : element("span", { class: "number" }, String(i + 1));
      // What is wrapped goes on a little further in than its line begins.
      const indent = Math.min(line.search(/\S|$/), 12) + 4;
      const code = element("code", { style: "padding-left:" + indent + "ch;text-indent:-" + indent + "ch" }, line);
      return element("div", { class: ids ? "line ops" : "line", onclick: ids && ((event) => event.target.closest("button") || this.next(i + 1, ids)) }, number, code);
    }));
  }

  // line -> ids
  opsOf(file) {
    this.ops = this.ops || opsOfLines(this.model);
    return this.ops.get(file) || new Map();
  }

  // The first op of the line, or the one after the last chosen.
  next(line, ids) {
    const at = this.chosen && this.chosen.line === line ? (this.chosen.at + 1) % ids.length : 0;
    this.chosen = { line, at };
    this.select(ids[at]);
  }
}
