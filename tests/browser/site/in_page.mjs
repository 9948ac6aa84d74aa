// What check_site.mjs asks a page. Each function is sent to the browser as text: it can use nothing from around it.

// start.js waits before it lets wide things be reached with the keyboard; colours that fade would be measured halfway.
export async function settle() {
  document.head.insertAdjacentHTML("beforeend", "<style>* { transition: none !important }</style>");
  document.querySelectorAll("details").forEach((details) => { details.open = true; });
  await new Promise((done) => setTimeout(done, 400));
}

// As the theme does when its reader prefers dark.
export function darkScheme(dark) {
  document.body.setAttribute("data-md-color-scheme", dark ? "slate" : "default");
}

export function brokenFormulas() {
  const bad = [...document.querySelectorAll(".arithmatex")].filter((formula) =>
    !formula.querySelector(".katex") || formula.querySelector(".katex-error, [style*='color:#cc0000'], [mathcolor='#cc0000']"));
  const faults = bad.map((formula) => "a formula is not drawn: " + formula.textContent.slice(0, 100));
  const texts = document.createTreeWalker(document.querySelector("article"), NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { data, parentElement } = texts.currentNode;
    const found = parentElement.closest("code, pre, .katex, .arithmatex") ? null : /\$\$|\\[([]|\$[^\s$][^$]*\$/.exec(data);
    if (found) faults.push("a formula was taken for text: " + data.slice(found.index, found.index + 80));
  }
  return faults;
}

export function brokenHeadings() {
  const headings = [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")];
  const first = headings.filter((heading) => heading.tagName === "H1").length;
  const faults = first === 1 ? [] : [first + " headings of the first level"];
  headings.forEach((heading, i) => {
    const level = Number(heading.tagName[1]);
    const above = i === 0 ? 0 : Number(headings[i - 1].tagName[1]);
    if (level > above + 1) faults.push(`a heading of level ${level} after level ${above}: ${heading.textContent}`);
  });
  return faults;
}

export function brokenImages() {
  return [...document.images].filter((image) => !image.complete || image.naturalWidth === 0).map((image) => "no picture at " + image.src);
}

export function linksOf() {
  return [...document.querySelectorAll("a[href]")].map((link) => link.href);
}

// Within ten seconds.
// The results of a search: { to, text } of each, the best first.
export async function searchResults() {
  for (let i = 0; i < 100; ++i) {
    const links = [...document.querySelectorAll(".md-search-result__link")];
    if (links.length > 0) return links.map((link) => ({ to: link.href, text: link.textContent }));
    await new Promise((done) => setTimeout(done, 100));
  }
  return [];
}

// What is wider than the window and in no frame that scrolls.
export function tooWide() {
  const faults = [];
  const page = document.documentElement.scrollWidth;
  if (page > innerWidth) faults.push(`the page is ${page} pixels wide`);
  const scrolls = (element) => /auto|scroll/.test(getComputedStyle(element).overflowX);
  (function visit(element) {
    // MathML is for those who listen; a root's sign is drawn far too long, and cut off.
    if (scrolls(element) || element.matches(".katex-mathml, .katex svg")) return;
    const { left, right } = element.getBoundingClientRect();
    if (right > innerWidth + 1 || left < -1) faults.push(`${element.outerHTML.slice(0, 80)} reaches from ${Math.round(left)} to ${Math.round(right)}`);
    else for (const child of element.children) visit(child);
  })(document.querySelector("article"));
  return faults;
}

// Formulas, once they are checked, and the words of programs beyond one of each colour: axe would take long with them.
export function withoutDetails() {
  document.querySelectorAll(".katex").forEach((formula) => formula.replaceWith("formula"));
  const known = new Set();
  for (const word of document.querySelectorAll("pre code span:not(:has(*))")) {
    if (known.has(word.className)) word.replaceWith(word.textContent);
    known.add(word.className);
  }
}

// Removes texts of which one like it has been seen, on this page or on one before it in this tab: what decides its colours is
// the same, and a fault has been found there.
export function withoutKnownColours() {
  const known = new Set(JSON.parse(sessionStorage.getItem("known") ?? "[]"));
  const kind = (element) => !element ? "" : `${kind(element.parentElement)}>${element.tagName}.${element.className}${element.style.cssText}`;
  for (const element of [...document.body.querySelectorAll("*")].reverse()) {
    if (element.childElementCount === 0 && known.has(kind(element))) element.remove();
    else known.add(kind(element));
  }
  sessionStorage.setItem("known", JSON.stringify([...known]));
}
