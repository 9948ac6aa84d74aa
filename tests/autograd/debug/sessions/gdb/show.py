"""Prints what printers_program holds, and the tape, in the running program or in its core file."""

import gdb
from transcript import Transcript, setting

PRINTED = {
    "Tensors": "undefined scalar weight bias hidden loss frozen ids mask single odd empty *handle",
    "Views: strides and offsets": "transposed every_second repeated row",
    "Large ones": "large deep",
    "Memory that holds no tensor": "garbage unmapped freed *freed_node garbage_node broken_shape",
    "The graph": "*cube cube->x node_handle no_node overwritten scope *scope.object_ *storage.object_ *cube->op",
    "Small things": "place nowhere shape dims dtype number inputs four_inputs no_inputs cube->inputs",
}

TYPED = [
    "tape shown::loss",
    "tape shown::hidden",
    "tape *shown::cube",
    "tape",
]

WRONG = [
    "tape shown::frozen",
    "tape shown::undefined",
    "tape shown::garbage",
    "tape shown::dtype",
    "tape bogus",
]


def main():
    transcript = Transcript()
    if setting("core"):
        gdb.execute("core-file " + setting("core"), to_string=True)
    else:
        gdb.execute("break look_here", to_string=True)
        gdb.execute("run", to_string=True)
    for heading, names in PRINTED.items():
        transcript.comment(heading)
        for name in names.split():
            prefix, rest = ("*", name[1:]) if name.startswith("*") else ("", name)
            transcript.type("output %sshown::%s" % (prefix, rest))
    transcript.comment("In one line, for IDEs")
    transcript.type("set backstep-one-line on")
    for name in ("shown::weight", "shown::transposed", "shown::garbage", "*shown::cube", "shown::four_inputs"):
        transcript.type("output " + name)
    transcript.type("show backstep-one-line")
    transcript.type("set backstep-one-line off")
    transcript.comment("Commands")
    for command in TYPED:
        transcript.type(command)
    gdb.execute("set print elements 3")
    transcript.type("tape shown::loss")
    transcript.comment("Wrong uses")
    for command in WRONG:
        transcript.type(command)
    transcript.write()
    if setting("write_core"):
        gdb.execute("generate-core-file " + setting("write_core"), to_string=True)


main()
