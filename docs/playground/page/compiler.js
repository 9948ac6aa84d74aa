// The page's side of the compiler's worker (compiler_worker.js).

const longest = 60;  // seconds for one program: templates can keep a compiler busy for ever

export class Compiler {
  #on;
  #worker;
  #ready;
  #waiting = new Map();
  #next = 1;

  isReady = false;

  // `on`: functions that are told of progress, retry, state, ready and failed.
  constructor(on) {
    this.#on = on;
    this.load();
  }

  // Begins, or begins anew.
  load() {
    this.#worker?.terminate();
    this.isReady = false;
    this.#worker = new Worker("compiler_worker.js", { type: "module" });
    let becomeReady;
    this.#ready = new Promise((done) => { becomeReady = done; });
    this.#worker.onmessage = ({ data }) => {
      if (data.type === "compiled") return this.#answer(data);
      if (data.type === "ready") {
        this.isReady = true;
        becomeReady();
      }
      this.#on[data.type](data);
    };
    this.#worker.onerror = (event) => this.#on.failed({ text: event.message || "its worker could not be started" });
    this.#worker.postMessage({ type: "load" });
  }

  #answer(answer) {
    this.#waiting.get(answer.id)?.(answer);
    this.#waiting.delete(answer.id);
  }

  #giveUp(id) {
    if (!this.#waiting.has(id)) return;
    const text = `the compiler was stopped after ${longest} seconds`;
    const diagnostics = [{ line: 1, column: 1, severity: "error", text }];
    this.#answer({ id, module: null, diagnostics, text, compiled: false, calls: [], milliseconds: 1000 * longest });
    this.load();
  }

  // Waits until it has been loaded. -> what Toolchain.compile() returns, and milliseconds
  async compile(files, options = {}) {
    await this.#ready;
    const id = this.#next++;
    const answer = new Promise((done) => this.#waiting.set(id, done));
    this.#worker.postMessage({ type: "compile", id, files, options });
    const limit = setTimeout(() => this.#giveUp(id), 1000 * longest);
    return answer.finally(() => clearTimeout(limit));
  }
}
