// The course: one exercise, its text, the learner's answer, and what the check says of it.

import { bringBack, canBringBack, kept, noteCheck, noteGivenUp, reset, stateOf, whenUnkept, write } from "./answers.js";
import { wireAnswersDialog } from "./answers_dialog.js";
import { check, reportOn } from "./check.js";
import { makeCompiler } from "./compiler_state.js";
import { elements, hide, make } from "./elements.js";
import { Exercise } from "./exercise.js";
import { Hints, showText } from "./lesson.js";
import { loadJson } from "./loading.js";
import { notice, retries } from "./notice.js";
import { showOverview, wireOverview } from "./overview.js";
import { clearResult, headline, showResult, solutionOf } from "./result.js";
import { editor, isNarrow, openShell, sayUnstarted, showSide, wireShell } from "./shell.js";
import { recall, remember } from "./stored.js";
import { beginWork, endWork } from "./work.js";
import { keepOffline } from "./work_offline.js";

let parts = [];
let exercises = [];  // their entries in course.json
let exercise = null;  // the one that is open
const compiler = makeCompiler({ onReady: getReady, withoutIt: "Texts and hints are there without it." });
let hints = null;
let last = null;  // { answer, said }: the last check of this exercise

const indexOf = (id) => exercises.findIndex((one) => one.id === id);

// ---- which exercise -------------------------------------------------------------------------------------------------

const showList = () => showOverview(parts, exercise?.id);

// The next that is open, behind this one or else from the beginning.
function nextOpen() {
  const isOpen = ({ id }) => stateOf(id) !== "passed";
  return exercises.slice(indexOf(exercise.id) + 1).find(isOpen) ?? exercises.find(isOpen) ?? null;
}

let opening = 0;

// `isChosen`: by the reader, who may go back.
async function open(id, { isChosen = true } = {}) {
  const mine = ++opening;
  stop();
  let opened;
  try {
    opened = await Exercise.load(exercises[indexOf(id)], retries);
  } catch (error) {
    if (mine !== opening) return;
    return notice(`Exercise ${id} did not load: ${error.message}`, { isBad: true, action: { text: "Try again", run: () => open(id) } });
  }
  if (mine !== opening) return;
  exercise = opened;
  notice("");
  if (isChosen && location.hash !== "#" + id) history.pushState(null, "", "#" + id);
  else history.replaceState(null, "", "#" + id);
  document.title = `${exercise.number} ${exercise.title} · Backstep course`;
  remember("course", id);
  elements.list.textContent = `${exercise.number} ${exercise.title}`;
  showList();
  elements.previous.disabled = indexOf(id) === 0;
  elements.next.disabled = indexOf(id) === exercises.length - 1;
  elements.fileName.textContent = exercise.fileName;
  showText(exercise);
  showAnswer();
  showHints();
  if (isNarrow()) showSide("lesson");
  if (compiler.isLoading) getReady();
}

// From the beginning, or as many as were seen before.
function showHints() {
  hints = new Hints(exercise, { hintsNow, giveUp });
}

// What is kept of the answer, in the editor.
function showAnswer() {
  last = null;
  showWhatIsOlder();
  const { isChecked, isLong, id, stub } = exercise;
  for (const button of [elements.check, elements.reset]) button.disabled = !isChecked;
  if (canBringBack(id)) elements.bringBack.hidden = false;
  else hide(elements.bringBack, elements.lesson);
  editor.open(isChecked ? kept(id).text ?? stub : "// This one is written and checked in a terminal.\n");
  clearResult(isChecked ? "Not checked yet" : "In a terminal");
  if (isChecked) return;
  const why = isLong ? "Its check trains models for minutes, longer than a page should." : `This page was built without its check: docs/playground/build ${exercise.number} builds it.`;
  const sentence = `${why} In a copy of Backstep, exercises/learn start FOLDER makes a folder for answers; there, ./learn watch ${exercise.number} checks this one.`;
  elements.said.replaceChildren(make("p", { className: isLong ? "long" : "unbuilt", textContent: sentence }));
}

// Loads what the exercise is checked with, and lets the compiler do once what takes longer the first time.
async function getReady() {
  const { id, isChecked, fileName, given, stub } = exercise;
  if (!isChecked) return;
  try {
    const { archive } = await exercise.tools(retries);
    retries.ended();
    keepOffline("course/course.json", "course/report", `course/${id}/exercise.json`);
    if (!compiler.isReady || document.body.dataset.warm) return;
    keepOffline("compiler/");
    document.body.dataset.warm = "yes";
    compiler.compile({ [fileName]: stub, "given.h": given }, { program: fileName, archive });
  } catch (error) {
    if (exercise.id === id) notice(`What checks this exercise did not load: ${error.message}. "Check" tries again.`, { isBad: true });
  }
}

// ---- the answer -----------------------------------------------------------------------------------------------------

// A verdict on a text that has been changed since.
function showWhatIsOlder() {
  elements.result.classList.toggle("older", last !== null && last.answer !== editor.text);
}

function changedByHand() {
  if (!exercise?.isChecked) return;
  const before = stateOf(exercise.id);
  write(exercise.id, editor.text, exercise.stub);
  showWhatIsOlder();
  if (stateOf(exercise.id) !== before) showList();
}

// The browser tells that another tab has changed it.
function changedElsewhere({ key }) {
  showList();
  if (key !== "backstep.course." + exercise?.id || (kept(exercise.id).text ?? exercise.stub) === editor.text) return;
  stop();
  showAnswer();
}

function putInPlace(change) {
  stop();
  change(exercise.id);
  showAnswer();
  showHints();
  showList();
}

function beginAgain() {
  const { id } = exercise;
  putInPlace(reset);
  const undo = () => (exercise.id === id ? putInPlace(bringBack) : bringBack(id));
  if (canBringBack(id)) notice("This exercise begins again.", { action: { text: "Bring back what was there", run: undo } });
}

function stop() {
  if (endWork(elements.check)) headline("open", "Stopped");
}

const states = { waiting: "waiting for the compiler ..", compiling: "compiling ..", checking: "checking .." };

// -> what is said of the answer as it stands, or null where it was stopped
async function checkNow() {
  if (!exercise.isChecked) return null;
  const { id, stub } = exercise;
  const answer = editor.text;
  const work = beginWork(elements.check);
  clearResult();
  editor.show([]);
  const began = performance.now();
  try {
    const said = await check({ compiler, exercise, answer, work, onState: (state) => headline("busy", states[state], state) });
    if (!work.isNow) return null;
    if (answer !== stub && said.report.outcome !== "broken") noteCheck(id, said.report.outcome === "passed");
    last = { answer, said };
    show(said);
    showWhatIsOlder();
    hints.update(said.hints);
    document.body.dataset.milliseconds = String(Math.round(performance.now() - began));
    return said;
  } catch (error) {
    if (!work.isNow) return null;
    headline("wrong", "It could not be checked");
    notice(`The check did not work: ${error.message}`, { isBad: true });
    return null;
  } finally {
    if (work.isNow) endWork(elements.check);
  }
}

// The runner explains the first error; of others the editor shows what the compiler says.
function marksOf({ marks, diagnostics }) {
  const explained = new Set(marks.map(({ line }) => line));
  return [...marks, ...diagnostics.filter(({ line, severity }) => severity === "error" && !explained.has(line))];
}

function show(said) {
  editor.show(marksOf(said));
  const next = nextOpen();
  showResult(said, exercise, { next, goOn: () => open(next.id).then(() => elements.lesson.focus()), goToLine: (line) => {
    if (isNarrow()) showSide("answer");
    editor.goTo(line);
  } });
  showList();
}

async function checkByHand() {
  if (isNarrow()) showSide("result");
  await checkNow();
}

// ---- hints ----------------------------------------------------------------------------------------------------------

// The formula of the first thing that is not right needs to know what that is.
async function hintsNow(index) {
  if (last?.answer === editor.text) return last.said.hints;
  const { hints: levels } = await reportOn(exercise, editor.text, { compiled: false, linked: false });
  if (levels[index]?.level !== "First formula") return levels;
  return (await checkNow())?.hints ?? levels;
}

function giveUp() {
  if (!kept(exercise.id).standing.passed) noteGivenUp(exercise.id);
  const solution = solutionOf(exercise, "The solution");
  solution.open = true;
  elements.shownHints.append(solution);
  hide(elements.hint, solution.firstElementChild);
}

// ---- the beginning --------------------------------------------------------------------------------------------------

function wire() {
  wireShell({ button: elements.check, act: checkByHand, stop, first: elements.lesson });
  wireOverview(open);
  elements.bringBack.onclick = () => putInPlace(bringBack);
  elements.previous.onclick = () => open(exercises[indexOf(exercise.id) - 1].id);
  elements.next.onclick = () => open(exercises[indexOf(exercise.id) + 1].id);
  elements.reset.onclick = beginAgain;
  elements.askHint.onclick = async () => {
    if (isNarrow()) showSide("lesson");
    hints.showNext();
  };
  document.querySelector(".skip").onclick = (event) => {
    event.preventDefault();
    elements.answer.focus();
  };
  window.addEventListener("hashchange", () => {
    const id = location.hash.slice(1);
    if (indexOf(id) < 0) sayUnknown(id);
    else if (id !== exercise?.id) open(id, { isChosen: false });
  });
  window.addEventListener("storage", changedElsewhere);
  whenUnkept(() => notice("The browser does not keep this: its storage is full, or forbidden. When this tab is closed, it is lost; \"Answers\" puts it into a folder.", { isBad: true }));
  wireAnswersDialog(exercises.map(({ id }) => id), {
    stubOf: async (id) => (await Exercise.load(exercises[indexOf(id)])).stub,
    onTaken() {
      showAnswer();
      showList();
    },
  });
}

function sayUnknown(id) {
  if (id) notice(`The course has no exercise ${id}.`, { isBad: true });
}

// The address names it, or else it is where one was, or the first that is open.
function firstToOpen() {
  const named = [location.hash.slice(1), recall("course")].find((id) => indexOf(id) >= 0);
  return named ?? (exercises.find(({ id }) => stateOf(id) !== "passed") ?? exercises[0]).id;
}

async function begin() {
  parts = await loadJson("course/course.json", retries);
  exercises = parts.flatMap((part) => part.exercises);
  wire();
  showList();
  const named = location.hash.slice(1);
  await open(firstToOpen(), { isChosen: false });
  if (indexOf(named) < 0) sayUnknown(named);
  await openShell(compiler, { change: changedByHand, run: checkByHand, stop });
  getReady();
}

begin().catch(sayUnstarted);
