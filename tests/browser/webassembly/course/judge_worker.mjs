// judge() in a worker of node's, of the ending with this number (endings.cpp).
import { parentPort, workerData } from "node:worker_threads";

const { page, number, ...judgement } = workerData;
const { judge } = await import(page);
parentPort.postMessage(judge({ ...judgement, prepare: (exports) => exports.choose(number) }));
