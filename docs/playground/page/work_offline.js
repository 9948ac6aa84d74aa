// The page's side of its service worker (offline.js).

// So that what is loaded from now on is kept. The page works without, and does not wait for it longer than this.
export async function workOffline() {
  if (!navigator.serviceWorker) return;
  const controls = navigator.serviceWorker.controller ?? new Promise((done) => { navigator.serviceWorker.oncontrollerchange = done; });
  const isKept = navigator.serviceWorker.register("offline.js").then(() => controls);
  await Promise.race([isKept, new Promise((done) => setTimeout(done, 1500))]);
}

// All files whose paths begin like this, also those that nobody has asked for yet.
export function keepOffline(...beginnings) {
  navigator.serviceWorker?.controller?.postMessage({ keep: beginnings });
}
