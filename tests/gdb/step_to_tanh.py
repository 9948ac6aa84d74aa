"""Run by gdb: breaks on the line with backward() in an example, steps until the derivative of tanh, and writes every
stop as "function: source line", then the frames and the number of steps, to the file named by $transcript. Line
numbers are left out, so that the transcript changes only when the way to the formula does."""

import gdb

SOURCE_LINE = "L.backward();"
GOAL = "autograd::Tanh::backward"
LIMIT = 200


def setting(name):
    return gdb.convenience_variable(name).string()


def line_of(text, path):
    with open(path) as source:
        return 1 + [text in line for line in source].index(True)


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
    source = setting("source")
    gdb.execute("break %s:%d" % (source.rsplit("/", 1)[-1], line_of(SOURCE_LINE, source)), to_string=True)
    gdb.execute("run", to_string=True)
    stops = [place()]
    while stops[-1][0] != GOAL and len(stops) <= LIMIT:
        gdb.execute("step", to_string=True)
        stops.append(place())
    with open(setting("transcript"), "w") as transcript:
        for name, line in stops:
            transcript.write("%s: %s\n" % (name, line))
        transcript.write("\nframes: %s\n" % " < ".join(frames()))
        transcript.write("steps: %d\n" % (len(stops) - 1))


main()
