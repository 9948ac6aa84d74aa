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

// The program without what stands in comments and in quotes, in the same places.
function code(text) {
  const parts = /\/\/.*|\/\*[^]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g;
  return text.replaceAll(parts, (part) => part.replaceAll(/[^\n]/g, " "));
}

// Where a name stands last, which is where it is used: what declares it comes before. line: null where it does not
function useOf(name, program) {
  const found = [...program.matchAll(new RegExp(`(?<![\\w~])${name.replaceAll(/\W/g, "\\$&")}(?!\\w)`, "g"))].at(-1);
  if (!found) return { line: null, column: 1 };
  const lines = program.slice(0, found.index).split("\n");
  return { line: lines.length, column: lines.at(-1).length + 1 };
}

// What the linker says, which knows no lines: "main.o: undefined symbol: autograd::f(int)". The name is looked for in the program.
export function undefinedIn(text, program) {
  const symbols = [...new Set([...text.matchAll(/undefined symbol: (.*)/g)].map(([, symbol]) => symbol))];
  if (symbols.length === 0) return [{ line: null, column: 1, severity: "error", text: text.trim() }];
  const used = code(program);
  return symbols.map((symbol) => {
    if (symbol === "main") return { line: null, column: 1, severity: "error", text: "nothing defines main(), where a program begins" };
    const [name] = /~?\w+$/.exec(symbol.replace(/\(.*$/, "").replace(/<.*$/, "")) ?? [symbol];
    return { ...useOf(name, used), severity: "error", text: `nothing defines ${symbol}` };
  });
}
