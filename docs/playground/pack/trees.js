// The files that the compiler needs, of the system and of Backstep.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const libraries = ["libc++", "libc++abi", "libc", "libm", "libwasi-emulated-getpid", "libwasi-emulated-mman", "libwasi-emulated-process-clocks"];

// Of Clang's own headers, those that are for no other machine.
const ours = /^(__)?(stddef|stdarg|stdint|stdbool|stdalign|stdatomic|stdnoreturn|float|limits|inttypes|iso646|tgmath|unwind|wasm_simd128)\w*\.h$/;

// [{ path, bytes }, ..] of the files below `folder` that are wanted, as if it were called `name`.
function filesBelow(folder, name, wanted) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(folder.length + 1))
    .filter(wanted).sort()
    .map((path) => ({ path: name + "/" + path, bytes: readFileSync(join(folder, path)) }));
}

export function systemFiles(sysroot) {
  const isWanted = (path) => path.startsWith("wasm32-wasip1/") || (path.startsWith("c++/") && !/__cxx03|\.imp$|\.modulemap$/.test(path)) || ours.test(path);
  const library = (path) => ({ path, bytes: readFileSync(join(sysroot, path)) });
  return [
    ...filesBelow(join(sysroot, "include"), "include", isWanted),
    ...libraries.map((name) => library(`lib/wasm32-wasip1/${name}.a`)),
    library("lib/wasm32-unknown-wasip1/libclang_rt.builtins.a"),
  ];
}

// `wasm`: where CMake's preset of this name has built; `fmt`: the folder of its headers.
export function engineFiles(project, wasm, fmt) {
  const isHeader = (path) => path.endsWith(".h");
  const archives = ["nn/libbackstep_nn.a", "autograd/libbackstep_autograd.a", "libwasm_fmt.a", "libwasm_runtime.a",
    "exercises/judge/libbackstep_judge.a", "exercises/judge/webassembly/libbackstep_judge_answer.a"];
  return [
    ...["autograd", "nn"].flatMap((name) => filesBelow(join(project, name), "include/" + name, isHeader)),
    ...filesBelow(fmt, "include/fmt", isHeader),
    { path: "include/judge/learner.h", bytes: readFileSync(join(project, "exercises/judge/learner.h")) },
    ...archives.map((path) => ({ path: "lib/" + path.split("/").pop(), bytes: readFileSync(join(wasm, path)) })),
  ];
}
