// A program's system (WASI): its files, in memory, what it prints, and how it ends. In the page's workers, and under node.

import { ConsoleStdout, Directory, File, OpenFile, PreopenDirectory, WASI, WASIProcExit } from "@bjorn3/browser_wasi_shim";
import { trapOf } from "./trap.js";

const bytesOf = (content) => (typeof content === "string" ? new TextEncoder().encode(content) : content);

function directoryOf(files) {
  const root = new Map();
  for (const [path, content] of Object.entries(files)) {
    const folders = path.split("/");
    const name = folders.pop();
    let folder = root;
    for (const one of folders) {
      if (!folder.has(one)) folder.set(one, new Directory(new Map()));
      folder = folder.get(one).contents;
    }
    folder.set(name, new File(bytesOf(content)));
  }
  return root;
}

function filesOf(contents, prefix = "") {
  return [...contents].flatMap(([name, entry]) => (entry instanceof Directory ? filesOf(entry.contents, prefix + name + "/") : [[prefix + name, entry.data]]));
}

// The shim's folder says that nothing may be written into it, and lets one write.
class Folder extends PreopenDirectory {
  fd_fdstat_get() {
    const { ret, fdstat } = super.fd_fdstat_get();
    fdstat.fs_rights_base = fdstat.fs_rights_inherited = (1n << 30n) - 1n;
    return { ret, fdstat };
  }
}

export class System {
  #given;
  #contents;
  #wasi;
  exports = null;  // of what begun last

  // `files`: { path: text or bytes }; `print` is told (stream, text), with "stdout" or "stderr".
  constructor({ words = [], environment = {}, files = {}, print }) {
    this.#given = files;
    this.#contents = directoryOf(files);
    const stream = (name) => {
      const decoder = new TextDecoder();
      return new ConsoleStdout((bytes) => print(name, decoder.decode(bytes, { stream: true })));
    };
    this.#wasi = new WASI(["program", ...words], Object.entries(environment).map(([name, value]) => `${name}=${value}`),
      [new OpenFile(new File([])), stream("stdout"), stream("stderr"), new Folder("/", this.#contents)], { debug: false });
  }

  #instance(module, imports = {}) {
    const instance = new WebAssembly.Instance(module, { ...imports, wasi_snapshot_preview1: this.#wasi.wasiImport });
    this.exports = instance.exports;
    return instance;
  }

  // A module without main(), whose functions are called.
  begin(module) { this.#wasi.initialize(this.#instance(module)); }

  // -> { code, trap }: trap is null, or what the machine said when it stopped the program
  run(module, imports) {
    try {
      return { code: this.#wasi.start(this.#instance(module, imports)), trap: null };
    } catch (error) {
      return this.endOf(error);
    }
  }

  // How a call ended that has thrown this.
  endOf(error) {
    return error instanceof WASIProcExit ? { code: error.code, trap: null } : { code: null, trap: trapOf(error, this.exports) };
  }

  // -> { path: bytes }
  written() { return Object.fromEntries(filesOf(this.#contents).filter(([path]) => !(path in this.#given))); }
}
