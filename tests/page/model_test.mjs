// The page's pure functions in node, without a browser: the state at each time, and where everything is placed.
//
//   node model_test.mjs PAGE_SOURCES FOLDER      FOLDER: as write_pages left it

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const [sources, folder] = process.argv.slice(2);
const code = ["unpack.js", "model.js", "cells.js", "place.js"].map((file) => readFileSync(join(sources, file), "utf8")).join("\n");
const names = ["unpackTrace", "makeModel", "stateOf", "momentAt", "textOf", "nextEvent", "gradientAt", "arrivedAt", "addTensors", "readTensor", "formatNumber",
               "exactNumber", "searchNodes", "cellsOf", "readersOf", "backwardTerms", "agrees", "openAtFirst", "openableGroups", "place", "isBox"];
const page = new Function(code + "\nreturn {" + names.join(", ") + "};")();

function load(file) {
  const html = readFileSync(join(folder, file), "utf8");
  const begin = html.indexOf(">", html.indexOf('id="trace"')) + 1;
  return page.makeModel(page.unpackTrace(JSON.parse(html.slice(begin, html.indexOf("</script>", begin)))));
}
const small = load("small.html");
const large = load("large.html");

let failures = 0;
function test(name, body) {
  try {
    body();
    console.log("ok      " + name);
  } catch (error) {
    ++failures;
    console.log("FAILED  " + name + "\n" + error.stack);
  }
}

test("every op is computed once and runs back once", () => {
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

test("a gradient grows, is complete when its op runs, and is never there before it arrives", () => {
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

test("the sum of the contributions is the gradient to the bit, for every op of the large graph", () => {
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

test("the next event of an op leads through its value, its contributions and its backward", () => {
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
    let group = item[0] === "g" ? model.trace.groups[Number(item.slice(1))].parent
              : item[0] === "n" ? model.nodes.get(Number(item.slice(1))).group : model.nodes.get(model.trace.uses[Number(item.slice(1))].user).group;
    while (group !== undefined && !page.isBox(model.trace.groups[group], group)) group = model.trace.groups[group].parent;
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

test("nothing stands on anything else, closed, opened in part, or all open", () => {
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

test("numbers are written so that they can be told apart", () => {
  assert.equal(page.exactNumber(Math.fround(0.1), "float32"), "0.1");
  assert.equal(page.exactNumber(0.1 + 0.2, "float64"), "0.30000000000000004");
  assert.equal(page.formatNumber(NaN), "NaN");
  assert.equal(page.formatNumber(-Infinity), "\u2212\u221e");
  assert.equal(page.formatNumber(-0.000012345), "\u22121.23e\u22125");
  const tensor = page.readTensor({ shape: [3], dtype: "float32", values: ["NaN", "-Infinity", 2] });
  assert.deepEqual([tensor.nan, tensor.inf, tensor.min, tensor.norm], [1, 1, 2, 2]);
});

test("the page's packed trace is the JSON file's, in every node, contribution and number", () => {
  const plain = (tensor) => JSON.parse(JSON.stringify(tensor, (_, value) =>
    (typeof value === "number" && !Number.isFinite(value) ? String(value) : value)));
  for (const [model, file] of [[small, "small.json"], [large, "large.json"]]) {
    const written = JSON.parse(readFileSync(join(folder, file), "utf8"));
    for (const key of Object.keys(written)) {
      if (key !== "tensors") assert.deepEqual(model.trace[key], written[key], key);
    }
    assert.equal(model.trace.tensors.length, written.tensors.length);
    written.tensors.forEach((tensor, i) => {
      const { hash, ...expected } = tensor;
      if (tensor.values) return assert.deepEqual(plain(page.readTensor(model.trace.tensors.at(i))), plain(page.readTensor(tensor)));
      const found = model.trace.tensors.at(i);  // a summary is rounded to a float
      for (const name of ["shape", "rows", "columns", "nan", "inf"]) assert.deepEqual(found[name], expected[name]);
      expected.cells.forEach((cell, c) => assert.ok(Math.abs(cell - found.cells[c]) <= 1e-5 * Math.abs(cell)));
    });
  }
});

// Every op of cells.html, against Jacobians by central differences of the engine's forward: jacobian[k][i][j].
test("the elements, factors and formulas of every op's cells are those of its numerical Jacobian", () => {
  const cells = load("cells.html");
  const jacobians = JSON.parse(readFileSync(join(folder, "cells.json"), "utf8"));
  const seen = new Map();
  for (const [id, jacobian] of Object.entries(jacobians)) {
    const node = cells.nodes.get(Number(id));
    const found = page.cellsOf(cells, node);
    if (!found.rule) {
      assert.match(found.why, /no rule/, `%${id} ${node.op}`);
      seen.set(node.op, false);
      continue;
    }
    seen.set(node.op, true);
    const mayBeZero = ["relu", "clamp", "dropout", "amax", "max", "min", "maximum", "masked_softmax", "mul"].includes(node.op);
    jacobian.forEach((matrix, k) => {
      const what = (i, j) => `%${id} ${node.op}, input ${k}, y[${i}] of x[${j}]`;
      const readers = found.x[k].data.map((_, j) => page.readersOf(found, k, j));
      matrix.forEach((row, i) => {
        const sources = found.rule.sources(k, i);
        assert.deepEqual([...sources].sort((a, b) => a - b), [...new Set(sources)].sort((a, b) => a - b));
        row.forEach((numeric, j) => {
          const reads = sources.includes(j);
          assert.equal(readers[j].includes(i), reads, what(i, j));
          if (!reads) return assert.equal(numeric, 0, what(i, j) + ": it is read");
          const slope = found.rule.slope(k, i, j);
          assert.ok(Math.abs(slope.value - numeric) < 1e-6 * (1 + Math.abs(numeric)), `${what(i, j)}: ${slope.value}, not ${numeric}`);
          if (!mayBeZero) assert.notEqual(numeric, 0, what(i, j) + ": it is not read");
          assert.ok(slope.text.length > 0 && !/NaN|undefined/.test(slope.text), slope.text);
        });
      });
    });
    node.value !== undefined && found.y.data.forEach((value, i) => {
      const made = found.rule.made(i);
      assert.ok(made.text.length > 0 && !/NaN|undefined/.test(made.text), made.text);
      if (made.value !== undefined) assert.ok(Math.abs(made.value - value) < 1e-9 * (1 + Math.abs(value)), `%${id} ${node.op}: ${made.value}, not ${value}`);
    });
  }
  const known = [...seen].filter(([, has]) => has).map(([op]) => op);
  console.log(`        ${Object.keys(jacobians).length} ops of ${seen.size} kinds; no rule for ${[...seen].filter(([, has]) => !has).map(([op]) => op).join(", ")}`);
  assert.ok(known.length >= 51, known.join(" "));
});

test("the formula of each contribution gives what backward gave", () => {
  let compared = 0;
  for (const model of [small, large, load("cells.html")]) {
    for (const contribution of model.trace.contributions) {
      if (contribution.from === undefined) continue;
      const from = model.nodes.get(contribution.from);
      const given = page.readTensor(model.trace.tensors.at(contribution.value));
      if (!given.complete || given.data.length === 0) continue;
      for (const j of new Set([0, given.data.length - 1])) {
        const terms = page.backwardTerms(model, from, contribution.input, j);
        if (terms.value === undefined || (from.op === "embedding" && given.data[j] === 0)) continue;
        assert.ok(page.agrees(terms, given.data[j], given.dtype), `%${from.id} ${from.op} input ${contribution.input} [${j}]: ${terms.value}, not ${given.data[j]}`);
        ++compared;
      }
    }
  }
  assert.ok(compared > 5000, String(compared));
  assert.ok(!page.agrees({ value: 1, size: 1 }, 1.001, "float32"));
});

test("an op of one's own has no rule, and the page says so", () => {
  const cells = load("cells.html");
  const own = [...cells.nodes.values()].find((node) => node.op === "learners_square");
  assert.match(page.cellsOf(cells, own).why, /no rule for learners_square/);
});

test("what is no trace, or one of another version, is refused", () => {
  assert.throws(() => page.makeModel({}), /not a trace/);
  assert.throws(() => page.makeModel({ format: "backstep-trace", version: 2 }), /version 1, not 2/);
});

if (failures > 0) console.log(`${failures} failed`);
process.exit(failures > 0 ? 1 : 0);
