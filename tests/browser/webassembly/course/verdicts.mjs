// Holds the verdicts of the judges in WebAssembly against the native ones: of each exercise's solution and known mistakes,
// one at a time (--pairs: also two at a time), each of which answers in a program of its own; and of the stub and the
// solution compiled as a learner's file. Natively the judges are linked from what `learn dev check --slow` has compiled.
//
//   verdicts.mjs BUILD/wasm BUILD/release [--pairs] [EXERCISE ..]

import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const options = process.argv.slice(2);
const pairs = options.includes("--pairs");
const [wasm, native, ...chosen] = options.filter((word) => !word.startsWith("--"));
const { judge } = await import(pathToFileURL(resolve(wasm, "page/judge.mjs")).href);  // as tests/browser/webassembly/run has made it
const judges = join(wasm, "exercises/judge/webassembly");
const cache = join(native, "exercises/cache");
const settings = JSON.parse(readFileSync(join(native, "exercises/runner/settings.json"), "utf8"));
const folder = mkdtempSync(join(tmpdir(), "verdicts-"));
process.on("exit", () => rmSync(folder, { recursive: true }));

const here = new URL(".", import.meta.url).pathname;
const includes = settings.include.map((path) => "-I" + path);
const { libraries } = settings;
const objectOfVariants = join(folder, "variants.o");
execFileSync(settings.compiler, ["-std=c++20", "-DFMT_SHARED", ...includes, "-c", join(here, "native_variants.cpp"), "-o", objectOfVariants]);

// ---- natively -------------------------------------------------------------------------------------------------------

function link(name, ...objects) {
  const program = join(folder, name);
  execFileSync(settings.compiler, [...objects, ...settings.link_flags, "-o", program, ...libraries]);
  return program;
}

class Native {
  constructor(id) {
    const objects = ["check.o", "pairs/answers.o"].map((name) => join(cache, id, name));
    if (!objects.every((path) => existsSync(path))) throw new Error(`${id} has not been compiled natively: learn dev check --slow ${id}`);
    this.judge = link("judge", ...objects);
    this.variants = link("variants_program", objectOfVariants, ...objects);
    this.names = JSON.parse(execFileSync(this.variants, { encoding: "utf8" }));
  }
  verdict(number) {
    const result = join(folder, "result.json");
    rmSync(result, { force: true });
    const { status, stderr } = spawnSync(this.judge, [result, "--", this.variants, String(number)], { encoding: "utf8" });
    return status === 0 ? JSON.parse(readFileSync(result, "utf8")) : { exitCode: status, printed: stderr };
  }
}

// ---- in WebAssembly -------------------------------------------------------------------------------------------------

class InWebAssembly {
  milliseconds = [];
  constructor(id) {
    const load = (name) => new WebAssembly.Module(readFileSync(join(judges, id, name + ".wasm")));
    this.judge = load("judge");
    this.answers = Object.fromEntries(["stub", "solution", "variants"].map((name) => [name, load(name)]));
  }
  verdict(name, number = 0) {
    const began = performance.now();
    const prepare = (exports) => exports.choose?.(number);
    const { result, exit_code, printed } = judge({ judge: this.judge, answer: this.answers[name], prepare });
    this.milliseconds.push(performance.now() - began);
    return result ? JSON.parse(result) : { exitCode: exit_code, printed };
  }
}

// ---- the comparison -------------------------------------------------------------------------------------------------

// Numbers differ by what rounding leaves, which also chooses the first among entries that are equally wrong.
let tolerance = 1e-6;
const isClose = (a, b) => Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(a), Math.abs(b));

// What may differ in a text: the folder of the file with the known answers; what the C++ library says in an exception; how
// much of the stack a function takes; what is left of a loss after training; and the sign of a NaN.
function plain(text) {
  if (typeof text !== "string") return text;
  const known = text.replace(/^\S*\/(?=[^/]+\.(cpp|h)$)/, "").replace(/^std::(?=bad_function_call$)/, "")
    .replace(/\d+ KiB/g, "so many KiB").replace(/measured \S+e-\d+,/, "measured next to nothing,").replace(/^-nan$/, "nan");
  return /^vector::_M_range_check/.test(known) ? "vector" : known;
}

const distance = ({ yours, expected }) => Math.abs(Number(yours) - Number(expected));

// A number too large for JSON is written as a text.
const read = (value) => (typeof value === "string" && value !== "" && Number.isFinite(Number(value)) ? Number(value) : value);

// The path of the first thing that differs, or "".
function difference(ours, natively, path = "") {
  const [a, b] = [read(ours), read(natively)];
  if (typeof a === "number" && typeof b === "number") return isClose(a, b) ? "" : `${path}: ${a} and ${b}`;
  if (typeof a !== "object" || typeof b !== "object" || !a || !b) return plain(a) === plain(b) ? "" : `${path}: ${a} and ${b}`;
  if (a.index && b.index && String(a.index) !== String(b.index) && isClose(distance(a), distance(b))) return "";
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const found = difference(a[key], b[key], `${path}/${key}`);
    if (found) return found;
  }
  return "";
}

// An answer that loses its digits loses them in another way: what is left differs, and what can be concluded from it.
const losesDigits = new Set(["difference_of_squares", "at_the_centre", "both_squares_alike"]);
const withoutConclusions = ({ named_by_numbers, ...verdict }) => ({ ...verdict, differences: verdict.differences?.map((one) => ({ ...one, clues: [] })) });

const median = (numbers) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

let compared = 0;
let different = 0;
const times = [];
function hold(what, ours, natively) {
  ++compared;
  const isLost = losesDigits.has(what);
  tolerance = isLost ? 1e-3 : 1e-6;
  const found = isLost ? difference(withoutConclusions(ours), withoutConclusions(natively)) : difference(ours, natively);
  if (!found) return;
  ++different;
  console.log(`     ${what}: in WebAssembly and natively ${found}`);
}

const isChosen = (id) => chosen.length === 0 || chosen.some((word) => id.startsWith(word));
const ids = readdirSync(judges).filter((id) => isChosen(id) && existsSync(join(judges, id, "judge.wasm")));
for (const id of ids) {
  const before = different;
  const count = compared;
  const natively = new Native(id);
  const ours = new InWebAssembly(id);
  natively.names.forEach((names, number) => {
    if (names.length > 1 && !pairs) return;
    hold(names.join(" + "), ours.verdict("variants", number), natively.verdict(number));
  });
  hold("the solution as a learner's file", ours.verdict("solution"), natively.verdict(0));
  const { outcome, named } = ours.verdict("stub");
  hold("the stub", outcome === "unwritten" || (outcome === "wrong" && named.length > 0), true);
  console.log(`${different === before ? "ok  " : "FAIL"} ${id.padEnd(34)} ${String(compared - count).padStart(3)} verdicts, ${Math.round(median(ours.milliseconds))} ms (median)`);
  times.push(...ours.milliseconds);
}
console.log(`${ids.length} exercises, ${compared} verdicts, ${different} of them different; median ${Math.round(median(times))} ms, longest ${Math.round(Math.max(...times))} ms`);
process.exitCode = different === 0 && compared > 0 ? 0 : 1;
