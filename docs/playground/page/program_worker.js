// A program, in a worker of its own, which ends with it: to stop it is to end the worker.
//
//   in    { module, arguments, environment, files }   module: bytes, or a WebAssembly.Module; files: { path: text or bytes }
//   out   { type: "began" }
//         { type: "output", stream, text }            stream: "stdout" or "stderr"
//         { type: "ended", code, trap, files }        trap: null, or why it broke down; files: those written, as bytes

import { ConsoleStdout, Directory, File, OpenFile, PreopenDirectory, WASI, WASIProcExit } from "@bjorn3/browser_wasi_shim";

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

function stream(name) {
  const decoder = new TextDecoder();
  return new ConsoleStdout((bytes) => postMessage({ type: "output", stream: name, text: decoder.decode(bytes, { stream: true }) }));
}

// The shim's folder says that nothing may be written into it, and lets one write.
class Folder extends PreopenDirectory {
  fd_fdstat_get() {
    const { ret, fdstat } = super.fd_fdstat_get();
    fdstat.fs_rights_base = fdstat.fs_rights_inherited = (1n << 30n) - 1n;
    return { ret, fdstat };
  }
}

// What the machine says, in words.
function explain(error) {
  const text = String(error.message ?? error);
  if (error instanceof RangeError || /stack/i.test(text)) return "the stack is full: does a function call itself without end?";
  if (/memory access out of bounds|table index/.test(text)) return "it read or wrote memory that is not its own: an index beyond the end, or something that no longer exists?";
  if (/unreachable/.test(text)) return "it gave up: abort() was called, or a place was reached that must not be";
  if (/divide by zero|remainder by zero/.test(text)) return "a whole number was divided by zero";
  return text;
}

function run(module, wasi) {
  try {
    return { code: wasi.start(new WebAssembly.Instance(module, { wasi_snapshot_preview1: wasi.wasiImport })), trap: null };
  } catch (error) {
    if (error instanceof WASIProcExit) return { code: error.code, trap: null };
    return { code: null, trap: explain(error) };
  }
}

onmessage = async ({ data }) => {
  const contents = directoryOf(data.files);
  const given = new Map(Object.entries(data.files).map(([path, content]) => [path, bytesOf(content).length]));
  const environment = Object.entries(data.environment).map(([name, value]) => `${name}=${value}`);
  const wasi = new WASI(["program", ...data.arguments], environment,
    [new OpenFile(new File([])), stream("stdout"), stream("stderr"), new Folder("/", contents)], { debug: false });
  const module = data.module instanceof WebAssembly.Module ? data.module : await WebAssembly.compile(data.module);
  postMessage({ type: "began" });
  const { code, trap } = run(module, wasi);
  const files = Object.fromEntries(filesOf(contents).filter(([path]) => !given.has(path)));
  postMessage({ type: "ended", code, trap, files });
};
