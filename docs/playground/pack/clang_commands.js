// The arguments of each step of a compilation. Clang's driver works them out from what one would type; the page leaves
// the driver out, because each run of it costs time.

// Without the macro, <vector> reads <locale> and much else that it does not need: the headers would take half as long again.
const options = [
  "-std=c++20", "-O1", "-D_LIBCPP_REMOVE_TRANSITIVE_INCLUDES", "-fwasm-exceptions", "-msimd128", "-isystem/backstep/include", "-Wall", "-Wextra", "-fno-color-diagnostics",
];

const libraries = ["backstep_nn", "backstep_autograd", "wasm_fmt", "wasm_runtime", "wasi-emulated-getpid", "wasi-emulated-mman", "wasi-emulated-process-clocks"];

const linking = [
  "-nostartfiles", "-L/backstep/lib", ...libraries.map((library) => "-l" + library),
  "-Wl,-z,stack-size=1048576", "-Wl,--stack-first", "-Wl,--strip-all", "-Wl,--max-memory=1073741824",
  "-Wl,--export=__stack_pointer",  // tells page/trap.js that the stack is full
];
const linkPrograms = ["-Wl,--undefined=backstep_instruments_started"];
// An answer to an exercise of the course: as `learn` compiles it (exercises/runner/check/builder.cpp). It has no main(), its
// functions are called.
const compileAnswers = ["-ftrivial-auto-var-init=pattern", "-Wshadow", "-Wfloat-conversion", "-Wno-unused-parameter", "-Werror=return-type"];
const linkAnswers = ["-mexec-model=reactor", "-Wl,--export=answer_question", "-lbackstep_judge_answer", "answer.a", "-lbackstep_judge"];

// `run`: runs Clang and returns what it prints.
export async function clangCommands(run) {
  const driven = async (files, ...words) => {
    const said = await run(["clang++", "-###", ...options, ...words], files);
    const command = said.split("\n").find((line) => line.startsWith(' "'));
    if (!command) throw new Error("Clang's driver names no command:\n" + said);
    return [...command.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map((word) => word[1].replaceAll(/\\(.)/g, "$1")).filter((word) => word !== "");
  };
  const precompiled = { "backstep.h": "", "backstep.pch": "" };
  return {
    header: await driven({ "backstep.h": "" }, "-fpch-instantiate-templates", "-x", "c++-header", "backstep.h", "-o", "backstep.pch"),
    compile: await driven({ "main.cpp": "", ...precompiled }, "-include-pch", "backstep.pch", "-c", "main.cpp", "-o", "main.o"),
    compileAnswer: await driven({ "main.cpp": "", ...precompiled }, ...compileAnswers, "-include-pch", "backstep.pch", "-c", "main.cpp", "-o", "main.o"),
    link: await driven({ "main.o": "" }, "main.o", ...linking, ...linkPrograms, "-o", "main.wasm"),
    linkAnswer: await driven({ "main.o": "", "answer.a": "" }, "main.o", ...linking, ...linkAnswers, "-o", "main.wasm"),
  };
}
