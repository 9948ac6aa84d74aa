"""break-wrong stops at the op whose backward is not the derivative of its forward."""

import re

from transcript import Transcript, output_of


def main():
    transcript = Transcript()
    for command in ("break-wrong now", "break-wrong"):
        transcript.type(command)
    report = output_of("run")
    transcript.text += "".join(line for line in report.splitlines(keepends=True) if line.startswith("FAIL"))
    transcript.type("frame")
    transcript.type("output $at(dy, 0, 0) != 0")
    transcript.type("show environment BACKSTEP")
    transcript.text = re.sub(r"( at autograd/[\w/.]+:)\d+\n\d+", r"\1NN\nNN", transcript.text)
    transcript.text = re.sub(r"(Breakpoint 1: file autograd/[\w/.]+, line )\d+", r"\1NN", transcript.text)
    transcript.write()


main()
