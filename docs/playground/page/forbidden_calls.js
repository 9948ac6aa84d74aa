// What an answer calls, of the ops that it is to do without: by the linker's names, "_ZN8autograd6linearE..", as
// forbidden_calls() of exercises/runner/check/answer_object.cpp does it.

const ofAutograd = /^_ZNK?8autograd(6Tensor)?(\d+)(\w+)/;

export function forbiddenCalls(names, forbidden) {
  const called = names.flatMap((symbol) => {
    const [, isMethod, length, rest] = ofAutograd.exec(symbol) ?? [];
    if (!rest) return [];
    const name = rest.slice(0, Number(length));
    return [name === "grad" && !isMethod ? "backward" : name];  // Tensor::grad() only reads
  });
  return [...new Set(called)].filter((name) => forbidden.includes(name));
}
