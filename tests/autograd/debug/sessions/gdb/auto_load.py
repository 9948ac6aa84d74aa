"""Without being asked to, gdb has loaded the printers and commands together with the program."""

import gdb
from transcript import Transcript


def main():
    transcript = Transcript()
    gdb.execute("break look_here", to_string=True)
    gdb.execute("run", to_string=True)
    transcript.type("output shown::scalar")
    transcript.type("tape shown::hidden")
    transcript.write()


main()
