// Many files in one: the length of a list of [path, size] in four bytes, the list as JSON, then the files.

export function packed(files) {
  const list = new TextEncoder().encode(JSON.stringify(files.map(([path, bytes]) => [path, bytes.length])));
  const parts = [new Uint8Array(new Uint32Array([list.length]).buffer), list, ...files.map(([, bytes]) => bytes)];
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

// -> { include: { autograd: { "autograd.h": bytes, .. } } }
export function unpacked(buffer) {
  const start = 4 + new DataView(buffer).getUint32(0, true);
  const list = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, start - 4)));
  const tree = {};
  let at = start;
  for (const [path, size] of list) {
    const folders = path.split("/");
    const name = folders.pop();
    const folder = folders.reduce((inside, one) => (inside[one] ??= {}), tree);
    folder[name] = new Uint8Array(buffer, at, size);
    at += size;
  }
  return tree;
}
