// Compares what two builds of op_numbers print: compare.mjs ONE OTHER. A number may be off by its dtype's share of the
// tensor's largest one: where terms cancel in a sum, no more than that can be had.

import { readFileSync } from "node:fs";

const tolerances = { float64: 1e-12, float32: 1e-6 };

const [lines, others] = process.argv.slice(2).map((file) => readFileSync(file, "utf8").trimEnd().split("\n"));

function differ(line, other) {
  const [[title, numbers], [otherTitle, otherNumbers]] = [line, other].map((text) => text.split(": "));
  if (title !== otherTitle) return true;
  const [a, b] = [numbers, otherNumbers].map((text) => (text ?? "").split(" "));
  const largest = Math.max(...a.map(Math.abs).filter(Number.isFinite));
  const tolerance = tolerances[title.split(" ")[1]] * largest;
  return a.length !== b.length || a.some((x, i) => x !== b[i] && !(Math.abs(x - b[i]) <= tolerance));
}

const different = lines.map((line, i) => [line, others[i] ?? ""]).filter(([line, other]) => differ(line, other));
for (const [line, other] of different) console.log(`${line}\n  but ${other}`);
const equal = lines.filter((line, i) => line === others[i]).length;
console.log(`${lines.length} tensors: ${equal} with the same bits, ${different.length} beyond the tolerance`);
process.exitCode = different.length || lines.length !== others.length || lines.length < 100 ? 1 : 0;
