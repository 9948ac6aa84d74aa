"""Breakpoints at the derivative of an op: completion, conditions, wrong uses, and the names of all ops."""

import re
import sys

import gdb
from transcript import Transcript, output_of


def stop_of(command):
    """Runs the program on, and says in which function and how deep it has stopped."""
    output_of(command)
    try:
        return gdb.selected_frame().name().split("(")[0]  # with its arguments where it has no debug information
    except gdb.error:
        return "the program has ended"


def names_of_ops():
    """Struct and name of every op, from the program's memory: op_info<Struct> begins with the name."""
    listing = output_of("info variables -q op_info<.*>")
    structs = sorted(set(re.findall(r"op_info<((?:autograd::)?\w+)>", listing)))
    for name in structs:
        symbol = output_of("output *(char**)&'autograd::op_info<%s>'" % name)
        yield name.rsplit("::")[-1], re.search('"(.*)"', symbol).group(1)


def main():
    transcript = Transcript()
    for command in ("complete break-op ta", "complete break-op masked", "complete break-op scatter"):
        transcript.type(command)
    transcript.type("tape x")
    for command in ("break-op", "break-op tnh", "break-op sum when", "break-op zzzz", "break-op cube if nonsense == 1"):
        transcript.type(command)
    for command in ("break-op cube if exponent == 3", "break-op leaf", "break-op cube if exponent == 4"):
        output_of(command)
        transcript.comment(command)
    for command in ("run", "continue", "continue", "delete 2", "continue"):
        transcript.text += "%s: %s\n" % (command, stop_of(command))

    output_of("break look_here")
    transcript.comment("break-op knows every op by the name that the program uses")
    output_of("run")
    module = sys.modules["backstep_gdb"]
    functions = module.backward_functions()
    names = list(names_of_ops())
    transcript.text += "%s ops\n" % ("more than 50" if len(names) > 50 else len(names))
    for struct, name in names:
        if module.op_name(struct) != name:
            transcript.text += "%s is %s, not %s\n" % (struct, name, module.op_name(struct))
        if name not in functions:
            transcript.text += "%s has no backward\n" % name
    transcript.write()


main()
