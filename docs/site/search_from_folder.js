// A browser reads neither an index nor a worker from a folder, but it runs scripts. The index is loaded when it is wanted.
if (location.protocol === "file:") {
  const indexScript = new URL("index.js", document.currentScript.src);
  window.__search = {
    worker: URL.createObjectURL(new Blob([WORKER], { type: "text/javascript" })),
    index: new Promise(function (found) {
      document.addEventListener("focusin", function load(event) {
        if (!event.target.matches(".md-search__input")) return;
        document.removeEventListener("focusin", load);
        const script = document.createElement("script");
        script.src = indexScript;
        script.onload = function () { found(window.searchIndex); };
        document.head.append(script);
      });
    }),
  };
}
