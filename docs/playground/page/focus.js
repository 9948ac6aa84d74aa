// The focus stays where the reader can find it: what is hidden while it has the focus hands it on.
export function hide(element, heir) {
  const hasFocus = element.contains(document.activeElement);
  element.hidden = true;
  if (hasFocus) heir.focus();
}
