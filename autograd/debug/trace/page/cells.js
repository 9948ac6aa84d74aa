// One cell at a time: which elements of an op's inputs an element of its output is made of, with which factor (the partial
// derivative), and the formula with the numbers in it. Pure functions; tests/page holds them against numerical Jacobians.
//
// A rule says of output element i: which elements of input k it reads, `sources(k, i)`, and how it changes with one of
// them, `slope(k, i, j)` = { value, text, reads }: the factor, how it is computed, and which other elements that takes, as
// pairs of a tensor ("y", or the number of an input) and a position. Backward is the same read the other way:
//   dx_k[j] = sum over the i that read it of dy[i] * slope(k, i, j)
// `made(i)` = { text, value } is the forward formula; `value` is left out where the page cannot compute it.
// Positions are row-major.

function sizeOf(shape) {
  return shape.reduce((a, b) => a * b, 1);
}

function indexOf(position, shape) {
  const index = new Array(shape.length);
  for (let d = shape.length - 1; d >= 0; --d) {
    index[d] = position % shape[d];
    position = Math.floor(position / shape[d]);
  }
  return index;
}

function positionOf(index, shape) {
  return index.reduce((position, at, d) => position * shape[d] + at, 0);
}

// Where an element of the output reads an input that is broadcast to the output's shape.
function broadcastPosition(index, shape) {
  const missing = index.length - shape.length;
  return shape.reduce((position, size, d) => position * size + (size === 1 ? 0 : index[missing + d]), 0);
}

// All positions that differ from `index` only along `dims`, in ascending order.
function fibreOf(index, shape, dims) {
  let list = [index.map((at, d) => (dims.includes(d) ? 0 : at))];
  for (const d of dims) {
    list = list.flatMap((one) => Array.from({ length: shape[d] }, (_, at) => one.map((old, e) => (e === d ? at : old))));
  }
  return list.map((one) => positionOf(one, shape)).sort((a, b) => a - b);
}

const factor = (value, text, reads = []) => ({ value, text, reads });
const fixed = (value) => factor(value, formatNumber(value));
const sumText = (terms) => (terms.length > 6 ? terms.slice(0, 5).join(" + ") + " + \u2026 (" + terms.length + " terms)" : terms.join(" + "))
  .replaceAll("+ \u2212", "\u2212 ");
const shown = (value) => (value < 0 || Object.is(value, -0) ? "(" + formatNumber(value) + ")" : formatNumber(value));

// ---- the same place: y[i] of x[i] ---------------------------------------------------------------------------------

// name: [the value, the slope, both as functions of x and y]; a slope gives [factor, text, what it reads]
const unaryRules = {
  neg: { value: (x) => -x, made: (x) => "\u2212" + x, slope: () => [-1, "\u22121"] },
  exp: { value: Math.exp, made: (x) => "exp(" + x + ")", slope: (x, y) => [y, "y " + shown(y), "y"] },
  log: { value: Math.log, made: (x) => "log(" + x + ")", slope: (x) => [1 / x, "1 / " + shown(x), "x"] },
  log1p: { value: Math.log1p, made: (x) => "log(1 + " + x + ")", slope: (x) => [1 / (1 + x), "1 / (1 + " + shown(x) + ")", "x"] },
  sqrt: { value: Math.sqrt, made: (x) => "\u221a" + x, slope: (x, y) => [1 / (2 * y), "1 / (2 \u00b7 " + shown(y) + ")", "y"] },
  sin: { value: Math.sin, made: (x) => "sin(" + x + ")", slope: (x) => [Math.cos(x), "cos(" + formatNumber(x) + ")", "x"] },
  cos: { value: Math.cos, made: (x) => "cos(" + x + ")", slope: (x) => [-Math.sin(x), "\u2212sin(" + formatNumber(x) + ")", "x"] },
  tanh: { value: Math.tanh, made: (x) => "tanh(" + x + ")", slope: (x, y) => [1 - y * y, "(1 \u2212 " + shown(y) + "\u00b2)", "y"] },
  sigmoid: { value: (x) => 1 / (1 + Math.exp(-x)), made: (x) => "1 / (1 + exp(\u2212" + x + "))",
             slope: (x, y) => [y * (1 - y), shown(y) + " \u00b7 (1 \u2212 " + shown(y) + ")", "y"] },
  erf: { made: (x) => "erf(" + x + ")",
         slope: (x) => [2 / Math.sqrt(Math.PI) * Math.exp(-x * x), "2/\u221a\u03c0 \u00b7 exp(\u2212" + shown(x) + "\u00b2)", "x"] },
  relu: { value: (x) => Math.max(x, 0), made: (x) => "max(" + x + ", 0)", slope: (x, y) => [y > 0 ? 1 : 0, y > 0 ? "1, y > 0" : "0, y = 0", "y"] },
  abs: { value: Math.abs, made: (x) => "|" + x + "|", slope: (x) => [Math.sign(x), "sign(" + formatNumber(x) + ")", "x"] },
  clamp: { made: (x) => "min(max(" + x + ", low), high)", slope: (x, y) => [x === y ? 1 : 0, x === y ? "1, inside" : "0, outside", "x"] },
  clone: { value: (x) => x, made: (x) => x, slope: () => [1, "1"] },
  to: { made: (x) => x + ", rounded to its dtype", slope: () => [1, "1"] },
  view: { value: (x) => x, made: (x) => x, slope: () => [1, "1"] },
  squeeze: { value: (x) => x, made: (x) => x, slope: () => [1, "1"] },
  unsqueeze: { value: (x) => x, made: (x) => x, slope: () => [1, "1"] },
};

function unaryRule({ op, x, y }) {
  const rule = unaryRules[op];
  if (x.length !== 1 || x[0].data.length !== y.data.length) return null;
  return {
    sources: (k, i) => [i],
    slope: (k, i) => {
      const [value, text, reads] = rule.slope(x[0].data[i], y.data[i]);
      return factor(value, text, reads === "x" ? [[0, i]] : reads === "y" ? [["y", i]] : []);
    },
    made: (i) => ({ text: rule.made(shown(x[0].data[i])), value: rule.value && rule.value(x[0].data[i]) }),
  };
}

// ---- two inputs, broadcast ---------------------------------------------------------------------------------------------

const binaryRules = {
  add: { sign: "+", value: (a, b) => a + b, slope: [() => [1, "1"], () => [1, "1"]] },
  sub: { sign: "\u2212", value: (a, b) => a - b, slope: [() => [1, "1"], () => [-1, "(\u22121)"]] },
  mul: { sign: "\u00b7", value: (a, b) => a * b, slope: [(a, b) => [b, "b " + shown(b)], (a) => [a, "a " + shown(a)]] },
  div: { sign: "/", value: (a, b) => a / b,
         slope: [(a, b) => [1 / b, "1 / " + shown(b)], (a, b, y) => [-y / b, "\u2212" + shown(y) + " / " + shown(b)]] },
  pow: { sign: "^", value: Math.pow,
         slope: [(a, b) => [b === 0 ? 0 : b * a ** (b - 1), shown(b) + " \u00b7 " + shown(a) + "^" + shown(b - 1)],
                 (a, b, y) => [y === 0 ? 0 : y * Math.log(a), shown(y) + " \u00b7 log(" + formatNumber(a) + ")"]] },
  maximum: { sign: "or", value: Math.max,
             slope: [(a, b) => [a > b ? 1 : a === b ? 0.5 : 0, a > b ? "1, a > b" : a === b ? "\u00bd, a = b" : "0, a < b"],
                     (a, b) => [b > a ? 1 : a === b ? 0.5 : 0, b > a ? "1, b > a" : a === b ? "\u00bd, a = b" : "0, b < a"]] },
};

function binaryRule({ op, x, y }) {
  const rule = binaryRules[op];
  if (x.length !== 2) return null;
  const places = (i) => x.map((one) => broadcastPosition(indexOf(i, y.shape), one.shape));
  const constant = op === "add" || op === "sub";
  return {
    sources: (k, i) => [places(i)[k]],
    slope: (k, i) => {
      const [p, q] = places(i);
      const [value, text] = rule.slope[k](x[0].data[p], x[1].data[q], y.data[i]);
      return factor(value, text, constant ? [] : op === "mul" ? [[1 - k, k === 0 ? q : p]] : [[0, p], [1, q]]);
    },
    made: (i) => {
      const [a, b] = places(i).map((place, k) => x[k].data[place]);
      const text = op === "maximum" ? "max(" + formatNumber(a) + ", " + formatNumber(b) + ")" : shown(a) + " " + rule.sign + " " + shown(b);
      return { text, value: rule.value(a, b) };
    },
  };
}

// ---- along dims ----------------------------------------------------------------------------------------------------------

function alongRule({ op, x, y, along }) {
  const [input] = x;
  const isOneEach = !keepsShape(op) && op !== "cumsum" && y.data.length === input.data.length;  // a sum over dims of size 1
  const dims = op === "masked_softmax" ? [input.shape.length - 1] : isOneEach ? [] : along;
  if (x.length !== 1 || !dims) return null;
  const offsets = fibreOf(input.shape.map(() => 0), input.shape, dims);
  const begin = (i) => {
    const index = op === "cumsum" || keepsShape(op) ? indexOf(i, input.shape) : reducedIndex(i, y.shape, input.shape, dims);
    return positionOf(index.map((at, d) => (dims.includes(d) ? 0 : at)), input.shape);
  };
  const row = (i) => {
    const from = begin(i);
    return offsets.map((offset) => from + offset);
  };
  const values = (i) => row(i).map((j) => input.data[j]);
  const numbers = (i) => values(i).map(shown);
  const same = (i, j) => (i === j ? 1 : 0);
  const first = (i) => row(i).find((j) => input.data[j] === y.data[i]);
  switch (op) {
    case "sum":
      return { sources: (k, i) => row(i), slope: () => fixed(1),
               made: (i) => ({ text: sumText(numbers(i)), value: values(i).reduce((a, b) => a + b, 0) }) };
    case "mean":
      return { sources: (k, i) => row(i), slope: (k, i) => factor(1 / row(i).length, "1 / " + row(i).length),
               made: (i) => ({ text: "(" + sumText(numbers(i)) + ") / " + row(i).length, value: values(i).reduce((a, b) => a + b, 0) / row(i).length }) };
    case "cumsum":
      return { sources: (k, i) => row(i).filter((j) => j <= i), slope: () => fixed(1),
               made: (i) => {
                 const part = row(i).filter((j) => j <= i).map((j) => input.data[j]);
                 return { text: sumText(part.map(shown)), value: part.reduce((a, b) => a + b, 0) };
               } };
    case "amax": {
      const ties = (i) => values(i).filter((value) => value === y.data[i]).length;
      return { sources: (k, i) => row(i), made: (i) => ({ text: "the largest of " + row(i).length, value: Math.max(...values(i)) }),
               slope: (k, i, j) => (input.data[j] === y.data[i] ? factor(1 / ties(i), "1 / " + ties(i) + ", a largest one", [[0, j]]) : factor(0, "0, not the largest", [[0, j]])) };
    }
    case "max": case "min":
      return { sources: (k, i) => row(i), made: (i) => ({ text: (op === "max" ? "the largest of " : "the smallest of ") + row(i).length, value: Math[op](...values(i)) }),
               slope: (k, i, j) => (j === first(i) ? factor(1, "1, chosen", [[0, j]]) : factor(0, "0, not chosen", [[0, j]])) };
    case "logsumexp":
      return { sources: (k, i) => row(i), made: (i) => ({ text: "log(" + sumText(numbers(i).map((one) => "exp(" + one + ")")) + ")", value: logSumExp(values(i)) }),
               slope: (k, i, j) => factor(Math.exp(input.data[j] - y.data[i]), "exp(" + shown(input.data[j]) + " \u2212 " + shown(y.data[i]) + ")", [["y", i], [0, j]]) };
    case "log_softmax":
      return { sources: (k, i) => row(i), made: (i) => ({ text: shown(input.data[i]) + " \u2212 log(\u2211 exp of its " + row(i).length + ")", value: input.data[i] - logSumExp(values(i)) }),
               slope: (k, i, j) => factor(same(i, j) - Math.exp(y.data[j]), "(" + same(i, j) + " \u2212 exp(" + shown(y.data[j]) + "))", [["y", j]]) };
    case "softmax": case "masked_softmax":
      return { sources: (k, i) => row(i),
               made: (i) => ({ text: "exp(" + shown(input.data[i]) + ") / \u2211 exp of its " + row(i).length + (op === "softmax" ? "" : ", as far as the mask lets them in"),
                               value: op === "softmax" ? Math.exp(input.data[i] - logSumExp(values(i))) : undefined }),
               slope: (k, i, j) => factor(y.data[i] * (same(i, j) - y.data[j]), shown(y.data[i]) + " \u00b7 (" + same(i, j) + " \u2212 " + shown(y.data[j]) + ")", [["y", i], ["y", j]]) };
  }
  return null;
}

function keepsShape(op) {
  return op === "softmax" || op === "masked_softmax" || op === "log_softmax";
}

// The output's dims are the input's without `dims`, or with these of size 1. A dim of size 1 says nothing.
function reducedIndex(i, shape, inputShape, dims) {
  const kept = indexOf(i, shape).filter((_, d) => shape[d] !== 1);
  return inputShape.map((size, d) => (dims.includes(d) || size === 1 ? 0 : kept.shift()));
}

function logSumExp(values) {
  const peak = Math.max(...values);
  return peak + Math.log(values.reduce((sum, value) => sum + Math.exp(value - peak), 0));
}

// ---- products of matrices --------------------------------------------------------------------------------------------------

// pairs(i): the positions in a and b that are multiplied and added up for output element i.
function productRule({ x, y }, pairs, names, bias) {
  const [a, b] = x;
  return {
    sources: (k, i) => (k === 2 ? [bias(i)] : pairs(i).map((pair) => pair[k])),
    slope: (k, i, j) => {
      if (k === 2) return fixed(1);
      const [p, q] = pairs(i).find((pair) => pair[k] === j);
      const [tensor, at, other] = k === 0 ? [b, q, 1] : [a, p, 0];
      return factor(tensor.data[at], names[other] + "[" + indexOf(at, tensor.shape).join(", ") + "] " + shown(tensor.data[at]), [[other, at]]);
    },
    made: (i) => {
      const terms = pairs(i).map(([p, q]) => shown(a.data[p]) + " \u00b7 " + shown(b.data[q]));
      let value = pairs(i).reduce((sum, [p, q]) => sum + a.data[p] * b.data[q], 0);
      if (x.length > 2) value += x[2].data[bias(i)];
      if (x.length > 2) terms.push(shown(x[2].data[bias(i)]));
      return { text: sumText(terms), value };
    },
  };
}

function matmulRule(context) {
  const { x, y } = context;
  if (x.length !== 2) return null;
  const [a, b] = x.map((one) => one.shape);
  const inner = a[a.length - 1];
  return productRule(context, (i) => {
    const index = indexOf(i, y.shape);
    const column = b.length > 1 ? index.pop() : null;
    const row = a.length > 1 ? index.pop() : null;  // what is left are the leading dims
    const begin = (shape) => broadcastPosition(index, shape.slice(0, -2)) * sizeOf(shape.slice(-2));
    return Array.from({ length: inner }, (_, k) =>
      [a.length > 1 ? begin(a) + row * inner + k : k, b.length > 1 ? begin(b) + k * b[b.length - 1] + column : k]);
  }, ["A", "B"]);
}

function linearRule(context) {
  const { x, y } = context;
  const [outputs, inputs] = x[1].shape;
  return productRule(context, (i) => {
    const row = Math.floor(i / outputs);
    return Array.from({ length: inputs }, (_, k) => [row * inputs + k, (i % outputs) * inputs + k]);
  }, ["x", "W"], (i) => i % outputs);
}

// ---- copies, and what is left ----------------------------------------------------------------------------------------------

function copyRule({ x, copiedFrom }) {
  if (!copiedFrom) return null;
  const begins = [0];
  for (const one of x) begins.push(begins[begins.length - 1] + one.data.length);
  const sourceOf = (i) => {
    const from = copiedFrom.data[i];
    const k = begins.findIndex((begin, at) => from >= begin && from < begins[at + 1]);
    return from < 0 ? null : { k, j: from - begins[k] };
  };
  return {
    sources: (k, i) => {
      const source = sourceOf(i);
      return source && source.k === k ? [source.j] : [];
    },
    slope: () => fixed(1),
    made: (i) => {
      const source = sourceOf(i);
      if (!source) return { text: "a constant, no copy" };
      const { k, j } = source;
      const where = x[k].shape.length > 0 ? "[" + indexOf(j, x[k].shape).join(", ") + "]" : "";
      return { text: "a copy of " + (x.length > 1 ? "input " + k : "x") + where, value: x[k].data[j] };
    },
  };
}

// nll_loss: every element of the output is a sum of elements of the input, each times a weight of the target.
function weightedRule({ x, factors }) {
  if (!factors) return null;
  const columns = x[0].data.length;
  const at = (i, j) => factors.data[i * columns + j];
  const sources = (k, i) => x[0].data.map((_, j) => j).filter((j) => at(i, j) !== 0);
  return {
    sources,
    slope: (k, i, j) => factor(at(i, j), "weight " + shown(at(i, j))),
    made: (i) => ({ text: sumText(sources(0, i).map((j) => shown(at(i, j)) + " \u00b7 " + shown(x[0].data[j]))),
                    value: sources(0, i).reduce((sum, j) => sum + at(i, j) * x[0].data[j], 0) }),
  };
}

// y = c * sum((input - target)^2), c = 1 for the sum and 1 / n for the mean; or each for itself.
function squaredErrorRule({ x, y }) {
  if (x.length !== 2 || x[0].data.length !== x[1].data.length) return null;
  const [input, target] = x.map((one) => one.data);
  const all = input.map((_, j) => j);
  const each = y.data.length === input.length;
  const squares = input.reduce((sum, value, j) => sum + (value - target[j]) ** 2, 0);
  const isMean = !each && Math.abs(squares / input.length - y.data[0]) < Math.abs(squares - y.data[0]);
  const share = isMean ? 1 / input.length : 1;
  return {
    sources: (k, i) => (each ? [i] : all),
    slope: (k, i, j) => factor((k === 0 ? 2 : -2) * (input[j] - target[j]) * share,
      (k === 0 ? "2" : "(\u22122)") + " \u00b7 (" + formatNumber(input[j]) + " \u2212 " + shown(target[j]) + ")" + (isMean ? " / " + input.length : ""), [[0, j], [1, j]]),
    made: (i) => (each ? { text: "(" + formatNumber(input[i]) + " \u2212 " + shown(target[i]) + ")\u00b2", value: (input[i] - target[i]) ** 2 }
                       : { text: "(" + sumText(all.map((j) => "(" + formatNumber(input[j]) + " \u2212 " + shown(target[j]) + ")\u00b2")) + ")" + (isMean ? " / " + all.length : ""), value: squares * share }),
  };
}

const copyingOps = ["transpose", "permute", "expand", "slice", "slice_backward", "select", "flip", "cat", "gather", "index_select",
                    "embedding", "where", "masked_fill"];
const alongOps = ["softmax", "masked_softmax", "log_softmax", "cumsum", "sum", "mean", "amax", "max", "min", "logsumexp"];

function knownOps() {
  return new Set([...Object.keys(unaryRules), ...Object.keys(binaryRules), ...alongOps, ...copyingOps, "dropout", "matmul", "bmm", "linear", "mse_loss", "nll_loss"]);
}

function makeRule(context) {
  const { op } = context;
  if (op in unaryRules) return unaryRule(context);
  if (op === "dropout") return dropoutRule(context);
  if (op in binaryRules) return binaryRule(context);
  if (alongOps.includes(op)) return alongRule(context);
  if (op === "matmul" || op === "bmm") return matmulRule(context);
  if (op === "linear") return linearRule(context);
  if (copyingOps.includes(op)) return copyRule(context);
  if (op === "nll_loss") return weightedRule(context);
  if (op === "mse_loss") return squaredErrorRule(context);
  return null;
}

// What was drawn is not in the trace; where x is not 0, y / x is it.
function dropoutRule({ x, y }) {
  return {
    sources: (k, i) => [i],
    slope: (k, i) => (x[0].data[i] === 0 ? null : factor(y.data[i] / x[0].data[i], "keep " + shown(y.data[i] / x[0].data[i]), [])),
    made: (i) => ({ text: shown(x[0].data[i]) + " \u00b7 keep" }),
  };
}

// ---- of a node of the trace ----------------------------------------------------------------------------------------------

// { rule, x, y }, or { why }: why the page cannot tell where the elements of this op come from.
function cellsOf(model, node) {
  model.cells = model.cells || new Map();
  if (!model.cells.has(node.id)) model.cells.set(node.id, findCells(model, node));
  return model.cells.get(node.id);
}

function findCells(model, node) {
  if (node.isLeaf) return { why: "a leaf is made by no op" };
  const y = tensorOf(model, node.value);
  const present = node.inputs.filter((input) => input.node !== undefined || input.value !== undefined);
  const x = present.map((input) => tensorOf(model, inputValue(model, input)));
  if (!y || x.some((one) => !one)) return { why: "its values were not recorded" };
  if (!y.complete || x.some((one) => !one.complete)) return { why: "its tensors are too large to be kept completely" };
  const [copiedFrom, factors] = [node.copied_from, node.factors].map((index) => tensorOf(model, index))
    .map((tensor) => (tensor && tensor.complete ? tensor : null));
  const rule = makeRule({ op: node.op, x, y, along: node.along, copiedFrom, factors });
  if (!rule && knownOps().has(node.op)) return { why: "the trace does not tell enough about this " + node.op };
  if (!rule) return { why: "the page knows no rule for " + node.op };
  return { rule, x, y };
}

function inputValue(model, input) {
  const node = input.node === undefined ? undefined : model.nodes.get(input.node);
  return node ? node.value : input.value;
}

// The elements of the output that read element j of input k.
function readersOf(cells, k, j) {
  const list = [];
  for (let i = 0; i < cells.y.data.length; ++i) if (cells.rule.sources(k, i).includes(j)) list.push(i);
  return list;
}

// The contribution of an op to element j of the gradient of its input k: { terms: [{ i, dy, slope }], value, isExact }.
// `value` is undefined where a factor is not known.
function backwardTerms(model, node, k, j) {
  const cells = cellsOf(model, node);
  if (!cells.rule) return { why: cells.why };
  const dy = tensorOf(model, node.gradient);
  if (!dy || !dy.complete) return { why: "the gradient that it was given was not kept completely" };
  const terms = readersOf(cells, k, j).map((i) => ({ i, dy: dy.data[i], slope: cells.rule.slope(k, i, j) }));
  const known = terms.every((term) => term.slope);
  const value = known ? terms.reduce((sum, term) => sum + term.dy * term.slope.value, 0) : undefined;
  const size = known ? terms.reduce((sum, term) => sum + Math.abs(term.dy * term.slope.value), 0) : 0;
  return { terms, value, size, dy };
}

// Is it what backward gave, up to the rounding of the dtype?
function agrees(terms, given, dtype) {
  if (terms.value === undefined || !Number.isFinite(terms.value) || !Number.isFinite(given)) return true;
  return Math.abs(terms.value - given) <= (dtype === "float32" ? 1e-4 : 1e-9) * (terms.size + Math.abs(given)) + 1e-300;
}
