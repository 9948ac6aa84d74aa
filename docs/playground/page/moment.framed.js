// In the replay page, as a part of this one.
let touched = false;
for (const event of ["keydown", "pointerdown", "input"]) addEventListener(event, () => { touched = true; }, true);

// Tells the page around it which moment is looked at, so that its line is marked, and the next run opens at the same.
function tell() {
  const step = Number(document.getElementById("slider").value);
  parent.postMessage({ backstep: "moment", touched, step, node: backstep.selectedNode()?.id ?? null, place: backstep.source.shown }, "*");
}
document.addEventListener("moment", tell);
tell();

backstep.over.openPass = (pass) => parent.postMessage({ backstep: "pass", pass }, "*");

addEventListener("message", ({ source, data }) => {
  if (source !== parent) return;
  if (data?.backstep === "theme") backstep.setTheme(data.theme);
  if (data?.backstep !== "line") return;
  const ids = backstep.source.opsOf(data.file).get(data.line);
  if (ids) backstep.source.next(data.line, ids);
});

// A frame may get its size after its page has begun.
new ResizeObserver(() => {
  if (touched) return;
  backstep.fitReadable();
  backstep.draw();
}).observe(backstep.section);
