// A check, as `learn check` makes it: the answer is compiled and linked, judged in a worker that ends with it, and what came of
// it is said by the runner's own code (exercises/runner/webassembly/report_main.cpp).

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

// `ended`: as report_main.cpp wants it. -> { report, headline, said, why, marks, hints }
export async function reportOn(exercise, answer, ended) {
  const all = { compiled: true, linked: true, messages: "", result: "", exit_code: 0, timed_out: false, printed: "", trap: "", ...ended };
  const files = { ...exercise.files, [exercise.fileName]: answer, "ended.json": JSON.stringify(all) };
  let printed = "";
  const program = runProgram({
    module: await moduleOfReporter(), files, arguments: [exercise.id, exercise.fileName], onOutput: ({ text }) => { printed += text; },
  });
  const { code, trap } = await program.ended;
  if (code !== 0) throw new Error(`the report could not be written: ${trap ?? printed}`);
  return JSON.parse(printed);
}

// A page cannot ask for processor time: how long the answer took to compile says how slow or busy the machine is.
const slowness = (milliseconds) => Math.min(3, Math.max(1, milliseconds / 700));

// -> { ended, stop }: `ended` gives what report_main.cpp wants, or null where it was stopped. The seconds begin when the judge does; what
// is not the answer's doing is an error.
function judge(judgement, seconds) {
  const worker = new Worker("judge_worker.js", { type: "module" });
  let end;
  let limit;
  const ended = new Promise((done, fail) => {
    end = done;
    worker.onmessage = ({ data }) => {
      if (data.type === "began") limit = setTimeout(() => done(timedOut), 1000 * seconds);
      else done({ result: data.result, exit_code: data.exitCode, printed: data.printed, trap: data.trap });
    };
    worker.onerror = (event) => fail(new Error(event.message || "the judge could not be started"));
    worker.postMessage(judgement);
  }).finally(() => {
    clearTimeout(limit);
    worker.terminate();
  });
  return { ended, stop: () => end(null) };
}

// `work`: what the page is at (work.js); `onState` is told: "waiting", "compiling", "checking". -> what reportOn() does and the compiler's `diagnostics`, or null where it
// was stopped. Throws where nothing can be said of the answer.
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
  const ended = await work.through(judge({ judge: module, answer: answerModule, words }, exercise.seconds * slowness(built.milliseconds)));
  return ended && { ...await reportOn(exercise, answer, { ...ended, messages }), diagnostics: [] };
}
