// A bar between two panes: dragged, or moved with the arrow keys, it gives the pane on its one side another width, which the
// style reads from a property. The playground has such bars too, and imports this file.
globalThis.movableBar = function movableBar(bar, { pane, property, isBefore, least = 200 }) {
  const main = pane.parentElement;
  const tell = () => bar.setAttribute("aria-valuenow", String(Math.round(100 * pane.offsetWidth / main.clientWidth)));
  const set = (width) => {
    const most = main.clientWidth - 2 * least;
    main.style.setProperty(property, Math.round(Math.max(least, Math.min(most, width))) + "px");
    tell();
  };
  tell();
  bar.addEventListener("pointerdown", (event) => {
    bar.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  bar.addEventListener("pointermove", (event) => {
    if (!bar.hasPointerCapture(event.pointerId)) return;
    const { left, right } = pane.getBoundingClientRect();
    set(isBefore ? event.clientX - left : right - event.clientX);
  });
  bar.addEventListener("keydown", (event) => {
    const direction = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!direction) return;
    event.preventDefault();
    event.stopPropagation();
    set(pane.offsetWidth + direction * (isBefore ? 24 : -24));
  });
};
