// The exercise's text, what it is given, and its hints, one level at a time.

import { kept, noteHint } from "./answers.js";
import { elements, folded, make } from "./elements.js";
import { prose } from "./prose.js";
import { book } from "./work_offline.js";

// Outside of the site, a link to the book says where its file is, as `learn read` does.
function wireLinks(text) {
  for (const link of text.querySelectorAll("a[data-file]")) {
    if (book) Object.assign(link, { href: book + link.dataset.page, target: "_blank" });
    else link.replaceWith(...link.childNodes, " ", make("span", { className: "file", textContent: `(${link.dataset.file.split("#")[0]})` }));
  }
}

// What is wider than the page can be reached, and moved with the arrows.
function makeReachable() {
  for (const wide of elements.lesson.querySelectorAll("pre")) {
    if (wide.scrollWidth > wide.clientWidth) wide.tabIndex = 0;
    else wide.removeAttribute("tabindex");
  }
}
new ResizeObserver(makeReachable).observe(elements.lesson);

export function showText(exercise) {
  const { difficulty, time, after, isFast } = exercise;
  const text = elements.textOfExercise;
  text.innerHTML = exercise.text;
  const road = [`difficulty ${difficulty}`, `about ${time.replace("min", "minutes")}`, after && `best after ${after}`, isFast && "★ fast track"].filter(Boolean).join(" · ");
  text.querySelector("h2").after(make("p", { className: "road", textContent: road }));
  wireLinks(text);
  text.append(folded("What is given: given.h", async () => (await import("./editor.js")).highlighted(exercise.given)));
  makeReachable();
  elements.lesson.scrollTop = 0;
}

let current = null;  // the hints that the page shows

// One level at a time; those that were seen before stand there again. Levels: [{ level, text }], as the report gives them.
export class Hints {
  #exercise;
  #hintsNow;
  #giveUp;

  // `hintsNow(index)` gives the levels, for what the learner has written by now where this level speaks of it; `giveUp` shows the
  // solution.
  constructor(exercise, { hintsNow, giveUp }) {
    current = this;
    this.#exercise = exercise;
    this.#hintsNow = hintsNow;
    this.#giveUp = giveUp;
    elements.hints.hidden = !exercise.isChecked;
    elements.shownHints.replaceChildren();
    elements.hint.hidden = false;
    elements.hint.textContent = "Show a hint";
    elements.hint.onclick = () => this.showNext();
    if (exercise.isChecked && kept(exercise.id).standing.hints > 0) this.#showSeen();
  }

  async #showSeen() {
    const levels = await this.#levels(0);
    if (elements.shownHints.childElementCount > 0) return;
    const seen = Math.min(kept(this.#exercise.id).standing.hints, levels?.length ?? 0);
    for (let index = 0; index < seen; ++index) this.#show(levels[index], index + 1, levels.length);
  }

  async showNext() {
    const shown = elements.shownHints.childElementCount;
    const levels = await this.#levels(shown);
    if (!levels?.[shown] || elements.shownHints.childElementCount > shown) return;  // another press was faster
    this.#show(levels[shown], shown + 1, levels.length);
    elements.hint.scrollIntoView({ block: "nearest" });
  }

  // Nothing, where the page has gone on to other hints meanwhile.
  async #levels(index) {
    const levels = await this.#hintsNow(index);
    return current === this ? levels : null;
  }

  // After a check, what was said of the answer before is said of this one.
  update(levels) {
    elements.shownHints.querySelectorAll(":scope > div").forEach((hint, index) => hint.replaceChildren(...this.#contents(levels[index], index + 1, levels.length)));
    makeReachable();
  }

  #contents({ level, text }, number, count) {
    return [make("h4", { textContent: `Hint ${number} of ${count} · ${level}` }), ...prose(text)];
  }

  #show(level, number, count) {
    elements.shownHints.append(make("div", {}, ...this.#contents(level, number, count)));
    makeReachable();
    noteHint(this.#exercise.id, number);
    elements.hint.textContent = number < count ? "Show the next hint" : "Show the solution";
    if (number === count) elements.hint.onclick = () => this.#askToGiveUp();
  }

  #askToGiveUp() {
    if (kept(this.#exercise.id).standing.passed) return this.#giveUp();
    elements.hint.textContent = "Really? It is noted that you saw it";
    elements.hint.onclick = () => this.#giveUp();
  }
}
