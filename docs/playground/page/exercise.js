// An exercise: its text, and what its answers are checked with, which is loaded when it is wanted.

import { load, loadJson, loadModule, once } from "./loading.js";

export class Exercise {
  // -> { judge, archive }: what judges, a WebAssembly.Module, and what an answer is linked with, bytes
  tools = once(async (told) => {
    const folder = `course/${this.id}/`;
    const [judge, archive] = await Promise.all([loadModule(folder + "judge.wasm.gz", told), load(folder + "answer.a.gz", told)]);
    return { judge, archive: new Uint8Array(archive) };
  });

  // `about`: its entry in course.json; `content`: its exercise.json (docs/playground/pack/course.js).
  constructor(about, content) {
    Object.assign(this, about, content);
  }

  static async load(about, told) {
    return new Exercise(about, await loadJson(`course/${about.id}/exercise.json.gz`, told));
  }

  get fileName() { return this.id + ".cpp"; }
}
