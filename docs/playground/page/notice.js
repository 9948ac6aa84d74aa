// The line below the header: something that the reader should know.

import { elements, make } from "./elements.js";

// `action`: { text, run }, a button behind the sentence, which takes the notice away.
export function notice(text, { isBad = false, action = null } = {}) {
  const heir = document.querySelector(".cm-content") ?? elements.editor;
  if (elements.notice.contains(document.activeElement)) heir.focus();
  elements.notice.textContent = text;
  elements.notice.hidden = !text;
  elements.notice.className = isBad ? "bad" : "";
  if (!action) return;
  const button = make("button", { textContent: action.text });
  button.onclick = () => {
    notice("");
    action.run();
  };
  elements.notice.append(" ", button);
}

let isTold = false;

// What is loaded again, and that it has been.
export const retries = {
  onRetry(text) {
    isTold = true;
    notice(`Something did not load (${text}). It is tried again.`);
  },
  ended() {
    if (isTold) notice("");
    isTold = false;
  },
};
