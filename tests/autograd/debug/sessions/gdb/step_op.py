"""step-op goes to the next op's derivative, wherever the program stands. The engine's line numbers become NN, so that an
edit to the engine leaves the transcript as it is."""

import re

from transcript import Transcript, output_of


def without_engine_lines(text):
    text = re.sub(r"( at nn/[\w/.]+:)\d+", r"\1NN", text)
    return re.sub(r"( at autograd/[\w/.]+:)\d+\n\d+", r"\1NN\nNN", text)


def main():
    transcript = Transcript()
    for command in ("step-op", "step-op none", "step-op 0"):
        transcript.type(command)
    output_of("break main")
    output_of("run")
    transcript.comment("From main, from a derivative, and from within the engine")
    transcript.type("step-op")
    transcript.type("step-op")
    output_of("break autograd::accumulate")
    output_of("continue")
    output_of("delete")
    transcript.type("step-op")
    transcript.comment("Many at once, and past leaves")
    transcript.type("step-op 2")
    transcript.comment("To the next of one op")
    for command in ("step-op powr", "step-op pow"):
        transcript.type(command)
    transcript.comment("The user's breakpoints hold")
    output_of("break-op pow")
    transcript.type("step-op 1000")
    transcript.type("frame")
    output_of("delete")
    transcript.type("step-op leaf")
    output_of("break look_here")
    transcript.type("step-op 1000")
    transcript.type("frame")
    transcript.type("info breakpoints")
    output_of("delete")
    transcript.comment("An op of a module is on the module's line; which of the program's led there, is said too")
    transcript.type("step-op linear")
    transcript.type("output *this")
    transcript.comment("The end")
    transcript.type("step-op 1000")
    transcript.type("step-op")
    transcript.comment("A plain `break` finds arguments in place too: the library's target sees to it")
    output_of("break Cube::backward")
    output_of("run")
    transcript.type("frame")
    transcript.text = without_engine_lines(transcript.text)
    transcript.write()


main()
