// The compiler, and what the foot of the page says of it while it is loaded. What is asked before waits until it is there.

import { Compiler } from "./compiler.js";
import { elements, hide } from "./elements.js";
import { notice, retries } from "./notice.js";
import { seconds } from "./seconds.js";

const megabytes = (bytes) => (bytes / 1e6).toFixed(1);

// `withoutIt`: what the page does without, as a sentence.
export function makeCompiler({ onReady, withoutIt }) {
  const { compilerState: state, compilerProgress: bar, retry } = elements;
  const show = (text, hasBar) => {
    state.textContent = text;
    bar.hidden = !hasBar;
  };
  const compiler = new Compiler({
    progress({ loaded, total }) {
      bar.value = loaded / total;
      show(loaded < total ? `Loading the compiler: ${megabytes(loaded)} of ${megabytes(total)} MB` : "Starting the compiler ..", true);
    },
    retry: ({ text }) => retries.onRetry(text),
    state: ({ text }) => show(`Starting the compiler: ${text} ..`, true),
    ready({ milliseconds }) {
      retries.ended();
      show(`The compiler is ready, after ${seconds(milliseconds)}`, false);
      document.body.dataset.compiler = "ready";
      onReady();
    },
    failed({ text }) {
      show("The compiler did not load. " + withoutIt, false);
      notice(`The compiler did not load: ${text}`, { isBad: true });
      retry.hidden = false;
    },
  });
  retry.onclick = () => {
    hide(retry, elements.theme);
    notice("");
    compiler.load();
  };
  return compiler;
}
