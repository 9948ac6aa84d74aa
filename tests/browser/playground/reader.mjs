// What the tests of the page's two halves do as a reader does it: open, type, press keys, wait. And how a test is told.

import assert from "node:assert/strict";

let failures = 0;

export async function test(name, body) {
  const began = performance.now();
  try {
    await body();
    console.log(`ok      ${name} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
  } catch (error) {
    ++failures;
    console.log("FAILED  " + name + "\n" + error.stack);
  }
}

export const exitCode = () => (failures > 0 ? 1 : 0);

export const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

export async function until(page, condition, seconds = 60) {
  for (const began = performance.now(); !await page.get(condition); await pause(20)) {
    if (performance.now() - began > 1000 * seconds) throw new Error(`not within ${seconds} s: ${condition}`);
  }
}

export const isReady = (page) => until(page, "document.body.dataset.compiler === 'ready'", 120);
export const textOf = (page, id) => page.get(`document.getElementById("${id}").textContent`);
export const press = (page, id) => page.get(`document.getElementById("${id}").click()`);

// As from the keyboard: everything is selected and replaced.
export async function write(page, program) {
  const key = { key: "a", code: "KeyA", modifiers: 2, windowsVirtualKeyCode: 65 };
  await page.get("document.querySelector('.cm-content').focus()");
  await page.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...key, commands: ["selectAll"] });
  await page.send("Input.dispatchKeyEvent", { type: "keyUp", ...key });
  await page.send("Input.insertText", { text: program });
}

export async function pressCtrlEnter(page) {
  const key = { key: "Enter", code: "Enter", modifiers: 2, windowsVirtualKeyCode: 13 };
  await page.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...key });
  await page.send("Input.dispatchKeyEvent", { type: "keyUp", ...key });
}

export async function closeTab(browser, page) {
  await browser.send("Target.closeTarget", { targetId: (await page.send("Target.getTargetInfo")).targetInfo.targetId });
}

// What holds the focus: an id, or else the name of its element.
export const focused = (page) => page.get("document.activeElement.id || document.activeElement.tagName");

// Presses a button as the keyboard does.
export async function pressEnter(page, id) {
  await page.get(`document.getElementById("${id}").focus()`);
  await page.press("Enter");
}

// Where Tab leads to, from the beginning of the page to its end or its frame. At each stop the focus can be seen.
export async function tabStops(page) {
  const stops = [];
  await page.get("document.querySelector('.skip').focus()");
  for (let i = 0; i < 40; ++i) {
    const [name, isSeen] = await page.get(`(() => {
      const one = document.activeElement, box = one.getBoundingClientRect();
      const { outlineStyle, outlineWidth } = getComputedStyle(one.closest(".cm-editor") ?? one);
      const isInWindow = box.width > 0 && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
      return [one === document.body ? "BODY" : one.id || one.classList[0] || one.value || one.tagName, isInWindow && outlineStyle !== "none" && parseFloat(outlineWidth) >= 2];
    })()`);
    if (name === "BODY" || (i > 0 && name === stops[0])) break;
    stops.push(name);
    if (name === "IFRAME") break;
    assert.ok(isSeen, `the focus cannot be seen on ${name}`);
    await page.press("Tab");
    await pause(50);  // the editor shows its focus a little later
  }
  return stops;
}

// Six hundred loops, each of them run by the compiler: minutes.
export const slowToCompile = "constexpr int slow(int n) { int s = n; for (int i = 0; i < 90000; ++i) s ^= i; return s; }\n"
  + Array.from({ length: 600 }, (_, i) => `static_assert(slow(${i}) != -7);\n`).join("");

// What can be pressed and is smaller than 24 pixels. A box that is ticked belongs to its label.
export const smallTargets = (page) => page.get(`[...document.querySelectorAll("button, select, input, summary, a.button")]
  .map((one) => (one.type === "checkbox" ? one.closest("label") : one)).filter((one) => one.checkVisibility({ visibilityProperty: true }))
  .map((one) => ({ name: one.id || one.className || one.textContent, box: one.getBoundingClientRect() }))
  .filter(({ box }) => box.width > 0 && (box.height < 24 || box.width < 24)).map(({ name, box }) => name + " " + box.width + " x " + box.height)`);

// Nothing serious for axe-core, and nothing that makes the page scroll sideways. `axe`: its source
export async function isAccessible(page, axe) {
  await page.get(axe + "; 0");
  for (const width of [1280, 390]) {
    for (const scheme of ["light", "dark"]) {
      await page.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: scheme }] });
      await page.resize(width, 844);
      await pause(300);
      const found = await page.get(`axe.run(document, { iframes: false, resultTypes: ["violations"] }).then((all) => all.violations
        .filter((one) => one.impact === "serious" || one.impact === "critical").map((one) => one.id + ": " + one.nodes.map((node) => node.html.slice(0, 120)).join(" | ")))`);
      assert.deepEqual(found, [], `${width} pixels, ${scheme}`);
      assert.deepEqual(await smallTargets(page), [], `${width} pixels`);
      assert.ok(await page.get("document.documentElement.scrollWidth <= innerWidth"), `it scrolls sideways at ${width} pixels`);
    }
  }
}

const keys = { ArrowLeft: "\uE012", ArrowUp: "\uE013", ArrowRight: "\uE014", ArrowDown: "\uE015", Enter: "\uE007", Escape: "\uE00C", Control: "\uE009" };

// Of WebDriver: keys that are pressed together, let go in the reverse order.
export function keyActions(names) {
  const actions = [...names.map((name) => ["keyDown", name]), ...[...names].reverse().map((name) => ["keyUp", name])];
  return [{ type: "key", id: "keyboard", actions: actions.map(([type, name]) => ({ type, value: keys[name] ?? name })) }];
}
