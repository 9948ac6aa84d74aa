// Runs a snippet of the book from its page, in the playground beside the text, as its reader would.
//
//   node check_snippets.mjs CHROMIUM SITE AXE      SITE: as mkdocs left it; AXE: axe.min.js

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Browser } from "../page/browser.mjs";
import { serve } from "../playground/server.mjs";

const [chromium, folder, axePath] = process.argv.slice(2);
const site = resolve(folder);
const chapter = "01-what-is-a-derivative-of-a-program.html";
if (!existsSync(join(site, "playground/index.html"))) {
  console.log("the site has no playground: no snippet is run");
  process.exit(0);
}

const server = await serve(site);
const browser = new Browser(chromium);
const page = await browser.page("about:blank");

async function until(condition, seconds = 60) {
  for (const began = performance.now(); !await page.get(condition); await new Promise((done) => setTimeout(done, 50))) {
    if (performance.now() - began > 1000 * seconds) throw new Error(`not within ${seconds} s: ${condition}`);
  }
}

const inPlayground = (expression) => `((document) => ${expression})(document.querySelector("#panel iframe").contentDocument)`;
const focus = (name) => page.get(`document.querySelector('[aria-label="${name}"]').focus()`);
const focused = () => page.get("document.activeElement.getAttribute('aria-label')");

async function checkRun() {
  await page.open(server.address + chapter);
  await focus("Run snippet 1");
  const began = performance.now();
  await page.press("Enter");
  await until("document.querySelector('#panel iframe') !== null");
  await until(inPlayground("/right|wrong/.test(document.getElementById('verdict')?.className)"));
  const seconds = (performance.now() - began) / 1000;
  const printed = await page.get(inPlayground("document.getElementById('text').textContent"));
  assert.equal(printed.trim(), (await page.get("document.querySelector('#snippet-1 ~ .highlight code').textContent")).trim());
  return seconds;
}

async function checkColours() {
  for (const [scheme, theme] of [["slate", "dark"], ["default", "light"]]) {
    await page.get(`document.body.setAttribute("data-md-color-scheme", "${scheme}")`);
    await until(inPlayground(`document.documentElement.dataset.theme === "${theme}"`), 5);
  }
}

async function checkKeyboard() {
  await focus("Edit snippet 1");
  await page.press("Enter");
  await until(inPlayground("document.activeElement.className.includes('cm-content')"));
  assert.equal(await page.get(inPlayground("document.body.dataset.side")), "program");
  await page.press("Escape");
  await until("document.getElementById('panel').hidden", 5);
  assert.equal(await focused(), "Edit snippet 1");
}

async function checkAxe() {
  await focus("Run snippet 1");
  await page.press("Enter");
  await page.get(readFileSync(axePath, "utf8") + "; 0");
  const found = await page.get(`axe.run({ include: [["#panel"], [".run-buttons"]] }, { resultTypes: ["violations"], iframes: false }).then((all) => all.violations
    .filter(({ impact }) => impact === "serious" || impact === "critical").map(({ id, help }) => id + ": " + help))`);
  assert.deepEqual(found, []);
}

async function checkOpenedFromFolder() {
  await page.open(pathToFileURL(join(site, chapter)).href);
  assert.equal(await page.get("document.querySelectorAll('.run-buttons').length"), 0);
}

try {
  const seconds = await checkRun();
  await checkColours();
  await checkKeyboard();
  await checkAxe();
  assert.deepEqual(page.requests.filter((address) => !/^(blob|data):/.test(address) && !address.startsWith(server.address)), []);
  await checkOpenedFromFolder();
  console.log(`a snippet is run from its page, the first in ${seconds.toFixed(1)} s: no fault`);
} catch (error) {
  console.log("a snippet that is run from its page: " + error.stack);
  process.exitCode = 1;
}
await browser.close();
await server.close();
