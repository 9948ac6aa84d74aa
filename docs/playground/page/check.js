// A check, as `learn check` makes it: the answer is compiled and linked, judged in a worker that ends with it, and what came of
// it is said by the runner's own code (exercises/runner/webassembly/report_main.cpp).

import { forbiddenCalls } from "./forbidden_calls.js";
import { load } from "./loading.js";
import { runProgram } from "./program.js";

const timedOut = { result: "", exit_code: 124, timed_out: true, printed: "" };

let reporter = null;

async function moduleOfReporter() {
  reporter ??= load("course/report.wasm.gz").then((bytes) => WebAssembly.compile(bytes));
  return reporter.catch((error) => {
    reporter = null;
    throw error;
  });
}

// `ended`: as report_main.cpp wants it. -> { report, text, why, marks, hints }
export async function reportOn(exercise, answer, ended) {
  const all = { compiled: true, linked: true, messages: "", result: "", exit_code: 0, timed_out: false, printed: "", ...ended };
  const files = { ...exercise.files, [exercise.fileName]: answer, "ended.json": JSON.stringify(all) };
  let printed = "";
  const program = runProgram({
    module: await moduleOfReporter(), files, arguments: [exercise.id, exercise.fileName], onOutput: ({ text }) => { printed += text; },
  });
  const { code, trap } = await program.ended;
  if (code !== 0) throw new Error(`the report could not be written: ${trap ?? printed}`);
  return JSON.parse(printed);
}

// -> { ended, stop }: `ended` gives what report_main.cpp wants, or null where it was stopped.
function judge(judgement, seconds) {
  const worker = new Worker("judge_worker.js", { type: "module" });
  let finish;
  const ended = new Promise((done) => { finish = done; });
  const end = (result) => {
    clearTimeout(limit);
    worker.terminate();
    finish(result);
  };
  const limit = setTimeout(() => end(timedOut), 1000 * seconds);
  worker.onmessage = ({ data: { result, exitCode, printed } }) => end({ result, exit_code: exitCode, printed });
  worker.onerror = (event) => end({ result: "", exit_code: 134, printed: event.message ?? "" });
  worker.postMessage(judgement);
  return { ended, stop: () => end(null) };
}

// `compiler`: a promise of it. `on.state` is told what it is at. -> { said, stop }: `said` gives what reportOn() does and the compiler's `diagnostics`, or null
// where it was stopped.
export function check({ compiler: promised, exercise, answer, on }) {
  let isStopped = false;
  let judging = null;
  async function run() {
    on.state("waiting for the compiler ..");
    const compiler = await promised;
    if (isStopped) return null;
    if (compiler.isReady) on.state("compiling ..");
    const { judge: module, archive } = await exercise.tools();
    const files = { [exercise.fileName]: answer, "given.h": exercise.given };
    const built = await compiler.compile(files, { program: exercise.fileName, archive });
    const { diagnostics, text: messages, compiled } = built;
    if (isStopped) return null;
    if (!built.module) return { ...await reportOn(exercise, answer, { compiled, linked: false, messages }), diagnostics };
    on.state("checking ..");
    const words = forbiddenCalls(built.calls, exercise.notToCall).flatMap((name) => ["--calls", name]);
    judging = judge({ judge: module, answer: await WebAssembly.compile(built.module), words }, exercise.seconds);
    const ended = await judging.ended;
    return ended && { ...await reportOn(exercise, answer, { ...ended, messages }), diagnostics: [] };
  }
  return {
    said: run(),
    stop() {
      isStopped = true;
      judging?.stop();
    },
  };
}
