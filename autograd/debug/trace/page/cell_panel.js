// The details of one chosen cell: what it is made of, the formula with its numbers, and where it goes. What is said here
// comes from cells.js.

const termsShown = 8;

class CellPanel {
  constructor(model, actions) {
    this.model = model;
    this.actions = actions;  // choose({ id, which, at }) with which "value" or "gradient", clear(), palette()
  }

  name(which, shape, at) {
    return which + (shape.length > 0 ? "[" + indexOf(at, shape).join(", ") + "]" : "");
  }

  // { id, which, at } -> elements
  content(cell, time) {
    const node = this.model.nodes.get(cell.id);
    const tensor = cell.which === "value" ? tensorOf(this.model, node.value) : gradientAt(this.model, node.id, time);
    if (!tensor || !tensor.complete || cell.at >= tensor.data.length) return [];
    const value = tensor.data[cell.at];
    const head = element("h3", {}, "Cell " + this.name(cell.which, tensor.shape, cell.at),
      element("button", { class: "state", "data-key": "close-cell", onclick: () => this.actions.clear() }, "close"));
    const parts = [head, element("p", { class: "cell-value" }, element("b", { title: exactNumber(value, tensor.dtype) }, formatNumber(value)))];
    parts.push(...(cell.which === "value" ? this.valueFrom(node, cell.at) : this.gradientFrom(node, cell.at, time)));
    parts.push(...(cell.which === "value" ? this.valueTo(node, cell.at, time) : this.gradientTo(node, cell.at, time)));
    return [element("section", { class: "cell", "aria-label": "The chosen cell" }, parts)];
  }

  // A tensor with cells lit, on which one can go on choosing.
  picture(title, id, which, tensor, lit, extra) {
    const choose = id === undefined ? null : (at) => this.actions.choose({ id, which, at });
    return element("figure", {}, element("figcaption", {}, title, extra || null),
                   marked(tensor, this.actions.palette(), { lit: new Set(lit), choose, label: title }));
  }

  formula(text, result) {
    return element("p", { class: "numbers-in" }, "= " + text + (result === undefined ? "" : " = "), result === undefined ? null : element("b", {}, formatNumber(result)));
  }

  no(why) { return element("p", { class: "nothing-yet" }, "Which elements it is made of is not shown: " + why + "."); }

  // ---- a value ------------------------------------------------------------------------------------------------------

  valueFrom(node, at) {
    if (node.isLeaf) return [element("p", { class: "soft" }, "It was given: a leaf is made by no op.")];
    const cells = cellsOf(this.model, node);
    if (!cells.rule) return [this.no(cells.why)];
    const made = cells.rule.made(at);
    const parts = [element("h4", {}, "Made by " + node.op), this.formula(made.text, cells.y.data[at])];
    const inputs = node.inputs.filter((input) => input.node !== undefined || input.value !== undefined);
    inputs.forEach((input, k) => {
      const source = input.node === undefined ? undefined : this.model.nodes.get(input.node);
      const lit = cells.rule.sources(k, at);
      if (lit.length === 0) return;
      parts.push(this.picture(source ? nameOf(source) : input.name || "a constant", source && source.id, "value", cells.x[k], lit,
                              element("span", { class: "soft" }, " " + countText(lit.length, "element"))));
    });
    return parts;
  }

  valueTo(node, at, time) {
    const parts = [];
    for (const user of new Set(this.model.users.get(node.id) || [])) {
      const op = this.model.nodes.get(user);
      if (time < op.valueAt) continue;
      const cells = cellsOf(this.model, op);
      if (!cells.rule) {
        parts.push(element("p", { class: "soft" }, nameOf(op) + ": " + cells.why));
        continue;
      }
      const lit = new Set();
      op.inputs.forEach((input, k) => { if (input.node === node.id) readersOf(cells, k, at).forEach((i) => lit.add(i)); });
      parts.push(this.picture(nameOf(op), op.id, "value", cells.y, lit, element("span", { class: "soft" }, " " + countText(lit.size, "element"))));
      if (parts.length >= 12) break;
    }
    return parts.length > 0 ? [element("h4", {}, "Goes into"), ...parts] : [];
  }

  // ---- a gradient -----------------------------------------------------------------------------------------------------

  gradientFrom(node, at, time) {
    const parts = [];
    const arrivals = node.arrivals.filter((arrival) => arrival.time <= time);
    for (const arrival of arrivals.slice(0, 12)) parts.push(...this.contribution(node, arrival.contribution, at));
    if (arrivals.length > 12) parts.push(element("p", { class: "soft" }, "and " + (arrivals.length - 12) + " contributions more"));
    return parts;
  }

  contribution(node, index, at) {
    const contribution = this.model.trace.contributions[index];
    const given = tensorOf(this.model, contribution.value);
    const number = given && given.complete ? given.data[at] : undefined;
    if (contribution.from === undefined) return [element("h4", {}, "Where backward() began"), this.formula(formatNumber(number))];
    const op = this.model.nodes.get(contribution.from);
    const parts = [element("h4", {}, "From " + nameOf(op), element("span", { class: "soft" }, number === undefined ? "" : " gave " + formatNumber(number)))];
    const terms = backwardTerms(this.model, op, contribution.input, at);
    if (terms.why) return [...parts, this.no(terms.why)];
    parts.push(this.terms(terms, number, given, op));
    parts.push(this.picture("dy of " + nameOf(op), op.id, "gradient", terms.dy, terms.terms.map((term) => term.i), element("span", { class: "soft" }, " " + countText(terms.terms.length, "element"))));
    return [...parts, ...this.others(op, terms)];
  }

  terms(terms, given, tensor, op) {
    if (terms.terms.length === 0) return element("p", { class: "numbers-in" }, "= 0: nothing reads this element");
    if (terms.value === undefined) return element("p", { class: "soft" }, "A factor is not in the trace: what was drawn where x is 0.");
    const rows = terms.terms.slice(0, termsShown).map((term, n) => element("tr", {},
      element("td", {}, n === 0 ? "" : "+"), element("td", { title: "dy" + shapeText(indexOf(term.i, terms.dy.shape)) }, shown(term.dy)),
      element("td", {}, "\u00b7"), element("td", { class: "factor" }, term.slope.text), element("td", {}, "= " + formatNumber(term.dy * term.slope.value))));
    const more = terms.terms.length - rows.length;
    if (more > 0) rows.push(element("tr", {}, element("td", { colspan: 5, class: "soft" }, "and " + countText(more, "term") + " more")));
    rows.push(element("tr", { class: "sum" }, element("td", {}, "="), element("td", { colspan: 4 }, element("b", {}, formatNumber(terms.value)))));
    const table = element("table", { class: "terms" }, element("thead", {}, element("tr", {}, ...["", "dy", "", "\u2202y/\u2202x", ""].map((text) => element("th", { scope: "col" }, text)))), element("tbody", {}, rows));
    if (given === undefined || agrees(terms, given, tensor.dtype)) return table;
    const why = op.op === "embedding" && given === 0 ? "Its backward gave 0, as it does for the padding row." : "Its backward gave another number, " + formatNumber(given) + ".";
    return element("div", {}, table, element("p", { class: "bad" }, why));
  }

  // The values that the factors are made of.
  others(op, terms) {
    const read = new Map();
    for (const { slope } of terms.terms) {
      for (const [tensor, at] of slope ? slope.reads : []) {
        if (!read.has(tensor)) read.set(tensor, new Set());
        read.get(tensor).add(at);
      }
    }
    const cells = cellsOf(this.model, op);
    const inputs = op.inputs.filter((input) => input.node !== undefined || input.value !== undefined);
    return [...read].map(([which, lit]) => {
      if (which === "y") return this.picture("y of " + nameOf(op), op.id, "value", cells.y, lit);
      const source = inputs[which].node === undefined ? undefined : this.model.nodes.get(inputs[which].node);
      return this.picture(source ? nameOf(source) : inputs[which].name || "a constant", source && source.id, "value", cells.x[which], lit);
    });
  }

  gradientTo(node, at, time) {
    if (node.isLeaf || time < node.ranAt) return node.isLeaf ? [] : [element("p", { class: "soft" }, "It goes on when " + node.op + " runs back.")];
    const cells = cellsOf(this.model, node);
    if (!cells.rule) return [element("h4", {}, "Goes into"), this.no(cells.why)];
    const parts = [];
    const step = this.model.trace.steps[node.ranAt - this.model.forward - 2];
    for (let c = step.first; c < step.last; ++c) {
      const { to, input, value } = this.model.trace.contributions[c];
      const tensor = tensorOf(this.model, value);
      if (!tensor || !tensor.complete) continue;
      const lit = cells.rule.sources(input, at);
      if (lit.length === 0) continue;
      const target = this.model.nodes.get(to);
      parts.push(this.picture("to " + nameOf(target), to, "gradient", tensor, lit, element("span", { class: "soft" }, " " + countText(lit.length, "element"))));
    }
    return parts.length > 0 ? [element("h4", {}, "Goes into"), ...parts] : [element("p", { class: "soft" }, "It goes nowhere: no input that needs a gradient is read by this element.")];
  }
}

function countText(count, what) {
  return count + " " + what + (count === 1 ? "" : "s");
}
