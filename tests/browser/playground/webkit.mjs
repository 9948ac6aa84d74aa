// WebKitGTK, driven in WebDriver: what firefox.mjs has, for check_other.mjs.

import { execFileSync, spawn } from "node:child_process";
import { keyActions } from "./reader.mjs";

const port = 17654;
const address = `http://127.0.0.1:${port}/session`;

export class WebKit {
  problems = [];  // the driver does not tell what the console says

  static async start(program) {
    const webkit = new WebKit();
    webkit.process = spawn(program, [`--port=${port}`], { stdio: "ignore" });
    const [binary] = execFileSync("sh", ["-c", "ls /usr/lib/*/webkit2gtk-*/MiniBrowser"], { encoding: "utf8" }).split("\n");
    const capabilities = { alwaysMatch: { "webkitgtk:browserOptions": { binary, args: ["--automation"] } } };
    for (let tries = 1; !webkit.session; ++tries) {
      try {
        webkit.session = "/" + (await webkit.send("POST", "", { capabilities })).sessionId;
      } catch (error) {
        if (tries === 50 || error.cause?.code !== "ECONNREFUSED") throw error;
        await new Promise((done) => setTimeout(done, 100));
      }
    }
    await webkit.send("POST", "/timeouts", { script: 120_000 });
    return webkit;
  }

  async send(method, path, body) {
    const response = await fetch(address + (this.session ?? "") + path, { method, body: body && JSON.stringify(body) });
    const { value } = await response.json();
    if (!response.ok) throw new Error(value.message || value.error);
    return value;
  }

  open(url) { return this.send("POST", "/url", { url }); }
  resize(width, height) { return this.send("POST", "/window/rect", { width, height }); }

  // The value of an expression in the page, or in one of its frames; a promise is waited for.
  async get(expression, frame = null) {
    if (frame !== null) await this.send("POST", "/frame", { id: frame });
    const script = `const done = arguments[0];
      Promise.resolve().then(() => ${expression}).then((value) => done({ value: JSON.stringify(value) ?? "null" }), (error) => done({ fault: String(error) }));`;
    const { value, fault } = await this.send("POST", "/execute/async", { script, args: [] });
    if (frame !== null) await this.send("POST", "/frame", { id: null });
    if (fault) throw new Error(fault);
    return JSON.parse(value);
  }

  async frame() { return 0; }

  press(...names) { return this.send("POST", "/actions", { actions: keyActions(names) }); }

  async picture() { return Buffer.from(await this.send("GET", "/screenshot"), "base64"); }

  async close() {
    await this.send("DELETE", "").catch(() => {});
    this.process.kill();
  }
}
