"""break-nan stops at the op whose backward makes the first infinity, and says where a NaN was there before."""

import gdb
from transcript import Transcript, output_of


def main():
    transcript = Transcript()
    transcript.type("break-nan please")
    output_of("break-nan")
    transcript.text += output_of("run")
    transcript.type("output contribution")
    transcript.text += output_of("continue")
    transcript.write()


main()
