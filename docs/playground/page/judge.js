// Judges an answer as `learn check` does: the judge of its exercise (exercises/judge/webassembly/judge_main.cpp) asks, the
// answer's program (answer.cpp, linked with the learner's file) replies. All of it is synchronous, and an answer may never
// end: so this runs in a worker, in a page as under node, and its starter ends it after the exercise's seconds.

import { Printed } from "./printed.js";
import { Exit, system } from "./system.js";
import { trapOf } from "./trap.js";

const trapped = 128 + 4;  // the exit code, as of a process that a signal has ended
const mostOutput = 10_000;  // characters: what the runner says of them takes long

class Answer {
  #module;
  #printed;
  #prepare;
  #exports = null;
  began = null;  // the exports of the instance that began last

  constructor(module, printed, prepare) {
    this.#module = module;
    this.#printed = printed;
    this.#prepare = prepare;
  }

  beginAnew() { this.#exports = null; }

  #begin() {
    let instance = null;
    const wasi_snapshot_preview1 = system({ memory: () => instance.exports.memory, print: (_, text) => this.#printed.add(text) });
    instance = new WebAssembly.Instance(this.#module, { wasi_snapshot_preview1 });
    this.began = instance.exports;
    instance.exports._initialize();
    this.#prepare(instance.exports);
    this.#exports = instance.exports;
  }

  // -> bytes, a view of the answer's memory that holds until it is asked again
  ask(question) {
    if (!this.#exports) this.#begin();
    const { memory, question_room, answer_question, reply } = this.#exports;
    const room = question_room(question.length) >>> 0;
    new Uint8Array(memory.buffer).set(question, room);
    const size = answer_question() >>> 0;
    return new Uint8Array(memory.buffer, reply() >>> 0, size);
  }
}

// `judge`, `answer`: WebAssembly.Module; `words`: what the judge is told besides (--seed N, --steps, --calls F);
// `prepare` is given the exports of each instance of the answer, before it is asked.
// -> { result, exitCode, printed, trap }: the verdict's JSON as text, "" where the answer came to no end; what it printed; and
// why the machine stopped it.
export function judge({ judge: module, answer: answerModule, words = [], prepare = () => {} }) {
  const printed = new Printed(mostOutput);
  const answer = new Answer(answerModule, printed, prepare);
  let result = "";
  let reply = null;
  let instance = null;
  const memory = () => instance.exports.memory;
  let trap = "";  // what the machine says where it stops a program, which the runner explains (runner/explain/crash.cpp)
  const endOf = (error, exports) => {
    if (error instanceof Exit) return error.code;
    trap = trapOf(error, exports);
    return trapped;
  };
  const page = {
    ask(question, size) {
      try {
        reply = answer.ask(new Uint8Array(memory().buffer, question, size));
        return reply.length;
      } catch (error) {
        return -1 - endOf(error, answer.began);
      }
    },
    take_reply(room) { new Uint8Array(memory().buffer).set(reply, room); },
    begin_anew() { answer.beginAnew(); },
  };
  const print = (stream, text) => (stream === 1 ? (result += text) : printed.add(text));
  instance = new WebAssembly.Instance(module, {
    wasi_snapshot_preview1: system({ memory, print, words: ["judge", ...words] }), answer: page,
  });
  try {
    instance.exports._start();
    return { result, exitCode: 0, printed: printed.whole, trap };
  } catch (error) {
    return { result: "", exitCode: endOf(error), printed: printed.whole, trap };
  }
}
