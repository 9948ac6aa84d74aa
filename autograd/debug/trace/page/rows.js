// Who stands beside and above whom: the items of each group in rows, from its inputs down to its outputs. place.js gives
// them coordinates. An item is "n17", an op by its id, "u3", a use of a leaf, or "g2", a group. Pure functions without the
// browser.
//
// Two kinds of groups are made here: "loop", the steps of one loop in a single row, and "between", what ran between two
// of its steps.

function numberOf(item) {
  return Number(item.slice(1));
}

// The node that an item stands for.
function idOf(model, item) {
  return item[0] === "u" ? model.trace.uses[numberOf(item)].leaf : numberOf(item);
}

// The item at which a node is looked at: of a leaf, its first use; null if it is not in the picture.
function itemOf(model, id) {
  const node = model.nodes.get(id);
  if (!node) return null;
  if (!node.isLeaf) return "n" + id;
  return node.uses.length > 0 ? "u" + node.uses[0] : null;
}

// The group that an item stands in; undefined for the whole program.
function groupOf(model, item) {
  if (item[0] === "g") return model.groups[numberOf(item)].parent;
  return model.nodes.get(item[0] === "n" ? numberOf(item) : model.trace.uses[numberOf(item)].user).group;
}

function setGroup(model, item, group) {
  if (item[0] === "g") model.groups[numberOf(item)].parent = group;
  if (item[0] === "n") model.nodes.get(numberOf(item)).group = group;  // a use stands beside its user
}

// The item that an input comes from; null if it is not in the picture.
function sourceOf(model, input) {
  if (input.use !== undefined) return "u" + input.use;
  return model.nodes.has(input.node) ? "n" + input.node : null;
}

function addRows(model) {
  for (const group of model.groups) Object.assign(group, { items: [], edges: [], rows: [] });
  collectItems(model);
  const count = model.groups.length;
  for (let index = 0; index < count; ++index) gatherLoops(model, index);
  collectEdges(model);
  model.groups.forEach(fillRows);
}

// In the order of the program. Ops of one call are not interrupted by ops of another, so that edges between the items of a
// group lead only from earlier to later ones.
function collectItems(model) {
  const usesOf = new Map();
  model.trace.uses.forEach((use, i) => append(usesOf, use.user, "u" + i));
  for (const node of model.order) for (const item of [...(usesOf.get(node.id) || []), "n" + node.id]) enter(model, item);
}

// A group enters the one around it together with the first of its own items.
function enter(model, item) {
  for (let parent = groupOf(model, item); parent !== undefined; parent = groupOf(model, item)) {
    const { items } = model.groups[parent];
    items.push(item);
    if (items.length > 1) return;
    item = "g" + parent;
  }
}

// ---- loops --------------------------------------------------------------------------------------------------------

function isStep(model, item) {
  return item[0] === "g" && model.groups[numberOf(item)].kind === "step";
}

function gatherLoops(model, index) {
  const { items } = model.groups[index];
  const gathered = [];
  for (let i = 0; i < items.length;) {
    const end = isStep(model, items[i]) ? endOfLoop(model, items, i) : i;
    gathered.push(end > i ? makeLoop(model, items.slice(i, end), index) : items[i]);
    i = Math.max(end, i + 1);
  }
  model.groups[index].items = gathered;
}

// A step number that comes again belongs to another loop.
function endOfLoop(model, items, begin) {
  const seen = new Set();
  let end = begin;
  for (let i = begin; i < items.length; ++i) {
    if (!isStep(model, items[i])) continue;
    const { step } = model.groups[numberOf(items[i])];
    if (seen.has(step)) break;
    seen.add(step);
    end = i + 1;
  }
  return end;
}

function makeLoop(model, items, parent) {
  const add = (kind, around) => model.groups.push({ kind, parent: around, name: "", items: [], edges: [], rows: [] }) - 1;
  const loop = add("loop", parent);
  const columns = [];
  let between = null;
  for (const item of items) {
    if (isStep(model, item)) {
      columns.push(item);
      setGroup(model, item, loop);
      between = null;
      continue;
    }
    if (between === null) {
      between = add("between", loop);
      columns.push("g" + between);
    }
    setGroup(model, item, between);
    model.groups[between].items.push(item);
  }
  // A loop that runs backwards in time is drawn forwards, so that equal times have equal places.
  const stepOf = (item) => model.groups[numberOf(item)].step;
  if (stepOf(columns[0]) > stepOf(columns[columns.length - 1])) columns.reverse();
  model.groups[loop].items = columns;
  return "g" + loop;
}

// ---- edges --------------------------------------------------------------------------------------------------------

function depthOf(model, group) {
  const { groups } = model;
  const way = [];
  for (let at = group; at !== undefined && groups[at].depth === undefined; at = groups[at].parent) way.push(groups[at]);
  for (const one of way.reverse()) one.depth = one.parent === undefined ? 0 : groups[one.parent].depth + 1;
  return groups[group].depth;
}

// An edge belongs to the innermost group that contains both ends.
function collectEdges(model) {
  for (const node of model.order) {
    for (const input of node.inputs) {
      let from = sourceOf(model, input);
      if (from === null) continue;
      let to = "n" + node.id;
      let [outer, inner] = [groupOf(model, from), groupOf(model, to)];
      while (outer !== inner) {
        if (depthOf(model, outer) >= depthOf(model, inner)) {
          from = "g" + outer;
          outer = groupOf(model, from);
        } else {
          to = "g" + inner;
          inner = groupOf(model, to);
        }
      }
      if (from !== to) model.groups[outer].edges.push([from, to]);
    }
  }
}

// ---- rows -----------------------------------------------------------------------------------------------------------

function fillRows(group) {
  const layers = layersOf(group);
  const rows = [];
  for (const item of group.items) {
    const layer = group.kind === "loop" ? 0 : layers.get(item);
    while (rows.length <= layer) rows.push([]);
    rows[layer].push(item);
  }
  group.rows = rows.filter((row) => row.length > 0);
  if (group.kind !== "loop") orderRows(group, layers);
}

// The longest way to each item.
function layersOf({ items, edges }) {
  const before = new Map();
  const after = new Map();
  for (const [from, to] of edges) {
    append(before, to, from);
    append(after, from, to);
  }
  const layers = new Map();
  for (const item of items) {
    layers.set(item, (before.get(item) || []).reduce((layer, from) => Math.max(layer, layers.get(from) + 1), 0));
  }
  // An item without inputs in this group is placed directly above the first that uses it.
  for (const item of items) {
    if (before.has(item) || !after.has(item)) continue;
    layers.set(item, after.get(item).reduce((layer, to) => Math.min(layer, layers.get(to) - 1), Infinity));
  }
  return layers;
}

// Sweeps down and up: sorts each row by the mean place of the items that its own are connected with. Places are counted
// from the middle of a row.
function orderRows(group, layers) {
  const near = new Map();
  for (const [from, to] of group.edges) {
    append(near, from, to);
    append(near, to, from);
  }
  const place = new Map();
  const setPlaces = (row) => row.forEach((item, i) => place.set(item, i - (row.length - 1) / 2));
  group.rows.forEach(setPlaces);
  for (const down of [true, false, true, false, true, false]) {
    for (const row of down ? group.rows : [...group.rows].reverse()) {
      const wanted = new Map(row.map((item) => {
        const others = (near.get(item) || []).filter((other) => (layers.get(other) < layers.get(item)) === down);
        return [item, others.length > 0 ? others.reduce((sum, other) => sum + place.get(other), 0) / others.length : place.get(item)];
      }));
      row.sort((a, b) => wanted.get(a) - wanted.get(b));
      setPlaces(row);
    }
  }
}
