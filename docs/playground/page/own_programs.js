// The reader's own programs, the one written last first: { id, text, watch }. A program of the list, or of a link, that is changed
// becomes one of them; the others stay as they are.

import { recall, remember } from "./stored.js";

const most = 5;

export const ownPrograms = () => recall("own") ?? [];

// -> its id, a new one where it has none
export function keepOwn({ id, text, watch }) {
  const own = ownPrograms();
  const mine = { id: id ?? 1 + Math.max(0, ...own.map((one) => one.id)), text, watch };
  remember("own", [mine, ...own.filter((one) => one.id !== mine.id)].slice(0, most));
  return mine.id;
}
