// Alt with an arrow makes the number at the cursor larger or smaller, by one in its last digit.

const number = /(?<![\w.])-?\d+(?:\.\d*)?/g;

export function numberAt(text, at) {
  for (const found of text.matchAll(number)) {
    if (found.index <= at && at <= found.index + found[0].length) return { from: found.index, text: found[0] };
  }
  return null;
}

export function changed(text, direction) {
  const digits = (text.split(".")[1] ?? "").length;
  return (Number(text) + direction * 10 ** -digits).toFixed(digits) + (text.endsWith(".") ? "." : "");
}

export function numberKeys(run) {
  let waiting;
  const step = (direction) => (view) => {
    const { head } = view.state.selection.main;
    const line = view.state.doc.lineAt(head);
    const found = numberAt(line.text, head - line.from);
    if (!found) return false;
    const from = line.from + found.from;
    const insert = changed(found.text, direction);
    view.dispatch({ changes: { from, to: from + found.text.length, insert }, selection: { anchor: from + insert.length } });
    clearTimeout(waiting);
    waiting = setTimeout(run, 250);
    return true;
  };
  return [{ key: "Alt-ArrowUp", run: step(1) }, { key: "Alt-ArrowDown", run: step(-1) }];
}
