// Uses the playground as its reader would: looks at a program that was built beforehand, changes it, makes a mistake, mends
// it, steps back in the replay, shares it, and goes on without a network. Prints how long things take; that is not a part
// of the test.
//
//   node check_playground.mjs CHROMIUM FOLDER AXE NATIVE      FOLDER: as docs/playground/build left it; AXE: axe.min.js;
//   NATIVE: where the native programs of the list wrote their replays

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Browser } from "../page/browser.mjs";
import { closeTab, exitCode, focused, isAccessible, isReady, pause, pressCtrlEnter, pressEnter, slowToCompile, tabStops, test, textOf, until, write } from "./reader.mjs";
import { serve } from "./server.mjs";

const [chromium, folder, axePath, native] = process.argv.slice(2);
const axe = readFileSync(axePath, "utf8");
const server = await serve(resolve(folder));
const browser = new Browser(chromium);
const page = await browser.page("about:blank");

// A page in the background draws nothing: the first one comes to the front again.
async function close(tab) {
  await closeTab(browser, tab);
  await page.send("Page.bringToFront");
}

const text = (id) => textOf(page, id);
const ready = (where = page) => isReady(where);
const ended = () => until(page, "/right|wrong/.test(document.getElementById('verdict').className)");

async function begin() {
  await page.get("document.getElementById('verdict').className = ''");
  await pressCtrlEnter(page);
}

// -> how it ended
async function run(program) {
  await write(page, program);
  await begin();
  await ended();
  return page.get("document.getElementById('verdict').dataset.end");
}

async function choose(name) {
  await page.get("document.getElementById('verdict').className = ''");
  await page.get(`(() => { const list = document.getElementById("gallery"); list.value = "${name}"; list.dispatchEvent(new Event("change")); })()`);
  await ended();
}

const finding = () => page.get("document.getElementById('verdict').dataset.finding").then(JSON.parse);
const editorText = (where = page) => where.get("[...document.querySelectorAll('.cm-line')].map((line) => line.textContent).join('\\n')");
const hasReplay = () => page.get("document.querySelector('#stage iframe') !== null");

const program = (body) => `#include <autograd/autograd.h>\n#include <functional>\nusing namespace autograd;\nint main() {\n${body}\n}\n`;

// The frame of the replay is a target of its own in the browser.
const frames = [];
browser.listeners.push(({ method, params }) => {
  if (method === "Target.attachedToTarget" && params.targetInfo.type === "iframe") frames.push(new page.constructor(browser, params.sessionId));
});
async function replay() {
  await until(page, "document.querySelector('#stage iframe') !== null");
  for (let i = 0; i < 100; ++i, await pause(50)) {
    const frame = frames.at(-1);
    // One that has gone never answers.
    if (frame && await Promise.race([frame.get("window.backstep !== undefined").catch(() => false), pause(1000)])) return frame;
  }
  throw new Error("the replay does not begin");
}

const first = readFileSync(resolve(folder, "programs/first.cpp"), "utf8");

await test("a program that was built beforehand shows its picture before the compiler is there", async () => {
  await page.send("Target.setAutoAttach", { autoAttach: true, waitForDebuggerOnStart: false, flatten: true });
  await page.resize(1280, 800);
  const began = performance.now();
  await page.open(server.address);
  await until(page, "document.querySelector('#stage iframe') !== null");
  await replay();
  const picture = performance.now() - began;
  const bytes = server.sent(/^\/(editor|help)/);  // which are asked for once the picture is there
  assert.equal(await text("text"), "y = 2.334, dy/dx = -5.654\n");
  assert.notEqual(await page.get("document.body.dataset.compiler"), "ready");
  await ready();
  console.log(`        first picture after ${(picture / 1000).toFixed(2)} s and ${(bytes / 1e6).toFixed(2)} MB;`
    + ` compiler ready after ${((performance.now() - began) / 1000).toFixed(1)} s and ${(server.sent() / 1e6).toFixed(1)} MB`);
  assert.ok(bytes < 1e6, `${bytes} bytes before the first picture`);
  assert.ok(server.sent() < 35e6, `${server.sent()} bytes in all`);
});

await test("what did not load is loaded again", async () => {
  const other = await serve(resolve(folder), { refuseOnce: "/compiler/system.tar.gz" });
  const page = await browser.page(other.address);
  await until(page, "!document.getElementById('notice').hidden");
  await ready(page);
  assert.equal(await page.get("document.getElementById('notice').hidden"), true);
  await close(page);
  await other.close();
});

await test("an edited program is compiled, and prints", async () => {
  assert.equal(await run(first.replace("1.5", "2.0")), "code 0");
  assert.equal(await text("text"), "y = -2.270, dy/dx = -7.844\n");  // 3 sin 4, 12 cos 4
});

await test("a number becomes larger with Alt and an arrow, and the program runs again", async () => {
  await write(page, first);
  await page.get("document.getElementById('verdict').className = ''");
  for (const key of ["ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp"]) await page.press(key);  // to the line of x
  await page.press("ArrowUp");
  await page.press("End");
  for (let i = 0; i < "5).requires_grad_();".length; ++i) await page.press("ArrowLeft");
  for (let i = 0; i < 5; ++i) {
    await page.send("Input.dispatchKeyEvent", { type: "rawKeyDown", key: "ArrowUp", code: "ArrowUp", modifiers: 1, windowsVirtualKeyCode: 38 });
    await page.send("Input.dispatchKeyEvent", { type: "keyUp", key: "ArrowUp", code: "ArrowUp", modifiers: 1, windowsVirtualKeyCode: 38 });
  }
  await ended();
  assert.equal(await text("text"), "y = -2.270, dy/dx = -7.844\n");
});

await test("an error stands under its line, and goes with it", async () => {
  await run(first.replace("sin(x * x)", "sine(x * x)"));
  assert.match(await page.get("document.querySelector('.fault').textContent"), /^error: use of undeclared identifier 'sine'/);
  assert.match(await page.get("document.querySelector('.fault').previousElementSibling.textContent"), /sine\(x \* x\)/);
  assert.equal(await page.get("document.querySelectorAll('.fault').length"), 1);
  await run(first);
  assert.equal(await page.get("document.querySelectorAll('.fault').length"), 0);
});

await test("tensors have the program's names; the line of the op is marked in it, and a click on a line goes to its op", async () => {
  await run(first);
  const frame = await replay();
  const now = () => page.get("[...document.querySelectorAll('.cm-line.now')].map((line) => line.textContent.trim())");
  await until(page, "document.querySelector('.cm-line.now') !== null");
  assert.deepEqual(await now(), ["const Tensor y = 3.0 * sin(x * x);"]);
  assert.deepEqual(await frame.get("[...backstep.model.nodes.values()].filter(hasName).map((node) => node.label)"), ["x", "y"]);
  const { x, y } = await page.get("(() => { const r = document.querySelector('.cm-line.now').getBoundingClientRect(); return { x: r.left + 90, y: r.top + 8 }; })()");
  await page.click(x, y);
  await pause(200);
  assert.equal(await frame.get("backstep.selected"), await frame.get("'n' + backstep.model.order[0].id"));
  await page.type("1");
  assert.deepEqual(await now(), []);  // another program
});

await test("a run of several passes shows how far it went, and goes from its gradients over time to a pass", async () => {
  await run(program("  const Tensor w = tensor(2.0).requires_grad_();\n  for (int i = 0; i < 3; ++i) (w * w).backward();"));
  assert.equal(await text("passes"), "of 3");
  const frame = await replay();
  assert.deepEqual(await frame.get("backstep.model.trace.history.modules.map((module) => module.module)"), ["w"]);
  await page.get("document.getElementById('verdict').className = ''");
  const [x, y] = await frame.get(`(() => { document.getElementById("over-time").click();
    const box = document.querySelector("#history img").getBoundingClientRect(); return [box.right - 20, box.top + 100]; })()`);
  const [left, top] = await page.get("(({ left, top }) => [left, top])(document.querySelector('#stage iframe').getBoundingClientRect())");
  await page.click(left + x, top + y);  // at the right end of a chart
  await ended();
  assert.equal(await page.get("document.getElementById('pass').value"), "3");
  await pause(300);
  assert.equal(await (await replay()).get("backstep.model.trace.pass"), 3);
  await page.get("document.getElementById('pass').value = 1");
  await run(first);
});

await test("the replay steps, and steps back; its gradient is the program's", async () => {
  const frame = await replay();
  const step = () => frame.get("backstep.time");
  await pause(300);
  assert.deepEqual(await frame.get(`backstep.graph.boxes.map((box) => {
    const { view, width, height } = backstep.graph;
    const x = (box.x + box.w / 2 - view.x) * view.zoom;
    const y = (box.y + box.h / 2 - view.y) * view.zoom;
    return x > 0 && x < width && y > 0 && y < height;
  })`).then((seen) => seen.filter((one) => !one)), [], "ops are out of sight");
  const before = await step();
  await frame.get("document.body.focus()");
  await page.get("document.querySelector('#stage iframe').focus()");
  for (const key of ["ArrowRight", "ArrowRight", "ArrowLeft", "ArrowLeft", "ArrowLeft"]) await frame.press(key);
  assert.equal(await step(), before - 1);
  await frame.press("End");
  const leaf = "[...backstep.model.nodes.values()].find((node) => node.isLeaf && node.uses.length > 0)";
  await frame.get(`backstep.select("u" + ${leaf}.uses[0], true)`);
  const shown = await frame.get("[...document.querySelectorAll('[data-tensor=\"gradient\"] td')].map((td) => td.dataset.value)");
  assert.equal(shown.length, 1);
  assert.equal(Number(shown[0]).toFixed(3), "-5.654");
});

await test("an error of the engine names its line and is explained", async () => {
  await run(program("  const Tensor a = zeros({2, 3});\n  const Tensor b = zeros({4, 5});\n  matmul(a, b);"));
  const { kind, id, op, file, line } = await finding();
  assert.deepEqual([kind, id, op, file, line], ["exception", "shape-mismatch", "matmul", "main.cpp", 7]);
  assert.match(await page.get("document.querySelector('.fault').previousElementSibling.textContent"), /matmul\(a, b\)/);
  assert.equal(await page.get("document.querySelector('.explanation strong').textContent"), "shape-mismatch");
});

await test("a loop without end is stopped, a crash is said, and the page lives on", async () => {
  await write(page, program("  for (volatile int i = 0;;) i = 1;"));
  await begin();
  await until(page, "!document.getElementById('stop').hidden");
  await page.get("document.getElementById('stop').click()");
  await ended();
  assert.equal(await page.get("document.getElementById('verdict').dataset.end"), "stopped");
  await run(program("  std::vector<Tensor> all;\n  for (;;) all.push_back(ones({1000, 1000}));"));
  assert.equal((await finding()).id, "out-of-memory");
  await run(program("  fmt::print(\"{}\\n\", tensor(2.0).pow(2));"));
  assert.equal(await text("text"), "4.\n");
});

for (const [end, what, body] of [
  ["stack", "calls without end", "  std::function<int(int)> f = [&](int n) { return 1 + f(n + 1); };\n  fmt::print(\"{}\\n\", f(0));"],
  ["stack", "calls with local arrays", "  struct F { static int of(int n) { volatile int a[100]; a[n % 100] = n; return of(n + 1) + a[n % 100]; } };\n  return F::of(0);"],
  ["stack", "one array that is too large", "  volatile double a[400000];\n  for (int i = 0; i < 400000; ++i) a[i] = i;\n  return int(a[7]);"],
  ["memory", "an address that is none", "  return *reinterpret_cast<volatile int*>(0xfffffff0);"],
  ["gaveUp", "abort()", "  std::abort();"],
  ["division", "a division by zero", "  volatile int zero = 0;\n  return 7 / zero;"],
  ["finding", "a thread", "  std::thread([] {}).join();"],
  ["errors", "a function that nobody defines", "  int nowhere(int);\n  int again = 3;\n  return nowhere(again);"],
]) {
  await test(`how it ended is told by its cause: ${what}`, async () => {
    assert.equal(await run("#include <thread>\n" + program(body)), end);
    const lines = await page.get("[...document.querySelectorAll('.fault')].map((fault) => fault.previousElementSibling.textContent)");
    if (what.includes("nobody")) assert.deepEqual(lines, ["  return nowhere(again);"]);
  });
}

await test("where there is no main(), that is said, and of no line; no replay of another program stands there", async () => {
  await run(first);
  assert.equal(await hasReplay(), true);
  assert.equal(await run("#include <autograd/autograd.h>\nint mian() { return 0; }\n"), "errors");
  assert.equal(await page.get("document.querySelectorAll('.fault').length"), 0);
  assert.equal(await hasReplay(), false);
});

await test("what prints without end leaves the page alive: Stop is pressed, and what is shown has a bound", async () => {
  await write(page, program("  for (int i = 0; i < 100000; ++i) fmt::print(\"line {:>8} of a program that prints much: {}\\n\", i, i * i * 1.0);\n  for (volatile int i = 0;;) i = 1;"));
  await begin();
  await until(page, "document.getElementById('text').textContent.length > 300000");
  await pressEnter(page, "stop");
  await ended();
  assert.equal(await page.get("document.getElementById('verdict').dataset.end"), "stopped");
  assert.equal(await focused(page), "run");
  const shown = await text("text");
  assert.ok(shown.length < 400_100, `${shown.length} characters`);
  const rows = shown.split("\n");
  rows.slice(0, 5000).forEach((row, i) => assert.equal(row.slice(0, 13), "line " + String(i).padStart(8)));
});

await test("one print of five million characters is cut, and so are colours; what it fails with is told all the same", async () => {
  assert.equal(await run(program("  fmt::print(\"\\x1b[31mred\\x1b[0m {}\\n\", std::string(5000000, 'x'));\n  const Tensor a = zeros({2, 3});\n  matmul(a, a);")), "finding");
  const shown = await page.get("document.querySelector('#text .stdout').textContent");
  assert.equal(shown.slice(0, 8), "red xxxx");
  assert.ok(shown.length > 399_990 && shown.length < 400_100, `${shown.length} characters`);
  assert.equal(await page.get("document.querySelector('.explanation strong').textContent"), "shape-mismatch");
});

await test("the output is no live region, the verdict is one", async () => {
  assert.equal(await page.get("document.getElementById('text').getAttribute('aria-live')"), "off");
  assert.equal(await page.get("document.getElementById('verdict').getAttribute('role')"), "status");
});

await test("a compilation is stopped, or left for the next one; neither makes a right program wrong", async () => {
  const right = first.replace("1.5", "2.0");
  for (const stops of [true, false]) {
    await write(page, slowToCompile + first);
    await begin();
    await until(page, "document.getElementById('verdict').className === 'busy' && !document.getElementById('stop').hidden");
    await pause(500);
    if (stops) {
      await page.get("document.getElementById('stop').click()");
      assert.equal(await page.get("document.getElementById('verdict').dataset.end"), "stopped");
    }
    assert.equal(await run(right), "code 0");
    assert.equal(await text("text"), "y = -2.270, dy/dx = -7.844\n");
  }
});

await test("the focus stays where it was at Run and Stop, and the editor shows that it has it", async () => {
  await write(page, program("  for (volatile int i = 0;;) i = 1;"));
  assert.notEqual(await page.get("getComputedStyle(document.querySelector('.cm-editor')).outlineStyle"), "none");
  await pressEnter(page, "run");
  assert.equal(await focused(page), "stop");
  await page.press("Enter");
  assert.equal(await focused(page), "run");
});

await test("one's own programs are kept apart from the list, and from each other", async () => {
  const mine = program("  fmt::print(\"mine\\n\");");
  await run(mine);
  await choose("chain");
  await choose("");
  assert.equal(await editorText(), mine);
  assert.equal(await text("text"), "mine\n");
  await choose("first");
  await page.get("history.replaceState(null, '', location.pathname)");
  await page.open(server.address + "?again");
  await ready();
  assert.equal(await editorText(), first);
  await choose("");
  assert.equal(await editorText(), mine);
  await choose("first");
  await page.get("document.querySelector('.cm-content').focus()");
  await page.send("Input.insertText", { text: "// changed\n" });
  await choose("own 1");
  assert.equal(await editorText(), mine);
  await choose("own 1");
  assert.equal(await editorText(), "// changed\n" + first);
});

await test("an open replay takes the colours that the page takes", async () => {
  await run(first.replace("tensor(1.5)", "tensor({1.5, 2.5, -1})").replace("y.backward();", "y.sum().backward();").replaceAll("{:.3f}", "{}"));
  const frame = await replay();
  await page.get("document.querySelector('#stage iframe').focus()");
  await frame.press("End");
  const shown = () => frame.get(`({ theme: document.documentElement.dataset.theme, ground: backstep.graph.colours.ground,
    cell: getComputedStyle(document.querySelector("td[data-value]")).backgroundColor })`);
  const before = await shown();
  await page.get("document.getElementById('theme').click()");
  await until(page, `document.documentElement.dataset.theme !== "${before.theme}"`);
  await pause(100);
  const after = await shown();
  for (const what of ["theme", "ground", "cell"]) assert.notEqual(after[what], before[what], what);
  await page.get("document.getElementById('theme').click()");
  await pause(100);
  assert.deepEqual(await shown(), before);
});

await test("at 200 percent the graph can be seen: the page scrolls", async () => {
  for (const [width, height] of [[640, 400], [960, 540], [390, 600], [390, 844]]) {
    await page.resize(width, height);
    if (await page.get("getComputedStyle(document.getElementById('sides')).display !== 'none'")) await page.get("document.querySelector('#sides [data-side=replay]').click()");
    const frame = await replay();
    await pause(200);
    const graph = await frame.get("backstep.section.clientHeight");
    assert.ok(graph >= 150, `${graph} of ${height} pixels`);
    assert.ok(await frame.get("document.getElementById('play').getBoundingClientRect().bottom <= innerHeight"), "the replay does not scroll within the page");
    assert.ok(await page.get("document.documentElement.scrollHeight >= document.querySelector('footer').getBoundingClientRect().bottom + scrollY - 1"));
    assert.equal(await page.get("document.documentElement.scrollWidth <= innerWidth"), true);
  }
  await page.resize(1280, 800);
});

for (const [name, found] of [["wrong_derivative", ["wrong derivative", "learners_softmax"]], ["nan", ["not finite", "log"]], ["gru", null], ["attention", null],
  ["worked_example", null], ["chain", null]]) {
  await test(`the list's program ${name}`, async () => {
    await choose(name);
    assert.equal(await page.get("document.getElementById('verdict').dataset.end"), found ? "finding" : "code 0");
    const frame = await replay();
    if (!found) return;
    const { kind, op, file, line } = await finding();
    assert.deepEqual([kind, op], found);
    assert.ok(file === "main.cpp" && line > 0, `${file}:${line}`);
    const mark = await frame.get("backstep.model.trace.mark");
    assert.deepEqual([mark.kind, mark.op, mark.line], [kind, op, line]);
  });
}

// Every value that backward() sent, in its order.
const sent = `backstep.model.trace.contributions.map(({ to, value }) => {
  const { shape, dtype, data } = readTensor(backstep.model.trace.tensors.at(value));
  return { to, shape, dtype, data };
})`;

function assertEqualGradients(ours, natives) {
  assert.ok(natives.length > 3);
  assert.equal(ours.length, natives.length);
  for (const [i, { to, shape, dtype, data }] of natives.entries()) {
    assert.deepEqual([ours[i].to, ours[i].shape, ours[i].dtype], [to, shape, dtype]);
    const most = Math.max(...data.map(Math.abs)) * (dtype === "float64" ? 1e-12 : 1e-6);
    data.forEach((value, j) => assert.ok(Math.abs(ours[i].data[j] - value) <= most, `gradient ${i} of %${to} [${j}]: ${ours[i].data[j]}, not ${value}`));
  }
}

for (const name of ["chain", "worked_example"]) {
  await test(`the gradients of ${name} are those of the native program, two steps back as well`, async () => {
    await choose(name);
    const frame = await replay();
    const other = await browser.page(`file://${resolve(native, name)}.html`);
    assertEqualGradients(await frame.get(sent), await other.get(sent));
    await page.get("document.querySelector('#stage iframe').focus()");
    for (const where of [frame, other]) for (const key of ["End", "ArrowLeft", "ArrowLeft"]) await where.press(key);
    const shown = "[...document.querySelectorAll('[data-tensor=\"gradient\"] td')].map((td) => Number(td.dataset.value))";
    const [ours, natives] = [await frame.get(shown), await other.get(shown)];
    assert.ok(natives.length > 0);
    assert.equal(ours.length, natives.length);
    natives.forEach((value, i) => assert.ok(Math.abs(ours[i] - value) <= 1e-6 * Math.abs(value), `${ours[i]} is shown, not ${value}`));
    await close(other);
  });
}

await test("a link holds the program", async () => {
  await run(first.replace("1.5", "0.5"));
  await page.get("document.getElementById('share').click()");
  await until(page, "location.hash.startsWith('#program=')");
  const address = await page.get("location.href");
  await write(page, first.replace("1.5", "0.7"));  // what the browser keeps is not what the link holds
  const other = await browser.page(address);
  await until(other, "document.querySelector('.cm-content')?.textContent.includes('tensor(0.5)')");
  await close(other);
});

await test("a tab that is closed in the middle of a compilation leaves nothing behind", async () => {
  const tab = await browser.page(server.address);
  await ready(tab);
  await tab.get("document.querySelector('.cm-content').focus()");
  await tab.send("Input.insertText", { text: "// A line more.\n" });
  await tab.get("document.getElementById('run').click()");
  await until(tab, "document.getElementById('verdict').className === 'busy'");
  await close(tab);
  const again = await browser.page(server.address);
  await ready(again);
  await until(again, "/^y = /.test(document.getElementById('text').textContent)");
  assert.match(await again.get("document.querySelector('.cm-line').textContent"), /^\/\/ A line more/);
  await close(again);
});

await test("the keyboard reaches everything, Tab leaves the editor, and the focus can be seen", async () => {
  await page.send("Page.bringToFront");
  assert.deepEqual(await tabStops(page), ["skip", "gallery", "run", "check", "nan", "share", "button", "theme", "help-button", "cm-content", "text",
    "divider", "pass", "save", "IFRAME"]);
});

await test("nothing serious for axe-core, wide and narrow, light and dark", async () => {
  await run(first.replace("sin(", "sine("));
  await isAccessible(page, axe);
});

await test("without a network it opens, compiles and runs, and keeps the program", async () => {
  await page.resize(1280, 800);
  await run(first.replace("1.5", "2.5"));
  const keptAll = "caches.keys().then((names) => caches.open(names.find((name) => name !== 'backstep-precompiled'))).then((cache) => cache.match('programs/nan.wasm.gz')).then(Boolean)";
  await until(page, keptAll);
  await page.get("history.replaceState(null, '', location.pathname)");
  await server.close();
  await page.open(server.address);
  await ready();
  await ended();
  assert.match(await text("text"), /^y = -0\.100/);
  await run(first.replace("1.5", "2.0"));
  assert.equal(await text("text"), "y = -2.270, dy/dx = -7.844\n");
});

await test("nothing went wrong unseen", async () => assert.deepEqual(page.problems, []));

const times = [];
for (let i = 1; i <= 10; ++i) {
  const began = performance.now();
  await run(first.replace("1.5", `1.${i}`));
  times.push(performance.now() - began);
}
console.log(`        from an edit to the output: ${(times.sort((a, b) => a - b)[5] / 1000).toFixed(2)} s (median of 10)`);

await browser.close();
process.exit(exitCode());
