"""Run by LLDB: step-op, as in step_op.py, written without addresses and the engine's line numbers to the file $FOUND."""

import os
import re

import lldb

COMMANDS = (
    "step-op|breakpoint set --name main|run|step-op none|step-op|step-op|step-op cube|step-op 3|breakpoint set --name look_here|"
    "step-op leaf|step-op 1000|breakpoint delete --force|step-op linear|step-op 1000|step-op"
).split("|")


def __lldb_init_module(debugger, internal):
    interpreter = debugger.GetCommandInterpreter()
    debugger.SetAsync(False)
    text = ""
    for command in COMMANDS:
        result = lldb.SBCommandReturnObject()
        interpreter.HandleCommand(command, result)
        if command.startswith("step-op"):
            text += "(lldb) %s\n%s%s" % (command, result.GetOutput() or "", result.GetError() or "")
    # LLDB shows lines around the one where it stands; where that is, is enough.
    lines = (line for line in text.splitlines() if not re.match(r"(->)?\s+(\d+\s|\^|$)", line))
    text = "".join(re.sub(r"0x[0-9a-f]+ ?", "", line) + "\n" for line in lines)
    with open(os.environ["FOUND"], "w", encoding="utf-8") as file:
        file.write(re.sub(r" at (\w+\.cpp|nn/\w+\.cpp):[\d:]*\d", r" at \1", text))
