// What Clang says, as places in the program: "main.cpp:6:10: error: use of undeclared identifier 'y'".

const said = /^(.+?):(\d+):(\d+): (fatal error|error|warning|note): (.*)$/;
const includedFrom = /^In file included from (.+?):(\d+):/;

// An error in a header belongs to the line of the program that asked for it: the note that follows, "in instantiation
// of .. requested here", or the #include before it.
export function diagnosticsOf(text, program) {
  const found = [];
  let waiting = null;  // an error elsewhere, for which no line of the program has been found
  let included = 1;
  for (const line of text.split("\n")) {
    const include = includedFrom.exec(line);
    if (include && include[1] === program) included = Number(include[2]);
    const [, file, row, column, kind, message] = said.exec(line) ?? [];
    if (!file) continue;
    const place = { line: Number(row), column: Number(column) };
    if (kind === "note") {
      if (waiting && file === program) Object.assign(waiting, place), waiting = null;
      continue;
    }
    const diagnostic = { ...place, severity: kind === "warning" ? "warning" : "error", text: message };
    waiting = null;
    if (file !== program) Object.assign(waiting = diagnostic, { line: included, column: 1 });
    found.push(diagnostic);
  }
  return found;
}
