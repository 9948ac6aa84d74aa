"""The playground beside the book's text (.mkdocs.yml): the site has it when docs/playground/build has built it. A page then
holds the programs of its snippets, and docs/playground/beside/panel.js gives each of them its buttons.

A snippet becomes a program in tests/docs/one_snippet.cpp, as for docs/try: docs_tool of build/release writes it here too.
"""

import json
import logging
import re
import shutil
import subprocess
from pathlib import Path

from mkdocs.exceptions import PluginError
from mkdocs.utils import get_relative_url

TOP = Path(__file__).resolve().parent
PLAYGROUND = TOP / "build/playground"
TOOL = TOP / "build/release/tests/docs/docs_tool"
SCRIPTS = [TOP / "docs/playground/beside/panel.js", TOP / "docs/playground/beside/panel.css", TOP / "docs/playground/page/share.js"]

BLOCK = re.compile(r"^```(\w*)(.*)\n((?:.*\n)*?)```$", re.MULTILINE)
LISTED = re.compile(r"^ *(\d+)  (.*)$", re.MULTILINE)
# What the playground cannot run: programs that draw with tests/docs or write into its folder of pictures; and those with a Node
# of their own, which the frame around a snippet makes ambiguous with that of the engine.
STAYS = re.compile(r'#include "docs/|"pictures/|^struct Node\b', re.MULTILINE)

_programs = {}  # of a page, by the id of the block


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
    if not is_there() or "/" in here or not re.search(r"^```cpp", text, re.MULTILINE):
        return text
    name = "docs/" + here
    listed = LISTED.findall(docs_tool("list", name))
    programs = _programs[here] = {}
    count = 0

    def with_id(block):
        nonlocal count
        language, words, code = block.groups()
        if language != "cpp" or words.startswith(" from ") or " nocheck" in words:
            return block.group(0)
        count += 1
        is_definition = count <= len(listed) and listed[count - 1][1].endswith("(definitions for those that follow)")
        program = "" if is_definition or count > len(listed) else docs_tool("extract", name, str(count))
        if not program or STAYS.search(program):
            return block.group(0)
        programs[f"snippet-{count}"] = program
        return f"```{{.cpp #snippet-{count}}}\n{code}```"

    text = BLOCK.sub(with_id, text)
    if count != len(listed):
        raise PluginError(f"{name} has {count} snippets, and docs_tool lists {len(listed)}")
    return text


def on_post_page(output, page, config):
    programs = _programs.pop(page.file.src_uri, {})
    if not programs:
        return output

    def address(path):
        return get_relative_url(path, page.url)

    as_json = json.dumps(programs).replace("<", "\\u003c")  # no "</script>" within
    return output.replace("</head>", f'<link rel="stylesheet" href="{address("beside/panel.css")}"></head>', 1).replace(
        "</body>", f'<script type="application/json" id="programs">{as_json}</script>'
        f'<script type="module" src="{address("beside/panel.js")}"></script></body>', 1)


def on_post_build(config):
    if not is_there():
        return
    site = Path(config["site_dir"])
    shutil.copytree(PLAYGROUND, site / "playground", dirs_exist_ok=True)
    (site / "beside").mkdir(exist_ok=True)
    for path in SCRIPTS:
        shutil.copyfile(path, site / "beside" / path.name)
