// An answer that does not return is told what it is told natively, in a sentence, and the judge's worker can be ended.
//
//   endings.mjs BUILD/wasm

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { report } from "./report.mjs";

const [build] = process.argv.slice(2);
const id = "20_softmax_vjp";
const exercise = new URL(`../../../../exercises/lessons/${id}`, import.meta.url).pathname;
const load = (path) => new WebAssembly.Module(readFileSync(join(build, path)));
const module = load("exercises/runner/webassembly/course_report.wasm");
const judge = load(`exercises/judge/webassembly/${id}/judge.wasm`);
const answer = load("exercises/judge/webassembly/endings.wasm");

function judged(number, seconds) {
  return new Promise((done) => {
    const worker = new Worker(new URL("judge_worker.mjs", import.meta.url), { workerData: { judge, answer, number } });
    const limit = setTimeout(() => worker.terminate().then(() => done({ result: "", exit_code: 124, timed_out: true, printed: "" })), 1000 * seconds);
    worker.on("message", ({ result, exitCode, printed, trap }) => {
      clearTimeout(limit);
      done({ result, exit_code: exitCode, printed, trap });
    });
    worker.on("error", (error) => done({ result: "", exit_code: 134, printed: String(error) }));
  });
}

const expected = [
  ["out of time", "your code was still running after 10 seconds"],
  ["wrong", "there is not enough memory for what your code asks for"],
  ["crashed", "ended the program itself, with exit code 3"],
  ["crashed", "an integer is divided by zero"],
  ["crashed", "your code calls itself again and again, until the stack is full"],
  ["crashed", "an exception that nobody catches"],
  ["crashed", "your code uses an address that is nobody's"],
  ["crashed", "your code was stopped: unreachable"],
  ["wrong", "on purpose"],
];
const textOf = (blocks) => blocks.map(({ text }) => text).join(" ").replaceAll(/\s+/g, " ");
let failed = 0;
for (const [number, [outcome, sentence]] of expected.entries()) {
  const ended = await judged(number, 10);
  const said = report({ module, exercise, id, answer: "", ended });
  const right = said.report.outcome === outcome && new RegExp(sentence).test(textOf(said.said));
  if (right) continue;
  ++failed;
  console.log(`${number}: ${said.report.outcome} instead of ${outcome}:\n${textOf(said.said)}${JSON.stringify(ended).slice(0, 300)}`);
}
console.log(`${expected.length} endings, ${failed} of them told otherwise`);
process.exitCode = failed ? 1 : 0;
