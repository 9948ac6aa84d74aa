// Files of the page's own folder, compressed, with what has arrived of them so far. What fails is tried again.

const tries = 4;

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

// A file server that compresses by itself may already have undone it: the first two bytes tell.
async function uncompressed(bytes) {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes.buffer;
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

async function received(path, onBytes) {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${response.statusText}`);
  const parts = [];
  for (const reader = response.body.getReader();;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    onBytes(value.length);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

// `onBytes` is told each piece's size, a negative one where a file begins anew; `onRetry` what failed.
export async function load(path, { onBytes = () => {}, onRetry = () => {} } = {}) {
  for (let attempt = 1;; ++attempt) {
    let arrived = 0;
    try {
      return await uncompressed(await received(path, (size) => { arrived += size; onBytes(size); }));
    } catch (error) {
      onBytes(-arrived);
      if (attempt === tries) throw error;
      onRetry(error.message);
      await pause(500 * 2 ** attempt);
    }
  }
}

export const loadModule = async (path, told) => WebAssembly.compile(await load(path, told));
export const loadJson = async (path, told) => JSON.parse(new TextDecoder().decode(await load(path, told)));

// Loads once; where it fails, the next call tries again.
export function once(loads) {
  let loading = null;
  return (...told) => (loading ??= loads(...told).catch((error) => {
    loading = null;
    throw error;
  }));
}
