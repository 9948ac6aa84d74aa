// Once loaded, the page works without a network. `version` and `files` are written above by the build.

const kept = "backstep-" + version;

// What the pages begin with is fetched at once; the compiler, programs and exercises, when they are wanted.
const first = files.filter((path) => !path.includes("/") && path !== "offline.js");

addEventListener("install", (event) => {
  event.waitUntil(caches.open(kept).then((cache) => cache.addAll(["./", ...first])).then(() => skipWaiting()));
});

addEventListener("activate", (event) => {
  const isOld = (name) => name.startsWith("backstep-") && name !== kept && name !== "backstep-precompiled";
  event.waitUntil(caches.keys().then((names) => Promise.all(names.filter(isOld).map((name) => caches.delete(name)))).then(() => clients.claim()));
});

async function answer(request) {
  const cache = await caches.open(kept);
  const found = await cache.match(request, { ignoreSearch: true });
  if (found) return found;
  const response = await fetch(request);
  if (response.ok) cache.put(request, response.clone()).catch(() => {});  // no room: it is fetched again
  return response;
}

const here = new URL("./", location.href).pathname;
const ours = new Set(["", ...files]);

addEventListener("fetch", (event) => {
  const { origin, pathname } = new URL(event.request.url);
  if (event.request.method !== "GET" || origin !== location.origin || !ours.has(pathname.slice(here.length))) return;
  event.respondWith(answer(event.request));
});

// What a page asks to be kept: files whose paths begin like this.
addEventListener("message", (event) => {
  const wanted = files.filter((path) => event.data.keep?.some((beginning) => path.startsWith(beginning)));
  event.waitUntil(caches.open(kept).then(async (cache) => {
    for (const path of wanted) if (!await cache.match(path)) await cache.add(path).catch(() => {});  // no network, or no room: when it is asked for
  }));
});
