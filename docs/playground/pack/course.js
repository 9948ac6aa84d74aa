// The course as the page has it: the list of exercises, and of each its text and what it is checked with.

import { existsSync, readFileSync } from "node:fs";
import { join, normalize } from "node:path";

// The tables of exercises/README.md, which `learn dev check` holds against the exercises.
// -> [{ letter, name, exercises: [{ id, number, title, isFast, difficulty, time, after }] }]
export function listOf(project) {
  const parts = [];
  for (const line of readFileSync(join(project, "exercises/README.md"), "utf8").split("\n")) {
    const [, letter, name] = /^## ([A-Z]) · (.*)$/.exec(line) ?? [];
    if (letter) parts.push({ letter, name, exercises: [] });
    const [, star, number, title, id, difficulty, time, after] = /^\| (★?) ?\| \[(\d+) (.*)\]\(lessons\/(\w+)\/README\.md\) \| (\S+) \| ([^|]+) \| (.*) ?\|$/.exec(line) ?? [];
    if (id) parts.at(-1).exercises.push({ id, number, title, isFast: star !== "", difficulty, time, after: after.trim() });
  }
  return parts;
}

// Where a file of the project is on the book's site (docs/site/hook.py).
function pageOf(file) {
  const [path, anchor] = file.split("#");
  const page = path.startsWith("docs/") ? path.slice("docs/".length).replace(/\.md$/, "") : "source/" + path;
  return page + ".html" + (anchor ? "#" + anchor : "");
}

// An exercise's text as HTML. The title of the page is larger than the exercise's. Links to other exercises stay in the page;
// the page knows where the book is.
export function textOf(readme, id, markdown) {
  const tokens = markdown.parse(readme, {});
  for (const token of tokens.flatMap((one) => [one, ...(one.children ?? [])])) {
    if (/^heading_/.test(token.type)) token.tag = "h" + (Number(token.tag[1]) + 1);
    const target = token.type === "link_open" ? token.attrGet("href") : "";
    if (!target || target.includes("://")) continue;
    const file = normalize(`exercises/lessons/${id}/${target}`);
    const other = /^exercises\/lessons\/(\d\w+)\/README\.md$/.exec(file);
    if (other) {
      token.attrSet("href", "#" + other[1]);
    } else {
      token.attrs = [["data-file", file], ["data-page", pageOf(file)]];
    }
  }
  return markdown.renderer.render(tokens, markdown.options, {});
}

const mark = (source, name) => new RegExp(`^//= ${name}: (.*)$`, "m").exec(source)?.[1];

// given.h as one text, with what several exercises are given (exercises/judge/given).
const withShared = (text, project) =>
  text.replace(/^#include <(judge\/given\/\w+\.h)>$/gm, (_, path) => withShared(readFileSync(join(project, "exercises", path), "utf8"), project));

const longForPage = 100;  // seconds: no judge is built (exercises/judge/webassembly/CMakeLists.txt)

// -> { "exercise.json": .., "judge.wasm": .., "answer.a": .. }; the last two are not there where a check trains for minutes, or
// where the judge was not built.
export function packedExercise({ project, wasm, id, markdown }) {
  const read = (name) => readFileSync(join(project, "exercises/lessons", id, name), "utf8");
  const made = join(wasm, "exercises/judge/webassembly", id);
  const source = read("exercise.cpp");
  const exercise = { text: textOf(read("README.md"), id, markdown), given: withShared(read("given.h"), project), seconds: Number(mark(source, "seconds") ?? 10) };
  const isLong = exercise.seconds >= longForPage;
  if (!existsSync(join(made, "judge.wasm"))) return { "exercise.json": JSON.stringify({ ...exercise, isChecked: false, isLong }) };
  Object.assign(exercise, {
    isChecked: true, stub: readFileSync(join(made, "stub.cpp"), "utf8"), solution: readFileSync(join(made, "solution.cpp"), "utf8"),
    files: { "exercise.cpp": source, "hints.md": read("hints.md") },
  });
  return { "exercise.json": JSON.stringify(exercise), "judge.wasm": readFileSync(join(made, "judge.wasm")), "answer.a": readFileSync(join(made, "libanswer.a")) };
}
