// The playground: one program, and what it does.

import { startCompiler } from "./compiler_state.js";
import { elements } from "./elements.js";
import { findingIn, withoutReplay } from "./findings.js";
import { load, loadJson } from "./loading.js";
import { notice } from "./notice.js";
import { clearOutput, explain, print, say, sayEnd } from "./output.js";
import { PlainText } from "./plain_text.js";
import { runProgram } from "./program.js";
import { downloadReplay, followThemeInReplay, forgetMoment, replayFile, replayIsShown, showReplay } from "./replay.js";
import { seconds } from "./seconds.js";
import { addressOf, programIn } from "./share.js";
import { isNarrow, showSide, wireSides } from "./sides.js";
import { recall, remember } from "./stored.js";
import { followTheme } from "./theme.js";
import { keepOffline, workOffline } from "./work_offline.js";

let programs = [];
let chosen = null;  // the program of the list that stands in the editor unchanged
let help = null;  // for names, and for errors
let editor = null;
let compiler = null;
let running = null;  // { stop }
let turn = 0;  // of running: a new one makes the one before it worthless

// ---- what is in the page --------------------------------------------------------------------------------------------

const watchBoxes = () => [...elements.watch.querySelectorAll("input")];
const watched = () => watchBoxes().filter((box) => box.checked).map((box) => box.value);

function watch(names) {
  for (const box of watchBoxes()) box.checked = names.includes(box.value);
}

function choose(program) {
  chosen = program;
  elements.gallery.value = program?.name ?? "";
  elements.about.textContent = program?.about ?? "";
}

const keep = () => remember("program", { text: editor.text, watch: watched(), name: chosen?.name });

function changedByHand() {
  if (chosen && editor.text !== chosen.text) choose(null);
  keep();
}

async function open(program) {
  program.text ??= new TextDecoder().decode(await load(`programs/${program.name}.cpp`));
  editor.text = program.text;
  elements.pass.value = 1;
  forgetMoment();
  watch(program.watch);
  choose(program);
  keep();
}

// ---- compile and run ------------------------------------------------------------------------------------------------

// The programs of the list are there already: they run before the compiler is loaded.
async function moduleOf(text, mine) {
  if (chosen && text === chosen.text) {
    chosen.module ??= await WebAssembly.compile(await load(`programs/${chosen.name}.wasm.gz`));
    return chosen.module;
  }
  say("busy", compiler?.isReady ? "compiling .." : "waiting for the compiler ..");
  const { module, diagnostics, text: said, milliseconds } = await compiler.compile({ "main.cpp": text });
  if (mine !== turn) return null;
  editor.show(diagnostics);
  if (module) {
    elements.compilerState.textContent = `Compiled in ${seconds(milliseconds)}`;
    return module;
  }
  clearOutput();
  print({ stream: "stderr", text: said });
  if (isNarrow()) showSide("program");
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  say("wrong", `${errors.length === 1 ? "1 error" : errors.length + " errors"}, the first in line ${errors[0].line}: ${errors[0].text}`);
  return null;
}

function setRunning(program) {
  running = program;
  elements.stop.hidden = !program;
  elements.run.hidden = Boolean(program);
}

async function run() {
  const mine = ++turn;
  running?.stop();
  const text = editor.text;
  let module;
  try {
    module = await moduleOf(text, mine);
  } catch (error) {
    say("wrong", `The program could not be loaded: ${error.message}`);
  }
  if (!module || mine !== turn) return;
  const watching = watched();
  const { result, errors, aboutReplay } = await runAndPrint(module, text, watching, mine);
  if (mine !== turn) return;
  const finding = result.code === 0 ? null : findingIn(errors);
  sayEnd(result, watching, finding);
  if (finding?.line) editor.show([{ line: finding.line, column: 1, severity: "error", text: finding.sentence }]);
  if (finding?.id && help?.errors[finding.id]) explain(finding.id, help.errors[finding.id]);
  showReplay(result.files[replayFile], Number(elements.pass.value) > 1 ? aboutReplay : "");
}

async function runAndPrint(module, text, watching, mine) {
  clearOutput();
  editor.show([]);
  say("busy", "running ..");
  const trace = `trace:${replayFile},pass=${Number(elements.pass.value) || 1}`;
  let errors = "";
  let aboutReplay = "";
  const program = runProgram({
    module, files: { "main.cpp": text }, environment: { BACKSTEP: [trace, ...watching].join(",") },
    onOutput({ stream, text: written }) {
      if (mine !== turn) return;
      const shown = withoutReplay(written);
      aboutReplay ||= shown.aboutReplay;
      if (stream === "stderr") errors += shown.printed;
      if (shown.printed) print({ stream, text: shown.printed });
    },
  });
  setRunning(program);
  const result = await program.ended;
  if (mine === turn) setRunning(null);
  return { result, errors, aboutReplay };
}

function stop() {
  running?.stop();
}

function compilerIsReady(ready) {
  keepOffline("programs/", "compiler/");
  if (chosen) ready.compile({ "main.cpp": editor.text });  // the first time is slow: better before it is asked for
}

// ---- the beginning --------------------------------------------------------------------------------------------------

function listPrograms() {
  elements.gallery.append(new Option("Your program", ""), ...programs.map(({ name, title }) => new Option(title, name)));
  elements.gallery.onchange = async () => {
    const program = programs.find(({ name }) => name === elements.gallery.value);
    if (!program) return;
    await open(program);
    run();
  };
}

function wire() {
  elements.run.onclick = () => {
    if (isNarrow()) showSide("output");
    run();
  };
  elements.stop.onclick = stop;
  elements.save.onclick = downloadReplay;
  elements.pass.onchange = run;
  elements.watch.onchange = () => { keep(); run(); };
  elements.helpButton.onclick = () => elements.help.showModal();
  elements.share.onclick = async () => {
    const address = await addressOf({ text: editor.text, watch: watched().join() });
    history.replaceState(null, "", address);
    const copied = await navigator.clipboard?.writeText(address).then(() => true, () => false);
    notice(`${copied ? "Copied" : "The address of this page now holds the program"}: whoever opens it sees this program. It is in the address itself, ${address.length} letters; no server keeps it.`);
  };
  wireSides();
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
    if (event.key === "Enter") run();
    if (event.key === ".") stop();
  });
  window.addEventListener("hashchange", () => openShared().then((opened) => opened && run()));
  followTheme(elements.theme, followThemeInReplay);
}

async function openShared() {
  try {
    const shared = await programIn(location.hash);
    if (!shared) return false;
    editor.text = shared.text;
    watch(shared.watch);
    choose(programs.find(({ text }) => text === shared.text) ?? null);
    return true;
  } catch (error) {
    notice(error.message, { isBad: true });
    return false;
  }
}

// A program in the address comes first, then the one of the last visit, then the first of the list.
async function openFirst() {
  if (await openShared()) return;
  const last = recall("program");
  if (last?.text && !last.name) {
    editor.text = last.text;
    watch(last.watch);
    choose(null);
    return;
  }
  await open(programs.find(({ name }) => name === last?.name) ?? programs[0]);
}

// It is larger than all the rest of the page, which shows something before.
async function openEditor() {
  const [{ Editor }, words] = await Promise.all([import("./editor.js"), loadJson("help.json")]);
  const plain = editor;
  elements.editor.replaceChildren();
  help = words;
  editor = new Editor(elements.editor, help, { change: changedByHand, run, stop });
  editor.text = plain.text;
  editor.show(plain.shown);
}

async function begin() {
  wire();
  programs = await loadJson("programs/programs.json");
  listPrograms();
  editor = new PlainText(elements.editor);
  await openFirst();
  if (chosen) await run().then(replayIsShown);
  await openEditor();
  await workOffline().catch(() => {});
  compiler = startCompiler({ onReady: compilerIsReady, withoutIt: "Programs of the list run without it." });
  if (!chosen) run();
}

begin().catch((error) => notice(`The page could not be started: ${error.message}. Is it served from a folder? docs/playground/serve does.`, { isBad: true }));
