// Gives each program of a page of the book the buttons "Run" and "Edit". What they open (panel.js) is loaded when one is
// pressed. From a folder, a browser runs no module and no worker; this script is one, so that it does not begin there.

function button(label, number, side) {
  const element = document.createElement("button");
  element.type = "button";
  element.textContent = label;
  element.setAttribute("aria-label", `${label} snippet ${number}`);
  element.onclick = async () => (await import("./panel.js")).open(number, side, element);
  return element;
}

function addButtons(block) {
  const number = Number(block.id.replace("snippet-", ""));
  const row = document.createElement("div");
  row.className = "run-buttons";
  row.append(button("Run", number, "output"), button("Edit", number, "program"));
  block.after(row);
}

if (typeof WebAssembly === "object" && typeof CompressionStream === "function") {
  document.querySelectorAll('[id^="snippet-"]').forEach(addButtons);
}
