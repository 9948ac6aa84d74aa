// Judges an answer as `learn check` does: the judge of its exercise (exercises/judge/webassembly/judge_main.cpp) asks, the
// answer's program (answer.cpp, linked with the learner's file) replies. All of it is synchronous, and an answer may never
// end: so this runs in a worker, in a page as under node, and its starter ends it after the exercise's seconds.

import { Printed } from "./printed.js";
import { System } from "./system.js";

const trapped = 128 + 4;  // the exit code, as of a process that a signal has ended
const mostOutput = 10_000;  // characters: what the runner says of them takes long

// `judge`, `answer`: WebAssembly.Module; `words`: what the judge is told besides (--seed N, --steps, --calls F);
// `prepare` is given the exports of each instance of the answer, before it is asked.
// -> { result, exit_code, printed, trap }: the verdict's JSON as text, "" where the answer came to no end; what it printed; and what
// the machine said where it stopped it, which the runner explains (runner/explain/crash.cpp).
export function judge({ judge: module, answer, words = [], prepare = () => {} }) {
  const printed = new Printed(mostOutput);
  let result = "";
  let reply = null;
  let trap = "";
  let running = null;  // the answer's system
  let isReady = false;
  const own = new System({ words, print: (stream, text) => (stream === "stdout" ? (result += text) : printed.add(text)) });
  const bytes = (exports, at, size) => new Uint8Array(exports.memory.buffer, at >>> 0, size);

  // -> bytes, a view of the answer's memory that holds until it is asked again
  function ask(question) {
    if (!isReady) {
      running = new System({ print: (_, text) => printed.add(text) });
      running.begin(answer);
      prepare(running.exports);
      isReady = true;
    }
    const { exports } = running;
    bytes(exports, exports.question_room(question.length), question.length).set(question);
    const size = exports.answer_question() >>> 0;
    return bytes(exports, exports.reply(), size);
  }
  const codeOf = ({ code, trap: said }) => {
    trap = said ?? trap;
    return code ?? trapped;
  };
  const page = {
    ask(question, size) {
      try {
        reply = ask(bytes(own.exports, question, size));
        return reply.length;
      } catch (error) {
        return -1 - codeOf(running.endOf(error));
      }
    },
    take_reply(room) { bytes(own.exports, room, reply.length).set(reply); },
    begin_anew() { isReady = false; },
  };
  const exit_code = codeOf(own.run(module, { answer: page }));
  return { result: exit_code === 0 ? result : "", exit_code, printed: printed.whole, trap };
}
