// The page's elements by their ids: elements.run is <button id="run">.
export const elements = new Proxy({}, { get: (_, id) => document.getElementById(id.replace(/[A-Z]/g, (letter) => "-" + letter.toLowerCase())) });

// make("p", { className: "soft" }, "text", another)
export function make(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}
