// Keeps the pages of the site, as far as their reader has been to them, for when there is no network. It is there once a
// snippet has been run (panel.js). The playground keeps its own files.

const kept = "book " + registration.scope;
const playground = new URL("playground/", registration.scope).href;

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

// The network comes first: a page may have been changed.
async function answer(event) {
  try {
    const response = await fetch(event.request);
    const copy = response.clone();
    if (response.ok) event.waitUntil(caches.open(kept).then((cache) => cache.put(event.request, copy)).catch(() => {}));  // no room
    return response;
  } catch {
    const cache = await caches.open(kept);
    return await cache.match(event.request, { ignoreSearch: true }) ?? Response.error();
  }
}

const isOurs = (address) => address.startsWith(registration.scope) && !address.startsWith(playground);

addEventListener("fetch", (event) => {
  if (event.request.method === "GET" && isOurs(event.request.url)) event.respondWith(answer(event));
});

// The addresses that the page had loaded before.
addEventListener("message", (event) => event.waitUntil(caches.open(kept).then((cache) => {
  const addresses = event.data.map((address) => address.split("#")[0]).filter(isOurs);
  return Promise.all(addresses.map((address) => cache.add(address).catch(() => {})));
})));
