// What stands in the editor's place until it is loaded.

export class PlainText {
  #parent;
  shown = [];
  marked = null;

  constructor(parent) {
    this.#parent = parent.appendChild(document.createElement("pre"));
    this.#parent.className = "plain";
  }

  get text() { return this.#parent.textContent; }
  set text(text) { this.#parent.textContent = text; }
  open(text) { this.text = text; }

  show(diagnostics) { this.shown = diagnostics; }
  mark(line) { this.marked = line; }
}
