// What the browser keeps for the next visit. Where it may not (private windows), nothing is kept. Beside the book's text, in
// a frame of its pages, it is kept for as long as the tab is open: the reader's own program of the whole page stays as it is.

const isBeside = window.parent !== window;

const storage = () => (isBeside ? sessionStorage : localStorage);

export function recall(name) {
  try {
    return JSON.parse(storage().getItem("backstep." + name));
  } catch {
    return null;
  }
}

export function remember(name, value) {
  try {
    storage().setItem("backstep." + name, JSON.stringify(value));
  } catch {
    // The page works without.
  }
}
