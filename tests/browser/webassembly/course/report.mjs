// What `learn check` says of an answer that was compiled and judged elsewhere: starts course_report.wasm on a folder that
// holds the exercise's files, the answer and ended.json (exercises/runner/webassembly/report_main.cpp).
import { closeSync, copyFileSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WASI } from "node:wasi";

export function report({ module, exercise, id, answer, ended }) {
  const folder = mkdtempSync(join(tmpdir(), "report-"));
  try {
    for (const name of ["exercise.cpp", "hints.md"]) copyFileSync(join(exercise, name), join(folder, name));
    writeFileSync(join(folder, id + ".cpp"), answer);
    writeFileSync(join(folder, "ended.json"), JSON.stringify({ compiled: true, linked: true, messages: "", result: "", exit_code: 0, timed_out: false, printed: "", trap: "", ...ended }));
    const printed = openSync(join(folder, "printed"), "w");
    const wasi = new WASI({ version: "preview1", args: ["report", id, id + ".cpp"], preopens: { ".": folder }, stdout: printed, returnOnExit: true });
    const code = wasi.start(new WebAssembly.Instance(module, wasi.getImportObject()));
    closeSync(printed);
    if (code !== 0) throw new Error(`report ended with ${code}`);
    return JSON.parse(readFileSync(join(folder, "printed"), "utf8"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
