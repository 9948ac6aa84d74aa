#!/usr/bin/env python3
"""Writes what g++ and clang say to the answers in messages/*.txt into them again, and what sanitizers say in reports/*.txt.

    tests/course/capture_messages.py [NAME ...]        with build/release built, target learn

Each file has sections, "=== name". `answer` is the learner's file for exercise 25; the others come of it. What the runner
makes of them is in `g++ explained` and `clang explained`, which course_compiler_messages_test and course_crash_test compare;
BACKSTEP_UPDATE=1 makes them write what it is now."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

here = pathlib.Path(__file__).parent
settings = json.load(open(here / "../../build/release/exercises/runner/settings.json"))
exercise = f"{settings['project']}/exercises/25_linear_layer"
objects = f"{settings['build']}/exercises/cache/25_linear_layer"
includes = ["-std=c++20", "-DFMT_SHARED", "-I" + exercise] + ["-I" + folder for folder in settings["include"]]
flags = """-O1 -g1 -fsanitize=address,undefined,float-cast-overflow -fno-omit-frame-pointer -ftrivial-auto-var-init=pattern
  -D_GLIBCXX_ASSERTIONS -Wall -Wextra -Wshadow -Wno-unused-parameter -Werror=return-type""".split()
environment = dict(os.environ, LC_ALL="C",
                   ASAN_OPTIONS="color=never:handle_abort=1:detect_stack_use_after_return=1:max_malloc_fill_size=1073741824:"
                                "malloc_fill_byte=254:hard_rss_limit_mb=1200:exitcode=86:print_legend=0:allow_addr2line=1",
                   UBSAN_OPTIONS="color=never:halt_on_error=1:print_stacktrace=1:exitcode=87")


def read(path):
    sections, name = {}, None
    for line in path.read_text().splitlines(keepends=True):
        if line.startswith("=== "):
            name = line[4:].strip()
            sections[name] = ""
        else:
            sections[name] += line
    return sections


def write(path, sections):
    path.write_text("".join(f"=== {name}\n{text}" for name, text in sections.items()))


def portable(text, folder):
    text = text.replace(folder + "/", "").replace(settings["project"] + "/", "/project/").replace("/usr/bin/../lib", "/usr/lib")
    text = without_engine_lines(text)
    return text if text.endswith("\n") or not text else text + "\n"


def without_engine_lines(text):
    """An edit to the engine changes no fixture: its line numbers are 1."""
    text = re.sub(r"(/project/autograd/[\w/.]+:)\d+", r"\g<1>1", text)
    # g++ shows the line, with its number, below the message.
    return re.sub(r"(?m)^(/project/autograd/.*\n) *\d+ \|", r"\1    1 |", text)


def build(compiler, folder):
    source = f"{folder}/25_linear_layer.cpp"
    compiled = subprocess.run([compiler, *includes, *flags, f"-ffile-prefix-map={folder}/=", "-include",
                               "course/learner.h", "-c", source, "-o", f"{folder}/answer.o"],
                              capture_output=True, text=True, env=environment)
    if compiled.returncode != 0:
        return compiled.stderr
    linked = subprocess.run([compiler, f"{folder}/answer.o", f"{objects}/check.o", f"{objects}/answers.o",
                             "-fsanitize=address,undefined", "-fuse-ld=gold", *settings["libraries"][:-1], "-ledit", "-o",
                             f"{folder}/check"], capture_output=True, text=True, env=environment)
    return compiled.stderr + linked.stderr


def run(folder):
    finished = subprocess.run([f"{folder}/check", f"{folder}/result.json", "--seconds", "6"], capture_output=True, text=True,
                              env=environment, timeout=60, errors="replace", stdin=subprocess.DEVNULL)
    text = finished.stdout[:2000] + finished.stderr
    keep = text.split("Process memory map")[0].split("Shadow bytes around")[0]
    lines = keep.splitlines()[:60]
    return f"exit {finished.returncode}\n" + "\n".join(lines) + "\n"


def capture(path, how):
    sections = read(path)
    for compiler in ("g++", "clang++"):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(f"{folder}/25_linear_layer.cpp").write_text(sections["answer"])
            text = build(compiler, folder)
            if how == "reports":
                text = run(folder)
            sections[compiler] = portable(text, folder)
            sections.setdefault(f"{compiler} explained", "")
    write(path, sections)


for how in ("messages", "reports"):
    for path in sorted((here / how).glob("*.txt")):
        if len(sys.argv) < 2 or path.stem in sys.argv[1:]:
            print(path.stem, flush=True)
            capture(path, how)
