"""GradBench's programs and the chain of scalars. Each of them measures Backstep beside its peers, in turn."""

import math
import os
import re
import subprocess
import sys

from comparison.programs import Refused

SIDE = "gradbench"  # under which the figures are kept: program and sizes -> contender -> milliseconds

# bench's workload -> what is run for it. gmm takes three sizes by itself, the last of them that of the workload.
COMMANDS = {
    "scalar_chain": ("scalar_chain",),
    "gradbench_lstm_2_1024": ("lstm", "2", "1024"),
    "gradbench_lstm_4_4096": ("lstm", "4", "4096"),
    "gradbench_gmm_64_50": ("gmm",),
}

# The contender that is ours: of several ways, the one that writes what the others write.
OURS = {"lstm": "backstep, operations", "scalar_chain": "backstep, releasing", "gmm": "backstep, one product"}
# The contender that ours is to be compared with, and its name in the table.
PEERS = {
    "lstm": ("tapenade", "Tapenade"),
    "scalar_chain": ("adolc, taped anew", "ADOL-C"),
    "gmm": ("manual", "by hand"),
}

# "lstm l=2 c=1024    tapenade     objective  854.4 us (min  812.3)  gradient  3647.6 us (min  3541.3)  samples .."
LINE = re.compile(r"(?P<work>\S.*?) {2,}(?P<contender>\S.*?) +objective .* gradient +(?P<us>\S+) us")


def check(folder):
    """Before the measuring: is everything there?"""
    if not folder.is_dir():
        raise Refused(f"--gradbench {folder}: there is no such folder")
    for program in OURS:
        if not (folder / program).is_file():
            raise Refused(f"--gradbench {folder}: there is no program {program} in this folder")


def program_of(work):
    """Of a line's program and sizes."""
    return work.split()[0]


def read(text, figures):
    """Adds the times of the gradients. Gradients that the program found to be wrong are failures."""
    for line in text.splitlines():
        fields = LINE.match(line)
        if not fields:
            continue
        if line.endswith("WRONG"):
            figures.failures.append(f"{fields['work']}: the gradient of {fields['contender']} is wrong")
        milliseconds = float(fields["us"]) / 1e3
        if math.isfinite(milliseconds):  # it is not if the core was lost during each sample
            figures.add(SIDE, fields["work"], fields["contender"], [milliseconds])


def run(workload, arguments, figures):
    """Runs the workload's program, if it has one. It takes as long as it likes, on one thread, as its peers do."""
    if workload not in COMMANDS:
        return
    program, *sizes = COMMANDS[workload]
    command = [str(arguments.gradbench / program), *sizes]
    print(*command, file=sys.stderr)
    environment = os.environ | {"BACKSTEP_THREADS": "1"}
    try:
        answer = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=False)
    except OSError as error:
        raise Refused(f"cannot run {command[0]}: {error.strerror}") from error
    print(answer.stdout, end="", file=sys.stderr)
    if answer.returncode:
        figures.failures.append(f"{workload}: {command[0]} ended with status {answer.returncode}")
    read(answer.stdout, figures)
