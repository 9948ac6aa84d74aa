// One cell at a time: which elements of an op's inputs an element of its output came from, and with which derivative. The
// trace has them (`slopes`): what the op's own backward makes of a 1 at each element of its output. Pure functions without
// the browser. Positions are row-major.

function indexOf(position, shape) {
  const index = new Array(shape.length);
  for (let d = shape.length - 1; d >= 0; --d) {
    index[d] = position % shape[d];
    position = Math.floor(position / shape[d]);
  }
  return index;
}

// The derivatives that are not 0 of one input: { readBy(i): those of output element i, readersOf(j): those with respect to
// input element j }, each a list of { i, j, slope }; null if the trace does not have them.
function slopesOf(model, node, k) {
  const tensor = tensorOf(model, node.inputs[k].slopes);
  if (!tensor) return null;
  model.slopes = model.slopes || new Map();
  if (!model.slopes.has(tensor)) {
    const byOutput = new Map();
    const byInput = new Map();
    for (let at = 0; at < tensor.data.length; at += 3) {
      const [i, j, slope] = tensor.data.slice(at, at + 3);
      append(byOutput, i, { i, j, slope });
      append(byInput, j, { i, j, slope });
    }
    model.slopes.set(tensor, { readBy: (i) => byOutput.get(i) || [], readersOf: (j) => byInput.get(j) || [] });
  }
  return model.slopes.get(tensor);
}

// The value of an input, wherever it was made.
function inputValue(model, input) {
  const node = model.nodes.get(input.node);
  return tensorOf(model, node ? node.value : input.value);
}

// The contribution of an op to element j of the gradient of its input k: { terms: [{ i, j, slope, dy }], value, size }, the
// sum of dy * slope and that of its magnitudes; null if the trace does not have all of it.
function backwardTerms(model, node, k, j) {
  const slopes = slopesOf(model, node, k);
  const dy = tensorOf(model, node.gradient);
  if (!slopes || !dy || !dy.complete) return null;
  const terms = slopes.readersOf(j).map((term) => ({ ...term, dy: dy.data[term.i] }));
  const sum = (valueOf) => terms.reduce((before, term) => before + valueOf(term.dy * term.slope), 0);
  return { terms, dy, value: sum((value) => value), size: sum(Math.abs) };
}

// Is it what backward gave, up to the rounding of the dtype?
function agrees(terms, given, dtype) {
  if (!Number.isFinite(terms.value) || !Number.isFinite(given)) return true;
  return Math.abs(terms.value - given) <= (dtype === "float32" ? 1e-4 : 1e-9) * (terms.size + Math.abs(given)) + 1e-300;
}
