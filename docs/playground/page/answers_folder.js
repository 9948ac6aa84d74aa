// Answers as a folder that `learn` understands: 19_linear_layer.cpp and, of how each stands, .learn/state.json. There and here,
// nothing is overwritten that cannot be brought back.

import { kept, noteStanding, replace } from "./answers.js";

const record = ".learn/state.json";

// -> [{ path, text, modified }]
export function folderOf(ids) {
  const all = ids.map((id) => ({ id, ...kept(id) }));
  const answers = all.filter(({ text }) => text !== undefined).map(({ id, text, changed }) => ({ path: id + ".cpp", text, modified: changed }));
  const tried = all.filter(({ standing }) => standing.passed || standing.attempts > 0 || standing.hints > 0 || standing.given_up);
  const state = { version: 1, fast_track: false, exercises: Object.fromEntries(tried.map(({ id, standing }) => [id, standing])) };
  return [...answers, { path: record, text: JSON.stringify(state, null, 1) + "\n", modified: Date.now() }];
}

// What stands there of others stays, and what has been passed there.
function joinedRecord(theirs, ours) {
  let known = {};
  try {
    known = JSON.parse(theirs);
  } catch {
    // It was damaged: learn would set it aside as well.
  }
  const { exercises } = JSON.parse(ours);
  const joined = Object.entries(exercises).filter(([id, { passed }]) => passed || !known.exercises?.[id]?.passed);
  return JSON.stringify({ version: 1, fast_track: false, ...known, exercises: { ...known.exercises, ...Object.fromEntries(joined) } }, null, 1) + "\n";
}

const textIn = async (folder, name) => folder.getFileHandle(name).then((handle) => handle.getFile()).then((file) => file.text()).catch(() => null);

async function put(folder, name, text) {
  const stream = await (await folder.getFileHandle(name, { create: true })).createWritable();
  await stream.write(text);
  await stream.close();
}

// Where `learn reset --undo` finds it.
async function putAside(learn, name, text) {
  const attic = await learn.getDirectoryHandle("attic", { create: true });
  for (let number = 1;; ++number) {
    const free = name.replace(/\.cpp$/, `.${number}.cpp`);
    if (await textIn(attic, free) === null) return put(attic, free, text);
  }
}

// Into a folder of the learner's, a FileSystemDirectoryHandle. -> { written, aside }, numbers
export async function writeInto(folder, files) {
  const learn = await folder.getDirectoryHandle(".learn", { create: true });
  const count = { written: 0, aside: 0 };
  for (const { path, text } of files) {
    if (path === record) {
      await put(learn, "state.json", joinedRecord(await textIn(learn, "state.json") ?? "{}", text));
      continue;
    }
    const there = await textIn(folder, path);
    if (there === text) continue;
    if (there !== null) {
      await putAside(learn, path, there);
      ++count.aside;
    }
    await put(folder, path, text);
    ++count.written;
  }
  return count;
}

function standingsIn(files) {
  const found = files.find(({ path }) => path.endsWith(record));
  try {
    return JSON.parse(found?.text ?? "{}").exercises ?? {};
  } catch {
    return {};
  }
}

// Only what is newer than what is here is taken. `stubs`: id -> what an exercise begins with.
// -> { taken, older, same, unknown }: ids; of `unknown`, file names
export async function takeFrom(files, ids, stubOf) {
  const outcome = { taken: [], older: [], same: [], unknown: [] };
  const standings = standingsIn(files);
  const isAnswer = ({ path }) => path.endsWith(".cpp") && !path.includes(".learn/");
  for (const { path, text, modified } of files.filter(isAnswer)) {
    const name = path.split("/").pop();
    const id = name.replace(/( \(\d+\))?\.cpp$/, "");  // a browser numbers what it has saved before
    if (!ids.includes(id)) {
      outcome.unknown.push(name);
      continue;
    }
    const here = kept(id);
    const { passed, passed_at } = standings[id] ?? {};
    if (text === here.text) {
      if (passed && !here.standing.passed) noteStanding(id, { passed, passed_at });
      outcome.same.push(id);
    } else if (here.text !== undefined && !(modified > here.changed)) {
      outcome.older.push(id);
    } else if (text !== await stubOf(id)) {
      replace(id, { text, changed: modified, standing: standings[id] ? { ...here.standing, ...(passed && { passed, passed_at }) } : here.standing });
      outcome.taken.push(id);
    }
  }
  return outcome;
}
