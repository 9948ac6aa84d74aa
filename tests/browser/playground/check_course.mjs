// Uses the course in the page as a learner would: reads, writes wrong answers and right ones, asks why and for hints, takes the
// answers along and brings them back, closes the tab in the middle, and goes on without a network. Prints how long things take.
//
//   node check_course.mjs CHROMIUM FOLDER AXE      FOLDER: as docs/playground/build left it; AXE: axe.min.js

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { Browser } from "../page/browser.mjs";
import { closeTab, exitCode, focused, isAccessible, isReady, pause, press, pressCtrlEnter, pressEnter, slowToCompile, tabStops, test, textOf, until, write } from "./reader.mjs";
import { serve } from "./server.mjs";

const [chromium, folder, axePath] = process.argv.slice(2);
const server = await serve(resolve(folder));
const browser = new Browser(chromium);
let page = await browser.page("about:blank");
const own = mkdtempSync(join(tmpdir(), "check-course-"));
process.on("exit", () => rmSync(own, { recursive: true }));

const exercise = (id) => JSON.parse(gunzipSync(readFileSync(join(folder, "course", id, "exercise.json.gz"))));
const linear = exercise("19_linear_layer").solution;
const softmax = exercise("22_softmax_vjp").solution;
const difference = exercise("02_central_difference").solution;

function changed(program, from, to) {
  assert.ok(program.includes(from), `the solution has no ${from}`);
  return program.replace(from, to);
}

const isSaid = "document.getElementById('headline').dataset.outcome && !document.getElementById('check').hidden";
const outcome = () => page.get("document.getElementById('headline').dataset.outcome");

async function check(answer) {
  if (answer) await write(page, answer);
  await page.get("document.getElementById('headline').dataset.outcome = ''");
  await pressCtrlEnter(page);
  await until(page, isSaid);
  return outcome();
}

const report = () => page.get("document.getElementById('said').report");
const kindsSaid = () => page.get("[...document.getElementById('said').children].map((one) => one.className)");
const isAskedAbout = async (mistake) => {
  assert.deepEqual((await report()).verdict.named, [[mistake]]);
  assert.ok((await kindsSaid()).includes("question"));
};
const isAt = (state) => until(page, `document.getElementById('headline').dataset.outcome === '${state}'`);
const hasNotice = (isBad) => until(page, `!document.getElementById('notice').hidden && document.getElementById('notice').className === '${isBad ? "bad" : ""}'`, 30);
const editorText = () => page.get("[...document.querySelectorAll('.cm-line')].map((line) => line.textContent).join('\\n')");

async function choose(id) {
  await page.get(`document.querySelector('#parts a[href="#${id}"]').dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }))`);
  await until(page, `location.hash === "#${id}"`);
}

await test("an exercise is read at once, and checked soon, from an empty cache", async () => {
  await page.resize(1280, 800);
  const began = performance.now();
  const since = () => ((performance.now() - began) / 1000).toFixed(1);
  await page.open(server.address + "course.html#19_linear_layer");
  await until(page, "document.querySelector('#text-of-exercise h2')?.textContent === '19 · Linear layer'");
  const read = since();
  assert.notEqual(await page.get("document.body.dataset.compiler"), "ready");
  await until(page, "document.querySelector('.cm-content') !== null");
  await write(page, changed(linear, "dy.sum({0})", "dy.mean({0})"));
  await pressCtrlEnter(page);
  await until(page, "document.getElementById('compiler-progress').value > 0");
  await until(page, isSaid);
  const first = since();
  console.log(`        the text after ${read} s, the first verdict after ${first} s and ${(server.sent() / 1e6).toFixed(1)} MB`);
  assert.equal(await outcome(), "wrong");
  await isAskedAbout("bias_mean");
  assert.ok(server.sent() < 35e6, `${server.sent()} bytes in all`);
});

await test("what did not load is said, and loaded again", async () => {
  const other = await serve(resolve(folder), { refuseOnce: "/course/22_softmax_vjp/judge.wasm.gz" });
  const first = page;
  page = await browser.page(other.address + "course.html#22_softmax_vjp");
  await hasNotice(false);
  await until(page, "document.getElementById('notice').hidden");
  await isReady(page);
  assert.equal(await check(softmax), "passed");
  await closeTab(browser, page);
  page = first;
  await other.close();
});

await test("Why? explains, and Less takes it back", async () => {
  await press(page, "why");
  const explained = await kindsSaid();
  assert.ok(explained.includes("mistake") && explained.includes("because") && explained.includes("numbers"), String(explained));
  await press(page, "why");
  const asked = await kindsSaid();
  assert.ok(!asked.includes("mistake") && !asked.includes("because"), String(asked));
  assert.doesNotMatch(await page.get("document.getElementById('said').innerText"), /learn (why|hint|check)/);  // commands of a terminal
});

for (const [id, right, from, to, mistake] of [
  ["19_linear_layer", linear, "dy.sum({0})", "dy.mean({0})", "bias_mean"],
  ["22_softmax_vjp", softmax, "(y * dy).sum({-1}, true)", "dy.mean({-1}, true)", "plain_mean"],
  ["02_central_difference", difference, "(2.0 * eps)", "eps", "eps_once"],
]) {
  await test(`${id}: a wrong answer is asked about, and the right one passes`, async () => {
    await choose(id);
    assert.equal(await check(changed(right, from, to)), "wrong");
    await isAskedAbout(mistake);
    assert.equal(await check(right), "passed");
    assert.equal(await page.get(`document.querySelector('#parts a[href="#${id}"]').className`), "passed");
    assert.equal(await page.get("document.getElementById('go-on').hidden"), false);
  });
}

await test("an op that is not to be called is found, also where nothing is recorded", async () => {
  await choose("19_linear_layer");
  const called = changed(linear, "dy.sum({0})", "dy.sum({0}); { const autograd::NoGradGuard off; linear(x, weight); }");
  assert.equal(await check(called), "wrong");
  const [{ kind, name }] = (await report()).verdict.differences;
  assert.deepEqual([kind, name.includes("linear")], ["forbidden call", true]);
});

await test("an error stands under its line, in the runner's words, and the other errors", async () => {
  await choose("22_softmax_vjp");
  assert.equal(await check(changed(changed(softmax, "autograd::eye", "autograd::eyes"), "dy - weighted_mean)", "dy - mean_)")), "does not compile");
  const faults = await page.get("[...document.querySelectorAll('.fault')].map((fault) => fault.previousElementSibling.textContent + ' ' + fault.textContent)");
  assert.equal(faults.length, 2, faults.join("\n"));
  const { problem } = await report();
  assert.ok(faults[0].includes("autograd::eyes") && faults[0].includes(problem.sentence), faults[0]);
  assert.ok(faults[1].includes("dy - mean_"), faults[1]);
  await page.get("document.querySelector('.place-button').click()");
  assert.match(await page.get("document.querySelector('.cm-activeLine').textContent"), /autograd::eyes/);
});

// `ending`: of those that endings.txt has, whose sentence is the golden one
const endings = new Map(readFileSync(join(import.meta.dirname, "../webassembly/course/endings.txt"), "utf8").trim().split("\n").map((line) => line.split(" | ")));
for (const [what, body, ended, ending] of [
  ["a loop without end", "for (volatile int i = 0;;) i = 1;", "out of time", "a loop without end"],
  ["too much memory", "std::vector<Tensor> all;\n  for (;;) all.push_back(autograd::ones({1000, 1000}));", "wrong", null],
  ["an integer divided by zero", "volatile int zero = 0;\n  return y * double(7 / zero);", "crashed", "a division by zero"],
  ["a function that calls itself without end", "return softmax_jacobian(y * 2.0) + 1.0;", "crashed", "calls without end"],
  ["one that does so with an array each time", "volatile double a[100];\n  a[0] = softmax_jacobian(y).numel();\n  return y * a[0];", "crashed", "calls without end"],
  ["so much text that the error comes late", "for (int i = 0; i < 30000; ++i) fmt::print(\"more and more\\n\");\n  volatile int zero = 0;\n  return y * double(7 / zero);", "crashed", "a division by zero"],
]) {
  await test(`${what} is said, and the page lives on`, async () => {
    const begin = "Tensor softmax_jacobian(const Tensor& y) {\n";
    assert.equal(await check(changed(softmax, begin, begin + "  " + body + "\n")), ended);
    const { problem, verdict } = await report();
    if (ending) assert.equal(problem.sentence, endings.get(ending));
    else assert.equal(verdict.thrown.id, "out-of-memory");
    assert.equal(await check(softmax), "passed");
  });
}

await test("a check can be stopped", async () => {
  await write(page, changed(softmax, "{\n", "{\n  for (volatile int i = 0;;) i = 1;\n"));
  await pressCtrlEnter(page);
  await isAt("checking");
  await press(page, "stop");
  assert.equal(await page.get("document.getElementById('headline').className"), "open");
  assert.equal(await check(softmax), "passed");
});

await test("a compilation can be stopped, or left for another check; the right answer passes then", async () => {
  for (const stops of [true, false]) {
    await write(page, softmax + slowToCompile);
    await pressCtrlEnter(page);
    await isAt("compiling");
    await pause(1000);
    if (stops) await press(page, "stop");
    assert.equal(await check(softmax), "passed");
  }
});

await test("the focus goes on to what stands in the place of a button that goes", async () => {
  await write(page, changed(softmax, "{\n", "{\n  for (volatile int i = 0;;) i = 1;\n"));
  await pressEnter(page, "check");
  assert.equal(await focused(page), "stop");
  await page.press("Enter");
  assert.equal(await focused(page), "check");
  await check(softmax);
  await pressEnter(page, "go-on");
  await until(page, "location.hash !== '#22_softmax_vjp'");
  await pause(100);
  assert.equal(await focused(page), "lesson");
  await choose("22_softmax_vjp");
});

await test("an error of the engine is explained", async () => {
  await check(changed(softmax, "(y * dy).sum({-1}, true)", "(y * dy).sum({5}, true)"));
  await page.get("document.querySelector('#said .error-id').open = true");
  await until(page, "document.querySelector('#said .error-id p')?.textContent.length > 50");
  assert.equal(await page.get("document.querySelector('#said .error-id').dataset.id"), "bad-dim");
});

await test("the question is read out when it comes; numbers are not", async () => {
  await check(changed(softmax, "(y * dy).sum({-1}, true)", "dy.mean({-1}, true)"));
  const live = (selector) => page.get(`document.querySelector("#said ${selector}").closest("[aria-live]").ariaLive`);
  assert.equal(await live(".question"), "polite");
  assert.equal(await live(".numbers"), "off");
  assert.equal(await check(softmax), "passed");
});

const wrongInHint = () => page.get("document.querySelectorAll('#shown-hints > div')[2].querySelector('code').textContent");

await test("hints come one at a time; the formula is that of the first thing that is wrong; the solution after a question", async () => {
  await choose("19_linear_layer");
  await write(page, changed(linear, "dy.sum({0})", "dy.mean({0})"));
  const titles = [];
  for (let level = 1; level <= 5; ++level) {
    await press(page, "hint");
    await until(page, `document.querySelectorAll('#shown-hints h4').length === ${level} && !document.getElementById('hint').disabled`);
    titles.push(await page.get("[...document.querySelectorAll('#shown-hints h4')].at(-1).textContent"));
  }
  assert.deepEqual(titles.map((title) => title.split(" · ")[1]), ["Question", "Concept", "First formula", "Formula", "Line"]);
  assert.equal(await wrongInHint(), "db");
  await choose("20_sgd_and_clipping");
  for (let level = 1; level <= 5; ++level) {
    await until(page, `document.querySelectorAll('#shown-hints h4').length === ${level - 1} && !document.getElementById('hint').disabled`);
    await press(page, "hint");
  }
  await until(page, "document.querySelectorAll('#shown-hints h4').length === 5");
  await press(page, "hint");
  assert.equal(await page.get("document.querySelector('#shown-hints details')"), null);  // it asks first
  await press(page, "hint");
  await until(page, "document.querySelector('#shown-hints details pre')?.textContent.includes('sgd')");
  await choose("19_linear_layer");
  await until(page, "document.querySelectorAll('#shown-hints h4').length === 5");
});

await test("a hint that comes late does not stand in another exercise, and the formula follows the answer", async () => {
  await choose("22_softmax_vjp");
  await press(page, "hint");
  await choose("23_log_softmax");
  await pause(1000);
  assert.equal(await textOf(page, "shown-hints"), "");
  await choose("19_linear_layer");
  await until(page, "document.querySelectorAll('#shown-hints h4').length === 5");
  await check(changed(linear, "matmul(dy, weight)", "2.0 * matmul(dy, weight)"));
  assert.equal(await wrongInHint(), "dx");
  await write(page, changed(linear, "dy.sum({0})", "dy.mean({0})"));
  assert.equal(await page.get("document.getElementById('result').classList.contains('older')"), true);
});

await test("an exercise begins again, and what was there can be brought back", async () => {
  await press(page, "reset");
  assert.match(await editorText(), /todo\(/);
  await page.get("document.querySelector('#notice button').click()");
  assert.match(await editorText(), /dy\.mean/);
  await press(page, "reset");
  await press(page, "reset");
  await choose("22_softmax_vjp");
  await choose("19_linear_layer");
  await write(page, "// written since\n");
  await press(page, "bring-back");
  assert.match(await editorText(), /dy\.mean/);
  await press(page, "bring-back");
  assert.match(await editorText(), /written since/);
  await press(page, "bring-back");
});

await test("what is written in another tab is there in this one", async () => {
  const other = await browser.page(server.address + "course.html#19_linear_layer");
  await until(other, "document.querySelector('.cm-content') !== null");
  await write(other, "// in another tab\n");
  await until(page, "document.querySelector('.cm-content').textContent.includes('in another tab')");
  await write(other, changed(linear, "dy.sum({0})", "dy.mean({0})"));
  await closeTab(browser, other);
  await page.send("Page.bringToFront");
  await until(page, "document.querySelector('.cm-content').textContent.includes('dy.mean')");
});

await test("where the browser keeps nothing, that is said, and nothing is lost before the tab is closed", async () => {
  await page.get("Storage.prototype.setItem = () => { throw new Error('full'); }");
  await choose("11_elementwise");
  await write(page, "// not kept\n");
  await hasNotice(true);
  await choose("12_unbroadcast");
  await choose("11_elementwise");
  assert.match(await editorText(), /not kept/);
  await press(page, "reset");
  await page.open("about:blank");
  await page.open(server.address + "course.html#19_linear_layer");
  await isReady(page);
});

await test("an exercise that is none is said to be none, and Back leads back", async () => {
  await page.get("location.hash = '99_nonsense'");
  await hasNotice(true);
  assert.match(await textOf(page, "notice"), /99_nonsense/);
  await choose("22_softmax_vjp");
  await choose("19_linear_layer");
  await page.get("history.back()");
  await until(page, "document.getElementById('file-name').textContent === '22_softmax_vjp.cpp'");
});

await test("one exercise's changes are not undone into another", async () => {
  await choose("22_softmax_vjp");
  await page.get("document.querySelector('.cm-content').focus()");
  await page.send("Input.dispatchKeyEvent", { type: "rawKeyDown", key: "z", code: "KeyZ", modifiers: 2, windowsVirtualKeyCode: 90, commands: ["undo"] });
  assert.match(await editorText(), /softmax_vjp/);
});

const saveTar = `(async () => {
  const made = new Promise((done) => { URL.createObjectURL = (blob) => { done(blob); return "#"; }; });
  HTMLAnchorElement.prototype.click = () => {};
  document.getElementById("answers-button").click();
  document.getElementById("save-tar").click();
  return [...new Uint8Array(await (await made).arrayBuffer())];
})()`;

await test("answers leave as a folder, which tar unpacks", async () => {
  const bytes = await page.get(saveTar);
  await page.get("delete URL.createObjectURL, document.getElementById('answers').close()");
  writeFileSync(join(own, "answers.tar"), Buffer.from(bytes));
  execFileSync("tar", ["-xf", "answers.tar"], { cwd: own });
  assert.deepEqual(readdirSync(join(own, "answers")).sort(), [".learn", "02_central_difference.cpp", "19_linear_layer.cpp", "22_softmax_vjp.cpp"]);
  assert.equal(readFileSync(join(own, "answers/22_softmax_vjp.cpp"), "utf8"), softmax);
  const { exercises } = JSON.parse(readFileSync(join(own, "answers/.learn/state.json"), "utf8"));
  assert.equal(exercises["22_softmax_vjp"].passed, true);
  assert.match(exercises["22_softmax_vjp"].passed_at, /^20\d\d-\d\d-\d\d \d\d:\d\d$/);
});

await test("into a folder that has answers: what differs is put aside", async () => {
  const written = await page.get(`(async () => {
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle("mine", { create: true });
    const stream = await (await folder.getFileHandle("22_softmax_vjp.cpp", { create: true })).createWritable();
    await stream.write("theirs");
    await stream.close();
    window.showDirectoryPicker = async () => folder;
    document.getElementById("save-folder").click();
    while (!document.getElementById("answers-said").dataset.written) await new Promise((done) => setTimeout(done, 20));
    const read = async (folder, name) => (await (await folder.getFileHandle(name)).getFile()).text();
    const learn = await folder.getDirectoryHandle(".learn");
    return { count: JSON.parse(document.getElementById("answers-said").dataset.written), now: await read(folder, "22_softmax_vjp.cpp"),
      aside: await read(await learn.getDirectoryHandle("attic"), "22_softmax_vjp.1.cpp"), state: await read(learn, "state.json") };
  })()`);
  assert.equal(written.now, softmax);
  assert.equal(written.aside, "theirs");
  assert.deepEqual(written.count, { written: 3, aside: 1 });
  assert.equal(JSON.parse(written.state).exercises["02_central_difference"].passed, true);
});

await test("answers come back; an older one takes no newer one's place", async () => {
  writeFileSync(join(own, "21_log_sum_exp.cpp"), exercise("21_log_sum_exp").solution);
  writeFileSync(join(own, "mine.cpp"), "int x;\n");
  const { root } = await page.send("DOM.getDocument");
  const { nodeId } = await page.send("DOM.querySelector", { nodeId: root.nodeId, selector: "#files-input" });
  await page.get("delete document.getElementById('answers-said').dataset.outcome");
  await choose("19_linear_layer");
  await write(page, linear + "// newer\n");
  await page.send("DOM.setFileInputFiles", { nodeId, files: ["answers.tar", "21_log_sum_exp.cpp", "mine.cpp"].map((name) => join(own, name)) });
  await until(page, "document.getElementById('answers-said').dataset.outcome");
  assert.deepEqual(JSON.parse(await page.get("document.getElementById('answers-said').dataset.outcome")),
    { taken: ["21_log_sum_exp"], older: ["19_linear_layer"], same: ["02_central_difference", "22_softmax_vjp"], unknown: ["mine.cpp"] });
  await choose("21_log_sum_exp");
  assert.match(await editorText(), /largest \+ log\(total\)/);
  assert.equal(await check(), "passed");
  await press(page, "undo-taken");
  assert.match(await editorText(), /todo\(/);
});

await test("why an exercise has no check here: it trains for minutes, or its judge was not built", async () => {
  const unbuilt = readdirSync(join(folder, "course")).find((id) => /^\d/.test(id) && !id.startsWith("42") && !exercise(id).isChecked);
  if (unbuilt) {
    await choose(unbuilt);
    assert.equal(await page.get("document.querySelector('#said p').className"), "unbuilt");
  }
  await choose("42_train_reverse_and_copy");
  assert.equal(await page.get("document.querySelector('#said p').className"), "long");
  assert.equal(await page.get("document.getElementById('check').disabled"), true);
});

await test("a tab that is closed in the middle of a compilation leaves everything as it was", async () => {
  await choose("22_softmax_vjp");
  await write(page, softmax + "// the last thing written\n");
  await pressCtrlEnter(page);
  await isAt("compiling");
  const { problems } = page;
  await closeTab(browser, page);
  page = await browser.page(server.address + "course.html");
  page.problems.unshift(...problems);
  await isReady(page);
  assert.match(await editorText(), /the last thing written/);
  assert.equal(await check(), "passed");
});

await test("the keyboard reaches everything, Tab leaves the editor, and the focus can be seen", async () => {
  const stops = await tabStops(page);
  for (const name of ["list", "check", "answers-button", "theme", "help-button", "lesson", "hint", "reset", "cm-content", "go-on", "said"]) assert.ok(stops.includes(name), `${name}: ${stops}`);
});

await test("nothing serious for axe-core, wide and narrow, light and dark", async () => {
  const axe = readFileSync(axePath, "utf8");
  await page.resize(1280, 800);
  await check(changed(softmax, "(y * dy).sum({-1}, true)", "dy.mean({-1}, true)"));
  await press(page, "hint");
  await isAccessible(page, axe);
  await press(page, "answers-button");
  await isAccessible(page, axe);
  await page.get("document.getElementById('answers').close()");
});

await test("without a network an exercise that was open opens, and is checked", async () => {
  await page.resize(1280, 800);
  await server.close();
  await page.open(server.address + "course.html?again#19_linear_layer");
  await isReady(page);
  assert.equal(await check(changed(linear, "dy.sum({0})", "dy.mean({0})")), "wrong");
  await isAskedAbout("bias_mean");
  await page.get("location.hash = '#29_gru_backward'");
  await hasNotice(true);
  assert.equal(await check(linear), "passed");
});

await test("nothing went wrong unseen", async () => assert.deepEqual(page.problems, []));

const times = [];
for (let i = 1; i <= 20; ++i) {
  await check(changed(linear, "dy.sum({0})", `dy.mean({0}) * ${i}.5`));
  times.push(Number(await page.get("document.body.dataset.milliseconds")));
}
const [median, longest] = [times.sort((a, b) => a - b)[10], times.at(-1)];
console.log(`        from "check" to the verdict: ${(median / 1000).toFixed(2)} s (median of 20; longest ${(longest / 1000).toFixed(2)} s)`);

await browser.close();
process.exit(exitCode());
