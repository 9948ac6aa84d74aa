// One judgement, in a worker of its own; its starter ends it when the exercise's seconds are over.
//
//   in    { judge, answer, words }          WebAssembly.Module, WebAssembly.Module, [text]: as in judge.js
//   out   { type: "began" }
//         { type: "ended", result, exit_code, printed, trap }

import { judge } from "./judge.js";

onmessage = ({ data }) => {
  postMessage({ type: "began" });
  postMessage({ type: "ended", ...judge(data) });
};
