// Clang and LLD, compiled to WebAssembly, as one object: a program's text in, a module out. The page's worker and the
// build use the same, so that what is built beforehand is what the page would have built.

import { Application, Exit, instantiate, WriteStream } from "yowasp";
import { diagnosticsOf, undefinedIn } from "./diagnostics.js";

// The package's own copies the whole file with every 4 KB that are written: a precompiled header would take a minute.
WriteStream.prototype.write = function (contents) {
  const { file } = this;
  const begin = Number(this.offset);
  const end = begin + contents.length;
  if (end > file.data.length) {
    if (file.data.buffer.byteLength < end) {
      const room = new Uint8Array(Math.max(1 << 16, 2 * end));
      room.set(file.data);
      file.data = room;
    }
    file.data = new Uint8Array(file.data.buffer, 0, end);
  }
  file.data.set(contents, begin);
  this.offset += BigInt(contents.length);
};

const headerName = "backstep.h";
const precompiledName = "backstep.pch";

// Text that arrives in pieces of bytes.
function textCollector() {
  const decoder = new TextDecoder();
  let text = "";
  return { write: (bytes) => { if (bytes) text += decoder.decode(bytes, { stream: true }); }, text: () => text };
}

export class Toolchain {
  #application;
  #commands;
  #precompiled = null;

  // `modules`: Clang's by their names; `system`: what stands in /usr, `engine`: in /backstep, as trees of bytes;
  // `commands`: the arguments of each step, as clang_commands() of the build found them.
  static async create({ modules, system, engine, commands }) {
    const toolchain = new Toolchain();
    const resources = { totalSize: 0, modules: async () => modules, filesystem: async () => ({ usr: system, backstep: engine }) };
    toolchain.#application = new Application(resources, instantiate, "llvm");
    toolchain.#commands = commands;
    await toolchain.#application.run(null, {}, { fetchProgress: () => {} });
    return toolchain;
  }

  // One run of Clang or LLD. A fault of theirs (not of the program) throws.
  async run(command, files) {
    const said = textCollector();
    const options = { stdout: said.write, stderr: said.write, decodeASCII: false };
    try {
      return { succeeded: true, files: await this.#application.run(command, files, options), text: said.text() };
    } catch (error) {
      if (!(error instanceof Exit)) throw error;
      return { succeeded: false, files: error.files, text: said.text() };
    }
  }

  // All headers of Backstep, read once: a program then compiles ten times as fast.
  async precompile() {
    const header = "#include <autograd/autograd.h>\n#include <nn/nn.h>\n";
    const { succeeded, files, text } = await this.run(this.#commands.header, { [headerName]: header });
    if (!succeeded) throw new Error("the headers do not compile:\n" + text);
    this.#precompiled = { [headerName]: header, [precompiledName]: files[precompiledName] };
    return this.#precompiled;
  }

  usePrecompiled(precompiled) { this.#precompiled = precompiled; }

  // `files`: the program, and what it includes, by their paths. An answer to an exercise of the course is linked with
  // `archive`, the exercise's, and has no main().
  // -> { module, diagnostics, text, compiled, calls }; module is null where there is an error, and `compiled` says
  // whether it is the linker's. `calls`: the functions that an answer calls, by the linker's names.
  async compile(files, { program = "main.cpp", archive = null } = {}) {
    const command = archive ? this.#commands.compileAnswer : this.#commands.compile;
    const compiled = await this.run(command.map((word) => (word === "main.cpp" ? program : word)), { ...this.#precompiled, ...files });
    const diagnostics = diagnosticsOf(compiled.text, program);
    if (!compiled.succeeded) return { module: null, diagnostics, text: compiled.text, compiled: false, calls: [] };
    const object = compiled.files["main.o"];
    const linked = archive ? await this.run(this.#commands.linkAnswer, { "main.o": object, "answer.a": archive })
      : await this.run(this.#commands.link, { "main.o": object });
    const answer = { diagnostics, text: compiled.text + linked.text, compiled: true, calls: archive ? await functionsCalledIn(object) : [] };
    if (!linked.succeeded) return { ...answer, module: null, diagnostics: [...diagnostics, ...undefinedIn(linked.text, files[program])] };
    return { ...answer, module: linked.files["main.wasm"] };
  }
}

// An object file is a module, which imports what it calls.
async function functionsCalledIn(object) {
  return WebAssembly.Module.imports(await WebAssembly.compile(object)).filter(({ kind }) => kind === "function").map(({ name }) => name);
}
