// An exercise: its text, and what its answers are checked with, which is loaded when it is wanted.

import { load, loadJson } from "./loading.js";

export class Exercise {
  #tools = null;

  // `about`: its entry in course.json; `content`: its exercise.json (docs/playground/pack/course.js).
  constructor(about, content) {
    Object.assign(this, about, content);
  }

  static async load(about, told) {
    return new Exercise(about, await loadJson(`course/${about.id}/exercise.json.gz`, told));
  }

  get fileName() { return this.id + ".cpp"; }

  // -> { judge, archive }: what judges, a WebAssembly.Module, and what an answer is linked with, bytes
  tools(told) {
    const part = (name) => load(`course/${this.id}/${name}.gz`, told);
    const loadAll = async () => {
      const [judge, archive] = await Promise.all([part("judge.wasm").then((bytes) => WebAssembly.compile(bytes)), part("answer.a")]);
      return { judge, archive: new Uint8Array(archive) };
    };
    this.#tools ??= loadAll().catch((error) => {
      this.#tools = null;  // the next time it is loaded again
      throw error;
    });
    return this.#tools;
  }
}
