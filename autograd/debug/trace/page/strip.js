// All ops of a large program in one strip, in their order: what has been computed, what has come back, where one is. A press
// goes to the op that stands there.

const fewOps = 300;  // for which the graph itself is overview enough

class Strip {
  constructor(model, canvas, select) {
    this.model = model;
    this.canvas = canvas;
    canvas.hidden = model.forward < fewOps;
    const go = (event) => {
      const at = Math.floor(event.offsetX / canvas.clientWidth * model.forward);
      select("n" + model.order[Math.max(0, Math.min(model.forward - 1, at))].id);
    };
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      go(event);
    });
    canvas.addEventListener("pointermove", (event) => { if (canvas.hasPointerCapture(event.pointerId)) go(event); });
  }

  draw(time, colours, node) {
    const { canvas, model } = this;
    if (canvas.hidden) return;
    canvas.width = Math.max(1, canvas.clientWidth);
    canvas.height = canvas.clientHeight;
    const context = canvas.getContext("2d");
    for (let x = 0; x < canvas.width; ++x) {
      const op = model.order[Math.floor(x / canvas.width * model.forward)];
      context.fillStyle = colours[time >= op.ranAt ? "complete" : time >= op.valueAt ? "forward-soft" : "line"];
      context.fillRect(x, 3, 1, canvas.height - 6);
    }
    if (!node || node.isLeaf) return;
    context.fillStyle = colours.ink;
    context.fillRect((node.valueAt - 0.5) / model.forward * canvas.width - 1.5, 0, 3, canvas.height);
  }
}
