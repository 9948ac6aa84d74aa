// What the theme does not do: formulas, pictures and code that are wider than the page, names for those who listen.
document.addEventListener("DOMContentLoaded", function () {
  document.querySelectorAll(".arithmatex").forEach(function (formula) {
    renderMathInElement(formula, {
      delimiters: [{ left: "\\(", right: "\\)", display: false }, { left: "\\[", right: "\\]", display: true }],
      throwOnError: false,
    });
  });

  // What the theme forgets for those who listen, and for those without a mouse.
  document.querySelector(".md-search").setAttribute("aria-label", "Search");
  document.querySelector(".md-search__scrollwrap").tabIndex = 0;
});

// Who has no mouse scrolls what is too wide with the arrow keys, once it can be reached. The theme is done with it after
// the page's own event. A drawing becomes smaller only until its smallest text, of 12 pixels, has 9; a photograph of the screen, to half.
window.addEventListener("load", function () {
  document.querySelectorAll(".md-content img").forEach(function (picture) {
    picture.style.minWidth = Math.round((picture.src.endsWith(".svg") ? 0.75 : 0.5) * picture.naturalWidth) + "px";
    picture.parentElement.classList.add("picture");
  });
  setTimeout(function () {
    document.querySelectorAll("pre > code, .katex-display, .md-typeset__scrollwrap, .picture").forEach(function (wide) {
      if (wide.scrollWidth > wide.clientWidth) wide.tabIndex = 0;
    });
  }, 300);
});
