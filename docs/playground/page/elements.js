// The page's elements by their ids: elements.run is <button id="run">.
export const elements = new Proxy({}, { get: (_, id) => document.getElementById(id.replace(/[A-Z]/g, (letter) => "-" + letter.toLowerCase())) });

// make("p", { className: "soft" }, "text", another)
export function make(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

// The focus stays where the reader can find it: what is hidden while it has the focus hands it on.
export function hide(element, heir) {
  const hasFocus = element.contains(document.activeElement);
  element.hidden = true;
  if (hasFocus) heir.focus();
}

// A text behind a line that opens it. `content` makes it when it is opened first.
export function folded(title, content) {
  const details = make("details", {}, make("summary", {}, title));
  details.addEventListener("toggle", async () => details.append(await content()), { once: true });
  return details;
}
