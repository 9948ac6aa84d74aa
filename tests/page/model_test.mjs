// The page's pure functions in node, without a browser: the state at each time, and where everything is placed.
//
//   node model_test.mjs PAGE_SOURCES FOLDER      FOLDER: as write_pages left it

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const [sources, folder] = process.argv.slice(2);
const code = ["unpack.js", "model.js", "place.js"].map((file) => readFileSync(join(sources, file), "utf8")).join("\n");
const names = ["unpackTrace", "makeModel", "stateOf", "momentAt", "textOf", "nextEvent", "gradientAt", "arrivedAt", "addTensors", "readTensor", "formatNumber",
               "exactNumber", "searchNodes", "openAtFirst", "openableGroups", "place", "isBox"];
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

test("what is no trace, or one of another version, is refused", () => {
  assert.throws(() => page.makeModel({}), /not a trace/);
  assert.throws(() => page.makeModel({ format: "backstep-trace", version: 2 }), /version 1, not 2/);
});

if (failures > 0) console.log(`${failures} failed`);
process.exit(failures > 0 ? 1 : 0);
