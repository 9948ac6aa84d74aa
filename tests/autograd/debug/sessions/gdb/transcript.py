"""What the scripts here share: they run in gdb, type commands, and write what it shows to the file named by $found."""

import gdb


def setting(name):
    """A convenience variable that compare_transcript.cmake has set, or ""."""
    return gdb.convenience_variable(name).string()


def prepare():
    for option in ("pagination off", "confirm off", "width 0", "height 0", "print address off"):
        gdb.execute("set " + option)


def line_of(text, path):
    """The number of the first line with this text."""
    with open(path, encoding="utf-8") as source:
        return 1 + [text in line for line in source].index(True)


def output_of(command):
    """What gdb says to a command: its output, or the error."""
    try:
        lines = gdb.execute(command, to_string=True).splitlines(keepends=True)
        return "".join(line for line in lines if "libthread_db" not in line)
    except gdb.error as error:
        return "%s\n" % error


class Transcript:
    def __init__(self):
        prepare()
        self.text = ""

    def comment(self, text):
        self.text += "\n# %s\n" % text

    def type(self, command):
        output = output_of(command)
        self.text += "(gdb) %s\n%s" % (command, output)
        if output and not output.endswith("\n"):
            self.text += "\n"

    def write(self):
        with open(setting("found"), "w", encoding="utf-8") as file:
            file.write(self.text.lstrip("\n"))
