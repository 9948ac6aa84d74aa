// The page's side of the compiler's worker (compiler_worker.js), and the one place that knows what is asked of it. The worker is
// given one text at a time; the others wait here, so that a worker can be ended: the next one goes on with them.

const longest = 60;  // seconds for one text, from when it is begun with: templates can keep a compiler busy for ever
const patience = 3;  // seconds for one that nobody waits for any more: most come to their end sooner than a new worker begins

export class Compiler {
  #on;
  #worker = null;
  #asked = [];  // { id, files, options, finish, limit }: with the first, the worker has begun if it has a limit
  #next = 1;

  isReady = false;

  // `on`: functions that are told of progress, retry, state, ready and failed.
  constructor(on) { this.#on = on; }

  get isLoading() { return this.#worker !== null; }  // or loaded

  // Begins, or begins anew: a text that the worker was at waits again.
  load() {
    this.#halt();
    this.#worker?.terminate();
    const worker = new Worker("compiler_worker.js", { type: "module" });
    worker.onmessage = ({ data }) => { if (worker === this.#worker) this.#hear(data); };
    worker.onerror = (event) => { if (worker === this.#worker) this.#hear({ type: "failed", text: event.message || "its worker could not be started" }); };
    worker.postMessage({ type: "load" });
    this.#worker = worker;
  }

  // -> { ended, stop, leave }: `ended` gives what Toolchain.compile() returns, and milliseconds. Where it came to no end, `unfinished`
  // says why, and nothing is known of the text. `leave`: nobody waits for it any more, but somebody for the next.
  compile(files, options = {}) {
    const asked = { id: this.#next++, files, options };
    const ended = new Promise((finish) => { asked.finish = finish; });
    this.#asked.push(asked);
    this.#begin();
    return { ended, stop: () => this.#giveUp(asked, "stopped by you"), leave: () => this.#leave(asked) };
  }

  #leave(asked) {
    if (!asked.limit) return this.#giveUp(asked, "not begun");
    clearTimeout(asked.limit);
    asked.limit = setTimeout(() => this.#giveUp(asked, "left"), 1000 * patience);
  }

  #halt() {
    this.isReady = false;
    if (this.#asked.length === 0) return;
    clearTimeout(this.#asked[0].limit);
    this.#asked[0].limit = null;
  }

  #begin() {
    const [first] = this.#asked;
    if (!this.isReady || !first || first.limit) return;
    const late = `the compiler was stopped after ${longest} seconds: it had not come to the end of the program`;
    first.limit = setTimeout(() => this.#giveUp(first, late), 1000 * longest);
    this.#worker.postMessage({ type: "compile", id: first.id, files: first.files, options: first.options });
  }

  #hear(data) {
    if (data.type === "compiled") return this.#answer(data);
    if (data.type === "failed") this.#halt();
    if (data.type === "ready") {
      this.isReady = true;
      this.#begin();
    }
    this.#on[data.type](data);
  }

  #answer({ id, broken, ...answer }) {
    const [first] = this.#asked;
    if (first?.id !== id) return;
    if (broken) return this.#giveUp(first, `the compiler itself broke down: ${broken}`);
    this.#finish(first, answer);
    this.#begin();
  }

  #finish(asked, answer) {
    clearTimeout(asked.limit);
    this.#asked.splice(this.#asked.indexOf(asked), 1);
    asked.finish(answer);
  }

  #giveUp(asked, unfinished) {
    if (!this.#asked.includes(asked)) return;
    const isBegun = Boolean(asked.limit);
    this.#finish(asked, { module: null, unfinished, diagnostics: [], text: "", compiled: false, calls: [], milliseconds: 0 });
    if (isBegun) this.load();
  }
}
