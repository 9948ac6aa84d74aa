// A check, as `learn check` makes it: the answer is compiled and linked, judged in a worker that ends with it, and what came of
// it is said by the runner's own code (exercises/runner/webassembly/report_main.cpp).

import { loadModule, once } from "./loading.js";
import { inWorker, runProgram } from "./program.js";

const timedOut = { exit_code: 124, timed_out: true };

const reporter = once(() => loadModule("course/report.wasm.gz"));

// `ended`: as report_main.cpp wants it. -> { report, headline, said, why, marks, hints }
export async function reportOn(exercise, answer, ended) {
  const all = { compiled: true, linked: true, messages: "", result: "", exit_code: 0, timed_out: false, printed: "", trap: "", ...ended };
  const files = { ...exercise.files, [exercise.fileName]: answer, "ended.json": JSON.stringify(all) };
  let printed = "";
  const words = [exercise.id, exercise.fileName];
  const { code, trap } = await runProgram({ module: await reporter(), files, words, onOutput: ({ text }) => { printed += text; } }).ended;
  if (code !== 0) throw new Error(`the report could not be written: ${trap ?? printed}`);
  return JSON.parse(printed);
}

// A page cannot ask for processor time: how long the answer took to compile says how slow or busy the machine is.
const slowness = (milliseconds) => Math.min(3, Math.max(1, milliseconds / 700));

// `work`: what the page is at (work.js); `onState` is told: "waiting", "compiling", "checking". -> what reportOn() does and the
// compiler's `diagnostics`, or null where it was stopped. Throws where nothing can be said of the answer.
export async function check({ compiler, exercise, answer, work, onState }) {
  onState(compiler.isReady ? "compiling" : "waiting");
  const { judge: module, archive } = await exercise.tools();
  if (!work.isNow) return null;
  const files = { [exercise.fileName]: answer, "given.h": exercise.given };
  const built = await work.through(compiler.compile(files, { program: exercise.fileName, archive }));
  if (!work.isNow) return null;
  if (built.unfinished) throw new Error(built.unfinished);
  const { diagnostics, text: messages, compiled } = built;
  if (!built.module) return { ...await reportOn(exercise, answer, { compiled, linked: false, messages }), diagnostics };
  onState("checking");
  const words = built.calls.flatMap((name) => ["--calls", name]);
  const answerModule = await WebAssembly.compile(built.module);
  if (!work.isNow) return null;
  const seconds = exercise.seconds * slowness(built.milliseconds);  // they begin when the judge does
  const judged = await work.through(inWorker("judge_worker.js", { judge: module, answer: answerModule, words }, { seconds }));
  if (!work.isNow) return null;
  if (judged.result === undefined && !judged.stopped) throw new Error(judged.trap);  // which is not the answer's doing
  return { ...await reportOn(exercise, answer, { ...(judged.stopped ? timedOut : judged), messages }), diagnostics: [] };
}
