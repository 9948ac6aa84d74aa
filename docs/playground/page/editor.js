// The editor: C++ with completion, help, and what the compiler says below the line that it speaks of.

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentLess, indentMore } from "@codemirror/commands";
import { cpp } from "@codemirror/lang-cpp";
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintKeymap, nextDiagnostic, setDiagnostics } from "@codemirror/lint";
import { EditorState, RangeSet, StateEffect, StateField } from "@codemirror/state";
import { Decoration, drawSelection, EditorView, GutterMarker, gutterLineClass, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers, WidgetType } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";
import { completeFrom, explainOnHover } from "./completion.js";
import { make } from "./elements.js";
import { numberKeys } from "./numbers.js";

class Fault extends WidgetType {
  constructor(severity, text) {
    super();
    Object.assign(this, { severity, text });
  }
  eq(other) { return other.severity === this.severity && other.text === this.text; }
  toDOM() {
    return make("div", { className: "fault " + this.severity }, `${this.severity}: ${this.text}`);
  }
}

const setFaults = StateEffect.define();

// What was said of a line leaves it when the line is changed.
const faultsBelow = StateField.define({
  create: () => Decoration.none,
  update(faults, transaction) {
    faults = faults.map(transaction.changes);
    if (transaction.docChanged) {
      faults = faults.update({ filter: (from) => !transaction.changes.touchesRange(transaction.newDoc.lineAt(from).from, from) });
    }
    for (const effect of transaction.effects) if (effect.is(setFaults)) faults = effect.value;
    return faults;
  },
  provide: (field) => EditorView.decorations.from(field),
});

// The line of the op that the replay is at. When the program is changed, it is another program's.
const setMark = StateEffect.define();
const markedLine = StateField.define({
  create: () => null,
  update(from, transaction) {
    for (const effect of transaction.effects) if (effect.is(setMark)) return effect.value;
    return transaction.docChanged ? null : from;
  },
  provide: (field) => [
    EditorView.decorations.from(field, (from) => (from === null ? Decoration.none : Decoration.set(Decoration.line({ class: "now" }).range(from)))),
    gutterLineClass.from(field, (from) => (from === null ? RangeSet.empty : RangeSet.of(new NowMarker().range(from)))),
  ],
});

class NowMarker extends GutterMarker {
  elementClass = "now";
  eq() { return true; }
}

// From a place to the end of the word that stands there, or after it.
function rangeOf(doc, { line: number, column }) {
  const line = doc.line(Math.min(Math.max(number, 1), doc.lines));
  const blanks = /^\s*/.exec(line.text.slice(column - 1))[0].length;
  const at = Math.min(column - 1 + blanks, line.length);
  const word = /^(\w+|\S)?/.exec(line.text.slice(at))[0];
  const from = line.from + (word ? at : Math.max(0, at - 1));
  return { from, to: Math.min(line.to, from + Math.max(1, word.length)), line };
}

export { highlighted } from "./highlighted.js";

export class Editor {
  #extensions;

  // `on`: { change, run, stop }, and { line } where a click on a marked program's line leads somewhere
  constructor(parent, help, on) {
    const commands = [
      { key: "Mod-Enter", run: () => (on.run(), true) }, { key: "Mod-.", run: () => (on.stop(), true) }, { key: "F8", run: nextDiagnostic },
      { key: "Mod-]", run: indentMore }, { key: "Mod-[", run: indentLess }, ...numberKeys(on.run),
    ];
    this.#extensions = [
      lineNumbers(), highlightActiveLine(), highlightActiveLineGutter(), history(), drawSelection(), indentOnInput(), indentUnit.of("  "),
      bracketMatching(), closeBrackets(), cpp(), syntaxHighlighting(classHighlighter), faultsBelow, markedLine,
      EditorView.domEventHandlers({ click: (event, view) => this.#clicked(event, view, on) }),
      autocompletion({ override: [completeFrom(help)], icons: false }), explainOnHover(help), EditorState.tabSize.of(2), EditorView.lineWrapping,
      keymap.of([...commands, ...closeBracketsKeymap, ...completionKeymap, ...lintKeymap, ...historyKeymap, ...defaultKeymap]),
      EditorView.contentAttributes.of({ "aria-label": "The program, in C++" }),
      EditorView.updateListener.of((update) => { if (update.docChanged) on.change(); }),
    ];
    this.view = new EditorView({ parent, extensions: this.#extensions });
  }

  get text() { return this.view.state.doc.toString(); }

  // Another file, whose changes begin with it: nothing of the one before can be brought back into it.
  open(text) { this.view.setState(EditorState.create({ doc: text, extensions: this.#extensions })); }

  // What the compiler said: [{ line, column, severity, text }]; what has no line is said elsewhere.
  show(diagnostics) {
    const { doc } = this.view.state;
    const placed = diagnostics.filter(({ line }) => line).map((one) => ({ ...one, ...rangeOf(doc, one) })).sort((a, b) => a.from - b.from);
    const below = placed.map(({ line, severity, text }) => Decoration.widget({ widget: new Fault(severity, text), block: true, side: 1 }).range(line.to));
    this.view.dispatch(setDiagnostics(this.view.state, placed.map(({ from, to, severity, text }) => ({ from, to, severity, message: text }))));
    this.view.dispatch({ effects: setFaults.of(Decoration.set(below, true)) });
    if (placed.length > 0) this.view.dispatch({ effects: EditorView.scrollIntoView(placed[0].from, { y: "center" }) });
  }

  // The number of a line, or null.
  mark(number) {
    const { doc } = this.view.state;
    const from = number === null || number > doc.lines ? null : doc.line(number).from;
    this.view.dispatch({ effects: setMark.of(from) });
    if (from === null || this.view.hasFocus) return;
    this.view.dispatch({ effects: EditorView.scrollIntoView(from, { y: "nearest", yMargin: 40 }) });
  }

  #clicked(event, view, on) {
    const at = view.posAtCoords(event);
    const { main } = view.state.selection;
    if (at !== null && main.empty && view.state.field(markedLine) !== null) on.line?.(view.state.doc.lineAt(at).number);
  }

  goTo(number) {
    const { doc } = this.view.state;
    this.view.dispatch({ selection: { anchor: doc.line(Math.min(Math.max(number, 1), doc.lines)).from }, scrollIntoView: true });
    this.view.focus();
  }
}
