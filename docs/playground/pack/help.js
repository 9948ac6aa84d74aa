// What the editor completes and explains: the declarations of the public headers, with the comments that stand there.

import { readFileSync } from "node:fs";
import { join } from "node:path";

const functions = ["ops/ops.h", "composites/composites.h", "composites/functional.h", "tensor/factories.h", "tensor/random.h", "tape/backward.h"];
const modules = ["layers/linear", "layers/gru", "layers/lstm", "layers/rnn", "layers/embedding", "layers/layer_norm", "layers/dropout",
  "optim/sgd", "optim/adam", "optim/clip_grad", "attention/additive_attention", "attention/multi_head_attention"];

const declaration = /^(?:static |inline |explicit )?[\w:<>&*, ]*?([A-Za-z_]\w*)\((.*)\)(?: const)?;$/;

// The line of the user is an argument that nobody writes.
const withoutWhere = (text) => text.replace(/,? ?Where where = Where::current\(\)/, "").replace(/\s+/g, " ");

// [{ name, signature, help }, ..]: a comment belongs to the declarations below it, up to an empty line; what stands
// behind a declaration to this one.
function declarations(text) {
  const found = [];
  let comment = [];
  let begun = "";
  let inComment = false;
  for (const line of text.split("\n")) {
    const whole = /^\s*\/\/ ?(.*)$/.exec(line);
    if (!begun && whole) {
      if (!inComment) comment = [];
      inComment = true;
      if (!/^-{3,}/.test(whole[1])) comment.push(whole[1]);
      continue;
    }
    inComment = false;
    if (line.trim() === "") comment = [];
    const [code, ...behind] = line.split(" // ");
    begun = (begun + " " + code.trim()).trim();
    if (!/[;{}]$/.test(begun)) continue;
    const match = declaration.exec(withoutWhere(begun));
    const own = behind.join(" // ").trim();
    if (match && match[1] !== "operator" && !begun.includes("operator")) {
      found.push({ name: match[1], signature: withoutWhere(begun).slice(0, -1), help: own || comment.join("\n").trim() });
    }
    begun = "";
  }
  return found;
}

// Overloads are one entry.
function joined(entries) {
  const byName = new Map();
  for (const { name, signature, help } of entries) {
    const entry = byName.get(name) ?? { name, signatures: [], help: "" };
    entry.signatures.push(signature);
    if (help && !entry.help.includes(help)) entry.help = (entry.help + "\n" + help).trim();
    byName.set(name, entry);
  }
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function classText(text, name) {
  const begin = text.indexOf(`class ${name} {`);
  return text.slice(begin, text.indexOf("\n};", begin)).replace(/\n private:[^]*/, "");
}

// A module's first sentences are the comment at the top of its header; its options are a struct.
function moduleHelp(text) {
  const top = /^(?:\/\/.*\n)+/.exec(text)[0].replaceAll(/^\/\/ ?/gm, "").trim();
  return [...text.matchAll(/^class (\w+) : public/gm)].map(([, name]) => {
    const options = new RegExp(`struct (${name}Options|RecurrentOptions) \\{\\n([^]*?)\\n\\};`).exec(text);
    const signature = `nn::${name}` + (options ? "({" + [...options[2].matchAll(/^ +[\w:]+ (\w+) ?=/gm)].map(([, one]) => `.${one} = ..`).join(", ") + "})" : "");
    return { name, signature, help: top };
  });
}

// id -> what the page on errors says first about it, without its links.
function errors(text) {
  const sections = text.split(/^## /m).slice(1);
  return Object.fromEntries(sections.map((section) => {
    const [id, ...rest] = section.split("\n");
    const paragraphs = rest.join("\n").replaceAll(/^```[^]*?^```$/gm, "").split(/\n\n+/).map((one) => one.trim());
    const wanted = paragraphs.filter((one, i) => /^\*\*(What it means|What to do|Fix)/.test(one) || i === 0).filter(Boolean);
    const plain = wanted.join("\n").replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll(/\*\*/g, "").replaceAll(/(?<!\n)\n(?!\n|What)/g, " ");
    return [id.trim(), plain];
  }));
}

export function helpOf(project) {
  const read = (path) => readFileSync(join(project, path), "utf8");
  const ops = joined(functions.flatMap((path) => declarations(read("autograd/" + path))));
  const explained = new Map(ops.map(({ name, help }) => [name, help]));
  const methods = joined(declarations(classText(read("autograd/tensor/tensor.h"), "Tensor")))
    .map((method) => ({ ...method, help: method.help || explained.get(method.name) || "" }));
  const classes = joined(modules.flatMap((name) => moduleHelp(read(`nn/${name}.h`))));
  return { functions: ops, methods, modules: classes, errors: errors(read("docs/errors.md")) };
}
