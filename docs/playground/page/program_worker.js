// A program, in a worker of its own, which ends with it: to stop it is to end the worker.
//
//   in    { module, words, environment, files }     module: bytes, or a WebAssembly.Module; the others: as in system.js
//   out   { type: "began" }
//         { type: "output", stream, text, isCut }   stream: "stdout" or "stderr"; isCut: what follows in it is not sent
//         { type: "ended", code, trap, files }      as in system.js; files: those written

import { Printed } from "./printed.js";
import { System } from "./system.js";

const mostOutput = 400_000;  // characters of each stream

async function ended({ module, words, environment, files }) {
  const printed = { stdout: new Printed(mostOutput), stderr: new Printed(mostOutput) };
  const print = (stream, piece) => {
    const wasCut = printed[stream].isCut;
    const text = printed[stream].add(piece);
    const isCut = printed[stream].isCut && !wasCut;
    if (text || isCut) postMessage({ type: "output", stream, text, isCut });
  };
  const system = new System({ words, environment, files, print });
  const compiled = module instanceof WebAssembly.Module ? module : await WebAssembly.compile(module);
  postMessage({ type: "began" });
  return { ...system.run(compiled), files: system.written() };
}

// What fails here is told, too: nobody hears of it otherwise, and the page would wait.
onmessage = async ({ data }) => {
  try {
    postMessage({ type: "ended", ...await ended(data) });
  } catch (error) {
    postMessage({ type: "ended", code: null, trap: `the page could not run it: ${error.message ?? error}`, files: {} });
  }
};
