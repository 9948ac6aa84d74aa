// A file server as plain as they come: it compresses nothing, and sets no headers but the type.

import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".json": "application/json", ".svg": "image/svg+xml" };

// `refuseOnce`: a path that is not there at the first time.
// -> { address, sent, close }: `sent` gives how many bytes have been asked for, before a path that matches, or in all.
export async function serve(folder, { refuseOnce = "" } = {}) {
  const sent = [];
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url, "http://localhost").pathname).replace(/\/$/, "/index.html");
    const file = join(folder, path);
    if (path === refuseOnce) {
      refuseOnce = "";
      return response.writeHead(503).end();
    }
    if (!existsSync(file) || !statSync(file).isFile()) return response.writeHead(404).end();
    sent.push({ path, size: statSync(file).size });
    response.writeHead(200, { "content-type": types[extname(file)] ?? "application/octet-stream" });
    createReadStream(file).pipe(response);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return {
    address: `http://127.0.0.1:${server.address().port}/`,
    sent(before = /^$/) {
      const end = sent.findIndex(({ path }) => before.test(path));
      return sent.slice(0, end < 0 ? undefined : end).reduce((sum, { size }) => sum + size, 0);
    },
    close: () => new Promise((done) => { server.close(done); server.closeAllConnections(); }),
  };
}
