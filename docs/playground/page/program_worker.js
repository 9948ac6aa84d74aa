// A program, in a worker of its own, which ends with it: to stop it is to end the worker.
//
//   in    { module, arguments, environment, files }   module: bytes, or a WebAssembly.Module; files: { path: text or bytes }
//   out   { type: "began" }
//         { type: "output", stream, text, isCut }     stream: "stdout" or "stderr"; isCut: what follows in it is not sent
//         { type: "ended", code, trap, files }        trap: null, or what the machine said (trap.js); files: those written, as bytes

import { ConsoleStdout, Directory, File, OpenFile, PreopenDirectory, WASI, WASIProcExit } from "@bjorn3/browser_wasi_shim";
import { Printed } from "./printed.js";
import { trapOf } from "./trap.js";

const mostOutput = 400_000;  // characters of each stream

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

function stream(name, printed) {
  const decoder = new TextDecoder();
  return new ConsoleStdout((bytes) => {
    const wasCut = printed.isCut;
    const text = printed.add(decoder.decode(bytes, { stream: true }));
    const isCut = printed.isCut && !wasCut;
    if (text || isCut) postMessage({ type: "output", stream: name, text, isCut });
  });
}

// The shim's folder says that nothing may be written into it, and lets one write.
class Folder extends PreopenDirectory {
  fd_fdstat_get() {
    const { ret, fdstat } = super.fd_fdstat_get();
    fdstat.fs_rights_base = fdstat.fs_rights_inherited = (1n << 30n) - 1n;
    return { ret, fdstat };
  }
}

function run(module, wasi) {
  let instance = null;
  try {
    instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: wasi.wasiImport });
    return { code: wasi.start(instance), trap: null };
  } catch (error) {
    if (error instanceof WASIProcExit) return { code: error.code, trap: null };
    return { code: null, trap: trapOf(error, instance?.exports) };
  }
}

async function ended(data) {
  const contents = directoryOf(data.files);
  const given = new Map(Object.entries(data.files).map(([path, content]) => [path, bytesOf(content).length]));
  const environment = Object.entries(data.environment).map(([name, value]) => `${name}=${value}`);
  const wasi = new WASI(["program", ...data.arguments], environment,
    [new OpenFile(new File([])), stream("stdout", new Printed(mostOutput)), stream("stderr", new Printed(mostOutput)), new Folder("/", contents)], { debug: false });
  const module = data.module instanceof WebAssembly.Module ? data.module : await WebAssembly.compile(data.module);
  postMessage({ type: "began" });
  const { code, trap } = run(module, wasi);
  const files = Object.fromEntries(filesOf(contents).filter(([path]) => !given.has(path)));
  return { code, trap, files };
}

// What fails here is told, too: nobody hears of it otherwise, and the page would wait.
onmessage = async ({ data }) => {
  try {
    postMessage({ type: "ended", ...await ended(data) });
  } catch (error) {
    postMessage({ type: "ended", code: null, trap: `the page could not run it: ${error.message ?? error}`, files: {} });
  }
};
