// judge() in a worker of node's, of the ending with this number (endings.cpp).
import { parentPort, workerData } from "node:worker_threads";
import { judge } from "../../../../docs/playground/page/judge.js";

const { number, ...judgement } = workerData;
parentPort.postMessage(judge({ ...judgement, prepare: (exports) => exports.choose(number) }));
