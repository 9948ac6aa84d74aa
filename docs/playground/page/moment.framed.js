// In the replay page, as a part of this one.
let touched = false;

// Tells the page around it which moment is looked at, so that the next run opens at the same.
for (const event of ["keyup", "pointerup", "input", "change"]) {
  addEventListener(event, () => {
    touched = true;
    const step = Number(document.getElementById("slider").value);
    parent.postMessage({ backstep: "moment", step, node: backstep.selectedNode()?.id ?? null }, "*");
  });
}

addEventListener("message", ({ source, data }) => {
  if (source === parent && data?.backstep === "theme") backstep.setTheme(data.theme);
});

// A frame may get its size after its page has begun.
new ResizeObserver(() => {
  if (touched) return;
  backstep.fitReadable();
  backstep.draw();
}).observe(backstep.section);
