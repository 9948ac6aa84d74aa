// The page's parts that need no browser:  node parts_test.mjs

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { diagnosticsOf, undefinedIn } from "../../../docs/playground/page/diagnostics.js";
import { changed, numberAt } from "../../../docs/playground/page/numbers.js";
import { Printed } from "../../../docs/playground/page/printed.js";
import { blocksOf } from "../../../docs/playground/page/prose.js";
import { filesOfTar, tarOf, treeOf } from "../../../docs/playground/page/tar.js";
import { reportFile, reportOf } from "../../../docs/playground/page/program.js";
import { listOf } from "../../../docs/playground/pack/course.js";
import { helpOf } from "../../../docs/playground/pack/help.js";
import { programsOf } from "../../../docs/playground/pack/programs.js";

const project = resolve(import.meta.dirname, "../../..");

test("what Clang says has a line of the program, also where the error is in a header", () => {
  const said = [
    "main.cpp:3:5: warning: unused variable 'a' [-Wunused-variable]",
    "    3 |   int a;",
    "In file included from main.cpp:2:",
    "/backstep/include/nn/layers/linear.h:9:1: error: unknown type name 'Tensr'",
    "/usr/include/c++/v1/vector:10:3: error: no matching function for call to 'f'",
    "/usr/include/c++/v1/vector:99:3: note: in instantiation of member function 'g' requested here",
    "main.cpp:7:9: note: in instantiation of 'h' requested here",
    "main.cpp:8:1: fatal error: too many errors emitted, stopping now",
  ].join("\n");
  assert.deepEqual(diagnosticsOf(said, "main.cpp"), [
    { line: 3, column: 5, severity: "warning", text: "unused variable 'a' [-Wunused-variable]" },
    { line: 2, column: 1, severity: "error", text: "unknown type name 'Tensr'" },
    { line: 7, column: 9, severity: "error", text: "no matching function for call to 'f'" },
    { line: 8, column: 1, severity: "error", text: "too many errors emitted, stopping now" },
  ]);
});

test("what nothing defines stands where it is used", () => {
  const program = ["int f(int);  // f(1) is called below", "struct Box { void open(); static int count; };", "extern int counter;", "template <class T> T g(T x);", "/* f(2) */",
    "int main() {", "  const char* text = \"f(3)\";", "  if (text) return f(4);", "  return h(counter);", "  Box().open();", "  return Box::count + g<int>(3);", "}"].join("\n");
  const linesOf = (...symbols) => undefinedIn(symbols.map((one) => `wasm-ld: error: main.o: undefined symbol: ${one}`).join("\n"), program).map(({ line }) => line);
  assert.deepEqual(linesOf("f(int)", "counter", "Box::open()", "Box::count", "int g<int>(int)", "f(int)", "main", "operator+(Box, Box)", "h(int)"), [8, 9, 10, 11, 11, null, null, 9]);
  assert.equal(undefinedIn("wasm-ld: error: out of memory\n", program)[0].line, null);
});

test("what is printed is bounded, keeps its end for what it fails with, and has no escape sequences, also in pieces", () => {
  const printed = new Printed(100);
  const shown = ["a\x1b[3", "1mb\x1b", "[0mc\x1b]0;title\x07d", "e".repeat(5_000_000), "f".repeat(50_000), "the end"].map((piece) => printed.add(piece));
  assert.deepEqual(shown.map((text) => text.length), [1, 1, 2, 96, 0, 0]);
  assert.equal(printed.text, "abcd" + "e".repeat(96));
  assert.ok(printed.isCut && printed.whole.endsWith("fthe end") && printed.whole.length < 30_000);
  const few = new Printed(100);
  few.add("exactly\x1b[0m");
  assert.deepEqual([few.isCut, few.whole], [false, "exactly"]);
});

test("the build refuses what is not a number of an exercise, and does nothing", () => {
  for (const word of ["--help", "-h", "99", "x", "../13", "1", "42"]) {
    const { status, stdout } = spawnSync(join(project, "docs/playground/build"), ["01", word], { timeout: 5000 });
    assert.deepEqual([status, String(stdout)], [2, ""], word);
  }
});

test("what a program reports of its run is read, and where it came to no report, nothing was found", () => {
  const found = { kind: "exception", text: "sum: no dim 3", id: "bad-dim", op: "sum", file: "main.cpp", line: 6, node: 0, backward: false };
  assert.deepEqual(reportOf({ [reportFile]: new TextEncoder().encode(JSON.stringify({ passes: 2, found })) }), { passes: 2, found });
  assert.deepEqual(reportOf({ "replay.html": new Uint8Array() }), { passes: 0 });
});

test("the number at the cursor, and the next one", () => {
  assert.deepEqual(numberAt("x = tensor(-1.50);", 12), { from: 11, text: "-1.50" });
  assert.equal(numberAt("x1 = y;", 2), null);
  assert.equal(changed("-1.50", 1), "-1.49");
  assert.equal(changed("9", 1), "10");
  assert.equal(changed("2.", -1), "1.");
});

test("the help has the words of the headers", () => {
  const { functions, methods, modules, errors } = helpOf(project);
  const named = (list, name) => list.find((entry) => entry.name === name);
  assert.deepEqual(named(functions, "softmax"), { name: "softmax", signatures: ["Tensor softmax(const Tensor& x, Int dim)"], help: "e^x / sum(e^x)" });
  assert.match(named(methods, "backward").help, /^Computes d\(this\)/);
  assert.match(named(modules, "Linear").signatures[0], /\.in_features = \.\., \.out_features/);
  assert.match(errors["shape-mismatch"], /The shapes do not fit/);
  const index = ["tanh", "matmul", "masked_softmax", "cross_entropy", "einsum", "randn", "manual_seed", "grad", "vjp"];
  for (const name of index) assert.ok(named(functions, name), name);
});

test("the programs are programs, and name no command of a terminal", () => {
  for (const { name, text } of programsOf(project)) {
    assert.match(text, /int main\(\)/, name);
    assert.doesNotMatch(text, /build\/release/, name);
  }
});

test("the course's list is that of its table, and each text names files that there are", () => {
  const parts = listOf(project);
  assert.deepEqual(parts.map(({ letter }) => letter).join(""), "ABCDEFGHI");
  const exercises = parts.flatMap((part) => part.exercises);
  assert.equal(exercises.length, readdirSync(join(project, "exercises/lessons")).filter((name) => /^\d\d_/.test(name)).length);
  assert.deepEqual(exercises[18], { id: "19_linear_layer", number: "19", title: "Linear layer", isFast: true, difficulty: "●○○", time: "15 min", after: "12" });
});

test("answers go into a .tar that tar reads, and come back", () => {
  const [a, b] = ["int π;\n", ""].map((text) => new TextEncoder().encode(text));
  const files = [{ path: "answers/a.cpp", bytes: a, modified: 1700000000000 }, { path: "answers/.learn/state.json", bytes: b, modified: 1700000001000 }];
  const tar = tarOf(files);
  assert.deepEqual(filesOfTar(tar), files);
  assert.deepEqual(treeOf(tar), { answers: { "a.cpp": a, ".learn": { "state.json": b } } });
  assert.equal(execFileSync("tar", ["-tf", "-"], { input: tar, encoding: "utf8" }), "answers/a.cpp\nanswers/.learn/state.json\n");
  assert.throws(() => filesOfTar(tar.subarray(0, 700)), /a part of one/);
  assert.throws(() => filesOfTar(new TextEncoder().encode("x".repeat(600))), /no \.tar/);
});

test("hints are paragraphs, lists and code", () => {
  assert.deepEqual(blocksOf("One\ntwo\n\n    x = 1\n\n    y = 2\nThen:\n- a\n  b\n- c\n"), [
    { kind: "paragraph", text: "One two" }, { kind: "code", text: "x = 1\n\ny = 2" }, { kind: "paragraph", text: "Then:" },
    { kind: "item", text: "a b" }, { kind: "item", text: "c" },
  ]);
});
