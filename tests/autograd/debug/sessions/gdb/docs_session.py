"""The sessions that docs/debugging-with-gdb.md shows: every block with lines that begin with (gdb) is one. Its commands
are typed in a gdb of its own, and the page is written anew with what that says now. Addresses become 0x... and the
engine's line numbers NN, so that an edit to the engine leaves the page as it is."""

import re
import subprocess

from transcript import Transcript, setting

PROMPT = "(gdb) "
NOISE = ("[Inferior", "[Thread debugging", "Using host libthread_db")


ENGINE_LINE = re.compile(r"(\bautograd/[\w/]+\.(?:cpp|h)(?::|, line ))\d+")


def without_engine_lines(lines):
    """NN for the number of an engine's line: behind its file's name, and before the line itself, of which gdb says no more
    than the number while it stays in the file."""
    in_engine = False
    for line in lines:
        stop = re.search(r" at ([\w/.]+):\d+$", line)
        if stop and not line.startswith("#"):
            in_engine = stop.group(1).startswith("autograd/")
        masked = ENGINE_LINE.sub(r"\1NN", line)
        yield re.sub(r"^\d+\t", "NN\t", masked) if in_engine else masked


def session(lines):
    """The block with the same commands and today's answers. (A gdb of its own, because gdb.execute(..., to_string=True)
    leaves out where the program has stopped.)"""
    printers = setting("project") + "/autograd/debug/backstep_gdb.py"
    command = [setting("gdb"), "-nx", "-q", "-batch", "-iex", "set debuginfod enabled off"]
    command += ["-iex", "set auto-load python-scripts off", "-x", printers]
    command += ["-ex", "set width 0", "-ex", "set args > /dev/null"]
    for line in lines:
        if line.startswith(PROMPT):
            command += ["-ex", "echo %s\\n" % line, "-ex", line[len(PROMPT) :]]
    done = subprocess.run(command + [setting("program")], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    said = [line for line in done.stdout.splitlines() if line.strip() and not line.startswith(NOISE)]
    return [re.sub("0x[0-9a-f]+", "0x...", line).expandtabs(4).rstrip() for line in without_engine_lines(said)]


def blocks(lines):
    """The page in pieces: (is this the inside of a block, its lines)."""
    piece, inside = [], False
    for line in lines:
        if line.startswith("```"):
            yield inside, piece
            yield False, [line]
            piece, inside = [], not inside
        else:
            piece.append(line)
    yield inside, piece


def main():
    transcript = Transcript()
    with open(setting("expected"), encoding="utf-8") as page:
        lines = page.read().splitlines()
    answered = []
    for inside, piece in blocks(lines):
        is_session = inside and any(line.startswith(PROMPT) for line in piece)
        answered += session(piece) if is_session else piece
    transcript.text = "\n".join(answered) + "\n"
    transcript.write()


main()
