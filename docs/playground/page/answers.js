// The learner's answers and how each exercise stands, as the browser keeps them. A standing has the names of the record that
// `learn` keeps in a folder (exercises/runner/desk/progress.h).

import { recall, remember } from "./stored.js";

const nothing = { passed: false, passed_at: "", attempts: 0, hints: 0, given_up: false };

let onUnkept = () => {};
export const whenUnkept = (tell) => { onUnkept = tell; };

// -> { text, changed, before, standing }: `changed` in milliseconds; `before`: what a reset or an import took away.
// All but the standing may be missing.
export function kept(id) {
  const all = recall("course." + id) ?? {};
  return { ...all, standing: { ...nothing, ...all.standing } };
}

function keep(id, change) {
  if (!remember("course." + id, { ...kept(id), ...change })) onUnkept();
}
const change = (id, standing) => keep(id, { standing: { ...kept(id).standing, ...standing } });

// A text that is the beginning's again is not an answer.
export function write(id, text, stub, now = Date.now()) {
  keep(id, text === stub ? { text: undefined, changed: undefined } : { text, changed: now });
}

// In another's place, which can be brought back.
export function replace(id, { text, changed, standing }) {
  const { before, ...here } = kept(id);
  const { given_up } = here.standing;
  keep(id, { text, changed, standing: { ...nothing, given_up, ...standing }, before: here.text === undefined && before ? before : here });
}

export const canBringBack = (id) => kept(id).before?.text !== undefined;

export function reset(id) {
  if (kept(id).text !== undefined) replace(id, {});
}

// The two change places: what stands there now can be brought back, too. What was seen has been seen.
export function bringBack(id) {
  const { before, ...here } = kept(id);
  if (!before) return;
  const seen = { hints: Math.max(here.standing.hints, before.standing.hints), given_up: here.standing.given_up || before.standing.given_up };
  keep(id, { text: before.text, changed: before.changed, standing: { ...before.standing, ...seen }, before: here });
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
