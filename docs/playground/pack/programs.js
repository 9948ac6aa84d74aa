// The programs that the page begins with. Each is compiled and tested elsewhere in the project as well: examples, and
// the README's.

import { readFileSync } from "node:fs";
import { join } from "node:path";

// `watch`: what the page looks for while the program runs, as in BACKSTEP=check and BACKSTEP=nan.
const programs = [
  { name: "first", from: "README.md", place: 1, title: "A first gradient", watch: "",
    about: "One number in, one number out, and the derivative of one by the other." },
  { name: "chain", from: "examples/01_scalar_chain.cpp", title: "The chain rule, by hand and by backward()", watch: "",
    about: "Five ops in a row. Each gradient stands beside the same number by hand." },
  { name: "worked_example", from: "examples/04_worked_example.cpp", title: "Attention on paper: every number", watch: "",
    about: "Three encoder states, one decoder state, small enough to follow with a pencil." },
  { name: "attention", from: "README.md", place: 2, title: "Bahdanau attention", watch: "",
    about: "Two sentences in a batch, one of them shorter. Select masked_softmax to see the weights as a heatmap." },
  { name: "gru", from: "examples/10_gru_through_time.cpp", title: "A GRU, back through time", watch: "",
    about: "One cell, used once for each word. How much does the first word still matter at the end?" },
  { name: "wrong_derivative", from: "examples/09_wrong_derivative.cpp", title: "A wrong derivative, found", watch: "check",
    about: "It trains, but worse than it should, and nothing says so. The check of derivatives names op, line and cause." },
  { name: "nan", from: "examples/11_loss_of_nan.cpp", title: "A NaN, and where it comes from", watch: "nan",
    about: "The loss falls, and then it is NaN. Which op made the first number that is none?" },
];

// How to start it in a terminal means nothing here.
function withoutCommands(text) {
  return text.replaceAll(/^\/\/   (BACKSTEP=|build\/|gdb ).*\n/gm, "").replaceAll(/:\n(\/\/\n)+/g, ".\n//\n").replaceAll(/(\/\/\n){2,}/g, "//\n")
    .replace(/^((?:\/\/.*\n)*?)\/\/\n(?!\/\/)/, "$1\n");
}

// The README's programs are its blocks that begin with an #include.
function textOf(project, { from, place }) {
  const text = readFileSync(join(project, from), "utf8");
  if (!place) return withoutCommands(text);
  const blocks = [...text.matchAll(/^```cpp\n(#include [^]*?)^```/gm)];
  if (!blocks[place - 1]) throw new Error(`${from} has no program number ${place}`);
  return blocks[place - 1][1];
}

export function programsOf(project) {
  return programs.map((program) => ({ ...program, text: textOf(project, program) }));
}
