// Runs snippets of the book from their pages, in the playground beside the text, as a reader would.
//
//   node check_snippets.mjs CHROMIUM SITE AXE      SITE: as mkdocs left it; AXE: axe.min.js

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Browser } from "../page/browser.mjs";
import { serve } from "../playground/server.mjs";

const [chromium, folder, axePath] = process.argv.slice(2);
const site = resolve(folder);
const axe = readFileSync(axePath, "utf8") + "; 0";
const chapter = "01-what-is-a-derivative-of-a-program.html";
const engine = "03-a-tiny-engine.html";
if (!existsSync(join(site, "playground/index.html"))) {
  console.log("the site has no playground: no snippet is run");
  process.exit(0);
}

const server = await serve(dirname(site));
const address = `${server.address}${basename(site)}/`;  // not at the top of its server
const browser = new Browser(chromium);
const page = await browser.page("about:blank");

async function until(condition, seconds = 60) {
  const holds = () => page.get(condition).catch(() => false);  // a page on its way has none of what is asked for
  for (const began = performance.now(); !await holds(); await new Promise((done) => setTimeout(done, 50))) {
    if (performance.now() - began > 1000 * seconds) throw new Error(`not within ${seconds} s: ${condition}`);
  }
}

const inPlayground = (expression) => `((document) => ${expression})(document.querySelector("#panel iframe").contentDocument)`;
const focused = () => page.get("document.activeElement.getAttribute('aria-label')");
const buttons = () => page.get("document.querySelectorAll('.run-buttons').length");
const side = () => page.get(inPlayground("document.body.dataset.side"));
const below = (number) => `document.querySelector("#snippet-${number} ~ .run-output")`;
const printed = (number) => page.get(`${below(number)}.querySelector("pre").textContent.trim()`);
const saidBy = (number) => page.get(`document.querySelector('#snippet-${number} ~ .highlight code').textContent.trim()`);
const editorHas = (text) => inPlayground(`document.querySelector(".cm-content")?.textContent.includes(${JSON.stringify(text)}) ?? false`);

async function press(name) {
  await page.get(`document.querySelector('[aria-label="${name}"]').focus()`);
  await page.press("Enter");
}

// -> seconds. The verdict of the program before is taken away.
async function run(number) {
  const began = performance.now();
  await page.get(`document.querySelector("#panel iframe")?.contentDocument.getElementById("verdict").removeAttribute("class")`);
  await press(`Run snippet ${number}`);
  await until(inPlayground("/right|wrong/.test(document.getElementById('verdict')?.className)"));
  return (performance.now() - began) / 1000;
}

const network = (is) => page.send("Network.emulateNetworkConditions", { offline: !is, latency: 0, downloadThroughput: -1, uploadThroughput: -1 });

const checks = {
  async "says so when nothing can be loaded"() {
    await page.open(address + chapter);
    await network(false);
    await press("Run snippet 1");
    await until("document.querySelector('.run-buttons [role=alert]') !== null", 5);
    await network(true);
  },

  async "prints what the page says"() {
    const start = page.requests.length;
    await page.open(address + chapter);
    const before = page.requests.length;
    const first = await run(1);
    assert(page.requests.slice(start, before).every((one) => !/playground\/|panel|programs/.test(one)), "what only a press needs is loaded before");
    assert.equal(await printed(1), await saidBy(1));
    const second = await run(2);
    assert.equal(await printed(2), await saidBy(2));
    assert(await page.get("document.getElementById('panel').inert && !document.documentElement.classList.contains('has-panel')"), "the panel is in the way");
    await press("Replay snippet 2");
    await until("!document.getElementById('panel').inert", 5);
    assert.equal(await side(), "replay");
    await page.press("Escape");
    console.log(`first press to output ${first.toFixed(1)} s, second ${second.toFixed(1)} s`);
  },

  async "shows the replay where the page shows the debugger"() {
    const number = await page.get(`fetch("beside/programs/${chapter.replace("html", "json")}").then((file) => file.json())
      .then((programs) => Object.keys(programs).find((one) => programs[one].steps))`);
    await run(number);
    assert.equal(await side(), "replay");
  },

  async "follows the page's colours"() {
    for (const [scheme, theme] of [["slate", "dark"], ["default", "light"]]) {
      await page.get(`document.body.setAttribute("data-md-color-scheme", "${scheme}")`);
      await until(inPlayground(`document.documentElement.dataset.theme === "${theme}"`), 5);
    }
  },

  async "keeps what the reader makes of it"() {
    await press("Edit snippet 1");
    await until(inPlayground("document.activeElement.className.includes('cm-content')"));
    await until(editorHas("Snippet 1 of"), 5);
    assert.equal(await side(), "program");
    await page.send("Input.insertText", { text: "// 42" });
    await until(editorHas("// 42"));
    await new Promise((done) => setTimeout(done, 500));  // Escape first ends the search for a name to complete
    await page.press("Escape");
    await until("document.getElementById('panel').inert", 5);
    assert.equal(await focused(), "Edit snippet 1");
    await run(2);
    await press("Edit snippet 1");
    await until(editorHas("// 42"), 5);
    await press("As in the book: take the program from there again");
    await until("!" + editorHas("// 42"), 5);
    assert.equal(await page.get("localStorage.getItem('backstep.program')"), null);
  },

  async "leads from an exercise to where it is written"() {
    await page.open(address + "exercises/lessons/19_linear_layer/index.html");
    const course = await page.get("document.querySelector('a.in-browser').href");
    await page.open("about:blank");
    await page.open(course);
    await until("document.getElementById('file-name').textContent === '19_linear_layer.cpp'");
  },

  async "runs a program with a Node of its own"() {
    await page.open(address + engine);
    await run(4);
    assert.equal(await printed(4), await saidBy(4));
  },

  async "has nothing that axe-core calls serious"() {
    for (const width of [390, 1440]) {
      await page.resize(width, 844);
      await until(`document.documentElement.scrollWidth <= ${width}`, 5);  // the drawer needs a moment to slide away
      for (const scheme of ["default", "slate"]) {
        await page.get(`document.body.setAttribute("data-md-color-scheme", "${scheme}")`);
        await new Promise((done) => setTimeout(done, 300));  // colours that fade would be measured halfway
        await page.get(axe);
        const found = await page.get(`axe.run({ include: [["#panel"], [".run-buttons"], [".run-output"]] }, { resultTypes: ["violations"], iframes: false }).then((all) => all.violations
          .filter(({ impact }) => impact === "serious" || impact === "critical").map(({ id, help, nodes }) => id + ": " + help + " " + nodes[0].html))`);
        assert.deepEqual(found, []);
      }
    }
  },

  async "asks nobody else"() {
    assert.deepEqual(page.requests.filter((one) => !/^(blob|data):/.test(one) && !one.startsWith(address)), []);
    assert.deepEqual(page.problems, []);
  },

  async "reads as before where nothing can run"() {
    const { identifier } = await page.send("Page.addScriptToEvaluateOnNewDocument", { source: "delete window.WebAssembly" });
    await page.open(address + chapter);
    assert.equal(await buttons(), 0);
    await page.send("Page.removeScriptToEvaluateOnNewDocument", { identifier });
    await page.open(pathToFileURL(join(site, chapter)).href);
    assert.equal(await buttons(), 0);
  },

  async "works without a network"() {
    await page.open(address + engine);
    await until("caches.keys().then((names) => caches.open(names.find((name) => name.startsWith('book '))))"
      + ".then((cache) => cache.match(location.href)).then(Boolean)");
    await server.close();
    await page.open(address + engine);
    await run(6);
    assert.equal(await printed(6), await saidBy(6));
  },
};

for (const [name, check] of Object.entries(checks)) {
  try {
    await check();
  } catch (error) {
    console.log(`A snippet that is run from its page does not do this: it ${name}. ${error.stack}`);
    process.exitCode = 1;
    break;
  }
}
if (!process.exitCode) console.log("snippets are run from their pages: no fault");
await browser.close();
await server.close().catch(() => {});  // closed already, where all went well
