// Gives each program of a page of the book the buttons "Run" and "Edit". What they open (panel.js) is loaded when one is
// pressed. From a folder, a browser runs no module and no worker; this script is one, so that it does not begin there.

import { make } from "../page/elements.js";

const button = (label, number, side) => make("button",
  { type: "button", ariaLabel: `${label} snippet ${number}`, onclick: ({ currentTarget }) => open(number, side, currentTarget) }, label);

async function open(number, side, from) {
  try {
    const panel = await import("./panel.js");
    await panel.open(number, side, from);
  } catch (error) {
    from.parentElement.querySelector("span")?.remove();
    from.parentElement.prepend(make("span", { role: "alert" },
      `The playground could not be loaded (${error.message}). Is there a network? Then load this page again.`));
  }
}

function addButtons(block) {
  const number = Number(block.id.replace("snippet-", ""));
  block.after(make("div", { className: "run-buttons" }, button("Run", number, "output"), button("Edit", number, "program")));
}

if (typeof WebAssembly === "object" && typeof CompressionStream === "function") {
  document.querySelectorAll('[id^="snippet-"]').forEach(addButtons);
}
