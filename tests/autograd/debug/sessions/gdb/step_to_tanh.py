"""Run by gdb: breaks on the line with backward() in an example, steps until the derivative of tanh, and writes every
stop as "function: source line", then the frames and the number of steps, by `step` and by `step-op`. Line numbers are left out, so that the
transcript changes only when the way to the formula does."""

import gdb
from transcript import line_of, setting

EXAMPLE = "01_scalar_chain.cpp"
SOURCE_LINE = "L.backward();"
GOAL = "autograd::Tanh::backward"
LIMIT = 200


def place():
    """Where the program stands: the function, and its line of source without the number."""
    name = gdb.selected_frame().name()
    line = gdb.execute("frame", to_string=True).splitlines()[-1]
    return name, line.split("\t", 1)[-1].strip()


def frames():
    frame = gdb.newest_frame()
    while frame:
        yield frame.name()
        frame = frame.older()


def main():
    line = line_of(SOURCE_LINE, setting("project") + "/examples/" + EXAMPLE)
    gdb.execute("break %s:%d" % (EXAMPLE, line), to_string=True)
    gdb.execute("run", to_string=True)
    stops = [place()]
    while stops[-1][0] != GOAL and len(stops) <= LIMIT:
        gdb.execute("step", to_string=True)
        stops.append(place())
    way = list(frames())
    gdb.execute("run", to_string=True)
    ops = 0
    while gdb.selected_frame().name() != GOAL and ops <= LIMIT:
        gdb.execute("step-op", to_string=True)
        ops += 1
    with open(setting("found"), "w") as transcript:
        for name, line in stops:
            transcript.write("%s: %s\n" % (name, line))
        transcript.write("\nframes: %s\n" % " < ".join(way))
        transcript.write("steps: %d\n" % (len(stops) - 1))
        transcript.write("by step-op: %d\n" % ops)


main()
