// The page's side of a program that runs (program_worker.js).

// -> { ended, stop }: `ended` gives { code, trap, files, milliseconds }, and where it was stopped, { stopped: why }.
export function runProgram({ module, files = {}, environment = {}, arguments: words = [], seconds = 60, onOutput }) {
  const worker = new Worker("program_worker.js", { type: "module" });
  let finish;
  const ended = new Promise((done) => { finish = done; });
  let began = performance.now();
  let limit;

  function end(result) {
    clearTimeout(limit);
    worker.onmessage = null;  // what is on its way belongs to nobody
    worker.terminate();
    finish({ code: null, trap: null, files: {}, milliseconds: performance.now() - began, ...result });
  }

  worker.onmessage = ({ data }) => {
    if (data.type === "output") return onOutput(data);
    if (data.type === "ended") return end(data);
    began = performance.now();
    limit = setTimeout(() => end({ stopped: `after ${seconds} seconds: does it ever end?` }), 1000 * seconds);
  };
  worker.onerror = (event) => end({ trap: event.message || "the program could not be started" });
  worker.postMessage({ module, files, environment, arguments: words });
  return { ended, stop: () => end({ stopped: "by you" }) };
}
