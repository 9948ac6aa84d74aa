// A text behind a line that opens it. `content` makes it when it is opened first.

import { make } from "./elements.js";

export function folded(title, content) {
  const details = document.createElement("details");
  details.append(make("summary", { textContent: title }));
  details.addEventListener("toggle", async () => details.append(await content()), { once: true });
  return details;
}
