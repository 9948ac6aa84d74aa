// Where everything stands: the rows of each group (rows.js) get coordinates, which depend on the modules that are open.
// Pure functions without the browser.

const sizes = { node: [164, 62], use: [136, 62], group: [164, 50], step: [120, 50] };
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
    const group = model.groups[waiting[i]];
    if (isBox(group, waiting[i])) list.push(waiting[i]);
    for (const row of group.rows) {
      for (const item of row) if (item[0] === "g") waiting.push(numberOf(item));
    }
  }
  model.openable = list;
  return list;
}

function isOpen(model, index, open) {
  return !isBox(model.groups[index], index) || open.has(index);
}

// How many things a group shows when it is opened, with those inside closed.
function shownBy(model, index) {
  let count = 0;
  const waiting = [index];
  for (let i = 0; i < waiting.length; ++i) {
    for (const row of model.groups[waiting[i]].rows) {
      for (const item of row) {
        const inner = item[0] === "g" ? numberOf(item) : -1;
        if (inner >= 0 && !isBox(model.groups[inner], inner)) waiting.push(inner);
        else ++count;
      }
    }
  }
  return count;
}

// From the outside to the inside, as long as not too much can be seen.
function openAtFirst(model, most) {
  const open = new Set();
  let shown = shownBy(model, 0);
  for (const group of openableGroups(model)) {
    const parent = model.groups[group].parent;
    const more = shownBy(model, group);
    if (shown + more > most || !ancestorsOpen(model, parent, open)) continue;
    open.add(group);
    shown += more;
  }
  return open;
}

function ancestorsOpen(model, index, open) {
  for (let at = index; at !== undefined; at = model.groups[at].parent) {
    if (!isOpen(model, at, open)) return false;
  }
  return true;
}

// The groups around a node, the innermost first.
function groupsAround(model, groupIndex) {
  const list = [];
  for (let at = groupIndex; at !== undefined; at = model.groups[at].parent) {
    if (isBox(model.groups[at], at)) list.push(at);
  }
  return list;
}

// What stands for the inside of each group: the outermost closed group around it, or "" if it can be seen itself.
function standIns(model, open) {
  const result = new Map([[0, ""]]);
  const waiting = [0];
  for (let i = 0; i < waiting.length; ++i) {
    const index = waiting[i];
    for (const row of model.groups[index].rows) {
      for (const item of row) {
        if (item[0] !== "g") continue;
        const inner = numberOf(item);
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
  const seen = (item) => {
    const outer = standIn.get(groupOf(model, item));
    return outer !== "" ? outer : item;
  };
  const edges = visibleEdges(model, seen);
  const shown = shownGroups(model, open);
  const pairs = pairsInGroups(model, edges);
  const size = new Map();   // item -> [w, h]
  const inside = new Map(); // group -> [{item, x, y}] relative to its top left corner
  const lanes = new Map();  // "from>to" of a pair -> the places where its edge passes rows in between, relative too
  for (let i = shown.length - 1; i >= 0; --i) arrange(model, shown[i], size, inside, pairs.get(shown[i]) || [], lanes);
  const boxes = new Map();
  const origins = new Map();
  const root = size.get("g0");
  const waiting = [{ index: 0, x: 0, y: 0 }];
  for (let i = 0; i < waiting.length; ++i) {
    origins.set(waiting[i].index, waiting[i]);
    for (const child of inside.get(waiting[i].index)) {
      const [w, h] = size.get(child.item);
      const box = { item: child.item, kind: kindOfItem(child.item), x: waiting[i].x + child.x, y: waiting[i].y + child.y, w, h };
      const index = box.kind === "group" ? numberOf(child.item) : -1;
      if (box.kind === "group") {
        box.index = index;
        box.open = isOpen(model, index, open);
        if (box.open) waiting.push({ index, x: box.x, y: box.y });
      }
      if (box.kind !== "group" || isBox(model.groups[index], index)) boxes.set(child.item, box);
    }
  }
  for (const edge of edges) {
    edge.lane = edge.ways.flatMap(([group, pair]) => {
      const origin = origins.get(group);
      return (lanes.get(pair) || []).map((at) => ({ x: at.x + origin.x, top: at.top + origin.y, bottom: at.bottom + origin.y }));
    });
  }
  aim(edges, boxes);
  return { boxes, edges, width: root[0], height: root[1], seen };
}

// Groups that are open, the outer ones first.
function shownGroups(model, open) {
  const list = [0];
  for (let i = 0; i < list.length; ++i) {
    for (const row of model.groups[list[i]].rows) {
      for (const item of row) {
        const inner = item[0] === "g" ? numberOf(item) : -1;
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
      const source = sourceOf(model, input);
      const from = source === null ? to : seen(source);
      if (from === to) return;
      const key = from + ">" + to;
      if (!edges.has(key)) edges.set(key, { from, to, parts: [] });
      edges.get(key).parts.push(node.id + "." + i);
    });
  }
  return [...edges.values()];
}

// For each group, the pairs [from, to] of its items that are connected, each once. An edge connects two items of the
// innermost group around both ends; in the groups on the way there it leads from an item to the outside, [from, ""], and
// from the outside to an item, ["", to].
function pairsInGroups(model, edges) {
  const pairs = new Map();
  const known = new Set();
  const add = (group, from, to) => {
    const pair = from + ">" + to;
    if (!known.has(pair)) {
      known.add(pair);
      append(pairs, group, [from, to]);
    }
    return [group, pair];
  };
  for (const edge of edges) {
    const out = [];
    const into = [];
    let from = edge.from;
    let to = edge.to;
    let groupFrom = groupOf(model, from);
    let groupTo = groupOf(model, to);
    while (groupFrom !== groupTo) {
      if (depthOf(model, groupFrom) >= depthOf(model, groupTo)) {
        out.push([groupFrom, from, ""]);
        from = "g" + groupFrom;
        groupFrom = groupOf(model, from);
      } else {
        into.unshift([groupTo, "", to]);
        to = "g" + groupTo;
        groupTo = groupOf(model, to);
      }
    }
    const inLoop = model.groups[groupFrom].kind === "loop";  // from one step to another, whose side it enters
    const ways = from === to ? [] : inLoop ? [[groupFrom, from, to]] : [...out, [groupFrom, from, to], ...into];
    edge.ways = ways.map((way) => add(...way));
  }
  return pairs;
}

// Very wide things, such as two loops over the same sentence, stand below each other.
function splitWideRows(rows, size) {
  const wide = 1500;
  return rows.flatMap((row) => {
    const long = row.filter((item) => size.get(item)[0] > wide);
    if (long.length === 0 || row.length === 1) return [row];
    const short = row.filter((item) => size.get(item)[0] <= wide);
    return short.length > 0 ? [short, ...long.map((item) => [item])] : long.map((item) => [item]);
  });
}

// An edge that passes rows gets a lane in each, so that it does not run behind what stands there.
function addLanes(rows, rowOf, pairs, centre, size, near) {
  const longest = 40;
  const added = new Map();
  const connect = (a, b) => {
    append(near, a, b);
    append(near, b, a);
  };
  for (const [from, to] of pairs) {
    const first = from === "" ? -1 : rowOf.get(from);
    const last = to === "" ? rows.length : rowOf.get(to);
    if (last - first <= 1 || last - first > longest) {
      if (from !== "" && to !== "") connect(from, to);
      continue;
    }
    const start = centre.get(from === "" ? to : from);
    const end = centre.get(to === "" ? from : to);
    let before = from;
    const list = [];
    for (let r = first + 1; r < last; ++r) {
      const lane = "lane " + from + ">" + to + " " + r;
      const wanted = start + (end - start) * (r - first) / (last - first);
      const position = rows[r].findIndex((item) => centre.get(item) > wanted);
      rows[r].splice(position < 0 ? rows[r].length : position, 0, lane);
      rowOf.set(lane, r);
      centre.set(lane, wanted);
      size.set(lane, [6, 0]);
      if (before !== "") connect(before, lane);
      before = lane;
      list.push(lane);
    }
    if (to !== "") connect(before, to);
    added.set(from + ">" + to, list);
  }
  return added;
}

function arrange(model, index, size, inside, pairs, lanes) {
  const group = model.groups[index];
  for (const row of group.rows) {
    for (const item of row) {
      if (size.has(item)) continue;
      const kind = kindOfItem(item);
      const closedKind = kind === "group" && model.groups[numberOf(item)].kind === "step" ? "step" : kind;
      size.set(item, sizes[closedKind]);
    }
  }
  const boxed = isBox(group, index);
  const padding = boxed ? gaps.padding : 0;
  const isLoop = group.kind === "loop";
  const columnGap = isLoop ? gaps.loop : gaps.column;
  const centre = new Map();
  const rows = isLoop ? group.rows : splitWideRows(group.rows, size).map((row) => [...row]);
  const rowOf = new Map();
  rows.forEach((row, r) => row.forEach((item) => rowOf.set(item, r)));
  for (const row of rows) pack(row, null, centre, size, columnGap);
  const near = new Map();
  const added = isLoop ? new Map() : addLanes(rows, rowOf, pairs, centre, size, near);
  if (!isLoop) for (const sweep of ["down", "up", "down", "up"]) straighten(rows, rowOf, near, centre, size, columnGap, sweep === "down");
  let left = Infinity;
  let right = -Infinity;
  for (const row of rows) {
    for (const item of row) {
      left = Math.min(left, centre.get(item) - size.get(item)[0] / 2);
      right = Math.max(right, centre.get(item) + size.get(item)[0] / 2);
    }
  }
  if (left > right) left = right = 0;
  const least = boxed ? Math.min(60 + 8 * group.name.length, 260) : 0;
  const width = Math.max(right - left + 2 * padding, least);
  const shift = (width - (right - left)) / 2 - left;
  const children = [];
  const tops = [];
  let y = padding + (boxed ? gaps.header : 0);
  rows.forEach((row) => {
    const height = Math.max(...row.map((item) => size.get(item)[1]));
    tops.push({ top: y, bottom: y + height });
    for (const item of row) {
      const [w, h] = size.get(item);
      if (item[0] === "l") continue;
      // Steps of a loop hang from one line, leaves stand on one.
      const down = isLoop ? 0 : kindOfItem(item) === "use" ? height - h : (height - h) / 2;
      children.push({ item, x: centre.get(item) - w / 2 + shift, y: y + down });
    }
    y += height + gaps.row;
  });
  if (rows.length > 0) y -= gaps.row;
  for (const [pair, list] of added) {
    lanes.set(pair, list.map((lane) => ({ x: centre.get(lane) + shift, ...tops[rowOf.get(lane)] })));
  }
  inside.set(index, children);
  size.set("g" + index, [width, y + padding]);
}

// Moves each row to the mean places of what is connected with it from above, or from below.
function straighten(rows, rowOf, near, centre, size, gap, down) {
  for (const row of down ? rows : [...rows].reverse()) {
    const wanted = row.map((item) => {
      const r = rowOf.get(item);
      const others = (near.get(item) || []).filter((other) => down ? rowOf.get(other) < r : rowOf.get(other) > r);
      if (others.length === 0) return centre.get(item);
      return others.reduce((sum, other) => sum + centre.get(other), 0) / others.length;
    });
    pack(row, wanted, centre, size, gap);
  }
}

// As near to the wanted places as can be without standing on each other, in the order of the row.
function pack(row, wanted, centre, size, gap) {
  const places = [];
  let end = -Infinity;
  row.forEach((item, i) => {
    const half = size.get(item)[0] / 2;
    const narrow = item[0] === "l" || (i > 0 && row[i - 1][0] === "l");
    const least = end === -Infinity ? -Infinity : end + (narrow ? gap / 2 : gap) + half;
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
    if (edge.sideways) {
      edge.lane = [];
      continue;
    }
    append(into, edge.to, edge);
    append(outOf, edge.from, edge);
  }
  const middle = (box) => box.x + box.w / 2;
  const spread = (list, box, towards, set) => {
    list.sort((p, q) => towards(p) - towards(q));
    const pitch = Math.min(16, (box.w - 24) / Math.max(list.length, 1));
    list.forEach((edge, i) => set(edge, middle(box) + (i - (list.length - 1) / 2) * pitch));
  };
  for (const list of into.values()) spread(list, list[0].b, (edge) => edge.lane.length > 0 ? edge.lane[edge.lane.length - 1].x : middle(edge.a), (edge, x) => { edge.x2 = x; });
  for (const list of outOf.values()) spread(list, list[0].a, (edge) => edge.lane.length > 0 ? edge.lane[0].x : middle(edge.b), (edge, x) => { edge.x1 = x; });
  for (const edge of edges) {
    if (!edge.sideways) {
      edge.y1 = edge.a.y + edge.a.h;
      edge.y2 = edge.b.y;
    } else {
      const right = middle(edge.b) >= middle(edge.a);
      edge.right = right;
      edge.x1 = right ? edge.a.x + edge.a.w : edge.a.x;
      edge.y1 = edge.a.y + edge.a.h / 2;
      edge.x2 = right ? edge.b.x : edge.b.x + edge.b.w;
      edge.y2 = edge.b.y + edge.b.h / 2;
    }
    const xs = [edge.x1, edge.x2, ...edge.lane.map((at) => at.x)];
    edge.left = Math.min(...xs);
    edge.width = Math.max(...xs) - edge.left;
    edge.top = Math.min(edge.y1, edge.y2);
    edge.height = Math.abs(edge.y1 - edge.y2);
  }
}
