"use strict";
// The trace as the page holds it, in columns of numbers (packed_trace.cpp), becomes the trace of docs/trace-format.md:
// the same objects as in the JSON file, only that numbers are numbers ("NaN" is NaN) and a tensor is made when it is asked
// for. Pure functions without the browser.

// Asks for them with at(i), as an array does.
class PackedTensors {
  constructor(columns, lists, strings, single, exact) {
    Object.assign(this, { columns, lists, strings, single, exact });
    this.length = columns.shape.length;
    this.places = new Float64Array(this.length);  // where each begins, in `single` or in `exact`
    this.made = new Map();
    let inSingle = 0;
    let inExact = 0;
    for (let i = 0; i < this.length; ++i) {
      const isSingle = strings[columns.dtype[i]] === "float32";
      const place = isSingle ? inSingle : inExact;
      this.places[i] = place;
      const numbers = isSingle ? single : exact;
      const rows = columns.rows[i];
      const size = rows > 0 ? summarySize + rows * numbers[place + summarySize - 1] : countOf(lists[columns.shape[i]]);
      if (isSingle) inSingle += size;
      else inExact += size;
    }
  }

  at(i) {
    if (!this.made.has(i)) this.made.set(i, this.make(i));
    return this.made.get(i);
  }

  make(i) {
    const shape = this.lists[this.columns.shape[i]];
    const dtype = this.strings[this.columns.dtype[i]];
    const numbers = dtype === "float32" ? this.single : this.exact;
    const place = this.places[i];
    const rows = this.columns.rows[i];
    if (rows === 0) return { shape, dtype, values: [...numbers.subarray(place, place + countOf(shape))] };
    const [min, max, mean, norm, nan, inf, columns] = numbers.subarray(place, place + summarySize);
    const cells = [...numbers.subarray(place + summarySize, place + summarySize + rows * columns)];
    return { shape, dtype, min, max, mean, norm, nan, inf, rows, columns, cells };
  }
}

const summarySize = 7;

function countOf(shape) {
  return shape.reduce((a, b) => a * b, 1);
}

function bytesOf(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  return bytes.buffer;
}

function unpackTrace(packed) {
  if (!packed || !packed.nodes || packed.nodes.packed === undefined) return packed;  // the JSON file's form
  const { strings, lists, single, exact, ...trace } = packed;
  trace.tensors = new PackedTensors(packed.tensors, lists, strings, new Float32Array(bytesOf(single)), new Float64Array(bytesOf(exact)));
  trace.nodes = unpackNodes(packed.nodes, strings, lists);
  trace.uses = packed.uses.leaf.map((leaf, i) => ({ leaf, user: packed.uses.user[i], input: packed.uses.input[i] }));
  trace.steps = unpackSteps(packed.steps);
  trace.contributions = unpackContributions(packed.contributions);
  return trace;
}

function unpackNodes(columns, strings, lists) {
  const named = (name, id) => (name < 0 ? "%" + id : strings[name]);
  let id = 0;
  let input = 0;
  return columns.id.map((distance, i) => {
    id += distance;
    const node = { id, label: named(columns.label[i], id), op: strings[columns.op[i]] };
    for (const name of ["line", "origin"]) if (columns[name][i] >= 0) node[name] = columns[name][i];
    if (strings[columns.module[i]] !== "") node.module = strings[columns.module[i]];
    if (lists[columns.time_steps[i]].length > 0) node.time_steps = lists[columns.time_steps[i]];
    if (node.op !== "leaf") node.group = columns.group[i];
    node.shape = lists[columns.shape[i]];
    node.dtype = strings[columns.dtype[i]];
    for (const name of ["value", "gradient", "copied_from", "factors"]) if (columns[name][i] >= 0) node[name] = columns[name][i];
    if (lists[columns.along[i]].length > 0) node.along = lists[columns.along[i]];
    node.expected = columns.expected[i];
    node.inputs = [];
    for (const end = input + columns.input_count[i]; input < end; ++input) {
      const one = {};
      if (columns.input_node[input] !== 0) one.node = id - columns.input_node[input];
      if (columns.input_use[input] >= 0) one.use = columns.input_use[input];
      const name = named(columns.input_name[input], one.node || 0);
      if (name !== "") one.name = name;
      if (columns.input_value[input] >= 0) one.value = columns.input_value[input];
      node.inputs.push(one);
    }
    return node;
  });
}

function unpackSteps(columns) {
  let end = 0;
  return columns.node.map((node, i) => {
    const first = end + columns.first[i];
    end = first + columns.count[i];
    return { node, first, last: end };
  });
}

function unpackContributions(columns) {
  return columns.to.map((to, i) => {
    const contribution = { to };
    if (columns.from[i] !== 0) Object.assign(contribution, { from: to + columns.from[i], input: columns.input[i] });
    if (columns.value[i] >= 0) contribution.value = columns.value[i];
    if (columns.use[i] >= 0) contribution.use = columns.use[i];
    return contribution;
  });
}
