// An answer that does not return is told what it is told natively, in a sentence, and the judge's worker can be ended.
//
//   endings.mjs BUILD/wasm      with BACKSTEP_RENEW=1 writes endings.txt, which has the sentences

import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { report } from "./report.mjs";

const [build] = process.argv.slice(2);
const bundled = (name) => pathToFileURL(resolve(build, "page", name + ".mjs")).href;  // as tests/browser/webassembly/run has made them
const { System } = await import(bundled("system"));
const id = "22_softmax_vjp";
const exercise = new URL(`../../../../exercises/lessons/${id}`, import.meta.url).pathname;
const load = (path) => new WebAssembly.Module(readFileSync(join(build, path)));
const module = load("exercises/runner/webassembly/course_report.wasm");
const judge = load(`exercises/judge/webassembly/${id}/judge.wasm`);
const answer = load("exercises/judge/webassembly/endings.wasm");

function judged(number, seconds) {
  return new Promise((done) => {
    const worker = new Worker(new URL("judge_worker.mjs", import.meta.url), { workerData: { page: bundled("judge"), judge, answer, number } });
    const limit = setTimeout(() => worker.terminate().then(() => done({ exit_code: 124, timed_out: true })), 1000 * seconds);
    worker.on("message", (ended) => {
      clearTimeout(limit);
      done(ended);
    });
    worker.on("error", (error) => done({ exit_code: 134, printed: String(error) }));
  });
}

// In the order of endings.cpp.
const expected = [
  ["a loop without end", "out of time"],
  ["memory without end", "wrong"],
  ["exit(3)", "crashed"],
  ["a division by zero", "crashed"],
  ["calls without end", "crashed"],
  ["an exception that is none of the library's", "crashed"],
  ["an address that is none", "crashed"],
  ["abort()", "crashed"],
  ["an exception", "wrong"],
];
const golden = new URL("endings.txt", import.meta.url);
const sentences = new Map(readFileSync(golden, "utf8").trim().split("\n").map((line) => line.split(" | ")));
const lines = [];
let failed = 0;
for (const [number, [name, outcome]] of expected.entries()) {
  const ended = await judged(number, 10);
  const { said, report: { outcome: was } } = report({ System, module, exercise, id, answer: "", ended });
  const sentence = said.find(({ text }) => text).text;
  lines.push(`${name} | ${sentence}\n`);
  if (was === outcome && (process.env.BACKSTEP_RENEW || sentence === sentences.get(name))) continue;
  ++failed;
  console.log(`${name}: ${was}, to be ${outcome}; ${sentence}, to be ${sentences.get(name)}: ${JSON.stringify(ended).slice(0, 300)}`);
}
if (process.env.BACKSTEP_RENEW) writeFileSync(golden, lines.join(""));
console.log(`${expected.length} endings, ${failed} of them told otherwise`);
process.exitCode = failed ? 1 : 0;
