"""What the site (docs/site/mkdocs.yml) needs beyond Markdown: the exercises' texts as pages, links to files outside of docs/, blocks
whose opening line says how they are tested, a search that needs no server, formulas.

On a git host a page links to ../autograd/ops/ops.h. Here every file that is linked like this becomes a page with its text,
source/autograd/ops/ops.h, so that nothing leads out of the site.
"""

import json
import os
import posixpath
import re
import shutil
import tempfile
from pathlib import Path

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File
from mkdocs.utils import get_relative_url

TOP = Path(__file__).resolve().parents[2]
KATEX = Path("/usr/share/javascript/katex")
LINK = re.compile(r"(!?\[[^\]]*\])\(([^)\s]+)\)")
FENCE = re.compile(r"^```(\w+) (.+)$", re.MULTILINE)
LANGUAGES = {".cpp": "cpp", ".h": "cpp", ".py": "python", ".cmake": "cmake", ".sh": "bash", ".yml": "yaml", ".json": "json"}

_generated = Path(tempfile.mkdtemp(prefix="backstep-site-"))


# ---- where things are -----------------------------------------------------------------------------------------

def exercises():
    """The folders in the order of their numbers."""
    return sorted(path for path in (TOP / "exercises/lessons").glob("[0-9]*_*") if (path / "README.md").is_file())


def is_page(path):
    """Is this file of the project, "docs/errors.md", a page of its own on the site?"""
    in_course = re.fullmatch(r"exercises/(lessons/\d\w+/)?README\.md", path)
    return path.endswith(".md") and (path.startswith("docs/") or in_course is not None)


def in_docs(path):
    """docs/playground/ holds the sources of another page, docs/site/ this file."""
    return path.startswith("docs/") and not path.startswith(("docs/playground/", "docs/site/"))


def page_of(path):
    """Where a file of the project is on the site: "errors.md", "exercises/lessons/25_linear_layer/README.md", "source/..."."""
    if in_docs(path):
        return path[len("docs/"):]
    if is_page(path):
        return path
    if (TOP / path).is_dir():
        return page_of(path + "/README.md") if (TOP / path / "README.md").is_file() else f"source/{path}/README.md"
    return f"source/{path}.md"


def project_path(page):
    """The other way round, for pages that people wrote."""
    return page if page.startswith("exercises/") else "docs/" + page


# ---- pages that the site has and docs/ has not ------------------------------------------------------------------

def write_page(page, text):
    path = _generated / page
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def source_page(path):
    """The Markdown of a page that shows a file, or the files of a folder."""
    where = TOP / path
    if where.is_dir():
        names = sorted(p.name for p in where.iterdir() if p.is_file())
        return f"# {path}/\n\n" + "".join(f"- `{name}`\n" for name in names)
    fence = "````"
    language = LANGUAGES.get(where.suffix, "text")
    try:
        text = where.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        text = "(not a text)"
    return f"# {path}\n\n{fence}{language}\n{text}\n{fence}\n"


def linked_files(text, page):
    """The files of the project outside of docs/ to which a page links, "autograd/ops/ops.h"."""
    folder = posixpath.dirname(project_path(page))
    for link in LINK.finditer(without_code(text)):
        target = link.group(2).split("#")[0]
        if not target or "://" in target:
            continue
        path = posixpath.normpath(posixpath.join(folder, target))
        if not in_docs(path) and not is_page(path) and not page_of(path).startswith("exercises/"):
            yield path


def without_code(text):
    return re.sub(r"^```.*?^```$|`[^`\n]*`", "", text, flags=re.MULTILINE | re.DOTALL)


# ---- hooks --------------------------------------------------------------------------------------------------------

def on_config(config):
    for section in config["nav"]:
        if isinstance(section, dict) and "The course" in section:
            section["The course"] = ["exercises/README.md"] + [f"exercises/lessons/{p.name}/README.md" for p in exercises()]
            section["The course"] += ["course.md"] if (TOP / "docs/course.md").is_file() else []
            section["The course"] += ["writing-an-exercise.md"]
    return config


def on_files(files, config):
    def add(path, folder):
        files.append(File(path, str(folder), config["site_dir"], config["use_directory_urls"]))

    for file in [file for file in files if not in_docs("docs/" + file.src_uri)]:
        files.remove(file)

    add("exercises/README.md", TOP)
    for folder in exercises():
        add(f"exercises/lessons/{folder.name}/README.md", TOP)

    sources = set()
    for page in files.documentation_pages():
        text = Path(page.abs_src_path).read_text(encoding="utf-8")
        sources.update(linked_files(text, page.src_uri))
    for path in sorted(sources):
        if not (TOP / path).exists():
            raise PluginError(f"a page links to {path}, which does not exist")
        write_page(page_of(path), source_page(path))
        add(page_of(path), _generated)

    for path in katex_files():
        add(path, _generated)
    return files


def on_page_markdown(text, page, config, files):
    here = page.file.src_uri
    if here.startswith("source/"):
        return text
    folder = posixpath.dirname(project_path(here))

    def rewritten(link):
        label, target = link.groups()
        path, hash_sign, anchor = target.partition("#")
        if not path or "://" in target:
            return link.group(0)
        to = page_of(posixpath.normpath(posixpath.join(folder, path)))
        return f"{label}({posixpath.relpath(to, posixpath.dirname(here) or '.')}{hash_sign}{anchor})"

    parts = re.split(r"(^```.*?^```$)", text, flags=re.MULTILINE | re.DOTALL)  # prose and blocks in turn
    for i, part in enumerate(parts):
        # "```cpp from FILE" is a block with a title, "```cpp continued" one without.
        parts[i] = FENCE.sub(title_of_fence, part) if i % 2 else LINK.sub(rewritten, part)
    return "".join(parts)


def title_of_fence(fence):
    language, rest = fence.groups()
    origin = re.fullmatch(r"from (\S+)", rest)
    return f'```{language} title="{origin.group(1)}"' if origin else f"```{language}"


def on_post_page(output, page, config):
    before = "<script src="  # the theme looks for what the script says when it starts
    script = get_relative_url("search/from_folder.js", page.url)
    return output.replace(before, f'<script src="{script}"></script>{before}', 1)


def on_post_build(config):
    write_search(Path(config["site_dir"]))
    shutil.rmtree(_generated, ignore_errors=True)


# ---- search -------------------------------------------------------------------------------------------------------

def write_search(site):
    """The search's index and its worker once more, as scripts."""
    [worker] = (site / "assets/javascripts/workers").glob("search.*.js")
    index = (site / "search/search_index.json").read_text(encoding="utf-8")
    (site / "search/index.js").write_text(f"window.searchIndex = {index};\n", encoding="utf-8")
    from_folder = SEARCH.replace("WORKER", json.dumps(worker.read_text(encoding="utf-8")))
    (site / "search/from_folder.js").write_text(from_folder, encoding="utf-8")


SEARCH = r"""
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
"""


# ---- formulas -----------------------------------------------------------------------------------------------------

def katex_files():
    """KaTeX of the system, copied; with what starts it."""
    if not KATEX.is_dir():
        raise PluginError(f"there is no {KATEX}; on Debian and Ubuntu: apt install libjs-katex")
    wanted = {"katex/katex.min.js": KATEX / "katex.min.js", "katex/katex.min.css": KATEX / "katex.min.css",
              "katex/auto-render.js": KATEX / "contrib/auto-render.js"}
    for font in sorted(os.listdir(KATEX / "fonts")):
        if font.endswith(".woff2"):
            wanted[f"katex/fonts/{font}"] = KATEX / "fonts" / font
    for path, source in wanted.items():
        (_generated / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, _generated / path)
    write_page("katex/start.js", START)
    write_page("katex/site.css", STYLE)
    return [*wanted, "katex/start.js", "katex/site.css"]


START = r"""
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
// the page's own event. A picture becomes smaller only until its smallest text, of 12 pixels, has 9.
window.addEventListener("load", function () {
  document.querySelectorAll(".md-content img").forEach(function (picture) {
    picture.style.minWidth = Math.round(0.75 * picture.naturalWidth) + "px";
    picture.parentElement.classList.add("picture");
  });
  setTimeout(function () {
    document.querySelectorAll("pre > code, .katex-display, .md-typeset__scrollwrap, .picture").forEach(function (wide) {
      if (wide.scrollWidth > wide.clientWidth) wide.tabIndex = 0;
    });
  }, 300);
});
"""

STYLE = """
.md-typeset pre > code { font-size: 0.75em; }
.md-typeset .katex-display { overflow-x: auto; overflow-y: hidden; margin: 0; padding: 0.2em 0; }
.md-typeset .katex { position: relative; }  /* its MathML would widen the page */
.md-typeset .picture { overflow-x: auto; }
.md-grid { max-width: 72rem; }
.md-content a:not(.headerlink) { text-decoration: underline; text-underline-offset: 0.15em; }
.md-typeset blockquote, .md-typeset h1 { color: inherit; }
.md-typeset .filename, .md-typeset h1 { overflow-wrap: anywhere; }  /* a path is one long word */
[data-md-color-scheme=default] {
  color-scheme: light;
  --md-code-hl-comment-color: #57606a;
  --md-code-hl-generic-color: #57606a;
  --md-code-hl-operator-color: #57606a;
  --md-code-hl-punctuation-color: #57606a;
  --md-code-hl-variable-color: #57606a;
}
/* The ground is that of the pictures, which follow the page. */
[data-md-color-scheme=slate] {
  color-scheme: dark;
  --md-default-bg-color: #0d1117;
  --md-code-bg-color: #161b22;
  --md-code-hl-comment-color: #a9b4c0;
  --md-typeset-a-color: #8ebccd;
}
.md-footer-meta .md-copyright, .md-footer-meta .md-copyright a { color: #d5dce0; }
"""
