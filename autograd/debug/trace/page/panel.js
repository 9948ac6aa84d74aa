// The details beside the graph: one op, leaf or module. Everything is made of elements and text nodes, never of markup
// put together from names.

function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value);
  }
  for (const child of children.flat()) {
    if (child === null || child === undefined) continue;
    made.append(child);
  }
  return made;
}

// ---- colours of numbers -------------------------------------------------------------------------------------------

function parseColour(text) {
  const hex = text.trim();
  return [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
}

class Palette {
  constructor() {
    const style = getComputedStyle(document.documentElement);
    this.negative = parseColour(style.getPropertyValue("--negative"));
    this.positive = parseColour(style.getPropertyValue("--positive"));
    this.middle = parseColour(style.getPropertyValue("--middle"));
    this.bad = parseColour("#9a1fb5");
  }
  // From -scale to scale. The root makes small numbers distinguishable from zero.
  colour(value, scale) {
    if (!Number.isFinite(value)) return this.bad;
    const strength = scale > 0 ? Math.min(1, Math.abs(value) / scale) ** 0.7 : 0;
    const end = value < 0 ? this.negative : this.positive;
    return this.middle.map((m, i) => Math.round(m + (end[i] - m) * strength));
  }
}

// A lone number has no other to be compared with: it gets no colour.
function scaleOf(data) {
  if (data.length === 1) return Infinity;
  let scale = 0;
  for (const value of data) if (Number.isFinite(value)) scale = Math.max(scale, Math.abs(value));
  return scale;
}

// No more cells than a screen has points for: the mean of each block.
function shrunk(tensor, most) {
  const rows = Math.min(tensor.rows, most);
  const columns = Math.min(tensor.columns, most);
  if (rows === tensor.rows && columns === tensor.columns) return tensor;
  const data = new Array(rows * columns).fill(0);
  const count = new Array(rows * columns).fill(0);
  tensor.data.forEach((value, i) => {
    const row = Math.floor(Math.floor(i / tensor.columns) * rows / tensor.rows);
    const cell = row * columns + Math.floor((i % tensor.columns) * columns / tensor.columns);
    data[cell] += value;
    ++count[cell];
  });
  return { ...tensor, rows, columns, data: data.map((sum, i) => sum / count[i]) };
}

function heatmap(whole, palette, width, height) {
  const tensor = shrunk(whole, 512);
  const { rows, columns } = tensor;
  if (rows * columns === 0) return element("span", { class: "soft" }, "no elements");
  const canvas = element("canvas", { class: "picture", width: columns, height: rows, role: "img" });
  // Cells are squares, unless there are many in a row: then they fill the width, and are high enough to be seen.
  const side = Math.max(1, Math.min(18, Math.floor(width / columns), Math.floor(height / rows)));
  canvas.style.width = (columns * side < width / 2 ? columns * side : Math.min(width, columns * 18)) + "px";
  canvas.style.height = Math.min(height, Math.max(rows * side, rows * Math.min(14, Math.floor(height / rows)))) + "px";
  const context = canvas.getContext("2d");
  const image = context.createImageData(columns, rows);
  const scale = scaleOf(tensor.data);
  tensor.data.forEach((value, i) => {
    const [r, g, b] = palette.colour(value, scale);
    image.data.set([r, g, b, 255], 4 * i);
  });
  context.putImageData(image, 0, 0);
  canvas.setAttribute("aria-label", "Heatmap of " + rows + " by " + columns + ", from " + formatNumber(tensor.min) + " to " + formatNumber(tensor.max));
  return canvas;
}

// "[0, 1, :]" before each row of a tensor with more than two dims.
function rowLabel(shape, row) {
  if (shape.length < 2) return "";
  const parts = [];
  for (let i = shape.length - 2; i >= 0; --i) {
    parts.unshift(row % shape[i]);
    row = Math.floor(row / shape[i]);
  }
  return shape.length === 2 ? String(parts[0]) : parts.join(",");
}

// marks: { lit: the positions of cells to be lit, chosen: one position, choose(position) }, each may be left out
function numbersTable(tensor, palette, marks = {}) {
  const scale = scaleOf(tensor.data);
  const dark = document.documentElement.dataset.theme === "dark";
  const table = element("table", { class: "numbers" });
  const most = 4096;
  const rows = Math.min(tensor.rows, Math.max(1, Math.floor(most / tensor.columns)));
  const columns = Math.min(tensor.columns, most);
  if (rows < tensor.rows || columns < tensor.columns) {
    table.append(element("caption", {}, "the first " + rows + " rows of " + tensor.rows + ", the first " + columns + " columns of " + tensor.columns));
  }
  for (let row = 0; row < rows; ++row) {
    const line = element("tr");
    if (tensor.rows > 1) line.append(element("th", { scope: "row" }, rowLabel(tensor.shape, row)));
    for (let column = 0; column < columns; ++column) {
      const at = row * tensor.columns + column;
      const value = tensor.data[at];
      const classes = [marks.lit && marks.lit.has(at) ? "lit" : "", marks.chosen === at ? "chosen" : ""].join(" ").trim();
      const cell = element("td", { title: exactNumber(value, tensor.dtype), "data-value": exactNumber(value, tensor.dtype), "data-at": at, class: classes || null,
                                   onclick: marks.choose ? () => marks.choose(at) : null }, formatNumber(value));
      const [r, g, b] = palette.colour(value, scale);
      cell.style.background = "rgb(" + r + "," + g + "," + b + ")";
      cell.style.color = 0.3 * r + 0.59 * g + 0.11 * b > (dark ? 105 : 140) ? "#16181c" : "#ffffff";
      line.append(cell);
    }
    table.append(line);
  }
  return table;
}

// The heatmap with frames around the lit cells, a run of neighbours in one.
function markedHeatmap(tensor, palette, width, height, marks) {
  const canvas = heatmap(tensor, palette, width, height);
  if (canvas.tagName !== "CANVAS" || !tensor.complete) return canvas;
  const { rows, columns } = tensor;
  const namespace = "http://www.w3.org/2000/svg";
  const frames = document.createElementNS(namespace, "svg");
  for (const [name, value] of Object.entries({ viewBox: "0 0 " + columns + " " + rows, preserveAspectRatio: "none", "aria-hidden": "true" })) frames.setAttribute(name, value);
  const frame = (at, count, name) => {
    const rect = document.createElementNS(namespace, "rect");
    const place = { x: at % columns, y: Math.floor(at / columns), width: count, height: 1, class: name };
    for (const [key, value] of Object.entries(place)) rect.setAttribute(key, value);
    frames.append(rect);
  };
  const lit = [...(marks.lit || [])].sort((a, b) => a - b);
  for (let i = 0, count = 1; i < lit.length; i += count) {
    for (count = 1; lit[i + count] === lit[i] + count && lit[i + count] % columns !== 0; ++count);
    frame(lit[i], count, "lit");
  }
  if (marks.chosen !== undefined && marks.chosen !== null) frame(marks.chosen, 1, "chosen");
  const wrap = element("div", { class: "framed" + (marks.choose ? " choosable" : "") }, canvas, frames);
  if (marks.choose) {
    wrap.addEventListener("click", (event) => {
      const box = canvas.getBoundingClientRect();
      const column = Math.min(columns - 1, Math.max(0, Math.floor((event.clientX - box.left) / box.width * columns)));
      const row = Math.min(rows - 1, Math.max(0, Math.floor((event.clientY - box.top) / box.height * rows)));
      marks.choose(row * columns + column);
    });
  }
  return wrap;
}

function isSmall(tensor) {
  return tensor.complete && tensor.data.length <= 48 && tensor.columns <= 8;
}

// The keyboard's way to a cell: the arrows move the chosen one, Enter chooses the first.
function chooseByKeys(view, tensor, marks) {
  view.tabIndex = 0;
  view.setAttribute("role", "group");
  view.setAttribute("aria-label", (marks.label || "Tensor") + " " + shapeText(tensor.shape) + ": arrow keys choose a cell");
  view.addEventListener("keydown", (event) => {
    const moves = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: tensor.columns, ArrowUp: -tensor.columns, Enter: 0 };
    if (!(event.key in moves) || event.target !== view) return;
    event.preventDefault();
    event.stopPropagation();
    const from = marks.chosen === undefined || marks.chosen === null ? -moves[event.key] : marks.chosen;
    marks.choose(Math.max(0, Math.min(tensor.data.length - 1, from + moves[event.key])));
  });
}

// A tensor in which cells are lit, and can be chosen.
function marked(tensor, palette, marks, width = 340, height = 150) {
  const view = element("div", { class: "tensor" });
  view.append(isSmall(tensor) ? element("div", { class: "numbers-scroll" + (marks.choose ? " choosable" : "") }, numbersTable(tensor, palette, marks))
                              : markedHeatmap(tensor, palette, width, height, marks));
  if (marks.choose) chooseByKeys(view, tensor, marks);
  return view;
}

function tensorView(tensor, palette, name, marks = {}) {
  if (!tensor) return element("p", { class: "nothing-yet" }, "was not recorded");
  const count = tensor.shape.reduce((a, b) => a * b, 1);
  if (count === 0) return element("p", { class: "soft" }, "no elements");
  if (!tensor.complete) marks = {};
  const view = marked(tensor, palette, marks, 385, 230);
  view.dataset.tensor = name;
  const line = element("p", { class: "statistics" });
  const add = (label, value) => line.append(label + " ", element("b", {}, formatNumber(value)), "  ");
  if (count > 1 && !tensor.noStatistics) {
    add("min", tensor.min);
    add("max", tensor.max);
    add("mean", tensor.mean);
    add("norm", tensor.norm);
  }
  if (tensor.nan > 0) line.append(element("span", { class: "bad" }, tensor.nan + " NaN "));
  if (tensor.inf > 0) line.append(element("span", { class: "bad" }, tensor.inf + " infinite"));
  if (line.childNodes.length > 0) view.append(line);
  if (!tensor.complete) {
    view.append(element("p", { class: "statistics" }, "Too large to be kept completely: each cell is the mean of a block."));
  } else if (!isSmall(tensor)) {
    const numbers = element("details", { ontoggle: () => {
      if (numbers.open && numbers.childNodes.length === 1) {
        numbers.append(element("div", { class: "numbers-scroll", tabindex: "0", role: "region", "aria-label": "Numbers" }, numbersTable(tensor, palette, marks)));
        showCuts(numbers);
      }
    } }, element("summary", {}, count + " numbers"));
    view.append(numbers);
  }
  return view;
}

// What is cut off at its right edge fades there, and so shows that it scrolls.
function showCuts(root) {
  for (const box of root.querySelectorAll(".numbers-scroll")) {
    box.onscroll = () => box.classList.toggle("cut", box.scrollLeft + box.clientWidth < box.scrollWidth - 1);
    box.onscroll();
  }
}

// ---- the panel --------------------------------------------------------------------------------------------------------

class Panel {
  constructor(model, root, actions) {
    this.model = model;
    this.root = root;
    this.welcome = root.querySelector("#welcome");  // stays above what is shown
    this.actions = actions;  // select(item), goTo(time), toggle(group)
    this.palette = new Palette();
    this.shown = "";
    this.cell = null;  // { id, which, at }: the chosen one
    this.cellPanel = new CellPanel(model, { choose: (cell) => this.choose(cell), clear: () => this.choose(null), palette: () => this.palette });
  }

  choose(cell) {
    const before = this.cell;
    this.cell = cell;
    this.actions.cellChosen(cell ? cell.id : before.id);
    const section = this.root.querySelector("section.cell");
    if (!section) return;
    this.root.scrollTop = section.offsetTop - this.root.offsetTop - 8;
    const { id, which, at } = cell;
    const tensor = tensorOf(this.model, which === "value" ? this.model.nodes.get(id).value : this.model.nodes.get(id).gradient);
    this.actions.announce("Chosen: " + this.cellPanel.name(which, this.model.nodes.get(id).shape, at) + (tensor && tensor.complete && which === "value" ? ", " + formatNumber(tensor.data[at]) : ""));
  }

  // What marks the value or the gradient of the node that is shown.
  marksOf(node, which) {
    const chosen = this.cell && this.cell.id === node.id && this.cell.which === which ? this.cell.at : null;
    return { chosen, choose: (at) => this.choose({ id: node.id, which, at }), label: which };
  }

  // Made anew only if something in it changes.
  show(item, time, following) {
    const signature = this.signature(item, time) + "|" + following + "|" + document.documentElement.dataset.theme;
    if (signature === this.shown) return;
    const before = this.shown.split("|")[0];
    this.shown = signature;
    const focused = document.activeElement && this.root.contains(document.activeElement) ? document.activeElement : null;
    const focus = focused ? focused.dataset.key : undefined;
    const focusedTensor = focused && focused.classList.contains("tensor") ? focused.dataset.tensor : undefined;
    const top = this.root.scrollTop;
    const openNumbers = [...this.root.querySelectorAll(".tensor")].filter((t) => t.querySelector("details[open]")).map((t) => t.dataset.tensor);
    this.root.replaceChildren(this.welcome, ...this.content(item, time, following));
    showCuts(this.root);
    if (before === item) {
      this.root.scrollTop = top;
      for (const name of openNumbers) {
        const again = this.root.querySelector('.tensor[data-tensor="' + name + '"] details');
        if (again) again.open = true;
      }
    } else {
      this.root.scrollTop = 0;
    }
    if (focus) {
      const again = [...this.root.querySelectorAll("[data-key]")].find((e) => e.dataset.key === focus);
      if (again) again.focus();
    }
    if (focusedTensor) {
      const again = this.root.querySelector('.tensor[data-tensor="' + focusedTensor + '"]');
      if (again) again.focus({ preventScroll: true });
    }
    if (focused && !this.root.contains(document.activeElement)) this.root.focus({ preventScroll: true });
  }

  signature(item, time) {
    if (!item) return "";
    if (item[0] === "g") return item + "|" + this.actions.isOpen(numberOf(item));
    const id = idOf(this.model, item);
    const state = stateOf(this.model, id, time);
    const node = this.model.nodes.get(id);
    const now = node.arrivals.some((arrival) => arrival.time === time);
    return [item, JSON.stringify(this.cell), this.cell && this.cell.id === id ? time : "", state.computed, state.arrived, state.gradient, state.ran, now ? time : ""].join("|");
  }

  content(item, time, following) {
    if (!item) {
      return [element("h2", {}, "Nothing has been computed yet"),
              element("p", { class: "soft" }, "Press the right arrow to step, space to play, ? for all keys.")];
    }
    if (item[0] === "g") return this.groupContent(numberOf(item));
    return this.nodeContent(this.model.nodes.get(idOf(this.model, item)), item[0] === "u" ? numberOf(item) : null, time, following);
  }

  link(id, text, key) {
    const item = itemOf(this.model, id);
    if (!item) return element("span", {}, text || "%" + id);
    return element("button", { class: "link", "data-key": key + item, onclick: () => this.actions.select(item) }, text || nameOf(this.model.nodes.get(id)));
  }

  heading(node, following) {
    const title = node.isLeaf || hasName(node) ? node.label : node.op;
    const second = node.isLeaf ? "leaf" : hasName(node) ? node.op + "  %" + node.id : node.label;
    const parts = [element("h2", {}, title, element("small", {}, second))];
    const facts = [node.dtype + (node.shape.length > 0 ? " " + shapeText(node.shape) : ", one number")];
    if (node.module) facts.push("in " + node.module);
    parts.push(element("p", { class: "soft" }, facts.join("  \u00b7  ")));
    if (following) parts.push(element("p", { class: "soft" }, "This is the op that runs now; click another to keep it here."));
    return parts;
  }

  source(node) {
    const parts = [];
    const show = (index, words) => {
      if (index === undefined) return;
      const line = this.model.trace.lines[index];
      parts.push(element("p", {}, element("code", { class: "place" }, line.file + ":" + line.line), words ? element("span", { class: "soft" }, " " + words) : null));
      if (line.text) parts.push(element("pre", { class: "source" }, element("code", {}, line.text.replace(/ {3,}/g, "  "))));
    };
    show(node.line, "");
    show(node.origin, "called from here");
    if (parts.length > 0) parts.unshift(element("h3", {}, "Source"));
    return parts;
  }

  formulas(node) {
    const op = this.model.ops.get(node.op);
    if (!op) return [];
    const lines = [op.formula, op.derivative].filter((text) => text);
    return [element("h3", {}, "Formula"), ...lines.map((text) => element("p", { class: "formula" }, text))];
  }

  nodeContent(node, use, time, following) {
    const { model, palette } = this;
    const state = stateOf(model, node.id, time);
    const parts = [...this.heading(node, following)];
    if (this.cell && this.cell.id === node.id) parts.push(...this.cellPanel.content(this.cell, time));
    parts.push(...this.source(node));
    if (!node.isLeaf) parts.push(...this.formulas(node));
    parts.push(element("h3", {}, "Value", element("span", { class: "state " + (state.computed ? "computed" : "waiting") }, state.computed ? (node.isLeaf ? "given" : "computed") : "not yet computed")));
    parts.push(state.computed ? tensorView(tensorOf(model, node.value), palette, "value", this.marksOf(node, "value")) : element("p", { class: "nothing-yet" }, "not yet computed"));
    parts.push(...this.gradient(node, state, time));
    parts.push(...this.contributions(node, use, time));
    parts.push(...this.relatives(node));
    return parts;
  }

  gradient(node, state, time) {
    const count = state.arrived + " of " + state.expected;
    const words = { none: "none flows here", waiting: "not yet computed: 0 of " + state.expected, partial: count,
                    complete: state.arrived < state.expected ? "complete with " + count : "complete: " + count };
    const heading = element("h3", {}, "Gradient", element("span", { class: "state " + state.gradient, id: "gradient-state" }, words[state.gradient]));
    if (state.gradient === "none") return [heading];
    const tensor = gradientAt(this.model, node.id, time);
    const parts = [heading, tensor ? tensorView(tensor, this.palette, "gradient", this.marksOf(node, "gradient")) : element("p", { class: "nothing-yet" }, "not yet computed")];
    if (state.gradient === "partial") parts.push(element("p", { class: "soft" }, "The sum of the contributions so far. More are to come."));
    if (state.ran && wasReplaced(this.model, node.id)) parts.push(element("p", { class: "bad" }, "A hook replaced the sum of the contributions by this."));
    return parts;
  }

  contributions(node, use, time) {
    if (node.arrivals.length === 0) return [];
    const most = 200;
    const scaleWidth = 110;
    const items = node.arrivals.slice(0, most).map((arrival, i) => {
      const contribution = this.model.trace.contributions[arrival.contribution];
      const here = arrival.time <= time;
      const from = !contribution.from ? element("span", {}, "where backward() began")
                                                   : this.link(contribution.from, undefined, "c" + i);
      const source = !contribution.from ? null : this.model.nodes.get(contribution.from);
      const where = source && source.module ? element("span", { class: "soft" }, " " + source.module) : null;
      const tensor = here ? tensorOf(this.model, contribution.value) : null;
      let value = element("button", { class: "link", "data-key": "t" + i, title: "Go to the step at which it arrives", onclick: () => this.actions.goTo(arrival.time) }, "step " + arrival.time);
      if (tensor) {
        value = tensor.complete && tensor.data.length === 1 ? element("span", { class: "value", title: exactNumber(tensor.data[0], tensor.dtype) }, formatNumber(tensor.data[0]))
                                                            : heatmap(tensor, this.palette, scaleWidth, 30);
      }
      const classes = [here ? "here" : "pending", arrival.time === time ? "now" : "", use !== null && contribution.use === use ? "chosen" : ""];
      return element("li", { class: classes.join(" ").trim() }, element("span", { class: "count" }, String(i + 1)), element("span", {}, from, where), value);
    });
    const more = node.arrivals.length - items.length;
    return [element("h3", {}, "Contributions to the gradient"), element("ol", { class: "contributions" }, items),
            more > 0 ? element("p", { class: "soft" }, "and " + more + " more") : null].filter((part) => part);
  }

  relatives(node) {
    const parts = [];
    if (node.inputs.length > 0) {
      const items = node.inputs.map((input, i) => {
        if (input.node) {
          const leafUse = input.use !== undefined ? "u" + input.use : null;
          const target = this.model.nodes.get(input.node);
          const text = target ? nameOf(target) : "%" + input.node;
          if (leafUse) return element("li", {}, element("button", { class: "link", "data-key": "i" + i, onclick: () => this.actions.select(leafUse) }, text));
          return element("li", {}, this.link(input.node, text, "i" + i));
        }
        if (input.value === undefined) return element("li", { class: "soft" }, "left out");
        const tensor = tensorOf(this.model, input.value);
        return element("li", {}, (input.name || "a constant") + " ", element("span", { class: "soft" }, tensor.dtype + " " + shapeText(tensor.shape) + ", needs no gradient"),
                       tensorView(tensor, this.palette, "input" + i));
      });
      parts.push(element("h3", {}, "Inputs"), element("ul", { class: "links" }, items));
    }
    const users = this.model.users.get(node.id) || [];
    if (users.length > 0) {
      const most = 60;
      const items = users.slice(0, most).map((id, i) => element("li", {}, this.link(id, undefined, "o" + i)));
      if (users.length > most) items.push(element("li", { class: "soft" }, "and " + (users.length - most) + " more"));
      parts.push(element("h3", {}, "Used by"), element("ul", { class: "links" }, items));
    }
    return parts;
  }

  groupContent(index) {
    const group = this.model.groups[index];
    const open = this.actions.isOpen(index);
    const parts = [element("h2", {}, group.name, element("small", {}, group.kind === "step" ? "time step" : "module call"))];
    parts.push(element("p", {}, element("button", { class: "main", "data-key": "toggle", onclick: () => this.actions.toggle(index) }, open ? "Close" : "Open")));
    if (group.called_from !== undefined) parts.push(...this.source({ line: group.called_from }));
    const inside = [];
    const waiting = [index];
    for (let i = 0; i < waiting.length; ++i) {
      for (const row of this.model.groups[waiting[i]].rows) {
        for (const item of row) {
          if (item[0] === "n") inside.push(numberOf(item));
          if (item[0] === "g") waiting.push(numberOf(item));
        }
      }
    }
    inside.sort((a, b) => a - b);
    const items = inside.slice(0, 100).map((id, i) => element("li", {}, this.link(id, undefined, "m" + i)));
    if (inside.length > 100) items.push(element("li", { class: "soft" }, "and " + (inside.length - 100) + " more"));
    parts.push(element("h3", {}, inside.length + (inside.length === 1 ? " op" : " ops")), element("ul", { class: "links" }, items));
    return parts;
  }
}
