// Files as a .tar, and back.

const block = 512;
const field = (text, length) => new TextEncoder().encode(text.padEnd(length, "\0")).slice(0, length);
const octal = (number, length) => field(number.toString(8).padStart(length - 1, "0"), length);

function joined(parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function header(path, size, seconds) {
  if (path.length > 100) throw new Error(`${path} is too long a name for a .tar`);
  const bytes = joined([field(path, 100), octal(0o644, 8), octal(0, 8), octal(0, 8), octal(size, 12), octal(seconds, 12), field("        ", 8),
    field("0", 1), field("", 100), field("ustar\0" + "00", 255)]);
  bytes.set(octal(bytes.reduce((sum, byte) => sum + byte, 0), 7), 148);  // counted with blanks in its own place
  return bytes;
}

// files: [{ path, bytes, modified }], in milliseconds
export function tarOf(files) {
  const parts = files.flatMap(({ path, bytes, modified = 0 }) =>
    [header(path, bytes.length, Math.floor(modified / 1000)), bytes, new Uint8Array((block - bytes.length % block) % block)]);
  return joined([...parts, new Uint8Array(2 * block)]);
}

export function filesOfTar(bytes) {
  const decoder = new TextDecoder();
  const text = (begin, length) => decoder.decode(bytes.subarray(begin, begin + length)).replace(/\0[^]*$/, "");
  const number = (begin, length) => parseInt(text(begin, length).trim(), 8);
  const files = [];
  for (let at = 0; at + block <= bytes.length && bytes[at] !== 0;) {
    const size = number(at + 124, 12);
    if (!(size >= 0) || at + block + Math.ceil(size / block) * block > bytes.length) throw new Error("this is no .tar, or a part of one");
    const isFile = "0\0".includes(String.fromCharCode(bytes[at + 156]));
    if (isFile) files.push({ path: text(at, 100), bytes: bytes.subarray(at + block, at + block + size), modified: 1000 * number(at + 136, 12) });
    at += block + Math.ceil(size / block) * block;
  }
  return files;
}

// -> { include: { autograd: { "autograd.h": bytes, .. } } }
export function treeOf(tar) {
  const tree = {};
  for (const { path, bytes } of filesOfTar(tar)) {
    const folders = path.split("/");
    const name = folders.pop();
    folders.reduce((inside, one) => (inside[one] ??= {}), tree)[name] = bytes;
  }
  return tree;
}
