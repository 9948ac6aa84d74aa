// A program in the address: compressed, behind the #.

async function through(stream, bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

// base64, with the letters that an address may have
const toLetters = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
const fromLetters = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));

// program: { text, watch }
export async function addressOf(program) {
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(JSON.stringify(program)));
  return new URL("#program=" + toLetters(bytes), location.href).href;
}

// null where the address has none; throws where it is damaged.
export async function programIn(hash) {
  const letters = new URLSearchParams(hash.slice(1)).get("program");
  if (!letters) return null;
  try {
    const { text, watch } = JSON.parse(new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), fromLetters(letters))));
    return { text: String(text), watch: String(watch) };
  } catch {
    throw new Error("the program in this address is damaged: was the address copied as a whole?");
  }
}
