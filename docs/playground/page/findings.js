// What a program says when it fails, as one sentence, a line of the program, and the id of the error if it has one.

// Of an exception that nobody caught, BACKSTEP=check, and BACKSTEP=nan.
const forms = [
  { said: /^  what\(\):  (?:\[([\w-]+)\] )?(.*)$/m, at: /^  at: main\.cpp:(\d+)/m, sentence: (found) => found[2], id: (found) => found[1] },
  { said: /^FAIL (\S+) at main\.cpp:(\d+)/m, at: /^FAIL \S+ at main\.cpp:(\d+)/m, sentence: (found) => `the derivative of ${found[1]} is wrong` },
  { said: /^BACKSTEP=nan: (.* made by \S+)/m, at: /^BACKSTEP=nan: .* at main\.cpp:(\d+)/m, sentence: (found) => found[1] },
];

// -> { sentence, line, id } or null
export function findingIn(text) {
  for (const { said, at, sentence, id = () => null } of forms) {
    const found = said.exec(text);
    if (found) return { sentence: sentence(found), line: Number(at.exec(text)?.[1]) || null, id: id(found) ?? null };
  }
  return null;
}

// What it says about the replay is shown beside, not printed: { printed, aboutReplay }.
export function withoutReplay(text) {
  let aboutReplay = "";
  const printed = text.replaceAll(/^backstep: (.*replay\.html.*)\n/gm, (_, said) => {
    aboutReplay = said;
    return "";
  });
  return { printed, aboutReplay };
}
