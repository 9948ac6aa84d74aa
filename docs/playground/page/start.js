// The playground: one program, and what it does.

import { makeCompiler } from "./compiler_state.js";
import { elements } from "./elements.js";
import { load, loadJson, loadModule } from "./loading.js";
import { notice } from "./notice.js";
import { clearOutput, explain, print, say, sayEnd, showPrinted } from "./output.js";
import { keepOwn, ownPrograms } from "./own_programs.js";
import { reportFile, reportOf, runProgram } from "./program.js";
import { downloadReplay, followReplay, followThemeInReplay, forgetMoment, goToLine, replayFile, replayIsShown, showReplay } from "./replay.js";
import { seconds } from "./seconds.js";
import { addressOf, programIn } from "./share.js";
import { editor, help, isNarrow, openShell, sayUnstarted, showSide, wireShell } from "./shell.js";
import { recall, remember } from "./stored.js";
import { beginWork, endWork } from "./work.js";
import { keepOffline } from "./work_offline.js";

const file = "main.cpp";  // the program, as the compiler knows it

let programs = [];
let chosen = null;  // the program of the list that stands in the editor unchanged
let own = null;  // the id of the reader's own that stands there
const compiler = makeCompiler({ onReady: compilerIsReady, withoutIt: "Programs of the list run without it." });

// ---- what is in the page --------------------------------------------------------------------------------------------

const watchBoxes = () => [...elements.watch.querySelectorAll("input")];
const watched = () => watchBoxes().filter((box) => box.checked).map((box) => box.value);

function setWatched(names) {
  for (const box of watchBoxes()) box.checked = names.includes(box.value);
}

// `program`: of the list, or null; `id`: of the reader's own, or null where it is that of a link.
function choose(program, id = null) {
  chosen = program;
  own = id;
  elements.about.textContent = program?.about ?? "";
  showList();
}

// What opens again at the next visit. Beside the book, the page around it reads the text.
const keep = () => remember("program", { text: editor.text, watch: watched(), name: chosen?.name, own });

function changedByHand() {
  if (chosen && editor.text === chosen.text) return;
  const id = keepOwn({ id: own, text: editor.text, watch: watched() });
  if (chosen || id !== own) choose(null, id);
  keep();
}

function show({ text, watch }) {
  editor.open(text);
  elements.pass.value = 1;
  forgetMoment();
  setWatched(watch);
}

async function open(program) {
  program.text ??= new TextDecoder().decode(await load(`programs/${program.name}.cpp`));
  choose(program);
  show(program);
  keep();
}

function openOwn(program) {
  choose(null, keepOwn(program));
  show(program);
  keep();
}

// ---- compile and run ------------------------------------------------------------------------------------------------

// The programs of the list are there already: they run before the compiler is loaded.
async function build(text, work) {
  const program = chosen;
  if (program && text === program.text) {
    program.module ??= await loadModule(`programs/${program.name}.wasm.gz`);
    return { module: program.module };
  }
  say("busy", compiler.isReady ? "compiling .." : "waiting for the compiler ..");
  const built = await work.through(compiler.compile({ [file]: text }));
  if (!work.isNow) return built;
  editor.show(built.diagnostics);
  if (built.module) elements.compilerState.textContent = `Compiled in ${seconds(built.milliseconds)}`;
  return built;
}

function sayUnbuilt({ unfinished, diagnostics, text }) {
  clearOutput();
  if (unfinished) return say("wrong", unfinished, "unfinished");
  print({ stream: "stderr", text });
  if (isNarrow()) showSide("program");
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const place = errors[0].line ? `the first in line ${errors[0].line}: ` : "";
  say("wrong", `${errors.length === 1 ? "1 error" : errors.length + " errors"}, ${place}${errors[0].text}`, "errors");
}

// It has one end, whatever comes: a replay of another program stands there no longer than to there.
async function run() {
  const work = beginWork(elements.run);
  let replay;
  let whyNone = "";
  try {
    const text = editor.text;
    const built = await build(text, work);
    if (!work.isNow) return;
    if (!built.module) return sayUnbuilt(built);
    const watching = watched();
    const result = await work.through(start(built.module, text, watching));
    if (!work.isNow) return;
    const report = reportOf(result.files);
    elements.passes.textContent = report.passes ? `of ${report.passes}` : "";
    showEnd(result, watching, report.found);
    replay = result.files[replayFile];
    if (wantedPass() > 1) whyNone = `Pass ${wantedPass()} is wanted. The program has only ${report.passes}.`;
  } catch (error) {
    if (work.isNow) say("wrong", `The program could not be loaded: ${error.message}`);
  } finally {
    if (work.isNow) {
      endWork(elements.run);
      showReplay(replay, whyNone);
    }
  }
}

const wantedPass = () => Number(elements.pass.value) || 1;

function start(module, text, watching) {
  clearOutput();
  editor.show([]);
  say("busy", "running ..");
  const trace = `trace:${replayFile},pass=${wantedPass()},report=${reportFile}`;
  return runProgram({
    module, files: { [file]: text }, environment: { BACKSTEP: [trace, ...watching].join(",") }, onOutput: print,
  });
}

function showEnd(result, watching, found) {
  const finding = found && { ...found, line: found.file === file ? found.line : null };
  sayEnd(result, watching, finding);
  if (finding?.line) editor.show([{ line: finding.line, column: 1, severity: "error", text: finding.text }]);
  if (finding?.id && help?.errors[finding.id]) explain(finding.id, help.errors[finding.id]);
}

function runByHand() {
  if (isNarrow()) showSide("output");
  return run();
}

function stop() {
  if (!endWork(elements.run)) return;
  showPrinted();
  say("wrong", "stopped by you", "stopped");
  showReplay();
}

function compilerIsReady() {
  keepOffline("programs/", "compiler/");
  if (chosen) compiler.compile({ [file]: editor.text });  // the first time is slow: better before it is asked for
}

// ---- the beginning --------------------------------------------------------------------------------------------------

// The values of options: "", "own 3" for the reader's own, "link", and names.
const valueOf = (index) => (index === 0 ? "" : `own ${index}`);
const titleOf = (index) => (index === 0 ? "Your program" : `Your program, ${index === 1 ? "the one" : index} before`);

function showList() {
  const mine = ownPrograms();
  const isOfLink = !chosen && own === null;
  elements.gallery.replaceChildren(
    ...(isOfLink ? [new Option("The program of the link", "link")] : []),
    ...mine.map((_, index) => new Option(titleOf(index), valueOf(index))),
    ...programs.map(({ name, title }) => new Option(title, name)));
  elements.gallery.value = chosen?.name ?? (isOfLink ? "link" : valueOf(mine.findIndex(({ id }) => id === own)));
}

async function openChosen() {
  const { value } = elements.gallery;
  const program = programs.find(({ name }) => name === value);
  const mine = ownPrograms().find((_, index) => valueOf(index) === value);
  if (program) await open(program);
  else if (mine) openOwn(mine);
  else return;
  run();
}

function wire() {
  elements.gallery.onchange = openChosen;
  wireShell({ button: elements.run, act: runByHand, stop, first: elements.program, onTheme: followThemeInReplay });
  elements.save.onclick = downloadReplay;
  elements.pass.onchange = run;
  elements.watch.onchange = () => {
    if (own !== null) keepOwn({ id: own, text: editor.text, watch: watched() });
    keep();
    run();
  };
  elements.share.onclick = async () => {
    const address = await addressOf({ text: editor.text, watch: watched().join() });
    history.replaceState(null, "", address);
    const copied = await navigator.clipboard?.writeText(address).then(() => true, () => false);
    notice(`${copied ? "Copied" : "The address of this page now holds the program"}: anybody who opens it sees this program. It is in the address itself, ${address.length} letters; no server keeps it.`);
  };
  window.addEventListener("hashchange", () => openShared().then((opened) => opened && run()));
  followReplay({
    place: (place) => editor.mark(place?.file === file ? place.line : null),
    pass: (pass) => {
      elements.pass.value = pass;
      forgetMoment();
      run();
    },
  });
}

async function openShared() {
  try {
    const shared = await programIn(location.hash);
    if (!shared) return false;
    choose(programs.find(({ text }) => text === shared.text) ?? null, ownPrograms().find(({ text }) => text === shared.text)?.id);
    show(shared);
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
  if (last?.text && !last.name) return openOwn({ ...last, id: last.own });
  await open(programs.find(({ name }) => name === last?.name) ?? programs[0]);
}

async function begin() {
  wire();
  programs = await loadJson("programs/programs.json");
  await openFirst();
  if (chosen) await run().then(replayIsShown);
  await openShell(compiler, { change: changedByHand, run, stop, line: (line) => goToLine(file, line) });
  if (!chosen) run();
}

begin().catch(sayUnstarted);
