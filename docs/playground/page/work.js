// What the page is at: a run or a check, in stages ({ ended, stop, leave }; leave may be missing). There is one at a time: another
// takes its place, and "Stop" ends it, the button that stands where the one was that began it.

import { elements, hide } from "./elements.js";

let now = null;

class Work {
  #stage = null;

  get isNow() { return now === this; }  // else, what comes of it is of no use to anybody

  // -> what the stage gives
  through(stage) {
    this.#stage = stage;
    return stage.ended;
  }

  stop() { this.#stage?.stop(); }

  leave() { (this.#stage?.leave ?? this.#stage?.stop)?.(); }
}

// `button`: the one that begins it.
export function beginWork(button) {
  now?.leave();
  now = new Work();
  elements.stop.hidden = false;
  hide(button, elements.stop);
  return now;
}

// -> whether there was any
export function endWork(button) {
  if (!now) return false;
  const ended = now;
  now = null;
  ended.stop();
  button.hidden = false;
  hide(elements.stop, button);
  return true;
}
