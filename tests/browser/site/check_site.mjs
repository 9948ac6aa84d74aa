// Opens the pages of the book's site in Chromium, as wide as a phone and as a window, light and dark, and says what a
// reader would stumble on: what axe-core calls serious, links and headings that are wrong, formulas that are not drawn,
// pages that scroll sideways, pictures whose text is too small.
//
//   node check_site.mjs CHROMIUM SITE AXE [PAGE...]      SITE: as mkdocs left it; AXE: axe.min.js; PAGE: 01-what.html

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Browser } from "../page/browser.mjs";
import { brokenFormulas, brokenHeadings, brokenImages, darkScheme, linksOf, searchResults, settle, tooWide, withoutDetails, withoutKnownColours } from "./in_page.mjs";

const [chromium, folder, axePath, ...chosen] = process.argv.slice(2);
const site = resolve(folder);
const axe = readFileSync(axePath, "utf8");
const smallestText = 9;  // pixels, in a picture on a phone
const phone = 390;
const window = 1280;

// A page that shows a source file is like any other of its kind: one stands for all. tests/browser/playground looks at the playground.
function pagesToOpen() {
  const all = readdirSync(site, { recursive: true }).filter((path) => path.endsWith(".html") && path !== "404.html" && !path.startsWith("playground/")).sort();
  const isSource = (path) => path.startsWith("source/");
  return [...all.filter((path) => !isSource(path)), ...all.filter(isSource).slice(0, 1)];
}

const faults = [];
const links = new Map();  // address -> the first page that has it
const pictures = new Map();  // address of an SVG -> how wide it is on a phone, and where

async function call(page, inPage, ...given) {
  return page.get(`(${inPage})(${given.map((one) => JSON.stringify(one)).join(", ")})`);
}

async function check(page, path) {
  const say = (text) => faults.push(`${path}: ${text}`);
  page.problems.length = 0;
  await page.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: "light" }] });
  await page.resize(phone, 844);
  await page.open(pathToFileURL(join(site, path)).href);
  await call(page, darkScheme, false);
  await call(page, settle);
  page.problems.forEach((problem) => say("a script fails: " + problem));

  for (const inPage of [brokenFormulas, brokenHeadings, brokenImages]) (await call(page, inPage)).forEach(say);
  for (const { address, width, own } of await page.get("[...document.querySelectorAll('.md-content img')].map((image) => "
    + "({ address: image.src, width: image.clientWidth, own: image.naturalWidth }))"))
    pictures.set(address, { path, scale: width / own });
  for (const address of await call(page, linksOf)) if (!links.has(address)) links.set(address, path);
  (await call(page, tooWide)).forEach((what) => say(`${what} at ${phone} pixels`));

  await call(page, withoutDetails);
  await page.get(axe + "; 0");
  // "region" is slow, and what it finds is not serious.
  await findings(page, say, `${phone} pixels`, "{ rules: { region: { enabled: false }, 'color-contrast': { enabled: false } } }");
  await page.resize(window, 844);
  (await call(page, tooWide)).forEach((what) => say(`${what} at ${window} pixels`));

  await call(page, withoutKnownColours);
  for (const width of [window, phone]) {
    await page.resize(width, 844);
    for (const dark of [false, true]) {
      await call(page, darkScheme, dark);
      await findings(page, say, `${width} pixels, ${dark ? "dark" : "light"}`, "{ runOnly: ['color-contrast'] }");
    }
  }
}

async function findings(page, say, where, options) {
  const violations = await page.get(`axe.run(document, { resultTypes: ["violations"], ...${options} }).then((all) => all.violations
    .filter((one) => one.impact === "serious" || one.impact === "critical")
    .map((one) => one.id + " (" + one.impact + "): " + one.help + ", " + one.nodes.length + " times, first " + one.nodes[0].html.replace(/\\s+/g, " ").slice(0, 160)))`);
  violations.forEach((violation) => say(`${violation} at ${where}`));
}

// The reader's system decides, as long as he does not; check() sets the scheme itself.
async function checkScheme(page) {
  await page.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: "dark" }] });
  await page.open(pathToFileURL(join(site, "index.html")).href);
  if (await page.get("document.body.dataset.mdColorScheme") !== "slate") faults.push("index.html: opens light where dark is wanted");
  for (const dark of [true, false]) {
    await call(page, darkScheme, dark);
    const wanted = dark ? "dark" : "light";
    if (await page.get("getComputedStyle(document.querySelector('article')).colorScheme") !== wanted)
      faults.push(`index.html: pictures do not become ${wanted} with the page`);
  }
}

// The site is opened from a folder, without a server.
async function checkSearch(page) {
  await page.resize(window, 844);
  await page.open(pathToFileURL(join(site, "index.html")).href);
  await page.get("document.querySelector('.md-search__input').focus()");
  await page.type("softmax");
  const found = await call(page, searchResults);
  if (!found[0]?.to.includes("06-probabilities.html")) faults.push(`index.html: the search for softmax finds ${found[0]?.to ?? "nothing"} before chapter 6`);
  found.filter(({ text }) => text.includes("\\(")).forEach(({ to }) => faults.push(`index.html: the search shows TeX of ${to}`));
}

function checkLinks() {
  const anchors = new Map();
  const anchorsOf = (file) => {
    if (!anchors.has(file)) anchors.set(file, new Set([...readFileSync(file, "utf8").matchAll(/\s(?:id|name)="?([^"\s>]+)/g)].map((found) => found[1])));
    return anchors.get(file);
  };
  // The course's page makes its exercises from a list: what it is asked for is a folder of exercises/lessons/.
  const isThere = (file, anchor) => anchorsOf(file).has(anchor) || (file.endsWith("/playground/course.html") && existsSync(join("exercises/lessons", anchor)));
  for (const [address, path] of links) {
    const url = new URL(address);
    if (url.protocol !== "file:") continue;
    const anchor = decodeURIComponent(url.hash.slice(1));
    const file = fileURLToPath(address.split("#")[0]);
    if (!existsSync(file)) faults.push(`${path}: a link leads to ${relative(site, file)}, which is not there`);
    else if (anchor && file.endsWith(".html") && !isThere(file, anchor)) faults.push(`${path}: no #${anchor} in ${relative(site, file)}`);
  }
}

async function checkPictures(page) {
  for (const [address, { path, scale }] of pictures) {
    if (!address.endsWith(".svg")) continue;
    await page.open(address);
    const text = await page.get("Math.min(...[...document.querySelectorAll('text, tspan')].map((one) => parseFloat(getComputedStyle(one).fontSize)))");
    if (text * scale < smallestText) {
      faults.push(`${path}: text of ${(text * scale).toFixed(1)} pixels in ${relative(site, fileURLToPath(address))} at ${phone} pixels; at least ${smallestText}`);
    }
  }
}

// One browser for each at work: a page behind another is not drawn.
const waiting = chosen.length > 0 ? [...chosen] : pagesToOpen();
const count = waiting.length;
const atWork = Array.from({ length: 3 }, () => new Browser(chromium));
const pages = await Promise.all(atWork.map((browser) => browser.page("about:blank")));
await checkScheme(pages[0]);
await Promise.all(pages.map(async (page) => {
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    await check(page, path).catch((error) => faults.push(`${path}: ${error.message}`));
  }
}));
await checkSearch(pages[0]);
checkLinks();
await checkPictures(pages[0]);
await Promise.all(atWork.map((browser) => browser.close()));
faults.sort().slice(0, 40).forEach((fault) => console.log(fault));
if (faults.length > 40) console.log("..");
console.log(`${count} pages, ${links.size} links, ${pictures.size} pictures: ${faults.length === 0 ? "no fault" : faults.length + " faults"}`);
process.exit(faults.length > 0 ? 1 : 0);
