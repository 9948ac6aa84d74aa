// The same in other browsers as in Chromium: the replay that a program wrote, the playground, a link, a verdict of the course, and all
// of it without a network.
//
//   node check_other.mjs BROWSER PLAYGROUND MODULES NATIVE     BROWSER: Firefox, or WebKit's WebKitWebDriver; MODULES: node_modules
//   with ws; NATIVE: a folder with chain.html

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Firefox } from "./firefox.mjs";
import { exitCode, isReady, pause, test, textOf, until } from "./reader.mjs";
import { serve } from "./server.mjs";
import { WebKit } from "./webkit.mjs";

const [program, folder, modules, native] = process.argv.slice(2);
const { default: WebSocket } = await import(pathToFileURL(resolve(modules, "ws/wrapper.mjs")));
const lessons = readdirSync(new URL("../../../exercises/lessons", import.meta.url)).filter((name) => /^\d\d_/.test(name));
const server = await serve(resolve(folder));
const page = await (basename(program) === "WebKitWebDriver" ? WebKit.start(program) : Firefox.start(program, WebSocket));
await page.resize(1280, 800);
const ended = () => until(page, "/right|wrong/.test(document.getElementById('verdict').className)", 180);  // WebKit compiles slowly at first

await test("a replay steps with the keyboard, and has the gradients of the program", async () => {
  await page.open(pathToFileURL(resolve(native, "chain.html")).href);
  const before = await page.get("backstep.time");
  for (const key of ["ArrowRight", "ArrowRight", "ArrowLeft"]) await page.press(key);
  assert.equal(await page.get("backstep.time"), before + 1);
  const gradient = await page.get("(backstep.goTo(backstep.model.last), gradientAt(backstep.model, [...backstep.model.nodes.values()].find((node) => node.label === 'w').id, backstep.time).data[0])");
  const trace = JSON.parse(/<script type="application\/json" id="trace">(.*?)<\/script>/s.exec(readFileSync(join(native, "chain.html"), "utf8"))[1]);
  assert.equal(gradient, trace.tensors[trace.nodes.find(({ label }) => label === "w").gradient].values[0]);
  assert.deepEqual(page.problems, []);
});

await test("the playground runs a program, shows its replay, compiles another", async () => {
  await page.open(server.address);
  await isReady(page);
  assert.equal(await textOf(page, "text"), "y = 2.334, dy/dx = -5.654\n");
  await until(page, "document.querySelector('.cm-line.now')?.textContent.includes('sin(x * x)') ?? false");
  assert.deepEqual(await page.get("[...backstep.model.nodes.values()].filter(hasName).map((node) => node.label)", await page.frame()), ["x", "y"]);
  await page.get("document.querySelector('.cm-content').focus()");
  await page.press("Control", "a");
  for (const key of "int main() { return 7; ") await page.press(key);
  await page.get("document.getElementById('verdict').className = ''");
  await page.press("Control", "Enter");
  await ended();
  assert.equal(await page.get("document.getElementById('verdict').dataset.end"), "code 7");
});

await test("a link holds the program", async () => {
  await page.get("document.getElementById('share').click()");
  await until(page, "location.hash.startsWith('#program=')");
  const address = await page.get("location.href");
  await page.get("localStorage.clear()");
  await page.open("about:blank");
  await page.open(address);
  await until(page, "document.querySelector('.cm-content')?.textContent.includes('return 7;') ?? false");
});

await test("the course gives its verdict", async () => {
  await page.open(server.address + "course.html#01_predict_the_ratio");
  await isReady(page);
  await pause(300);
  await page.get("document.getElementById('check').click()");
  await until(page, "!['busy', undefined].includes(document.getElementById('headline').dataset.outcome)");
  assert.notEqual(await page.get("document.getElementById('headline').dataset.outcome"), "passed");  // the beginning is no answer
  await page.press("Escape");
  await page.get("document.getElementById('list').click()");
  assert.equal(await page.get("document.querySelectorAll('#parts a').length"), lessons.length);
});

await test("without a network it opens, and runs a program", async () => {
  await page.open(server.address);
  await isReady(page);
  await server.close();
  await page.open(server.address + "?again");
  await isReady(page);
  await ended();
  assert.equal(await textOf(page, "text"), "y = 2.334, dy/dx = -5.654\n");
});

await page.close();
process.exitCode = exitCode();
