// The page: buttons, keys, and what they do.

const reducedMotion = window.matchMedia("(prefers-reduced-motion: reduce)");
const systemIsDark = window.matchMedia("(prefers-color-scheme: dark)");

class Page {
  constructor(trace) {
    this.model = makeModel(trace);
    this.time = this.model.forward + 1;
    this.selected = null;  // null: whatever the moment is about
    this.playing = false;
    this.travelSince = null;
    this.open = openAtFirst(this.model, 60);
    this.section = document.getElementById("graph");
    this.graph = new Graph(this.model, this.section);
    this.panel = new Panel(this.model, document.getElementById("details"), {
      select: (item) => this.select(item, true), goTo: (time) => this.goTo(time), toggle: (group) => this.toggle(group),
      isOpen: (group) => this.open.has(group), announce: (text) => this.announce(text),
      cellChosen: (id) => this.select(this.itemOf(id), true) });
    this.source = new SourceView(this.model, document.getElementById("source"), (id) => this.select("n" + id, true));
    this.over = new HistoryView(trace);
    this.strip = new Strip(this.model, this.$("strip"), (item) => this.select(item, true));
    movableBar(this.$("source-bar"), { pane: this.$("source"), property: "--source", isBefore: true });
    movableBar(this.$("details-bar"), { pane: this.$("details"), property: "--details", isBefore: false });
    this.openedByFollow = new Set();
    this.relayout();
    this.graph.resize();
    this.fitReadable();
    this.setTheme(null);
    this.describe();
    this.bindControls();
    this.bindPointer();
    this.bindSearch();
    document.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => { this.graph.resize(); this.draw(); }).observe(this.section);
    if (this.graph.marked && !location.hash) this.showMark();
    this.readHash();
    window.addEventListener("hashchange", () => this.readHash());
  }

  $(id) { return document.getElementById(id); }

  describe() {
    const { trace } = this.model;
    const place = lineText(this.model, trace.called_at);
    this.$("subtitle").textContent = (trace.captures_only ? "grad()" : "backward()") + (place ? " at " + place : "") + ", pass " + trace.pass + (trace.history ? " of " + trace.history.count : "") +
      ", " + this.model.forward + " ops" + (trace.completed ? "" : ", it did not come to its end");
    document.title = "Backstep: " + (place || "trace");
    this.$("slider").max = this.model.last;
    this.$("phase-forward").style.flex = String(Math.max(this.model.forward, 1));
    this.$("phase-backward").style.flex = String(Math.max(this.model.last - this.model.forward, 1));
    if (trace.mark) {
      this.$("mark").hidden = false;
      const { kind, text, file, line } = trace.mark;
      this.$("mark-text").textContent = (kind === "exception" ? "uncaught exception: " : "") + text + (line ? `, at ${file}:${line}` : "");
      this.graph.marked = trace.mark.node ? this.itemOf(trace.mark.node) : null;
      this.$("mark-show").hidden = !this.graph.marked;
      this.$("mark-show").addEventListener("click", () => this.showMark());
    }
    for (const [keys, meaning] of keyTable) {
      const cell = element("td");
      keys.forEach((key, i) => cell.append(i > 0 ? " " : "", element("kbd", {}, key)));
      this.$("keys").append(element("tr", {}, cell, element("td", {}, meaning)));
    }
  }

  itemOf(id) { return itemOf(this.model, id); }

  showMark() {
    const { mark } = this.model.trace;
    const node = this.model.nodes.get(mark.node);
    this.goTo(mark.backward ? Math.min(node.completeAt, this.model.last) : node.valueAt);
    this.select(this.itemOf(mark.node), true);
  }

  // "#step=5&node=17&cell=gradient:3"
  readHash() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    if (wanted.has("step")) this.time = this.clamp(Number(wanted.get("step")) || 0);
    if (wanted.has("seen")) this.$("welcome").hidden = true;
    if (wanted.has("theme")) this.setTheme(wanted.get("theme") === "dark" ? "dark" : "light");
    this.update();
    if (wanted.has("node")) {
      const item = this.itemOf(Number(wanted.get("node")));
      if (item) this.select(item, true);
    }
    const cell = /^(value|gradient):(\d+)$/.exec(wanted.get("cell") || "");
    if (cell && this.selectedNode()) this.panel.choose({ id: this.selectedNode().id, which: cell[1], at: Number(cell[2]) });
  }

  clamp(time) { return Math.max(0, Math.min(this.model.last, Math.round(time))); }

  // ---- the replay -------------------------------------------------------------------------------------------------

  goTo(time) {
    const before = this.time;
    this.time = this.clamp(time);
    if (this.time === before) return;
    this.$("welcome").hidden = true;
    this.travelSince = this.time === before + 1 && !reducedMotion.matches ? performance.now() : null;
    this.update();
  }

  // What a step sends takes a moment along its edges: 1 when it has arrived.
  travelled() {
    if (this.travelSince === null) return 1;
    const pace = this.playing ? 600 / Number(this.$("speed").value) : 600;
    const part = pace < 60 ? 1 : (performance.now() - this.travelSince) / Math.min(450, pace);
    if (part >= 1) this.travelSince = null;
    return Math.min(1, part);
  }

  setPlaying(playing) {
    if (playing && this.time >= this.model.last) this.goTo(0);
    this.playing = playing;
    this.$("play").classList.toggle("playing", playing);
    this.$("play").setAttribute("aria-label", playing ? "Pause" : "Play");
    if (!playing) {
      this.update();
      return;
    }
    let due = performance.now();
    const tick = (now) => {
      if (!this.playing) return;
      const pause = 1000 / Number(this.$("speed").value);
      if (now >= due) {
        const steps = Math.max(1, Math.min(10, Math.floor((now - due) / pause)));
        due = Math.max(due + steps * pause, now - pause);
        this.goTo(this.time + steps);
        if (this.time >= this.model.last) return this.setPlaying(false);
      }
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  currentItem() {
    const { node } = momentAt(this.model, this.time);
    return node === null ? null : this.itemOf(node);
  }

  update() {
    const moment = momentAt(this.model, this.time);
    const text = textOf(this.model, this.time);
    const position = positionOf(this.model, this.time);
    const slider = this.$("slider");
    slider.value = this.time;
    slider.setAttribute("aria-valuetext", position + ". " + text);
    this.$("now").replaceChildren(element("span", { class: "position" }, position), element("span", { class: "text", title: text }, text));
    for (const id of ["first", "back"]) this.$(id).setAttribute("aria-disabled", String(this.time === 0));  // the focus stays there
    for (const id of ["last", "step"]) this.$(id).setAttribute("aria-disabled", String(this.time === this.model.last));
    if (this.$("follow").checked && moment.node !== null) this.follow(this.itemOf(moment.node));
    this.draw();
    const now = performance.now();
    if (!this.playing || now - (this.panelAt || 0) > 150) {
      this.panelAt = now;
      this.showPanel();
    }
    if (!this.playing) this.announce(position + ". " + text);
  }

  // Opens what hides the op that runs now, and closes what it opened for earlier ones.
  follow(item) {
    if (!item) return;
    const around = groupsAround(this.model, groupOf(this.model, item));
    const opening = around.filter((group) => !this.open.has(group));
    const closing = [...this.openedByFollow].filter((group) => !around.includes(group));
    for (const group of closing) {
      this.open.delete(group);
      this.openedByFollow.delete(group);
    }
    for (const group of opening) {
      this.open.add(group);
      this.openedByFollow.add(group);
    }
    if (opening.length + closing.length > 0) this.relayout(item);
    this.graph.reveal(this.graph.boxOf(item));
  }

  showPanel() {
    const item = this.selected || this.currentItem();
    const node = this.selectedNode();
    if (this.panel.cell && (!node || node.id !== this.panel.cell.id)) this.panel.cell = null;
    this.panel.show(item, this.time, this.selected === null);
    this.source.show(node && !node.isLeaf ? node : this.userOfLeaf(item));
    document.dispatchEvent(new Event("moment"));
  }

  // A leaf has no line of its own: that of the op which uses it.
  userOfLeaf(item) {
    return item && item[0] === "u" ? this.model.nodes.get(this.model.trace.uses[numberOf(item)].user) : null;
  }

  // Beside each other where there is room, else one at a time.
  showSide(name) {
    document.querySelector("main").dataset.side = name;
    for (const side of ["details", "source"]) this.$("show-" + side).setAttribute("aria-pressed", String(side === name));
  }

  draw() {
    const travelled = this.travelled();
    this.graph.draw(this.time, this.selected, momentAt(this.model, this.time), travelled);
    this.strip.draw(this.time, this.graph.colours, this.selectedNode());
    if (travelled < 1) this.drawSoon();
  }

  announce(text) {
    this.$("announce").textContent = text;
  }

  // ---- selecting, opening -------------------------------------------------------------------------------------------

  describeItem(item) {
    if (item[0] === "g") {
      const group = this.model.groups[numberOf(item)];
      return (group.kind === "step" ? "Time step " : "Module ") + group.name + ", " + (this.open.has(numberOf(item)) ? "open" : "closed");
    }
    const id = idOf(this.model, item);
    const node = this.model.nodes.get(id);
    const state = stateOf(this.model, id, this.time);
    const gradient = { none: "no gradient", waiting: "gradient not yet computed", partial: "gradient " + state.arrived + " of " + state.expected, complete: "gradient complete" };
    return nameOf(node) + (!node.isLeaf && hasName(node) ? ", " + node.op : "") + ", " + shapeText(node.shape) + (node.module ? ", in " + node.module : "") + ", " + (state.computed ? "value computed" : "value not yet computed") + ", " + gradient[state.gradient];
  }

  select(item, open) {
    this.selected = item;
    if (item && open) this.openAround(item);
    if (item) {
      this.graph.reveal(this.graph.boxOf(item));
      this.announce(this.describeItem(item));
    }
    this.draw();
    this.showPanel();
  }

  openAround(item) {
    const closed = groupsAround(this.model, groupOf(this.model, item)).filter((group) => !this.open.has(group));
    if (closed.length === 0) return;
    for (const group of closed) this.open.add(group);
    this.relayout(item);
  }

  toggle(group) {
    this.openedByFollow.delete(group);
    if (this.open.has(group)) this.open.delete(group);
    else this.open.add(group);
    this.relayout("g" + group);
    this.announce(this.describeItem("g" + group));
    this.draw();
    this.showPanel();
  }

  // Keeps the anchor where it is in the window.
  relayout(anchor) {
    const before = anchor && this.graph.layout ? this.graph.boxOf(anchor) : null;
    this.graph.setLayout(place(this.model, this.open));
    const after = anchor ? this.graph.boxOf(anchor) : null;
    if (before && after) {
      this.graph.view.x += after.x - before.x;
      this.graph.view.y += after.y - before.y;
    }
  }

  openAll() {
    for (const group of openableGroups(this.model)) this.open.add(group);
    this.openedByFollow.clear();
    this.relayout();
    this.graph.fit();
    this.draw();
    this.announce("All modules are open");
  }

  closeAll() {
    this.open.clear();
    this.openedByFollow.clear();
    this.relayout();
    this.fitReadable();
    this.draw();
    this.announce("All modules are closed");
  }

  fit() {
    this.graph.fit();
    this.draw();
  }

  fitReadable() {
    const item = this.currentItem();
    this.graph.fitReadable(item ? this.graph.boxOf(item) : null);
  }

  // null: as the system
  setTheme(theme) {
    this.theme = theme;
    this.showTheme();
  }

  showTheme() {
    document.documentElement.dataset.theme = this.theme || (systemIsDark.matches ? "dark" : "light");
    this.graph.readColours();
    this.graph.edgesDirty = true;
    this.panel.palette = new Palette();
    this.draw();
    this.showPanel();
  }

  toggleTheme() {
    this.setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
  }

  // ---- controls -----------------------------------------------------------------------------------------------------

  bindControls() {
    this.$("first-step").addEventListener("click", () => {
      this.goTo(this.time + 1);
      this.graph.nodeCanvas.focus();
    });
    const on = (id, action) => this.$(id).addEventListener("click", action);
    on("first", () => this.goTo(0));
    on("back", () => this.goTo(this.time - 1));
    on("play", () => this.setPlaying(!this.playing));
    on("step", () => this.goTo(this.time + 1));
    on("last", () => this.goTo(this.model.last));
    on("open-all", () => this.openAll());
    on("close-all", () => this.closeAll());
    on("fit", () => this.fit());
    on("show-details", () => this.showSide("details"));
    on("show-source", () => this.showSide("source"));
    on("theme", () => this.toggleTheme());
    on("help-button", () => this.$("help").showModal());
    this.$("slider").addEventListener("input", (event) => this.goTo(Number(event.target.value)));
    systemIsDark.addEventListener("change", () => this.showTheme());
    if (window.matchMedia("(prefers-reduced-motion: reduce)").matches) this.$("speed").value = "1";
  }

  bindPointer() {
    const canvas = this.graph.nodeCanvas;
    let drag = null;
    canvas.addEventListener("pointerdown", (event) => {
      drag = { x: event.offsetX, y: event.offsetY, moved: false };
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!drag) return;
      const dx = event.offsetX - drag.x;
      const dy = event.offsetY - drag.y;
      if (!drag.moved && Math.abs(dx) + Math.abs(dy) < 4) return;
      drag = { x: event.offsetX, y: event.offsetY, moved: true };
      canvas.classList.add("dragged");
      this.graph.moveBy(-dx, -dy);
      this.drawSoon();
    });
    canvas.addEventListener("pointerup", (event) => {
      canvas.classList.remove("dragged");
      if (drag && !drag.moved) this.click(event.offsetX, event.offsetY);
      drag = null;
    });
    canvas.addEventListener("pointercancel", () => { drag = null; });
    canvas.addEventListener("dblclick", (event) => {
      const box = this.graph.hit(event.offsetX, event.offsetY);
      if (box && box.kind === "group") this.toggle(box.index);
    });
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      if (event.shiftKey) this.graph.moveBy(event.deltaY, event.deltaX);
      else this.graph.zoomAt(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015)), event.offsetX, event.offsetY);
      this.drawSoon();
    }, { passive: false });
  }

  drawSoon() {
    if (this.drawing) return;
    this.drawing = true;
    requestAnimationFrame(() => { this.drawing = false; this.draw(); });
  }

  click(x, y) {
    const box = this.graph.hit(x, y);
    this.select(box ? box.item : null, false);
    if (!box) this.announce("Nothing is selected; the details follow the replay");
  }

  // ---- search -------------------------------------------------------------------------------------------------------

  bindSearch() {
    const input = this.$("search");
    const list = this.$("results");
    let found = [];
    let at = -1;
    const close = () => {
      list.hidden = true;
      input.setAttribute("aria-expanded", "false");
      input.removeAttribute("aria-activedescendant");
    };
    const choose = (id) => {
      close();
      const item = this.itemOf(id);
      if (item) this.select(item, true);
      this.graph.nodeCanvas.focus();
    };
    const point = (index) => {
      at = index;
      [...list.children].forEach((line, i) => line.setAttribute("aria-selected", String(i === at)));
      if (at >= 0) {
        input.setAttribute("aria-activedescendant", "result-" + at);
        list.children[at].scrollIntoView({ block: "nearest" });
      }
    };
    input.addEventListener("input", () => {
      found = searchNodes(this.model, input.value, 400);
      this.graph.found = new Set(found.map((id) => this.itemOf(id)).filter((item) => item));
      const lines = found.slice(0, 60).map((id, i) => {
        const node = this.model.nodes.get(id);
        return element("li", { role: "option", id: "result-" + i, "aria-selected": "false", onmousedown: (event) => { event.preventDefault(); choose(id); } },
                       nameOf(node), element("small", {}, [hasName(node) ? node.op : "", node.module, lineText(this.model, node.line)].filter((part) => part).join("  ")));
      });
      if (lines.length === 0) lines.push(element("li", { class: "nothing" }, "nothing found"));
      list.replaceChildren(...lines);
      list.hidden = input.value.trim() === "";
      input.setAttribute("aria-expanded", String(!list.hidden));
      point(found.length > 0 ? 0 : -1);
      this.announce(found.length + (found.length === 1 ? " op found" : " ops found"));
      this.draw();
    });
    input.addEventListener("keydown", (event) => {
      if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        event.preventDefault();
        const count = Math.min(found.length, 60);
        if (count > 0) point((at + (event.key === "ArrowDown" ? 1 : count - 1)) % count);
      } else if (event.key === "Enter" && at >= 0) {
        choose(found[at]);
      } else if (event.key === "Escape") {
        input.value = "";
        this.graph.found = new Set();
        close();
        this.graph.nodeCanvas.focus();
        this.draw();
      }
      event.stopPropagation();
    });
    input.addEventListener("blur", close);
  }

  // ---- keys ---------------------------------------------------------------------------------------------------------

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const target = event.target;
    const isButton = target.tagName === "BUTTON" || target.tagName === "SUMMARY";
    if (target.tagName === "SELECT") return;
    if (target.type === "range" && (event.key.startsWith("Arrow") || event.key.startsWith("Page") || event.key === "Home" || event.key === "End")) return;
    if ((isButton || target.type === "checkbox") && (event.key === " " || event.key === "Enter")) return;
    const inDetails = this.$("details").contains(target);
    if (inDetails && /^(ArrowUp|ArrowDown|PageUp|PageDown)$/.test(event.key)) return;  // scroll
    const action = this.actionOf(event.key, event.shiftKey);
    if (!action) return;
    event.preventDefault();
    action();
  }

  actionOf(key, shift) {
    switch (key) {
      case " ": return () => this.setPlaying(!this.playing);
      case "ArrowRight": return () => this.goTo(this.time + (shift ? 10 : 1));
      case "ArrowLeft": return () => this.goTo(this.time - (shift ? 10 : 1));
      case "PageDown": return () => this.goTo(this.time + Math.max(10, Math.round(this.model.last / 20)));
      case "PageUp": return () => this.goTo(this.time - Math.max(10, Math.round(this.model.last / 20)));
      case "Home": return () => this.goTo(0);
      case "End": return () => this.goTo(this.model.last);
      case "b": return () => this.goTo(this.model.forward + 1);
      case "n": return () => this.selectedNode() && this.goTo(nextEvent(this.model, this.selectedNode().id, this.time));
      case "ArrowDown": return () => (shift ? this.selectUser() : this.selectNext(1));
      case "ArrowUp": return () => (shift ? this.selectInput() : this.selectNext(-1));
      case "p": return () => this.selectAround();
      case "o": case "Enter": return () => this.toggleSelected();
      case "a": return () => this.openAll();
      case "c": return () => this.closeAll();
      case "f": return () => this.fit();
      case ".": return () => this.select(this.currentItem(), true);
      case "+": case "=": return () => this.zoom(1.25);
      case "-": return () => this.zoom(0.8);
      case "/": return () => this.$("search").focus();
      case "d": return () => this.$("details").focus();
      case "s": return () => this.showSide(document.querySelector("main").dataset.side === "source" ? "details" : "source");
      case "t": return () => this.toggleTheme();
      case "?": return () => this.$("help").showModal();
      case "Escape": return () => (this.panel.cell ? this.panel.choose(null) : this.select(null, false));
    }
    return null;
  }

  zoom(factor) {
    this.graph.zoomAt(factor, this.graph.width / 2, this.graph.height / 2);
    this.draw();
  }

  selectedNode() {
    const item = this.selected || this.currentItem();
    if (!item || item[0] === "g") return null;
    return this.model.nodes.get(idOf(this.model, item));
  }

  selectNext(direction) {
    const node = this.selectedNode();
    const { order } = this.model;
    if (order.length === 0) return;
    if (!node || node.isLeaf) return this.select("n" + order[direction > 0 ? 0 : order.length - 1].id, true);
    const at = Math.max(0, Math.min(order.length - 1, node.valueAt - 1 + direction));
    this.select("n" + order[at].id, true);
  }

  selectInput() {
    const node = this.selectedNode();
    const input = node && node.inputs.find((one) => one.node);
    if (input) this.select(input.use !== undefined ? "u" + input.use : this.itemOf(input.node), true);
  }

  selectUser() {
    const item = this.selected || this.currentItem();
    if (item && item[0] === "u") return this.select("n" + this.model.trace.uses[numberOf(item)].user, true);
    const node = this.selectedNode();
    const users = node ? this.model.users.get(node.id) : null;
    if (users) this.select("n" + users[0], true);
  }

  selectAround() {
    const item = this.selected || this.currentItem();
    if (!item) return;
    const around = groupsAround(this.model, groupOf(this.model, item));
    if (around.length > 0) this.select("g" + around[0], false);
  }

  toggleSelected() {
    const item = this.selected || this.currentItem();
    if (!item) return;
    const closed = this.graph.layout.seen(item);  // a closed group that hides it
    if (closed[0] === "g") return this.toggle(Number(closed.slice(1)));
    const around = groupsAround(this.model, groupOf(this.model, item));
    if (around.length > 0) {
      this.select("g" + around[0], false);
      this.toggle(around[0]);
    }
  }
}

const keyTable = [
  [["space"], "Play or pause"],
  [["\u2192", "\u2190"], "Step, step back; with shift by ten"],
  [["Home", "End"], "To the start, to the end"],
  [["b"], "To the start of backward()"],
  [["n"], "To the next thing that happens to the selected op"],
  [["\u2193", "\u2191"], "Select the next, the previous op of the program"],
  [["shift \u2191", "shift \u2193"], "Select its first input, its first user"],
  [["."], "Select the op that runs now, and open what hides it"],
  [["p"], "Select the module around it"],
  [["o", "Enter"], "Open or close the module"],
  [["a", "c"], "Open all, close all"],
  [["f", "+", "\u2212"], "Show the whole graph, zoom in, zoom out"],
  [["/"], "Search by name, op, line or module"],
  [["d"], "To the details; there, Enter and the arrows choose a cell"],
  [["s"], "Source or details, where there is no room for both"],
  [["t"], "Light or dark"],
  [["Esc"], "Let go of the cell; select nothing: the details follow the replay"],
  [["?"], "This list"],
];

function startPage() {
  const began = performance.now();
  try {
    const page = new Page(JSON.parse(document.getElementById("trace").textContent));
    window.backstep = page;
    page.startTook = performance.now() - began;
  } catch (error) {
    document.querySelector("main").replaceChildren(element("p", { class: "bad", role: "alert" }, "The trace cannot be shown: " + error.message));
    throw error;
  }
}
startPage();
