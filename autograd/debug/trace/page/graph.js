// The picture of the graph: two canvases, edges below and everything else above, so that a step repaints only what can
// change. What lies outside of the window is not painted, and from afar boxes are painted without their texts.

const numberFont = "11px ui-monospace, 'SF Mono', 'DejaVu Sans Mono', monospace";

// Takes a path in the place of a canvas, to say where one is after a part of the way.
class PathPoints {
  points = [];

  moveTo(x, y) { this.points.push({ x, y }); }
  lineTo(x, y) { this.points.push({ x, y }); }
  bezierCurveTo(x1, y1, x2, y2, x3, y3) {
    const { x: x0, y: y0 } = this.points[this.points.length - 1];
    for (let i = 1; i <= 16; ++i) {
      const t = i / 16;
      const u = 1 - t;
      const mix = (a, b, c, d) => u * u * u * a + 3 * u * u * t * b + 3 * u * t * t * c + t * t * t * d;
      this.points.push({ x: mix(x0, x1, x2, x3), y: mix(y0, y1, y2, y3) });
    }
  }

  at(part) {
    const { points } = this;
    const lengths = points.map((point, i) => (i === 0 ? 0 : Math.hypot(point.x - points[i - 1].x, point.y - points[i - 1].y)));
    let left = part * lengths.reduce((a, b) => a + b, 0);
    for (let i = 1; i < points.length; ++i) {
      if (left <= lengths[i] && lengths[i] > 0) {
        const t = left / lengths[i];
        return { x: points[i - 1].x + t * (points[i].x - points[i - 1].x), y: points[i - 1].y + t * (points[i].y - points[i - 1].y) };
      }
      left -= lengths[i];
    }
    return points[points.length - 1];
  }
}

class Graph {
  constructor(model, section) {
    this.model = model;
    this.section = section;
    this.edgeCanvas = section.querySelector("#edges");
    this.nodeCanvas = section.querySelector("#nodes");
    this.view = { x: 0, y: 0, zoom: 1 };  // the point of the graph in the window's top left corner
    this.found = new Set();
    this.progress = new Map();  // of closed groups
    this.readColours();
  }

  readColours() {
    const style = getComputedStyle(document.documentElement);
    this.colours = {};
    for (const name of ["ground", "surface", "raised", "line", "ink", "soft", "faint", "edge", "group", "group-line",
                        "forward", "forward-soft", "backward", "backward-soft", "complete", "learnt", "learnt-soft", "danger"]) {
      this.colours[name] = style.getPropertyValue("--" + name).trim();
    }
    this.palette = new Palette();
  }

  setLayout(layout) {
    this.layout = layout;
    this.boxes = [...layout.boxes.values()];
    this.collectInside();
    this.edgesDirty = true;
  }

  // The ops inside of each closed group, for its bar.
  collectInside() {
    this.inside = new Map();
    for (const node of this.model.order) {
      const item = this.layout.seen("n" + node.id);
      if (item[0] !== "g") continue;
      if (!this.inside.has(item)) this.inside.set(item, []);
      this.inside.get(item).push(node);
    }
    for (const nodes of this.inside.values()) {
      nodes.values_ = nodes.map((node) => node.valueAt).sort((a, b) => a - b);
      nodes.runs_ = nodes.map((node) => node.ranAt).sort((a, b) => a - b);
    }
  }

  resize() {
    const ratio = window.devicePixelRatio || 1;
    this.width = this.section.clientWidth;
    this.height = this.section.clientHeight;
    this.ratio = ratio;
    for (const canvas of [this.edgeCanvas, this.nodeCanvas]) {
      canvas.width = Math.max(1, Math.round(this.width * ratio));
      canvas.height = Math.max(1, Math.round(this.height * ratio));
    }
    this.edgesDirty = true;
  }

  fit() {
    const margin = 36;
    const zoom = Math.min((this.width - 2 * margin) / this.layout.width, (this.height - 2 * margin - 20) / this.layout.height, 1.25);
    this.view.zoom = Math.max(zoom, 0.01);
    this.view.x = this.layout.width / 2 - this.width / 2 / this.view.zoom;
    this.view.y = this.layout.height / 2 - (this.height - 20) / 2 / this.view.zoom;
    this.edgesDirty = true;
  }

  // Readable: the whole graph if that can be read, else what is around `box`, at a size at which texts can be.
  fitReadable(box) {
    const readable = 0.85;
    this.fit();
    if (this.view.zoom >= readable) return;
    this.view.zoom = readable;
    const part = (begin, size, room, total) => {
      const margin = 24 / readable;
      if (total <= room - 2 * margin) return (total - room) / 2;
      return Math.max(-margin, Math.min(total + margin - room, begin + size / 2 - room / 2));
    };
    const at = box || { x: this.layout.width / 2, y: 0, w: 0, h: 0 };
    this.view.x = part(at.x, at.w, this.width / readable, this.layout.width);
    this.view.y = part(at.y, at.h, this.height / readable, this.layout.height);
    this.edgesDirty = true;
  }

  zoomAt(factor, px, py) {
    const before = this.view.zoom;
    const zoom = Math.min(3, Math.max(0.01, before * factor));
    this.view.x += px / before - px / zoom;
    this.view.y += py / before - py / zoom;
    this.view.zoom = zoom;
    this.edgesDirty = true;
  }

  moveBy(dx, dy) {
    this.view.x += dx / this.view.zoom;
    this.view.y += dy / this.view.zoom;
    this.edgesDirty = true;
  }

  boxOf(item) {
    return item ? this.layout.boxes.get(this.layout.seen(item)) : undefined;
  }

  // Moves as little as needed to have the box in the window.
  reveal(box) {
    if (!box) return;
    const margin = 60;
    const { zoom } = this.view;
    const w = this.width / zoom;
    const h = this.height / zoom;
    const m = Math.min(margin / zoom, w / 4, h / 4);
    const before = this.view.x + "," + this.view.y;
    if (box.x + Math.min(box.w, w / 2) + m > this.view.x + w) this.view.x = box.x + Math.min(box.w, w / 2) + m - w + w / 6;
    if (box.x - m < this.view.x) this.view.x = box.x - m - w / 6;
    if (box.y + Math.min(box.h, h / 2) + m > this.view.y + h) this.view.y = box.y + Math.min(box.h, h / 2) + m - h + h / 6;
    if (box.y - m < this.view.y) this.view.y = box.y - m - h / 6;
    if (before !== this.view.x + "," + this.view.y) this.edgesDirty = true;
  }

  // The innermost box under a point of the window.
  hit(px, py) {
    const x = this.view.x + px / this.view.zoom;
    const y = this.view.y + py / this.view.zoom;
    let best = null;
    for (const box of this.boxes) {
      if (x < box.x || y < box.y || x > box.x + box.w || y > box.y + box.h) continue;
      if (!best || box.w * box.h <= best.w * best.h) best = box;
    }
    return best;
  }

  inWindow(x, y, w, h) {
    const { view } = this;
    return x + w >= view.x && y + h >= view.y && x <= view.x + this.width / view.zoom && y <= view.y + this.height / view.zoom;
  }

  prepare(canvas) {
    const context = canvas.getContext("2d");
    const scale = this.ratio * this.view.zoom;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.setTransform(scale, 0, 0, scale, -this.view.x * scale, -this.view.y * scale);
    return context;
  }

  // `travelled`: how much of the way along their edges this moment's contributions have gone. Until they arrive, everything
  // is as it was before.
  draw(time, selected, moment, travelled = 1) {
    if (this.edgesDirty) this.drawEdges();
    this.edgesDirty = false;
    this.drawNodes(travelled < 1 ? time - 1 : time, selected, moment, travelled);
  }

  // ---- below: groups and edges -----------------------------------------------------------------------------------

  drawEdges() {
    const context = this.prepare(this.edgeCanvas);
    const { zoom } = this.view;
    const far = zoom < 0.25;
    const groups = this.boxes.filter((box) => box.open && this.inWindow(box.x, box.y, box.w, box.h));
    for (const box of groups) {
      const isStep = this.model.groups[box.index].kind === "step";
      context.beginPath();
      if (far) context.rect(box.x, box.y, box.w, box.h);
      else context.roundRect(box.x, box.y, box.w, box.h, 12);
      context.fillStyle = isStep ? this.colours.surface : this.colours.group;
      context.globalAlpha = isStep ? 0.55 : 0.75;
      context.fill();
      context.globalAlpha = 1;
      context.lineWidth = 1 / Math.min(1, Math.max(zoom, 0.3));
      context.strokeStyle = this.colours["group-line"];
      context.stroke();
    }
    context.strokeStyle = this.colours.edge;
    context.lineWidth = far ? 0.8 / zoom * 0.6 : 1.4;
    context.beginPath();
    for (const edge of this.layout.edges) this.tracePath(context, edge, far);
    context.stroke();
    if (far) return;
    context.fillStyle = this.colours.edge;
    context.beginPath();
    for (const edge of this.layout.edges) {
      if (!this.edgeInWindow(edge)) continue;
      this.traceHead(context, edge);
    }
    context.fill();
  }

  edgeInWindow(edge) {
    return this.inWindow(edge.left - 30, edge.top - 30, edge.width + 60, edge.height + 60);
  }

  tracePath(context, edge, far) {
    if (!this.edgeInWindow(edge)) return;
    context.moveTo(edge.x1, edge.y1);
    if (far) {
      context.lineTo(edge.x2, edge.y2);
      return;
    }
    if (edge.sideways) {
      const bend = (edge.right ? 1 : -1) * Math.max(14, Math.min(60, Math.abs(edge.x2 - edge.x1) / 2));
      context.bezierCurveTo(edge.x1 + bend, edge.y1, edge.x2 - bend, edge.y2, edge.x2, edge.y2);
      return;
    }
    let x = edge.x1;
    let y = edge.y1;
    const curveTo = (toX, toY) => {
      const bend = Math.max(10, Math.min(70, (toY - y) / 2));
      context.bezierCurveTo(x, y + bend, toX, toY - bend, toX, toY);
      x = toX;
      y = toY;
    };
    for (const at of edge.lane) {
      if (at.top < y) continue;
      curveTo(at.x, at.top);
      context.lineTo(at.x, at.bottom);
      y = at.bottom;
    }
    curveTo(edge.x2, edge.y2);
  }

  traceHead(context, edge) {
    const s = 4.2;
    if (edge.sideways) {
      const d = edge.right ? -1 : 1;
      context.moveTo(edge.x2, edge.y2);
      context.lineTo(edge.x2 + d * s * 1.7, edge.y2 - s);
      context.lineTo(edge.x2 + d * s * 1.7, edge.y2 + s);
    } else {
      context.moveTo(edge.x2, edge.y2);
      context.lineTo(edge.x2 - s, edge.y2 - s * 1.7);
      context.lineTo(edge.x2 + s, edge.y2 - s * 1.7);
    }
    context.closePath();
  }

  // ---- above: what the replay changes ----------------------------------------------------------------------------

  drawNodes(time, selected, moment, travelled) {
    const context = this.prepare(this.nodeCanvas);
    const { zoom } = this.view;
    const visible = this.boxes.filter((box) => this.inWindow(box.x - 6, box.y - 6, box.w + 12, box.h + 12));
    this.drawFlow(context, moment, zoom);
    if (zoom < 0.3) this.drawFromAfar(context, visible, time);
    else for (const box of visible) this.drawBox(context, box, time, zoom);
    const current = moment.node === null ? undefined : this.currentBoxes(moment);
    const ring = (box, colour, width, distance) => {
      const d = Math.max(distance, distance / zoom * 0.6);
      context.beginPath();
      context.roundRect(box.x - d, box.y - d, box.w + 2 * d, box.h + 2 * d, this.radius(box) + d);
      context.strokeStyle = colour;
      context.lineWidth = Math.max(width, width / zoom * 0.8);
      context.stroke();
    };
    for (const item of this.found) {
      const box = this.boxOf(item);
      if (box) ring(box, this.colours.forward, 1.5, 2);
    }
    if (current) for (const box of current) ring(box, this.colours[moment.phase === "forward" ? "forward" : "complete"], 3, 2.5);
    const chosen = this.boxOf(selected);
    if (chosen) ring(chosen, this.colours.ink, 1.8, 6);
    if (travelled < 1) for (const { edge, value } of this.flowOf(moment)) this.drawTraveller(context, edge, value, moment, travelled);
    if (this.marked) {
      const box = this.boxOf(this.marked);
      if (box) ring(box, this.colours.danger, 3, 9);
    }
  }

  radius(box) {
    return box.kind === "use" ? 14 : box.kind === "group" && box.open ? 12 : 9;
  }

  // A leaf has a place for each use.
  currentBoxes(moment) {
    const node = this.model.nodes.get(moment.node);
    const items = node.isLeaf ? node.uses.map((use) => "u" + use) : ["n" + node.id];
    return [...new Set(items.map((item) => this.boxOf(item)).filter((box) => box))];
  }

  // The edges along which something goes at this moment: values with the arrows, contributions against them.
  flowOf(moment) {
    if (moment.phase !== "backward" && moment.phase !== "forward") return [];
    const node = this.model.nodes.get(moment.node);
    if (node.isLeaf) return [];
    const values = new Map();  // by the part of the edge: the position in trace.tensors
    if (moment.phase === "forward") {
      node.inputs.forEach((input, i) => values.set(node.id + "." + i, this.model.nodes.get(input.node)?.value ?? input.value));
    }
    for (const c of moment.contributions) values.set(node.id + "." + this.model.trace.contributions[c].input, this.model.trace.contributions[c].value);
    const seen = this.layout.seen("n" + node.id);
    return this.layout.edges.filter((edge) => edge.to === seen).flatMap((edge) => {
      const part = edge.parts.find((one) => values.has(one));
      return part ? [{ edge, value: values.get(part) }] : [];
    });
  }

  drawFlow(context, moment, zoom) {
    context.strokeStyle = this.colours[moment.phase === "forward" ? "forward" : "complete"];
    context.lineWidth = Math.max(2.6, 1.6 / zoom);
    context.beginPath();
    for (const { edge } of this.flowOf(moment)) this.tracePath(context, edge, false);
    context.stroke();
  }

  // What goes along an edge, with its number.
  drawTraveller(context, edge, value, moment, travelled) {
    const path = new PathPoints();
    this.tracePath(path, edge, false);
    if (path.points.length < 2) return;
    const { x, y } = path.at(moment.phase === "forward" ? travelled : 1 - travelled);
    const text = briefText(tensorOf(this.model, value));
    context.font = numberFont;
    const w = Math.max(14, context.measureText(text).width + 12);
    context.beginPath();
    context.roundRect(x - w / 2, y - 8, w, 16, 8);
    context.fillStyle = this.colours[moment.phase === "forward" ? "forward" : "complete"];
    context.fill();
    context.fillStyle = this.colours.surface;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(text, x, y + 0.5);
  }

  // The fewest possible calls: one path for each colour.
  drawFromAfar(context, visible, time) {
    const bins = { waiting: [], computed: [], partial: [], complete: [] };
    for (const box of visible) {
      if (box.kind === "group" && box.open) continue;
      bins[this.stateOfBox(box, time)].push(box);
    }
    const fills = { waiting: "line", computed: "raised", partial: "backward-soft", complete: "complete" };
    for (const [bin, boxes] of Object.entries(bins)) {
      context.beginPath();
      for (const box of boxes) context.rect(box.x, box.y, box.w, box.h);
      context.fillStyle = this.colours[fills[bin]];
      context.fill();
      context.strokeStyle = this.colours[bin === "complete" || bin === "partial" ? "complete" : "faint"];
      context.lineWidth = 4;
      context.stroke();
    }
  }

  stateOfBox(box, time) {
    if (box.kind === "group") {
      const [values, runs, count] = this.countsOf(box.item, time);
      return runs === count ? "complete" : runs > 0 ? "partial" : values === count ? "computed" : "waiting";
    }
    const state = this.stateOfItem(box, time);
    if (state.gradient === "complete") return "complete";
    if (state.gradient === "partial") return "partial";
    return state.computed ? "computed" : "waiting";
  }

  stateOfItem(box, time) {
    if (box.kind === "node") return stateOf(this.model, numberOf(box.item), time);
    const index = numberOf(box.item);
    const leaf = this.model.trace.uses[index].leaf;
    const state = stateOf(this.model, leaf, time);
    const node = this.model.nodes.get(leaf);
    const own = node.arrivals.find((arrival) => this.model.trace.contributions[arrival.contribution].use === index);
    const here = own && own.time <= time;
    return { ...state, gradient: state.gradient === "none" ? "none" : state.gradient === "complete" ? "complete" : here ? "partial" : "waiting",
             here };
  }

  countsOf(item, time) {
    const nodes = this.inside.get(item);
    if (!nodes) return [0, 0, 0];
    return [countUntil(nodes.values_, time), countUntil(nodes.runs_, time), nodes.length];
  }

  drawBox(context, box, time, zoom) {
    if (box.kind === "group" && box.open) {
      const group = this.model.groups[box.index];
      context.fillStyle = this.colours.soft;
      context.font = "600 12px system-ui, 'DejaVu Sans', sans-serif";
      context.textBaseline = "middle";
      context.textAlign = "left";
      this.text(context, "\u25be " + group.name, box.x + 13, box.y + 19, box.w - 24);
      return;
    }
    if (box.kind === "group") this.drawClosedGroup(context, box, time);
    else this.drawOp(context, box, time);
  }

  body(context, box, state) {
    const complete = state === "complete";
    const waiting = state === "waiting";
    context.beginPath();
    context.roundRect(box.x, box.y, box.w, box.h, this.radius(box));
    context.fillStyle = this.colours[complete ? "backward-soft" : waiting ? "ground" : "raised"];
    context.fill();
    context.strokeStyle = this.colours[complete || state === "partial" ? "complete" : "faint"];
    context.lineWidth = 1.2;
    context.setLineDash(waiting ? [4, 3] : []);
    context.stroke();
    context.setLineDash([]);
  }

  // Along the lower edge: how much of the gradient is there.
  bar(context, box, part, colour) {
    if (part <= 0) return;
    context.save();
    context.beginPath();
    context.roundRect(box.x, box.y, box.w, box.h, this.radius(box));
    context.clip();
    context.fillStyle = colour;
    context.fillRect(box.x, box.y + box.h - 4, box.w * part, 4);
    context.restore();
  }

  // A leaf is drawn once for each op that uses it.
  useOf(node, box) {
    const { length } = node.uses;
    return length > 1 ? `use ${node.uses.indexOf(numberOf(box.item)) + 1} of ${length}` : "";
  }

  // An op or a leaf: its name, its value, its gradient.
  drawOp(context, box, time) {
    const state = this.stateOfItem(box, time);
    const shown = this.stateOfBox(box, time);
    this.body(context, box, shown);
    if (state.expected > 0) this.bar(context, box, state.arrived / state.expected, this.colours.complete);
    const isUse = box.kind === "use";
    const node = this.model.nodes.get(idOf(this.model, box.item));
    const counts = state.expected > 1 && state.gradient !== "none" && state.arrived > 0 ? state.arrived + "/" + state.expected : "";
    const flaw = (state.computed && flawOf(this.model, node.value)) || (state.gradient === "complete" && flawOf(this.model, node.gradient)) || "";
    const left = box.x + 11;
    const right = box.x + box.w - 10;
    context.textBaseline = "middle";
    context.textAlign = "right";
    context.font = "600 11px system-ui, 'DejaVu Sans', sans-serif";
    context.fillStyle = this.colours[flaw ? "danger" : "backward"];
    if (flaw || counts) context.fillText(flaw || counts, right, box.y + 15);
    context.textAlign = "left";
    context.fillStyle = this.colours[shown === "waiting" ? "soft" : isUse ? "learnt" : "ink"];
    context.font = "600 13px system-ui, 'DejaVu Sans', sans-serif";
    const room = right - left - (flaw || counts ? 28 : 0);
    const [name, op] = isUse ? [node.label, this.useOf(node, box)] : hasName(node) ? [node.label, node.op] : [node.op, node.label];
    const used = this.text(context, name, left, box.y + 15, room);
    context.fillStyle = this.colours.soft;
    context.font = "11px system-ui, 'DejaVu Sans', sans-serif";
    if (op && room - used > 24) this.text(context, op, left + used + 6, box.y + 15.5, room - used - 6);
    const value = state.computed ? tensorOf(this.model, node.value) : null;
    this.drawTensor(context, value, shapeText(node.shape), "forward", left, box.y + 33, right - left);
    if (state.gradient === "none") return;
    context.fillStyle = this.colours[state.arrived > 0 ? "backward" : "soft"];
    context.fillText("\u2207", left, box.y + 50);
    this.drawTensor(context, this.smallGradient(node, state, time), state.arrived > 0 ? counts : "", "backward", left + 13, box.y + 50, right - left - 13);
  }

  // What has arrived of a gradient; of a large one only once it is complete, since a step is not to add it all up again.
  smallGradient(node, state, time) {
    const isLarge = node.shape.reduce((a, b) => a * b, 1) * state.arrived > 2000;
    return state.arrived > 0 && !(isLarge && state.gradient === "partial") ? gradientAt(this.model, node.id, time) : null;
  }

  // A number; few numbers as cells; of more their shape and norm.
  drawTensor(context, tensor, without, colour, x, y, width) {
    const isNumber = tensor && tensor.data.length === 1 && tensor.complete;
    context.fillStyle = this.colours[tensor ? colour : "soft"];
    context.font = tensor ? numberFont : "11px system-ui, 'DejaVu Sans', sans-serif";
    if (!tensor || isNumber) return this.text(context, tensor ? briefText(tensor) : without, x, y, width);
    const side = Math.min(9, 15 / tensor.rows, 72 / tensor.columns);
    if (!tensor.complete || tensor.data.length === 0 || side < 3.5) {
      return this.text(context, shapeText(tensor.shape) + " " + briefText(tensor), x, y, width);
    }
    const scale = scaleOf(tensor.data);
    tensor.data.forEach((value, i) => {
      context.fillStyle = "rgb(" + this.palette.colour(value, scale).join() + ")";
      context.fillRect(x + (i % tensor.columns) * side, y - side * tensor.rows / 2 + Math.floor(i / tensor.columns) * side, side - 0.6, side - 0.6);
    });
    context.fillStyle = this.colours.soft;
    const taken = tensor.columns * side + 7;
    this.text(context, briefText(tensor), x + taken, y, width - taken);
  }

  drawClosedGroup(context, box, time) {
    const group = this.model.groups[box.index];
    const [values, runs, count] = this.countsOf(box.item, time);
    const shown = this.stateOfBox(box, time);
    context.fillStyle = this.colours.group;
    context.strokeStyle = this.colours["group-line"];
    context.lineWidth = 1.2;
    for (const d of [6, 3]) {  // a pile
      context.beginPath();
      context.roundRect(box.x + d, box.y + d, box.w - 2 * d, box.h, this.radius(box));
      context.fill();
      context.stroke();
    }
    this.body(context, box, shown);
    if (runs > 0) this.bar(context, box, runs / count, this.colours.complete);
    else if (values < count) this.bar(context, box, values / count, this.colours.forward);
    context.textBaseline = "middle";
    context.textAlign = "left";
    context.fillStyle = this.colours[shown === "waiting" ? "soft" : "ink"];
    context.font = "600 13px system-ui, 'DejaVu Sans', sans-serif";
    this.text(context, "\u25b8 " + group.name, box.x + 11, box.y + 17, box.w - 20);
    context.fillStyle = this.colours.soft;
    context.font = "11px system-ui, 'DejaVu Sans', sans-serif";
    const done = runs > 0 ? runs + " of " + count + " ops back" : values < count && values > 0 ? values + " of " + count + " ops" : count + (count === 1 ? " op" : " ops");
    this.text(context, done, box.x + 11, box.y + 35, box.w - 20);
  }

  // Cut off where it does not fit. Widths are remembered: measuring is what text costs.
  text(context, text, x, y, width) {
    this.cuts = this.cuts || new Map();
    const key = context.font + "|" + width.toFixed(0) + "|" + text;
    let cut = this.cuts.get(key);
    if (cut === undefined) {
      cut = text;
      if (context.measureText(text).width > width) {
        let low = 0;
        let high = text.length;
        while (low < high) {
          const middle = (low + high + 1) >> 1;
          if (context.measureText(text.slice(0, middle) + "\u2026").width <= width) low = middle;
          else high = middle - 1;
        }
        cut = text.slice(0, low) + "\u2026";
      }
      if (this.cuts.size > 20000) this.cuts.clear();
      this.cuts.set(key, cut);
    }
    context.fillText(cut, x, y);
    return Math.min(width, context.measureText(cut).width);
  }
}
