// Once loaded, the playground works without a network; so do the pages of the book that were visited before, where it is part
// of the book's site. `version` and `files`, the playground's, are written above by the build.

const below = location.search.slice(1);  // the folder of the playground, below that of this script
const kept = "backstep-" + version;
const ofBook = "book " + registration.scope;

const addressOf = (path) => registration.scope + below + path;
const playground = new Set(["", ...files].map(addressOf));

// What the pages begin with is fetched at once; the compiler, programs and exercises, when they are wanted.
const first = ["", ...files.filter((path) => !path.includes("/"))].map(addressOf);

addEventListener("install", (event) => {
  event.waitUntil(caches.open(kept).then((cache) => cache.addAll(first)).then(() => skipWaiting()));
});

addEventListener("activate", (event) => {
  const isOld = (name) => name.startsWith("backstep-") && name !== kept && name !== "backstep-precompiled";
  event.waitUntil(caches.keys().then((names) => Promise.all(names.filter(isOld).map((name) => caches.delete(name)))).then(() => clients.claim()));
});

async function fetched(event, name) {
  const response = await fetch(event.request);
  const copy = response.clone();
  if (response.ok) event.waitUntil(caches.open(name).then((cache) => cache.put(event.request, copy)).catch(() => {}));  // no room
  return response;
}

const found = async (request, name) => (await caches.open(name)).match(request, { ignoreSearch: true });

// What is the playground's never changes as long as its version does not. Of the book, the network comes first.
addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(registration.scope)) return;
  if (playground.has(request.url.replace(/[?#].*/, ""))) event.respondWith(found(request, kept).then((there) => there ?? fetched(event, kept)));
  else if (below) event.respondWith(fetched(event, ofBook).catch(async () => await found(request, ofBook) ?? Response.error()));
});

// What a page asks to be kept: of the playground, files whose paths begin like this; of the book, the addresses that it has loaded.
addEventListener("message", (event) => {
  const { beginnings = [], addresses = [] } = event.data;
  const wanted = files.filter((path) => beginnings.some((beginning) => path.startsWith(beginning))).map(addressOf);
  const keep = async (name, all) => {
    const cache = await caches.open(name);
    for (const one of all) if (!await cache.match(one)) await cache.add(one).catch(() => {});  // no network, or no room: when it is asked for
  };
  const isOfBook = (address) => address.startsWith(registration.scope) && !playground.has(address);
  event.waitUntil(Promise.all([keep(kept, wanted), keep(ofBook, addresses.filter(isOfBook))]));
});
