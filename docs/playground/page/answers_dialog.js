// The dialog in which answers leave the browser for a folder, and come back.

import { bringBack, stateOf } from "./answers.js";
import { folderOf, takeFrom, writeInto } from "./answers_folder.js";
import { elements, hide, make } from "./elements.js";
import { filesOfTar, tarOf } from "./tar.js";

const say = (text) => { elements.answersSaid.textContent = text; };
const counted = (count, one) => `${count} ${count === 1 ? one : one + "s"}`;

function download(name, bytes) {
  const link = make("a", { download: name, href: URL.createObjectURL(new Blob([bytes], { type: "application/x-tar" })) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

function saveTar(ids) {
  const files = folderOf(ids).map(({ path, text, modified }) => ({ path: "answers/" + path, bytes: new TextEncoder().encode(text), modified }));
  download("answers.tar", tarOf(files));
  say(`${counted(files.length - 1, "answer")} in answers.tar. Unpacked, it is a folder: tar -xf answers.tar, then exercises/learn start answers.`);
}

async function saveFolder(ids) {
  try {
    const { written, aside } = await writeInto(await showDirectoryPicker({ mode: "readwrite" }), folderOf(ids));
    elements.answersSaid.dataset.written = JSON.stringify({ written, aside });
    say(`${counted(written, "answer")} written.` + (aside > 0 ? ` ${counted(aside, "file")} that lay there and differed: now in .learn/attic.` : ""));
  } catch (error) {
    if (error.name !== "AbortError") say(`The folder could not be written: ${error.message}`);
  }
}

async function filesIn(input) {
  const files = [];
  for (const file of input.files) {
    const path = file.webkitRelativePath || file.name;
    if (path.endsWith(".tar")) files.push(...filesOfTar(new Uint8Array(await file.arrayBuffer())).map((one) => ({ ...one, text: new TextDecoder().decode(one.bytes) })));
    else if (/\.cpp$|\.learn\/state\.json$/.test(path)) files.push({ path, text: await file.text(), modified: file.lastModified });
  }
  return files;
}

function outcomeText({ taken, older, same, unknown }) {
  const lines = [
    [taken, "Taken: "], [older, "Older than what is here, which stays: "], [same, "The same here: "], [unknown, "No exercise of the course: "],
  ].filter(([all]) => all.length > 0).map(([all, text]) => text + all.join(", "));
  return lines.length > 0 ? lines.join("\n") : "No answers are in there: their files are named as 19_linear_layer.cpp.";
}

async function take(input, ids, stubOf, onTaken) {
  const outcome = await takeFrom(await filesIn(input), ids, stubOf);
  say(outcomeText(outcome));
  elements.answersSaid.dataset.outcome = JSON.stringify(outcome);
  elements.undoTaken.hidden = outcome.taken.length === 0;
  elements.undoTaken.onclick = () => {
    outcome.taken.forEach(bringBack);
    hide(elements.undoTaken, elements.openFiles);
    say("All is as it was before.");
    onTaken();
  };
  onTaken();
}

// `stubOf(id)` gives what an exercise begins with; `onTaken` is told when answers have changed.
export function wireAnswersDialog(ids, { stubOf, onTaken }) {
  elements.answersButton.onclick = () => {
    say("");
    elements.undoTaken.hidden = true;
    const count = (state) => ids.filter((id) => stateOf(id) === state).length;
    elements.kept.textContent = `${count("passed")} of ${ids.length} passed, ${count("begun")} begun.`;
    elements.answers.showModal();
  };
  elements.saveFolder.hidden = !("showDirectoryPicker" in window);
  elements.saveTar.classList.toggle("main", elements.saveFolder.hidden);
  elements.saveTar.onclick = () => saveTar(ids);
  elements.saveFolder.onclick = () => saveFolder(ids);
  elements.openFolder.onclick = () => elements.folderInput.click();
  elements.openFiles.onclick = () => elements.filesInput.click();
  for (const input of [elements.folderInput, elements.filesInput]) {
    input.onchange = async () => {
      try {
        await take(input, ids, stubOf, onTaken);
      } catch (error) {
        say(`Nothing was taken: ${error.message}`);
      }
      input.value = "";
    };
  }
}
