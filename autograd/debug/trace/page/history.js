// Gradients over time: norms by module in each backward pass, as numbers; their pictures stand in the page already.

class HistoryView {
  constructor(trace) {
    this.trace = trace;
    this.history = trace.history;
    const $ = (id) => document.getElementById(id);
    $("over-time").hidden = !this.history;
    if (!this.history) return;
    this.root = $("passes");
    this.said = $("to-pass");
    $("over-time").addEventListener("click", () => {
      this.show();
      $("history").showModal();
      $("history").scrollTop = 0;  // the focus is further down
    });
    $("measure").addEventListener("change", () => this.show());
    this.measure = $("measure");
    for (const chart of document.querySelectorAll(".charts img")) {
      chart.title = "A click goes to the pass";
      chart.addEventListener("click", (event) => this.openPass(this.passAt(chart, event.offsetX / chart.clientWidth * chart.naturalWidth)));
    }
  }

  // The one that stands nearest to a place in a chart.
  passAt(chart, x) {
    const [left, right, low, high] = chart.dataset.span.split(" ").map(Number);
    const wanted = low + (x - left) / (right - left) * (high - low);
    return this.history.passes.reduce((best, pass) => (Math.abs(pass - wanted) < Math.abs(best - wanted) ? pass : best));
  }

  // Another pass is in another page, which the program writes when it is asked to. The playground asks it.
  openPass(pass) {
    this.said.textContent = "This page has pass " + this.trace.pass + ". BACKSTEP=trace:FILE.html,pass=" + pass + " writes that of pass " + pass + ".";
  }

  show() {
    const { passes, modules } = this.history;
    const heads = ["pass", ...modules.map((module) => module.module)].map((text) => element("th", { scope: "col" }, text));
    const rows = passes.map((pass, i) => element("tr", { class: pass === this.trace.pass ? "now" : null },
      element("th", { scope: "row" }, element("button", { class: "link", onclick: () => this.openPass(pass) }, String(pass))),
      modules.map((module) => {
        const value = toNumber(module.sizes[i][Number(this.measure.value)]);
        return element("td", {}, Number.isNaN(value) ? "\u2013" : formatNumber(value));
      })));
    this.root.replaceChildren(element("table", {}, element("thead", {}, element("tr", {}, heads)), element("tbody", {}, rows)));
  }
}
