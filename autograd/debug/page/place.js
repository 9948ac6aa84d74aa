// Where everything stands. The trace says what is beside and above what (the rows of each group); here it gets
// coordinates, which depend on the modules that are open. Pure functions without the browser.

const sizes = { node: [136, 46], use: [116, 28], group: [164, 50], step: [120, 50] };
const gaps = { column: 18, row: 30, padding: 16, header: 26, loop: 22 };

function isBox(group, index) {
  return index !== 0 && (group.kind === "module" || group.kind === "step");
}

function kindOfItem(item) {
  return item[0] === "n" ? "node" : item[0] === "u" ? "use" : "group";
}

// All groups that can be opened, from the outside to the inside.
function openableGroups(model) {
  if (model.openable) return model.openable;
  const list = [];
  const waiting = [0];
  for (let i = 0; i < waiting.length; ++i) {
    const group = model.trace.groups[waiting[i]];
    if (isBox(group, waiting[i])) list.push(waiting[i]);
    for (const row of group.rows) {
      for (const item of row) if (item[0] === "g") waiting.push(Number(item.slice(1)));
    }
  }
  model.openable = list;
  return list;
}

function isOpen(model, index, open) {
  return !isBox(model.trace.groups[index], index) || open.has(index);
}

// How many things a group shows when it is opened, with those inside closed.
function shownBy(model, index) {
  let count = 0;
  const waiting = [index];
  for (let i = 0; i < waiting.length; ++i) {
    for (const row of model.trace.groups[waiting[i]].rows) {
      for (const item of row) {
        const inner = item[0] === "g" ? Number(item.slice(1)) : -1;
        if (inner >= 0 && !isBox(model.trace.groups[inner], inner)) waiting.push(inner);
        else ++count;
      }
    }
  }
  return count;
}

// From the outside to the inside, as long as not too much is to be seen.
function openAtFirst(model, most) {
  const open = new Set();
  let shown = shownBy(model, 0);
  for (const group of openableGroups(model)) {
    const parent = model.trace.groups[group].parent;
    const more = shownBy(model, group);
    if (shown + more > most || !ancestorsOpen(model, parent, open)) continue;
    open.add(group);
    shown += more;
  }
  return open;
}

function ancestorsOpen(model, index, open) {
  for (let at = index; at !== undefined; at = model.trace.groups[at].parent) {
    if (!isOpen(model, at, open)) return false;
  }
  return true;
}

// The groups around a node, the innermost first.
function groupsAround(model, groupIndex) {
  const list = [];
  for (let at = groupIndex; at !== undefined; at = model.trace.groups[at].parent) {
    if (isBox(model.trace.groups[at], at)) list.push(at);
  }
  return list;
}

// What stands for the inside of each group: the outermost closed group around it, or "" if it can be seen itself.
function standIns(model, open) {
  const result = new Map([[0, ""]]);
  const waiting = [0];
  for (let i = 0; i < waiting.length; ++i) {
    const index = waiting[i];
    for (const row of model.trace.groups[index].rows) {
      for (const item of row) {
        if (item[0] !== "g") continue;
        const inner = Number(item.slice(1));
        const outer = result.get(index);
        result.set(inner, outer !== "" ? outer : isOpen(model, inner, open) ? "" : "g" + inner);
        waiting.push(inner);
      }
    }
  }
  return result;
}

// { boxes: Map of item -> {item, kind, x, y, w, h}, edges, width, height, seen(item) }
function place(model, open) {
  const standIn = standIns(model, open);
  const groupOf = (item) => {
    if (item[0] === "g") return model.trace.groups[Number(item.slice(1))].parent;
    if (item[0] === "n") return model.nodes.get(Number(item.slice(1))).group;
    return model.nodes.get(model.trace.uses[Number(item.slice(1))].user).group;
  };
  const seen = (item) => {
    const outer = standIn.get(groupOf(item));
    if (outer !== "") return outer;
    return item;
  };
  const edges = visibleEdges(model, seen);
  const shown = shownGroups(model, open);
  const near = neighbours(model, edges, groupOf);
  const size = new Map();   // item -> [w, h]
  const inside = new Map(); // group -> [{item, x, y}] relative to its top left corner
  for (let i = shown.length - 1; i >= 0; --i) arrange(model, shown[i], open, size, inside, near);
  const boxes = new Map();
  const root = size.get("g0");
  const waiting = [{ index: 0, x: 0, y: 0 }];
  for (let i = 0; i < waiting.length; ++i) {
    for (const child of inside.get(waiting[i].index)) {
      const [w, h] = size.get(child.item);
      const box = { item: child.item, kind: kindOfItem(child.item), x: waiting[i].x + child.x, y: waiting[i].y + child.y, w, h };
      const index = box.kind === "group" ? Number(child.item.slice(1)) : -1;
      if (box.kind === "group") {
        box.index = index;
        box.open = isOpen(model, index, open);
        if (box.open) waiting.push({ index, x: box.x, y: box.y });
      }
      if (box.kind !== "group" || isBox(model.trace.groups[index], index)) boxes.set(child.item, box);
    }
  }
  aim(edges, boxes);
  return { boxes, edges, width: root[0], height: root[1], seen };
}

// Groups whose inside is to be seen, the outer ones first.
function shownGroups(model, open) {
  const list = [0];
  for (let i = 0; i < list.length; ++i) {
    for (const row of model.trace.groups[list[i]].rows) {
      for (const item of row) {
        const inner = item[0] === "g" ? Number(item.slice(1)) : -1;
        if (inner >= 0 && isOpen(model, inner, open)) list.push(inner);
      }
    }
  }
  return list;
}

function visibleEdges(model, seen) {
  const edges = new Map();
  for (const node of model.nodes.values()) {
    if (node.isLeaf) continue;
    const to = seen("n" + node.id);
    node.inputs.forEach((input, i) => {
      if (input.node === undefined || !model.nodes.has(input.node)) return;
      const from = seen(input.use !== undefined ? "u" + input.use : "n" + input.node);
      if (from === to) return;
      const key = from + ">" + to;
      if (!edges.has(key)) edges.set(key, { from, to, parts: [] });
      edges.get(key).parts.push(node.id + "." + i);
    });
  }
  return [...edges.values()];
}

// For each item, the items of the same group that it is connected with.
function neighbours(model, edges, groupOf) {
  const depths = new Map();
  const depthOf = (group) => {
    if (!depths.has(group)) {
      let depth = 0;
      for (let at = model.trace.groups[group].parent; at !== undefined; at = model.trace.groups[at].parent) ++depth;
      depths.set(group, depth);
    }
    return depths.get(group);
  };
  const near = new Map();
  const add = (a, b) => {
    if (!near.has(a)) near.set(a, []);
    near.get(a).push(b);
  };
  for (const edge of edges) {
    let a = edge.from;
    let b = edge.to;
    let groupA = groupOf(a);
    let groupB = groupOf(b);
    while (groupA !== groupB) {
      if (depthOf(groupA) >= depthOf(groupB)) {
        a = "g" + groupA;
        groupA = groupOf(a);
      } else {
        b = "g" + groupB;
        groupB = groupOf(b);
      }
    }
    if (a === b) continue;
    add(a, b);
    add(b, a);
  }
  return near;
}

function arrange(model, index, open, size, inside, near) {
  const group = model.trace.groups[index];
  for (const row of group.rows) {
    for (const item of row) {
      if (size.has(item)) continue;
      const kind = kindOfItem(item);
      const closedKind = kind === "group" && model.trace.groups[Number(item.slice(1))].kind === "step" ? "step" : kind;
      size.set(item, sizes[closedKind]);
    }
  }
  const boxed = isBox(group, index);
  const padding = boxed ? gaps.padding : 0;
  const header = boxed ? gaps.header : 0;
  const columnGap = group.kind === "loop" ? gaps.loop : gaps.column;
  const centre = new Map();
  const row_of = new Map();
  group.rows.forEach((row, r) => row.forEach((item) => row_of.set(item, r)));
  for (const row of group.rows) pack(row, null, centre, size, columnGap);
  if (group.kind !== "loop") {
    for (const sweep of ["down", "up", "down"]) {
      const rows = sweep === "down" ? group.rows : [...group.rows].reverse();
      for (const row of rows) {
        const wanted = row.map((item) => {
          const others = (near.get(item) || []).filter((other) => sweep === "down" ? row_of.get(other) < row_of.get(item)
                                                                                    : row_of.get(other) > row_of.get(item));
          if (others.length === 0) return centre.get(item);
          return others.reduce((sum, other) => sum + centre.get(other), 0) / others.length;
        });
        pack(row, wanted, centre, size, columnGap);
      }
    }
  }
  let left = Infinity;
  let right = -Infinity;
  for (const row of group.rows) {
    for (const item of row) {
      left = Math.min(left, centre.get(item) - size.get(item)[0] / 2);
      right = Math.max(right, centre.get(item) + size.get(item)[0] / 2);
    }
  }
  if (left > right) left = right = 0;
  const children = [];
  let y = padding + header;
  for (const row of group.rows) {
    const height = Math.max(...row.map((item) => size.get(item)[1]));
    for (const item of row) {
      const [w, h] = size.get(item);
      // Steps of a loop hang from one line, leaves stand on one.
      const down = group.kind === "loop" ? 0 : kindOfItem(item) === "use" ? height - h : (height - h) / 2;
      children.push({ item, x: padding + centre.get(item) - w / 2 - left, y: y + down });
    }
    y += height + gaps.row;
  }
  if (group.rows.length > 0) y -= gaps.row;
  inside.set(index, children);
  const least = boxed ? Math.min(60 + 8 * group.name.length, 260) : 0;
  const width = right - left + 2 * padding;
  if (width < least) for (const child of children) child.x += (least - width) / 2;
  size.set("g" + index, [Math.max(width, least), y + padding]);
}

// As near to the wanted places as can be without standing on each other, in the order of the row.
function pack(row, wanted, centre, size, gap) {
  const places = [];
  let end = -Infinity;
  row.forEach((item, i) => {
    const half = size.get(item)[0] / 2;
    const least = end === -Infinity ? -Infinity : end + gap + half;
    const want = wanted ? wanted[i] : 0;
    places.push(Math.max(least, want));
    end = places[i] + half;
  });
  let shift = 0;
  row.forEach((item, i) => { shift += (wanted ? wanted[i] : 0) - places[i]; });
  shift /= Math.max(row.length, 1);
  row.forEach((item, i) => centre.set(item, places[i] + shift));
}

// Ends of the edges: spread over the box's side, in the order of where they lead, so that they do not cross there.
function aim(edges, boxes) {
  const into = new Map();
  const outOf = new Map();
  for (const edge of edges) {
    edge.a = boxes.get(edge.from);
    edge.b = boxes.get(edge.to);
    edge.sideways = edge.b.y < edge.a.y + edge.a.h + 6;
    if (edge.sideways) continue;
    if (!into.has(edge.to)) into.set(edge.to, []);
    into.get(edge.to).push(edge);
    if (!outOf.has(edge.from)) outOf.set(edge.from, []);
    outOf.get(edge.from).push(edge);
  }
  const middle = (box) => box.x + box.w / 2;
  const spread = (list, box, other, set) => {
    list.sort((p, q) => middle(other(p)) - middle(other(q)));
    const pitch = Math.min(16, (box.w - 24) / Math.max(list.length, 1));
    list.forEach((edge, i) => set(edge, middle(box) + (i - (list.length - 1) / 2) * pitch));
  };
  for (const list of into.values()) spread(list, list[0].b, (edge) => edge.a, (edge, x) => { edge.x2 = x; });
  for (const list of outOf.values()) spread(list, list[0].a, (edge) => edge.b, (edge, x) => { edge.x1 = x; });
  for (const edge of edges) {
    if (!edge.sideways) {
      edge.y1 = edge.a.y + edge.a.h;
      edge.y2 = edge.b.y;
      continue;
    }
    const right = middle(edge.b) >= middle(edge.a);
    edge.right = right;
    edge.x1 = right ? edge.a.x + edge.a.w : edge.a.x;
    edge.y1 = edge.a.y + edge.a.h / 2;
    edge.x2 = right ? edge.b.x : edge.b.x + edge.b.w;
    edge.y2 = edge.b.y + edge.b.h / 2;
  }
}
