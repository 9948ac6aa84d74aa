// Drives the trace page in Chromium: steps, steps back, opens modules and nodes, reads what the page shows and compares
// it with the engine's numbers. Prints how fast the page is; that is not a part of the test.
//
//   node page_test.mjs CHROMIUM FOLDER      FOLDER: as write_pages left it

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { exitCode, smallTargets, test } from "../playground/reader.mjs";
import { Browser } from "./browser.mjs";

const [chromium, folder] = process.argv.slice(2);
const expected = JSON.parse(readFileSync(join(folder, "expected.json"), "utf8"));
const address = (file, hash = "") => pathToFileURL(resolve(folder, file)).href + hash;
const browser = new Browser(chromium);

// What a person reads in the details.
const shown = (page, tensor) => page.get(`[...document.querySelectorAll('[data-tensor="${tensor}"] td')].map((td) => td.dataset.value)`);
const state = (page) => page.get("document.getElementById('gradient-state').textContent");
const position = (page) => page.get("Number(document.getElementById('slider').value)");

const small = await browser.page(address("small.html"));
const last = await small.get("backstep.model.last");
const forward = await small.get("backstep.model.forward");
const use = (i) => small.get(`backstep.select('u' + backstep.model.nodes.get(${expected.w}).uses[${i}], true)`);

await test("it opens at the start of backward, without complaints", async () => {
  assert.deepEqual(small.problems, []);
  assert.equal(await position(small), forward + 1);
  assert.equal(await small.get("backstep.selectedNode().op"), "sum");
  assert.equal(await small.get("document.querySelector('#details h2').firstChild.data"), "loss");
});

await test("a tensor is called as in the program, at each step of a loop, and what has no variable by its op", async () => {
  const called = (label) => small.get(`backstep.model.order.filter((node) => node.label === "${label}").map((node) => node.op)`);
  assert.deepEqual(await called("h"), ["tanh", "tanh", "tanh", "tanh"]);
  assert.deepEqual(await called("loss"), ["sum"]);
  const [name, other] = await small.get("backstep.model.order.filter((node) => node.op === 'matmul').map(nameOf)");
  assert.match(name, /^%\d+ matmul$/);
  assert.notEqual(name, other);
});

await test("what a step sends travels along its edge, unless motion is reduced", async () => {
  const step = async () => {
    await small.press("b");
    return await small.get("(backstep.goTo(backstep.time + 1), backstep.travelled())");
  };
  const flow = () => small.get("backstep.graph.flowOf(momentAt(backstep.model, backstep.time)).map(({ value }) => tensorOf(backstep.model, value).shape)");
  assert.ok(await step() < 1);
  assert.deepEqual(await flow(), [[2, 3]]);  // from the sum to what it adds up
  await small.get("new Promise((done) => { const wait = () => backstep.travelled() < 1 ? setTimeout(wait, 20) : done(); wait(); })");
  await small.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-reduced-motion", value: "reduce" }] });
  assert.equal(await step(), 1);
  await small.send("Emulation.setEmulatedMedia", { features: [] });
  await small.press("b");
});

await test("the line of the op is marked in the source, and a click on a line goes to its op", async () => {
  const now = () => small.get("[...document.querySelectorAll('#source .line.now')].map((line) => line.querySelector('code').textContent.trim())");
  await small.get(`backstep.select('n${expected.h}', true)`);
  assert.deepEqual(await now(), ["h = autograd::tanh(h.matmul(w));"]);
  await small.get("[...document.querySelectorAll('#source .line.ops code')].find((code) => code.textContent.includes('.pow(2)')).click()");
  assert.equal(await small.get("backstep.selectedNode().op"), "pow");
  assert.deepEqual(await now(), ["const Tensor loss = h.pow(2).sum();"]);
  await small.press("Escape");
});

await test("a first visit is told what it sees, and what to press; no later one", async () => {
  const page = await browser.page(address("small.html"));
  assert.equal(await page.get("document.getElementById('welcome').hidden"), false);
  await page.get("document.getElementById('first-step').click()");
  assert.equal(await position(page), forward + 2);
  assert.equal(await page.get("document.getElementById('welcome').hidden"), true);
  const again = await browser.page(address("small.html") + "#seen");
  assert.equal(await again.get("document.getElementById('welcome').hidden"), true);
  await small.send("Page.bringToFront");
});

await test("arrow keys step and step back, Home and End go to the ends", async () => {
  await small.press("ArrowRight");
  assert.equal(await position(small), forward + 2);
  await small.press("ArrowLeft");
  await small.press("ArrowLeft");
  assert.equal(await position(small), forward);
  await small.press("Home");
  assert.equal(await position(small), 0);
  await small.press("ArrowLeft");
  assert.equal(await position(small), 0);
  await small.press("End");
  assert.equal(await position(small), last);
  await small.press("b");
  assert.equal(await position(small), forward + 1);
});

await test("a value is the engine's, and not shown before it was computed", async () => {
  await small.get(`backstep.select('n${expected.h}', true)`);
  assert.deepEqual(await shown(small, "value"), expected.h_value);
  await small.press("Home");
  assert.deepEqual(await shown(small, "value"), []);
  assert.notEqual(await small.get("document.querySelector('#details .nothing-yet')"), null);
  await small.press("b");
  assert.deepEqual(await shown(small, "value"), expected.h_value);
});

await test("contributions arrive one by one: never a zero for what is not there, each sum the engine's to the bit", async () => {
  await use(0);
  await small.press("b");
  assert.equal(await state(small), "not yet computed: 0 of 4");
  assert.deepEqual(await shown(small, "gradient"), []);
  assert.deepEqual(await shown(small, "value"), expected.w_value);
  for (let i = 0; i < 4; ++i) {
    await small.press("n");
    assert.equal(await state(small), i < 3 ? `${i + 1} of 4` : "complete: 4 of 4");
    assert.deepEqual(await shown(small, "gradient"), expected.w_partial[i]);
    assert.equal(await small.get("document.querySelectorAll('ol.contributions li.here').length"), i + 1);
  }
  assert.deepEqual(expected.w_partial[3], expected.w_gradient);
  await small.press("ArrowLeft");
  assert.equal(await state(small), "3 of 4");
  assert.deepEqual(await shown(small, "gradient"), expected.w_partial[2]);
  await small.press("End");
  assert.deepEqual(await shown(small, "gradient"), expected.w_gradient);
});

await test("a module closes and opens with the keyboard", async () => {
  await small.get(`backstep.select('n${expected.h}', true)`);
  const boxes = () => small.get("backstep.graph.boxes.length");
  const before = await boxes();
  await small.press("p");
  assert.equal(await small.get("backstep.selected[0]"), "g");
  await small.press("o");
  const closed = await boxes();
  assert.ok(closed < before, `${closed} boxes after closing, ${before} before`);
  await small.press("Enter");
  assert.equal(await boxes(), before);
  await small.press("c");
  assert.ok(await boxes() < closed);
  await small.press("a");
  assert.equal(await boxes(), before);
});

await test("a click selects, and a click beside everything lets go", async () => {
  await small.press("f");
  const at = await small.get(`(() => { const b = backstep.graph.boxOf('n${expected.h}'), v = backstep.graph.view,
    r = backstep.graph.nodeCanvas.getBoundingClientRect();
    return [r.left + (b.x + b.w / 2 - v.x) * v.zoom, r.top + (b.y + b.h / 2 - v.y) * v.zoom]; })()`);
  await small.click(...at);
  assert.equal(await small.get("backstep.selected"), "n" + expected.h);
  assert.match(await small.get("document.getElementById('announce').textContent"), /tanh/);
  await small.click(...await small.get("(() => { const r = backstep.graph.nodeCanvas.getBoundingClientRect(); return [r.left + 40, r.top + 4]; })()"));
  assert.equal(await small.get("backstep.selected"), null);
});

await test("search finds by op, by line and by module, and Enter goes there", async () => {
  for (const [query, op] of [["pow", "pow"], ["write_pages.cpp tanh", "tanh"], ["cell step matmul", "matmul"]]) {
    await small.press("/");
    await small.get("document.getElementById('search').value = ''");
    await small.type(query);
    assert.ok(await small.get("document.querySelectorAll('#results li[role=option]').length") > 0, query);
    await small.press("Enter");
    assert.equal(await small.get("backstep.selectedNode().op"), op);
  }
  await small.press("/");
  await small.get("document.getElementById('search').value = ''");
  await small.type("zzzz");
  assert.equal(await small.get("document.querySelector('#results').textContent"), "nothing found");
  await small.press("Escape");
});

await test("it plays by itself to the end, and stops there", async () => {
  await small.press("Home");
  await small.get("document.getElementById('speed').value = '60'");
  await small.press(" ");
  await small.get(`new Promise((done) => { const wait = () => backstep.playing ? setTimeout(wait, 20) : done(); wait(); })`);
  assert.equal(await position(small), last);
});

await test("the op's formula, and its line in the source, stand in the details", async () => {
  await small.get(`backstep.select('n${expected.h}', true)`);
  assert.deepEqual(await small.get("[...document.querySelectorAll('#details .formula')].map((line) => line.textContent)"), ["y = tanh(x)", "dx = dy * (1 - y^2)"]);
  assert.match(await small.get("document.querySelector('#details code.place').textContent"), /write_pages\.cpp:\d+/);
  assert.match(await small.get("document.querySelector('#details pre.source').textContent"), /h = autograd::tanh\(h\.matmul\(w\)\);/);
});

await test("names with markup, control characters and turned writing do nothing", async () => {
  await use(0);
  assert.equal(await small.get("document.querySelector('#details h2').firstChild.data"),
    "w</script><img src=x onerror=\"window.hacked=1\">\\x01\\u{202e}gnp");
  assert.equal(await small.get("typeof window.hacked"), "undefined");
  assert.equal(await small.get("document.querySelectorAll('img').length"), 0);
  assert.equal(await small.get("backstep.model.groups[1].name"), "cell<b>&amp;\"'");
});

await test("help, theme, and a name for everything that can be used", async () => {
  await small.press("?");
  assert.equal(await small.get("document.getElementById('help').open"), true);
  await small.press("Escape");
  assert.equal(await small.get("document.getElementById('help').open"), false);
  const theme = await small.get("document.documentElement.dataset.theme");
  await small.press("t");
  assert.notEqual(await small.get("document.documentElement.dataset.theme"), theme);
  const { nodes } = await small.send("Accessibility.getFullAXTree");
  const roles = ["button", "slider", "combobox", "checkbox", "application", "searchbox"];
  const nameless = nodes.filter((node) => !node.ignored && roles.includes(node.role?.value) && !node.name?.value);
  assert.deepEqual(nameless.map((node) => node.role.value), []);
});

await test("no request leaves the page: even one that it is told to make is refused by its policy", async () => {
  assert.equal(small.requests.filter((url) => url.startsWith("file:")).length, 1);
  assert.deepEqual(small.requests.filter((url) => !url.startsWith("file:") && !url.startsWith("data:")), []);
  const refused = await small.get(`(async () => {
    const refused = [];
    document.addEventListener("securitypolicyviolation", (event) => refused.push(event.effectiveDirective));
    await fetch("https://example.com/").catch(() => {});
    await new Promise((done) => { const image = new Image(); image.onload = image.onerror = done; image.src = "https://example.com/x.png"; });
    const script = document.createElement("script");
    await new Promise((done) => { script.onload = script.onerror = done; script.src = "https://example.com/x.js"; document.head.append(script); });
    await new Promise((done) => setTimeout(done, 50));
    return refused;
  })()`);
  assert.deepEqual(refused, ["connect-src", "img-src", "script-src-elem"]);
});

await test("a pass over a leaf alone, one that broke off, and one with NaN open too", async () => {
  for (const [file, hasOps, completed] of [["leaf.html", false, true], ["broken.html", true, false], ["nan.html", true, true]]) {
    const odd = await browser.page(address(file));
    await odd.press("Home");
    for (let i = 0; i < 15; ++i) await odd.press("ArrowRight");
    for (const key of ["f", "a", "c", "n", "ArrowDown", "p", "o", "."]) await odd.press(key);
    assert.deepEqual(odd.problems, [], file);
    assert.deepEqual(await odd.get("[backstep.model.forward > 0, backstep.model.trace.completed]"), [hasOps, completed], file);
  }
  const nan = await browser.page(address("nan.html"));
  await nan.press("/");
  await nan.type("log");
  await nan.press("Enter");
  assert.deepEqual(await shown(nan, "value"), ["NaN", "-Infinity", "1.3862944"]);
  assert.notEqual(await nan.get("document.querySelector('#details .bad')"), null);
});

const boxOfMoment = `(() => { const b = backstep.graph.boxOf(backstep.currentItem()), g = backstep.graph, v = g.view;
  return { x: (b.x + b.w / 2 - v.x) * v.zoom, y: (b.y + b.h / 2 - v.y) * v.zoom, width: g.width, height: g.height, item: b.item }; })()`;

await test("a graph too large for the window opens at a size that can be read, at the op of the moment", async () => {
  const wide = await browser.page(address("wide.html"));
  assert.ok(await wide.get("backstep.model.forward") > 200);
  assert.ok(await wide.get("backstep.graph.view.zoom") >= 0.8);
  const at = await wide.get(boxOfMoment);
  assert.ok(at.x > 0 && at.x < at.width && at.y > 0 && at.y < at.height, JSON.stringify(at));
});

await test("a lone number has no colour, others have", async () => {
  const wide = await browser.page(address("wide.html"));
  const colours = `[...new Set([...document.querySelectorAll('[data-tensor=value] td')].map((td) => td.style.background))]`;
  const sum = await wide.get("backstep.model.order.find((node) => node.op === 'sum').id");
  await wide.get(`backstep.select('n${sum}', true)`);
  const [alone, ...more] = await wide.get(colours);
  assert.deepEqual(more, []);
  await wide.get(`backstep.select('n${sum - 1}', true)`);
  const several = await wide.get(colours);
  assert.ok(several.length > 5 && !several.includes(alone), String(several));
});

await test("lines that say something have 3:1 on what they lie on, texts 4.5:1, light and dark", async () => {
  const ratio = (a, b) => {
    const light = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
      .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
    const [high, low] = [light(a), light(b)].sort((x, y) => y - x);
    return (high + 0.05) / (low + 0.05);
  };
  for (const theme of ["light", "dark"]) {
    const page = await browser.page(address("small.html", "#theme=" + theme));
    const colours = await page.get("backstep.graph.colours");
    const atLeast = (least, names, grounds) => {
      for (const name of names) for (const ground of grounds) {
        const is = ratio(colours[name], colours[ground]);
        assert.ok(is >= least, `${theme}: ${name} on ${ground} is ${is.toFixed(2)}:1`);
      }
    };
    atLeast(3, ["edge", "faint"], ["ground", "surface", "raised", "group"]);
    atLeast(3, ["group-line"], ["ground"]);
    atLeast(3, ["complete"], ["ground", "raised", "group", "backward-soft"]);
    atLeast(3, ["forward"], ["ground", "raised", "group"]);
    atLeast(4.5, ["ink", "soft"], ["ground", "surface", "raised", "group", "backward-soft"]);
    atLeast(4.5, ["backward", "danger"], ["raised", "backward-soft"]);
  }
});

await test("another theme is there at once: graph, cells", async () => {
  const page = await browser.page(address("wide.html", "#theme=light"));
  const id = await page.get("backstep.model.order.find((node) => node.op === 'sum').id - 1");
  await page.get(`backstep.select('n${id}', true)`);
  const cells = () => page.get("[...document.querySelectorAll('[data-tensor=value] td')].slice(0, 20).map((td) => td.style.background).join()");
  const pixels = () => page.get("backstep.graph.edgeCanvas.toDataURL() + backstep.graph.nodeCanvas.toDataURL()");
  const light = [await cells(), await pixels()];
  await page.get("backstep.setTheme('dark')");
  const dark = [await cells(), await pixels()];
  dark.forEach((now, i) => assert.notEqual(now, light[i]));
  await page.get("backstep.setTheme('light')");
  assert.deepEqual([await cells(), await pixels()], light);
});

await test("the focus stays: on a button at the end of the way, in details that are made anew", async () => {
  const focused = () => small.get("document.activeElement.id || document.activeElement.className");
  await small.send("Page.bringToFront");
  await small.get("document.getElementById('step').focus()");
  await small.get("backstep.goTo(backstep.model.last - 1)");
  for (let i = 0; i < 3; ++i) await small.press("Enter");
  assert.equal(await position(small), last);
  await small.get("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
  assert.equal(await focused(), "step");
  await small.press("b");
  await small.get("document.querySelector('#details button.link').focus()");
  await small.press("Enter");
  assert.equal(await small.get("document.getElementById('details').contains(document.activeElement)"), true);
  await small.press("Escape");
});

await test("what can be pressed has 24 pixels; a low window scrolls, and shows the graph", async () => {
  const page = await browser.page(address("small.html"));
  for (const [width, height] of [[1280, 800], [700, 800], [640, 300], [390, 500]]) {
    await page.resize(width, height);
    await page.press("End");
    assert.deepEqual(await smallTargets(page), [], `${width} x ${height}`);
    assert.ok(await page.get("backstep.section.clientHeight") >= 150);
    assert.ok(await page.get("document.querySelector('footer').getBoundingClientRect().bottom + scrollY <= document.documentElement.scrollHeight + 1"));
  }
});

await test("who asks for less motion is shown one step in a second; nothing takes the focus by itself", async () => {
  assert.equal(await small.get("document.querySelectorAll('[autofocus]').length"), 0);
  for (const [wish, speed] of [["no-preference", "3"], ["reduce", "1"]]) {
    const page = await browser.page("about:blank");
    await page.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-reduced-motion", value: wish }] });
    await page.open(address("small.html"));
    assert.equal(await page.get("document.getElementById('speed').value"), speed);
  }
});

await test("a long formula wraps", async () => {
  const page = await browser.page(address("cells.html"));
  const id = await page.get("backstep.model.order.find((node) => node.op === 'softmax').id");
  await page.get(`backstep.select('n${id}', true)`);
  const [right, edge] = await page.get(`(() => { const line = document.querySelector('#details .formula'); line.textContent = "y=".repeat(200);
    const range = document.createRange(); range.selectNodeContents(line);
    return [range.getBoundingClientRect().right, document.getElementById('details').getBoundingClientRect().right]; })()`);
  assert.ok(right <= edge, `${right} > ${edge}`);
});

await test("following shows the op of the moment itself, in whatever module", async () => {
  const page = await browser.page(address("small.html"));
  await page.press("c");
  for (let step = 0; step < 10; ++step) {
    await page.press("ArrowRight");
    const [shown, item] = await page.get("[backstep.graph.boxOf(backstep.currentItem()).item, backstep.currentItem()]");
    assert.equal(shown, item);
  }
  const open = await page.get("backstep.open.size");
  await page.press("b");
  assert.ok(await page.get("backstep.open.size") < open, "what following opened is closed again");
});

await test("gradients over time stand in the page as pictures and numbers, and lead to the pass", async () => {
  const page = await browser.page(address("history.html"));
  assert.equal(await page.get("document.getElementById('over-time').hidden"), false);
  await page.get("document.getElementById('over-time').click()");
  const widths = await page.get("Promise.all([...document.querySelectorAll('#history img')].map((img) => img.decode().then(() => img.naturalWidth)))");
  assert.deepEqual(widths, [460, 460, 460]);
  const numbers = () => page.get("[...document.querySelectorAll('#passes tbody tr')].map((row) => row.lastChild.textContent)");
  const gradients = await numbers();
  assert.equal(gradients.length, 3);
  await page.get("(() => { const measure = document.getElementById('measure'); measure.value = '2'; measure.dispatchEvent(new Event('change')); })()");
  assert.equal((await numbers())[0], "\u2013");  // no pass before the first
  assert.notDeepEqual(await numbers(), gradients);
  assert.equal(await page.get("document.querySelector('#passes tr.now button').textContent"), "3");
  await page.get("document.querySelector('#passes tbody button').click()");
  assert.match(await page.get("document.getElementById('to-pass').textContent"), /,pass=1 /);
  for (const pass of [2, 3]) {  // a click on a chart, where this pass stands
    const [x, y] = await page.get(`(() => { const chart = document.querySelector("#history img"), box = chart.getBoundingClientRect();
      const [left, right, low, high] = chart.dataset.span.split(" ").map(Number);
      return [box.left + (left + (${pass} - low) / (high - low) * (right - left)) * box.width / 460, box.top + box.height / 2]; })()`);
    await page.click(x, y);
    assert.match(await page.get("document.getElementById('to-pass').textContent"), new RegExp(",pass=" + pass + " "));
  }
  assert.deepEqual(page.problems, []);
  const other = await browser.page(address("small.html"));
  assert.equal(await other.get("document.getElementById('over-time').hidden"), true);
});

await test("a bar between panes moves with the mouse and with keys", async () => {
  const page = await browser.page(address("small.html"));
  await page.resize(1280, 800);
  const width = () => page.get("document.getElementById('details').clientWidth");
  const before = await width();
  await page.get("document.getElementById('details-bar').focus()");
  for (let i = 0; i < 3; ++i) await page.press("ArrowLeft");
  assert.equal(await width(), before + 72);
  assert.equal(await position(page), forward + 1);  // no step
});

await test("a large program has a strip of all its ops, which leads to each", async () => {
  const page = await browser.page(address("large.html"));
  const { x, y, w } = await page.get("(() => { const r = document.getElementById('strip').getBoundingClientRect(); return { x: r.left, y: r.top + 8, w: r.width }; })()");
  await page.click(x + w / 2, y);
  const at = await page.get("backstep.selectedNode().valueAt / backstep.model.forward");
  assert.ok(Math.abs(at - 0.5) < 0.01, String(at));
  const other = await browser.page(address("small.html"));
  assert.equal(await other.get("document.getElementById('strip').hidden"), true);
});

await test("in a narrow window nothing is hidden, and no control or text is cut off", async () => {
  const page = await browser.page(address("small.html"));
  for (const width of [320, 390, 600, 800, 1000, 1280]) {
    await page.resize(width, 800);
    const cut = await page.get(`[...document.querySelectorAll('header *, footer *, #sides, #sides *')].filter((e) => {
      const r = e.getBoundingClientRect();
      return !e.closest('.visually-hidden, #results, svg' + (document.querySelector('h1').clientWidth > 1 ? '' : ', h1')) && r.width > 0 && (r.left < -1 || r.right > innerWidth + 1 || r.bottom > innerHeight + 1);
    }).map((e) => e.id || e.tagName)`);
    assert.deepEqual(cut, [], String(width));
    assert.ok(await page.get("document.documentElement.scrollWidth <= innerWidth"), String(width));
    const wide = width > 480 ? ["first", "last", "speed", "follow", "open-all", "close-all"] : [];  // on a telephone keys and gestures do these
    for (const id of ["now", "fit", "theme", "help-button", "search", "graph", "slider", "back", "play", "step", ...wide]) {
      assert.ok(await page.get(`document.getElementById('${id}').getBoundingClientRect().width > 5`), `${id} at ${width}`);
    }
    assert.ok(await page.get("document.getElementById('graph').clientHeight > 120"), String(width));
  }
});

await test("a chosen cell says what it was made of and where it goes, and one can go on from there", async () => {
  const page = await browser.page(address("cells.html"));
  const id = await page.get("[...backstep.model.nodes.values()].find((node) => node.op === 'softmax').id");
  await page.get(`(backstep.goTo(backstep.model.last), backstep.select('n${id}', true))`);
  const input = await page.get(`backstep.model.nodes.get(${id}).inputs[0].node`);
  await page.get(`backstep.select(backstep.itemOf(${input}), true)`);
  await page.get(`document.querySelector('[data-tensor=gradient] td[data-at="4"]').click()`);
  assert.deepEqual(await page.get("backstep.panel.cell"), { id: input, which: "gradient", at: 4 });
  const from = `document.querySelector('section.cell figure[data-node="${id}"][data-which=gradient]')`;
  assert.equal(await page.get("document.querySelectorAll('section.cell .bad').length"), 0);
  const lit = await page.get(`[...${from}.querySelectorAll('td.lit')].map((td) => Number(td.dataset.at))`);
  assert.deepEqual(lit, [1, 4, 7]);  // along dim 1 of [3, 3] it would be [3, 4, 5]
  const [terms, sum] = await page.get(`(() => { const rows = [...document.querySelectorAll('section.cell table.terms tbody tr')];
    return [rows.length - 1, rows[rows.length - 1].textContent]; })()`);
  assert.equal(terms, 3);
  assert.ok(sum.endsWith(await page.get(`formatNumber(gradientAt(backstep.model, ${input}, backstep.time).data[4])`)), sum);
  await page.get(`${from}.querySelector('td.lit').click()`);
  assert.deepEqual(await page.get("[backstep.selected, backstep.panel.cell]"), ["n" + id, { id, which: "gradient", at: 1 }]);
  await page.get("document.querySelector('.tensor[data-tensor=gradient]').focus()");
  await page.press("ArrowDown");
  assert.equal(await page.get("backstep.panel.cell.at"), 4);
  await page.press("Escape");
  assert.equal(await page.get("backstep.panel.cell"), null);
  const own = await page.get("[...backstep.model.nodes.values()].find((node) => node.op === 'learners_square').id");
  await page.get(`(backstep.select('n${own}', true), document.querySelector('[data-tensor=value] td').click())`);
  assert.deepEqual(await page.get("[...document.querySelectorAll('section.cell figure')][0].querySelector('td.lit').dataset.at"), "0");
  assert.deepEqual(page.problems, []);
});

await test("an address points at a moment, an op and a cell, and the op is in view", async () => {
  const cells = await browser.page(address("cells.html"));
  const [step, id] = await cells.get("[backstep.model.last - 3, backstep.model.order[5].id]");
  const page = await browser.page(address("cells.html", `#step=${step}&node=${id}&cell=value:1`));
  assert.deepEqual(await page.get("[backstep.time, backstep.selected, backstep.panel.cell]"), [step, "n" + id, { id, which: "value", at: 1 }]);
  const inView = await page.get("(() => { const g = backstep.graph, b = g.boxOf('n' + backstep.panel.cell.id); return b.x >= g.view.x && b.y >= g.view.y && b.x + b.w <= g.view.x + g.width / g.view.zoom && b.y + b.h <= g.view.y + g.height / g.view.zoom; })()");
  assert.ok(inView);
});

await test("every cell of every op can be chosen, at every step, without complaints", async () => {
  const page = await browser.page(address("cells.html"));
  await page.get(`(() => { for (const time of [backstep.model.forward + 1, backstep.model.forward + 15, backstep.model.last]) {
    backstep.goTo(time);
    for (const node of backstep.model.nodes.values()) {
      if (!backstep.itemOf(node.id)) continue;
      for (const which of ["value", "gradient"]) backstep.panel.choose({ id: node.id, which, at: 0 });
    }
  } })()`);
  assert.deepEqual(page.problems, []);
  await page.get("backstep.panel.choose({ id: backstep.model.order[0].id, which: 'value', at: 0 })");
});

await test("the whole source stands beside the graph with the line of the moment; one that is not found is said", async () => {
  await small.get(`backstep.select('n${expected.h}', true)`);
  const source = readFileSync(new URL("write_pages.cpp", import.meta.url), "utf8").trimEnd().split("\n");
  assert.deepEqual(await small.get("[...document.querySelectorAll('#source .line code')].map((line) => line.textContent)"), source);
  assert.match(await small.get("document.querySelector('#source .line.now').textContent"), /h = autograd::tanh\(h\.matmul\(w\)\);/);
  const now = await small.get("(() => { const l = document.querySelector('#source .line.now').getBoundingClientRect(), c = document.querySelector('#source .code').getBoundingClientRect(); return l.top >= c.top && l.bottom <= c.bottom; })()");
  assert.ok(now, "the line is in view");
  const wide = await browser.page(address("wide.html"));
  const sum = await wide.get("backstep.model.order.find((node) => node.op === 'sum').id");
  await wide.get(`backstep.select('n${sum}', true)`);
  assert.notEqual(await wide.get("backstep.model.trace.sources.find(({ file }) => file === 'nowhere.cpp').missing"), undefined);
  assert.notEqual(await wide.get("document.querySelector('#source .nothing-yet')"), null);
});

const large = await browser.page(address("large.html"));
await test("a graph of thousands of ops opens, steps and goes back", async () => {
  assert.deepEqual(large.problems, []);
  assert.ok(await large.get("backstep.model.nodes.size") >= 5000);
  await large.press("a");
  assert.ok(await large.get("backstep.graph.boxes.length") > 5000);
  await large.press("End");
  await large.press("ArrowLeft");
  assert.equal(await position(large), await large.get("backstep.model.last") - 1);
  await large.press("Home");
  assert.equal(await position(large), 0);
});

const frames = (hash) => `(async () => {
  ${hash}
  backstep.goTo(backstep.model.forward + 1);
  const count = 120;
  let drawing = 0;
  const began = performance.now();
  for (let i = 0; i < count; ++i) {
    await new Promise(requestAnimationFrame);
    const before = performance.now();
    backstep.goTo(backstep.time + 1);
    drawing += performance.now() - before;
  }
  return [count / (performance.now() - began) * 1000, drawing / count];
})()`;
const report = async (name, setup) => {
  const [rate, time] = await large.get(frames(setup));
  console.log(`        ${name}: ${rate.toFixed(0)} steps per second, ${time.toFixed(1)} ms of work for each`);
};
console.log(`large.html: ${await large.get("backstep.model.nodes.size")} nodes, ${(readFileSync(join(folder, "large.html")).length / 1e6).toFixed(1)} MB`);
console.log(`        opened in ${large.loadTook.toFixed(0)} ms, of which the page's own work is ${(await large.get("backstep.startTook")).toFixed(0)} ms`);
await report("modules closed", "backstep.closeAll();");
await report("all open, the whole graph in view", "backstep.openAll(); backstep.$('follow').checked = false;");
await report("all open, near and following", "backstep.$('follow').checked = true; backstep.graph.view.zoom = 0.8; backstep.graph.edgesDirty = true;");

await browser.close();
process.exit(exitCode());
