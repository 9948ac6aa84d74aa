"""The playground beside the book's text (docs/site/mkdocs.yml): the site has it when docs/playground/build has built it. The programs of
a page's snippets are then a file, beside/programs/PAGE.json, and docs/playground/beside/buttons.js gives each its buttons.

A snippet becomes a program in tests/docs/one_snippet.cpp, as for docs/try: docs_tool of build/release writes it here too.
"""

import json
import logging
import re
import shutil
import subprocess
from pathlib import Path

from mkdocs.exceptions import PluginError
from mkdocs.structure.nav import Link
from mkdocs.utils import get_relative_url

TOP = Path(__file__).resolve().parents[2]
PLAYGROUND = TOP / "build/playground"
TOOL = TOP / "build/release/tests/docs/docs_tool"
COURSE = "playground/course.html"
FIRST = {"Try a program in the playground, with nothing installed": "playground/index.html",
         "Do the course in the browser, with nothing installed": COURSE}
LINKS = {"The playground": "playground/index.html", "The course, in the browser": COURSE}

BLOCK = re.compile(r"^```(\w*)(.*)\n((?:.*\n)*?)```$", re.MULTILINE)
EXERCISE = re.compile(r"exercises/lessons/(\d\w+)/README\.md")
# What the playground cannot run: programs that draw with tests/docs, or write into its folder of pictures.
STAYS = re.compile(r'#include "docs/|"pictures/')

_programs = {}  # of each page, by their numbers


def is_there():
    return (PLAYGROUND / "index.html").is_file() and TOOL.is_file()


def docs_tool(command, name, *more):
    ran = subprocess.run([TOOL, command, TOP / name, name, *more], capture_output=True, text=True)
    if ran.returncode != 0:
        raise PluginError(f"docs_tool {command} {name}: {ran.stderr}")
    return ran.stdout


def on_config(config):
    if not is_there():
        missing = "docs/playground/build" if TOOL.is_file() else "cmake --build build/release --target docs_tool"
        logging.getLogger("mkdocs.hooks").info("The site is built without the playground; it wants %s", missing)
    return config


def on_page_markdown(text, page, config, files):
    here = page.file.src_uri
    exercise = EXERCISE.fullmatch(here)
    if exercise and is_there():
        return f"{text}\n\n{in_browser({'Write it here, in the browser': exercise[1]}, page)}\n"
    if here == "README.md" and is_there():
        text = text.replace("</div>", f'</div>\n\n<div class="ways">{ways(FIRST.items(), page)}</div>', 1)
    if not is_there() or "/" in here or not re.search(r"^```cpp", text, re.MULTILINE):
        return text
    name = "docs/" + here
    kinds = docs_tool("kinds", name).split()
    programs = {}
    count = 0

    def with_id(block):
        nonlocal count
        language, words, code = block.groups()
        if language != "cpp" or words.startswith(" from ") or " nocheck" in words:
            return block.group(0)
        count += 1
        kind = kinds[count - 1] if count <= len(kinds) else "defines"
        program = "" if kind == "defines" else docs_tool("extract", name, str(count))
        if not program or STAYS.search(program):
            return block.group(0)
        programs[count] = {"text": program, "steps": kind == "steps"}
        return f"```{{.cpp #snippet-{count}}}\n{code}```"

    text = BLOCK.sub(with_id, text)
    if count != len(kinds):
        raise PluginError(f"{name} has {count} snippets, and docs_tool finds {len(kinds)}")
    if programs:
        _programs[here] = programs
    if re.match(r"\d\d-", here):
        named = {name.replace("_", " "): name for name in EXERCISE.findall(text)}
        text += f"\n\n{in_browser(named, page)}\n" if named else ""
    return text


def in_browser(exercises, page):
    return f'<p>In the browser:</p><div class="ways">{ways({title: COURSE + "#" + name for title, name in exercises.items()}.items(), page)}</div>'


def ways(links, page):
    return "".join(f'<a class="in-browser" href="{get_relative_url(to, page.url)}">{title}</a>' for title, to in links)


def on_nav(nav, config, files):
    # As links: no page of docs/ stands behind them.
    nav.items += [Link(title, path) for title, path in LINKS.items() if is_there() and (PLAYGROUND.parent / path).is_file()]
    return nav


def programs_file(page):
    return f"beside/programs/{Path(page).stem}.json"


def on_post_page(output, page, config):
    if page.file.src_uri not in _programs:
        return output

    def address(path):
        return get_relative_url(path, page.url)

    return output.replace("</head>", f'<link rel="stylesheet" href="{address("beside/buttons.css")}"></head>', 1).replace(
        "</body>", f'<script type="module" src="{address("beside/buttons.js")}" '
        f'data-programs="{address(programs_file(page.file.src_uri))}"></script></body>', 1)


def on_post_build(config):
    if not is_there():
        return
    site = Path(config["site_dir"])
    shutil.copytree(PLAYGROUND, site / "playground", dirs_exist_ok=True)
    for path in ("index.html", "course.html"):
        page = site / "playground" / path
        page.write_text(page.read_text().replace('name="book" content=""', 'name="book" content="../"'))
    shutil.copyfile(PLAYGROUND / "offline.js", site / "offline.js")  # at the top, for all pages
    (site / "playground/beside").rename(site / "beside")
    (site / "beside/programs").mkdir(exist_ok=True)
    for page, programs in _programs.items():
        (site / programs_file(page)).write_text(json.dumps(programs), encoding="utf-8")
