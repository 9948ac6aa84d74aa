// A text behind a line that opens it. `content` makes it when it is opened first.
export function folded(title, content) {
  const details = document.createElement("details");
  details.append(Object.assign(document.createElement("summary"), { textContent: title }));
  details.addEventListener("toggle", async () => details.append(await content()), { once: true });
  return details;
}
