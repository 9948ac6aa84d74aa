// The compiler, in a worker. It loads once and stays warm.
//
//   in    { type: "load" }
//   out   { type: "progress", loaded, total }       bytes, compressed
//         { type: "retry", text }                   what could not be loaded, and is tried again
//         { type: "state", text }                   what it is at
//         { type: "ready", milliseconds }
//         { type: "failed", text }                  it could not be loaded
//
//   in    { type: "compile", id, files, options }     as in Toolchain.compile(): { "main.cpp": text, .. }
//   out   { type: "compiled", id, milliseconds, .. }  and what it returns
//         module: bytes, or null where there are errors; diagnostics: [{ line, column, severity, text }]
//         { type: "compiled", id, broken }          the compiler's own fault: nothing is known of the program

import { load, loadJson } from "./loading.js";
import { Toolchain } from "./toolchain.js";
import { treeOf } from "./tar.js";

let loading = null;

async function loadToolchain() {
  const { version, files, modules: names, commands } = await loadJson("compiler/compiler.json");
  const total = Object.values(files).reduce((sum, size) => sum + size, 0);
  let loaded = 0;
  const told = {
    onBytes: (size) => postMessage({ type: "progress", loaded: loaded += size, total }),
    onRetry: (text) => postMessage({ type: "retry", text }),
  };
  const part = (name) => load(`compiler/${name}.gz`, told);
  const [system, engine, ...compiled] = await Promise.all([part("system.tar"), part("engine.tar"),
    ...names.map(async (name) => WebAssembly.compile(await part(name)))]);
  const modules = Object.fromEntries(names.map((name, i) => [name, compiled[i]]));
  const toolchain = await Toolchain.create({ modules, system: treeOf(new Uint8Array(system)), engine: treeOf(new Uint8Array(engine)), commands });
  await precompile(toolchain, version);
  return toolchain;
}

// The headers are read once and for all: the browser keeps what came of it.
async function precompile(toolchain, version) {
  postMessage({ type: "state", text: "reading the headers" });
  const kept = await globalThis.caches?.open("backstep-precompiled").catch(() => null);  // none in private windows, or without https
  const addressOf = (name) => new URL(`precompiled/${version}/${name}`, location.href).href;
  const names = ["backstep.h", "backstep.pch"];
  const found = await Promise.all(names.map((name) => kept?.match(addressOf(name))));
  if (found.every(Boolean)) {
    const bytes = await Promise.all(found.map(async (response) => new Uint8Array(await response.arrayBuffer())));
    toolchain.usePrecompiled(Object.fromEntries(names.map((name, i) => [name, bytes[i]])));
    return;
  }
  const made = await toolchain.precompile();
  try {
    for (const request of await kept?.keys() ?? []) await kept.delete(request);
    for (const name of names) await kept?.put(addressOf(name), new Response(made[name]));
  } catch {
    // No room: it is read again the next time.
  }
}

async function begin() {
  const began = performance.now();
  loading = loadToolchain();
  try {
    await loading;
    postMessage({ type: "ready", milliseconds: performance.now() - began });
  } catch (error) {
    postMessage({ type: "failed", text: error.message });
  }
}

async function compile({ id, files, options }) {
  const toolchain = await loading;
  const began = performance.now();
  try {
    const compiled = await toolchain.compile(files, options);
    postMessage({ type: "compiled", id, ...compiled, milliseconds: performance.now() - began });
  } catch (error) {
    postMessage({ type: "compiled", id, broken: String(error.message ?? error) });
  }
}

onmessage = ({ data }) => (data.type === "load" ? begin() : compile(data));
