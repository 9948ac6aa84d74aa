// The line below the header: something that the reader should know.

import { elements } from "./elements.js";

// `action`: { text, run }, a button behind the sentence, which takes the notice away.
export function notice(text, { isBad = false, action = null } = {}) {
  elements.notice.textContent = text;
  elements.notice.hidden = !text;
  elements.notice.className = isBad ? "bad" : "";
  if (!action) return;
  const button = Object.assign(document.createElement("button"), { textContent: action.text });
  button.onclick = () => {
    notice("");
    action.run();
  };
  elements.notice.append(" ", button);
}
