// All of the course: its parts, how long each takes, how far the learner is, and each exercise as a link.

import { stateOf } from "./answers.js";
import { elements, make } from "./elements.js";

const signs = { passed: "✓", begun: "▸", open: "" };
const words = { passed: ", passed", begun: ", begun", open: "" };

// { passed, count, minutes }: of those that are not passed
function standingOf(exercises) {
  const left = exercises.filter(({ id }) => stateOf(id) !== "passed");
  return { passed: exercises.length - left.length, count: exercises.length, minutes: left.reduce((sum, { time }) => sum + Number.parseInt(time, 10), 0) };
}

const timeText = (minutes) => (minutes < 100 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`);
const standingText = ({ passed, count, minutes }) => `${passed} of ${count} passed${minutes ? `, about ${timeText(minutes)} to go` : ""}`;

function lineOf({ id, number, title, isFast, difficulty, time }, current) {
  const state = stateOf(id);
  const link = make("a", { href: "#" + id, className: state, ariaLabel: `${number} ${title}, ${time}${words[state]}` },
    make("span", { className: "sign" }, signs[state]), `${number} ${title}${isFast ? " ★" : ""}`, make("small", {}, `${difficulty}  ${time}`));
  if (id === current) link.ariaCurrent = "page";
  return make("li", {}, link);
}

// `current`: the id of the exercise that is open.
export function showOverview(parts, current) {
  const all = standingOf(parts.flatMap(({ exercises }) => exercises));
  elements.standing.textContent = standingText(all);
  elements.passed.max = all.count;
  elements.passed.value = all.passed;
  elements.parts.replaceChildren(...parts.map(({ letter, name, exercises }) => make("section", {},
    make("h3", {}, `${letter} · ${name}`, make("small", {}, standingText(standingOf(exercises)))),
    make("ol", {}, ...exercises.map((exercise) => lineOf(exercise, current))))));
}

// `open` is told the id of what is chosen.
export function wireOverview(open) {
  elements.list.onclick = () => {
    elements.overview.showModal();
    elements.parts.querySelector("[aria-current]")?.focus();
  };
  elements.parts.onclick = (event) => {
    const link = event.target.closest("a");
    if (!link) return;
    event.preventDefault();
    elements.overview.close();
    open(link.hash.slice(1));
  };
}
