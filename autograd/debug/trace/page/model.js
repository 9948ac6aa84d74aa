"use strict";
// The trace as the page uses it, and what is true at a point of the replay. Pure functions without the browser:
// tests/browser/page runs them in node.
//
// Time: 0 is before the first op, 1..forward are the ops of the program, forward + 1 is the start of backward(), where
// the gradients that it starts with are in place, and then comes one more for each op's backward.

function makeModel(trace) {
  if (!trace || trace.format !== "backstep-trace") throw new Error("This is not a trace of Backstep.");
  if (trace.version !== 2) throw new Error("This page shows traces of version 2, not " + trace.version + ".");
  const groups = trace.groups.map((group) => ({ name: "", ...group }));
  const model = { trace, groups, nodes: new Map(), ops: new Map(), order: [], users: new Map() };
  for (const op of trace.ops) model.ops.set(op.name, op);
  for (const node of trace.nodes) {
    const shown = { ...node, isLeaf: node.is_leaf, uses: [], arrivals: [], valueAt: 0, ranAt: Infinity };
    model.nodes.set(node.id, shown);
    if (shown.isLeaf) continue;
    model.order.push(shown);
    shown.valueAt = model.order.length;
  }
  trace.uses.forEach((use, i) => model.nodes.get(use.leaf).uses.push(i));
  for (const node of model.nodes.values()) {
    for (const input of node.inputs) {
      if (input.node) append(model.users, input.node, node.id);
    }
  }
  model.forward = model.order.length;
  model.last = model.forward + 1 + trace.steps.length;
  const firstOfSteps = trace.steps.length > 0 ? trace.steps[0].first : trace.contributions.length;
  for (let i = 0; i < firstOfSteps; ++i) addArrival(model, i, model.forward + 1);
  trace.steps.forEach((step, i) => {
    const time = model.forward + 2 + i;
    const node = model.nodes.get(step.node);
    if (node) node.ranAt = time;
    for (let c = step.first; c < step.last; ++c) addArrival(model, c, time);
  });
  for (const node of model.nodes.values()) {
    node.completeAt = completeAt(node);
    node.arrivalTimes = node.arrivals.map(({ time }) => time);
  }
  addRows(model);
  return model;
}

// Adds to the list that a map has for a key.
function append(map, key, value) {
  if (map.has(key)) map.get(key).push(value);
  else map.set(key, [value]);
}

function addArrival(model, contribution, time) {
  const node = model.nodes.get(model.trace.contributions[contribution].to);
  if (node) node.arrivals.push({ contribution, time });
}

// An op whose gradient was given to its backward has all of it, even if an input promised more than it sent.
function completeAt(node) {
  const count = node.arrivals.length;
  if (count === 0) return Infinity;
  if (count >= node.expected) return Math.min(node.arrivals[count - 1].time, node.ranAt);
  return node.ranAt;
}

// How many of the ascending numbers are not beyond this one.
function countUntil(numbers, most) {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] <= most) low = middle + 1;
    else high = middle;
  }
  return low;
}

const arrivedAt = (node, time) => countUntil(node.arrivalTimes, time);

// gradient: "none" (none will ever come), "waiting", "partial", "complete".
function stateOf(model, id, time) {
  const node = model.nodes.get(id);
  const arrived = arrivedAt(node, time);
  let gradient = "waiting";
  if (node.arrivals.length === 0) gradient = "none";
  else if (time >= node.completeAt) gradient = "complete";
  else if (arrived > 0) gradient = "partial";
  return { computed: time >= node.valueAt, arrived, expected: Math.max(node.expected, node.arrivals.length), gradient,
           ran: time >= node.ranAt };
}

// The op of this moment: { phase: "start" | "forward" | "seed" | "backward", node, contributions }.
function momentAt(model, time) {
  if (time <= 0) return { phase: "start", node: null, contributions: [] };
  if (time <= model.forward) return { phase: "forward", node: model.order[time - 1].id, contributions: [] };
  const seeds = model.trace.steps.length > 0 ? model.trace.steps[0].first : model.trace.contributions.length;
  if (time === model.forward + 1) {
    const root = seeds > 0 ? model.trace.contributions[0].to : null;
    return { phase: "seed", node: root, contributions: range(0, seeds) };
  }
  const step = model.trace.steps[time - model.forward - 2];
  return { phase: "backward", node: step.node, contributions: range(step.first, step.last) };
}

function range(first, last) {
  return Array.from({ length: last - first }, (_, i) => first + i);
}

// Where the replay stands: in backward as in the debugger, "#29 of 245".
function positionOf(model, time) {
  if (time <= model.forward) return time + " of " + model.forward;
  return stepNumber(model, time) + " of " + model.trace.steps.length;
}

// The number that the debugger gives to the op whose backward runs at this time, if it ever runs.
function stepNumber(model, time) {
  return time === Infinity ? "" : "#" + (time - model.forward - 1);
}

// Has the program a name for it?
function hasName(node) {
  return node.label !== "%" + node.id;
}

function nameOf(node) {
  return node.isLeaf || hasName(node) ? node.label : node.label + " " + node.op;
}

function textOf(model, time) {
  const moment = momentAt(model, time);
  const node = moment.node === null ? null : model.nodes.get(moment.node);
  const place = node && node.module ? ", in " + node.module : "";
  switch (moment.phase) {
    case "start": return "Before the first op";
    case "forward": return "Forward: " + nameOf(node) + " is computed" + place;
    case "seed": return "Backward begins" + (node ? " at " + nameOf(node) : "");
  }
  if (node.isLeaf) return "Backward: the gradient of " + nameOf(node) + " is complete";
  const targets = moment.contributions.map((c) => nameOf(model.nodes.get(model.trace.contributions[c].to)));
  return "Backward: " + nameOf(node) + (targets.length > 0 ? " contributes to " + targets.join(", ") : "") + place;
}

// The next time at which something happens to this node; `time` itself if nothing does.
function nextEvent(model, id, time) {
  const node = model.nodes.get(id);
  const events = [node.valueAt, node.ranAt, ...node.arrivals.map((arrival) => arrival.time)];
  const later = events.filter((event) => event > time && event <= model.last);
  return later.length > 0 ? Math.min(...later) : time;
}

// ---- numbers --------------------------------------------------------------------------------------------------

function toNumber(value) {
  if (typeof value === "number") return value;
  return value === "NaN" ? NaN : value === "Infinity" ? Infinity : -Infinity;
}

// { shape, dtype, complete, rows, columns, data, min, max, ... }: `data` are the numbers, or the cells of the picture.
function tensorOf(model, index) {
  if (index === undefined) return null;
  model.tensors = model.tensors || new Map();
  if (!model.tensors.has(index)) model.tensors.set(index, readTensor(model.trace.tensors[index]));
  return model.tensors.get(index);
}

function readTensor(json) {
  const complete = json.values !== undefined;
  const data = (complete ? json.values : json.cells).map(toNumber);
  if (json.dtype === "float32" && complete) data.forEach((value, i) => { data[i] = Math.fround(value); });
  const tensor = { shape: json.shape, dtype: json.dtype, complete, data };
  tensor.columns = complete ? (json.shape.length > 0 ? json.shape[json.shape.length - 1] : 1) : json.columns;
  tensor.rows = complete ? (tensor.columns > 0 ? data.length / tensor.columns : 0) : json.rows;
  if (complete) return { ...tensor, ...statisticsOf(data) };
  return { ...tensor, min: toNumber(json.min), max: toNumber(json.max), mean: toNumber(json.mean),
           norm: toNumber(json.norm), nan: json.nan, inf: json.inf };
}

function statisticsOf(data) {
  let min = Infinity, max = -Infinity, sum = 0, squares = 0, finite = 0, nan = 0, inf = 0;
  for (const value of data) {
    if (Number.isNaN(value)) ++nan;
    else if (!Number.isFinite(value)) ++inf;
    else {
      min = Math.min(min, value);
      max = Math.max(max, value);
      sum += value;
      squares += value * value;
      ++finite;
    }
  }
  if (finite === 0) return { min: NaN, max: NaN, mean: NaN, norm: NaN, nan, inf };
  return { min, max, mean: sum / finite, norm: Math.sqrt(squares), nan, inf };
}

// "NaN", "Inf" or "": what is wrong with a tensor.
function flawOf(model, index) {
  if (index === undefined) return "";
  model.flaws = model.flaws || new Map();
  if (!model.flaws.has(index)) {
    const json = model.trace.tensors[index];
    const numbers = json.values ? json.values.map(toNumber) : [];
    const nan = json.values ? numbers.some(Number.isNaN) : json.nan > 0;
    const inf = json.values ? numbers.some((value) => !Number.isFinite(value)) : json.inf > 0;
    model.flaws.set(index, nan ? "NaN" : inf ? "Inf" : "");
  }
  return model.flaws.get(index);
}

// Added in the order of arrival and rounded as the engine does: the same bits.
function addTensors(a, b) {
  const round = a.complete && a.dtype === "float32" ? Math.fround : (x) => x;
  const data = a.data.map((value, i) => round(value + b.data[i]));
  const sum = { ...a, data };
  if (a.complete) return { ...sum, ...statisticsOf(data) };
  return { ...sum, min: NaN, max: NaN, mean: NaN, norm: NaN, nan: 0, inf: 0, noStatistics: true };
}

// What the node's gradient is at that time; null as long as nothing has arrived, which is not zero.
function gradientAt(model, id, time) {
  const node = model.nodes.get(id);
  if (time >= node.ranAt || (time >= node.completeAt && node.ranAt === Infinity)) {
    return tensorOf(model, node.gradient);
  }
  let sum = null;
  for (let i = 0; i < arrivedAt(node, time); ++i) {
    const value = tensorOf(model, model.trace.contributions[node.arrivals[i].contribution].value);
    if (value) sum = sum === null ? value : addTensors(sum, value);
  }
  return sum;
}

// Did a hook hand the op another gradient than the sum of what arrived?
function wasReplaced(model, id) {
  const node = model.nodes.get(id);
  if (node.ranAt === Infinity || node.arrivals.length === 0) return false;
  const sum = gradientAt(model, id, node.ranAt - 1);
  const given = tensorOf(model, node.gradient);
  if (!sum || !given || !sum.complete || !given.complete || sum.noStatistics) return false;
  return sum.data.some((value, i) => !Object.is(value, given.data[i]) && value !== given.data[i]);
}

function formatNumber(value) {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "\u221e" : "\u2212\u221e";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (Number.isInteger(value) && size < 1e6) return String(value).replace("-", "\u2212");
  const text = size >= 1e5 || size < 1e-3 ? value.toExponential(2) : value.toPrecision(4);
  return text.replace("-", "\u2212").replace("e-", "e\u2212").replace("e+", "e");
}

// A lone number, or the norm.
function briefText(tensor) {
  if (!tensor) return "";
  if (tensor.data.length === 1 && tensor.complete) return formatNumber(tensor.data[0]);
  return tensor.data.length === 0 ? "empty" : tensor.noStatistics ? "" : "\u2016" + formatNumber(tensor.norm) + "\u2016";
}

// All digits that distinguish it from its neighbours.
function exactNumber(value, dtype) {
  if (!Number.isFinite(value) || dtype !== "float32") return String(value);
  for (let digits = 1; digits < 17; ++digits) {
    const text = value.toPrecision(digits);
    if (Math.fround(Number(text)) === value) return String(Number(text));
  }
  return String(value);
}

function shapeText(shape) {
  return "[" + shape.join(", ") + "]";
}

// ---- search ----------------------------------------------------------------------------------------------------

function lineText(model, index) {
  if (index === undefined) return "";
  const line = model.trace.lines[index];
  return line.file + ":" + line.line;
}

// Every word of the query must be found in the number, name, op, module, line or source text. First what is called so.
function searchNodes(model, query, most) {
  const words = query.toLowerCase().split(/\s+/).filter((word) => word.length > 0);
  if (words.length === 0) return [];
  const found = [];
  for (const node of model.nodes.values()) {
    if (node.searchText === undefined) {
      const source = node.line === undefined ? "" : model.trace.lines[node.line].text || "";
      node.searchText = ["%" + node.id, stepNumber(model, node.ranAt), node.label, node.op, node.module || "", lineText(model, node.line),
                         lineText(model, node.origin), source].join("\n").toLowerCase();
    }
    if (!words.every((word) => node.searchText.includes(word))) continue;
    const exact = ["%" + node.id, stepNumber(model, node.ranAt), String(node.id), node.label.toLowerCase(), node.op.toLowerCase()];
    found.push({ id: node.id, exact: words.filter((word) => exact.includes(word)).length });
  }
  found.sort((a, b) => b.exact - a.exact || a.id - b.id);
  return found.slice(0, most).map((entry) => entry.id);
}
