// What runs in a worker of its own: a program (program_worker.js), a judge (judge_worker.js). It can be stopped, and has its time.

// -> { ended, stop }: `ended` gives what the worker says at the end, and milliseconds; where it was stopped, `stopped` says why, and
// where it could not be started, `trap`.
export function inWorker(file, message, { seconds = 60, onOutput = () => {} } = {}) {
  const worker = new Worker(file, { type: "module" });
  let finish;
  const ended = new Promise((done) => { finish = done; });
  let began = performance.now();
  let limit;

  function end(result) {
    clearTimeout(limit);
    worker.onmessage = null;  // what is on its way belongs to nobody
    worker.terminate();
    finish({ files: {}, milliseconds: performance.now() - began, ...result });
  }

  worker.onmessage = ({ data }) => {
    if (data.type === "output") return onOutput(data);
    if (data.type === "ended") return end(data);
    began = performance.now();
    limit = setTimeout(() => end({ stopped: `after ${seconds} seconds: does it ever end?` }), 1000 * seconds);
  };
  worker.onerror = (event) => end({ trap: event.message || "it could not be started" });
  worker.postMessage(message);
  return { ended, stop: () => end({ stopped: "by you" }) };
}

// `ended` gives { code, trap, files } besides.
export const runProgram = ({ module, words = [], environment = {}, files = {}, onOutput }) =>
  inWorker("program_worker.js", { module, words, environment, files }, { onOutput });

// What a program reports of its run, apart from what it prints (autograd/debug/trace/FORMAT.md).
export const reportFile = "report.json";

// `files`: those that it wrote. -> { passes, found }
export function reportOf(files) {
  const bytes = files[reportFile];
  return bytes ? JSON.parse(new TextDecoder().decode(bytes)) : { passes: 0 };
}
