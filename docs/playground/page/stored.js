// What the browser keeps for the next visit. Where it may not (private windows), or has no room, it is kept until the page is left. Beside the book's text, in
// a frame of its pages, it is kept for as long as the tab is open: the reader's own program of the whole page stays as it is.

const isBeside = window.parent !== window || document.querySelector("[data-programs]") !== null;

const unkept = new Map();  // what the browser did not take: it is there for as long as the page is

const storage = () => (isBeside ? sessionStorage : localStorage);

export function recall(name) {
  if (unkept.has(name)) return JSON.parse(unkept.get(name));
  try {
    return JSON.parse(storage().getItem("backstep." + name));
  } catch {
    return null;
  }
}

// -> whether the browser keeps it
export function remember(name, value) {
  const text = JSON.stringify(value);
  try {
    storage().setItem("backstep." + name, text);
    unkept.delete(name);
    return true;
  } catch {
    unkept.set(name, text);
    return false;
  }
}
