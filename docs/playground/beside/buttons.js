// Gives each program of a page of the book the buttons "Run" and "Edit". What they open (panel.js) is loaded when one is
// pressed. From a folder, a browser runs no module and no worker; this script is one, so that it does not begin there.

function button(label, number, side) {
  const element = document.createElement("button");
  element.type = "button";
  element.textContent = label;
  element.setAttribute("aria-label", `${label} snippet ${number}`);
  element.onclick = () => open(number, side, element);
  return element;
}

async function open(number, side, from) {
  try {
    const panel = await import("./panel.js");
    await panel.open(number, side, from);
  } catch (error) {
    const fault = document.createElement("span");
    fault.setAttribute("role", "alert");
    fault.textContent = `The playground could not be loaded (${error.message}). Is there a network? Then load this page again.`;
    from.parentElement.querySelector("span")?.remove();
    from.parentElement.prepend(fault);
  }
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
