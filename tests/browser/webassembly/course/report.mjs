// What `learn check` says of an answer that was compiled and judged elsewhere: starts course_report.wasm on a folder that
// holds the exercise's files, the answer and ended.json (exercises/runner/webassembly/report_main.cpp).
import { readFileSync } from "node:fs";
import { join } from "node:path";

// `System`: docs/playground/page/system.js
export function report({ System, module, exercise, id, answer, ended }) {
  const all = { compiled: true, linked: true, messages: "", result: "", exit_code: 0, timed_out: false, printed: "", trap: "", ...ended };
  const files = { [id + ".cpp"]: answer, "ended.json": JSON.stringify(all) };
  for (const name of ["exercise.cpp", "hints.md"]) files[name] = readFileSync(join(exercise, name));
  let printed = "";
  const { code, trap } = new System({ words: [id, id + ".cpp"], files, print: (_, text) => { printed += text; } }).run(module);
  if (code !== 0) throw new Error(`report ended with ${code ?? trap}: ${printed}`);
  return JSON.parse(printed);
}
