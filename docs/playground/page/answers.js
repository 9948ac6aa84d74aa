// The learner's answers and how each exercise stands, as the browser keeps them. A standing has the names of the record that
// `learn` keeps in a folder (exercises/runner/desk/progress.h).

import { recall, remember } from "./stored.js";

const nothing = { passed: false, passed_at: "", attempts: 0, hints: 0, given_up: false };

// -> { text, changed, before, standing }: `changed` in milliseconds; `before`: what a reset or an import took away.
// All but the standing may be missing.
export function kept(id) {
  const all = recall("course." + id) ?? {};
  return { ...all, standing: { ...nothing, ...all.standing } };
}

const keep = (id, change) => remember("course." + id, { ...kept(id), ...change });
const change = (id, standing) => keep(id, { standing: { ...kept(id).standing, ...standing } });

// A text that is the beginning's again is no answer.
export function write(id, text, stub, now = Date.now()) {
  keep(id, text === stub ? { text: undefined, changed: undefined } : { text, changed: now });
}

// In another's place, which can be brought back.
export function replace(id, { text, changed, standing }) {
  const { text: textBefore, changed: changedBefore, standing: standingBefore } = kept(id);
  const { given_up } = standingBefore;
  keep(id, { text, changed, standing: { ...nothing, given_up, ...standing }, before: { text: textBefore, changed: changedBefore, standing: standingBefore } });
}

export const reset = (id) => replace(id, {});

export function bringBack(id) {
  const { before } = kept(id);
  if (before) keep(id, { text: before.text, changed: before.changed, standing: before.standing, before: undefined });
}

const two = (number) => String(number).padStart(2, "0");
const minute = (time) => `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())} ${two(time.getHours())}:${two(time.getMinutes())}`;

export function noteCheck(id, hasPassed, now = new Date()) {
  const { passed, attempts } = kept(id).standing;
  if (!passed) change(id, { attempts: attempts + 1, ...(hasPassed && { passed: true, passed_at: minute(now) }) });
}

export const noteHint = (id, level) => change(id, { hints: Math.max(kept(id).standing.hints, level) });
export const noteGivenUp = (id) => change(id, { given_up: true });
export const noteStanding = (id, standing) => change(id, standing);

// "passed", "begun", "open"
export function stateOf(id) {
  const { text, standing } = kept(id);
  return standing.passed ? "passed" : text !== undefined ? "begun" : "open";
}
