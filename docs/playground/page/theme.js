// Light or dark: as the system has it, until the reader chooses.

import { recall, remember } from "./stored.js";

const dark = matchMedia("(prefers-color-scheme: dark)");

export const theme = () => recall("theme") ?? (dark.matches ? "dark" : "light");

export function followTheme(button, onChange) {
  const apply = () => {
    document.documentElement.dataset.theme = theme();
    onChange();
  };
  button.onclick = () => {
    remember("theme", theme() === "dark" ? "light" : "dark");
    apply();
  };
  dark.onchange = apply;
  window.addEventListener("storage", apply);  // chosen elsewhere: in another tab, or by the page around this one
  document.documentElement.dataset.theme = theme();
}
