// In the replay page: tells the page around it which moment is looked at, so that the next run opens at the same, and
// takes its colours.
for (const event of ["keyup", "pointerup", "input", "change"]) {
  addEventListener(event, () => {
    const step = Number(document.getElementById("slider").value);
    parent.postMessage({ backstep: "moment", step, node: backstep.selectedNode()?.id ?? null }, "*");
  });
}

addEventListener("message", ({ source, data }) => {
  if (source === parent && data?.backstep === "theme") backstep.setTheme(data.theme);
});
