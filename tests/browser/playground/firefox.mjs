// Firefox, driven in WebDriver BiDi: the part of tests/browser/page/browser.mjs that check_other.mjs needs.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keyActions } from "./reader.mjs";

export class Firefox {
  // `WebSocket`: of the package ws
  static async start(program, WebSocket) {
    const firefox = new Firefox();
    firefox.profile = mkdtempSync(join(tmpdir(), "backstep-firefox-"));
    firefox.process = spawn(program, ["--headless", "--no-remote", "--profile", firefox.profile, "--remote-debugging-port", "0"], { stdio: ["ignore", "ignore", "pipe"] });
    const address = await new Promise((resolve, reject) => {
      let said = "";
      firefox.process.stderr.on("data", (text) => {
        said += text;
        const [, found] = /WebDriver BiDi listening on (ws:\S+)/.exec(said) ?? [];
        if (found) resolve(found);
      });
      firefox.process.on("exit", () => reject(new Error("Firefox has ended:\n" + said)));
    });
    firefox.socket = new WebSocket(address + "/session");
    await new Promise((resolve, reject) => firefox.socket.on("open", resolve).on("error", reject));
    firefox.pending = new Map();
    firefox.next = 1;
    firefox.problems = [];  // what the console says
    firefox.socket.on("message", (data) => firefox.receive(JSON.parse(data)));
    await firefox.send("session.new", { capabilities: {} });
    await firefox.send("session.subscribe", { events: ["log.entryAdded"] });
    const { context } = await firefox.send("browsingContext.create", { type: "tab" });
    firefox.context = context;
    return firefox;
  }

  receive({ id, type, method, params, result, message }) {
    if (method === "log.entryAdded" && params.level === "error") this.problems.push(params.text);
    if (!this.pending.has(id)) return;
    const { resolve, reject } = this.pending.get(id);
    this.pending.delete(id);
    if (type === "error") reject(new Error(message));
    else resolve(result);
  }

  send(method, params) {
    const id = this.next++;
    this.socket.send(JSON.stringify({ id, method, params }));
    return new Promise((resolve, reject) => this.pending.set(id, { resolve, reject }));
  }

  async open(url) {
    await this.send("browsingContext.navigate", { context: this.context, url, wait: "complete" });
  }

  resize(width, height) {
    return this.send("browsingContext.setViewport", { context: this.context, viewport: { width, height } });
  }

  // The value of an expression in the page, or in one of its frames; a promise is waited for.
  async get(expression, context = this.context) {
    const { result, exceptionDetails } = await this.send("script.evaluate", {
      expression: `Promise.resolve(${expression}).then((value) => JSON.stringify(value) ?? "null")`, target: { context }, awaitPromise: true });
    if (exceptionDetails) throw new Error(exceptionDetails.text);
    return JSON.parse(result.value);
  }

  // The first frame of the page; undefined if it has none.
  async frame() {
    const { contexts } = await this.send("browsingContext.getTree", { root: this.context });
    return contexts[0].children[0]?.context;
  }

  // Keys that are pressed together, let go in the reverse order.
  press(...names) { return this.send("input.performActions", { context: this.context, actions: keyActions(names) }); }

  async picture() {
    return Buffer.from((await this.send("browsingContext.captureScreenshot", { context: this.context })).data, "base64");
  }

  async close() {
    const ended = new Promise((resolve) => this.process.on("exit", resolve));
    this.send("browser.close", {}).catch(() => {});
    const late = setTimeout(() => this.process.kill("SIGKILL"), 5000);
    await ended;
    clearTimeout(late);
    this.socket.terminate();
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}
