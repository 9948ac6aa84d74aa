// What the browser keeps for the next visit. Where it may not (private windows), nothing is kept.

export function recall(name) {
  try {
    return JSON.parse(localStorage.getItem("backstep." + name));
  } catch {
    return null;
  }
}

export function remember(name, value) {
  try {
    localStorage.setItem("backstep." + name, JSON.stringify(value));
  } catch {
    // The page works without.
  }
}
