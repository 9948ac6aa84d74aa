// Why the machine stopped a program, in its own words (V8's, SpiderMonkey's, JavaScriptCore's). A program's stack lies at the lower end
// of its memory and grows down: where it is full, the machine sees an address that is none. `exports`: the program's
export function trapOf(error, exports) {
  const text = String(error?.message ?? error);
  const left = exports?.__stack_pointer?.value ?? Infinity;
  const isFull = error instanceof RangeError || /stack|recursion/i.test(text) || (left < 1024 && /out of bounds/.test(text));
  return isFull ? "Maximum call stack size exceeded" : text;
}

const kinds = { stack: /stack/, memory: /out of bounds|table index|null function|signature/, gaveUp: /unreachable/, division: /(divide|remainder|division) by zero/i };

// -> one of these, or null
export const kindOfTrap = (text) => Object.keys(kinds).find((kind) => kinds[kind].test(text)) ?? null;
