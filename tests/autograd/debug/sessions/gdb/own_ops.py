"""A program that its user has compiled, and not this project: where gdb stops in ops of its own, and what it shows of
graphs that are too large to be shown."""

import time

import gdb
from transcript import Transcript, output_of


def two_lines(transcript, command):
    """The first and the last line of the answer, which is to come soon."""
    start = time.monotonic()
    lines = output_of(command).splitlines()
    transcript.text += "(gdb) %s\n%s\n...\n%s\n" % (command, lines[0], lines[-1])
    if time.monotonic() - start > 10:
        transcript.text += "too late, after %d seconds\n" % (time.monotonic() - start)


def stop_at(transcript, command):
    output_of(command)
    transcript.text += "(gdb) %s\n" % command
    transcript.type("frame")
    transcript.type("output *this")


def main():
    transcript = Transcript()
    transcript.comment("Where a derivative begins, arguments are in place: for conditions too, and where it is one line")
    output_of("break-op twice if dy.impl_.object_ != 0")
    output_of("break-op cube if called_at.line > 0")
    stop_at(transcript, "run")
    stop_at(transcript, "continue")
    transcript.comment("A saved value of more than four elements")
    transcript.type("output this->x")

    output_of("break look_here")
    output_of("continue")
    output_of("continue")
    output_of("up")
    transcript.comment("100,000 ops, one after the other")
    transcript.type("output last")
    transcript.type("set print elements 2")
    transcript.type("tape last")
    transcript.type("set print elements 0")
    two_lines(transcript, "tape last")
    transcript.comment("100,000 inputs of one op")
    transcript.type("set print elements 1")
    transcript.type("tape joined")
    output_of("set print elements 200")
    output_of("continue")
    output_of("up")
    transcript.comment("A module, without what nn::Module keeps of its parts")
    transcript.type("output scorer")
    transcript.write()


main()
