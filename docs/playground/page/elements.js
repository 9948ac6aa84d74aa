// The page's elements by their ids: elements.run is <button id="run">.
export const elements = new Proxy({}, { get: (_, id) => document.getElementById(id.replace(/[A-Z]/g, (letter) => "-" + letter.toLowerCase())) });
