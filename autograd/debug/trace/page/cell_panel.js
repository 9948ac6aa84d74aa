// The details of one chosen cell: what it came from, with which derivatives, and where it goes. What is said here comes
// from cells.js.

const termsShown = 8;
const picturesShown = 12;

class CellPanel {
  constructor(model, actions) {
    this.model = model;
    this.actions = actions;  // choose({ id, which, at }) with which "value" or "gradient", clear(), palette()
  }

  name(which, shape, at) {
    return which + (shape.length > 0 ? shapeText(indexOf(at, shape)) : "");
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
  picture(title, id, which, tensor, lit) {
    const choose = id === undefined ? null : (at) => this.actions.choose({ id, which, at });
    const cells = new Set(lit);
    return element("figure", { "data-node": id, "data-which": which }, element("figcaption", {}, title, element("span", { class: "soft" }, " " + countText(cells.size, "element"))),
                   marked(tensor, this.actions.palette(), { lit: cells, choose, label: title }));
  }

  soft(text) { return element("p", { class: "soft" }, text); }

  formula(text) { return element("p", { class: "numbers-in" }, text); }

  notRecorded(op) {
    return element("p", { class: "nothing-yet" }, "Which elements is not shown: the derivatives of " + nameOf(op) +
      " are not in the trace. They are too many, or its backward could not be run again.");
  }

  // Rows of cells below `heads`, of which the last says how many more there are.
  table(heads, rows, last) {
    const body = rows.slice(0, termsShown).map((row) => element("tr", {}, row.map((text) => element("td", {}, text))));
    if (rows.length > termsShown) body.push(element("tr", {}, element("td", { colspan: heads.length, class: "soft" }, "and " + countText(rows.length - termsShown, "element") + " more")));
    if (last) body.push(last);
    return element("table", { class: "terms" }, element("thead", {}, element("tr", {}, heads.map((text) => element("th", { scope: "col" }, text)))), element("tbody", {}, body));
  }

  // ---- a value ------------------------------------------------------------------------------------------------------

  valueFrom(node, at) {
    if (node.isLeaf) return [this.soft("It was given: a leaf is made by no op.")];
    const op = this.model.ops.get(node.op);
    const parts = [element("h4", {}, "Made by " + node.op), op ? this.formula(op.formula || "") : null];
    const known = node.inputs.map((_, k) => slopesOf(this.model, node, k));
    if (known.every((slopes) => !slopes)) return [...parts, this.notRecorded(node)];
    node.inputs.forEach((input, k) => {
      if (known[k]) parts.push(...this.inputOf(node, input, known[k].readBy(at)));
    });
    return parts;
  }

  inputOf(node, input, terms) {
    const x = inputValue(this.model, input);
    const source = this.model.nodes.get(input.node);
    if (!x || !x.complete || !source) return [];
    const rows = terms.map(({ j, slope }) => [shapeText(indexOf(j, x.shape)), formatNumber(x.data[j]), formatNumber(slope)]);
    return [this.picture(nameOf(source), source.id, "value", x, terms.map((term) => term.j)),
            rows.length > 0 ? this.table(["element", "its value", "\u2202y/\u2202x"], rows)
                            : this.soft("No element of it changes this one: every derivative is 0.")];
  }

  valueTo(node, at, time) {
    const parts = [];
    for (const user of new Set(this.model.users.get(node.id) || [])) {
      const op = this.model.nodes.get(user);
      if (time < op.valueAt) continue;
      const y = tensorOf(this.model, op.value);
      const known = op.inputs.flatMap((input, k) => (input.node === node.id ? [slopesOf(this.model, op, k)] : [])).filter((slopes) => slopes);
      if (known.length === 0 || !y || !y.complete) parts.push(this.notRecorded(op));
      else parts.push(this.picture(nameOf(op), op.id, "value", y, known.flatMap((slopes) => slopes.readersOf(at).map((term) => term.i))));
      if (parts.length >= picturesShown) break;
    }
    return parts.length > 0 ? [element("h4", {}, "Goes into"), ...parts] : [];
  }

  // ---- a gradient -----------------------------------------------------------------------------------------------------

  gradientFrom(node, at, time) {
    const arrivals = node.arrivals.filter((arrival) => arrival.time <= time);
    const parts = arrivals.slice(0, picturesShown).flatMap((arrival) => this.contribution(arrival.contribution, at));
    if (arrivals.length > picturesShown) parts.push(this.soft("and " + (arrivals.length - picturesShown) + " contributions more"));
    return parts;
  }

  contribution(index, at) {
    const contribution = this.model.trace.contributions[index];
    const given = tensorOf(this.model, contribution.value);
    const number = given && given.complete ? given.data[at] : undefined;
    if (!contribution.from) return [element("h4", {}, "Where backward() began"), this.formula("= " + formatNumber(number))];
    const op = this.model.nodes.get(contribution.from);
    const text = this.model.ops.get(op.op);
    const parts = [element("h4", {}, "From " + nameOf(op), element("span", { class: "soft" }, number === undefined ? "" : " gave " + formatNumber(number))),
                   text ? this.formula(text.derivative || "") : null];
    const terms = backwardTerms(this.model, op, contribution.input, at);
    if (!terms) return [...parts, this.notRecorded(op)];
    if (terms.terms.length === 0) return [...parts, this.formula("= 0: no element of its output changes with this one")];
    parts.push(this.terms(terms));
    if (number !== undefined && !agrees(terms, number, given.dtype)) parts.push(element("p", { class: "bad" }, "Its backward gave another number, " + formatNumber(number) + ": it is not linear in dy."));
    return [...parts, this.picture("dy of " + nameOf(op), op.id, "gradient", terms.dy, terms.terms.map((term) => term.i))];
  }

  terms({ terms, dy, value }) {
    const rows = terms.map((term) => ["dy" + shapeText(indexOf(term.i, dy.shape)), formatNumber(term.dy), "\u00b7", formatNumber(term.slope), "= " + formatNumber(term.dy * term.slope)]);
    const sum = element("tr", { class: "sum" }, element("td", { colspan: 4 }, "sum"), element("td", {}, "= ", element("b", {}, formatNumber(value))));
    return this.table(["", "dy", "", "\u2202y/\u2202x", ""], rows, sum);
  }

  gradientTo(node, at, time) {
    if (node.isLeaf) return [];
    if (time < node.ranAt) return [this.soft("It goes on when " + node.op + " runs back.")];
    const parts = [];
    const step = this.model.trace.steps[node.ranAt - this.model.forward - 2];
    for (let c = step.first; c < step.last; ++c) {
      const { to, input, value } = this.model.trace.contributions[c];
      const tensor = tensorOf(this.model, value);
      const slopes = slopesOf(this.model, node, input);
      const target = this.model.nodes.get(to);
      if (!slopes) parts.push(this.notRecorded(node));
      else if (tensor && tensor.complete) parts.push(this.picture("to " + nameOf(target), to, "gradient", tensor, slopes.readBy(at).map((term) => term.j)));
    }
    return parts.length > 0 ? [element("h4", {}, "Goes into"), ...parts] : [this.soft("It goes nowhere: no input of " + node.op + " needs a gradient.")];
  }
}

function countText(count, what) {
  return count + " " + what + (count === 1 ? "" : "s");
}
