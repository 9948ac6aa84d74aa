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
SITE = TOP / "docs/site"
COLOURS = TOP / "autograd/debug/trace/page/colours.css"
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
    """Where a file of the project is on the site: "errors.md", "exercises/lessons/19_linear_layer/README.md", "source/..."."""
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
            section["The course"] += ["ten-messages.md", "writing-an-exercise.md"]
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

    for path in [*katex_files(), *own_files()]:
        add(path, _generated)
    return files


def on_page_markdown(text, page, config, files):
    here = page.file.src_uri
    if here.startswith("source/"):
        return text
    if here == "README.md":
        page.meta["hide"] = ["toc"]  # room for the picture
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
    origin = re.fullmatch(r"(?:global )?from (\S+)", rest)
    return f'```{language} title="{origin.group(1)}"' if origin else f"```{language}"


def on_post_page(output, page, config):
    before = "<script src="  # the theme looks for what the script says when it starts
    script = get_relative_url("search/from_folder.js", page.url)
    return output.replace(before, f'<script src="{script}"></script>{before}', 1)


def on_post_build(config):
    write_search(Path(config["site_dir"]))
    shutil.rmtree(_generated, ignore_errors=True)


# ---- search -------------------------------------------------------------------------------------------------------

FORMULA = re.compile(r"\\\(.*?\\\)|\\\[.*?\\\]", re.DOTALL)
CHAPTER = re.compile(r"\d\d-")


def write_search(site):
    """Chapters first, and no TeX. The index and the search's worker once more, as scripts."""
    at = site / "search/search_index.json"
    index = json.loads(at.read_text(encoding="utf-8"))
    index["docs"] = [entry for entry in index["docs"] if not entry["location"].startswith("source/")]
    for entry in index["docs"]:
        entry["title"] = FORMULA.sub("", entry["title"])
        entry["text"] = FORMULA.sub("", entry["text"])
        entry["boost"] = 10 if CHAPTER.match(entry["location"]) else 1
    text = json.dumps(index)
    at.write_text(text, encoding="utf-8")
    (site / "search/index.js").write_text(f"window.searchIndex = {text};\n", encoding="utf-8")
    [path] = (site / "assets/javascripts/workers").glob("search.*.js")
    worker = re.sub(r"this\.add\((\w)\)", r"this.add(\1,{boost:\1.boost})", path.read_text(encoding="utf-8"))  # an older theme knows no boost
    path.write_text(worker, encoding="utf-8")
    from_folder = (SITE / "search_from_folder.js").read_text(encoding="utf-8").replace("WORKER", json.dumps(worker))
    (site / "search/from_folder.js").write_text(from_folder, encoding="utf-8")


# ---- what pages load ------------------------------------------------------------------------------------------------

def katex_files():
    """KaTeX of the system, copied."""
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
    return wanted


def own_files():
    """What lies beside this file, and the playground's colours."""
    colours = COLOURS.read_text(encoding="utf-8")
    light = colours.replace(':root[data-theme="dark"]', "[data-md-color-scheme=slate]").replace(":root", "[data-md-color-scheme=default]")
    write_page("site/colours.css", light)
    for name in ["site.css", "start.js", "mark.svg"]:
        write_page(f"site/{name}", (SITE / name).read_text(encoding="utf-8"))
    return ["site/colours.css", "site/site.css", "site/start.js", "site/mark.svg"]
