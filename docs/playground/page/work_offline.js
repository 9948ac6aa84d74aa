// The page's side of its service worker (offline.js).

// So that what is loaded from now on is kept; the page works without.
export async function workOffline() {
  if (!navigator.serviceWorker) return;
  await navigator.serviceWorker.register("offline.js");
  if (navigator.serviceWorker.controller) return;
  await Promise.race([new Promise((done) => { navigator.serviceWorker.oncontrollerchange = done; }), new Promise((done) => setTimeout(done, 1500))]);
}

// All files whose paths begin like this, also those that nobody has asked for yet.
export function keepOffline(...beginnings) {
  navigator.serviceWorker?.controller?.postMessage({ keep: beginnings });
}
