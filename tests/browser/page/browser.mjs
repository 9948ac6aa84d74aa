// Chromium, driven over a pipe in its DevTools protocol: no package is needed.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export class Browser {
  constructor(program) {
    this.profile = mkdtempSync(join(tmpdir(), "backstep-page-"));
    this.process = spawn(program, ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run",
      "--disable-background-networking", "--disable-component-update", "--window-size=1440,900",
      "--user-data-dir=" + this.profile, "--remote-debugging-pipe", "about:blank"], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    this.pending = new Map();
    this.listeners = [];
    this.next = 1;
    let rest = "";
    this.process.stdio[4].on("data", (chunk) => {
      rest += chunk;
      const messages = rest.split("\0");
      rest = messages.pop();
      for (const message of messages) this.receive(JSON.parse(message));
    });
    this.process.on("exit", () => {
      for (const { reject } of this.pending.values()) reject(new Error("the browser has ended"));
    });
  }

  receive(message) {
    if (message.id === undefined) {
      for (const listener of this.listeners) listener(message);
      return;
    }
    const { resolve, reject } = this.pending.get(message.id);
    this.pending.delete(message.id);
    if (message.error) reject(new Error(message.error.message));
    else resolve(message.result);
  }

  send(method, params = {}, sessionId = undefined) {
    const id = this.next++;
    this.process.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + "\0");
    return new Promise((resolve, reject) => this.pending.set(id, { resolve, reject }));
  }

  async page(url) {
    const { targetId } = await this.send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true });
    const page = new BrowserPage(this, sessionId);
    await page.open(url);
    return page;
  }

  async close() {
    const ended = new Promise((resolve) => this.process.on("exit", resolve));
    this.send("Browser.close").catch(() => {});
    const late = setTimeout(() => this.process.kill("SIGKILL"), 5000);
    await ended;
    clearTimeout(late);
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

class BrowserPage {
  constructor(browser, session) {
    this.browser = browser;
    this.session = session;
    this.requests = [];  // addresses
    this.problems = [];  // what the console says
    browser.listeners.push((message) => {
      if (message.sessionId !== session) return;
      if (message.method === "Network.requestWillBeSent") this.requests.push(message.params.request.url);
      if (message.method === "Runtime.exceptionThrown") this.problems.push(message.params.exceptionDetails.exception?.description || message.params.exceptionDetails.text);
      if (message.method === "Runtime.consoleAPICalled" && message.params.type === "error") this.problems.push(JSON.stringify(message.params.args));
    });
  }

  send(method, params) { return this.browser.send(method, params, this.session); }

  async resize(width, height) {
    await this.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
    await this.get("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
  }

  async open(url) {
    for (const domain of ["Page", "Runtime", "Network"]) await this.send(domain + ".enable");
    const loaded = new Promise((resolve) => {
      this.browser.listeners.push((message) => {
        if (message.sessionId === this.session && message.method === "Page.loadEventFired") resolve();
      });
    });
    const began = performance.now();
    await this.send("Page.navigate", { url });
    await loaded;
    this.loadTook = performance.now() - began;
  }

  // The value of an expression in the page; a promise is waited for.
  async get(expression) {
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description || exceptionDetails.text);
    return result.value;
  }

  // As a person would: the browser's own key events.
  async press(key, modifiers = 0) {
    const text = key.length === 1 ? key : key === "Enter" ? "\r" : undefined;
    const codes = { ArrowRight: 39, ArrowLeft: 37, ArrowUp: 38, ArrowDown: 40, Home: 36, End: 35, Enter: 13, Escape: 27, Tab: 9, " ": 32 };
    const params = { key, text, modifiers, windowsVirtualKeyCode: codes[key] || (/^[a-z0-9]$/i.test(key) ? key.toUpperCase().charCodeAt(0) : 0) };
    await this.send("Input.dispatchKeyEvent", { ...params, type: text ? "keyDown" : "rawKeyDown" });
    await this.send("Input.dispatchKeyEvent", { ...params, type: "keyUp", text: undefined });
  }

  async type(text) {
    for (const key of text) await this.press(key);
  }

  async click(x, y, count = 1) {
    for (let i = 1; i <= count; ++i) {
      for (const type of ["mousePressed", "mouseReleased"]) {
        await this.send("Input.dispatchMouseEvent", { type, x, y, button: "left", clickCount: i });
      }
    }
  }
}
