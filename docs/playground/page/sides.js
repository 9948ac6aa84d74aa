// On a narrow screen the page shows one of its sides at a time, and buttons that choose it.

import { elements } from "./elements.js";

export const isNarrow = () => getComputedStyle(elements.sides).display !== "none";

export function showSide(side) {
  document.body.dataset.side = side;
  for (const button of elements.sides.children) button.setAttribute("aria-pressed", String(button.dataset.side === side));
}

export function wireSides() {
  for (const button of elements.sides.children) button.onclick = () => showSide(button.dataset.side);
}
