// The page's side of its service worker (offline.js), which stands at the top of the book's site, where the page is a part of it.

// Where the book is, or "": its site writes it there.
export const book = document.querySelector("meta[name=book]").content;

// So that what is loaded from now on is kept. The page works without, and does not wait for it longer than this.
export async function workOffline() {
  if (!navigator.serviceWorker) return;
  const controls = navigator.serviceWorker.controller ?? new Promise((done) => { navigator.serviceWorker.oncontrollerchange = done; });
  const here = new URL("./", location.href).href;
  const top = new URL(book || "./", location.href).href;
  const isKept = navigator.serviceWorker.register(`${top}offline.js?${here.slice(top.length)}`).then(() => controls);
  await Promise.race([isKept, new Promise((done) => setTimeout(done, 1500))]);
}

// All files whose paths begin like this, also those that nobody has asked for yet.
export function keepOffline(...beginnings) {
  navigator.serviceWorker?.controller?.postMessage({ beginnings });
}
