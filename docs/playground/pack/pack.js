// Puts the page together:  node pack.js OUT      called by docs/playground/build, which has built what it needs.

import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { tarOf, treeOf } from "../page/tar.js";
import { clangCommands } from "./clang_commands.js";
import { listOf, packedExercise } from "./course.js";
import { helpOf } from "./help.js";
import { engineFiles, systemFiles } from "./trees.js";
import { programsOf } from "./programs.js";

const project = resolve(import.meta.dirname, "../../..");
const source = join(project, "docs/playground");
const build = join(project, "build");
const toolchain = join(build, "toolchain");
const clang = join(toolchain, "node_modules/@yowasp/clang/gen");
const out = resolve(process.argv[2]);

const installed = (path) => import(pathToFileURL(join(toolchain, "node_modules", path)));
const { build: bundle } = await installed("esbuild/lib/main.js");
const { default: MarkdownIt } = await installed("markdown-it/dist/markdown-it.mjs");

function write(path, bytes) {
  mkdirSync(join(out, path, ".."), { recursive: true });
  writeFileSync(join(out, path), bytes);
}

const writeCompressed = (path, bytes) => write(path + ".gz", gzipSync(bytes, { level: 9 }));

// YoWASP's package exports how to run Clang, but not how to give it modules and files that are already there.
function openedPackage() {
  const path = join(toolchain, "yowasp.js");
  writeFileSync(path, readFileSync(join(clang, "bundle.js")) + "\nexport { Application, instantiate, WriteStream };\n");
  return path;
}

const common = { bundle: true, format: "esm", minify: true, nodePaths: [join(toolchain, "node_modules")], alias: { yowasp: openedPackage() },
  loader: { ".framed.js": "text", ".framed.css": "text" }, external: ["node:*"], logLevel: "warning", target: "es2022" };

async function toolchainOfNode(system, engine) {
  const module = join(toolchain, "toolchain.mjs");
  await bundle({ ...common, entryPoints: [join(source, "page/toolchain.js")], outfile: module, platform: "node" });
  const { Toolchain } = await import(pathToFileURL(module));
  const modules = {};
  for (const name of coreModules) modules[name] = await WebAssembly.compile(readFileSync(join(clang, name)));
  const trees = { modules, system: treeOf(system), engine: treeOf(engine) };
  const driver = await Toolchain.create({ ...trees, commands: null });
  const commands = await clangCommands(async (words, files) => (await driver.run(words, files)).text);
  return { commands, toolchain: await Toolchain.create({ ...trees, commands }) };
}

const coreModules = readdirSync(clang).filter((name) => name.endsWith(".wasm"));
const system = tarOf(systemFiles(join(toolchain, "sysroot")));
const engine = tarOf(engineFiles(project, join(build, "wasm"), realpathSync(join(toolchain, "include/fmt"))));

rmSync(out, { recursive: true, force: true });
const { commands, toolchain: warm } = await toolchainOfNode(system, engine);
await warm.precompile();

const programs = [];
for (const { name, title, about, watch, text } of programsOf(project)) {
  const { module, text: said } = await warm.compile({ "main.cpp": text });
  if (!module) throw new Error(`${name} does not compile:\n${said}`);
  write(`programs/${name}.cpp`, text);
  writeCompressed(`programs/${name}.wasm`, module);
  programs.push({ name, title, about, watch });
}
write("programs/programs.json", JSON.stringify(programs));

const course = listOf(project);
write("course/course.json", JSON.stringify(course));
writeCompressed("course/report.wasm", readFileSync(join(build, "wasm/exercises/runner/webassembly/course_report.wasm")));
for (const { id } of course.flatMap(({ exercises }) => exercises)) {
  for (const [name, bytes] of Object.entries(packedExercise({ project, wasm: join(build, "wasm"), id, markdown: new MarkdownIt() }))) {
    writeCompressed(`course/${id}/${name}`, bytes);
  }
}

for (const name of coreModules) writeCompressed("compiler/" + name, readFileSync(join(clang, name)));
writeCompressed("compiler/system.tar", system);
writeCompressed("compiler/engine.tar", engine);
write("help.json", JSON.stringify(helpOf(project)));

// What the page loads before anything is compiled, and then: for the progress bar, in bytes.
const compilerFiles = readdirSync(join(out, "compiler")).map((name) => ["compiler/" + name, readFileSync(join(out, "compiler", name)).length]);
const sum = createHash("sha256").update(system).update(engine).update(JSON.stringify(commands)).digest("hex").slice(0, 16);
write("compiler/compiler.json", JSON.stringify({ version: sum, files: Object.fromEntries(compilerFiles), modules: coreModules, commands }));

// The shell of both pages, each with its own parts: "<!-- NAME -->" and what follows stands in the place of {{NAME}}.
function pageOf(name) {
  const [shell, own] = ["shell.html", name].map((file) => readFileSync(join(source, "page", file), "utf8"));
  const parts = own.split(/^<!-- (\w+) -->\n/m);
  return shell.replaceAll(/\{\{(\w+)\}\}/g, (_, part) => (parts.includes(part) ? parts[parts.indexOf(part) + 1].trimEnd() : ""));
}
for (const name of ["index.html", "course.html"]) write(name, pageOf(name));
for (const name of ["style.css", "playground.css", "course.css"]) copyFileSync(join(source, "page", name), join(out, name));
copyFileSync(join(project, "autograd/debug/trace/page/colours.css"), join(out, "colours.css"));
const scripts = ["start", "course", "compiler_worker", "program_worker", "judge_worker"].map((name) => join(source, "page", name + ".js"));
await bundle({ ...common, entryPoints: scripts, outdir: out, splitting: true, chunkNames: "[name]-[hash]" });
const beside = ["buttons.js", "panel.js", "buttons.css", "panel.css", "framed.css"].map((name) => join(source, "beside", name));
await bundle({ ...common, entryPoints: beside, outdir: join(out, "beside"), external: ["./panel.js"] });

// The service worker knows every file, and changes when one of them does.
const all = readdirSync(out, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(out.length + 1)).sort();
const version = createHash("sha256");
for (const path of all) version.update(path).update(readFileSync(join(out, path)));
const offline = readFileSync(join(source, "page/offline.js"), "utf8");
write("offline.js", `const version = "${version.digest("hex").slice(0, 16)}";\nconst files = ${JSON.stringify(all)};\n${offline}`);
