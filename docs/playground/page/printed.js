// What a program prints, piece by piece, for a page: no more than `most` characters of it, and what follows up to its end only as far
// as that may say why it ended; without the escape sequences that tell a terminal its colours.

const ended = /\x1b(?:\[[0-?]{0,60}[ -\/]*[@-~]|\][^\x07\x1b]{0,200}(?:\x07|\x1b\\)|[^[\]])/g;
const begun = /\x1b(?:\[[0-?]{0,60}[ -\/]*|\][^\x07\x1b]{0,200}\x1b?)?$/;  // the rest is in the next piece
const mostOfEnd = 5000;

export class Printed {
  #most;
  #begun = "";
  #end = "";
  text = "";
  isCut = false;

  constructor(most) { this.#most = most; }

  // -> what to show of it
  add(piece) {
    let plain = this.#begun + piece;
    this.#begun = "";
    if (plain.includes("\x1b")) {
      this.#begun = begun.exec(plain)?.[0] ?? "";
      plain = plain.slice(0, plain.length - this.#begun.length).replaceAll(ended, "");
    }
    const shown = plain.slice(0, this.#most - this.text.length);
    this.text += shown;
    if (shown.length === plain.length) return shown;
    this.isCut = true;
    this.#end += plain.slice(shown.length);
    if (this.#end.length > 2 * mostOfEnd) this.#end = this.#end.slice(-mostOfEnd);
    return shown;
  }

  // The beginning and the end.
  get whole() { return this.isCut ? `${this.text}\n..\n${this.#end.slice(-mostOfEnd)}` : this.text; }
}
