// The page's pure functions in node, without a browser: the state at each time, and where everything is placed.
//
//   node model_test.mjs PAGE_SOURCES FOLDER      FOLDER: as write_pages left it

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { exitCode, test } from "../playground/reader.mjs";

const [sources, folder] = process.argv.slice(2);
const code = ["model.js", "rows.js", "place.js", "cells.js"].map((file) => readFileSync(join(sources, file), "utf8")).join("\n");
const names = ["makeModel", "stateOf", "momentAt", "textOf", "positionOf", "nextEvent", "gradientAt", "arrivedAt", "addTensors", "readTensor", "formatNumber",
               "exactNumber", "searchNodes", "tensorOf", "slopesOf", "backwardTerms", "agrees", "openAtFirst", "openableGroups", "place", "isBox",
               "groupOf"];
const page = new Function(code + "\nreturn {" + names.join(", ") + "};")();

function load(file) {
  const html = readFileSync(join(folder, file), "utf8");
  const begin = html.indexOf(">", html.indexOf('id="trace"')) + 1;
  return page.makeModel(JSON.parse(html.slice(begin, html.indexOf("</script>", begin))));
}
const small = load("small.html");
const large = load("large.html");
const cells = load("cells.html");

await test("a step of backward has the debugger's number, and is found by it", () => {
  const steps = small.trace.steps;
  steps.forEach((step, i) => {
    const number = "#" + (i + 1);
    assert.equal(page.positionOf(small, small.nodes.get(step.node).ranAt), number + " of " + steps.length);
    assert.equal(page.searchNodes(small, number, 1)[0], step.node);
  });
  assert.equal(page.positionOf(small, 1), "1 of " + small.forward);
});

await test("every op is computed once and runs back once", () => {
  for (const model of [small, large]) {
    const seen = new Map();
    for (let time = 1; time <= model.last; ++time) {
      const { phase, node } = page.momentAt(model, time);
      assert.ok(model.nodes.has(node), `time ${time}`);
      const key = phase + node;
      assert.ok(!seen.has(key), `${key} at ${seen.get(key)} and ${time}`);
      seen.set(key, time);
      assert.ok(page.textOf(model, time).length > 0);
    }
    assert.equal(seen.size, model.last);
  }
});

await test("a gradient grows, is complete when its op runs, and is never there before it arrives", () => {
  for (const model of [small, large]) {
    for (const node of model.nodes.values()) {
      const order = ["waiting", "partial", "complete"];
      let before = { arrived: 0, gradient: "waiting" };
      const times = new Set([0, model.last]);
      for (const { time } of node.arrivals) [time - 1, time].forEach((t) => times.add(t));
      for (const time of [...times].sort((a, b) => a - b)) {
        const state = page.stateOf(model, node.id, time);
        if (state.gradient === "none") continue;
        assert.ok(state.arrived >= before.arrived);
        assert.ok(order.indexOf(state.gradient) >= order.indexOf(before.gradient));
        assert.equal(page.gradientAt(model, node.id, time) === null, state.arrived === 0);
        if (state.ran) assert.equal(state.gradient, "complete");
        before = state;
      }
    }
  }
});

await test("the sum of the contributions is the gradient to the bit, for every op of the large graph", () => {
  let compared = 0;
  for (const node of large.nodes.values()) {
    if (node.arrivals.length === 0 || node.ranAt === Infinity) continue;
    const sum = page.gradientAt(large, node.id, node.ranAt - 1);
    const given = page.gradientAt(large, node.id, node.ranAt);
    if (!sum.complete) continue;
    assert.deepEqual(sum.data, given.data, `%${node.id}`);
    ++compared;
  }
  assert.ok(compared > 4000, String(compared));
});

await test("the next event of an op leads through its value, its contributions and its backward", () => {
  const leaf = [...small.nodes.values()].find((node) => node.isLeaf);
  const times = [];
  for (let time = -1; page.nextEvent(small, leaf.id, time) !== time;) times.push(time = page.nextEvent(small, leaf.id, time));
  assert.equal(times.length, 6);  // given, four contributions, its own step
});

function overlaps(a, b) {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

function checkPlaces(model, open) {
  const layout = page.place(model, open);
  const parentOf = (item) => {
    let group = page.groupOf(model, item);
    while (group !== undefined && !page.isBox(model.groups[group], group)) group = model.groups[group].parent;
    return group;
  };
  const children = new Map();
  for (const box of layout.boxes.values()) {
    assert.ok([box.x, box.y, box.w, box.h].every(Number.isFinite), box.item);
    const parent = parentOf(box.item);
    if (!children.has(parent)) children.set(parent, []);
    children.get(parent).push(box);
    const outer = parent === undefined ? { x: 0, y: 0, w: layout.width, h: layout.height } : layout.boxes.get("g" + parent);
    const inside = box.x >= outer.x - 0.5 && box.y >= outer.y - 0.5 && box.x + box.w <= outer.x + outer.w + 0.5 && box.y + box.h <= outer.y + outer.h + 0.5;
    assert.ok(inside, `${box.item} reaches out of g${parent}`);
  }
  for (const list of children.values()) {
    list.sort((a, b) => a.x - b.x);
    for (let i = 0; i < list.length; ++i) {
      for (let j = i + 1; j < list.length && list[j].x < list[i].x + list[i].w; ++j) {
        assert.ok(!overlaps(list[i], list[j]), `${list[i].item} stands on ${list[j].item}`);
      }
    }
  }
  for (const edge of layout.edges) {
    assert.ok([edge.x1, edge.y1, edge.x2, edge.y2, ...edge.lane.map((at) => at.x)].every(Number.isFinite));
  }
  return layout;
}

await test("nothing stands on anything else, closed, opened in part, or all open", () => {
  for (const model of [small, large]) {
    const all = page.openableGroups(model);
    const opened = [new Set(), page.openAtFirst(model, 60), new Set(all), new Set(all.filter((_, i) => i % 3 !== 1))];
    for (const open of opened) checkPlaces(model, open);
    const seen = checkPlaces(model, new Set(all)).boxes;
    assert.equal([...seen.values()].filter((box) => box.kind === "node").length, model.forward);
    assert.equal([...seen.values()].filter((box) => box.kind === "use").length, model.trace.uses.length);
  }
  assert.ok(page.openAtFirst(large, 60).size > 0);
  assert.ok(checkPlaces(large, page.openAtFirst(large, 60)).boxes.size <= 100);
});

await test("numbers are written so that they can be told apart", () => {
  assert.equal(page.exactNumber(Math.fround(0.1), "float32"), "0.1");
  assert.equal(page.exactNumber(0.1 + 0.2, "float64"), "0.30000000000000004");
  assert.equal(page.formatNumber(NaN), "NaN");
  assert.equal(page.formatNumber(-Infinity), "\u2212\u221e");
  assert.equal(page.formatNumber(-0.000012345), "\u22121.23e\u22125");
  const tensor = page.readTensor({ shape: [3], dtype: "float32", values: ["NaN", "-Infinity", 2] });
  assert.deepEqual([tensor.nan, tensor.inf, tensor.min, tensor.norm], [1, 1, 2, 2]);
});

// Every op and use stands in one row of its group, below its inputs there, and every group in one of its parent.
function checkRows(model) {
  const rowOf = new Map();
  model.groups.forEach((group, g) => group.rows.forEach((row, r) => {
    assert.ok(row.length > 0);
    for (const item of row) {
      assert.ok(!rowOf.has(item), item + " stands twice");
      rowOf.set(item, r);
      assert.equal(page.groupOf(model, item), g);
    }
  }));
  assert.equal(rowOf.size, model.forward + model.trace.uses.length + model.groups.length - 1);
  for (const node of model.order) {
    for (const input of node.inputs) {
      if (model.nodes.has(input.node) && !model.nodes.get(input.node).isLeaf && model.nodes.get(input.node).group === node.group) {
        assert.ok(rowOf.get("n" + input.node) < rowOf.get("n" + node.id), `%${node.id}`);
      }
    }
  }
}

await test("ops stand below their inputs, the steps of a loop beside each other in the order of time", () => {
  for (const model of [small, large, cells]) checkRows(model);
  const loopsOf = (model) => model.groups.filter((group) => group.kind === "loop").map((group) => {
    assert.equal(group.rows.length, 1);
    return group.rows[0].map((item) => model.groups[Number(item.slice(1))]).map((column) => (column.kind === "step" ? column.step : "|")).join("");
  });
  assert.deepEqual(loopsOf(small), ["0123"]);
  assert.deepEqual(loopsOf(cells), ["0|1|2"]);  // it ran backwards
});

await test("a deep graph without modules has a row for each op", () => {
  const deep = 5000;
  const nodes = Array.from({ length: deep }, (_, i) => ({ id: i + 1, label: "%" + (i + 1), op: i === 0 ? "leaf" : "mul", is_leaf: i === 0, group: 0, shape: [],
    dtype: "float32", expected: 1, inputs: i === 0 ? [] : [{ node: i, ...(i === 1 ? { use: 0 } : {}) }] }));
  const model = page.makeModel({ format: "backstep-trace", version: 2, groups: [{ kind: "module" }], nodes, uses: [{ leaf: 1, user: 2, input: 0 }],
    ops: [], lines: [], steps: [], contributions: [], tensors: [] });
  checkRows(model);
  assert.equal(model.groups[0].rows.length, deep);
});

const nodeOf = (model, op) => model.order.find((node) => node.op === op);

await test("an element came from those of its op's inputs that its kind reads, one's own op's as well", () => {
  const expected = {  // which of nine elements output element 1 of a [3, 3] came from
    relu: [[1]], mul: [[1], [1]], permute: [[3]], softmax: [[1, 4, 7]], embedding: [[7]], learners_square: [[1]], matmul: [[0, 1, 2], [1, 4, 7]] };
  for (const [op, inputs] of Object.entries(expected)) {
    const node = nodeOf(cells, op);
    inputs.forEach((elements, k) => {
      const slopes = page.slopesOf(cells, node, k);
      const read = slopes.readBy(1).filter((term) => term.slope !== 0).map((term) => term.j);
      const value = page.tensorOf(cells, cells.nodes.get(node.inputs[k].node).value);
      const isOff = op === "relu" && value.data[1] < 0;
      assert.deepEqual(read, isOff ? [] : elements, `${op}, input ${k}`);
      for (const j of read) assert.ok(slopes.readersOf(j).some((term) => term.i === 1));
    });
  }
  const square = nodeOf(cells, "learners_square");
  const [term] = page.slopesOf(cells, square, 0).readBy(4);
  assert.ok(Math.abs(term.slope - 2 * page.tensorOf(cells, cells.nodes.get(square.inputs[0].node).value).data[4]) < 1e-12);
});

await test("the terms of each contribution add up to what backward gave", () => {
  let compared = 0;
  for (const model of [small, large, cells]) {
    for (const contribution of model.trace.contributions) {
      if (!contribution.from) continue;
      const from = model.nodes.get(contribution.from);
      const given = page.tensorOf(model, contribution.value);
      if (!given.complete || given.data.length === 0) continue;
      for (const j of new Set([0, given.data.length - 1])) {
        const terms = page.backwardTerms(model, from, contribution.input, j);
        if (!terms) continue;
        assert.ok(page.agrees(terms, given.data[j], given.dtype), `%${from.id} ${from.op} input ${contribution.input} [${j}]: ${terms.value}, not ${given.data[j]}`);
        ++compared;
      }
    }
  }
  assert.ok(compared > 5000, String(compared));
  assert.ok(!page.agrees({ value: 1, size: 1 }, 1.001, "float32"));
});

await test("what is not a trace, or one of another version, is refused", () => {
  assert.throws(() => page.makeModel({}), /not a trace/);
  assert.throws(() => page.makeModel({ format: "backstep-trace", version: 1 }), /version 2, not 1/);
});

process.exit(exitCode());
